"""Laws of one's own, by name."""

from __future__ import annotations

from typing import Any, Callable, Dict, TypeVar

import numpy.typing as npt

from . import _carom
from ._errors import WrongTypeError

LawFunction = Callable[["_carom.LawContacts"], npt.ArrayLike]
F = TypeVar("F", bound=LawFunction)
N = TypeVar("N", bound=Callable[..., float])


def _checked(name: object, function: object) -> None:
    """Raises `WrongTypeError`."""
    if not isinstance(name, str):
        raise WrongTypeError(
            f'the name of a law is of the type {type(name).__name__}, expected a text: @carom.impact_law("mine")',
            "wrong-type",
            field="name",
        )
    if not callable(function):
        raise WrongTypeError(
            f"the law '{name}' is of the type {type(function).__name__}, expected a function", "wrong-type", field=name
        )


def impact_law(name: str, *, takes: str = "all", friction: bool = False) -> Callable[[F], F]:
    """Makes a function known as an impact law, by name and in scenes too: ``scene["run.law"] = "mine"``.

    The function gets `LawContacts` and returns a normal impulse for each contact, (m,); gap rates after are
    ``contacts.rates + contacts.delassus @ impulses``. `takes`: which closed contacts an engine hands to it: "all",
    "not-separating" or "approaching". The name lives as long as the process; defining it again replaces the function.
    An exception comes out as it is. A law in Python is asked for one impact at a time, some ten microseconds each.

    `friction`: whether it knows friction. Then, where a contact resists slip, it gets tangents too and returns (m, 1 +
    t): a normal impulse and the tangential ones. Without, the contacts of scenes are smooth to it, and a problem with
    friction is refused. A function that is not given a name says the same by its attributes ``takes`` and ``friction``.

    >>> import carom, numpy as np
    >>> @carom.impact_law("dead stop")
    ... def dead_stop(contacts):
    ...     return np.linalg.solve(contacts.delassus, -np.minimum(contacts.rates, 0))
    >>> carom.impact([2.0], [-3.0], [[1.0]], law="dead stop").impulses
    array([6.])

    A ball that stops dead and loses as much of its slip as friction can take:

    >>> @carom.impact_law("dead stop with friction", friction=True)
    ... def rubbing(contacts):
    ...     normal = -contacts.rates / np.diag(contacts.delassus)
    ...     impulses = np.zeros((len(contacts), 1 + contacts.tangents))
    ...     impulses[:, 0] = normal
    ...     for i in range(len(contacts)):
    ...         own = contacts.full_delassus[i, 1:, i, 1:]
    ...         stick = -np.linalg.solve(own, contacts.full_rates[i, 1:])
    ...         most = contacts.friction[i] * normal[i]
    ...         slips = np.linalg.norm(stick) > most
    ...         impulses[i, 1:] = stick * most / np.linalg.norm(stick) if slips else stick
    ...     return impulses
    >>> problem = dict(metric=[1, 1], velocity=[1, -1], normals=[[0, 1]], tangents=[[1, 0]], friction=0.2)
    >>> carom.impact(**problem, law="dead stop with friction").velocity.round(12)
    array([0.8, 0. ])
    """

    def named(function: F) -> F:
        _checked(name, function)
        _carom.add_impact_law(name, function, takes, friction)
        return function

    return named


def normal_force(name: str) -> Callable[[N], N]:
    """Makes a function known as a normal force law of the engine `smooth`: ``normal = "mine"`` of a pair.

    The function gets the depth [m] > 0, its rate [m/s] (positive: getting deeper) and a `ForceContact`, and returns a
    force [N]; what is below zero is cut. At rate zero it is the spring, whose energy comes back. The `stiffness` and
    `exponent` of the pair tell how stiff it is about, which sets the first steps. It is asked thousands of times for
    each collision: slow, and fine for trying something out.

    >>> import carom
    >>> @carom.normal_force("linear spring")
    ... def linear(depth, rate, contact):
    ...     return contact.stiffness * depth
    """

    def named(function: N) -> N:
        _checked(name, function)
        _carom.add_normal_law(name, function)
        return function

    return named


def friction_law(name: str) -> Callable[[N], N]:
    """Makes a function known as a friction law of the engine `smooth`: ``friction = {law = "mine", vr = 1e-3}``.

    The function gets a sliding speed [m/s] > 0 and returns the coefficient of friction there, continuous and zero at
    speed zero; `vr` is the speed below which it goes to zero.

    >>> import carom, math
    >>> @carom.friction_law("soft stiction")
    ... def soft(speed):
    ...     return 0.3 * math.tanh(speed / 1e-3)
    """

    def named(function: N) -> N:
        _checked(name, function)
        _carom.add_friction_law(name, function)
        return function

    return named


def laws(family: str = "impact") -> Dict[str, str]:
    """Every law of a family (impact, normal, friction) with one line about it, the default first."""
    families = {"impact": _carom.impact_laws, "normal": _carom.normal_laws, "friction": _carom.friction_laws}
    if family not in families:
        raise ValueError(f"family is '{family}', expected impact, normal or friction")
    return families[family]()
