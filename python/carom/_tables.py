"""Events, contacts and jumps as structured arrays."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np


class EventTable(np.ndarray):  # type: ignore[type-arg]
    """Events, contacts or jumps as a structured array, a row for each; ``events["time"]``, ``events[events["kind"] ==
    "impact"]``."""

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


def structured(columns: Dict[str, Any]) -> EventTable:
    """Columns of their own as one array with named fields, without a loop over rows."""
    ready: Dict[str, Any] = {}
    for name, values in columns.items():
        if values.dtype.kind == "S":
            width = max(1, int(np.char.str_len(values).max()) if len(values) else 1)
            values = values.astype(f"S{width}")
            try:
                values = values.astype(f"U{width}")
            except UnicodeDecodeError:
                values = np.char.decode(values, "utf-8")
        ready[name] = values
    dtype = [(name, values.dtype, values.shape[1:]) for name, values in ready.items()]
    rows = len(next(iter(ready.values()))) if ready else 0
    table = np.empty(rows, dtype=dtype)
    for name, values in ready.items():
        table[name] = values
    table.flags.writeable = False
    return table.view(EventTable)
