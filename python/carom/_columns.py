"""Samples of a run as arrays: those of one body, and energies."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, cast

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._record import Run

Reals = npt.NDArray[np.float64]


class Body:
    """One body of a run: columns of its samples. Views of the record, which they keep alive."""

    def __init__(self, run: "Run", row: int) -> None:
        self._run = run
        self._row = row

    @property
    def name(self) -> str:
        """Its name."""
        return self._run.bodies[self._row]

    @property
    def position(self) -> Reals:
        """Of the centre of mass [m], (samples, 3)."""
        return cast(Reals, self._run._column("/position")[:, self._row])

    @property
    def orientation(self) -> Reals:
        """Unit quaternions w, x, y, z, body to world, (samples, 4)."""
        return cast(Reals, self._run._column("/orientation")[:, self._row])

    @property
    def velocity(self) -> Reals:
        """Of the centre of mass [m/s], (samples, 3)."""
        return cast(Reals, self._run._column("/velocity")[:, self._row])

    @property
    def angular_velocity(self) -> Reals:
        """[rad/s], (samples, 3)."""
        return cast(Reals, self._run._column("/angular_velocity")[:, self._row])

    def __repr__(self) -> str:
        return f"<{self.name} of {self._run!r}>"


class Energies:
    """Energies of a run at its samples [J], each (samples,): ``run.energy.kinetic``."""

    def __init__(self, run: "Run") -> None:
        self._run = run

    def __repr__(self) -> str:
        return f"<Energies of {self._run!r}>"

    def __dir__(self) -> List[str]:
        names = [name[len("/energy/") :] for name in self._run._file.column_names() if name.startswith("/energy/")]
        return sorted([*super().__dir__(), *names])

    def __getitem__(self, name: str) -> Reals:
        return self._run._column(f"/energy/{name}")

    @property
    def kinetic(self) -> Reals:
        """Of all bodies."""
        return self["kinetic"]

    @property
    def gravity(self) -> Reals:
        """Potential energy of gravity."""
        return self["gravity"]

    @property
    def springs(self) -> Reals:
        """Stored in springs."""
        return self["springs"]

    @property
    def loads(self) -> Reals:
        """Potential energy of constant forces."""
        return self["loads"]

    @property
    def contacts(self) -> Reals:
        """Stored in compliant contacts."""
        return self["contacts"]

    @property
    def initial(self) -> Reals:
        """At the start, with what was put in since by changing the state."""
        return self["initial"]

    @property
    def total(self) -> Reals:
        """Sum of what is stored (computed, not a view)."""
        return self.kinetic + self.gravity + self.springs + self.loads + self.contacts

    @property
    def dissipated(self) -> Reals:
        """Lost since the start (computed, not a view)."""
        parts = ("impacts", "damping", "cut_off", "contact_damping", "friction", "swallowed")
        return cast(Reals, sum((self[part] for part in parts), np.zeros(self._run.sample_count)))
