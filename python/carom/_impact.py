"""One impact problem under one law."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

import numpy.typing as npt

from . import _carom
from ._impacts import Law

ArrayLike = npt.ArrayLike


def impact(
    metric: ArrayLike,
    velocity: ArrayLike,
    normals: ArrayLike,
    *,
    restitution: Optional[ArrayLike] = None,
    offsets: Optional[ArrayLike] = None,
    tangents: Optional[ArrayLike] = None,
    tangent_offsets: Optional[ArrayLike] = None,
    friction: Optional[ArrayLike] = None,
    rough: Optional[ArrayLike] = None,
    tangential_restitution: Optional[ArrayLike] = None,
    stiffness: Optional[ArrayLike] = None,
    tangential_stiffness_ratio: Optional[ArrayLike] = None,
    persistent: Optional[ArrayLike] = None,
    supports: Optional[Sequence[int]] = None,
    options: Optional[Dict[str, Any]] = None,
    law: Optional[Law] = None,
    audit: str = "basic",
) -> _carom.Outcome:
    """Puts one impact problem through a law and audits the outcome.

    Parameters: n coordinates, m contacts.

    metric : (n, n), or (n,) for a diagonal one. Kinetic energy is v @ metric @ v / 2.
    velocity : (n,), just before the impact.
    normals : (m, n). The gap rate of contact i is normals[i] @ velocity + offsets[i]; negative approaches.
    restitution : from 0 to 1, one number or (m,). Default 1.
    offsets : gap rates of contacts at rest against moving walls, one number or (m,). Default 0.
    tangents : (m, n) or (m, t, n), rows of slip; with friction one row, or two that are orthonormal.
    tangent_offsets : (m,) or (m, t).
    friction : Coulomb's coefficient, one number or (m,). Default 0.
    rough : True where a contact does not slip.
    tangential_restitution, stiffness, tangential_stiffness_ratio : one number or (m,).
    persistent : (k, n), rows that stay zero. supports : which of them only push.
    options : a dict such as {"max_steps": 1000}, see `carom laws`.
    law : a name, or a function from LawContacts to impulses (m,). Default compliant.
    audit : "basic" or "full".

    >>> import carom
    >>> carom.impact([1, 1, 1], [1, 0, 0], [[-1, 1, 0], [0, -1, 1]], law="newton").velocity.round(6)
    array([-0.333333,  0.666667,  0.666667])
    """
    return _carom.impact(
        metric,
        velocity,
        normals,
        restitution,
        offsets,
        tangents,
        tangent_offsets,
        friction,
        rough,
        tangential_restitution,
        stiffness,
        tangential_stiffness_ratio,
        persistent,
        supports,
        options,
        law,
        audit,
    )
