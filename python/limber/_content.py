# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Takes, clips, figures, skeletons and tables."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _limber
from ._checks import (Array, Finding, Guess, call, instance, numbers, positive, short, text,
                      texts)


@dataclass(frozen=True)
class Event:
    """Something that happened at a moment of a take.

    >>> import limber
    >>> limber.read("data/takes/march.c3d").events[1]
    Event(label='Foot Strike', context='Right', time=0.5, subject='')
    """

    label: str  #: "Foot Strike".
    context: str  #: "Left", "Right", "General", or empty.
    time: float  #: After the first frame [s].
    subject: str  #: Whose; empty where the file names nobody.


@dataclass(frozen=True)
class ForcePlate:
    """A force plate of a take."""

    type: int  #: C3D's type, 1 to 4 and beyond.
    corners: Array  #: (4, 3) [m].
    origin: Array  #: As stored, plate axes [m].
    channels: List[int]  #: Columns of `Take.analog`; -1 none.


def framed(page: str) -> str:
    """A page in a frame of its own, as notebooks show it."""
    return (f'<iframe style="width: 100%; height: 640px; border: 0" '
            f'srcdoc="{html.escape(page, quote=True)}"></iframe>')


def _index(name: Any, names: Sequence[str], argument: str) -> int:
    """Where a name is; an error says which there are."""
    wanted = text(name, argument)
    if wanted not in names:
        raise ValueError(f"{argument}: there is no {wanted!r}; there are {', '.join(names)}")
    return names.index(wanted)


class Content:
    """What a file holds: the base of Take, Clip, Figure, Skeleton and Table."""

    findings: List[Finding] = []  #: What the reader found.
    guesses: List[Guess] = []  #: What the file leaves open.


class Take(Content):
    """Labelled points over time, with what a C3D file has beside them.

    >>> import numpy as np, limber
    >>> take = limber.Take(np.zeros((2, 1, 3)), ["LASI"], rate=100)
    >>> take.points.shape
    (2, 1, 3)
    >>> take["LASI"].shape
    (2, 3)
    >>> limber.read("data/takes/march.c3d")
    <Take of data/takes/march.c3d: 19 points, 121 frames at 60 Hz, 1.2 % missing>
    """

    _handle: _limber.TakeHandle

    def __init__(self, points: ArrayLike, labels: Sequence[str], rate: float) -> None:
        """A take from an array.

        points -- (frames, markers, 3) [m], +Y up; NaN where a marker was not seen.
        labels -- one for each marker.
        rate -- frames per second [Hz].
        """
        self._handle = _limber.take_from_array(numbers(points, "points"), texts(labels, "labels"),
                                               positive(rate, "rate", "Hz"))

    @classmethod
    def _of(cls, handle: _limber.TakeHandle) -> "Take":
        take = cls.__new__(cls)
        take._handle = handle
        return take

    @property
    def points(self) -> Array:
        """(frames, markers, 3) [m], NaN where missing: the take's own memory."""
        return self._handle.points

    @property
    def labels(self) -> List[str]:
        """One for each marker."""
        return self._handle.labels

    #: `for x in take` would say nothing of what x is: labels, markers or frames.
    __iter__ = None

    def __contains__(self, label: object) -> bool:
        """Whether there is a marker of this label."""
        return label in self.labels

    def __getitem__(self, label: str) -> Array:
        """The points of one marker by its label, (frames, 3) [m]: the take's own memory."""
        return self.points[:, _index(label, self.labels, "label"), :]

    @property
    def rate(self) -> float:
        """Frames per second [Hz]."""
        return self._handle.rate

    @property
    def times(self) -> Array:
        """When each frame is, after the first one [s]: a new array."""
        return np.arange(len(self)) / self.rate

    @property
    def file(self) -> str:
        """Where it was read from; empty for a take from arrays."""
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
        """Missing samples over all samples, in [0, 1]."""
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
        """One for each column of `analog`."""
        return [label for label, _ in self._handle.analog_channels]

    @property
    def analog_units(self) -> List[str]:
        """One for each column of `analog`, as the file has it: "N", "Nmm", "V"."""
        return [unit for _, unit in self._handle.analog_channels]

    @property
    def events(self) -> List[Event]:
        """What the file says happened, such as foot strikes."""
        return [Event(*event) for event in self._handle.events]

    @property
    def plates(self) -> List[ForcePlate]:
        """The force plates."""
        return [ForcePlate(*plate) for plate in self._handle.plates]

    @property
    def metadata(self) -> Dict[str, Dict[str, Any]]:
        """The parameters of a C3D file by group: lists of strings or of numbers.

        >>> import limber
        >>> limber.read("data/takes/march.c3d").metadata["POINT"]["UNITS"]
        ['mm']
        """
        return self._handle.metadata

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        frames, markers, _ = self.points.shape
        name = f" of {self.file}" if self.file else ""
        return (f"<Take{name}: {markers} points, {frames} frames at {self.rate:g} Hz, "
                f"{100 * self.gap_fraction:.1f} % missing>")

    def _repr_html_(self) -> str:
        """The markers in motion, for notebooks."""
        if len(self) < 2 or not self.labels:
            return html.escape(repr(self))
        return framed(_limber.take_page(self._handle))


