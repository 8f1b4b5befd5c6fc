# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Reading and writing, and the data that comes with Limber."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Type, TypeVar, Union, overload

from . import _limber
from ._checks import (Finding, Guess, InputError, Path, call, count, findings_of, flag, one_of,
                      optional_path, path_text, positive, short, text)
from ._content import Clip, Content, Figure, Skeleton, Table, Take, content_of

Kind = TypeVar("Kind", bound=Content)


@overload
def read(path: Path, kind: Type[Kind], *, unit: Union[str, float, None] = ...,
         up: Optional[str] = ..., rate: Optional[float] = ..., asf: Optional[Path] = ...,
         offsets: Optional[Path] = ..., animation: Union[str, int, None] = ...,
         strict: bool = ...) -> Kind: ...


@overload
def read(path: Path, kind: None = ..., *, unit: Union[str, float, None] = ...,
         up: Optional[str] = ..., rate: Optional[float] = ..., asf: Optional[Path] = ...,
         offsets: Optional[Path] = ..., animation: Union[str, int, None] = ...,
         strict: bool = ...) -> Any: ...


def read(path: Path, kind: Optional[Type[Any]] = None, *, unit: Union[str, float, None] = None,
         up: Optional[str] = None, rate: Optional[float] = None, asf: Optional[Path] = None,
         offsets: Optional[Path] = None, animation: Union[str, int, None] = None,
         strict: bool = False) -> Any:
    """Reads a file of any known format: a Take, Clip, Figure, Skeleton or Table.

    C3D and TRC give a Take; BVH, AMC (with its ASF), glTF, FBX and NPZ a Clip; a figure
    file, or the plain name of a figure that comes with Limber, a Figure; ASF a Skeleton;
    STO and MOT a Table. What a file does not say is guessed as the program guesses it;
    `guesses` of what is returned says how, `findings` what was repaired.

    path -- of the file, or the name of a figure (`figure_names`).
    kind -- the class that is expected, such as limber.Take: another content is an error, and
        type checkers know what is returned.
    unit -- length unit of the file: "mm", "cm", "m", "in", "ft", "cmu", or metres.
    up -- its upward axis: "x", "y", "z", "-x", "-y" or "-z".
    rate -- frames per second, of an AMC or instead of what the file says [Hz].
    asf -- skeleton of an AMC.
    offsets -- bones of an NPZ with poses of a body model.
    animation -- which one of a glTF or FBX: its name, or its number from 0.
    strict -- refuse what would be repaired with a warning.

    Raises InputError with the place in the file.

    >>> import limber
    >>> limber.read("data/clips/walk.bvh")
    <Clip of data/clips/walk.bvh: 18 joints, 529 frames at 120 Hz>
    >>> take = limber.read("data/takes/march.c3d", limber.Take)
    >>> take.points.shape
    (121, 19, 3)
    """
    place = path_text(path)
    if kind is not None and not (isinstance(kind, type) and issubclass(kind, Content)):
        raise TypeError("kind: expected limber.Take, Clip, Figure, Skeleton or Table, found "
                        f"{short(kind)}")
    options: Dict[str, Any] = {
        "strict": flag(strict, "strict"), "asf": optional_path(asf, "asf"),
        "offsets": optional_path(offsets, "offsets")}
    if unit is not None:
        options["unit"] = (text(unit, "unit") if isinstance(unit, str)
                           else repr(positive(unit, "unit", "m")))
    if up is not None:
        options["up"] = one_of(up, "up", ("x", "y", "z", "-x", "-y", "-z", "+x", "+y", "+z"))
    if rate is not None:
        options["rate"] = positive(rate, "rate", "Hz")
    if animation is not None:
        options["animation"] = (animation if isinstance(animation, str)
                                else str(count(animation, "animation")))
    handle, findings, guesses, _ = call(_limber.read, place, options)
    content = content_of(handle)
    content.findings = findings_of(findings)
    content.guesses = [Guess(*guess) for guess in guesses]
    if kind is not None and not isinstance(content, kind):
        raise InputError(f"{place}: expected a {kind.__name__}, found a {type(content).__name__}")
    return content


def write(content: Any, path: Path) -> List[Finding]:
    """Writes by the name's ending, and returns what was lost on the way, if anything.

    content -- a Take: .c3d or .trc. A Clip: .bvh, .glb, .npz, .usda, or .amc with its .asf. A
        Figure: .json. A Skeleton: .asf. A Table: .sto or .mot. Also what `solve` returns: as a
        Clip, and .csv (joint angles) and .mot (OpenSim's coordinates); and what other jobs
        return, as their clip or take.
    path -- of the file; what is there is overwritten.

    >>> import limber, os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> limber.write(limber.read("data/clips/walk.bvh"), os.path.join(folder.name, "walk.glb"))
    []
    """
    place = path_text(path)
    if isinstance(content, (Take, Clip, Figure, Skeleton, Table)) and hasattr(content, "_handle"):
        return findings_of(call(content._handle.write, place))
    handle = getattr(content, "_handle", None)
    if isinstance(handle, _limber.ResultHandle):
        if handle.saves:
            call(handle.save, place)
            return []
        inner = getattr(content, "clip", None) or getattr(content, "take", None)
        if inner is not None:
            return write(inner, path)
    raise TypeError("content: expected a Take, Clip, Figure, Skeleton, Table or result, "
                    f"found {short(content)}")


def _find_data() -> None:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    if os.path.isdir(folder) and "LIMBER_DATA" not in os.environ:
        _limber.set_data_folder(folder)


_find_data()


def figure_names() -> List[str]:
    """The figures that come with Limber, for `read` and `retarget(to=...)`.

    >>> import limber
    >>> "fat_man" in limber.figure_names()
    True
    """
    return _limber.data_names("figures")


def marker_set_names() -> List[str]:
    """The marker sets that come with Limber, for `solve(marker_set=...)`.

    >>> import limber
    >>> len(limber.marker_set_names()) > 0
    True
    """
    return _limber.data_names("marker_sets")


def scene_names() -> List[str]:
    """The scenes that come with Limber, for `simulate`.

    >>> import limber
    >>> "coupled_pendula" in limber.scene_names()
    True
    """
    return _limber.data_names("scenes")
