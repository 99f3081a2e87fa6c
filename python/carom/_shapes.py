"""Shapes of bodies and obstacles, with the words of the scene file."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Optional, Sequence, Union

import numpy.typing as npt

Numbers = Union[Sequence[float], npt.ArrayLike]


class Shape:
    """What all shapes are; `carom.Sphere(0.1)` stands for ``{ kind = "sphere", radius = 0.1 }``."""

    def to_table(self) -> Dict[str, Any]:
        """As the scene file has it."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Sphere(Shape):
    """A ball of that radius [m]."""

    radius: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "sphere", "radius": self.radius}


@dataclasses.dataclass(frozen=True)
class Ellipsoid(Shape):
    """Semi-axes along x, y and z [m]."""

    x: float
    y: float
    z: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "ellipsoid", "semi_axes": [self.x, self.y, self.z]}


@dataclasses.dataclass(frozen=True)
class Box(Shape):
    """Half of its sizes along x, y and z [m]."""

    x: float
    y: float
    z: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "box", "half_sizes": [self.x, self.y, self.z]}


@dataclasses.dataclass(frozen=True)
class Cylinder(Shape):
    """About z, from −half_length to half_length [m]."""

    radius: float
    half_length: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "cylinder", "radius": self.radius, "half_length": self.half_length}


@dataclasses.dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder about z with half balls at its ends [m]."""

    radius: float
    half_length: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "capsule", "radius": self.radius, "half_length": self.half_length}


@dataclasses.dataclass(frozen=True)
class Cone(Shape):
    """About z [m]."""

    radius: float
    height: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "cone", "radius": self.radius, "height": self.height}


@dataclasses.dataclass(frozen=True)
class Prism(Shape):
    """A triangle [[x, y], [x, y], [x, y]] extruded from −half_length to half_length [m]."""

    vertices: Numbers
    half_length: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "prism", "vertices": self.vertices, "half_length": self.half_length}


@dataclasses.dataclass(frozen=True)
class Convex(Shape):
    """The hull of points [[x, y, z], …] [m], or of a mesh in a file (STL, OBJ)."""

    vertices: Optional[Numbers] = None
    file: Optional[str] = None
    scale: Optional[float] = None

    def to_table(self) -> Dict[str, Any]:
        given = {"vertices": self.vertices, "file": self.file, "scale": self.scale}
        return {"kind": "convex", **{key: value for key, value in given.items() if value is not None}}


@dataclasses.dataclass(frozen=True)
class Compound(Shape):
    """Several parts: each a dict with the keys of its shape, mass or density, position and orientation."""

    parts: Sequence[Dict[str, Any]]

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "compound", "parts": list(self.parts)}


@dataclasses.dataclass(frozen=True)
class Bore(Shape):
    """The inside of a cylinder about z [m]; obstacles only."""

    radius: float
    half_length: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "bore", "radius": self.radius, "half_length": self.half_length}


@dataclasses.dataclass(frozen=True)
class Shell(Shape):
    """The inside of a sphere [m]; obstacles only."""

    radius: float

    def to_table(self) -> Dict[str, Any]:
        return {"kind": "shell", "radius": self.radius}
