# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""What can happen to a figure while it plays a clip.

A segment is named by its role ("left-forearm"), or as the figure or the clip names it;
where several are meant, words with commas such as "arms,head", or "all". Times are after the
clip's first frame [s]; without `until` an event lasts to the end.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Optional

from ._checks import Vector, finite, flag, not_negative, text, vector

_VECTORS = {"impulse", "velocity", "place", "size", "target", "target_velocity", "rail", "gravity",
            "uphill"}
_WORDS = {"segment", "segments"}
_NOT_NEGATIVE = {"at", "duration", "mass", "friction"}


@dataclass
class Change:
    """Something that happens; the base of all of them."""

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Checks the fields, and makes plain numbers of them."""
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if name in _VECTORS:
                setattr(self, name, vector(value, name))
            elif name in _WORDS:
                text(value, name)
            elif name == "in_body":
                setattr(self, name, flag(value, name))
            elif name == "until":
                setattr(self, name, None if value is None else finite(value, name))
            elif name in _NOT_NEGATIVE:
                setattr(self, name, not_negative(value, name))
            else:
                setattr(self, name, finite(value, name))


@dataclass
class Push(Change):
    """An impulse [N s] at a segment's mass centre, at once or spread over `duration` [s].

    >>> import limber
    >>> limber.Push("chest", at=1.2, impulse=(60, 0, 0)).impulse
    (60.0, 0.0, 0.0)
    """

    kind = "push"
    segment: str
    at: float = 0.0
    impulse: Vector = (0.0, 0.0, 0.0)
    duration: float = 0.0
    in_body: bool = False  #: `impulse` is in the segment's axes, not the world's.


@dataclass
class Throw(Change):
    """A ball of `mass` [kg] with `velocity` [m/s] that meets the segment."""

    kind = "throw"
    segment: str
    at: float = 0.0
    velocity: Vector = (0.0, 0.0, 0.0)
    mass: float = 1.0


@dataclass
class Wall(Change):
    """A wall across the way, where the root has gone so far [m]."""

    kind = "wall"
    distance: float = 1.0


@dataclass
class Obstacle(Change):
    """A box with its centre at `place` and whole extent `size` [m]; fixed without mass [kg]."""

    kind = "obstacle"
    place: Vector = (0.0, 0.0, 0.0)
    size: Vector = (1.0, 1.0, 1.0)
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 0.0
    heading: float = 0.0  #: About +Y [rad].


@dataclass
class Carry(Change):
    """A basket of `mass` [kg] on a hand; its handle has `friction` [N m]."""

    kind = "carry"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 5.0
    friction: float = 0.3


@dataclass
class Umbrella(Change):
    """An umbrella of `mass` [kg], upright, held before the head."""

    kind = "umbrella"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 0.5


@dataclass
class Reach(Change):
    """Leads a hand to `target` [m], which moves with `target_velocity` [m/s]."""

    kind = "reach"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    target: Vector = (0.0, 0.0, 0.0)
    target_velocity: Vector = (0.0, 0.0, 0.0)


@dataclass
class Look(Change):
    """Turns the head towards `target` [m], which moves with `target_velocity` [m/s]."""

    kind = "look"
    segment: str = "head"
    at: float = 0.0
    until: Optional[float] = None
    target: Vector = (0.0, 0.0, 0.0)
    target_velocity: Vector = (0.0, 0.0, 0.0)


@dataclass
class Pin(Change):
    """Keeps a hand where it is, or on a rail along a direction."""

    kind = "pin"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    rail: Vector = (0.0, 0.0, 0.0)


@dataclass
class Upright(Change):
    """Keeps a segment upright."""

    kind = "upright"
    segment: str
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Loosen(Change):
    """Joints follow weakly and late."""

    kind = "loosen"
    segments: str = "all"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Stiffen(Change):
    """Joints follow with three times their strength."""

    kind = "stiffen"
    segments: str = "all"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class RagDoll(Change):
    """The figure lets go, and recovers at `until`."""

    kind = "rag_doll"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Recover(Change):
    """The figure gets up."""

    kind = "recover"
    at: float = 0.0


@dataclass
class Gravity(Change):
    """Another gravity [m/s^2]."""

    kind = "gravity"
    at: float = 0.0
    until: Optional[float] = None
    gravity: Vector = (0.0, -9.81, 0.0)


@dataclass
class Floor(Change):
    """The floor rises by so much [m], or sinks."""

    kind = "floor"
    at: float = 0.0
    until: Optional[float] = None
    rise: float = 0.0


@dataclass
class Slope(Change):
    """The floor tilts by `angle` [rad] where the figure stands, rising towards `uphill`."""

    kind = "slope"
    at: float = 0.0
    until: Optional[float] = None
    angle: float = 0.0
    uphill: Vector = (0.0, 0.0, 1.0)
