"""Normal forces and friction laws of one's own, in the compliant engine."""

import math

import pytest

import carom


def colliding(normal: str) -> carom.Scene:
    """A ball of 1 kg that meets a wall at 1 m/s."""
    scene = carom.Scene()
    scene.set_run(engine="smooth", duration=0.4, output_step=0.05, rtol=1e-9)
    scene.add_material("m")
    scene.add_pair(materials=["m", "m"], normal=normal, stiffness=1e4, exponent=1.0)
    scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, material="m", position=[0.2, 0, 0], velocity=[-1, 0, 0])
    scene.add_plane("wall", normal=[1, 0, 0], material="m")
    return scene


def test_a_linear_spring_gives_half_a_period_and_keeps_the_energy():
    asked = []

    @carom.normal_force("test-linear")
    def linear(depth, rate, contact):
        asked.append((contact.stiffness, contact.reduced_mass, contact.approach_speed))
        return contact.stiffness * depth

    run = carom.run(colliding("test-linear"))
    times = run.events["time"][[run.events["kind"].tolist().index(kind) for kind in ("contact-start", "contact-end")]]
    assert times[0] == pytest.approx(0.1, abs=1e-9)
    assert times[1] - times[0] == pytest.approx(math.pi / 100, rel=1e-6)  # π √(m/k)
    assert run["ball"].velocity[-1, 0] == pytest.approx(1, rel=1e-7)
    assert asked[-1] == pytest.approx((1e4, 1.0, 1.0), rel=1e-9)
    total = run.energy.total + run.energy.dissipated
    assert total == pytest.approx(total[0], rel=1e-7)
    # The same by the law of the library.
    same = carom.run(colliding("hertz"))
    assert same["ball"].velocity[-1, 0] == pytest.approx(run["ball"].velocity[-1, 0], rel=1e-7)


def test_a_damped_spring_loses_what_theory_says():
    zeta = 0.2

    @carom.normal_force("test-damped")
    def damped(depth, rate, contact):
        return contact.stiffness * depth + 2 * zeta * math.sqrt(contact.stiffness * contact.reduced_mass) * rate

    run = carom.run(colliding("test-damped"))
    # The force is cut where it would pull: F = 0 ends the contact, at δ̇ = −v exp(−ζ/√(1−ζ²) · arccos-angle).
    root = math.sqrt(1 - zeta**2)
    angle = math.pi - math.atan2(2 * zeta * root, 1 - 2 * zeta**2)
    angle = math.atan2(2 * zeta * root, 2 * zeta**2 - 1)
    expected = math.exp(-zeta / root * angle)
    assert run["ball"].velocity[-1, 0] == pytest.approx(expected, rel=1e-4)
    total = run.energy.total + run.energy.dissipated
    assert total == pytest.approx(total[0], rel=1e-6)


def test_what_a_force_raises_comes_out_as_it_is():
    @carom.normal_force("test-broken")
    def broken(depth, rate, contact):
        raise LookupError("no force known")

    with pytest.raises(LookupError, match="no force known"):
        carom.run(colliding("test-broken"))

    @carom.normal_force("test-broken")
    def infinite(depth, rate, contact):
        return math.inf

    with pytest.raises(carom.NotFiniteError, match="test-broken"):
        carom.run(colliding("test-broken"))


def test_friction_slows_a_sliding_box():
    @carom.friction_law("test-friction")
    def soft(speed):
        return 0.25 * math.tanh(speed / 1e-3)

    def sliding(friction):
        scene = carom.Scene()
        scene.set_world(gravity=[0, 0, -10])
        scene.set_run(engine="smooth", duration=0.2, output_step=0.05)
        scene.add_material("m")
        scene.add_pair(materials=["m", "m"], normal="hertz", stiffness=1e6, friction=friction)
        scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, material="m", position=[0, 0, 0.1], velocity=[1, 0, 0])
        scene.add_plane("floor", normal=[0, 0, 1], material="m")
        return carom.run(scene)

    mine = sliding({"law": "test-friction"})
    theirs = sliding({"law": "coulomb", "coefficient": 0.25, "vr": 1e-3})
    # Until it rolls, at t = 2v/(7μg) > 0.1 s, a ball slows down by μg.
    assert mine["ball"].velocity[2, 0] == pytest.approx(1 - 0.25 * 10 * 0.1, rel=1e-3)
    assert mine["ball"].velocity[-1, 0] == pytest.approx(theirs["ball"].velocity[-1, 0], rel=1e-6)
    with pytest.raises(carom.UnknownNameError, match="test-friction"):
        sliding({"law": "test-frictio"})
