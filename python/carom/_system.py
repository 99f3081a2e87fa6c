"""A Lagrangian system of one's own."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _carom
from ._display import counted
from ._errors import OutOfRangeError, WrongTypeError, function_or_none, numbers, one_number, whole_number
from ._impacts import Law
from ._tables import EventTable

Reals = npt.NDArray[np.float64]


class LagrangianSystem:
    """Anything with a metric, forces, constraints and gaps; write a class of your own with these methods.

    metric(q) @ dv/dt = force(t, q, v) + constraint and contact forces, dq/dt = v. Only `metric` and `force` are
    needed; `contact_count` with `gaps` and `gap_rows` for contacts, `potential` and `power` for the energy balance.
    Methods are called thousands of times a second of model time; that is slow, and the same in C++ is a hundred times
    faster (docs/own-system.md).

    >>> import carom, numpy as np
    >>> class Bouncer(carom.LagrangianSystem):
    ...     contact_count = 1
    ...     def metric(self, q): return [[2.0]]
    ...     def force(self, t, q, v): return [-20.0]
    ...     def potential(self, q): return 20.0 * q[0]
    ...     def gaps(self, q): return [q[0]]
    ...     def gap_rows(self, q): return [[1.0]]
    ...     def restitution(self, contact): return 0.5
    >>> run = carom.run_system(Bouncer(), q=[5.0], v=[0.0], duration=1.5)
    >>> run.events["time"].round(9), run.v[-1].round(9)
    (array([1.]), array([0.]))
    """

    contact_count: int = 0
    """Number of gaps."""
    constraint_count: int = 0
    """Number of persistent constraints."""
    size: float = 1.0
    """A length that counts as large among the coordinates and gaps; tolerances are relative to it."""

    def metric(self, q: Reals) -> npt.ArrayLike:
        """Kinetic metric, (n, n), symmetric positive definite."""
        raise NotImplementedError("a system has a metric(q)")

    def force(self, time: float, q: Reals, v: Reals) -> npt.ArrayLike:
        """Everything but constraint and contact forces, (n,): gravity, springs, gyroscopic terms."""
        raise NotImplementedError("a system has a force(time, q, v)")

    def potential(self, q: Reals) -> float:
        """Potential energy of the forces that have one [J]."""
        return 0.0

    def power(self, time: float, q: Reals, v: Reals) -> float:
        """Power of the forces that have no potential [W]."""
        return 0.0

    def constraint_rows(self, q: Reals) -> npt.ArrayLike:
        """Rows A of the constraints A v = 0, (constraint_count, n)."""
        raise NotImplementedError("a system with constraints has constraint_rows(q)")

    def constraint_values(self, q: Reals) -> npt.ArrayLike:
        """What the rows are the rates of, zero where satisfied, (constraint_count,); leave it out for rolling."""
        raise NotImplementedError

    def gaps(self, q: Reals) -> npt.ArrayLike:
        """Gaps, (contact_count,); never below zero."""
        raise NotImplementedError("a system with contacts has gaps(q)")

    def gap_rows(self, q: Reals) -> npt.ArrayLike:
        """Rows N of the gap rates N v, (contact_count, n)."""
        raise NotImplementedError("a system with contacts has gap_rows(q)")

    def restitution(self, contact: int) -> float:
        """From 0 to 1."""
        return 1.0

    def tangent_count(self, contact: int) -> int:
        """Rows of slip of a contact: 0 smooth, 1 or 2."""
        return 1

    def tangent_rows(self, q: Reals, contact: int) -> npt.ArrayLike:
        """Rows of slip, (tangent_count, n); leave it out where all contacts are smooth."""
        raise NotImplementedError

    def friction(self, contact: int) -> Tuple[float, float]:
        """Static and kinetic coefficient of a contact with rows of slip; leave it out where it does not slip."""
        raise NotImplementedError

    def gap_acceleration_bound(self, contact: int, time: float, q: Reals, v: Reals, duration: float) -> float:
        """A bound on how fast the gap rate changes; with it no contact can be missed. May be left out."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class SystemRun:
    """What a run of a system of one's own has left."""

    time: Reals
    """Of the samples [s]."""
    q: Reals
    """Coordinates at the samples, (samples, n)."""
    v: Reals
    """Speeds at the samples, (samples, n)."""
    kinetic: Reals
    """Kinetic energy at the samples [J]."""
    potential: Reals
    """Potential energy at the samples [J]."""
    dissipated: Reals
    """Lost since the start [J]."""
    events: EventTable
    """time, kind, law, energies, and number of contacts, in order of time."""
    contacts: EventTable
    """Of all events: event, contact, impulse, rate_before, rate_after."""
    stop: str
    """duration, at-rest, event-limit, interrupted, failed."""
    failure: Optional[str]
    """Why it failed."""
    guarantee: str
    """bounded or sampled: how sure it is that no contact was missed."""
    impacts: int
    """Number of impacts."""
    final_time: float
    """Reached [s]."""
    final_q: Reals
    """Coordinates there."""
    final_v: Reals
    """Speeds there."""
    energy_error: float
    """What is missing in the energy balance [J]."""

    def __repr__(self) -> str:
        return f"<SystemRun: {counted(len(self.time), 'sample')}, {counted(self.impacts, 'impact')}, stop: {self.stop}>"


