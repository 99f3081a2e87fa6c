#!/usr/bin/env python3
"""A record read by h5py alone: every dataset says what it is, and bodies and obstacles need no scene.

usage: read_with_h5py.py CAROM SCENES    exit 77: there is no h5py here
"""
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

carom, scenes = sys.argv[1:]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def check_words(name, dataset):
    if not isinstance(dataset, h5py.Dataset):
        return
    expect("description" in dataset.attrs, f"{name} has no description")
    expect("units" in dataset.attrs, f"{name} has no units")
    for dimension in dataset.dims:
        expect(dimension.label, f"{name}: a dimension without a name")


def record_of(folder, scene, *options):
    path = f"{folder}/{scene}.h5"
    subprocess.run([carom, "run", f"{scenes}/{scene}.toml", "--progress", "none", "--out", path, *options], check=True,
                   stdout=subprocess.DEVNULL)
    return h5py.File(path)


with tempfile.TemporaryDirectory() as folder:
    with record_of(folder, "bouncing-ball", "--duration", "1") as run:
        run.visititems(check_words)
        position = run["position"]
        expect([d.label for d in position.dims] == ["time", "body", "axis"], "dimensions of position")
        expect(position.dims[0][0] == run["time"], "the scale of time")
        expect(list(position.dims[1][0].asstr()[:]) == ["ball"], "the scale of bodies")
        expect(position.attrs["units"] == b"m", "the unit of position")
        expect(list(run["model/bodies/mass"][:]) == [1.0], "the mass of the ball")
        expect(run["model/parts/shape"].asstr()[0] == "sphere" and run["model/parts/size"][0, 0] == 0.1, "its shape")
        expect(numpy.allclose(run["model/bodies/inertia"][0], 0.4 * 0.1**2), "its inertia")
        expect(run["model/parts/shape"].asstr()[1] == "plane" and run["model/parts/object"][1] == 1, "the floor")
    with record_of(folder, "ball-on-a-vibrating-table", "--duration", "0.1") as run:
        run.visititems(check_words)
        driven = run["model/obstacles/driven"][:]
        expect(driven.any(), "the table is driven")
        expect(run["obstacle_position"].shape == (len(run["time"]), len(driven), 3), "places of obstacles")
        expect(numpy.ptp(run["obstacle_position"][:, int(driven.argmax()), 2]) > 0.0, "the table moves")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
