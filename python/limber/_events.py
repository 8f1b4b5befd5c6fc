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
    """An impulse at a segment's mass centre, at once or spread over a while.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    impulse -- in the axes of the world [N s].
    duration -- over which it is spread [s].
    in_body -- `impulse` is in the segment's axes, not the world's.

    >>> import limber
    >>> limber.Push("chest", at=1.2, impulse=(60, 0, 0)).impulse
    (60.0, 0.0, 0.0)
    """

    kind = "push"
    segment: str
    at: float = 0.0
    impulse: Vector = (0.0, 0.0, 0.0)
    duration: float = 0.0
    in_body: bool = False


@dataclass
class Throw(Change):
    """A ball that meets a segment.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    velocity -- of the ball there, in the axes of the world [m/s].
    mass -- of the ball [kg].
    """

    kind = "throw"
    segment: str
    at: float = 0.0
    velocity: Vector = (0.0, 0.0, 0.0)
    mass: float = 1.0


@dataclass
class Wall(Change):
    """A wall across the way.

    distance -- how far the root has gone there [m].
    """

    kind = "wall"
    distance: float = 1.0


@dataclass
class Obstacle(Change):
    """A box in the way.

    place -- of its centre in the world [m].
    size -- its whole extent along x, y and z [m].
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    mass -- [kg]; 0 fixes it in its place.
    heading -- by which it is turned about +Y [rad].
    """

    kind = "obstacle"
    place: Vector = (0.0, 0.0, 0.0)
    size: Vector = (1.0, 1.0, 1.0)
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 0.0
    heading: float = 0.0


@dataclass
class Carry(Change):
    """A basket on a hand.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    mass -- of the basket [kg].
    friction -- of its handle [N m].
    """

    kind = "carry"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 5.0
    friction: float = 0.3


@dataclass
class Umbrella(Change):
    """An umbrella, upright, held before the head.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    mass -- of the umbrella [kg].
    """

    kind = "umbrella"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    mass: float = 0.5


@dataclass
class Reach(Change):
    """Leads a hand to a target.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    target -- in the world [m].
    target_velocity -- with which the target moves [m/s].
    """

    kind = "reach"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    target: Vector = (0.0, 0.0, 0.0)
    target_velocity: Vector = (0.0, 0.0, 0.0)


@dataclass
class Look(Change):
    """Turns the head towards a target.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    target -- in the world [m].
    target_velocity -- with which the target moves [m/s].
    """

    kind = "look"
    segment: str = "head"
    at: float = 0.0
    until: Optional[float] = None
    target: Vector = (0.0, 0.0, 0.0)
    target_velocity: Vector = (0.0, 0.0, 0.0)


@dataclass
class Pin(Change):
    """Keeps a hand where it is, or on a rail.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    rail -- the direction in which it may go; zero: none.
    """

    kind = "pin"
    segment: str
    at: float = 0.0
    until: Optional[float] = None
    rail: Vector = (0.0, 0.0, 0.0)


@dataclass
class Upright(Change):
    """Keeps a segment upright.

    segment -- its role ("chest", "left-forearm"), or its name in the figure or the clip.
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    """

    kind = "upright"
    segment: str
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Loosen(Change):
    """Joints follow weakly and late.

    segments -- roles or names with commas, such as "arms,head", or "all".
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    """

    kind = "loosen"
    segments: str = "all"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Stiffen(Change):
    """Joints follow with three times their strength.

    segments -- roles or names with commas, such as "arms,head", or "all".
    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    """

    kind = "stiffen"
    segments: str = "all"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class RagDoll(Change):
    """The figure lets go.

    at -- when, after the first frame [s].
    until -- when it recovers, after the first frame [s]; without it, never.
    """

    kind = "rag_doll"
    at: float = 0.0
    until: Optional[float] = None


@dataclass
class Recover(Change):
    """The figure gets up.

    at -- when, after the first frame [s].
    """

    kind = "recover"
    at: float = 0.0


@dataclass
class Gravity(Change):
    """Another gravity.

    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    gravity -- [m/s^2].
    """

    kind = "gravity"
    at: float = 0.0
    until: Optional[float] = None
    gravity: Vector = (0.0, -9.81, 0.0)


@dataclass
class Floor(Change):
    """The floor rises, or sinks.

    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    rise -- by how much; negative sinks [m].
    """

    kind = "floor"
    at: float = 0.0
    until: Optional[float] = None
    rise: float = 0.0


@dataclass
class Slope(Change):
    """The floor tilts where the figure stands.

    at -- when, after the first frame [s].
    until -- when it ends, after the first frame [s]; without it, at the end.
    angle -- by how much [rad].
    uphill -- the direction towards which it rises.
    """

    kind = "slope"
    at: float = 0.0
    until: Optional[float] = None
    angle: float = 0.0
    uphill: Vector = (0.0, 0.0, 1.0)
