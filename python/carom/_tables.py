"""Events, contacts and jumps as structured arrays."""

from __future__ import annotations

import html
from typing import Any, Dict, Sequence, Tuple

import numpy as np

from ._display import array_text, counted, table_html


class EventTable(np.ndarray):  # type: ignore[type-arg]
    """Events, contacts or jumps as a structured array, a row for each; ``events["time"]``, ``events[events["kind"] ==
    "impact"]``. One field alone is a plain array."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.view(np.ndarray) if isinstance(found, EventTable) and not found.dtype.names else found

    def _columns(self) -> Sequence[Tuple[str, str]]:
        return [(name, array_text(np.asarray(self[name]))) for name in self.dtype.names or ()]

    def __repr__(self) -> str:
        if not self.dtype.names or self.ndim != 1:
            return super().__repr__()
        width = max(len(name) for name in self.dtype.names)
        return "\n".join([f"EventTable of {counted(len(self), 'row')}"] +
                         [f"  {name:<{width}}  {text}" for name, text in self._columns()])

    def _repr_html_(self) -> str:
        if not self.dtype.names or self.ndim != 1:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return table_html(f"EventTable of {counted(len(self), 'row')}", self._columns())

    def to_pandas(self) -> Any:
        """As a pandas DataFrame; vectors become columns such as ``point.x``."""
        import pandas

        columns: Dict[str, Any] = {}
        for name in self.dtype.names or ():
            values = np.asarray(self[name])
            if values.ndim == 2:
                for axis, letter in enumerate("xyz"[: values.shape[1]]):
                    columns[f"{name}.{letter}"] = values[:, axis]
            else:
                columns[name] = values
        return pandas.DataFrame(columns)


def texts_of(encoded: Any) -> Any:
    """Texts of bytes that are UTF-8, no wider than they need to be."""
    letters = np.ascontiguousarray(encoded).view(np.uint8).reshape(len(encoded), encoded.dtype.itemsize)
    used = np.flatnonzero(letters.any(axis=0))
    width = int(used[-1]) + 1 if used.size else 1
    letters = letters[:, :width]
    if letters.size and letters.max() > 127:
        return np.char.decode(encoded, "utf-8")
    # Each letter of ASCII is a number of one byte there, and of four here.
    return letters.astype(np.uint32).reshape(-1).view(f"U{width}")


def structured(columns: Dict[str, Any]) -> EventTable:
    """Columns of their own as one array with named fields, without a loop over rows."""
    ready: Dict[str, Any] = {}
    for name, values in columns.items():
        if values.dtype.kind == "S":
            values = texts_of(values)
        ready[name] = values
    dtype = [(name, values.dtype, values.shape[1:]) for name, values in ready.items()]
    rows = len(next(iter(ready.values()))) if ready else 0
    table = np.empty(rows, dtype=dtype)
    for name, values in ready.items():
        table[name] = values
    table.flags.writeable = False
    return table.view(EventTable)