class Clip(Content):
    """A skeleton in motion.

    >>> import limber
    >>> walk = limber.read("data/clips/walk.bvh")
    >>> walk.rotations.shape, walk.positions().shape
    ((529, 18, 4), (529, 18, 3))
    >>> walk.position("LeftFoot").shape
    (529, 3)
    """

    _handle: _limber.ClipHandle

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
        hertz = positive(rate, "rate", "Hz")
        try:
            if isinstance(parents, (str, bytes)):
                raise TypeError
            indices = [int(parent) for parent in parents]
            if any(abs(index) >= 2**31 for index in indices):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                f"parents: expected a list of whole numbers, found {short(parents)}") from None
        for joint, index in enumerate(indices):
            if not -1 <= index < joint:
                raise ValueError("parents: expected the index of an earlier joint, or -1, for "
                                 f"joint {joint}, found {index}")
        self._handle = call(
            _limber.clip_from_arrays, numbers(rotations, "rotations"),
            numbers(root_positions, "root_positions"), texts(joint_names, "joint_names"), indices,
            numbers(offsets, "offsets"), hertz)

    @classmethod
    def _of(cls, handle: _limber.ClipHandle) -> "Clip":
        clip = cls.__new__(cls)
        clip._handle = handle
        return clip

    @property
    def rotations(self) -> Array:
        """(frames, joints, 4), w, x, y, z of each joint in its parent: a new array."""
        return self._handle.rotations

    def positions(self) -> Array:
        """(frames, joints, 3), where the joints are in the world [m]: a new array."""
        return self._handle.positions()

    def position(self, joint: str) -> Array:
        """(frames, 3), where one joint is in the world [m]: a new array.

        joint -- its name, one of `joint_names`.
        """
        index = _index(joint, self.joint_names, "joint")
        return np.ascontiguousarray(self.positions()[:, index, :])

    @property
    def root_positions(self) -> Array:
        """(frames, 3) of the first root [m]: a new array."""
        return np.ascontiguousarray(self._handle.translations()[:, 0, :])

    @property
    def joint_names(self) -> List[str]:
        """One for each joint; parents come before their children."""
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        """Index of each joint's parent; -1 for a root."""
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        """(joints, 3) of each joint in its parent in the rest pose [m]: a new array."""
        return self._handle.offsets

    @property
    def rate(self) -> float:
        """Frames per second [Hz]."""
        return self._handle.rate

    @property
    def times(self) -> Array:
        """When each frame is, after the first one [s]: a new array."""
        return np.arange(len(self)) / self.rate

    @property
    def duration(self) -> float:
        """From the first frame to the last [s]."""
        return self._handle.duration

    @property
    def file(self) -> str:
        """Where it was read from; empty for a clip that was made."""
        return self._handle.file

    def __len__(self) -> int:
        return self._handle.num_frames

    def __repr__(self) -> str:
        name = f" of {self.file}" if self.file else ""
        return (f"<Clip{name}: {len(self.joint_names)} joints, {len(self)} frames at "
                f"{self.rate:g} Hz>")

    def _repr_html_(self) -> str:
        """The clip in motion, for notebooks."""
        if len(self) < 2:
            return html.escape(repr(self))
        return framed(_limber.clip_page(self._handle))


