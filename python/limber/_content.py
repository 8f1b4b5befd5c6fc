# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Takes, clips, figures and tables, and their files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _limber

Path = Union[str, "os.PathLike[str]"]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Finding:
    """One finding about a file: what, where, and how often."""

    severity: str  #: "warning" or "error".
    kind: str  #: A stable word that programs may compare: "frame-count".
    file: str
    line: int  #: From 1; 0 where not known.
    column: int  #: From 1; 0 where not known.
    byte: int  #: From 0; -1 where not known.
    message: str
    count: int

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
    """Something that a file leaves open, and how it was settled."""

    what: str  #: "unit", "up_axis", "rate_hz".
    value: str
    reason: str
    sure: bool


class InputError(ValueError):
    """A file or a value that cannot be used. The text has the place in the file."""

    def __init__(self, text: str, findings: Sequence[Tuple[Any, ...]] = ()) -> None:
        super().__init__(in_python(text))
        self.findings: List[Finding] = [Finding(*finding) for finding in findings]


def in_python(text: str) -> str:
    """The program's flags as the arguments of functions: `--lock-feet` is `lock_feet`."""
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag.group(1).replace("-", "_"), text)


_limber.set_input_error(InputError)


def path_text(path: Path, name: str = "path") -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, found {path!r}")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected a path as text, found {path!r}")
    if "\0" in text:
        raise ValueError(f"{name}: a path has no zero characters, found {path!r}")
    return text


def finite(value: Any, name: str) -> float:
    """`value` as a finite number."""
    if isinstance(value, (bool, str, bytes)) or value is None:
        raise TypeError(f"{name}: expected a number, found {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected a number, found {value!r}") from None
    if not np.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, found {value!r}")
    return number


