"""The disk in a corner, over arrays."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _carom
from ._display import array_text
from ._errors import SizeMismatchError, numbers, one_number, whole_number

Reals = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike


@dataclasses.dataclass(frozen=True)
class Corners:
    """How disks leave corners: arrays of the shape that the input was broadcast to."""

    velocity: Reals
    """After the last step [m/s], (…, 2): along the bisector into the corner, and across."""
    steps: npt.NDArray[np.int32]
    """Impacts computed."""
    stop: npt.NDArray[np.str_]
    """Z0: leaves both walls; REST; NMAX: the most steps were made."""
    spectral_radius: Reals
    """How fast a velocity fades that never leaves the corner, per two impacts."""

    def __repr__(self) -> str:
        kinds, counts = np.unique(self.stop, return_counts=True)
        rows = [
            ("velocity", f"{self.velocity.shape} {array_text(self.velocity)}" if self.stop.ndim == 0 else str(self.velocity.shape)),
            ("steps", f"{self.steps.min()} to {self.steps.max()}" if self.steps.size else "none"),
            ("stop", ", ".join(f"{count} {kind}" for kind, count in zip(kinds, counts))),
        ]
        return "\n".join([f"Corners of shape {self.stop.shape}"] + [f"  {name:<8} {text}" for name, text in rows])

    @property
    def norm(self) -> Reals:
        """Length of the velocity [m/s]."""
        return np.hypot(self.velocity[..., 0], self.velocity[..., 1])


def corner(
    alpha: ArrayLike,
    restitution: ArrayLike,
    velocity: ArrayLike,
    *,
    algorithm: str = "NA",
    s: Optional[float] = None,
    sv: Optional[float] = None,
    max_steps: int = 10_000,
) -> Corners:
    """A disk that touches the two walls of a corner at once, over arrays of any shapes that broadcast.

    `alpha` [rad] is half the opening, `velocity` (…, 2) has its x along the bisector into the corner. `algorithm`: "NA"
    with the thresholds `s` (a wall is approached above it, default 2**-51) and `sv` (at rest below it, default 1e-12),
    both relative to the speed, or "TA" without any. Fassino & Pasquero, Disk in a corner, 2019.

    >>> import carom, numpy as np
    >>> carom.corner(np.pi / 6, 1.0, [1.0, 0.2]).steps
    array(2, dtype=int32)
    >>> carom.corner(np.linspace(0.1, 1.5, 4)[:, None], [0.5, 1.0], [1.0, 0.0]).velocity.shape
    (4, 2, 2)
    """
    if algorithm not in ("NA", "TA"):
        raise ValueError(f"algorithm is '{algorithm}', expected 'NA' or 'TA'")
    if algorithm == "TA" and (s is not None or sv is not None):
        raise ValueError("s and sv are thresholds, and algorithm TA has none")
    limit = whole_number(max_steps, "max_steps", most=2**63 - 1)
    default = (2.0**-51, 1e-12) if algorithm == "NA" else (0.0, 0.0)
    pair = numbers(velocity, "velocity")
    if pair.ndim < 1 or pair.shape[-1] != 2:
        raise SizeMismatchError(
            f"velocity has the shape {pair.shape}, expected (…, 2)", "size-mismatch", field="velocity"
        )
    arrays = [numbers(alpha, "alpha"), numbers(restitution, "restitution"), pair[..., 0], pair[..., 1]]
    try:
        a, e, x, y = np.broadcast_arrays(*arrays)
    except ValueError:
        raise SizeMismatchError(
            f"alpha has the shape {arrays[0].shape}, restitution {arrays[1].shape} and velocity {pair.shape}, whose last "
            "axis is left aside: they cannot be broadcast to one shape",
            "size-mismatch",
            field="alpha",
        ) from None
    flat = [np.ascontiguousarray(value, dtype=np.float64).ravel() for value in (a, e, x, y)]
    approach = default[0] if s is None else one_number(s, "s")
    rest = default[1] if sv is None else one_number(sv, "sv")
    found = _carom.corners(flat[0], flat[1], flat[2], flat[3], approach, rest, limit)
    shape = a.shape
    return Corners(
        np.stack([found["x"], found["y"]], axis=-1).reshape(shape + (2,)),
        found["steps"].reshape(shape),
        np.array(_carom.corner_stop_names)[found["stop_code"]].reshape(shape),
        found["spectral_radius"].reshape(shape),
    )
