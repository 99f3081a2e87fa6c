"""Types: the stubs are those of the compiled module, and strict code that uses the module passes."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def checked(*command: str) -> None:
    # The caller's own path, as mypy takes it; it refuses folders of PYTHONPATH that are packages of its own.
    environment = {**os.environ, "MYPYPATH": str(PROJECT / "python")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_the_examples_are_strict(tmp_path):
    examples = sorted(str(path) for path in (PROJECT / "examples" / "python").glob("*.py"))
    cache = f"--cache-dir={tmp_path}"
    checked(sys.executable, "-m", "mypy", "--strict", cache, str(PROJECT / "python" / "carom"))
    for example in examples:
        checked(sys.executable, "-m", "mypy", "--strict", cache, example)


def test_the_stub_is_that_of_the_compiled_part():
    checked(
        sys.executable, "-m", "mypy.stubtest", "carom._carom", "--ignore-missing-stub", "--ignore-positional-only"
    )
