"""An impact law of one's own, beside those of the library."""

import numpy as np
import numpy.typing as npt

import carom


@carom.impact_law("hardest first")
def hardest_first(contacts: carom.LawContacts) -> npt.ArrayLike:
    """Answers the fastest approach alone, again and again, until nothing approaches."""
    delassus, restitution = contacts.delassus, contacts.restitution
    rates, impulses = contacts.rates, np.zeros(len(contacts))
    while rates.min() < -1e-12:
        i = int(np.argmin(rates))
        impulse = -(1 + restitution[i]) * rates[i] / delassus[i, i]
        impulses[i] += impulse
        rates = rates + impulse * delassus[:, i]
    return impulses


problem = carom.ImpactProblem(np.ones(3), [1, 0, 0], [[-1, 1, 0], [0, -1, 1]])
for law in ("hardest first", "sequential", "newton"):
    print(f"{law:<14}", problem.solve(law).velocity.round(6))
