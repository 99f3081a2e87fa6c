"""Runs and records: views, events, times between samples, pictures."""

import concurrent.futures
import gc
import json
import os
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import carom
from conftest import make_ball_scene


def test_samples_are_views_that_keep_their_record_alive(ball_scene):
    run = carom.run(ball_scene)
    assert run.time == pytest.approx(np.linspace(0, 1.5, 7))
    position = run["ball"].position
    assert position.shape == (7, 3) and position[1, 2] == pytest.approx(1.35 - 5 / 16)
    assert np.shares_memory(position, run.position) and np.shares_memory(run.time, run.time)
    assert not position.flags.writeable
    file, path = weakref.ref(run._file), run.path
    del run
    gc.collect()
    assert file() is not None and os.path.exists(path)
    assert position[0, 2] == 1.35
    del position
    gc.collect()
    assert file() is None and not os.path.exists(path)


def test_energies_add_up(ball_scene):
    run = carom.run(ball_scene)
    total = run.energy.total + run.energy.dissipated
    assert total == pytest.approx(np.full(7, 2 * 10 * 1.35))
    assert np.shares_memory(run.energy.kinetic, run.energy["kinetic"])
    assert "friction" in dir(run.energy)


def test_between_samples_with_a_before_and_an_after(ball_scene):
    run = carom.run(ball_scene)
    assert run.at(0.1)["ball"].position[2] == pytest.approx(1.35 - 0.05, abs=1e-13)
    t = run.events["time"][0]
    assert run.at(t, side="before").velocity[0, 2] == pytest.approx(-5, abs=1e-12)
    assert run.at(t).velocity[0, 2] == pytest.approx(2.5, abs=1e-12)
    assert run.quantity("position.ball.z", [0.1, 0.2]) == pytest.approx([1.3, 1.15])
    assert set(run.quantity("velocity.ball", 0.1)) == {"velocity.ball.x", "velocity.ball.y", "velocity.ball.z"}
    assert run.quantity("energy.kinetic", t, side="before") == pytest.approx(25)
    with pytest.raises(carom.OutOfRangeError):
        run.at(99.0)
    with pytest.raises(carom.InputError):
        run.at(float("nan"))
    with pytest.raises(carom.UnknownNameError, match="did you mean 'position'"):
        run.quantity("positon.ball.z", 0.1)


def test_events_are_a_structured_array(ball_scene):
    run = carom.run(ball_scene)
    impacts = run.events[run.events["kind"] == "impact"]
    assert impacts["time"][:2] == pytest.approx([0.5, 1.0], abs=1e-12)
    assert impacts["law"][0] == "compliant"
    contact = run.contacts[impacts["first_contact"][0]]
    assert run.objects[contact["a"]] == "ball" and run.objects[contact["b"]] == "floor"
    assert contact["impulse"] == pytest.approx(15)
    assert run.jumps["velocity_after"][0] == pytest.approx([0, 0, 2.5])
    assert run.event(0).contacts[0].b == "floor" and run.event(-1).time == run.events["time"][-1]
    with pytest.raises(IndexError):
        run.event(10**6)
    pytest.importorskip("pandas")
    table = run.events.to_pandas()
    assert len(table) == len(run.events) and table["time"][0] == pytest.approx(0.5)
    assert "point.z" in run.contacts.to_pandas()


def test_events_look_like_what_they_are(ball_scene):
    events = carom.run(ball_scene).events
    assert repr(events).startswith(f"EventTable of {len(events)} rows\n  time ") and "'impact'" in repr(events)
    assert "<table>" in events._repr_html_() and "&#x27;impact&#x27;" in events._repr_html_()
    assert type(events["time"]) is np.ndarray and type(events[["time", "kind"]]) is carom.EventTable
    assert type(events[events["kind"] == "impact"]) is carom.EventTable
    assert "2 rows" in repr(events[:2]) and "1 row" in repr(events[:1]) and events[0]["kind"] == "impact"


def calls_of(work):
    """How many functions of Python and of C the interpreter calls."""
    calls = []
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    try:
        work()
    finally:
        sys.setprofile(None)
    return len(calls)


