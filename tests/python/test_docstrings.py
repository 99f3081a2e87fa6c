"""What the docstrings say: every public name has one, their examples run, and the reference is made of them."""

import doctest
import importlib.util
import inspect
import runpy
from pathlib import Path

import pytest

import carom
from carom import _carom, _corner, _errors, _impact, _impacts, _laws, _record, _run, _scene, _simulation, _sweep, _system

PROJECT = Path(__file__).resolve().parents[2]


def test_every_public_name_says_what_it_is():
    for name in carom.__all__:
        thing = getattr(carom, name)
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        assert inspect.getdoc(thing), name
        if not inspect.isclass(thing):
            continue
        members = {key: member for base in thing.__mro__ if base.__module__.startswith("carom") for key, member in vars(base).items()}
        for key, member in members.items():
            if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(getattr(thing, key)), f"{name}.{key}"


@pytest.mark.parametrize("module", [_corner, _errors, _impact, _impacts, _laws, _record, _run, _scene, _simulation, _sweep, _system])
def test_examples_of_the_docstrings_run(module):
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(exclude_empty=True).find(module):
        runner.run(example, clear_globs=False)  # laws that an example names are asked later on, by `compare`
    assert runner.tries > 0 and runner.failures == 0


def test_examples_of_the_compiled_part_run():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    tried = 0
    for name in ("ImpactProblem", "Outcome"):
        example = parser.get_doctest(getattr(_carom, name).__doc__, {}, name, None, None)
        tried += runner.run(example).attempted
    assert tried > 2 and runner.failures == 0


def test_the_reference_is_made_of_the_docstrings():
    path = PROJECT / "python" / "generate" / "reference.py"
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text(encoding="utf-8") == module.text()


def test_the_examples_of_the_project_run(capsys):
    for path in sorted((PROJECT / "examples" / "python").glob("*.py")):
        runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    assert "newton       [-0.6  0.4  0.4  0.4  0.4]" in printed
    assert "restitution 0.900000" in printed
    assert "hardest first  [0. 0. 1.]" in printed
