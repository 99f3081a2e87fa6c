"""Impact laws of one's own: smooth contacts, friction, contacts that do not slip."""

import numpy as np
import pytest

import carom

SLIDING = dict(metric=[1, 1], velocity=[1, -1], normals=[[0, 1]], tangents=[[1, 0]])


def inelastic(contacts):
    return np.maximum(np.linalg.solve(contacts.delassus, -contacts.rates), 0)


def rubbing(contacts):
    """Newton's restitution and Coulomb's friction at each contact for itself."""
    impulses = np.zeros((len(contacts), 1 + contacts.tangents))
    for i in range(len(contacts)):
        own = contacts.full_delassus[i, :, i, :]
        if contacts.rates[i] >= 0:
            continue
        normal = -(1 + contacts.restitution[i]) * contacts.rates[i] / own[0, 0]
        impulses[i, 0] = normal
        if contacts.friction[i] > 0:
            stick = -np.linalg.solve(own[1:, 1:], contacts.full_rates[i, 1:] + own[1:, 0] * normal)
            most = contacts.friction[i] * normal
            impulses[i, 1:] = stick * min(1, most / max(np.linalg.norm(stick), 1e-300))
    return impulses


rubbing.friction = True


def test_a_law_of_one_s_own():
    outcome = carom.impact([1, 3], [1, 0], [[-1, 1]], law=inelastic)
    assert outcome.velocity == pytest.approx([0.25, 0.25])
    assert outcome.law == "inelastic"
    many = carom.impacts([1, 3], [[1, 0], [2, 0]], [[-1, 1]], law=inelastic)
    assert many.velocity[:, 0] == pytest.approx([0.25, 0.5])
    table = carom.compare({"metric": [1, 3], "velocity": [1, 0], "normals": [[-1, 1]]}, [inelastic, "newton"])
    assert list(table.index) == ["inelastic", "newton"]
    assert list(carom.compare({"metric": [1, 3], "velocity": [1, 0], "normals": [[-1, 1]]}, inelastic).index) == ["inelastic"]


def test_a_law_that_is_an_object():
    class Scaled:
        takes = "approaching"

        def __init__(self, restitution):
            self.restitution = restitution

        def __call__(self, contacts):
            return -(1 + self.restitution) * contacts.rates / np.diag(contacts.delassus)

    outcome = carom.impact([2], [-3], [[1]], law=Scaled(0.5))
    assert outcome.velocity == pytest.approx([1.5]) and outcome.law == "Scaled"


@pytest.mark.parametrize("friction, mode", [(0.2, "slip+"), (0.6, "slip+"), (1.1, "stick")])
def test_friction_is_that_of_newton_s_law_at_one_contact(friction, mode):
    for restitution in (0.0, 0.5):
        given = dict(SLIDING, friction=friction, restitution=restitution)
        mine, theirs = carom.impact(**given, law=rubbing), carom.impact(**given, law="newton")
        assert mine.velocity == pytest.approx(theirs.velocity, abs=1e-14)
        assert mine.impulses == pytest.approx(theirs.impulses, abs=1e-14)
        assert mine.tangential_impulses == pytest.approx(theirs.tangential_impulses, abs=1e-14)
        assert mine.modes == theirs.modes
        assert mine.energy.change == pytest.approx(mine.energy.change_from_impulses, abs=1e-14)
    assert carom.impact(**dict(SLIDING, friction=friction), law=rubbing, restitution=0.0).modes == (mode,)


def test_the_rows_are_those_of_the_problem():
    rng = np.random.default_rng(5)
    root = rng.normal(size=(5, 5))
    metric, velocity = root @ root.T + np.eye(5), rng.normal(size=5)
    normals, tangents = rng.normal(size=(2, 5)), rng.normal(size=(2, 2, 5))
    velocity -= 10 * np.linalg.solve(metric, normals.sum(axis=0))
    tangent_offsets = rng.normal(size=(2, 2))
    seen = []

    def look(contacts):
        seen.append(contacts)
        return 0.1 * np.arange(1.0, 7.0).reshape(2, 3)

    look.friction = True
    outcome = carom.impact(
        metric, velocity, normals, tangents=tangents, tangent_offsets=tangent_offsets, friction=[0.3, 0.0],
        rough=[False, True], tangential_restitution=0.7, law=look,
    )
    (contacts,) = seen  # asked once
    rows = np.concatenate([normals[:, None], tangents], axis=1)
    offsets = np.concatenate([np.zeros((2, 1)), tangent_offsets], axis=1)
    assert contacts.tangents == 2 and len(contacts) == 2
    assert contacts.friction == pytest.approx([0.3, np.inf])
    assert contacts.tangential_restitution == pytest.approx([0.7, 0.7])
    assert contacts.full_rates == pytest.approx(rows @ velocity + offsets)
    assert contacts.full_delassus == pytest.approx(
        np.einsum("iak,kl,jbl->iajb", rows, np.linalg.inv(metric), rows), abs=1e-13
    )
    impulses = 0.1 * np.arange(1.0, 7.0).reshape(2, 3)
    after = contacts.full_rates + np.tensordot(contacts.full_delassus, impulses, 2)
    assert outcome.gap_rates_after == pytest.approx(after[:, 0])
    assert outcome.slip_after == pytest.approx(after[:, 1:])
    assert outcome.impulses == pytest.approx(impulses[:, 0]) and outcome.tangential_impulses == pytest.approx(impulses[:, 1:])


