"""Records in files that nobody named: they are removed with the last array that was read from them."""

from __future__ import annotations

import os
import tempfile
import weakref

from ._record import Run


def remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass


def temporary_path() -> str:
    handle, path = tempfile.mkstemp(prefix="carom-", suffix=".h5")
    os.close(handle)
    return path


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
    weakref.finalize(result._file, remove, path)
    return result
