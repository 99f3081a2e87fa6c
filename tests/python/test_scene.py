"""Scenes: read, built, changed, checked."""

import copy
import pickle
import re
import subprocess

import numpy as np
import pytest

import carom
from conftest import make_ball_scene


def test_every_shipped_scene_is_read_and_written_back(scenes):
    for path in sorted(scenes.glob("*.toml")):
        scene = carom.Scene.read(path)
        again = carom.Scene.parse(scene.to_toml(), str(path))
        assert again.to_toml() == scene.to_toml(), path


def test_a_scene_built_with_the_words_of_the_file_is_that_of_the_file():
    text = """format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 1.5
output_step = 0.25
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.5
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
material = "rubber"
position = [0, 0, 1.35]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
"""
    assert make_ball_scene().to_toml() == carom.Scene.parse(text).to_toml()


def test_values_are_found_by_their_paths(ball_scene):
    assert ball_scene["body.ball.position"] == [0, 0, 1.35]
    ball_scene["body.ball.velocity"] = np.array([1.0, 2.0, 3.0])
    ball_scene["body.ball.velocity.1"] = 5
    assert ball_scene["body.ball.velocity"] == [1.0, 5, 3.0]
    assert ball_scene["body.ball.density"] is None
    del ball_scene["body.ball.velocity"]
    assert ball_scene["body.ball.velocity"] is None
    with pytest.raises(carom.UsageError):
        ball_scene["body.egg.mass"] = 1
    assert "body.ball.mass" in ball_scene
    assert "body.ball.density" not in ball_scene and "body.egg.mass" not in ball_scene and 3 not in ball_scene
    with pytest.raises(TypeError):
        iter(ball_scene)
    ball_scene.apply("run.law=newton")
    assert ball_scene["run.law"] == "newton"


def test_mistakes_are_listed_with_field_and_line(tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text(
        'format = 1\n[run]\nduration = -1\n[[body]]\nname = "a"\nmass = 0\nshape = { kind = "sphere", radius = 1 }\n'
    )
    complaints = carom.Scene.read(file).check()
    assert [complaint.line for complaint in complaints] == [3, 6]
    assert all(isinstance(complaint, carom.OutOfRangeError) for complaint in complaints)
    assert complaints[1].field == "body.a.mass" and complaints[1].file == str(file)
    with pytest.raises(carom.OutOfRangeError) as caught:
        carom.Simulation(carom.Scene.read(file))
    assert caught.value.line == 3


def test_messages_are_those_of_the_tool(tmp_path, tool):
    file = tmp_path / "wrong.toml"
    file.write_text("format = 1\n[world]\ngravty = [0, 0, -9.81]\n")
    said = subprocess.run([tool, "run", str(file)], capture_output=True, text=True)
    with pytest.raises(carom.UnknownNameError) as caught:
        carom.run(file)
    assert said.stderr.strip() == str(caught.value).strip()


def test_syntax_and_files_have_classes_of_their_own(tmp_path):
    with pytest.raises(carom.SceneSyntaxError) as caught:
        carom.Scene.parse("format = = 1")
    assert caught.value.line == 1
    with pytest.raises(carom.FileError, match="nowhere"):
        carom.Scene.read(tmp_path / "nowhere.toml")


def test_paths_and_what_is_none(ball_scene, tmp_path):
    ball_scene.save(tmp_path / "ball.toml")
    assert carom.Scene.read(tmp_path / "ball.toml") == ball_scene
    for bad in (None, {"body": []}, 3):
        with pytest.raises(carom.WrongTypeError, match="expected a Scene or the path"):
            carom.run(bad)


def test_a_copy_is_independent(ball_scene):
    for other in (ball_scene.copy(), copy.copy(ball_scene), copy.deepcopy(ball_scene)):
        assert other == ball_scene
        other["run.duration"] = 7
        assert other != ball_scene


def test_scenes_can_be_pickled(ball_scene, scenes):
    ball_scene["run.law"] = "newton"
    again = pickle.loads(pickle.dumps(ball_scene))
    assert type(again) is carom.Scene and again == ball_scene
    read = carom.Scene.read(scenes / "cradle.toml")
    read["run.duration"] = 0.5
    assert pickle.loads(pickle.dumps(read)) == read


def test_values_that_no_file_can_hold_are_refused(ball_scene):
    with pytest.raises(carom.WrongTypeError, match="body.ball.mass"):
        ball_scene["body.ball.mass"] = object()
    with pytest.raises(carom.OutOfRangeError):
        ball_scene["run.max_events"] = 2**70
    with pytest.raises(carom.WrongTypeError):
        ball_scene["body.ball.velocity"] = np.array([1j, 0, 0])


def test_the_words_are_those_of_the_schema():
    import importlib.util
    from pathlib import Path

    path = Path(__file__).resolve().parents[2] / "python" / "generate" / "scene_words.py"
    spec = importlib.util.spec_from_file_location("scene_words", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text(encoding="utf-8") == module.text()


def test_shapes_stand_for_their_tables():
    scene = carom.Scene()
    scene.add_body("egg", shape=carom.Ellipsoid(1, 1, 2), mass=500)
    assert scene["body.egg.shape"] == {"kind": "ellipsoid", "semi_axes": [1, 1, 2]}
    for shape in (
        carom.Box(1, 2, 3), carom.Cylinder(1, 2), carom.Capsule(1, 2), carom.Cone(1, 2),
        carom.Prism([[0, 0], [1, 0], [0, 1]], 1.0), carom.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        carom.Compound([{"kind": "sphere", "radius": 1.0, "mass": 1.0, "position": [0, 0, 1]}]),
    ):
        scene = carom.Scene()
        scene.set_run(duration=1.0)
        scene.add_body("a", shape=shape, **({} if isinstance(shape, carom.Compound) else {"mass": 1}))
        assert scene.check() == [], shape
    for shape in (carom.Bore(1, 2), carom.Shell(1)):
        scene = carom.Scene()
        scene.set_run(duration=1.0)
        scene.add_obstacle("a", shape=shape)
        assert scene.check() == [], shape


def test_a_table_is_shown_where_one_is_expected(ball_scene):
    for path, value, shown in (
        ("pair.0.friction", 0.3, '{ law = "coulomb", coefficient = … }'),
        ("body.ball.shape", 0.1, '{ kind = "sphere", radius = … }'),
    ):
        with pytest.raises(carom.WrongTypeError, match=f"expected a table such as {re.escape(shown)}"):
            carom.Simulation(ball_scene.with_settings({path: value}))


def test_scenes_say_what_they_hold(ball_scene):
    assert repr(ball_scene) == "<Scene built in Python: 1 body>" and repr(carom.Scene()) == "<Scene built in Python>"
    ball_scene["title"] = "a ball"
    ball_scene.add_body("other", shape=carom.Sphere(0.1), mass=1)
    assert repr(ball_scene) == "<Scene 'a ball': 2 bodies>"
