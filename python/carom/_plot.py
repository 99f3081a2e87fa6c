"""Pictures of a run: plots by matplotlib, and the viewer in a notebook."""

from __future__ import annotations

import html as html_module
import math
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from ._record import Run

MOST_MARKS = 500


def plot(
    run: "Run",
    *quantities: str,
    ax: Any = None,
    span: Optional[Tuple[float, float]] = None,
    marks: bool = True,
    figsize: Optional[Tuple[float, float]] = None,
) -> Any:
    """One panel for each name; a jump is drawn as a jump, and impacts are marked by thin lines."""
    if not quantities:
        raise TypeError('which quantities? run.plot("energy", "position.ball.z"); run.quantities lists them')
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib (Debian: python3-matplotlib)") from error
    first, last = span if span is not None else (-math.inf, math.inf)
    if not first <= last:
        raise ValueError(f"span is ({first}, {last}), expected (from, to) with from ≤ to")
    # Read before anything is drawn: a misspelt name leaves no empty figure.
    panels: List[Sequence[Tuple[str, str, str, Any, Any]]] = [
        run._file.series([name], first, last, True) for name in quantities
    ]
    axes = _axes(pyplot, ax, len(quantities), figsize)
    times = run._file.impact_times(first, last, MOST_MARKS) if marks else None
    for name, panel, where in zip(quantities, panels, axes):
        for quantity, label, unit, time, value in panel:
            where.plot(time, value, label=label, linewidth=1.2)
        units = {unit for _, _, unit, _, _ in panel}
        unit_text = f" [{units.pop()}]" if len(units) == 1 and units != {""} else ""
        where.set_ylabel(panel[0][1] + unit_text if len(panel) == 1 else name + unit_text)
        if len(panel) > 1:
            where.legend(fontsize="small")
        for instant in times or ():
            where.axvline(instant, color="0.75", linewidth=0.5, zorder=0)
    axes[-1].set_xlabel("time [s]")
    return axes[0] if len(axes) == 1 else axes


def _axes(pyplot: Any, given: Any, count: int, figsize: Optional[Tuple[float, float]]) -> List[Any]:
    if given is None:
        size = figsize or (7.0, 1.2 + 2.2 * count)
        figure, grid = pyplot.subplots(count, 1, sharex=True, squeeze=False, figsize=size, layout="constrained")
        return list(grid[:, 0])
    axes = [given] if not hasattr(given, "__len__") else list(given)
    if len(axes) != count:
        raise ValueError(f"{count} quantities and {len(axes)} axes; give as many, or one of each")
    return axes


class Frame:
    """A page inside a notebook cell."""

    def __init__(self, page: str, height: int) -> None:
        self._page = page
        self._height = height

    def _repr_html_(self) -> str:
        # The whole page goes into the notebook, so that it is there without a network and in a saved copy.
        inside = html_module.escape(self._page, quote=True)
        return (
            f'<iframe srcdoc="{inside}" style="width:100%;height:{int(self._height)}px;border:0" '
            'sandbox="allow-scripts allow-same-origin allow-downloads"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<a film of {len(self._page) / 1e6:.1f} MB; a notebook shows it, save_html() keeps it>"


def frame(page: str, height: int) -> Frame:
    return Frame(page, height)
