"""One impact under every law: five equal balls in a row, the first one comes in at 1 m/s."""

import numpy as np

import carom

normals = np.diff(np.eye(5), axis=0)  # gap rate of a pair: the second velocity less the first
problem = carom.ImpactProblem(np.ones(5), [1, 0, 0, 0, 0], normals)

for law in ("newton", "sequential", "compliant"):
    outcome = problem.solve(law)
    print(f"{law:<12}", outcome.velocity.round(3), *outcome.flags)

# A thousand of them at once, each with its own restitution.
outcomes = carom.impacts(np.ones(5), [1, 0, 0, 0, 0], normals, restitution=np.linspace(0, 1, 1000)[:, None])
print("energy kept:", (outcomes.energy_after / outcomes.energy_before)[[0, 500, 999]].round(3))
