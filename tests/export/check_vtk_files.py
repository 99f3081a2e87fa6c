#!/usr/bin/env python3
"""Opens an export of write_vtk_files with VTK's own reader and compares it with what was recorded.

    check_vtk_files.py PROGRAM

Exit 0: all is as it should be. Exit 77: VTK is not installed (python3-vtk9), nothing was checked. Exit 1: findings.
"""

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

try:
    import vtk
except ImportError:
    print("python3-vtk9 is not installed: skipped")
    sys.exit(77)

findings = []


def expect(condition, message):
    if not condition:
        findings.append(message)


def expect_near(actual, expected, tolerance, message):
    actual = list(actual) if hasattr(actual, "__len__") else [actual]
    expected = list(expected) if hasattr(expected, "__len__") else [expected]
    good = len(actual) == len(expected) and all(abs(a - e) <= tolerance for a, e in zip(actual, expected))
    expect(good, f"{message}: {actual}, expected {expected}")


def read(path):
    """The poly data of a file; every complaint of VTK is a finding."""
    reader = vtk.vtkXMLPolyDataReader()

    def complain(_, event):
        findings.append(f"{path.name}: {event}")

    reader.AddObserver("ErrorEvent", complain)
    reader.AddObserver("WarningEvent", complain)
    expect(reader.CanReadFile(str(path)) == 1, f"{path.name}: VTK cannot read it")
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def bounds_of_cells(data, body):
    """Least and greatest coordinates of the cells of one body."""
    owner = data.GetCellData().GetArray("body")
    low, high = [float("inf")] * 3, [-float("inf")] * 3
    for cell in range(data.GetNumberOfCells()):
        if owner.GetValue(cell) != body:
            continue
        box = data.GetCell(cell).GetBounds()
        for k in range(3):
            low[k], high[k] = min(low[k], box[2 * k]), max(high[k], box[2 * k + 1])
    return low, high


def check_bodies(data, frame, name):
    expect(data.GetNumberOfPolys() == data.GetNumberOfCells() > 0, f"{name}: its cells are not polygons")
    arrays = data.GetCellData()
    for array in ("body", "velocity", "angular_velocity", "speed"):
        expect(arrays.GetArray(array) is not None, f"{name}: no array {array}")
    ball = frame["bodies"][0]
    low, high = bounds_of_cells(data, 0)
    # The ball turns about y through its poles on z: the corners on x and z leave the axes, those on y stay.
    expect_near([low[1], high[1]], [ball["position"][1] - 0.25, ball["position"][1] + 0.25], 1e-6, f"{name}: y of ball")
    for k in (0, 2):
        expect(abs(high[k] - ball["position"][k] - 0.25) < 0.003, f"{name}: greatest {'xyz'[k]} of ball {high[k]}")
        expect(abs(low[k] - ball["position"][k] + 0.25) < 0.003, f"{name}: least {'xyz'[k]} of ball {low[k]}")
    extents = {1: (0.1, 0.2, 0.3), 2: (0.1, 0.2, 0.3), 3: (0.2, 0.2, 0.5)}
    for body, extent in extents.items():
        low, high = bounds_of_cells(data, body)
        position = frame["bodies"][body]["position"]
        expect_near(low, [p - e for p, e in zip(position, extent)], 1e-5, f"{name}: least of body {body}")
        expect_near(high, [p + e for p, e in zip(position, extent)], 1e-5, f"{name}: greatest of body {body}")
    low, high = bounds_of_cells(data, 4)  # a prism about its centroid
    position = frame["bodies"][4]["position"]
    expect_near(low, [position[0] - 0.2, position[1] - 0.1, position[2] - 0.5], 1e-5, f"{name}: least of the prism")
    expect_near(high, [position[0] + 0.4, position[1] + 0.2, position[2] + 0.5], 1e-5, f"{name}: greatest of the prism")
    owner, velocity = arrays.GetArray("body"), arrays.GetArray("velocity")
    for cell in range(0, data.GetNumberOfCells(), 17):
        wanted = frame["bodies"][int(owner.GetValue(cell))]["velocity"]
        expect_near(velocity.GetTuple(cell), wanted, 1e-5, f"{name}: velocity")