def _require_rows_of_gaps(system: LagrangianSystem, q: Reals) -> None:
    """Rows of the wrong sign would let a contact close for ever, so they are compared with differences of the gaps.

    Raises `OutOfRangeError` where neither those to the left nor those to the right come near: a gap may have a kink.
    """
    count, size = system.contact_count, system.size
    if not isinstance(count, int) or count < 1 or q.ndim != 1 or not isinstance(size, (int, float)) or not size > 0:
        return  # nothing to compare, or told later
    rows = np.asarray(system.gap_rows(q.copy()))
    step = 1e-6 * size

    def gaps(moved: Reals) -> Reals:
        return np.asarray(system.gaps(moved))

    here = gaps(q.copy())
    if rows.shape != (count, q.size) or here.shape != (count,) or rows.dtype.kind not in "fiu" or here.dtype.kind not in "fiu":
        return
    sides = np.array([[(gaps(q + way * unit) - here) / way for unit in np.eye(q.size)] for way in (-step, step)])
    for contact in range(count):
        far = np.linalg.norm(sides[:, :, contact] - rows[contact], axis=1)
        if np.all(far > 0.1 * np.linalg.norm(rows[contact])):
            raise OutOfRangeError(
                f"gap_rows of contact {contact} are {rows[contact]}, and its gap changes by {sides[1, :, contact].round(6)} "
                "with the coordinates; expected the derivatives of gaps",
                "out-of-range",
                field="gap_rows",
            )


def run_system(
    system: LagrangianSystem,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    duration: float,
    law: Optional[Law] = None,
    start: float = 0.0,
    output_step: float = 0.0,
    max_events: int = 0,
    tolerance: float = 1e-13,
    contact_tolerance: float = 1e-10,
    stop_at_rest: bool = False,
    stop_when: Optional[Callable[[Tuple[Any, ...]], bool]] = None,
) -> SystemRun:
    """Runs a system of one's own from coordinates `q` and speeds `v` for `duration` [s] of model time.

    `law`: name or function. `output_step` [s] between samples, 0: start and end. `stop_when`: gets every event as
    (time, kind, law, energy before, energy after, [(contact, impulse, rate before, rate after), …]) and ends the run
    where it returns True. Ctrl-C ends the run, and what there is is returned.
    """
    if not isinstance(system, LagrangianSystem):
        raise WrongTypeError(
            f"system is of the type {type(system).__name__}, expected an object of a class of your own that derives from "
            "carom.LagrangianSystem",
            "wrong-type",
            field="system",
        )
    function_or_none(stop_when, "stop_when")
    q_array = np.ascontiguousarray(numbers(q, "q"), dtype=np.float64)
    v_array = np.ascontiguousarray(numbers(v, "v"), dtype=np.float64)
    seconds, sampled = one_number(duration, "duration"), one_number(output_step, "output_step")
    _require_rows_of_gaps(system, q_array)
    found = _carom.run_system(
        system, q_array, v_array, law, one_number(start, "start"), seconds, sampled,
        whole_number(max_events, "max_events", most=2**62), one_number(tolerance, "tolerance"),
        one_number(contact_tolerance, "contact_tolerance"), bool(stop_at_rest), stop_when,
    )
    events = found.pop("events")
    head = np.array(
        [(e[0], e[1], e[2], e[3], e[4], len(e[5])) for e in events],
        dtype=[("time", "f8"), ("kind", "U16"), ("law", "U48"), ("energy_before", "f8"), ("energy_after", "f8"),
               ("contact_count", "i8")],
    ).view(EventTable)
    rows: List[Tuple[Union[int, float], ...]] = [
        (index, *contact) for index, event in enumerate(events) for contact in event[5]
    ]
    contacts = np.array(
        rows, dtype=[("event", "i8"), ("contact", "i8"), ("impulse", "f8"), ("rate_before", "f8"), ("rate_after", "f8")]
    ).view(EventTable)
    return SystemRun(events=head, contacts=contacts, **found)
