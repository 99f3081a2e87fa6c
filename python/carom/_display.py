"""How results look: in a terminal and in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Sequence, Tuple

import numpy as np

if TYPE_CHECKING:
    from . import _carom


def array_text(values: Any) -> str:
    """An array on one line, six digits, the middle left out where it is long."""
    return np.array2string(np.asarray(values), precision=6, separator=", ", threshold=12, edgeitems=3, max_line_width=1000).replace("\n", " ")


def counted(number: int, name: str) -> str:
    """A number with its noun: 1 body, 2 bodies."""
    return f"{number} {name}" if number == 1 else f"{number} {name[:-1] + 'ies' if name.endswith('y') else name + 's'}"


def energy_repr(energy: "_carom.ImpactEnergy") -> str:
    return f"ImpactEnergy(before={energy.before:.6g}, after={energy.after:.6g}, change={energy.change:.6g})"


def audit_repr(audit: "_carom.Audit") -> str:
    flags = ", ".join(audit.flags) or "none"
    return (
        f"Audit(min_impulse={audit.min_impulse:.6g}, min_gap_rate_after={audit.min_gap_rate_after:.6g}, flags: {flags})"
    )


def outcome_rows(outcome: "_carom.Outcome") -> Sequence[Tuple[str, str]]:
    energy = outcome.energy
    rows = [
        ("velocity", array_text(outcome.velocity)),
        ("impulses", array_text(outcome.impulses)),
    ]
    if np.size(outcome.tangential_impulses):
        rows.append(("tangential impulses", array_text(outcome.tangential_impulses)))
    rows += [
        ("gap rates after", array_text(outcome.gap_rates_after)),
        ("energy", f"{energy.before:.6g} → {energy.after:.6g} J"),
        ("stop", f"{outcome.stop} after {counted(outcome.steps, 'step')}"),
        ("flags", ", ".join(outcome.flags) or "none"),
    ]
    return rows


def outcome_repr(outcome: "_carom.Outcome") -> str:
    rows = outcome_rows(outcome)
    width = max(len(name) for name, _ in rows)
    return "\n".join([f"Outcome of {outcome.law}"] + [f"  {name:<{width}}  {text}" for name, text in rows])


def outcome_html(outcome: "_carom.Outcome") -> str:
    return table_html(f"Outcome of {outcome.law}", outcome_rows(outcome))


def table_html(title: str, rows: Iterable[Tuple[str, str]]) -> str:
    """Two columns with a title; texts are escaped."""
    body = "".join(
        f"<tr><th style='text-align:left;padding-right:1em'>{html.escape(name)}</th><td style='text-align:left'>{html.escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table><caption>{html.escape(title)}</caption><tbody>{body}</tbody></table>"