def test_events_are_read_without_a_loop_of_python():
    few, many = carom.run(make_ball_scene(1.25, 0.1, 1.5)), carom.run(make_ball_scene(1.25, 0.999, 120.0))
    for run in (carom.open(few.path), carom.open(many.path)):
        run.events, run.contacts, run.jumps  # what is imported is imported
    few, many = few.refresh(), many.refresh()
    assert calls_of(lambda: (few.events, few.contacts, few.jumps)) == calls_of(
        lambda: (many.events, many.contacts, many.jumps)
    )
    assert len(many.events) >= 10 * len(few.events) > 0


def test_texts_are_as_wide_as_they_need_to_be():
    from carom._tables import texts_of

    assert texts_of(np.array([b"abc", b"", b"de"], "S8")).tolist() == ["abc", "", "de"]
    assert texts_of(np.array([b"abc", b"", b"de"], "S8")).dtype == "U3"
    assert texts_of(np.array(["Stoß".encode(), b"b"], "S9")).tolist() == ["Stoß", "b"]
    assert texts_of(np.zeros(0, "S4")).shape == (0,) and texts_of(np.array([b"", b""], "S4")).tolist() == ["", ""]


def test_the_run_is_that_of_the_tool(scenes, tmp_path, tool):
    out = tmp_path / "tool.h5"
    said = subprocess.run(
        [tool, "run", str(scenes / "cradle.toml"), "--out", str(out), "--json"], capture_output=True, text=True
    )
    run, again = carom.run(scenes / "cradle.toml"), carom.open(out)
    assert np.array_equal(run.position, again.position) and np.array_equal(run.velocity, again.velocity)
    assert np.array_equal(run.events["time"], again.events["time"])
    assert np.array_equal(run.contacts["impulse"], again.contacts["impulse"])
    theirs, ours = json.loads(said.stdout), run.summary
    assert ours["energy"] == theirs["energy"] and ours["events"] == theirs["events"]


def test_settings_and_out(ball_scene, tmp_path):
    path = tmp_path / "kept.h5"
    run = carom.run(ball_scene, out=path, settings={"run.law": "newton", "run.duration": 0.75})
    assert run.law == "newton" and run.time[-1] == 0.75
    assert ball_scene["run.law"] is None
    again = carom.open(str(path))
    assert again.scene["run.law"] == "newton"
    again.save(tmp_path / "copy.h5")
    assert carom.open(tmp_path / "copy.h5").stop == "duration"


def test_progress_is_shown(capfd):
    scene = make_ball_scene(1.25, 1.0, 20000)
    carom.run(scene, progress=True)
    said = capfd.readouterr().err
    assert "2e+04/2e+04" in said or "2e+04 of 2e+04" in said
    carom.run(make_ball_scene(), progress=True)  # over before anything is told
    said = capfd.readouterr().err
    assert "1.5/1.5 s" in said or "1.5 of 1.5 s" in said


def test_a_closed_record_says_so(ball_scene, tmp_path):
    with carom.run(ball_scene, out=tmp_path / "a.h5") as run:
        position = run["ball"].position
    assert run.closed and "closed" in repr(run)
    assert position[0, 2] == 1.35  # what was read stays
    assert "&lt;Run" in run._repr_html_()
    for ask in (
        lambda: run.time, lambda: run.at(0.1), lambda: run.events, lambda: run.energy.gravity, lambda: run.stop,
        run.html, lambda: run.save(tmp_path / "b.h5"), lambda: pickle.dumps(run), lambda: run.plot("energy"),
    ):
        with pytest.raises(carom.FileError, match="is closed; open it again"):
            ask()


def test_threads_may_share_a_record(ball_scene):
    run = carom.run(ball_scene, settings={"run.output_step": 0.01})
    times = np.linspace(0, 1.5, 40)
    alone = [run.at(time).position[0, 2] for time in times]
    jobs = [lambda: [run.at(time).position[0, 2] for time in times] == alone, lambda: len(run.velocity) == 151,
            lambda: len(run.quantity("position.ball", times)) == 3, lambda: run.event(0).kind == "impact"]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda job: job(), 8 * jobs))


