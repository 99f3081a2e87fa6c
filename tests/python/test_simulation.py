"""Simulations: events, states, observers, interrupts."""

import copy
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import carom
from conftest import make_ball_scene


def test_events_come_one_after_the_other(ball_scene):
    simulation = carom.Simulation(ball_scene)
    events = list(simulation.events())
    impacts = [event for event in events if event.kind == "impact"]
    assert impacts[0].time == pytest.approx(0.5, abs=1e-12)  # √(2h/g)
    assert impacts[1].time == pytest.approx(1.0, abs=1e-12)  # after 2 e v/g
    contact = impacts[0].contacts[0]
    assert (contact.a, contact.b) == ("ball", "floor")
    assert contact.impulse == pytest.approx(2 * 5 * 1.5)
    assert contact.rate_after == pytest.approx(2.5)
    assert impacts[0].jumps[0].velocity_after == pytest.approx([0, 0, 2.5])
    assert impacts[0].energy.change == pytest.approx(-18.75)
    assert "ball–floor" in repr(impacts[0])
    assert simulation.stop == "duration"


def test_run_gives_the_summary(ball_scene):
    summary = carom.Simulation(ball_scene).run()
    assert summary["stop"] == "duration"
    assert summary["events"]["impacts"] >= 2
    assert summary["bodies"][0]["name"] == "ball"


def test_pieces_have_the_bits_of_one_run(ball_scene):
    whole, pieces = carom.Simulation(ball_scene), carom.Simulation(ball_scene)
    whole.run()
    for t in np.linspace(0, 1.5, 31)[1:]:
        pieces.advance_to(t)
    assert np.array_equal(whole.state.position, pieces.state.position)
    assert np.array_equal(whole.state.velocity, pieces.state.velocity)
    assert pieces.state_at(0.2).position[0, 2] == pytest.approx(1.35 - 5 * 0.04)


def test_states_are_arrays_that_can_be_assigned(ball_scene):
    simulation = carom.Simulation(ball_scene)
    simulation.advance_to(0.25)
    simulation.state.velocity[0, 2] = 3.0
    assert simulation.state.velocity[0, 2] == 3.0
    simulation.state["ball"].velocity = [1, 0, 3]
    assert simulation.state.velocity[0] == pytest.approx([1, 0, 3])
    simulation.state["ball"].velocity[0] += 1
    simulation.state.velocity *= 2
    assert simulation.state.velocity[0] == pytest.approx([4, 0, 6])
    kept = simulation.state.copy()
    kept.velocity[0] = 0
    assert simulation.state.velocity[0, 0] == 4
    simulation.state = kept
    assert simulation.state.velocity[0, 0] == 0
    # From rest at height h the fall lasts √(2h/g).
    height = simulation.state.position[0, 2] - 0.1
    assert simulation.next_event().time == pytest.approx(0.25 + np.sqrt(2 * height / 10), abs=1e-12)


def test_arithmetic_with_a_state_changes_nothing(ball_scene):
    simulation = carom.Simulation(ball_scene)
    velocity = simulation.state.velocity
    twice = velocity * 2 + 1
    twice[0] = 7
    velocity.copy()[0] = 7
    assert np.all(simulation.state.velocity == 0)


def test_a_state_that_cannot_be_leaves_everything_as_it_was(ball_scene):
    simulation = carom.Simulation(ball_scene)
    state = simulation.state
    with pytest.raises(carom.InputError):
        state.position = [[0, 0, -5]]  # inside the floor
    with pytest.raises(carom.NotFiniteError):
        state.velocity[0, 0] = np.nan
    with pytest.raises(carom.SizeMismatchError):
        state.velocity = np.zeros((2, 3))
    with pytest.raises(carom.InputError):
        state.orientation[0] = [2, 0, 0, 0]
    assert state.position[0, 2] == 1.35 and simulation.state.position[0, 2] == 1.35
    assert state.velocity[0, 0] == 0
    with pytest.raises(carom.UnknownNameError):
        state["bal"]
    with pytest.raises(carom.WrongTypeError, match="expected a State"):
        simulation.state = [[0, 0, 5]]


def test_misspelt_names_are_no_new_attributes(ball_scene):
    simulation = carom.Simulation(ball_scene)
    with pytest.raises(AttributeError):
        simulation.state.velocty = [[1, 0, 0]]
    with pytest.raises(AttributeError):
        simulation.state["ball"].velocty = [1, 0, 0]


@pytest.mark.parametrize("bad", ["now", None, [0.1, 0.2], np.zeros(2)])
def test_a_time_is_one_number(ball_scene, bad):
    simulation = carom.Simulation(ball_scene)
    for ask in (simulation.advance_to, simulation.state_at, carom.run(ball_scene).at):
        with pytest.raises(carom.WrongTypeError, match="time .* expected one number"):
            ask(bad)
    simulation.advance_to(np.float32(0.25))
    assert simulation.time == 0.25


