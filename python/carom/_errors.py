"""Bad input as exceptions: one class for each kind of mistake, all of them `InputError`."""

from __future__ import annotations

import operator
from typing import Any, Dict, Mapping, Optional, Tuple, Type


class InputError(ValueError):
    """Something is wrong with the input; the text says what, where, and what was expected.

    The text is that of the command line tool, with the line of the file underlined where there is one.

    >>> import carom
    >>> try:
    ...     carom.impact([[1.0]], [-1.0], [[1.0]], law="newtn")
    ... except carom.InputError as error:
    ...     print(error.kind, error.field)
    unknown-name law
    """

    kind: str
    """Name of the kind, such as ``out-of-range``."""
    message: str
    """One sentence."""
    field: Optional[str]
    """Dotted path of the value, such as ``body.egg.mass``; None where there is none."""
    file: Optional[str]
    """File, as it was named; None where there is none."""
    line: Optional[int]
    """Line of the file, from 1; None where there is none."""
    column: Optional[int]
    """Character of the line, from 1; None where there is none."""

    def __init__(
        self,
        message: str,
        kind: str = "usage",
        text: Optional[str] = None,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        field: Optional[str] = None,
    ) -> None:
        super().__init__(text if text is not None else message)
        self.message = message
        self.kind = kind
        self.file = file or None
        self.line = line or None
        self.column = column or None
        self.field = field or None

    def __reduce__(self) -> Tuple[object, ...]:
        return (
            type(self),
            (self.message, self.kind, str(self), self.file, self.line, self.column, self.field),
        )


class UsageError(InputError):
    """A call that makes no sense: a path that leads nowhere, choices that exclude each other."""


class SceneSyntaxError(InputError):
    """The text is no TOML or JSON."""


class UnknownNameError(InputError):
    """A name that nobody knows; the nearest known one is in the text."""


class DuplicateNameError(InputError):
    """A name that is there already."""


class MissingFieldError(InputError):
    """Something that is required is not there."""


class WrongTypeError(InputError, TypeError):
    """A text where a number is expected, and the like."""


class OutOfRangeError(InputError):
    """A number that makes no sense: a negative mass, a restitution of 2."""


class SizeMismatchError(InputError):
    """Arrays whose shapes do not fit."""


class NotFiniteError(InputError):
    """NaN or infinity."""


class MetricNotSymmetricError(InputError):
    """A kinetic metric that is not symmetric."""


class MetricNotPositiveDefiniteError(InputError):
    """A kinetic metric under which something moves without energy."""


class ZeroNormalError(InputError):
    """A contact whose normal is zero."""


class ConstraintViolatedError(InputError):
    """Velocities or places that the constraints do not allow."""


class OverlapError(InputError):
    """Bodies that overlap at the start."""


class UnsupportedError(InputError):
    """Something that makes sense and cannot be done; the text says what can."""


class FileError(InputError):
    """A file that cannot be read or written, or is not what it should be."""


class LimitError(InputError):
    """More than there is room for."""


_CLASSES: Dict[str, Type[InputError]] = {
    "usage": UsageError,
    "syntax": SceneSyntaxError,
    "unknown-name": UnknownNameError,
    "duplicate-name": DuplicateNameError,
    "missing-field": MissingFieldError,
    "wrong-type": WrongTypeError,
    "out-of-range": OutOfRangeError,
    "size-mismatch": SizeMismatchError,
    "not-finite": NotFiniteError,
    "metric-not-symmetric": MetricNotSymmetricError,
    "metric-not-positive-definite": MetricNotPositiveDefiniteError,
    "zero-normal": ZeroNormalError,
    "constraint-violated": ConstraintViolatedError,
    "overlap": OverlapError,
    "unsupported": UnsupportedError,
    "file": FileError,
    "limit": LimitError,
}


def one_number(value: object, field: str, hint: str = "") -> float:
    """A number that is asked for alone; `hint` says what takes many. Raises `WrongTypeError`."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise OutOfRangeError(f"{field} is larger than any number of 64 bits", "out-of-range", field=field) from None
    except (TypeError, ValueError):
        pass
    shape = getattr(value, "shape", None)
    what = f"has the shape {shape}" if shape else f"is of the type {type(value).__name__}"
    raise WrongTypeError(f"{field} {what}, expected one number{hint if hasattr(value, '__len__') else ''}", "wrong-type", field=field)


def function_or_none(value: object, field: str) -> None:
    """Raises `WrongTypeError` where it is neither."""
    if value is not None and not callable(value):
        raise WrongTypeError(
            f"{field} is of the type {type(value).__name__}, expected a function", "wrong-type", field=field
        )


def by_name(value: object, field: str, example: str) -> None:
    """Raises `WrongTypeError` where it is no dict."""
    if not isinstance(value, Mapping):
        raise WrongTypeError(
            f"{field} is of the type {type(value).__name__}, expected a dict such as {example}", "wrong-type", field=field
        )


def numbers(value: object, name: str) -> Any:
    """An array of real numbers, as it is. Raises `WrongTypeError`."""
    import numpy as np

    try:
        array = np.asarray(value)
    except ValueError:
        raise WrongTypeError(f"{name} has no shape, expected an array of numbers", "wrong-type", field=name) from None
    if array.dtype.kind not in "fiub":
        raise WrongTypeError(f"{name} is an array of {array.dtype}, expected numbers", "wrong-type", field=name)
    masks: Any = np.ma  # has no types
    if masks.is_masked(value):
        raise WrongTypeError(f"{name} has masked entries, expected numbers", "wrong-type", field=name)
    return array


def whole_number(value: object, field: str, least: int = 0, most: int = 2**31 - 1) -> int:
    """A whole number that is asked for, of numpy too. Raises `WrongTypeError`, `OutOfRangeError`."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        what = f"is {value}" if isinstance(value, float) else f"is of the type {type(value).__name__}"
        raise WrongTypeError(f"{field} {what}, expected a whole number", "wrong-type", field=field) from None
    if not least <= number <= most:
        raise OutOfRangeError(
            f"{field} is {number}, expected a whole number from {least} to {most}", "out-of-range", field=field
        )
    return number


def make(kind: str, message: str, text: str, file: str, line: int, column: int, field: str) -> InputError:
    """The exception of an error of the library."""
    return _CLASSES.get(kind, InputError)(message, kind, text, file, line, column, field)
