"""A scene that runs, step by step."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Union, cast

from . import _carom
from ._display import counted
from ._errors import OutOfRangeError, WrongTypeError, function_or_none, one_number
from ._scene import PathLike, Scene, scene_of
from ._state import State


class Simulation(_carom.Simulation):
    """A scene that runs. It may be asked in any order, and goes on after a stop with the same bits as without.

    The scene is copied: changing it later changes no simulation. One thread runs it at a time; two simulations in two
    threads do not disturb each other, and the lock of the interpreter is free while they run.

    >>> import carom
    >>> scene = carom.Scene()
    >>> scene.set_run(duration=2.0)
    >>> scene.add_body("ball", shape=carom.Sphere(0.5), mass=1, position=[-2, 0, 0], velocity=[1, 0, 0])
    >>> scene.add_plane("wall", normal=[-1, 0, 0], point=[0, 0, 0])
    >>> simulation = carom.Simulation(scene)
    >>> for event in simulation.events():
    ...     print(event)
    Event(impact at 1.5 s: ball–wall)
    >>> simulation.state["ball"].velocity
    StateArray([-1.,  0.,  0.])
    """

    def __init__(self, scene: Union[_carom.Scene, PathLike]) -> None:
        super().__init__(scene_of(scene))
        self._moment = 0

    # ----- going on

    def run(self) -> Dict[str, Any]:
        """Runs to the duration of the scene, or until it stops for another reason; returns the summary.

        Ctrl-C stops it (`stop` is "interrupted"); it can go on then.
        """
        self._moment += 1
        self._run()
        return self.summary

    def advance_to(self, time: float) -> None:
        """Runs to that model time [s], also beyond the duration of the scene; a time that is past changes nothing.

        Ctrl-C is a `KeyboardInterrupt`, after which it can go on.
        """
        seconds = one_number(time, "time")
        self._moment += 1
        self._advance_to(seconds)

    def next_event(self) -> Optional[_carom.Event]:
        """Goes on to the next event and returns it; None where the run has stopped."""
        self._moment += 1
        return self._next_event()

    def events(self) -> Iterator[_carom.Event]:
        """Goes on from event to event. Between two the state can be read and changed.

        Ctrl-C is a `KeyboardInterrupt`, after which it can go on.
        """
        while True:
            event = self.next_event()
            if event is None:
                return
            yield event

    # ----- where it is

    @property
    def state(self) -> State:
        """Where everything is now, as arrays; assigning changes the simulation.

        ``simulation.state["ball"].velocity = [1, 0, 0]`` and ``simulation.state.velocity *= 2`` go on from there. What
        the change put into the system counts as initial energy.
        """
        return State(self.bodies, self._state(), self)

    @state.setter
    def state(self, state: State) -> None:
        if not isinstance(state, State):
            raise WrongTypeError(
                f"state is of the type {type(state).__name__}, expected a State, such as a copy of simulation.state",
                "wrong-type",
                field="state",
            )
        self._set_arrays(state)

    def _set_arrays(self, state: State) -> None:
        self._set_state(state.position, state.orientation, state.velocity, state.angular_velocity)
        self._moment += 1

    def _assign_state(self, state: State) -> None:
        if state._moment != self._moment:
            raise RuntimeError(
                f"this state is of {state.time:.9g} s and the simulation has gone on since; take simulation.state again"
            )
        self._set_arrays(state)
        state._moment = self._moment

    def state_at(self, time: float) -> State:
        """At any time since the beginning; what is past is computed again and has the same bits."""
        return State(self.bodies, self._state_at(one_number(time, "time")))

    @property
    def energy(self) -> Dict[str, float]:
        """Energies now [J]: kinetic, gravity, springs, loads, contacts, total, initial, dissipated, error."""
        return self._energy()

    @property
    def summary(self) -> Dict[str, Any]:
        """As if the run ended now: what ``carom run --json`` prints."""
        return cast(Dict[str, Any], self._summary())

    @property
    def scene(self) -> Scene:
        """A copy of the scene, with all its settings."""
        return Scene(self._scene)

    def first_impact(self) -> Optional[_carom.ImpactProblem]:
        """The first impact from here on as a problem for any law; None where nothing strikes."""
        return self._first_impact()

    # ----- observers

    def on_event(self, function: Callable[[_carom.Event], Any]) -> None:
        """Calls a function with every event. What it raises comes out of the run as it is."""
        function_or_none(function, "function")
        self._on_event(function, False)

    def on_sample(self, function: Callable[[State], Any]) -> None:
        """Calls a function with the state at every multiple of the output step, at the start and at the end."""
        function_or_none(function, "function")
        self._on_sample(self._with_state(function), False)

    def stop_when(
        self,
        *,
        event: Optional[Callable[[_carom.Event], bool]] = None,
        sample: Optional[Callable[[State], bool]] = None,
    ) -> None:
        """Stops the run as soon as a function returns True of an event or of a sample.

        `stop` is "interrupted" then and `stopped_by_condition` True; the run can go on.
        """
        function_or_none(event, "event")
        function_or_none(sample, "sample")
        if event is not None:
            self._on_event(event, True)
        if sample is not None:
            self._on_sample(self._with_state(sample), True)

    def _with_state(self, function: Callable[[State], Any]) -> Callable[..., Any]:
        bodies = self.bodies

        def called(arrays: Dict[str, Any], kinetic: float, total: float, dissipated: float) -> Any:
            return function(State(bodies, arrays))

        return called

    def record(self, path: PathLike, *, forces: bool = True, flush: float = 2.0) -> None:
        """Keeps a record from here on; one of that name is replaced. It is closed when the run stops.

        `forces`: with what contacts do at every sample. `flush`: how often it is written [s].
        """
        seconds = one_number(flush, "flush")
        if not seconds > 0:
            raise OutOfRangeError(f"flush is {flush}, expected a time > 0 s", "out-of-range", field="flush")
        self._record(os.fspath(path), forces, seconds)

    def copy(self) -> "Simulation":
        """An independent simulation from the same instant; records and observers stay here."""
        other = Simulation.__new__(Simulation)
        _carom.Simulation.__init__(other, self)
        other._moment = 0
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Simulation":
        return self.copy()

    def __repr__(self) -> str:
        if not hasattr(self, "_moment"):
            return "<Simulation of a scene that cannot be run>"
        return f"<Simulation of {counted(len(self.bodies), 'body')} at {self.time:.9g} s of {self.end_time:.9g} s>"

    def __reduce__(self) -> Any:
        raise TypeError(
            "a simulation cannot be sent to another process: send its scene (simulation.scene) and run it there"
        )
