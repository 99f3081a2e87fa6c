"""Which Python the module is built for: the first that serves, whatever else the PATH has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def chosen(tmp_path, path, *options):
    """(interpreter, why not others) as the build finds them."""
    script = tmp_path / "ask.cmake"
    script.write_text(
        f'include("{PROJECT}/cmake/FindServingPython.cmake")\n'
        'file(WRITE "${ANSWER}" "${SERVING_PYTHON}|${SERVING_PYTHON_INCLUDE}|${SERVING_PYTHON_WHY}")\n'
    )
    answer = tmp_path / "answer"
    subprocess.run(
        ["cmake", f"-DANSWER={answer}", *options, "-P", str(script)], check=True, env={**os.environ, "PATH": path}
    )
    return answer.read_text().split("|")


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_an_interpreter_that_does_not_serve_is_passed_over(tmp_path):
    texts = {
        "has no numpy": "#!/bin/sh\necho 'has no numpy' >&2\nexit 1\n",
        "does not run (3)": "#!/bin/sh\nexit 3\n",
        "does not run (0)": "#!/bin/sh\necho nonsense\n",
    }
    fakes = []
    for number, text in enumerate(texts.values()):
        fakes.append(tmp_path / str(number) / "python3")
        fakes[-1].parent.mkdir()
        fakes[-1].write_text(text)
        fakes[-1].chmod(0o755)
    found, include, why = chosen(tmp_path, ":".join([*(str(fake.parent) for fake in fakes), os.environ["PATH"]]))
    assert found and Path(found) not in fakes and (Path(include) / "Python.h").exists()
    for fake, word in zip(fakes, texts):
        assert f"{fake} {word}" in why
    found, _, why = chosen(tmp_path, os.environ["PATH"], f"-DCAROM_PYTHON_EXECUTABLE={fakes[1]}")
    assert found == "" and why == f"{fakes[1]} does not run (3)"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_a_wrapper_may_say_something_first(tmp_path):
    wrapper = tmp_path / "python3"
    wrapper.write_text(f'#!/bin/sh\necho welcome\nexec "{sys.executable}" "$@"\n')
    wrapper.chmod(0o755)
    found, include, _ = chosen(tmp_path, f"{tmp_path}:{os.environ['PATH']}")
    assert found == str(wrapper) and (Path(include) / "Python.h").exists()
