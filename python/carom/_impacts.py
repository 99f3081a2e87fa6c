"""Many impact problems at once, one problem under many laws, and the disk in a corner."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union, cast

import numpy as np
import numpy.typing as npt

from . import _carom
from ._display import array_text, counted, table_html
from ._errors import MissingFieldError, UnknownNameError, UnsupportedError, WrongTypeError, whole_number

Reals = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike
Law = Union[str, Callable[["_carom.LawContacts"], ArrayLike]]
"""The name of a law, or a function from contacts to normal impulses."""


@dataclasses.dataclass(frozen=True)
class Outcomes:
    """The outcomes of many problems, as arrays with the problems along the first axis.

    Velocities have memory of their own; all other arrays are parts of one block, which lives as long as one of them.

    >>> import carom
    >>> outcomes = carom.impacts([1.0, 1.0], [[1, 0], [2, 0]], [[-1, 1]], law="newton", restitution=0.5)
    >>> outcomes.velocity
    array([[0.25, 0.75],
           [0.5 , 1.5 ]])
    >>> outcomes.stop
    array(['separated', 'separated'], dtype='<U17')
    """

    law: str
    """Name of the law."""
    velocity: Reals
    """After the impact, (problems, coordinates)."""
    impulses: Reals
    """Normal impulses [N s], (problems, contacts)."""
    tangential_impulses: Reals
    """[N s], (problems, contacts, tangents)."""
    gap_rates_after: Reals
    """(problems, contacts); negative: still approaching."""
    energy_before: Reals
    """Kinetic [J], (problems,)."""
    energy_after: Reals
    """Kinetic [J], (problems,)."""
    steps: npt.NDArray[np.int64]
    """Of the law, (problems,)."""
    stop_code: npt.NDArray[np.int8]
    """Index into `carom.STOPS`, (problems,)."""
    flag_bits: npt.NDArray[np.uint32]
    """Flags of the audit as bits, (problems,); see `has_flag`."""
    audited: bool = True
    """Whether there was an audit; without, no problem has flags."""

    @property
    def stop(self) -> npt.NDArray[np.str_]:
        """Why the law stopped, by name, (problems,)."""
        return np.array(_carom.stop_names)[self.stop_code]

    def has_flag(self, name: str) -> npt.NDArray[np.bool_]:
        """Which problems have a flag, (problems,): ``outcomes.has_flag("energy-created")``."""
        if not self.audited:
            raise UnsupportedError('these impacts were not audited; leave audit="none" out', "unsupported", field="audit")
        if name not in _carom.flag_bits:
            raise KeyError(f"unknown flag '{name}', known: {', '.join(_carom.flag_bits)}")
        return cast("npt.NDArray[np.bool_]", (self.flag_bits & np.uint32(_carom.flag_bits[name])) != 0)

    def __len__(self) -> int:
        return len(self.velocity)

    def _rows(self) -> Sequence[Tuple[str, str]]:
        stops, counts = np.unique(self.stop, return_counts=True)
        flags = {name: int(self.has_flag(name).sum()) for name in _carom.flag_bits} if self.audited else {}
        return [
            ("velocity", f"{self.velocity.shape} {array_text(self.velocity[:1])} …"),
            ("impulses", f"{self.impulses.shape}"),
            ("energy", f"{self.energy_before.sum():.6g} → {self.energy_after.sum():.6g} J in all"),
            ("stop", ", ".join(f"{count} {stop}" for stop, count in zip(stops, counts))),
            ("flags", ", ".join(f"{count} {name}" for name, count in flags.items() if count)
             or ("none" if self.audited else "not audited")),
        ]

    def __repr__(self) -> str:
        return "\n".join(
            [f"{counted(len(self), 'outcome')} of {self.law}"] + [f"  {name:<9} {text}" for name, text in self._rows()]
        )

    def _repr_html_(self) -> str:
        return table_html(f"{counted(len(self), 'outcome')} of {self.law}", self._rows())


def impacts(
    metric: ArrayLike,
    velocity: ArrayLike,
    normals: ArrayLike,
    *,
    law: Optional[Law] = None,
    restitution: Optional[ArrayLike] = None,
    offsets: Optional[ArrayLike] = None,
    tangents: Optional[ArrayLike] = None,
    tangent_offsets: Optional[ArrayLike] = None,
    friction: Optional[ArrayLike] = None,
    rough: Optional[ArrayLike] = None,
    tangential_restitution: Optional[ArrayLike] = None,
    stiffness: Optional[ArrayLike] = None,
    tangential_stiffness_ratio: Optional[ArrayLike] = None,
    persistent: Optional[ArrayLike] = None,
    supports: Optional[Sequence[int]] = None,
    options: Optional[Dict[str, Any]] = None,
    audit: str = "basic",
    threads: int = 0,
) -> Outcomes:
    """Puts many problems of the same size through a law, by all processors and without the interpreter.

    The parameters are those of `carom.impact`, each with the problems as one more axis in front, or without where all
    problems share it; a diagonal metric is shared. A number for each problem has the shape (problems, 1), tangents of
    each problem (problems, m, t, n).
    `threads` = 0 takes all processors. The numbers are those of `carom.impact`, bit for bit, however many there are.
    `audit` = "none" leaves the audit out: there are no flags then, and law "geometric" with up to three smooth contacts
    and twelve coordinates goes through the vector registers of the processor, many times faster; its numbers are those
    of `carom.impact` to round-off.

    >>> import carom, numpy as np
    >>> e = np.linspace(0, 1, 5)[:, None]
    >>> carom.impacts([1.0], [-1.0], [[1.0]], restitution=e, law="newton").velocity.ravel()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    result = _carom.impacts(
        metric,
        velocity,
        normals,
        law=law,
        restitution=restitution,
        offsets=offsets,
        tangents=tangents,
        tangent_offsets=tangent_offsets,
        friction=friction,
        rough=rough,
        tangential_restitution=tangential_restitution,
        stiffness=stiffness,
        tangential_stiffness_ratio=tangential_stiffness_ratio,
        persistent=persistent,
        supports=supports,
        options=options,
        audit=audit,
        threads=whole_number(threads, "threads"),
    )
    return Outcomes(**result)


