"""Records in files that nobody named: they are removed with the last array that was read from them."""

from __future__ import annotations

import contextlib
import os
import tempfile
import weakref

from ._record import Run


def remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(path))


def _remove_as(process: int, path: str) -> None:
    """A child of a fork has the objects of its parent too, and leaves the file to it."""
    if os.getpid() == process:
        remove(path)


def temporary_path() -> str:
    """In a folder of its own: films show the name of their record, and this one says nothing by it."""
    return os.path.join(tempfile.mkdtemp(prefix="carom-"), "run.h5")


def run_of_bytes(content: bytes) -> Run:
    """Of a record that came from another process."""
    path = temporary_path()
    with open(path, "wb") as file:
        file.write(content)
    return opened_temporary(path)


def opened_temporary(path: str) -> Run:
    """The record there, which goes when nothing needs it any more."""
    try:
        result = Run(path)
    except BaseException:
        remove(path)
        raise
    weakref.finalize(result._file, _remove_as, os.getpid(), path)
    return result
