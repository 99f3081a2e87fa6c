"""What a run leaves: arrays of samples, events, and the state at any time."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Dict, Iterator, List, Sequence, Tuple, Union, cast

import numpy as np
import numpy.typing as npt

from . import _carom
from ._columns import Body, Energies
from ._display import counted, table_html
from ._errors import FileError, UnknownNameError, one_number
from ._scene import PathLike, Scene
from ._state import State
from ._tables import EventTable, structured

Reals = npt.NDArray[np.float64]


class Run:
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
        self._file = _carom.RecordFile(os.fspath(path))
        self._bodies: Tuple[str, ...] = tuple(self._file.objects[: self._file.body_count])
        self._tables: Dict[str, EventTable] = {}

    # ----- the file

    @property
    def path(self) -> str:
        """Of the record file."""
        return self._file.path

    def save(self, path: PathLike) -> None:
        """Copies the record to a place where it stays."""
        import shutil

        try:
            shutil.copyfile(self._open_path(), os.fspath(path))
        except OSError as error:
            raise FileError(f"cannot copy '{self.path}' to '{os.fspath(path)}': {error.strerror}", "file") from error

    def close(self) -> None:
        """Lets the file go. Arrays that were read stay; anything else but `refresh` raises `FileError` from now on."""
        self._file.close()

    def _open_path(self) -> str:
        """The path of a record that is not closed. Raises `FileError`."""
        self._file.complete  # raises where it is closed
        return self._file.path

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._file.closed

    def refresh(self) -> "Run":
        """The same file opened again: of a record that is being written, with what has come since."""
        return Run(self.path)

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ----- samples

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
            import difflib

            near = difflib.get_close_matches(body, self._bodies, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            known = f" known: {', '.join(self._bodies)}" if len(self._bodies) <= 20 else ""
            raise UnknownNameError(f"unknown body '{body}'{hint}{known}", "unknown-name", field="body")
        return Body(self, self._bodies.index(body))

    def __contains__(self, body: object) -> bool:
        return body in self._bodies

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    # ----- at any time

    def at(self, time: float, *, side: str = "after") -> State:
        """The state at any time that the samples cover; at an event the side before or after it.

        Exact but for round-off where the acceleration is constant, as in free flight; otherwise between samples of
        third order in their distance.
        """
        seconds = one_number(time, "time")
        arrays = self._file.states_at(np.array([seconds]), side)
        return State(self._bodies, {"time": seconds, **{name: array[0] for name, array in arrays.items()}})

    def quantity(self, name: str, time: npt.ArrayLike, *, side: str = "after") -> Union[Reals, Dict[str, Reals]]:
        """A quantity by its name as ``carom plot`` knows them, at times between samples too; of a group a dict.

        ``run.quantity("position.ball.z", [0.1, 0.2])``, ``run.quantity("energy.kinetic", t)``.
        """
        times = np.asarray(time, dtype=np.float64)
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
        return self._file.event(index if index >= 0 else self._file.event_count + index)

    # ----- what it was

    @property
    def summary(self) -> Dict[str, Any]:
        """What ``carom run --json`` prints; empty where the run has not ended."""
        text = self._file.summary
        return cast(Dict[str, Any], json.loads(text)) if text else {}

    @property
    def complete(self) -> bool:
        """Whether the run came to its end, whatever that was; False while it is being written."""
        return self._file.complete

    @property
    def stop(self) -> str:
        """Why the run ended: duration, at-rest, event-limit, interrupted, failed; empty while it goes on."""
        return self._file.stop

    @property
    def engine(self) -> str:
        """event or smooth."""
        return self._file.engine

    @property
    def law(self) -> str:
        """The impact law; empty where contacts have forces."""
        return self._file.law

    @property
    def scene(self) -> Scene:
        """The scene that was run, with its settings."""
        return Scene(self._file.scene())

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

    def __reduce__(self) -> Tuple[Any, ...]:
        from ._temporary import run_of_bytes

        try:
            with open(self._open_path(), "rb") as file:
                return (run_of_bytes, (file.read(),))
        except OSError as error:
            raise FileError(f"cannot read the record '{self.path}': {error.strerror}", "file") from error
