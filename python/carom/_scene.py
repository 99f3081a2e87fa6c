"""Scenes: read from a file, or built with the words of the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union, cast

from . import _carom
from ._display import counted
from ._errors import InputError, UsageError, WrongTypeError
from ._scene_words import SceneWords

if TYPE_CHECKING:
    from ._record import Run

PathLike = Union[str, "os.PathLike[str]"]


class Scene(SceneWords, _carom.Scene):
    """What there is, how it moves at the start, and how it is to be run.

    Values are found by the dotted paths of ``carom run --set``. Nothing is checked when it is set; `check` lists all
    that is wrong, and running throws the first of that. A scene is a value: simulations and runs have a copy of it.

    >>> import carom
    >>> scene = carom.Scene()
    >>> scene.set_world(gravity=[0, 0, -9.81])
    >>> scene.set_run(duration=1.0)
    >>> scene.add_body("ball", shape=carom.Sphere(0.1), mass=1, position=[0, 0, 1.1])
    >>> scene.add_plane("floor", normal=[0, 0, 1])
    >>> scene.check()
    []
    >>> scene["body.ball.position.2"] = 2.1
    >>> scene["body.ball.position"]
    [0, 0, 2.1]
    """

    def __init__(self, scene: Optional[_carom.Scene] = None) -> None:
        if scene is None:
            _carom.Scene.__init__(self)
        else:
            _carom.Scene.__init__(self, scene)

    @classmethod
    def read(cls, path: PathLike) -> "Scene":
        """Reads a scene file. Raises `FileError` and `SceneSyntaxError`."""
        return cls(_carom.Scene._read(os.fspath(path)))

    @classmethod
    def parse(cls, text: str, name: str = "scene") -> "Scene":
        """The same of a text; `name` stands for the file in messages."""
        return cls(_carom.Scene._parse(text, name))

    def __getitem__(self, path: str) -> Any:
        return self.get(path)

    def __setitem__(self, path: str, value: Any) -> None:
        self.set(path, value)

    def __delitem__(self, path: str) -> None:
        self.set(path, None)

    def __contains__(self, path: object) -> bool:
        """Whether there is a value at a path: ``"body.ball.mass" in scene``."""
        try:
            return isinstance(path, str) and self.get(path) is not None
        except UsageError:
            return False

    __iter__ = None  # paths are without end; what there is, is in to_toml()

    def _add(self, section: str, entry: Dict[str, Any]) -> None:
        self.add(section, entry)

    def _put(self, section: str, entry: Dict[str, Any]) -> None:
        for key, value in entry.items():
            if value is not None:
                self.set(f"{section}.{key}", value)

    def copy(self) -> "Scene":
        """An independent copy."""
        return type(self)(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Scene":
        return self.copy()

    def with_settings(self, settings: Dict[str, Any]) -> "Scene":
        """A copy with some values changed: ``scene.with_settings({"run.law": "newton"})``."""
        scene = self.copy()
        for path, value in settings.items():
            scene[path] = value
        return scene

    def check(self) -> List[InputError]:
        """Everything that is wrong with the scene, as a list of exceptions; empty where it can be run."""
        return cast(List[InputError], super().check())

    def first_impact(self) -> Optional[_carom.ImpactProblem]:
        """The first impact as a problem that any law can be asked about; None where nothing strikes."""
        return self._first_impact()

    def run(self, **options: Any) -> "Run":
        """Runs it: the same as ``carom.run(scene, …)``."""
        from ._run import run

        return run(self, **options)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _carom.Scene):
            return NotImplemented
        return self.to_toml() == other.to_toml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        title = self.get("title")
        what = repr(title) if title else self.name or "built in Python"
        bodies = self.get("body") if "body" in self else None
        return f"<Scene {what}: {counted(len(bodies), 'body')}>" if isinstance(bodies, list) else f"<Scene {what}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.to_toml())}</pre>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_restored, (type(self), self._text(), self.name or "scene", self._settings()))


def _restored(cls: type, text: str, name: str, settings: List[str]) -> Scene:
    return cast(Scene, cls(_carom.Scene._restored(text, name, settings)))


def scene_of(scene: Union[_carom.Scene, PathLike]) -> Scene:
    """A scene, or the path of one."""
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, _carom.Scene):
        return Scene(scene)
    if not isinstance(scene, (str, os.PathLike)):
        raise WrongTypeError(
            f"scene is of the type {type(scene).__name__}, expected a Scene or the path of a scene file",
            "wrong-type",
            field="scene",
        )
    return Scene.read(scene)