def test_a_record_may_be_closed_while_others_read(ball_scene):
    def read(run):
        try:
            while True:
                run.at(0.3), run.at(1.2), run.orientation
        except carom.FileError as error:
            return str(error)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in range(5):
            run = carom.run(ball_scene, settings={"run.output_step": 0.01})
            said = [pool.submit(read, run) for _ in range(2)]
            run.at(0.5)
            run.close()
            assert all("is closed" in future.result() for future in said)


def test_a_record_that_is_being_written(ball_scene, tmp_path):
    simulation = carom.Simulation(ball_scene)
    path = tmp_path / "growing.h5"
    simulation.record(path, flush=1e-9)
    simulation.advance_to(0.8)
    try:
        run = carom.open(path)
        assert not run.complete and run.summary == {} and run.stop in ("", "running")
        assert run.sample_count <= 4
    except carom.FileError as error:
        assert "growing.h5" in str(error)
    simulation.run()
    assert carom.open(path).complete


def test_a_record_whose_file_is_gone_says_so(ball_scene, tmp_path):
    run = carom.run(ball_scene, out=tmp_path / "a.h5")
    (tmp_path / "a.h5").unlink()
    assert run["ball"].position.shape == (7, 3)  # it is open still
    for ask in (run.html, run.refresh, lambda: run.save(tmp_path / "b.h5"), lambda: pickle.dumps(run)):
        with pytest.raises(carom.FileError, match="a.h5"):
            ask()


def test_what_is_no_record_is_refused(tmp_path):
    file = tmp_path / "no.h5"
    file.write_text("this is no record")
    with pytest.raises(carom.FileError):
        carom.open(file)
    with pytest.raises(carom.FileError):
        carom.open(tmp_path / "nowhere.h5")
    with pytest.raises(carom.FileError):
        carom.run(make_ball_scene(), out=tmp_path / "no-folder" / "a.h5")


def test_runs_can_be_pickled(ball_scene):
    run = carom.run(ball_scene)
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.position, run.position) and again.path != run.path


def test_a_run_that_fails_to_start_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)

    def broken(event):
        raise ValueError

    with pytest.raises(ValueError):
        carom.run(make_ball_scene(), on_event=broken)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_leaves_the_record_to_its_parent(tmp_path):
    program = tmp_path / "forks.py"
    program.write_text(
        "import os, sys, carom\n"
        "scene = carom.Scene()\n"
        "scene.set_run(duration=1.0)\n"
        "scene.add_body('ball', shape=carom.Sphere(0.5), mass=2)\n"
        "run = carom.run(scene)\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print(run.refresh().complete, os.path.basename(run.path))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout == "True run.h5\n", done.stderr
    assert list(tmp_path.iterdir()) == [program]


def test_plots_have_jumps_and_marks(ball_scene):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as pyplot

    run = carom.run(ball_scene)
    axes = run.plot("energy", "velocity.ball.z")
    assert len(axes) == 2
    time, value = axes[1].lines[0].get_data()
    at = np.flatnonzero(np.isclose(time, 0.5, atol=1e-12))
    assert [value[i] for i in at[:2]] == pytest.approx([-5, 2.5])
    assert "m/s" in axes[1].get_ylabel()
    with pytest.raises(carom.UnknownNameError):
        run.plot("velocity.bal.z")
    with pytest.raises(TypeError, match="which quantities"):
        run.plot()
    pyplot.close("all")


def test_the_viewer_in_a_page(ball_scene, tmp_path):
    run = carom.run(ball_scene)
    try:
        page = run.html()
    except carom.FileError as error:
        assert "without its viewer" in str(error)
        return
    run.save_html(tmp_path / "film.html")
    assert (tmp_path / "film.html").read_text() == page and "film-0" in page
    cell = run.show(height=300)._repr_html_()
    assert cell.startswith("<iframe srcdoc=") and "http" not in cell[:40]


def test_records_have_html(ball_scene):
    assert "<table>" in carom.run(ball_scene)._repr_html_()
    assert "[[body]]" in ball_scene._repr_html_()
