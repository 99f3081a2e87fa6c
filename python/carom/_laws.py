"""Laws of one's own, by name."""

from __future__ import annotations

from typing import Any, Callable, Dict, TypeVar

import numpy.typing as npt

from . import _carom

LawFunction = Callable[["_carom.LawContacts"], npt.ArrayLike]
F = TypeVar("F", bound=LawFunction)


def impact_law(name: str, *, takes: str = "all") -> Callable[[F], F]:
    """Makes a function known as an impact law, by name and in scenes too: ``scene["run.law"] = "mine"``.

    The function gets `LawContacts` and returns a normal impulse for each contact; gap rates after are
    ``contacts.rates + contacts.delassus @ impulses``. It knows no friction. `takes`: which closed contacts an engine
    hands to it: "all", "not-separating" or "approaching". The name lives as long as the process; defining it again
    replaces the function. An exception comes out as it is. A law in Python is asked for one impact at a time, some
    ten microseconds each.

    >>> import carom, numpy as np
    >>> @carom.impact_law("dead stop")
    ... def dead_stop(contacts):
    ...     return np.linalg.solve(contacts.delassus, -np.minimum(contacts.rates, 0))
    >>> carom.impact([2.0], [-3.0], [[1.0]], law="dead stop").impulses
    array([6.])
    """

    def named(function: F) -> F:
        _carom.add_impact_law(name, function, takes)
        return function

    return named


def laws() -> Dict[str, str]:
    """Every impact law with one line about it, the default first."""
    return _carom.impact_laws()
