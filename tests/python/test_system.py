"""Lagrangian systems of one's own."""

import os
import signal

import numpy as np
import pytest

import carom


class Pendulum(carom.LagrangianSystem):
    """A pendulum of length 1 m and mass 1 kg between two walls at ±0.5 rad."""

    contact_count = 2

    def metric(self, q):
        return [[1.0]]

    def force(self, time, q, v):
        return [-9.81 * np.sin(q[0])]

    def potential(self, q):
        return -9.81 * np.cos(q[0])

    def gaps(self, q):
        return [0.5 - q[0], q[0] + 0.5]

    def gap_rows(self, q):
        return [[-1.0], [1.0]]

    def restitution(self, contact):
        return 1.0


def test_an_elastic_pendulum_keeps_its_energy():
    run = carom.run_system(Pendulum(), q=[0.0], v=[3.0], duration=2.0, output_step=0.1)
    total = run.kinetic + run.potential
    assert total == pytest.approx(np.full(len(total), 4.5 - 9.81), abs=1e-10)
    assert run.impacts > 2 and run.stop == "duration"
    assert set(run.contacts["contact"]) == {0, 1}
    assert run.time == pytest.approx(np.linspace(0, 2, 21)) and run.q.shape == (21, 1)
    speed = np.sqrt(9 - 2 * 9.81 * (1 - np.cos(0.5)))
    assert run.contacts["rate_before"][0] == pytest.approx(-speed, abs=1e-11)


def test_a_law_and_a_condition_of_one_s_own():
    run = carom.run_system(
        Pendulum(), q=[0.0], v=[3.0], duration=2.0, law=lambda contacts: -contacts.rates,
        stop_when=lambda event: event[1] == "impact",
    )
    assert run.stop == "interrupted" and run.impacts == 1
    assert run.contacts["rate_after"][0] == pytest.approx(0, abs=1e-12)


def test_ctrl_c_stops_keeps_and_returns():
    class Pressing(Pendulum):
        calls = 0

        def metric(self, q):
            self.calls += 1
            if self.calls == 500:
                os.kill(os.getpid(), signal.SIGINT)
            return super().metric(q)

    run = carom.run_system(Pressing(), q=[0.0], v=[3.0], duration=1e9)
    assert run.stop == "interrupted" and run.final_time > 0 and run.impacts == len(run.events)


def test_what_a_system_raises_comes_out_as_it_is():
    class Broken(Pendulum):
        def force(self, time, q, v):
            if time > 0.1:
                raise ArithmeticError("no force")
            return super().force(time, q, v)

    with pytest.raises(ArithmeticError, match="no force"):
        carom.run_system(Broken(), q=[0.0], v=[3.0], duration=2.0)


def test_wrong_answers_are_named():
    class Wide(Pendulum):
        def metric(self, q):
            return np.eye(2)

    with pytest.raises(carom.SizeMismatchError, match="metric has the shape"):
        carom.run_system(Wide(), q=[0.0], v=[3.0], duration=2.0)
    with pytest.raises(NotImplementedError, match="metric"):
        carom.run_system(carom.LagrangianSystem(), q=[0.0], v=[0.0], duration=1.0)
    with pytest.raises(carom.InputError):
        carom.run_system(Pendulum(), q=[2.0], v=[0.0], duration=1.0)  # beyond the wall


def test_a_rod_is_a_constraint():
    class OnARod(carom.LagrangianSystem):
        constraint_count = 1

        def metric(self, q):
            return np.eye(2)

        def force(self, time, q, v):
            return [0.0, -9.81]

        def potential(self, q):
            return 9.81 * q[1]

        def constraint_rows(self, q):
            return [[2 * q[0], 2 * q[1]]]

        def constraint_values(self, q):
            return [q[0] ** 2 + q[1] ** 2 - 1]

    run = carom.run_system(OnARod(), q=[0.0, -1.0], v=[1.0, 0.0], duration=1.0)
    assert np.hypot(*run.final_q) == pytest.approx(1, abs=1e-12)
    assert abs(run.energy_error) < 1e-10
