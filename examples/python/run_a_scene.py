"""A ball that bounces: built, run, and asked about."""

import numpy as np

import carom

scene = carom.Scene()
scene.set_world(gravity=[0, 0, -9.81])
scene.set_run(duration=3.0)
scene.add_material("rubber")
scene.add_pair(materials=["rubber", "rubber"], restitution=0.9)
scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, material="rubber", position=[0, 0, 1.1])
scene.add_plane("floor", normal=[0, 0, 1], material="rubber")

run = carom.run(scene)
impacts = run.events[run.events["kind"] == "impact"]
print("impacts at", impacts["time"].round(6))
first = float(impacts["time"][0])
before, after = run.at(first, side="before")["ball"].velocity[2], run.at(first)["ball"].velocity[2]
print(f"restitution {-after / before:.6f}")
print(f"highest after the first impact {np.max(run['ball'].position[run.time > first, 2]):.3f} m")