class Figure(Content):
    """A body: a skeleton with masses, limits and places for markers.

    >>> import limber
    >>> limber.read("child")
    <Figure child: 18 segments, 20.0 kg>
    """

    _handle: _limber.FigureHandle

    def __init__(self) -> None:
        raise TypeError("Figure: read one (limber.read), or make one of a clip (limber.figure)")

    @classmethod
    def _of(cls, handle: _limber.FigureHandle) -> "Figure":
        figure = cls.__new__(cls)
        figure._handle = handle
        return figure

    @property
    def name(self) -> str:
        """The name in its file."""
        return self._handle.name

    @property
    def mass(self) -> float:
        """Of the whole body [kg]."""
        return self._handle.mass

    @property
    def segments(self) -> List[str]:
        """The names of its parts."""
        return self._handle.segments

    @property
    def joint_names(self) -> List[str]:
        """The joints of its skeleton."""
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        """Index of each joint's parent; -1 for a root."""
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        """(joints, 3) of each joint in its parent in the rest pose [m]: a new array."""
        return self._handle.offsets

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"<Figure{name}: {len(self.segments)} segments, {self.mass:.1f} kg>"


class Skeleton(Content):
    """A skeleton of an ASF file."""

    _handle: _limber.SkeletonHandle

    def __init__(self) -> None:
        raise TypeError("Skeleton: read one from an ASF file (limber.read)")

    @classmethod
    def _of(cls, handle: _limber.SkeletonHandle) -> "Skeleton":
        skeleton = cls.__new__(cls)
        skeleton._handle = handle
        return skeleton

    @property
    def joint_names(self) -> List[str]:
        """One for each joint; parents come before their children."""
        return self._handle.joint_names

    @property
    def parents(self) -> List[int]:
        """Index of each joint's parent; -1 for a root."""
        return self._handle.parents

    @property
    def offsets(self) -> Array:
        """(joints, 3) of each joint in its parent in the rest pose [m]: a new array."""
        return self._handle.offsets

    def __repr__(self) -> str:
        return f"<Skeleton: {len(self.joint_names)} joints>"


class Table(Content):
    """Numbers with names over time, as OpenSim's .sto and .mot files hold them.

    >>> import limber
    >>> angles = limber.solve(limber.read("data/takes/march.c3d")).angles
    >>> angles["knee_angle_r"].shape
    (121,)
    """

    _handle: _limber.TableHandle

    def __init__(self) -> None:
        raise TypeError("Table: read one from a .sto or .mot file (limber.read)")

    @classmethod
    def _of(cls, handle: _limber.TableHandle) -> "Table":
        table = cls.__new__(cls)
        table._handle = handle
        return table

    @property
    def name(self) -> str:
        """The first line of its file: "Coordinates"."""
        return self._handle.name

    @property
    def labels(self) -> List[str]:
        """One for each column of `values`; the time is not among them."""
        return self._handle.labels

    #: `for x in table` would say nothing of what x is: labels, columns or rows.
    __iter__ = None

    def __contains__(self, label: object) -> bool:
        """Whether there is a column of this label."""
        return label in self.labels

    def __getitem__(self, label: str) -> Array:
        """One column by its label: the table's own memory."""
        return self.values[:, _index(label, self.labels, "label")]

    @property
    def in_degrees(self) -> bool:
        """Whether those columns that are angles are in degrees, and not in radians."""
        return self._handle.in_degrees

    @property
    def times(self) -> Array:
        """One for each row [s]: the table's own memory."""
        return self._handle.times

    @property
    def values(self) -> Array:
        """(rows, columns), in the units of the file: the table's own memory."""
        return self._handle.values

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        rows, columns = self.values.shape
        return f"<Table {self.name}: {rows} rows, {columns} columns>"


_KINDS: Tuple[Tuple[Any, Any], ...] = (
    (_limber.TakeHandle, Take), (_limber.ClipHandle, Clip), (_limber.FigureHandle, Figure),
    (_limber.SkeletonHandle, Skeleton), (_limber.TableHandle, Table))


def content_of(handle: Any) -> Any:
    """The content that people see of a handle."""
    return next(kind for of, kind in _KINDS if isinstance(handle, of))._of(handle)


def handle_of(value: Any, kind: Any, name: str, expected: str) -> Any:
    """The handle of a content of a kind."""
    return instance(value, kind, name, expected)._handle