_PARAMETERS = [name for name in inspect.signature(impacts).parameters if name not in ("law", "audit", "threads")]


def _problem_of(problem: Any) -> "_carom.ImpactProblem":
    if isinstance(problem, _carom.ImpactProblem):
        return problem
    if isinstance(problem, _carom.Scene):
        first = problem._first_impact()
        if first is None:
            raise UnsupportedError("nothing strikes anything in this scene, so there is no impact to compare", "unsupported")
        return first
    if isinstance(problem, dict):
        unknown = [name for name in problem if name not in _PARAMETERS]
        if unknown:
            near = difflib.get_close_matches(str(unknown[0]), _PARAMETERS, 1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            raise UnknownNameError(
                f"unknown parameter {unknown[0]!r} of a problem; {hint}known: {', '.join(_PARAMETERS)}",
                "unknown-name",
                field=str(unknown[0]),
            )
        missing = [name for name in _PARAMETERS[:3] if name not in problem]
        if missing:
            raise MissingFieldError(f"the problem has no {missing[0]!r}", "missing-field", field=missing[0])
        return _carom.ImpactProblem(**problem)
    if isinstance(problem, (str, os.PathLike)):
        return _carom.ImpactProblem.read(os.fspath(problem))
    raise WrongTypeError(
        f"problem is of the type {type(problem).__name__}, expected an ImpactProblem, a Scene, a dict of the parameters "
        "of carom.impact, or the path of a problem file",
        "wrong-type",
    )


def compare(problem: Any, laws: Union[Law, Sequence[Law], None] = None, *, audit: str = "basic") -> Any:
    """One problem under several laws, as a table with a row for each law.

    `problem` is an `ImpactProblem`, a `Scene` (its first impact), a dict of the parameters of `carom.impact`, or the
    path of a problem file. `laws`: names and functions, or one; None: all that answer it. The table is a pandas DataFrame
    where pandas is installed, and else a dict of arrays.

    >>> import carom
    >>> table = carom.compare({"metric": [1, 1], "velocity": [1, 0], "normals": [[-1, 1]]}, ["newton", "poisson"])
    >>> list(table["law"] if isinstance(table, dict) else table.index)
    ['newton', 'poisson']
    """
    kept = _problem_of(problem)
    asked = [laws] if isinstance(laws, str) or callable(laws) else laws
    outcomes = _carom.compare(kept, asked, audit)
    names = kept.coordinates or [str(i) for i in range(len(kept.velocity))]
    columns: Dict[str, Any] = {"law": np.array([outcome.law for outcome in outcomes])}
    for i, name in enumerate(names):
        columns[f"velocity.{name}"] = np.array([outcome.velocity[i] for outcome in outcomes])
    columns["energy_before"] = np.array([outcome.energy.before for outcome in outcomes])
    columns["energy_change"] = np.array([outcome.energy.change for outcome in outcomes])
    columns["min_impulse"] = np.array([outcome.audit.min_impulse for outcome in outcomes])
    columns["min_gap_rate_after"] = np.array([outcome.audit.min_gap_rate_after for outcome in outcomes])
    columns["steps"] = np.array([outcome.steps for outcome in outcomes])
    columns["stop"] = np.array([outcome.stop for outcome in outcomes])
    columns["flags"] = np.array([" ".join(outcome.flags) for outcome in outcomes])
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns).set_index("law")
