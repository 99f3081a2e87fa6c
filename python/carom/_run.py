"""Running a scene to its end, and opening what a run has left."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Optional, Union

from . import _carom
from ._errors import by_name, function_or_none
from ._record import Run
from ._scene import PathLike, scene_of
from ._simulation import Simulation
from ._state import State
from ._temporary import opened_temporary, remove, temporary_path


def open(path: PathLike) -> Run:
    """Opens a record file: of a run that has ended, goes on still, or was killed. Nothing is read before it is asked for.

    Of a file that is being written there is what was there when it was opened; `Run.refresh` opens it again.
    """
    return Run(path)


def run(
    scene: Union[_carom.Scene, PathLike],
    *,
    out: Optional[PathLike] = None,
    settings: Optional[Dict[str, Any]] = None,
    progress: bool = False,
    on_event: Optional[Callable[[_carom.Event], Any]] = None,
    on_sample: Optional[Callable[[State], Any]] = None,
    stop_event: Optional[Callable[[_carom.Event], bool]] = None,
    stop_sample: Optional[Callable[[State], bool]] = None,
    forces: bool = True,
) -> Run:
    """Runs a scene to its end and returns what it has left.

    `out`: the record file to keep; without, it lives as long as the result. `settings`: values of the scene by their
    dotted paths. `progress`: a bar, by tqdm where it is installed. `on_event`, `on_sample`: observers. `stop_event`,
    `stop_sample`: end the run where they return True. Ctrl-C ends the run, and what there is is returned.

    >>> import carom
    >>> scene = carom.Scene()
    >>> scene.set_run(duration=1.0)
    >>> scene.add_body("ball", shape=carom.Sphere(0.5), mass=2, velocity=[3, 0, 0])
    >>> carom.run(scene, settings={"body.ball.velocity.0": 4}).energy.kinetic[-1]
    16.0
    """
    ready = scene_of(scene)
    for name, function in (("on_event", on_event), ("on_sample", on_sample), ("stop_event", stop_event),
                           ("stop_sample", stop_sample)):
        function_or_none(function, name)
    if settings:
        by_name(settings, "settings", "{'run.law': 'newton'}")
        ready = ready.with_settings(settings)
    simulation = Simulation(ready)
    if on_event is not None:
        simulation.on_event(on_event)
    if on_sample is not None:
        simulation.on_sample(on_sample)
    simulation.stop_when(event=stop_event, sample=stop_sample)
    path = temporary_path() if out is None else os.fspath(out)
    try:
        simulation.record(path, forces=forces)
        if progress:
            from ._progress import bar

            with bar(simulation.end_time) as tell:
                simulation._on_progress(tell)
                simulation._run()
                tell(simulation.time)
        else:
            simulation._run()
    except BaseException:
        if out is None:
            remove(path)
        raise
    return Run(path) if out is not None else opened_temporary(path)
