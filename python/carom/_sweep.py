"""One scene, or one impact problem, at many values."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import json
import math
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _carom
from ._errors import by_name, NotFiniteError, SizeMismatchError, WrongTypeError, whole_number
from ._scene import PathLike, scene_of
from ._sweep_functions import FunctionWork, Measures, Tell, chunks, columns_of, named_measures

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
        return pandas.DataFrame({name: array.reshape(len(index), -1).tolist() if array.ndim > len(self.axes) else
                                 array.ravel() for name, array in self.measures.items()}, index=index)


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


def _paths(vary: Mapping[str, Sequence[Any]]) -> Dict[str, List[Any]]:
    """The values of every path as a list."""
    by_name(vary, "vary", "{'body.egg.velocity.0': [1, 2]}")
    paths: Dict[str, List[Any]] = {}
    for path, values in vary.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise WrongTypeError(
                f"{path} is to be varied over {values!r}, expected a list of values", "wrong-type", field=path
            )
        paths[path] = list(values)
        if not paths[path]:
            raise SizeMismatchError(f"{path} has no values to vary", "size-mismatch", field=path)
    if not paths:
        raise ValueError("vary names no path, expected {'body.egg.velocity.0': values}")
    return paths


def sweep(
    scene: Union[_carom.Scene, _carom.ImpactProblem, PathLike],
    vary: Mapping[str, Sequence[Any]],
    measure: Measures,
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
    functions of the `Run`, which are slower and may return arrays; one, a list, or a dict with a name for each. The
    result is an xarray Dataset where xarray is installed, and else a `SweepResult`; a point that cannot be run has NaN
    and its reason in `stop`.

    The points are run by `threads` of this process (0: all processors) or by an `executor` of concurrent.futures, of
    mpi4py.futures, or a client of dask.distributed: the same numbers, bit for bit. Functions are called by the thread
    that asked, in order, or by the processes of the executor. What another process runs has to be importable there:
    measures are functions of a module, and laws of one's own are defined where that is imported.

    >>> import carom, numpy as np
    >>> scene = carom.Scene()
    >>> scene.set_run(duration=1.0)
    >>> scene.add_body("ball", shape=carom.Sphere(0.5), mass=2)
    >>> table = carom.sweep(scene, {"body.ball.velocity.0": [1.0, 2.0, 3.0]}, "energy.final")
    >>> np.asarray(table["energy.final"])
    array([1., 4., 9.])
    """
    threads = whole_number(threads, "threads")
    paths = _paths(vary)
    words, functions = named_measures(measure)
    if executor is not None and not hasattr(executor, "submit"):
        raise WrongTypeError(
            f"executor is of the type {type(executor).__name__}, expected one with submit(): of concurrent.futures, of "
            "mpi4py.futures, or a client of dask.distributed",
            "wrong-type",
            field="executor",
        )
    texts = tuple(f"{path}=" + ",".join(_word(value) for value in values) for path, values in paths.items())
    if isinstance(scene, _carom.ImpactProblem):
        if functions:
            raise WrongTypeError("functions measure runs of a scene, and this is an impact problem", "wrong-type")
        spec: _Spec = ("problem", scene.to_json(), "problem", law, texts, tuple(words), zip)
        ready = None
    else:
        ready = scene_of(scene)
        extra, asked = tuple(ready._settings()), tuple(words) or ("time.model",)
        spec = ("scene", ready._text(), ready.name or "scene", extra, texts, asked, zip)
    made = _sweep_of(spec)
    count = len(made)
    columns: Dict[str, Any] = {}
    with _bar(count * (bool(words) + bool(functions)), progress) as tell:
        if words:
            columns = _carried_out(spec, count, executor, threads, tell)
        if functions and ready is not None:
            settings = [dict(builtins.zip(paths, made.values(point))) for point in range(count)]
            done = count if words else 0
            work = FunctionWork(ready, settings, list(functions.values()), lambda points: tell(done + points))
            rows = work.in_threads(threads) if executor is None else work.by(executor)
            columns = {**columns_of(rows, list(functions)), **columns}
    return _shaped(paths, columns, zip)


def _tell_nobody(done: float) -> None:
    """Where no progress is shown."""


@contextlib.contextmanager
def _bar(points: int, shown: bool) -> Iterator[Tell]:
    """What it gives is called with the number of points done."""
    if not shown:
        yield _tell_nobody
        return
    from ._progress import bar

    with bar(float(points), "points") as tell:
        yield tell


def _carried_out(spec: _Spec, count: int, executor: Any, threads: int, tell: Tell) -> Dict[str, Any]:
    if executor is None:
        return _sweep_of(spec).run_points(list(range(count)), threads, None if tell is _tell_nobody else tell)
    pieces = chunks(count, executor)
    futures = [executor.submit(_run_points, spec, list(chunk), 1) for chunk in pieces]
    parts = []
    for chunk, future in builtins.zip(pieces, futures):
        parts.append(future.result())
        tell(chunk.stop)
    return {name: _joined([part[name] for part in parts]) for name in parts[0]}


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
    arrays = {name: np.array(values) for name, values in columns.items()}
    arrays = {name: array.reshape(shape + array.shape[1:]) for name, array in arrays.items()}
    dims = ["point"] if together else list(paths)
    try:
        import xarray
    except ImportError:
        axes = {"point": list(range(shape[0]))} if together else coordinates
        return SweepResult(axes, coordinates if together else {}, arrays)
    along = {path: ("point", values) if together else values for path, values in coordinates.items()}
    inner = {name: [f"{name}.{axis}" for axis in range(array.ndim - len(shape))] for name, array in arrays.items()}
    return xarray.Dataset({name: (dims + inner[name], array) for name, array in arrays.items()}, coords=along)
