"""Types: the stubs are those of the compiled module, and strict code that uses the module passes.

mypy reads numpy's types for some forty seconds: `./test --all` only.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif("CAROM_EVERY_SCENE" not in os.environ, reason="takes long; ./test --all")
PROJECT = Path(__file__).resolve().parents[2]


def checked(*command: str) -> None:
    # The caller's own path, as mypy takes it; it refuses folders of PYTHONPATH that are packages of its own.
    environment = {**os.environ, "MYPYPATH": str(PROJECT / "python")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_the_examples_are_strict(tmp_path):
    program = tmp_path / "all_examples.py"
    examples = sorted((PROJECT / "examples" / "python").glob("*.py"))
    # One call for all, so that the package is read once.
    program.write_text("\n".join(path.read_text() for path in examples))
    checked(sys.executable, "-m", "mypy", "--strict", f"--cache-dir={tmp_path}", str(PROJECT / "python/carom"), str(program))


def test_the_stub_is_that_of_the_compiled_part():
    checked(
        sys.executable, "-m", "mypy.stubtest", "carom._carom", "--ignore-missing-stub", "--ignore-positional-only",
        "--mypy-config-file", str(PROJECT / "pyproject.toml"),
        "--allowlist", str(Path(__file__).resolve().parent / "stubtest_allowlist.txt"),
    )
