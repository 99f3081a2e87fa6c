"""The stub names what the compiled module has, with the same parameters. mypy's stubtest says the same in ./test --all, and
more; this takes no time."""

import ast
import re
from pathlib import Path

import pytest

from carom import _carom

STUB = ast.parse((Path(__file__).resolve().parents[2] / "python" / "carom" / "_carom.pyi").read_text(encoding="utf-8"))
HELPERS = ("__getstate__", "__setstate__", "__len__")


def described(thing):
    """Parameters by the signature that pybind11 writes at the head of a docstring; None where there is none."""
    head = (thing.__doc__ or "").split("\n")[0]
    found = re.match(r"\w+\((.*)\) -> ", head)
    if not found or "*args" in head:
        return None
    return re.findall(r"(?:^|, )(\w+): ", re.sub(r"\[[^\]]*\]|\{[^}]*\}", "", found.group(1)))


def parameters(function):
    every = function.args
    return [argument.arg for argument in [*every.posonlyargs, *every.args, *every.kwonlyargs]]


def members(body):
    """Functions (of overloads the last), and other names, of a module or a class."""
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    others = {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return functions, others


CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def is_property(function):
    return any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in function.decorator_list)


def test_the_module_has_what_the_stub_names():
    functions, values = members(STUB.body)
    assert {*functions, *values, *CLASSES} - {"__version__"} == {name for name in vars(_carom) if not name.startswith("__")}
    for name, function in functions.items():
        asked = described(getattr(_carom, name))
        assert asked is None or asked == parameters(function), name


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_what_the_stub_names(name):
    functions, _ = members(CLASSES[name].body)
    runtime = vars(getattr(_carom, name))
    assert {key for key in functions if key != "__init__"} == {
        key for key in runtime if key in HELPERS or not (key.startswith("__") or key.startswith("_pybind11"))
    } | ({"_repr_html_"} & set(functions))
    for key, function in functions.items():
        if key == "__init__" or key not in runtime:
            continue
        assert is_property(function) == isinstance(runtime[key], property), key
        asked = None if is_property(function) else described(getattr(getattr(_carom, name), key))
        assert asked is None or asked == parameters(function), key