def test_a_state_of_the_past_cannot_be_assigned(ball_scene):
    simulation = carom.Simulation(ball_scene)
    state = simulation.state
    simulation.advance_to(0.3)
    with pytest.raises(RuntimeError, match="take simulation.state again"):
        state.velocity[0] = 1


def test_observers_see_events_and_samples(ball_scene):
    simulation = carom.Simulation(ball_scene)
    kinds, heights = [], []
    simulation.on_event(lambda event: kinds.append(event.kind))
    simulation.on_sample(lambda state: heights.append(state["ball"].position[2]))
    simulation.run()
    assert kinds[:2] == ["impact", "impact"]
    assert heights[:2] == pytest.approx([1.35, 1.35 - 5 / 16])
    assert len(heights) == 7


def test_what_an_observer_raises_comes_out_as_it_is(ball_scene):
    simulation = carom.Simulation(ball_scene)

    def broken(event):
        raise KeyError("mine")

    simulation.on_event(broken)
    with pytest.raises(KeyError, match="mine") as caught:
        simulation.run()
    assert caught.traceback[-1].name == "broken"


def test_a_condition_stops_the_run_which_can_go_on(ball_scene):
    simulation = carom.Simulation(ball_scene)
    simulation.stop_when(event=lambda event: event.time < 0.7)
    simulation.run()
    assert simulation.stop == "interrupted" and simulation.stopped_by_condition
    assert simulation.time == pytest.approx(0.5)
    simulation.run()
    assert simulation.stop == "duration" and not simulation.stopped_by_condition
    other = carom.Simulation(ball_scene)
    other.stop_when(sample=lambda state: state.time >= 0.75)
    other.run()
    assert other.stop == "interrupted" and other.time < 1.5


def test_a_running_simulation_cannot_be_changed(ball_scene):
    simulation = carom.Simulation(ball_scene)
    said = []

    def meddle(event):
        for action in (
            lambda: simulation.state, simulation.run, simulation.copy, lambda: simulation.time,
            lambda: simulation.on_event(print), lambda: simulation.record("never.h5"),
        ):
            try:
                action()
            except RuntimeError as error:
                said.append(str(error))

    simulation.on_event(meddle)
    simulation.next_event()
    assert len(said) == 6 and all("is running" in text for text in said)


def test_a_scene_that_is_changed_while_it_runs_changes_no_run(ball_scene):
    simulation = carom.Simulation(ball_scene)
    simulation.on_event(lambda event: ball_scene.set("body.ball.mass", -1))
    simulation.run()
    assert simulation.stop == "duration"
    assert simulation.scene["body.ball.mass"] == 2


def test_a_copy_goes_its_own_way(ball_scene):
    simulation = carom.Simulation(ball_scene)
    simulation.advance_to(0.25)
    for copied in (simulation.copy, lambda: copy.copy(simulation), lambda: copy.deepcopy(simulation)):
        other = copied()
        other.state.velocity[0] = [1, 0, 0]
        other.run()
        assert other.state.position[0, 0] == pytest.approx(1.25)
    simulation.run()
    assert simulation.state.position[0, 0] == 0


def test_threads_run_at_the_same_time(ball_scene):
    results = {}

    def work(k):
        simulation = carom.Simulation(make_ball_scene(1.25 + k))
        simulation.run()
        results[k] = simulation.state.position[0, 2]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = [carom.Simulation(make_ball_scene(1.25 + k)).run()["bodies"][0]["position"][2] for k in range(4)]
    assert [results[k] for k in range(4)] == alone


def endless_scene():
    """Two elastic walls and a ball between them, for ten thousand years."""
    scene = carom.Scene()
    scene.set_run(duration=3e11, output_step=3e11)
    scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, velocity=[100, 0, 0])
    scene.add_plane("left", normal=[1, 0, 0], point=[-1, 0, 0])
    scene.add_plane("right", normal=[-1, 0, 0], point=[1, 0, 0])
    return scene


def pressing_ctrl_c(after):
    """An observer that presses it at that event, in the middle of the work."""
    count = itertools.count(1)
    return lambda event: os.kill(os.getpid(), signal.SIGINT) if next(count) == after else None


