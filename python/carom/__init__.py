"""Impacts of rigid bodies that touch at several places at once.

    impact, impacts, ImpactProblem   one impact, many of them, one to be asked about under any law
    compare, corner                  one impact under every law; the disk in a corner
    Scene, Simulation, run, open     bodies that move: what there is, step by step, to its end, from a record
    sweep                            a scene or an impact at many values
    impact_law, normal_force, friction_law, LagrangianSystem   own physics
    InputError                       what bad input raises, with its kind, field and line

Units are SI; arrays are numpy's. Documentation: docs/python.md of the project.
"""

import atexit as _atexit
import os as _os

from . import _carom
from ._carom import (
    Audit,
    Event,
    EventContact,
    ForceContact,
    ImpactEnergy,
    ImpactProblem,
    Jump,
    LawContacts,
    Outcome,
    __version__,
)
from ._columns import Body, Energies
from ._corner import Corners, corner
from ._errors import (
    ConstraintViolatedError,
    DuplicateNameError,
    FileError,
    InputError,
    LimitError,
    MetricNotPositiveDefiniteError,
    MetricNotSymmetricError,
    MissingFieldError,
    NotFiniteError,
    OutOfRangeError,
    OverlapError,
    SceneSyntaxError,
    SizeMismatchError,
    UnknownNameError,
    UnsupportedError,
    UsageError,
    WrongTypeError,
    ZeroNormalError,
)
from ._impact import impact
from ._impacts import Outcomes, compare, impacts
from ._laws import friction_law, impact_law, laws, normal_force
from ._record import Run
from ._run import open, run
from ._scene import Scene
from ._shapes import (
    Bore,
    Box,
    Capsule,
    Compound,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Prism,
    Shape,
    Shell,
    Sphere,
)
from ._simulation import Simulation
from ._state import BodyState, State
from ._sweep import SweepResult, sweep
from ._system import LagrangianSystem, SystemRun, run_system
from ._tables import EventTable

STOPS = _carom.stop_names
"""Why a law stops, in the order of `Outcomes.stop_code`."""
FLAGS = _carom.flag_meanings()
"""The flags of the audit, each with a sentence on what it means."""

_atexit.register(_carom.end_long_work)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_carom.note_fork)

__all__ = [
    "Audit",
    "Body",
    "BodyState",
    "Bore",
    "Box",
    "Capsule",
    "Compound",
    "Cone",
    "ConstraintViolatedError",
    "Convex",
    "Corners",
    "Cylinder",
    "DuplicateNameError",
    "Ellipsoid",
    "Energies",
    "Event",
    "EventContact",
    "EventTable",
    "FLAGS",
    "FileError",
    "ForceContact",
    "ImpactEnergy",
    "ImpactProblem",
    "InputError",
    "Jump",
    "LagrangianSystem",
    "LawContacts",
    "LimitError",
    "MetricNotPositiveDefiniteError",
    "MetricNotSymmetricError",
    "MissingFieldError",
    "NotFiniteError",
    "OutOfRangeError",
    "Outcome",
    "Outcomes",
    "OverlapError",
    "Prism",
    "Run",
    "STOPS",
    "Scene",
    "SceneSyntaxError",
    "Shape",
    "Shell",
    "Simulation",
    "SizeMismatchError",
    "Sphere",
    "State",
    "SweepResult",
    "SystemRun",
    "UnknownNameError",
    "UnsupportedError",
    "UsageError",
    "WrongTypeError",
    "ZeroNormalError",
    "__version__",
    "compare",
    "corner",
    "impact",
    "friction_law",
    "impact_law",
    "impacts",
    "laws",
    "normal_force",
    "open",
    "run",
    "run_system",
    "sweep",
]
