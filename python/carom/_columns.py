"""Samples of a run as arrays: of all bodies, of one, and energies."""

from __future__ import annotations

import difflib
from typing import Iterator, List, Tuple, cast

import numpy as np
import numpy.typing as npt

from ._errors import UnknownNameError
from ._record_file import Record
from ._scene import PathLike

Reals = npt.NDArray[np.float64]


class Body:
    """One body of a run: columns of its samples. Views of the record, which they keep alive."""

    def __init__(self, run: "Samples", row: int) -> None:
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

    def __init__(self, run: "Samples") -> None:
        self._run = run

    def __repr__(self) -> str:
        names = [name for name in dir(self) if not name.startswith("_")]
        return f"<Energies of {self._run!r}: {', '.join(names)}>"

    def __dir__(self) -> List[str]:
        names = [name[len("/energy/") :] for name in self._run._file.column_names() if name.startswith("/energy/")]
        return sorted({*super().__dir__(), *names})

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


class Samples(Record):
    """A record whose samples are read as arrays: views that cannot be written and keep what they show alive."""

    def __init__(self, path: PathLike) -> None:
        super().__init__(path)
        self._bodies: Tuple[str, ...] = tuple(self._file.objects[: self._file.body_count])

    def _column(self, path: str) -> Reals:
        return self._file.column(path)

    @property
    def time(self) -> Reals:
        """Of the samples [s], (samples,)."""
        return self._column("/time")

    @property
    def sample_count(self) -> int:
        """Number of samples."""
        return self._file.sample_count

    @property
    def bodies(self) -> Tuple[str, ...]:
        """Their names."""
        return self._bodies

    @property
    def objects(self) -> Tuple[str, ...]:
        """Names of bodies, then planes and obstacles: what the numbers in `contacts` mean."""
        return tuple(self._file.objects)

    @property
    def position(self) -> Reals:
        """Of all bodies [m], (samples, bodies, 3)."""
        return self._column("/position")

    @property
    def orientation(self) -> Reals:
        """Unit quaternions w, x, y, z of all bodies, (samples, bodies, 4)."""
        return self._column("/orientation")

    @property
    def velocity(self) -> Reals:
        """Of all bodies [m/s], (samples, bodies, 3)."""
        return self._column("/velocity")

    @property
    def angular_velocity(self) -> Reals:
        """Of all bodies [rad/s], (samples, bodies, 3)."""
        return self._column("/angular_velocity")

    @property
    def energy(self) -> Energies:
        """Energies [J] at the samples."""
        return Energies(self)

    def __getitem__(self, body: str) -> Body:
        if body not in self._bodies:
            near = difflib.get_close_matches(str(body), self._bodies, 1)
            hint = f" did you mean '{near[0]}'?" if near else ""
            more = ", …" if len(self._bodies) > 20 else ""
            known = f" known: {', '.join(self._bodies[:20])}{more}"
            raise UnknownNameError(f"unknown body {body!r};{hint}{known}", "unknown-name", field="body")
        return Body(self, self._bodies.index(body))

    def __contains__(self, body: object) -> bool:
        return body in self._bodies

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)
