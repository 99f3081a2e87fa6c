#!/usr/bin/env python3
"""Writes docs/python-reference.md from the docstrings of the module.

    tools/python python/generate/reference.py           writes it
    tools/python python/generate/reference.py --check   exit 1 where it is not what the docstrings say
"""

import inspect
import re
import sys
from pathlib import Path

import carom

TARGET = Path(__file__).resolve().parents[2] / "docs" / "python-reference.md"
HEAD = """# The Python module, name by name

Made from the docstrings by `python/generate/reference.py`. `tools/python` runs an interpreter with the module on its
path; units are SI, arrays are numpy's.
"""
SUBJECTS = {
    "Impact problems": ["impact", "impacts", "compare", "corner", "ImpactProblem", "Outcome", "Outcomes", "ImpactEnergy",
                        "Audit", "Corners"],
    "Scenes": ["Scene", "Shape", "Sphere", "Ellipsoid", "Box", "Cylinder", "Capsule", "Cone", "Prism", "Convex",
               "Compound", "Bore", "Shell"],
    "Simulations": ["Simulation", "State", "BodyState", "Event", "EventContact", "Jump"],
    "Runs": ["run", "open", "Run", "Body", "Energies", "EventTable"],
    "Sweeps": ["sweep", "SweepResult"],
    "Own physics": ["impact_law", "normal_force", "friction_law", "laws", "LawContacts", "ForceContact",
                    "LagrangianSystem", "run_system", "SystemRun"],
}


def signature_of(thing):
    """(parameters) as a reader wants them: without types, which editors show."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        first = (thing.__doc__ or "").splitlines()[:1]
        found = re.match(r"\w+\((.*)\) -> ", first[0]) if first else None
        if not found:
            return "(…)"
        names = re.sub(r": [\w.\[\], ]*?(?= = |, \w+[:=,]|, \*|$)", "", found.group(1))
        return f"({names})"
    texts = []
    kinds = inspect.Parameter
    starred = False
    for parameter in parameters:
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is kinds.KEYWORD_ONLY and not starred:
            texts.append("*")
            starred = True
        prefix = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        starred = starred or prefix == "*"
        default = "" if parameter.default is kinds.empty else f"={parameter.default!r}"
        texts.append(f"{prefix}{parameter.name}{default}")
    return f"({', '.join(texts)})"


def short(signature):
    """The words of the scene file have a score of keys."""
    parts = signature.strip("()").split(", ")
    return signature if len(parts) <= 7 else f"({', '.join(part.split('=')[0] for part in parts[:5])}, …)"


def doc_of(thing):
    """A docstring as Markdown: examples become code, the line of pybind11 with the signature goes."""
    text = inspect.getdoc(thing) or ""
    lines = text.splitlines()
    if lines and re.match(r"\w+\(.*\) -> ", lines[0]):
        lines = lines[1:]
    result, example = [], False
    for line in lines:
        begins = line.startswith(">>> ")
        if begins and not example:
            result += ["", "```python"]
            example = True
        if example and not line.strip():
            result += ["```", ""]
            example = False
            continue
        if not example and re.match(r"^[\w, ]+ : ", line):
            line = "- " + re.sub(r"^([\w, ]+) : ", r"`\1`: ", line)
        elif not example:
            line = re.sub(r"^    ", "  ", line)
        result.append(line if example else line.replace("``", "`"))
    if example:
        result.append("```")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(result)).strip()


def one_line(thing):
    return " ".join(doc_of(thing).split("\n\n")[0].split())


def members(cls):
    """Public properties and methods in the order in which they are written, those of the compiled base too."""
    seen = {}
    for base in reversed(cls.__mro__[:-1]):
        for name, member in vars(base).items():
            if name.startswith("_") or name in ("with_traceback", "add_note") or isinstance(member, type):
                continue
            if isinstance(member, property) or callable(member) or isinstance(member, (staticmethod, classmethod)):
                seen[name] = member
    return seen


def entry(name):
    thing = getattr(carom, name)
    if not inspect.isclass(thing):
        return f"### {name}\n\n```python\ncarom.{name}{signature_of(thing)}\n```\n\n{doc_of(thing)}\n"
    rows = []
    for key, member in members(thing).items():
        if base_is_array(thing) and not hasattr(vars(thing).get(key), "__doc__"):
            continue
        if base_is_array(thing) and key not in vars(thing):
            continue
        shown = key if isinstance(member, property) else f"{key}{short(signature_of(getattr(thing, key)))}"
        rows.append(f"| `{shown}` | {one_line(getattr(thing, key)).replace('|', '∣')} |")
    for key, line in fields_of(thing):
        rows.append(f"| `{key}` | {line} |")
    table = "\n| | |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""
    return f"### {name}\n\n{doc_of(thing)}\n{table}"


def base_is_array(cls):
    return any(base.__name__ == "ndarray" for base in cls.__mro__)


def fields_of(cls):
    """Fields of a dataclass with the text below each."""
    if not hasattr(cls, "__dataclass_fields__"):
        return []
    source = inspect.getsource(cls)
    found = []
    for name in cls.__dataclass_fields__:
        match = re.search(rf'^    {name}: [^\n]*\n    """(.*?)"""', source, re.S | re.M)
        if match:
            found.append((name, " ".join(match.group(1).split())))
    return found


def errors():
    rows = ["| exception | kind | |", "|---|---|---|"]
    from carom import _errors

    for kind, cls in _errors._CLASSES.items():
        rows.append(f"| `{cls.__name__}` | {kind} | {one_line(cls)} |")
    return f"## Exceptions\n\n### InputError\n\n{doc_of(carom.InputError)}\n\n" + "\n".join(rows) + "\n"


def text():
    parts = [HEAD]
    for subject, names in SUBJECTS.items():
        parts.append(f"## {subject}\n")
        parts += [entry(name) for name in names]
    parts.append(errors())
    return "\n".join(parts)


def main():
    wanted = text()
    listed = {name for names in SUBJECTS.values() for name in names}
    missing = [name for name in carom.__all__ if name not in listed and not name.endswith("Error")
               and name not in ("FLAGS", "STOPS", "__version__")]
    if missing:
        print(f"the reference leaves out {', '.join(missing)}")
        return 1
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != wanted:
            print(f"{TARGET.name} is not what the docstrings say; run: tools/python python/generate/{Path(__file__).name}")
            return 1
        return 0
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
