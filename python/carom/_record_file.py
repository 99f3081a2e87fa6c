"""The file of a record: whether it is open and whole, and what it says of the run that wrote it."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Tuple, TypeVar, cast

from . import _carom
from ._errors import FileError
from ._scene import PathLike, Scene

Self = TypeVar("Self", bound="Record")


class Record:
    """A record file that is open, until it is closed."""

    def __init__(self, path: PathLike) -> None:
        self._file = _carom.RecordFile(os.fspath(path))

    @property
    def path(self) -> str:
        """Of the record file."""
        return self._file.path

    def save(self, path: PathLike) -> None:
        """Copies the record to a place where it stays."""
        import shutil

        try:
            shutil.copyfile(self._open_path(), os.fspath(path))
        except OSError as error:
            raise FileError(f"cannot copy '{self.path}' to '{os.fspath(path)}': {error.strerror or error}", "file") from error

    def close(self) -> None:
        """Lets the file go. Arrays that were read stay; anything else but `refresh` raises `FileError` from now on."""
        self._file.close()

    def _open_path(self) -> str:
        """The path of a record that is not closed. Raises `FileError`."""
        self._file.complete  # raises where it is closed
        return self._file.path

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._file.closed

    def refresh(self: Self) -> Self:
        """The same file opened again: of a record that is being written, with what has come since."""
        return type(self)(self.path)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def summary(self) -> Dict[str, Any]:
        """What ``carom run --json`` prints; empty where the run has not ended."""
        text = self._file.summary
        return cast(Dict[str, Any], json.loads(text)) if text else {}

    @property
    def complete(self) -> bool:
        """Whether the run came to its end, whatever that was; False while it is being written."""
        return self._file.complete

    @property
    def stop(self) -> str:
        """Why the run ended: duration, at-rest, event-limit, interrupted, failed; empty while it goes on."""
        return self._file.stop

    @property
    def engine(self) -> str:
        """event or smooth."""
        return self._file.engine

    @property
    def law(self) -> str:
        """The impact law; empty where contacts have forces."""
        return self._file.law

    @property
    def scene(self) -> Scene:
        """The scene that was run, with its settings."""
        return Scene(self._file.scene())

    def __reduce__(self) -> Tuple[Any, ...]:
        from ._temporary import run_of_bytes

        try:
            with open(self._open_path(), "rb") as file:
                return (run_of_bytes, (file.read(),))
        except OSError as error:
            raise FileError(f"cannot read the record '{self.path}': {error.strerror}", "file") from error
