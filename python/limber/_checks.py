# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Findings, errors, and arguments: each check names the argument and what was expected."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _limber

Path = Union[str, "os.PathLike[str]"]
Array = NDArray[np.float64]
Vector = Union[Sequence[float], NDArray[Any]]
Triple = Tuple[float, float, float]


@dataclass(frozen=True)
class Finding:
    """One finding about a file: what, where, and how often.

    >>> import limber
    >>> print(limber.Finding("warning", "frame-count", "a.bvh", 12, 0, -1, "two frames", 1))
    a.bvh:12: warning: two frames
    """

    severity: str  #: "warning" or "error".
    kind: str  #: A stable word that programs may compare: "frame-count".
    file: str  #: The file's name; empty where there is none.
    line: int  #: From 1; 0 where not known.
    column: int  #: From 1; 0 where not known.
    byte: int  #: From 0; -1 where not known.
    message: str  #: For people.
    count: int  #: How often it was found.

    def __str__(self) -> str:
        place = self.file
        if self.line > 0:
            place += f":{self.line}" + (f":{self.column}" if self.column > 0 else "")
        elif self.byte >= 0:
            place += f": byte {self.byte}"
        times = f" ({self.count} times)" if self.count > 1 else ""
        return f"{place + ': ' if place else ''}{self.severity}: {self.message}{times}"


@dataclass(frozen=True)
class Guess:
    """Something that a file leaves open, and how it was settled.

    >>> import limber
    >>> limber.read("data/clips/walk.bvh").guesses[0].what
    'unit'
    """

    what: str  #: "unit", "up_axis", "rate_hz".
    value: str  #: What was taken: "cm".
    reason: str  #: Why.
    sure: bool  #: Whether there is hardly another way to read the file.


class InputError(ValueError):
    """A file or a value that cannot be used. The text has the place in the file.

    >>> import limber
    >>> try:
    ...     limber.read("no_such.bvh")
    ... except limber.InputError as error:
    ...     print(error.findings[0].file)
    no_such.bvh
    """

    findings: List[Finding]  #: What was found, errors and warnings.

    def __init__(self, text: str, findings: Sequence[Tuple[Any, ...]] = ()) -> None:
        super().__init__(in_python(text))
        self.findings = findings_of(findings)

    def __reduce__(self) -> Any:
        rows = [(f.severity, f.kind, f.file, f.line, f.column, f.byte, f.message, f.count)
                for f in self.findings]
        return (InputError, (str(self), rows))


def in_python(text: str) -> str:
    """The program's flags as the arguments of functions: `--lock-feet` is `lock_feet`."""
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag.group(1).replace("-", "_"), text)


def findings_of(rows: Iterable[Tuple[Any, ...]]) -> List[Finding]:
    """The findings of the compiled part, which speak of flags as of arguments."""
    return [Finding(severity, kind, file, line, column, byte, in_python(message), times)
            for severity, kind, file, line, column, byte, message, times in rows]


_limber.set_input_error(InputError)

T = TypeVar("T")


def call(function: Callable[..., T], *arguments: Any) -> T:
    """Calls the compiled part; what it says of flags is said of arguments."""
    try:
        return function(*arguments)
    except InputError:
        raise
    except (ValueError, RuntimeError) as error:
        raise type(error)(in_python(str(error))) from None


def short(value: Any) -> str:
    """What was found, in a few words."""
    try:
        words = repr(value)
    except Exception:  # Of others' objects, and of ours that nobody has filled.
        words = f"<{type(value).__name__} that cannot be shown>"
    return words if len(words) <= 80 else words[:77] + "..."