def test_a_lone_contact_that_does_not_slip_is_left_to_the_law():
    given = dict(SLIDING, rough=True, restitution=0.5)
    assert carom.impact(**given, law=rubbing).velocity == pytest.approx([0, 0.5])
    # The laws of the library leave it to the projector, which returns slip as well.
    assert carom.impact(**given, law="newton").velocity == pytest.approx([-0.5, 0.5])


def test_contacts_without_tangents_stand_beside_others():
    def look(contacts):
        assert contacts.tangents == 1
        assert np.all(contacts.full_delassus[0, 1] == 0) and contacts.full_rates[0, 1] == 0
        return [[1.0, given], [1.0, -0.25]]

    look.friction = True
    problem = dict(
        metric=[1, 1, 1], velocity=[1, -1, -1], normals=[[0, 1, 0], [0, 0, 1]], tangents=[[1, 0, 0], [1, 0, 0]],
        friction=[0, 0.5],
    )
    given = 0.0
    assert carom.impact(**problem, law=look).velocity == pytest.approx([0.75, 0, 0])
    given = 0.5
    with pytest.raises(carom.OutOfRangeError, match="has no such tangent"):
        carom.impact(**problem, law=look)


def test_answers_that_do_not_fit_are_named():
    def normal_only(contacts):
        return -contacts.rates

    with pytest.raises(carom.UnsupportedError, match="knows no friction"):
        carom.impact(**SLIDING, friction=0.2, law=normal_only)
    normal_only.friction = True
    with pytest.raises(carom.SizeMismatchError, match=r"shape \(1,\), expected \(1, 2\).*a tangential one"):
        carom.impact(**SLIDING, friction=0.2, law=normal_only)
    assert carom.impact(**SLIDING, law=normal_only).velocity == pytest.approx([1, 0])  # nothing resists slip
    with pytest.raises(carom.SizeMismatchError, match=r"returned an array of shape \(2,\)"):
        carom.impact([1], [-1], [[1]], law=lambda contacts: [1, 2])
    with pytest.raises(carom.NotFiniteError):
        carom.impact([1], [-1], [[1]], law=lambda contacts: [np.nan])


def test_what_a_law_raises_comes_out_as_it_is():
    class Mine(Exception):
        pass

    def broken(contacts):
        raise Mine("no answer")

    with pytest.raises(Mine, match="no answer") as caught:
        carom.impact([1], [-1], [[1]], law=broken)
    assert caught.traceback[-1].name == "broken"
    with pytest.raises(Mine):
        carom.impacts([1], [[-1]] * 600, [[1]], law=broken)


def test_a_law_may_ask_about_another_impact():
    def asks(contacts):
        return carom.impact([1], [-2], [[1]], law="newton").impulses

    assert carom.impact([1], [-2], [[1]], law=asks).velocity == pytest.approx([2])


def sliding_ball(law: str) -> carom.Scene:
    """A ball of 1 kg without spin that falls on a floor at 2 m/s and slides at 3 m/s."""
    scene = carom.Scene()
    scene.set_run(duration=0.5, law=law)
    scene.add_material("m")
    scene.add_pair(materials=["m", "m"], restitution=0.5, friction={"law": "coulomb", "coefficient": 0.1})
    scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, material="m", position=[0, 0, 0.3], velocity=[3, 0, -2])
    scene.add_plane("floor", normal=[0, 0, 1], material="m")
    return scene


def test_friction_of_one_s_own_in_a_scene():
    carom.impact_law("test-rubbing", friction=True)(rubbing)
    event = carom.Simulation(sliding_ball("test-rubbing")).next_event()
    # p = (1 + e)·2, of which friction takes a tenth as long as the ball slides.
    assert event.law == "test-rubbing"
    assert event.contacts[0].impulse == pytest.approx(3)
    assert event.contacts[0].tangential_impulse == pytest.approx([-0.3, 0, 0], abs=1e-14)
    assert event.jumps[0].velocity_after == pytest.approx([2.7, 0, 1])
    assert event.jumps[0].angular_velocity_after == pytest.approx([0, 0.3 * 0.1 / (0.4 * 0.01), 0])
    carom.impact_law("test-smooth")(inelastic)
    assert carom.Simulation(sliding_ball("test-smooth")).next_event().jumps[0].velocity_after == pytest.approx([3, 0, 0])


def test_friction_of_one_s_own_in_a_system():
    class Block(carom.LagrangianSystem):
        contact_count = 1

        def metric(self, q):
            return np.eye(2)

        def force(self, time, q, v):
            return [0.0, 0.0]

        def gaps(self, q):
            return [q[1]]

        def gap_rows(self, q):
            return [[0.0, 1.0]]

        def restitution(self, contact):
            return 0.5

        def tangent_rows(self, q, contact):
            return [[1.0, 0.0]]

        def friction(self, contact):
            return 0.2, 0.2

    run = carom.run_system(Block(), q=[0, 1], v=[3, -2], duration=1.0, law=rubbing)
    assert run.impacts == 1 and run.final_v == pytest.approx([3 - 0.2 * 3, 1])
