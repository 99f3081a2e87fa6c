"""What is wrong is told by an exception that says what to do, whoever asks and however."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import carom
from conftest import make_ball_scene


def holding_itself():
    entries = []
    entries.append(entries)
    return entries


def deep():
    entries = 1.0
    for _ in range(100_000):
        entries = [entries]
    return entries


class ListOfItself:
    def tolist(self):
        return self


@pytest.mark.parametrize("make", [holding_itself, deep, ListOfItself])
def test_values_that_never_end_are_refused(ball_scene, make):
    with pytest.raises(carom.LimitError, match="does it hold itself"):
        ball_scene["body.ball.position"] = make()


def test_paths_and_texts_are_texts(ball_scene):
    for ask in (lambda: ball_scene[3], lambda: ball_scene.set(None, 1), lambda: ball_scene.apply(3),
                lambda: carom.Scene.parse(None), lambda: carom.ImpactProblem.parse(b"{"),
                lambda: ball_scene.set("title", "\ud800"), lambda: carom.impact_law(3)(len)):
        with pytest.raises(carom.WrongTypeError, match="expected a text|are no text"):
            ask()


@pytest.mark.parametrize("value", [np.nan, np.inf, -1, 0.5, [1, 7]])
def test_rough_is_true_or_false(value):
    with pytest.raises(carom.OutOfRangeError, match="expected True or False"):
        carom.impact([1, 1], [0, -1], [[0, 1], [0, 2]], tangents=[[1, 0], [1, 0]], rough=value)


def test_diagonals_of_many_problems_are_matrices():
    with pytest.raises(carom.SizeMismatchError, match="diagonals of each problem are given as such matrices"):
        carom.impacts(np.ones((7, 2)), [1, 0], [[-1, 1]])


def test_an_impact_has_a_coordinate():
    with pytest.raises(carom.SizeMismatchError, match="velocity has no entries"):
        carom.impact([], [], np.zeros((0, 0)))


class Answering:
    """An array to numpy, whose making ends in an exception."""

    def __init__(self, error):
        self.error = error

    def __array__(self, *_):
        raise self.error


@pytest.mark.parametrize("error", [MemoryError("none left"), KeyboardInterrupt(), ZeroDivisionError("mine")])
def test_what_making_an_array_raises_comes_out(error):
    with pytest.raises(type(error)):
        carom.impact([1, 1], Answering(error), [[-1, 1]])
    with pytest.raises(carom.WrongTypeError, match="has no shape"):
        carom.impact([1, 1], Answering(ValueError()), [[-1, 1]])


def test_entries_of_scenes_are_dicts(ball_scene):
    with pytest.raises(carom.WrongTypeError, match="is no dict"):
        ball_scene.add("body", 3)
    with pytest.raises(carom.WrongTypeError, match="section is of the type NoneType, expected a text"):
        ball_scene.add(None, {})


@pytest.mark.parametrize("attributes", [{"takes": 3}, {"__name__": 3}])
def test_what_a_law_says_of_itself_is_text(attributes):
    law = type("Law", (), {"__call__": lambda self, contacts: -contacts.rates, **attributes})()
    with pytest.raises(carom.WrongTypeError, match="expected a text"):
        carom.impact([1.0], [-1.0], [[1.0]], law=law)


def test_functions_are_functions(ball_scene):
    simulation = carom.Simulation(ball_scene)
    for ask in (
        lambda: simulation.on_event(3), lambda: simulation.on_sample("f"), lambda: simulation.stop_when(event=3),
        lambda: carom.run(ball_scene, on_event=3), lambda: carom.run(ball_scene, stop_sample=3),
        lambda: carom.impact_law("bad-input")(3), lambda: carom.normal_force("bad-input")(3),
        lambda: carom.friction_law("bad-input")("f"),
    ):
        with pytest.raises(carom.WrongTypeError, match="expected a function"):
            ask()
    assert "bad-input" not in carom.laws()


def test_whole_numbers_are_whole(ball_scene):
    run = carom.run(ball_scene)
    for wrong in ("a", 0.5, None, 1j):
        for ask in (
            lambda: carom.impacts([1.0], [-1.0], [[1.0]], threads=wrong),
            lambda: carom.corner(0.5, 1, [1, 0], max_steps=wrong),
            lambda: carom.sweep(ball_scene, {"body.ball.mass": [1]}, "energy.final", threads=wrong),
            lambda: run.event(wrong),
        ):
            with pytest.raises(carom.WrongTypeError, match="expected a whole number"):
                ask()
    for ask in (lambda: carom.impacts([1.0], [-1.0], [[1.0]], threads=2**40),
                lambda: carom.sweep(ball_scene, {"body.ball.mass": [1]}, len, threads=-1)):
        with pytest.raises(carom.OutOfRangeError, match="from 0 to"):
            ask()
    assert run.event(np.int64(0)).time == run.event(-len(run.events)).time
    for wrong in (len(run.events), -len(run.events) - 1, 2**62):
        with pytest.raises(IndexError, match="the record has"):
            run.event(wrong)


def test_numbers_are_real(ball_scene):
    simulation, run = carom.Simulation(ball_scene), carom.run(ball_scene)
    with pytest.raises(carom.OutOfRangeError):
        run.at(10**400)
    with pytest.raises(carom.WrongTypeError, match="run.quantity.* takes many"):
        run.at([0.1, 0.2])
    for wrong in ("a", 1j, None, [object()]):
        with pytest.raises(carom.WrongTypeError):
            run.quantity("energy.kinetic", wrong)
        with pytest.raises(carom.WrongTypeError):
            simulation.state.position = wrong
        with pytest.raises(carom.WrongTypeError):
            simulation.state.position[0] = wrong
    assert simulation.state.position[0, 2] == 1.35
    with pytest.raises(carom.WrongTypeError):
        simulation.record("never.h5", flush="often")
    for wrong in (np.nan, 0):
        with pytest.raises(carom.OutOfRangeError, match="flush"):
            simulation.record("never.h5", flush=wrong)


def test_words_of_runs(ball_scene):
    run = carom.run(ball_scene)
    for ask in (lambda: run.at(0.1, side=None), lambda: run.quantity(3, 0.1), lambda: run._file.series([3], 0, 1, True)):
        with pytest.raises(carom.WrongTypeError, match="expected a text"):
            ask()
    for wrong in (0, None, ["ball"], slice(0, 1)):
        with pytest.raises(carom.UnknownNameError, match="unknown body .*known: ball"):
            run[wrong]
    with pytest.raises(carom.FileError, match="same file"):
        run.save(run.path)
    for span in ((1, 0), (np.nan, 1)):
        with pytest.raises(ValueError, match="from ≤ to"):
            run.plot("energy", span=span)


def test_settings_and_sweeps(ball_scene):
    with pytest.raises(carom.WrongTypeError, match="expected a dict such as"):
        carom.run(ball_scene, settings=["run.law"])
    with pytest.raises(carom.WrongTypeError, match="expected a dict such as"):
        carom.sweep(ball_scene, ["run.law"], "energy.final")
    with pytest.raises(carom.WrongTypeError, match="expected a text such as 'energy.final'"):
        carom.sweep(ball_scene, {"body.ball.mass": [1]}, 3)
    with pytest.raises(carom.SizeMismatchError, match="expected the same shape for every point"):
        carom.sweep(ball_scene, {"body.ball.mass": [1, 2]}, lambda run: np.zeros(int(run.scene["body.ball.mass"])))


@pytest.mark.parametrize("name", ["Scene", "Simulation", "Outcome", "ImpactProblem", "Event", "Audit", "LawContacts"])
def test_objects_that_were_not_made_say_so(name):
    cls = getattr(carom, name)
    unmade = cls.__new__(cls)
    compiled = cls.__mro__[-3]  # before the base of all compiled classes, and object
    properties = [key for key, member in vars(compiled).items() if isinstance(member, property)]
    assert properties
    for key in properties:
        with pytest.raises(RuntimeError, match="was not made"):
            getattr(unmade, key)


def test_a_class_of_one_s_own_asks_too_early():
    class Mine(carom.Scene):
        def __init__(self):
            self.set_run(duration=1.0)
            super().__init__()

    with pytest.raises(RuntimeError, match="super"):
        Mine()


class Bead(carom.LagrangianSystem):
    contact_count = 1

    def metric(self, q):
        return [[2.0]]

    def force(self, t, q, v):
        return [-20.0]

    def gaps(self, q):
        return [q[0]]

    def gap_rows(self, q):
        return [[1.0]]


def ask_bead(q=(5.0,), duration=1.5, **members):
    options = {key: members.pop(key) for key in ("max_events", "output_step") if key in members}
    return carom.run_system(type("Changed", (Bead,), members)(), q, [0.0], duration=duration, **options)


@pytest.mark.parametrize(
    "members, error, text",
    [
        ({"gap_rows": lambda self, q: [[-1.0]]}, carom.OutOfRangeError, "expected the derivatives of gaps"),
        ({"contact_count": 1.5}, carom.OutOfRangeError, "contact_count is 1.5, expected a whole number"),
        ({"contact_count": None}, carom.WrongTypeError, "contact_count"),
        ({"constraint_count": -1}, carom.OutOfRangeError, "constraint_count is -1"),
        ({"tangent_rows": lambda self, q, i: [[1.0]], "tangent_count": lambda self, i: "a"}, carom.WrongTypeError, "tangent_count"),
        ({"potential": lambda self, q: np.nan}, carom.NotFiniteError, "finite energy"),
        ({"gap_acceleration_bound": lambda self, *_: np.nan}, carom.OutOfRangeError, "expected a number from 0"),
        ({"q": "a"}, carom.WrongTypeError, "q is an array of"),
        ({"duration": "a"}, carom.WrongTypeError, "duration"),
        ({"max_events": "a"}, carom.WrongTypeError, "max_events"),
        ({"size": 0}, carom.OutOfRangeError, "the size is 0"),
    ],
)
def test_systems_of_one_s_own(members, error, text):
    with pytest.raises(error, match=text):
        ask_bead(**members)


def test_a_kink_of_a_gap_is_no_mistake():
    run = ask_bead(gaps=lambda self, q: [min(q[0], 5.0 + 2 * (q[0] - 5.0))])  # the row is that to the right
    assert run.stop == "duration"
    with pytest.raises(carom.WrongTypeError, match="derives from"):
        carom.run_system(3, [1.0], [0.0], duration=1.0)


def test_a_law_may_put_another_in_its_place():
    class Replacing:
        def __init__(self):
            self.memory = np.ones(1000)

        def __call__(self, contacts):
            carom.impact_law("bad-input replacing")(lambda later: -2 * later.rates)
            return -self.memory[0] * contacts.rates

    carom.impact_law("bad-input replacing")(Replacing())
    assert carom.impact([1.0], [-1.0], [[1.0]], law="bad-input replacing").velocity[0] == 0
    assert carom.impact([1.0], [-1.0], [[1.0]], law="bad-input replacing").velocity[0] == 1


def test_scenes_may_be_changed_by_another_thread_while_they_are_checked():
    scene = make_ball_scene()
    for k in range(50):
        scene.add_body(f"ball-{k}", shape=carom.Sphere(0.1), mass=1, material="rubber", position=[k, 5, 2])
    done = threading.Event()

    def change():
        k = 0
        while not done.is_set():
            k += 1
            scene["title"] = "x" * (k % 1000)
            scene["body.ball.position"] = [0.0, 0.0, 1 + k % 7]

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(20):
            assert scene.check() == []
            carom.Simulation(scene)
    finally:
        done.set()
        changing.join()


def ended(tmp_path, program):
    path = tmp_path / "program.py"
    path.write_text(program)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60, env=environment)


def test_the_interpreter_may_end_while_a_system_runs(tmp_path):
    done = ended(
        tmp_path,
        "import threading, time, carom\n"
        "class Spring(carom.LagrangianSystem):\n"
        "    def metric(self, q): return [[2.0]]\n"
        "    def force(self, t, q, v): return [-20.0 * q[0]]\n"
        "run = lambda: carom.run_system(Spring(), [5.0], [0.0], duration=1e9, output_step=1e8)\n"
        "threading.Thread(target=run, daemon=True).start()\n"
        "time.sleep(0.2)\n",
    )
    assert done.returncode == 0, done.stderr


def test_a_process_that_is_bound_to_one_processor_works_on_that(tmp_path):
    # As batch systems bind it. Threads for all processors of the machine were asked for, and oneTBB complained.
    done = ended(
        tmp_path,
        "import os\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "import carom, numpy as np\n"
        "many = np.linspace([-1.0, 0.5], [-3.0, 1.0], 20000)\n"
        "outcomes = carom.impacts(np.eye(2), many, [[1.0, 0.0]], law='newton', restitution=0.5)\n"
        "assert np.allclose(outcomes.velocity[:, 0], -0.5 * many[:, 0])\n",
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_simulation_that_ran_in_another_thread_at_a_fork_says_so(tmp_path):
    done = ended(
        tmp_path,
        "import os, threading, time, carom\n"
        "scene = carom.Scene()\n"
        "scene.set_run(duration=3e11, output_step=3e11)\n"
        "scene.add_body('ball', shape=carom.Sphere(0.1), mass=1, velocity=[100, 0, 0])\n"
        "scene.add_plane('left', normal=[1, 0, 0], point=[-1, 0, 0])\n"
        "scene.add_plane('right', normal=[-1, 0, 0], point=[1, 0, 0])\n"
        "simulation = carom.Simulation(scene)\n"
        "thread = threading.Thread(target=simulation.run)\n"
        "thread.start()\n"
        "time.sleep(0.2)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: simulation.time\n"
        "    except RuntimeError as error: os._exit(7 if 'make it anew' in str(error) else 1)\n"
        "    os._exit(2)\n"
        "simulation.interrupt()\n"
        "thread.join()\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n",
    )
    assert done.stdout == "7\n", done.stderr
