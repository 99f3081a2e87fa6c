"""One scene, or one impact problem, at many values."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _carom
from ._errors import NotFiniteError, SizeMismatchError, WrongTypeError
from ._record import Run
from ._run import run
from ._scene import PathLike, Scene, scene_of

Measure = Union[str, Callable[[Run], float]]
_Spec = Tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class SweepResult:
    """The measures of a sweep as arrays with named axes, where xarray is not installed."""

    axes: Dict[str, List[Any]]
    """The values along each axis, by the path that was varied; one axis `point` where values go together."""
    coordinates: Dict[str, List[Any]]
    """Values of the varied paths along the axis `point`, where values go together."""
    measures: Dict[str, npt.NDArray[Any]]
    """An array for each measure, and `stop`, of the shape of the axes."""

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.measures[name]

    def to_pandas(self) -> Any:
        """As a pandas DataFrame with a row for each point."""
        import pandas

        if self.coordinates:
            columns: Dict[str, Any] = {**self.coordinates}
            columns.update(self.measures)
            return pandas.DataFrame(columns)
        index = pandas.MultiIndex.from_product(list(self.axes.values()), names=list(self.axes))
        return pandas.DataFrame({name: array.ravel() for name, array in self.measures.items()}, index=index)


def _word(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise NotFiniteError(f"a value to vary is {value}, expected finite numbers", "not-finite")
        return repr(float(value))
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ",".join(_word(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}={_word(entry)}" for key, entry in value.items()) + "}"
    raise WrongTypeError(
        f"a value to vary is of the type {type(value).__name__}, expected a number, a text or a list", "wrong-type"
    )


@functools.lru_cache(maxsize=8)
def _sweep_of(spec: _Spec) -> _carom.Sweep:
    """The sweep of a description that can be sent elsewhere; kept, so that a process prepares it once."""
    what, text, name, extra, vary, measures, zipped = spec
    if what == "scene":
        return _carom.Sweep(
            _carom.Scene._restored(text, name, list(extra)), list(vary), list(measures), zipped, 0, 0, 0
        )
    problem = _carom.ImpactProblem.parse(text, name)
    return _carom.Sweep(problem, extra, list(vary), list(measures), zipped, 0, 0, 0)


def _run_points(spec: _Spec, points: Sequence[int], threads: int) -> Dict[str, Any]:
    """What an executor is asked to do."""
    return _sweep_of(spec).run_points(list(points), threads)


def _run_functions(scene: Scene, settings: List[Dict[str, Any]], functions: List[Callable[[Run], float]]) -> List[Any]:
    results = []
    for point in settings:
        with run(scene, settings=point) as done:
            results.append([function(done) for function in functions])
    return results


def _chunks(count: int, executor: Any) -> List[range]:
    """A few pieces for each worker."""
    workers = getattr(executor, "_max_workers", None) or 8
    size = max(1, math.ceil(count / (4 * int(workers))))
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def sweep(
    scene: Union[_carom.Scene, _carom.ImpactProblem, PathLike],
    vary: Mapping[str, Sequence[Any]],
    measure: Union[Measure, Sequence[Measure]],
    *,
    law: str = "compliant",
    zip: bool = False,
    executor: Optional[Any] = None,
    threads: int = 0,
    progress: bool = False,
) -> Any:
    """Runs a scene, or solves an impact problem, at many values; returns the measures with named axes.

    `vary`: values for each dotted path; every combination is run, or with `zip` value i of each together. `measure`:
    names and expressions of `carom sweep` ("events.impacts", "position.ball.z", "h = position.ball.z - 0.1"), or
    functions of the `Run`, which are slower. The result is an xarray Dataset where xarray is installed, and else a
    `SweepResult`; a point that cannot be run has NaN and its reason in `stop`.

    The points are run by `threads` of this process (0: all processors) or by an `executor` of concurrent.futures, of
    mpi4py.futures, or a client of dask.distributed: the same numbers, bit for bit. What another process runs has to be
    importable there: measures are functions of a module, and laws of one's own are defined where that is imported.

    >>> import carom, numpy as np
    >>> scene = carom.Scene()
    >>> scene.set_run(duration=1.0)
    >>> scene.add_body("ball", shape=carom.Sphere(0.5), mass=2)
    >>> table = carom.sweep(scene, {"body.ball.velocity.0": [1.0, 2.0, 3.0]}, "energy.final")
    >>> np.asarray(table["energy.final"])
    array([1., 4., 9.])
    """
    paths = {path: list(values) for path, values in vary.items()}
    if not paths:
        raise ValueError("vary names no path, expected {'body.egg.velocity.0': values}")
    for path, values in paths.items():
        if not values:
            raise SizeMismatchError(f"{path} has no values to vary", "size-mismatch", field=path)
    measures = [measure] if isinstance(measure, str) or callable(measure) else list(measure)
    if not measures:
        raise ValueError("nothing is measured, expected a measure such as 'energy.final'")
    words = [one for one in measures if isinstance(one, str)]
    functions = [one for one in measures if not isinstance(one, str)]
    texts = tuple(f"{path}=" + ",".join(_word(value) for value in values) for path, values in paths.items())
    if isinstance(scene, _carom.ImpactProblem):
        if functions:
            raise WrongTypeError("functions measure runs of a scene, and this is an impact problem", "wrong-type")
        spec: _Spec = ("problem", scene.to_json(), "problem", law, texts, tuple(words), zip)
        ready = None
    else:
        ready = scene_of(scene)
        spec = ("scene", ready._text(), ready.name or "scene", tuple(ready._settings()), texts, tuple(words or ["time.model"]), zip)
    made = _sweep_of(spec)
    count = len(made)
    columns = _carried_out(spec, count, executor, threads, progress) if words else {}
    if functions and ready is not None:
        names = list(paths)
        settings = [dict(_named(names, made.values(point))) for point in range(count)]
        rows = _functions_carried_out(ready, settings, functions, executor)
        for k, function in enumerate(functions):
            columns[_name_of(function)] = np.array([row[k] for row in rows])
    return _shaped(paths, columns, zip)


def _named(names: Sequence[str], values: Sequence[Any]) -> List[Tuple[str, Any]]:
    return [(name, values[i]) for i, name in enumerate(names)]


def _carried_out(spec: _Spec, count: int, executor: Any, threads: int, progress: bool) -> Dict[str, Any]:
    if executor is None:
        if not progress:
            return _sweep_of(spec).run_points(list(range(count)), threads)
        from ._progress import bar

        with bar(float(count), "points") as tell:
            return _sweep_of(spec).run_points(list(range(count)), threads, tell)
    futures = [executor.submit(_run_points, spec, list(chunk), 1) for chunk in _chunks(count, executor)]
    parts = [future.result() for future in futures]
    return {name: _joined([part[name] for part in parts]) for name in parts[0]}


def _functions_carried_out(
    scene: Scene, settings: List[Dict[str, Any]], functions: List[Callable[[Run], float]], executor: Any
) -> List[Any]:
    if executor is None:
        return _run_functions(scene, settings, functions)
    futures = [
        executor.submit(_run_functions, scene, [settings[i] for i in chunk], functions)
        for chunk in _chunks(len(settings), executor)
    ]
    return [row for future in futures for row in future.result()]


def _joined(parts: List[Any]) -> Any:
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    return [cell for part in parts for cell in part]


def _coordinate(values: List[Any]) -> Any:
    """Values along an axis; those that are no numbers or words by their text."""
    if any(isinstance(value, (list, tuple, dict, np.ndarray)) for value in values):
        return [_word(value) for value in values]
    return values


def _shaped(paths: Dict[str, List[Any]], columns: Dict[str, Any], together: bool) -> Any:
    coordinates = {path: _coordinate(values) for path, values in paths.items()}
    shape = (len(next(iter(paths.values()))),) if together else tuple(len(values) for values in paths.values())
    arrays = {name: np.array(values).reshape(shape) for name, values in columns.items()}
    dims = ["point"] if together else list(paths)
    try:
        import xarray
    except ImportError:
        axes = {"point": list(range(shape[0]))} if together else coordinates
        return SweepResult(axes, coordinates if together else {}, arrays)
    along = {path: ("point", values) if together else values for path, values in coordinates.items()}
    return xarray.Dataset({name: (dims, array) for name, array in arrays.items()}, coords=along)
