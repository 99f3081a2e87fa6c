"""The measures of a sweep, and what it takes where functions measure."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import math
import os
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

import numpy as np

from . import _carom
from ._errors import DuplicateNameError, InputError, SizeMismatchError, WrongTypeError
from ._record import Run
from ._run import run
from ._scene import Scene

Measure = Union[str, Callable[[Run], Any]]
Measures = Union[Measure, Sequence[Measure], Mapping[str, Measure]]
Tell = Callable[[float], None]
Row = Tuple[str, Optional[List[Any]]]
"""Why a point stopped, and what the functions say of it; None where it cannot be run."""


def _run_point(scene: Scene, settings: Dict[str, Any]) -> Union[Run, str]:
    """The run, or why there is none. Raises `KeyboardInterrupt`."""
    try:
        done = run(scene, settings=settings)
    except InputError as error:
        return f"{error.kind}: {error.message}"
    if done.stop == "interrupted":
        raise KeyboardInterrupt
    return done


def _measured(done: Union[Run, str], functions: Sequence[Callable[[Run], Any]]) -> Row:
    if isinstance(done, str):
        return done, None
    with done:
        return done.stop, [function(done) for function in functions]


def _run_functions(scene: Scene, settings: List[Dict[str, Any]], functions: List[Callable[[Run], Any]]) -> List[Row]:
    """What an executor is asked to do where functions measure."""
    return [_measured(_run_point(scene, point), functions) for point in settings]


def chunks(count: int, executor: Any) -> List[range]:
    """A few pieces for each worker."""
    workers = getattr(executor, "_max_workers", None) or 8
    size = max(1, math.ceil(count / (4 * int(workers))))
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def named_measures(measure: Measures) -> Tuple[List[str], Dict[str, Callable[[Run], Any]]]:
    """Measures in words, and functions by the names of their columns."""
    if isinstance(measure, Mapping):
        pairs = [(str(name), one) for name, one in measure.items()]
        words = [f"{name}={one}" for name, one in pairs if isinstance(one, str)]
    else:
        alone = isinstance(measure, str) or callable(measure) or not hasattr(measure, "__iter__")
        listed: List[Any] = [measure] if alone else list(measure)  # type: ignore[arg-type]
        pairs = [(getattr(one, "__name__", type(one).__name__), one) for one in listed]
        words = [one for one in listed if isinstance(one, str)]
    if not pairs:
        raise ValueError("nothing is measured, expected a measure such as 'energy.final'")
    functions: Dict[str, Callable[[Run], Any]] = {}
    for name, one in pairs:
        if isinstance(one, str):
            continue
        if not callable(one):
            raise WrongTypeError(
                f"a measure is of the type {type(one).__name__}, expected a text such as 'energy.final' or a function of "
                "the run",
                "wrong-type",
                field="measure",
            )
        if name in functions:
            raise DuplicateNameError(
                f"two measures have the name '{name}'; give them as a dict, {{'first': …, 'second': …}}",
                "duplicate-name",
                field="measure",
            )
        functions[name] = one
    return words, functions


@dataclasses.dataclass(frozen=True)
class FunctionWork:
    """Points that functions measure."""

    scene: Scene
    settings: List[Dict[str, Any]]
    functions: List[Callable[[Run], Any]]
    tell: Tell

    def by(self, executor: Any) -> List[Row]:
        pieces = chunks(len(self.settings), executor)
        futures = [
            executor.submit(_run_functions, self.scene, [self.settings[i] for i in chunk], self.functions)
            for chunk in pieces
        ]
        rows: List[Row] = []
        for future in futures:
            rows += future.result()
            self.tell(len(rows))
        return rows

    def in_threads(self, threads: int) -> List[Row]:
        """Threads run the scenes, a few ahead of this one, which calls the functions."""
        import concurrent.futures

        workers = threads or len(os.sched_getaffinity(0))

        def work() -> List[Row]:
            rows: List[Row] = []
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                ahead: Deque[Any] = collections.deque()
                waiting = iter(self.settings)
                try:
                    while True:
                        for point in itertools.islice(waiting, 2 * workers - len(ahead)):
                            ahead.append(pool.submit(_run_point, self.scene, point))
                        if not ahead:
                            return rows
                        rows.append(_measured(ahead.popleft().result(), self.functions))
                        self.tell(len(rows))
                finally:
                    for future in ahead:
                        future.cancel()

        return cast(List[Row], _carom.while_watching(work))


def columns_of(rows: List[Row], names: List[str]) -> Dict[str, Any]:
    """A column for each function, with NaN where a point could not be run, and why the points stopped."""
    columns: Dict[str, Any] = {}
    known = next((values for _, values in rows if values is not None), [float("nan")] * len(names))
    for k, name in enumerate(names):
        missing = np.full(np.shape(known[k]), np.nan)
        answers = [missing if values is None else values[k] for _, values in rows]
        shapes = {np.shape(answer) for answer in answers}
        if len(shapes) > 1:
            raise SizeMismatchError(
                f"the measure '{name}' gave arrays of the shapes {', '.join(map(str, sorted(shapes)))}, expected the same "
                "shape for every point",
                "size-mismatch",
                field=name,
            )
        columns[name] = np.array(answers)
    columns["stop"] = [stop for stop, _ in rows]
    return columns
