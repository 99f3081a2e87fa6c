"""Where the bodies of a simulation are, as arrays that can be read and assigned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Sequence, Tuple, cast

import numpy as np
import numpy.typing as npt

from ._display import counted
from ._errors import SizeMismatchError, UnknownNameError, numbers

if TYPE_CHECKING:
    from ._simulation import Simulation

Reals = npt.NDArray[np.float64]
NAMES = ("position", "orientation", "velocity", "angular_velocity")


class StateArray(np.ndarray):  # type: ignore[type-arg]
    """Rows of a live state: what is assigned to it goes into the simulation."""

    _state: Optional["State"]

    def __array_finalize__(self, obj: Any) -> None:
        # Slices share the memory of the state; results of arithmetic do not.
        self._state = getattr(obj, "_state", None) if self.base is not None else None

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._state is None:
            self._plain()[key] = value
        else:
            given = numbers(value, "value")
            self._state._change(lambda: self._plain().__setitem__(key, given))

    def _plain(self) -> Any:
        """The same memory without a state behind it."""
        return self.view(np.ndarray)

    def __reduce__(self) -> Any:
        return np.asarray(self).copy().__reduce__()


class State:
    """All bodies at one instant, a row for each in the order of `bodies`. World frame, SI units.

    The state of a simulation is live: assigning to it, or to parts of its arrays, changes the simulation, which goes on
    from there. `copy` gives one that stands for itself.
    """

    __slots__ = ("_bodies", "_simulation", "_time", "_moment", "_arrays")  # a misspelt name is no new attribute

    def __init__(
        self, bodies: Sequence[str], arrays: Dict[str, Any], simulation: Optional["Simulation"] = None
    ) -> None:
        self._bodies = tuple(bodies)
        self._simulation: Optional["Simulation"] = simulation
        self._time = float(arrays["time"])
        self._moment = simulation._moment if simulation is not None else 0
        self._arrays: Dict[str, npt.NDArray[np.float64]] = {}
        for name in NAMES:
            array = np.array(arrays[name], dtype=np.float64)
            if simulation is not None:
                array = array.view(StateArray)
                array._state = self  # type: ignore[attr-defined]
            self._arrays[name] = array

    @property
    def bodies(self) -> Tuple[str, ...]:
        """Their names."""
        return self._bodies

    @property
    def time(self) -> float:
        """Model time [s]."""
        return self._time

    def _change(self, change: Any) -> None:
        if self._simulation is None:
            change()
            return
        before = {name: np.array(array) for name, array in self._arrays.items()}
        try:
            change()
            self._simulation._assign_state(self)
        except BaseException:
            for name, array in self._arrays.items():
                array.view(np.ndarray)[...] = before[name]
            raise

    def _set(self, name: str, value: npt.ArrayLike) -> None:
        array = self._arrays[name]
        given = numbers(value, name)
        if given.shape != array.shape:
            try:
                given = np.broadcast_to(given, array.shape)
            except ValueError:
                raise SizeMismatchError(
                    f"{name} has the shape {given.shape}, expected {array.shape}", "size-mismatch", field=name
                ) from None
        plain: Any = array.view(np.ndarray)
        self._change(lambda: plain.__setitem__(..., given))

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Of the centres of mass [m], (bodies, 3)."""
        return self._arrays["position"]

    @position.setter
    def position(self, value: npt.ArrayLike) -> None:
        self._set("position", value)

    @property
    def orientation(self) -> npt.NDArray[np.float64]:
        """Unit quaternions w, x, y, z, body to world, (bodies, 4)."""
        return self._arrays["orientation"]

    @orientation.setter
    def orientation(self, value: npt.ArrayLike) -> None:
        self._set("orientation", value)

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """Of the centres of mass [m/s], (bodies, 3)."""
        return self._arrays["velocity"]

    @velocity.setter
    def velocity(self, value: npt.ArrayLike) -> None:
        self._set("velocity", value)

    @property
    def angular_velocity(self) -> npt.NDArray[np.float64]:
        """[rad/s], (bodies, 3)."""
        return self._arrays["angular_velocity"]

    @angular_velocity.setter
    def angular_velocity(self, value: npt.ArrayLike) -> None:
        self._set("angular_velocity", value)

    def index(self, body: str) -> int:
        """Row of a body by its name."""
        try:
            return self._bodies.index(body)
        except ValueError:
            raise UnknownNameError(
                f"unknown body '{body}'; known: {', '.join(self._bodies[:20])}", "unknown-name", field="body"
            ) from None

    def __getitem__(self, body: str) -> "BodyState":
        return BodyState(self, self.index(body))

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def copy(self) -> "State":
        """A state that stands for itself."""
        return State(*self._parts())

    def _parts(self) -> Tuple[Tuple[str, ...], Dict[str, Any]]:
        arrays: Dict[str, Any] = {name: np.array(array) for name, array in self._arrays.items()}
        return self._bodies, {"time": self._time, **arrays}

    def __reduce__(self) -> Tuple[Any, ...]:
        return (State, self._parts())

    def __repr__(self) -> str:
        return f"<State of {counted(len(self), 'body')} at {self._time:.9g} s>"


class BodyState:
    """One body of a state; its rows can be assigned as well."""

    __slots__ = ("_state", "_row")

    def __init__(self, state: State, row: int) -> None:
        self._state = state
        self._row = row

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Of the centre of mass [m], (3,)."""
        return cast(Reals, self._state.position[self._row])

    @position.setter
    def position(self, value: npt.ArrayLike) -> None:
        self._state.position[self._row] = value

    @property
    def orientation(self) -> npt.NDArray[np.float64]:
        """Unit quaternion w, x, y, z, body to world, (4,)."""
        return cast(Reals, self._state.orientation[self._row])

    @orientation.setter
    def orientation(self, value: npt.ArrayLike) -> None:
        self._state.orientation[self._row] = value

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """Of the centre of mass [m/s], (3,)."""
        return cast(Reals, self._state.velocity[self._row])

    @velocity.setter
    def velocity(self, value: npt.ArrayLike) -> None:
        self._state.velocity[self._row] = value

    @property
    def angular_velocity(self) -> npt.NDArray[np.float64]:
        """[rad/s], (3,)."""
        return cast(Reals, self._state.angular_velocity[self._row])

    @angular_velocity.setter
    def angular_velocity(self, value: npt.ArrayLike) -> None:
        self._state.angular_velocity[self._row] = value

    def __repr__(self) -> str:
        name = self._state.bodies[self._row]
        return f"<{name}: position {np.asarray(self.position)} m, velocity {np.asarray(self.velocity)} m/s>"
