#!/usr/bin/env python3
"""What the Python module costs on top of C++: prints figures beside what they are compared with.

    ninja -C build/release python_baseline carom && tools/python bench/python/bench.py [BUILD FOLDER]
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import carom

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/release"


def least(function, times=5):
    """The least processor time of several [s], that of all threads together."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def processor_time(command):
    """Of a child [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(what, figure, bar):
    print(f"{what:<58} {figure:<34} {bar}")


def impacts():
    metric = np.diag(1 + 0.1 * np.arange(6))
    velocity = np.array([1.0, -0.5, 0.25, 0.1, -0.2, 0.3])
    normals = np.zeros((2, 6))
    for k in (0, 1):
        normals[k, k], normals[k, k + 1], normals[k, k + 3] = -1, 1, 0.3
    for law in ("newton", "compliant"):
        single, batch = map(float, subprocess.run([str(BUILD / "bench/python_baseline"), law], check=True,
                                                  capture_output=True, text=True).stdout.split())

        def calls():
            for _ in range(2000):
                carom.impact(metric, velocity, normals, law=law, restitution=0.8)

        each = least(calls, 20) / 2000
        line(f"one impact, 6 coordinates, 2 contacts, {law}", f"{each * 1e6:.2f} µs, {(each - single) * 1e6:.2f} µs on top",
             f"C++ {single * 1e6:.2f} µs; bar 4 µs on top")
        many = velocity * (1 + 1e-6 * np.arange(100_000))[:, None]
        took = least(lambda: carom.impacts(metric, many, normals, law=law, restitution=0.8))
        line(f"a batch of 100 000, {law}", f"{took * 1e3:.1f} ms, {took / batch:.2f} of C++",
             f"C++ {batch * 1e3:.1f} ms; bar 1.2")


def runs():
    """Processor time, so that another program on the machine does not matter."""
    scene = ROOT / "scenes/digits-of-pi.toml"
    settings = {"body.heavy.mass": 1e10}
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/run.h5"
        command = [str(BUILD / "apps/carom/carom"), "run", str(scene), "--set", "body.heavy.mass=1e10"]
        tool = min(processor_time([*command, "--out", out, "--progress", "none"]) for _ in range(3))
        ours = float("inf")
        for _ in range(3):
            start = time.process_time()
            run = carom.run(scene, settings=settings)
            ours = min(ours, time.process_time() - start)
        line("a run with its record (digits of π, 10¹⁰: 314 159 impacts)", f"{ours:.3f} s of processor time, {ours / tool:.3f} of the tool",
             f"tool {tool:.3f} s; bar 1.03")
        start = time.perf_counter()
        events = run.events
        line(f"{len(events)} events as an array", f"{time.perf_counter() - start:.3f} s", "no loop of Python over events")


def memory():
    before = None
    for i in range(120_000):
        carom.impact([1.0, 1.0], [1.0, 0.0], [[-1.0, 1.0]], law="newton").velocity
        if i == 20_000:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    line("memory grown over 100 000 calls", f"{grown} kB", "bar 0")


if __name__ == "__main__":
    impacts()
    runs()
    memory()
