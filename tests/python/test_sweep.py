"""Sweeps: the same bits, whoever runs the points."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import carom
from conftest import make_ball_scene

VARY = {"body.ball.position.2": np.linspace(0.6, 1.6, 5), "pair.0.restitution": [0.3, 0.7]}
MEASURES = ["events.impacts", "position.ball.z", "lost=energy.initial-energy.final"]


def height_at_the_end(run):
    return run["ball"].position[-1, 2]


def values(table, name):
    return np.asarray(table[name])


@pytest.fixture
def expected():
    return carom.sweep(make_ball_scene(), VARY, MEASURES)


def same(a, b):
    return all(np.array_equal(values(a, name), values(b, name)) for name in ("events.impacts", "position.ball.z", "lost"))


def test_arrays_have_named_axes(expected):
    assert values(expected, "lost").shape == (5, 2)
    xarray = pytest.importorskip("xarray")
    assert isinstance(expected, xarray.Dataset)
    assert expected["lost"].dims == tuple(VARY)
    assert float(expected["lost"].sel({"pair.0.restitution": 0.3})[0]) > 0


def test_a_point_is_a_run_of_its_own(expected):
    run = carom.run(make_ball_scene(), settings={"body.ball.position.2": 0.6, "pair.0.restitution": 0.7})
    assert values(expected, "position.ball.z")[0, 1] == run["ball"].position[-1, 2]
    assert values(expected, "events.impacts")[0, 1] == run.summary["events"]["impacts"]


def test_zip_takes_values_together():
    table = carom.sweep(
        make_ball_scene(), {"body.ball.mass": [1, 2], "pair.0.restitution": [0.3, 0.7]}, "energy.initial", zip=True
    )
    assert values(table, "energy.initial").shape == (2,)


def test_functions_of_the_run_measure_too(expected):
    table = carom.sweep(make_ball_scene(), VARY, ["position.ball.z", height_at_the_end])
    assert np.array_equal(values(table, "height_at_the_end"), values(expected, "position.ball.z"))


def test_measures_have_names_and_may_be_arrays(expected):
    table = carom.sweep(
        make_ball_scene(), VARY, {"place": lambda run: run["ball"].position[-1], "end": lambda run: run.stop,
                                  "lost": "energy.initial-energy.final"},
    )
    assert values(table, "place").shape == (5, 2, 3)
    assert np.array_equal(values(table, "place")[..., 2], values(expected, "position.ball.z"))
    assert np.array_equal(values(table, "lost"), values(expected, "lost"))
    assert set(values(table, "end").ravel()) == {"duration"}
    with pytest.raises(carom.DuplicateNameError, match="give them as a dict"):
        carom.sweep(make_ball_scene(), VARY, [lambda run: 1, lambda run: 2])


def test_functions_measure_what_can_be_run():
    for threads in (0, 1):
        table = carom.sweep(make_ball_scene(), {"body.ball.mass": [1, -2, 3]}, height_at_the_end, threads=threads)
        assert np.isnan(values(table, "height_at_the_end")).tolist() == [False, True, False]
        assert str(values(table, "stop")[1]).startswith("out-of-range: ") and values(table, "stop")[2] == "duration"
    with pytest.raises(ZeroDivisionError):
        carom.sweep(make_ball_scene(), VARY, lambda run: 1 / 0)


def test_ctrl_c_ends_a_sweep():
    from test_simulation import endless_scene

    for measure in ("energy.final", lambda run: 1.0):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            carom.sweep(endless_scene(), {"body.ball.mass": [1.0, 2.0, 3.0, 4.0]}, measure)


def test_impact_problems_are_swept():
    problem = carom.ImpactProblem([1, 1], [1, 0], [[-1, 1]])
    table = carom.sweep(problem, {"restitution": [0, 0.5, 1]}, "velocity.0", law="newton")
    assert values(table, "velocity.0") == pytest.approx([0.5, 0.25, 0])


def test_a_point_that_cannot_be_run_says_why():
    table = carom.sweep(make_ball_scene(), {"body.ball.mass": [1, -2]}, "energy.initial")
    assert np.isnan(values(table, "energy.initial")[1]) and "out-of-range" in str(values(table, "stop")[1])


def test_mistakes_are_exceptions():
    with pytest.raises(carom.UnknownNameError, match="energy.final"):
        carom.sweep(make_ball_scene(), {"body.ball.mass": [1]}, "energy.finl")
    with pytest.raises(carom.InputError):
        carom.sweep(make_ball_scene(), {"body.egg.mass": [1]}, "energy.final")
    with pytest.raises(carom.NotFiniteError):
        carom.sweep(make_ball_scene(), {"body.ball.mass": [np.nan]}, "energy.final")
    with pytest.raises(carom.SizeMismatchError):
        carom.sweep(make_ball_scene(), {"body.ball.mass": []}, "energy.final")
    with pytest.raises(ValueError):
        carom.sweep(make_ball_scene(), {}, "energy.final")
    for wrong in (3, "newton", None):
        with pytest.raises(carom.WrongTypeError, match="expected a list of values"):
            carom.sweep(make_ball_scene(), {"run.law": wrong}, "energy.final")
    with pytest.raises(carom.WrongTypeError, match="expected one with submit"):
        carom.sweep(make_ball_scene(), VARY, "energy.final", executor=4)
    with pytest.raises(carom.WrongTypeError, match="a measure is of the type int"):
        carom.sweep(make_ball_scene(), VARY, [3])


def test_threads_have_the_bits_of_one(expected):
    for threads in (1, 3):
        assert same(carom.sweep(make_ball_scene(), VARY, MEASURES, threads=threads), expected)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_have_the_same_bits(expected, method):
    carom.impacts([1.0], np.full((5000, 1), -1.0), [[1.0]])  # threads are there before the fork
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        assert same(carom.sweep(make_ball_scene(), VARY, MEASURES, executor=executor), expected)
        table = carom.sweep(make_ball_scene(), VARY, height_at_the_end, executor=executor)
        assert np.array_equal(values(table, "height_at_the_end"), values(expected, "position.ball.z"))
        many = executor.submit(carom.impacts, [1.0], np.full((3000, 1), -1.0), [[1.0]]).result()
        assert np.all(many.velocity == 1.0)


def test_a_fork_while_other_threads_write_records():
    ended = threading.Event()

    def work():
        while not ended.is_set():
            carom.run(make_ball_scene())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(12):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if carom.run(make_ball_scene()).stop == "duration" else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_thread_pool_has_the_same_bits(expected):
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert same(carom.sweep(make_ball_scene(), VARY, MEASURES, executor=executor), expected)


def test_a_dask_client_has_the_same_bits(expected):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
        assert same(carom.sweep(make_ball_scene(), VARY, MEASURES, executor=client), expected)


def test_mpi_has_the_same_bits(expected, tmp_path):
    pytest.importorskip("mpi4py")
    program = tmp_path / "ranks.py"
    program.write_text(
        "import sys\n"
        "import numpy as np, carom\n"
        "from mpi4py.futures import MPIPoolExecutor\n"
        "from test_sweep import VARY, MEASURES, make_ball_scene\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as executor:\n"
        "        table = carom.sweep(make_ball_scene(), VARY, MEASURES, executor=executor)\n"
        "    np.save(sys.argv[1], np.stack([np.asarray(table[name]) for name in\n"
        "                                   ('events.impacts', 'position.ball.z', 'lost')]))\n"
    )
    environment = {
        **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    here = os.path.dirname(os.path.abspath(__file__))
    environment["PYTHONPATH"] = os.pathsep.join([here, environment.get("PYTHONPATH", "")])
    out = tmp_path / "table.npy"
    command = ["mpirun", "-n", "2", sys.executable, "-m", "mpi4py.futures", str(program), str(out)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    except FileNotFoundError:
        pytest.skip("there is no mpirun")
    assert done.returncode == 0, done.stderr
    theirs = np.load(out)
    ours = np.stack([values(expected, name) for name in ("events.impacts", "position.ball.z", "lost")])
    assert np.array_equal(theirs, ours)