def numbers(value: Any, name: str) -> Array:
    """`value` as an array of numbers, in C order."""
    try:
        return np.ascontiguousarray(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected numbers, found {type(value).__name__}") from None


def texts(value: Any, name: str) -> List[str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name}: expected a list of strings, found {value!r}")
    for item in value:
        if not isinstance(item, str):
            raise TypeError(f"{name}: expected a list of strings, found {item!r} in it")
    return list(value)


@dataclass(frozen=True)
class Event:
    """Something that happened at a moment of a take."""

    label: str  #: "Foot Strike".
    context: str  #: "Left", "Right", "General", or empty.
    time: float  #: After the first frame [s].
    subject: str


@dataclass(frozen=True)
class ForcePlate:
    """A force plate of a take."""

    type: int  #: C3D's type, 1 to 4 and beyond.
    corners: Array  #: (4, 3) [m].
    origin: Array  #: As stored, plate axes [m].
    channels: List[int]  #: Columns of `Take.analog`; -1 none.


class Content:
    """What a file holds."""

    _handle: Any
    findings: List[Finding] = []  #: Of the reader.
    guesses: List[Guess] = []  #: What the file leaves open.


class Take(Content):
    """Labelled points over time, with what a C3D file has beside them.

    >>> import numpy as np
    >>> take = Take(np.zeros((2, 1, 3)), ["LASI"], rate=100)
    >>> take.points.shape
    (2, 1, 3)
    """

    def __init__(self, points: ArrayLike, labels: Sequence[str], rate: float) -> None:
        """A take from an array.

        points -- (frames, markers, 3) [m], +Y up; NaN where a marker was not seen.
        labels -- one for each marker.
        rate -- frames per second [Hz].
        """
        hertz = finite(rate, "rate")
        if hertz <= 0.0:
            raise ValueError(f"rate: expected a positive number [Hz], found {rate!r}")
        self._handle = _limber.take_from_array(numbers(points, "points"), texts(labels, "labels"),
                                               hertz)

    @classmethod
    def _of(cls, handle: Any) -> "Take":
        take = cls.__new__(cls)
        take._handle = handle
        return take

    @property
    def points(self) -> Array:
        """(frames, markers, 3) [m], NaN where missing: the take's own memory."""
        return self._handle.points

    @property
    def labels(self) -> List[str]:
        return self._handle.labels

    @property
    def rate(self) -> float:
        """Frames per second [Hz]."""
        return self._handle.rate

    @property
    def file(self) -> str:
        return self._handle.file

    @property
    def first_frame(self) -> int:
        """The number of the first frame in the recording."""
        return self._handle.first_frame

    @property
    def unit(self) -> str:
        """Length unit of the file; points are in metres."""
        return self._handle.unit

    @property
    def up(self) -> str:
        """The axis of the file that points up; in points that is +Y."""
        return self._handle.up

    @property
    def gap_fraction(self) -> float:
        """Missing samples over all samples."""
        return self._handle.gap_fraction

    @property
    def analog(self) -> Array:
        """(samples, channels) in the channels' units: the take's own memory."""
        return self._handle.analog

    @property
    def analog_rate(self) -> float:
        """Samples per second [Hz]."""
        return self._handle.analog_rate

    @property
    def analog_labels(self) -> List[str]:
        return [label for label, _ in self._handle.analog_channels]

    @property
    def analog_units(self) -> List[str]:
        return [unit for _, unit in self._handle.analog_channels]

    @property
    def events(self) -> List[Event]:
        return [Event(*event) for event in self._handle.events]

    @property
    def plates(self) -> List[ForcePlate]:
        return [ForcePlate(*plate) for plate in self._handle.plates]

    @property
    def metadata(self) -> Dict[str, Dict[str, Any]]:
        """The parameters of a C3D file by group: lists of strings or of numbers."""
        return self._handle.metadata

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        frames, markers, _ = self.points.shape
        name = f" of {self.file}" if self.file else ""
        return (f"<Take{name}: {markers} points, {frames} frames at {self.rate:g} Hz, "
                f"{100 * self.gap_fraction:.1f} % missing>")


class Clip(Content):
    """A skeleton in motion."""

    def __init__(self, rotations: ArrayLike, root_positions: ArrayLike,
                 joint_names: Sequence[str], parents: Sequence[int], offsets: ArrayLike,
                 rate: float) -> None:
        """A clip from arrays.

        rotations -- (frames, joints, 4), w x y z of each joint in its parent.
        root_positions -- (frames, 3) [m], +Y up.
        joint_names -- one for each joint; parents come before their children.
        parents -- index of each joint's parent, -1 for the root.
        offsets -- (joints, 3) of each joint in its parent [m].
        rate -- frames per second [Hz].
        """
        hertz = finite(rate, "rate")
        if hertz <= 0.0:
            raise ValueError(f"rate: expected a positive number [Hz], found {rate!r}")
        if isinstance(parents, (str, bytes)):
            raise TypeError(f"parents: expected a list of numbers, found {parents!r}")
        try:
            indices = [int(parent) for parent in parents]
            if any(abs(index) >= 2**31 for index in indices):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"parents: expected a list of whole numbers, found {parents!r}") from None
        self._handle = _limber.clip_from_arrays(
            numbers(rotations, "rotations"), numbers(root_positions, "root_positions"),
            texts(joint_names, "joint_names"), indices, numbers(offsets, "offsets"), hertz)

    @classmethod
    def _of(cls, handle: Any) -> "Clip":
        clip = cls.__new__(cls)
        clip._handle = handle
        return clip

    @property
    def rotations(self) -> Array:
        """(frames, joints, 4), w x y z of each joint in its parent: a new array."""
        return self._handle.rotations

    def positions(self) -> Array:
        """(frames, joints, 3), where the joints are in the world [m]: a new array."""
        return self._handle.positions()

    @property
    def root_positions(self) -> Array:
        """(frames, 3) of the first root [m]: a new array."""
        return np.ascontiguousarray(self._handle.translations()[:, 0, :])

    @property
    def joint_names(self) -> List[str]:
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        """Index of each joint's parent; -1 for a root."""
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        """(joints, 3) of each joint in its parent in the rest pose [m]."""
        return self._handle.offsets

    @property
    def rate(self) -> float:
        """Frames per second [Hz]."""
        return self._handle.rate

    @property
    def duration(self) -> float:
        """From the first frame to the last [s]."""
        return self._handle.duration

    @property
    def file(self) -> str:
        return self._handle.file

    def __len__(self) -> int:
        return self._handle.num_frames

    def __repr__(self) -> str:
        name = f" of {self.file}" if self.file else ""
        return (f"<Clip{name}: {len(self.joint_names)} joints, {len(self)} frames at "
                f"{self.rate:g} Hz>")


class Figure(Content):
    """A body: a skeleton with masses, limits and places for markers."""

    @classmethod
    def _of(cls, handle: Any) -> "Figure":
        figure = cls.__new__(cls)
        figure._handle = handle
        return figure

    @property
    def name(self) -> str:
        return self._handle.name

    @property
    def mass(self) -> float:
        """[kg]"""
        return self._handle.mass

    @property
    def segments(self) -> List[str]:
        return self._handle.segments

    @property
    def joint_names(self) -> List[str]:
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        """(joints, 3) of each joint in its parent in the rest pose [m]."""
        return self._handle.offsets

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {len(self.segments)} segments, {self.mass:.1f} kg>"


class Skeleton(Content):
    """A skeleton of an ASF file."""

    @classmethod
    def _of(cls, handle: Any) -> "Skeleton":
        skeleton = cls.__new__(cls)
        skeleton._handle = handle
        return skeleton

    @property
    def joint_names(self) -> List[str]:
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        return self._handle.offsets

    def __repr__(self) -> str:
        return f"<Skeleton: {len(self.joint_names)} joints>"


