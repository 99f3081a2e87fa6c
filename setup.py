"""Builds the compiled part of the Python module by CMake; everything else is in pyproject.toml."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version() -> str:
    """The one of the project."""
    found = re.search(r"project\(carom VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found
    return found.group(1)


class CMakeBuild(build_ext):
    """Configures and builds the target carom_python for the interpreter that runs this."""

    def build_extension(self, extension: Extension) -> None:
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        folder = Path(self.build_temp).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                "cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                f"-DCAROM_PYTHON_EXECUTABLE={sys.executable}", "-DCAROM_BUILD_TESTS=OFF",
                "-DCAROM_BUILD_BENCHMARKS=OFF", "-DCAROM_MPI=OFF", *os.environ.get("CMAKE_ARGS", "").split(),
            ],
            check=True,
        )
        if not (folder / "python" / "interpreter").exists():
            raise SystemExit("the module cannot be built for this Python: it takes Python.h, numpy and pybind11")
        subprocess.run(["ninja", "-C", str(folder), "carom_python"], check=True)
        built = folder / "python" / "carom" / target.name
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


setup(
    version=version(),
    ext_modules=[Extension("carom._carom", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