def check_points(data, frame, names, name):
    count = len(frame["bodies"])
    expect(data.GetNumberOfPoints() == data.GetNumberOfVerts() == count, f"{name}: not a vertex per body")
    arrays = data.GetPointData()
    for i, body in enumerate(frame["bodies"]):
        expect(data.GetPoint(i) == tuple(body["position"]), f"{name}: position {i}")
        for array in ("velocity", "angular_velocity", "orientation"):
            expect(arrays.GetArray(array).GetTuple(i) == tuple(body[array]), f"{name}: {array} {i}")
        expect(arrays.GetArray("body").GetValue(i) == i, f"{name}: body {i}")
    table = data.GetFieldData().GetAbstractArray("names")
    expect(table is not None and table.IsA("vtkStringArray") == 1, f"{name}: no table of names")
    if table is not None:
        found = [table.GetValue(i) for i in range(table.GetNumberOfValues())]
        expect(found == names, f"{name}: names {found}")
    expect(data.GetFieldData().GetArray("TimeValue").GetValue(0) == frame["time"], f"{name}: TimeValue")


def check_contacts(data, wanted, name):
    expect(data.GetNumberOfPoints() == data.GetNumberOfVerts() == len(wanted), f"{name}: {len(wanted)} contacts expected")
    arrays = data.GetPointData()
    for i, contact in enumerate(wanted[: data.GetNumberOfPoints()]):
        expect(data.GetPoint(i) == tuple(contact["point"]), f"{name}: point {i}")
        expect(arrays.GetArray("normal").GetTuple(i) == tuple(contact["normal"]), f"{name}: normal {i}")
        for array in ("impulse", "time", "event", "a", "b"):
            expect(arrays.GetArray(array).GetTuple(i) == (contact[array],), f"{name}: {array} {i}")
        vector = [contact["impulse"] * n + t for n, t in zip(contact["normal"], contact["tangential"])]
        expect_near(arrays.GetArray("impulse_vector").GetTuple(i), vector, 1e-12, f"{name}: impulse_vector {i}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        printed = subprocess.run([sys.argv[1], scratch], check=True, capture_output=True, text=True).stdout
        wanted = json.loads(printed)
        folder = Path(scratch) / "vtk"
        sets = xml.etree.ElementTree.parse(folder / "run.pvd").getroot().find("Collection").findall("DataSet")
        listed = {(float(entry.get("timestep")), int(entry.get("part"))): entry.get("file") for entry in sets}
        frames = wanted["frames"]
        expect(len(listed) == 5 * len(frames), f"run.pvd lists {len(listed)} files")
        checked = 0
        before = -1.0
        for frame in frames:
            time = frame["time"]
            files = [folder / listed[(time, part)] for part in range(5)]
            check_bodies(read(files[0]), frame, files[0].name)
            check_points(read(files[1]), frame, wanted["names"], files[1].name)
            new = [contact for contact in wanted["contacts"] if before < contact["time"] <= time]
            check_contacts(read(files[2]), new, files[2].name)
            obstacles = read(files[3])
            expect(obstacles.GetNumberOfPolys() == 1, "obstacles.vtp: one plane")
            expect_near(obstacles.GetBounds()[4:], [0.0, 0.0], 1e-5, "obstacles.vtp: height")
            expect_near(read(files[4]).GetBounds()[4:], [-30.0 + time] * 2, 1e-4, f"{files[4].name}: height")
            checked += len(files)
            before = time
        expect(len(wanted["contacts"]) > 0, "no contacts at all")
    for finding in findings[:40]:
        print(finding)
    print(f"check_vtk_files: {checked} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
