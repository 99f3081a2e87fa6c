"""What a run leaves: arrays of samples, the state at any time, events, and pictures."""

from __future__ import annotations

import html
import os
from typing import Any, Dict, List, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _carom
from ._columns import Reals, Samples
from ._display import counted, table_html
from ._errors import numbers, one_number, whole_number
from ._scene import PathLike
from ._state import State
from ._tables import EventTable, structured


class Run(Samples):
    """What a run has left: samples, events, and the state at any time between. `carom.run` and `carom.open` give one.

    Everything is read when it is asked for. Arrays are views that cannot be written and keep what they show alive.

    >>> import carom
    >>> scene = carom.Scene()
    >>> scene.set_world(gravity=[0, 0, -10])
    >>> scene.set_run(duration=1.0, output_step=0.25)
    >>> scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, position=[0, 0, 1.35])
    >>> scene.add_plane("floor", normal=[0, 0, 1])
    >>> run = carom.run(scene)
    >>> run.time
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> run["ball"].velocity[1]
    array([ 0. ,  0. , -2.5])
    >>> run.at(0.5, side="before")["ball"].velocity[2], run.at(0.5)["ball"].velocity[2]
    (-5.0, 5.0)
    """

    def __init__(self, path: PathLike) -> None:
        super().__init__(path)
        self._tables: Dict[str, EventTable] = {}

    # ----- at any time

    def at(self, time: float, *, side: str = "after") -> State:
        """The state at any time that the samples cover; at an event the side before or after it.

        Exact but for round-off where the acceleration is constant, as in free flight; otherwise between samples of
        third order in their distance.
        """
        seconds = one_number(time, "time", "; run.quantity(name, times) takes many")
        arrays = self._file.states_at(np.array([seconds]), side)
        return State(self._bodies, {"time": seconds, **{name: array[0] for name, array in arrays.items()}})

    def quantity(self, name: str, time: npt.ArrayLike, *, side: str = "after") -> Union[Reals, Dict[str, Reals]]:
        """A quantity by its name as ``carom plot`` knows them, at times between samples too; of a group a dict.

        ``run.quantity("position.ball.z", [0.1, 0.2])``, ``run.quantity("energy.kinetic", t)``.
        """
        times = np.asarray(numbers(time, "time"), dtype=np.float64)
        names, values = self._file.quantities_at(name, np.ascontiguousarray(times).ravel(), side)
        shaped = [row.reshape(times.shape) for row in values]
        return shaped[0] if len(names) == 1 and names[0] == name else dict(zip(names, shaped))

    @property
    def quantities(self) -> List[str]:
        """Names that `quantity` and `plot` know, but for those of pairs, such as ``gap.A.B``."""
        return self._file.quantity_names()

    # ----- events

    def _table(self, name: str) -> EventTable:
        if name not in self._tables:
            self._tables[name] = structured(self._file.table(name))
        return self._tables[name]

    @property
    def events(self) -> EventTable:
        """All events in order of time, as a structured array: time [s], kind, law, energies [J], flags, and the rows
        of `contacts` and `jumps` that belong to each: first_contact, contact_count, first_jump, jump_count."""
        return self._table("events")

    @property
    def contacts(self) -> EventTable:
        """The contacts of all events: a, b (numbers of `objects`), point, normal, impulse, rates, restitution."""
        return self._table("contacts")

    @property
    def jumps(self) -> EventTable:
        """The bodies whose velocities events changed: body, velocities before and after."""
        return self._table("jumps")

    @property
    def forces(self) -> EventTable:
        """What contacts do at the samples: sample, a, b, point, normal, force [N], friction, couple, mode."""
        return self._table("forces")

    def event(self, index: int) -> _carom.Event:
        """One event with its contacts and jumps by name."""
        count = self._file.event_count
        row = whole_number(index, "index", least=-(2**63), most=2**63 - 1)
        if not -count <= row < count:
            raise IndexError(f"event {row}: the record has {counted(count, 'event')}")
        return self._file.event(row % count)

    # ----- pictures

    def plot(self, *quantities: str, **options: Any) -> Any:
        """Plots quantities over time by matplotlib, with exact jumps and marks at impacts; returns the axes.

        ``run.plot("energy", "position.ball.z")``: one panel for each. Options: `ax` (one, or a list), `span` = (from,
        to) [s], `marks` = False.
        """
        from ._plot import plot

        return plot(self, *quantities, **options)

    def html(self) -> str:
        """The film in the viewer as one page that needs nothing else."""
        return _carom.html_of_records([self._open_path()])

    def save_html(self, path: PathLike) -> None:
        """Writes that page to a file."""
        _carom.save_whole_file(os.fspath(path), self.html())

    def show(self, *, height: int = 600) -> Any:
        """Shows the film in a cell of a notebook, without a network."""
        from ._plot import frame

        return frame(self.html(), height)

    def _rows(self) -> Sequence[Tuple[str, str]]:
        last = self.time[-1] if self.sample_count else 0.0
        rows = [
            ("bodies", str(len(self._bodies))),
            ("engine", self.engine + (f", law {self.law}" if self.law else "")),
            ("time", f"0 to {last:.9g} s, {self.sample_count} samples"),
            ("events", str(self._file.event_count)),
            ("stop", self.stop if self.complete else "goes on, or was killed"),
        ]
        energy = self.summary.get("energy")
        if energy:
            rows.append(("energy", f"{energy['initial']:.6g} → {energy['final']:.6g} J"))
        return rows

    def __repr__(self) -> str:
        if self.closed:
            return f"<Run {self.path} (closed)>"
        parts = ((len(self._bodies), "body"), (self.sample_count, "sample"), (self._file.event_count, "event"))
        return f"<Run of {', '.join(counted(*part) for part in parts)}, stop: {self.stop or 'none'}>"

    def _repr_html_(self) -> str:
        return html.escape(repr(self)) if self.closed else table_html(self.summary.get("scene") or self.path, self._rows())
