#!/usr/bin/env python3
"""Writes python/carom/_scene_words.py: the words of the scene file as methods, from the schema of the library.

    tools/python python/generate/scene_words.py           writes it
    tools/python python/generate/scene_words.py --check   exit 1 where it is not what the schema says
"""

import json
import keyword
import sys
import textwrap
from pathlib import Path

from carom import _carom

TARGET = Path(__file__).resolve().parents[1] / "carom" / "_scene_words.py"
HEAD = '''"""The words of the scene file as methods of a scene. Made by python/generate/scene_words.py; change nothing here."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Union

import numpy.typing as npt

from ._shapes import Shape

Numbers = Union[Sequence[float], npt.ArrayLike]


class SceneWords:
    """What can be added to a scene, key by key. Keys that are None are left out; nothing is checked before the scene
    is: `check`, or the first run, says what is wrong."""

    def _add(self, section: str, entry: Dict[str, Any]) -> None:
        raise NotImplementedError

    def _put(self, section: str, entry: Dict[str, Any]) -> None:
        raise NotImplementedError
'''


def keys_of(schema):
    """The keys of a section: of all its kinds where it has several."""
    keys = {}
    for form in schema.get("oneOf", [schema]):
        for name, key in form.get("properties", {}).items():
            if "const" in key:
                key = {"type": "string", "description": key.get("description", "which of its kinds it is")}
            keys.setdefault(name, key)
    return keys


def type_of(name, key):
    if name == "shape":
        return "Union[Shape, Dict[str, Any]]"
    kind = key.get("type")
    if "enum" in key or kind == "string":
        return "str"
    if kind in ("number", "integer", "boolean"):
        return {"number": "float", "integer": "int", "boolean": "bool"}[kind]
    if kind == "array":
        item = key.get("items", {}).get("type")
        return "Sequence[str]" if item == "string" else "Numbers" if item in ("number", "array") else "Sequence[Any]"
    return "Any"


def method(prefix, section, schema, call):
    keys = keys_of(schema)
    names = list(keys)
    lines = [f"    def {prefix}_{section}("]
    lines.append("        self,")
    positional = prefix == "add" and names[0] == "name"
    for i, name in enumerate(names):
        if i == 0 and not positional:
            lines.append("        *,")
        assert not keyword.iskeyword(name)
        lines.append(f"        {name}: Optional[{type_of(name, keys[name])}] = None," if not (positional and i == 0)
                     else f"        {name}: {type_of(name, keys[name])},")
        if i == 0 and positional:
            lines.append("        *,")
    lines.append("    ) -> None:")
    title = schema.get("description") or f"a {section}"
    lines.append(f'        """{title[0].upper()}{title[1:]}.')
    lines.append("")
    for name in names:
        text = f"{name} : {keys[name].get('description', '')}"
        if "enum" in keys[name] and len(keys[name]["enum"]) <= 8 and name != "law":
            text += f" ({', '.join(map(str, keys[name]['enum']))})"
        lines += textwrap.wrap(text.strip(), 108, initial_indent=" " * 8, subsequent_indent=" " * 12)
    lines.append('        """')
    lines.append(f"        self.{call}(")
    lines.append(f'            "{section}",')
    lines.append("            {")
    lines += [f'                "{name}": {name},' for name in names]
    lines.append("            },")
    lines.append("        )")
    return "\n".join(lines)


def text():
    schema = json.loads(_carom.scene_schema())
    parts = [HEAD.rstrip("\n")]
    for section, what in schema["properties"].items():
        if what.get("type") == "object":
            parts.append(method("set", section, what, "_put"))
        elif what.get("type") == "array":
            items = dict(what["items"])
            items.setdefault("description", what.get("description", ""))
            parts.append(method("add", section, items, "_add"))
    return "\n\n".join(parts) + "\n"


def main():
    wanted = text()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != wanted:
            print(f"{TARGET.name} is not what the schema says; run: tools/python python/generate/{Path(__file__).name}")
            return 1
        return 0
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