def test_ctrl_c_stops_keeps_and_returns():
    run = carom.run(endless_scene(), on_event=pressing_ctrl_c(20))
    assert run.stop == "interrupted" and run.complete
    assert 20 <= len(run.events) < 100
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_twice_ends_a_function_that_does_not_come_back(tmp_path, presses):
    program = tmp_path / "sleeps.py"
    program.write_text(
        "import sys, time, carom\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from test_simulation import endless_scene\n"
        "def sleep(event):\n"
        "    print('asleep', flush=True)\n"
        "    until = time.monotonic() + float(sys.argv[2])\n"
        "    while time.monotonic() < until: time.sleep(0.05)\n"
        "try: print(carom.run(endless_scene(), on_event=sleep).stop)\n"
        "except KeyboardInterrupt: print('in the function')\n"
    )
    here = os.path.dirname(os.path.abspath(__file__))
    command = [sys.executable, str(program), here, "1" if presses == 1 else "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "asleep\n"
        for _ in range(presses):
            child.send_signal(signal.SIGINT)
            time.sleep(0.2)  # two at once may be one
        assert child.communicate(timeout=30)[0].splitlines()[-1] == ("interrupted" if presses == 1 else "in the function")


def test_ctrl_c_ends_a_loop_of_steps():
    simulation = carom.Simulation(endless_scene())

    def events():
        for _ in simulation.events():
            pass

    def pieces():
        while True:
            simulation.advance_to(simulation.time + 1.0)

    for loop in (events, pieces):
        simulation.on_event(pressing_ctrl_c(20))
        with pytest.raises(KeyboardInterrupt):
            loop()
        reached = simulation.time
        assert reached > 0 and simulation.next_event().time >= reached  # goes on


def test_ctrl_c_ends_a_batch_with_keyboard_interrupt():
    velocities = np.tile([1.0, 0, 0, 0, 0, 0], (3_000_000, 1))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        carom.impacts(np.ones(6), velocities, np.diff(np.eye(6), axis=0))


def test_interrupt_from_another_thread():
    simulation = carom.Simulation(endless_scene())
    threading.Timer(0.2, simulation.interrupt).start()
    simulation.run()
    assert simulation.stop == "interrupted"


def test_events_can_be_pickled(ball_scene):
    event = carom.Simulation(ball_scene).next_event()
    again = pickle.loads(pickle.dumps(event))
    assert repr(again) == repr(event) and again.law == event.law
    assert again.contacts[0].impulse == event.contacts[0].impulse
    assert np.array_equal(again.jumps[0].velocity_after, event.jumps[0].velocity_after)
    contact = pickle.loads(pickle.dumps(event.contacts[0]))
    assert repr(contact) == repr(event.contacts[0]) and np.array_equal(contact.normal, event.contacts[0].normal)
    assert pickle.loads(pickle.dumps(event.jumps[0])).body == "ball"


def test_a_simulation_that_was_not_made_can_be_shown(ball_scene):
    ball_scene["body.ball.mass"] = -1
    made = []

    class Mine(carom.Simulation):
        def __init__(self, scene):
            made.append(self)
            super().__init__(scene)

    with pytest.raises(carom.OutOfRangeError):
        Mine(ball_scene)
    assert "cannot be run" in repr(made[0])


def test_a_simulation_says_why_it_cannot_be_pickled(ball_scene):
    with pytest.raises(TypeError, match="send its scene"):
        pickle.dumps(carom.Simulation(ball_scene))


def test_a_law_of_one_s_own_in_a_scene(ball_scene):
    @carom.impact_law("test-plastic")
    def plastic(contacts):
        return -contacts.rates / np.diag(contacts.delassus) * 1.25

    ball_scene["run.law"] = "test-plastic"
    event = carom.Simulation(ball_scene).next_event()
    assert event.law == "test-plastic"
    assert event.contacts[0].rate_after == pytest.approx(1.25)
    assert "test-plastic" in carom.laws()

    @carom.impact_law("test-plastic")
    def broken(contacts):
        raise ZeroDivisionError("in the law")

    with pytest.raises(ZeroDivisionError, match="in the law"):
        carom.Simulation(ball_scene).run()
    with pytest.raises(carom.DuplicateNameError):
        carom.impact_law("newton")(plastic)


def test_the_interpreter_may_end_in_the_middle(tmp_path):
    program = tmp_path / "ends.py"
    program.write_text(
        "import threading, time, sys, carom\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from test_simulation import endless_scene\n"
        "simulation = carom.Simulation(endless_scene())\n"
        "simulation.on_event(lambda event: None)\n"
        "threading.Thread(target=simulation.run, daemon=True).start()\n"
        "time.sleep(0.2)\n"
        "run = carom.run(endless_scene(), stop_event=lambda event: True)\n"
        "kept = run['ball'].position\n"
    )
    here = os.path.dirname(os.path.abspath(__file__))
    done = subprocess.run([sys.executable, str(program), here], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
