"""What the tests of the Python module share."""

import os
from pathlib import Path

import pytest

import carom

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    return PROJECT / "scenes"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("LD_PRELOAD", raising=False)  # the runtime of a sanitizer is inside the tool already
    path = os.environ.get("CAROM_TOOL", str(PROJECT / "build/release/apps/carom/carom"))
    if not os.path.exists(path):
        pytest.skip("the tool is not built")
    return path


def make_ball_scene(height: float = 1.25, restitution: float = 0.5, duration: float = 1.5) -> carom.Scene:
    """A ball of radius 0.1 that falls by `height` at 10 m/s²: impact at √(2h/g)."""
    scene = carom.Scene()
    scene.set_world(gravity=[0, 0, -10])
    scene.set_run(duration=duration, output_step=0.25)
    scene.add_material("rubber")
    scene.add_pair(materials=["rubber", "rubber"], restitution=restitution)
    scene.add_body("ball", shape=carom.Sphere(0.1), mass=2, material="rubber", position=[0, 0, 0.1 + height])
    scene.add_plane("floor", normal=[0, 0, 1], material="rubber")
    return scene


@pytest.fixture
def ball_scene() -> carom.Scene:
    return make_ball_scene()