def path_text(path: Any, name: str = "path") -> str:
    """A path as text."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, found {short(path)}")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected a path as text, found {short(path)}")
    if not text:
        raise ValueError(f"{name}: expected a path, found an empty one")
    if "\0" in text:
        raise ValueError(f"{name}: a path has no zero characters, found {short(path)}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name}: expected a path in UTF-8, found {short(path)}") from None
    return text


def known(place: str, name: str, names: Sequence[str]) -> str:
    """`place`, which is a file, or a plain word that comes with Limber."""
    plain = os.sep not in place and "." not in place
    if plain and place not in names and not os.path.exists(place):
        raise ValueError(f"{name}: there is no {place!r}; there are {', '.join(names)}, or give "
                         "a file")
    return place


def optional_path(path: Any, name: str) -> Optional[str]:
    return None if path is None else path_text(path, name)


def number(value: Any, name: str) -> float:
    """`value` as a number, which may be infinite."""
    if isinstance(value, (bool, np.bool_, str, bytes, complex, np.complexfloating)):
        raise TypeError(f"{name}: expected a number, found {short(value)}")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected a number, found {short(value)}") from None
    if result != result:
        raise ValueError(f"{name}: expected a number, found {short(value)}")
    return result


def finite(value: Any, name: str) -> float:
    """`value` as a finite number."""
    result = number(value, name)
    if not np.isfinite(result):
        raise ValueError(f"{name}: expected a finite number, found {short(value)}")
    return result


def share(value: Any, name: str) -> float:
    """`value` as a number in [0, 1]."""
    result = finite(value, name)
    if not 0.0 <= result <= 1.0:
        raise ValueError(f"{name}: expected a share in [0, 1], found {short(value)}")
    return result


def positive(value: Any, name: str, unit: str) -> float:
    """`value` as a finite number above zero."""
    result = finite(value, name)
    if result <= 0.0:
        raise ValueError(f"{name}: expected a positive number [{unit}], found {short(value)}")
    return result


def not_negative(value: Any, name: str) -> float:
    """`value` as a finite number, zero or more."""
    result = finite(value, name)
    if result < 0.0:
        raise ValueError(f"{name}: expected zero or more, found {short(value)}")
    return result


def count(value: Any, name: str, least: int = 0, most: int = 2**31 - 1) -> int:
    """`value` as a whole number from `least` to `most`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected a whole number, found {short(value)}")
    if not least <= value <= most:
        raise ValueError(f"{name}: expected a whole number from {least} to {most}, found "
                         f"{short(value)}")
    return int(value)


def flag(value: Any, name: str) -> bool:
    """`value` as True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, found {short(value)}")
    return bool(value)


def text(value: Any, name: str) -> str:
    """`value` as text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, found {short(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name}: expected text in UTF-8, found {short(value)}") from None
    return value


def one_of(value: Any, name: str, words: Sequence[str]) -> str:
    """`value` as one of some words."""
    word = text(value, name)
    if word not in words:
        valid = ", ".join(f'"{each}"' for each in words)
        raise ValueError(f"{name}: expected one of {valid}, found {short(value)}")
    return word


def numbers(value: Any, name: str) -> Array:
    """`value` as an array of numbers, in C order."""
    try:
        if np.iscomplexobj(value):
            raise TypeError(f"{name}: expected real numbers, found complex ones")
        return np.ascontiguousarray(np.asarray(value, dtype=np.float64))
    except Exception:  # Whatever an object raises that is no array.
        raise TypeError(f"{name}: expected numbers, found {short(value)}") from None


def texts(value: Any, name: str) -> List[str]:
    """`value` as a list of strings."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name}: expected a list of strings, found {short(value)}")
    for item in value:
        if not isinstance(item, str):
            raise TypeError(f"{name}: expected a list of strings, found {short(item)} in it")
        text(item, name)
    return list(value)


def _parts(value: Any, name: str, size: int, what: str) -> List[float]:
    try:
        parts = [] if isinstance(value, (str, bytes, dict, set)) else list(value)
    except Exception:  # Whatever iterating over it raises, it is no list of numbers.
        parts = []
    if len(parts) != size:
        raise TypeError(f"{name}: expected {what}, found {short(value)}")
    return [finite(part, name) for part in parts]


def vector(value: Any, name: str) -> Triple:
    """Three finite numbers."""
    x, y, z = _parts(value, name, 3, "three numbers")
    return (x, y, z)


def direction(value: Any, name: str) -> Triple:
    """Three finite numbers that are not all zero."""
    x, y, z = vector(value, name)
    if x == y == z == 0.0:
        raise ValueError(f"{name}: expected a direction, found {short(value)}")
    return (x, y, z)


def quaternion(value: Any, name: str = "rotation") -> Tuple[float, float, float, float]:
    """Four finite numbers w, x, y, z that are not all zero."""
    w, x, y, z = _parts(value, name, 4, "four numbers w, x, y, z")
    if w == x == y == z == 0.0:
        raise ValueError(f"{name}: expected a rotation w, x, y, z, found {short(value)}")
    return (w, x, y, z)


def instance(value: Any, kind: Any, name: str, expected: str) -> Any:
    """`value`, which is of a kind, and filled."""
    module = type(value).__module__
    ours = module == "limber" or module.startswith("limber.") and module != "limber._limber"
    filled = hasattr(value, "_handle") or not ours
    if not isinstance(value, kind) or not filled:
        for part in ("clip", "take", "figure"):
            if filled and isinstance(vars(value).get(part) if hasattr(value, "__dict__")
                                     else None, kind):
                raise TypeError(f"{name}: expected {expected}, found {short(value)}; "
                                f"its .{part} is one")
        hint = ("; limber.read reads a file" if isinstance(value, (str, os.PathLike))
                and not expected.endswith("file") else "")
        raise TypeError(f"{name}: expected {expected}, found {short(value)}{hint}")
    return value
