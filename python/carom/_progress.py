"""A progress bar: by tqdm where it is installed, else one line that changes."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from typing import Any, Callable, Iterator


@contextlib.contextmanager
def bar(end: float, unit: str = "s") -> Iterator[Callable[..., None]]:
    """While it lives, what it gives is called with the time reached and the number of events."""
    try:
        # In a notebook it draws by ipywidgets, and complains where they are missing.
        tqdm = importlib.import_module("tqdm.auto" if importlib.util.find_spec("ipywidgets") else "tqdm")
    except ImportError:
        yield from _plain(end, unit)
        return
    shown: Any = tqdm.tqdm(total=end, unit=unit, bar_format="{l_bar}{bar}| {n:.4g}/{total:.4g} " + unit + "{postfix}")

    def tell(time: float, events: int = 0) -> None:
        shown.n = min(time, end)
        if events:
            shown.set_postfix_str(f"{events} events", refresh=False)
        shown.refresh()

    try:
        yield tell
    finally:
        shown.close()


def _plain(end: float, unit: str) -> Iterator[Callable[..., None]]:
    def tell(time: float, events: int = 0) -> None:
        sys.stderr.write(f"\r{min(time, end):.4g} of {end:.4g} {unit}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write("\n")