class Table(Content):
    """Numbers with names over time, as OpenSim's .sto and .mot files hold them."""

    @classmethod
    def _of(cls, handle: Any) -> "Table":
        table = cls.__new__(cls)
        table._handle = handle
        return table

    @property
    def name(self) -> str:
        return self._handle.name

    @property
    def labels(self) -> List[str]:
        return self._handle.labels

    @property
    def in_degrees(self) -> bool:
        return self._handle.in_degrees

    @property
    def times(self) -> Array:
        """[s]"""
        return self._handle.times

    @property
    def values(self) -> Array:
        """(rows, columns): the table's own memory."""
        return self._handle.values

    def __repr__(self) -> str:
        rows, columns = self.values.shape
        return f"<Table {self.name}: {rows} rows, {columns} columns>"


_KINDS: Dict[Any, Any] = {
    _limber.TakeHandle: Take,
    _limber.ClipHandle: Clip,
    _limber.FigureHandle: Figure,
    _limber.SkeletonHandle: Skeleton,
    _limber.TableHandle: Table,
}


def content_of(handle: Any) -> Any:
    return _KINDS[type(handle)]._of(handle)


def read(path: Path, *, unit: Union[str, float, None] = None, up: Optional[str] = None,
         rate: Optional[float] = None, asf: Optional[Path] = None,
         offsets: Optional[Path] = None, animation: Union[str, int, None] = None,
         strict: bool = False) -> Any:
    """Reads a file of any known format: a Take, Clip, Figure, Skeleton or Table.

    C3D and TRC give a Take; BVH, AMC (with its ASF), glTF, FBX and NPZ a Clip; a figure
    file, or the plain name of a figure that comes with Limber, a Figure; ASF a Skeleton;
    STO and MOT a Table. What a file does not say is guessed as the program guesses it;
    `guesses` of what is returned says how, `findings` what was repaired.

    unit -- length unit of the file: "mm", "cm", "m", "in", "ft", "cmu", or metres.
    up -- its upward axis: "x", "y", "z", "-x", "-y" or "-z".
    rate -- frames per second, of an AMC or instead of what the file says [Hz].
    asf -- skeleton of an AMC.
    offsets -- bones of an NPZ with poses of a body model.
    animation -- which one of a glTF or FBX: its name, or its number from 0.
    strict -- refuse what would be repaired with a warning.

    Raises InputError with the place in the file.
    """
    options: Dict[str, Any] = {"strict": bool(strict)}
    if unit is not None:
        options["unit"] = unit if isinstance(unit, str) else repr(finite(unit, "unit"))
    if up is not None:
        options["up"] = str(up)
    if rate is not None:
        options["rate"] = finite(rate, "rate")
    if asf is not None:
        options["asf"] = path_text(asf, "asf")
    if offsets is not None:
        options["offsets"] = path_text(offsets, "offsets")
    if animation is not None:
        options["animation"] = str(animation)
    try:
        handle, findings, guesses, _ = _limber.read(path_text(path), options)
    except InputError:
        raise
    except ValueError as error:
        raise ValueError(in_python(str(error))) from None
    content = content_of(handle)
    content.findings = [Finding(*finding) for finding in findings]
    content.guesses = [Guess(*guess) for guess in guesses]
    return content


def write(content: Any, path: Path) -> List[Finding]:
    """Writes by the name's ending, and returns what was lost on the way, if anything.

    A Take: .c3d or .trc. A Clip: .bvh, .glb, .npz, .usda, or .amc with its .asf. A Figure:
    .json. A Skeleton: .asf. A Table: .sto or .mot. The result of `solve` also: .csv (joint
    angles) and .mot (OpenSim's coordinates).
    """
    text = path_text(path)
    handle: Any = getattr(content, "_handle", None)
    try:
        if isinstance(content, Content) and type(handle) in _KINDS:
            return [Finding(*finding) for finding in handle.write(text)]
        if isinstance(handle, _limber.ResultHandle):
            if handle.saves:
                handle.save(text)
                return []
            inner = getattr(content, "clip", None) or getattr(content, "take", None)
            if inner is not None:
                return write(inner, path)
    except InputError:
        raise
    except ValueError as error:
        raise ValueError(in_python(str(error))) from None
    raise TypeError("content: expected a Take, Clip, Figure, Skeleton, Table or result, "
                    f"found {content!r}")


def _find_data() -> None:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    if os.path.isdir(folder) and "LIMBER_DATA" not in os.environ:
        _limber.set_data_folder(folder)


_find_data()


def figure_names() -> List[str]:
    """The figures that come with Limber, for `read` and `retarget(to=...)`."""
    return _limber.data_names("figures")


def marker_set_names() -> List[str]:
    """The marker sets that come with Limber, for `solve(marker_set=...)`."""
    return _limber.data_names("marker_sets")


def scene_names() -> List[str]:
    """The scenes that come with Limber, for `simulate`."""
    return _limber.data_names("scenes")
