# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""What a world is made of: shapes, bodies, joints, contacts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _limber
from ._checks import (Array, Vector, call, count, finite, flag, not_negative, number, numbers,
                      positive, quaternion, short, vector)

_ZERO = (0.0, 0.0, 0.0)


class Shape:
    """The base of all shapes."""

    _handle: _limber.ShapeHandle

    def __init__(self) -> None:
        raise TypeError("Shape: take Sphere, Box, Capsule, Hull or Plane")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Sphere(Shape):
    """A ball about the origin."""

    def __init__(self, radius: float) -> None:
        """radius -- [m]."""
        self._handle = _limber.sphere(positive(radius, "radius", "m"))


class Box(Shape):
    """A box about the origin."""

    def __init__(self, size: Vector) -> None:
        """size -- its whole extent along x, y and z [m]."""
        extent = vector(size, "size")
        if min(extent) <= 0.0:
            raise ValueError(f"size: expected three positive numbers [m], found {short(size)}")
        self._handle = _limber.box(extent)


class Capsule(Shape):
    """All points near a segment along y about the origin."""

    def __init__(self, radius: float, length: float) -> None:
        """radius -- how near [m].

        length -- of the segment; the whole is longer by two radii [m].
        """
        self._handle = _limber.capsule(positive(radius, "radius", "m"),
                                       positive(length, "length", "m"))


class Plane(Shape):
    """The half space y <= 0: a floor."""

    def __init__(self) -> None:
        """A floor through the origin."""
        self._handle = _limber.plane()


class Hull(Shape):
    """The smallest convex solid around points."""

    def __init__(self, points: ArrayLike) -> None:
        """points -- (n, 3) [m], not all in one plane."""
        corners = numbers(points, "points")
        if not np.isfinite(corners).all():
            raise ValueError("points: expected finite numbers")
        try:
            self._handle = call(_limber.hull, corners)
        except ValueError as error:
            if str(error).startswith("points:"):
                raise
            raise ValueError(f"points: {error}") from None


class Body:
    """A body of a world. `World.add_body` makes them.

    >>> import limber
    >>> limber.World().add_body(mass=2.0, position=(0, 1, 0), name="bob")
    <Body bob: 2 kg at (0, 1, 0)>
    """

    def __init__(self, handle: _limber.BodyHandle, name: str = "") -> None:
        """Made by `World.add_body`.

        name -- for its repr.
        """
        if not isinstance(handle, _limber.BodyHandle):
            raise TypeError("handle: bodies are made by World.add_body")
        self._handle = handle
        self.name = name  #: As it was given.

    @property
    def id(self) -> int:
        """Its number in the world, from 1; 0 is the ground."""
        return self._handle.id

    @property
    def position(self) -> Array:
        """Of the body's frame [m]; may be set."""
        value: Array = self._handle.position
        return value

    @position.setter
    def position(self, value: Vector) -> None:
        self._handle.position = vector(value, "position")

    @property
    def rotation(self) -> Array:
        """Of the body's frame: w, x, y, z; may be set."""
        value: Array = self._handle.rotation
        return value

    @rotation.setter
    def rotation(self, value: Sequence[float]) -> None:
        self._handle.rotation = quaternion(value)

    @property
    def velocity(self) -> Array:
        """Of the mass centre [m/s]; may be set. A mean over the last step."""
        value: Array = self._handle.velocity
        return value

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        self._handle.velocity = vector(value, "velocity")

    @property
    def angular_velocity(self) -> Array:
        """In the axes of the world [rad/s]; may be set."""
        value: Array = self._handle.angular_velocity
        return value

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        self._handle.angular_velocity = vector(value, "angular_velocity")

    @property
    def mass(self) -> float:
        """[kg]"""
        return self._handle.mass

    @property
    def inertia(self) -> Array:
        """About the axes of its frame, through the mass centre [kg m^2]."""
        return self._handle.inertia

    @property
    def enabled(self) -> bool:
        """A disabled body stands still, and nothing touches it; may be set."""
        return self._handle.enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._handle.enabled = flag(value, "enabled")

    @property
    def asleep(self) -> bool:
        """A body at rest sleeps until something touches or changes it."""
        return self._handle.asleep

    def place(self, point: Vector) -> Array:
        """Where a point of the body is in the world [m].

        point -- in the body's frame [m].
        """
        return self._handle.place(vector(point, "point"))

    def apply_force(self, force: Vector, point: Vector = _ZERO) -> None:
        """A force for the next step only.

        force -- in the axes of the world [N].
        point -- where it acts, in the body's frame [m].
        """
        self._handle.apply_force(vector(force, "force"), vector(point, "point"))

    def apply_torque(self, torque: Vector) -> None:
        """A torque for the next step only.

        torque -- in the axes of the world [N m].
        """
        self._handle.apply_torque(vector(torque, "torque"))

    def apply_impulse(self, impulse: Vector, point: Vector = _ZERO) -> None:
        """Changes the velocity at once.

        impulse -- in the axes of the world [N s].
        point -- where it acts, in the body's frame [m].
        """
        self._handle.apply_impulse(vector(impulse, "impulse"), vector(point, "point"))

    def __repr__(self) -> str:
        x, y, z = self.position
        return (f"<Body {self.name or self.id}: {self.mass:g} kg at "
                f"({x:.3g}, {y:.3g}, {z:.3g})>")


class Joint:
    """A joint, rod, rope, spring or relation of a world. `World.add_hinge` and so on make them.

    A hinge has one free direction [rad], a slider one [m], a ball three [rad]; `axis` counts
    them from 0.

    >>> import limber
    >>> world = limber.World(gravity=(0, 0, 0))
    >>> wheel = world.add_body(position=(0, 1, 0))
    >>> hinge = world.add_hinge(None, wheel, point=(0, 1, 0))
    >>> hinge.motor(speed=2.0)
    >>> world.run(1.0)
    >>> round(hinge.position(), 6)
    2.0
    """

    def __init__(self, handle: _limber.JointHandle) -> None:
        """Made by the world."""
        if not isinstance(handle, _limber.JointHandle):
            raise TypeError("handle: joints are made by World.add_hinge and the like")
        self._handle = handle

    @property
    def kind(self) -> str:
        """ "hinge", "slider", "ball", "rod" and so on."""
        return self._handle.kind

    @property
    def num_free(self) -> int:
        """How many free directions it has."""
        return self._handle.num_free

    def position(self, axis: int = 0) -> float:
        """Where it is [rad or m].

        axis -- which free direction.
        """
        return self._handle.position(count(axis, "axis", 0, 5))

    def speed(self, axis: int = 0) -> float:
        """How fast it moves [rad/s or m/s].

        axis -- which free direction.
        """
        return self._handle.speed(count(axis, "axis", 0, 5))

    @property
    def error(self) -> float:
        """How far what it keeps is off, at most [m or rad]."""
        return self._handle.error()

    @property
    def impulses(self) -> Array:
        """What it did in the last step, one number a row [N s or N m s]; by the step: forces.

        First what it locks, then for each free direction its motor and its limits. Of a rod the
        one number is positive where it pushes.
        """
        return self._handle.impulses

    @property
    def enabled(self) -> bool:
        """Whether it acts; may be set."""
        return self._handle.enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._handle.enabled = flag(value, "enabled")

    def break_at(self, force: float = math.inf, torque: float = math.inf) -> None:
        """Lets it break, after which `enabled` is False.

        force -- that it bears [N].
        torque -- that it bears [N m].
        """
        most = number(force, "force"), number(torque, "torque")
        if min(most) <= 0.0:
            raise ValueError("force, torque: expected positive numbers, found "
                             f"{short(force)}, {short(torque)}")
        call(self._handle.break_at, *most)

    def limit(self, lower: float = -math.inf, upper: float = math.inf, axis: int = 0) -> None:
        """Bounds where it goes.

        lower -- [rad or m].
        upper -- [rad or m].
        axis -- which free direction.
        """
        least, most = number(lower, "lower"), number(upper, "upper")
        if least > most:
            raise ValueError(f"lower: expected at most upper, found {short(lower)} and "
                             f"{short(upper)}")
        call(self._handle.limit, least, most, count(axis, "axis", 0, 5))

    def motor(self, *, speed: Optional[float] = None, position: Optional[float] = None,
              stiffness: Optional[float] = None, damping: float = 0.0,
              max_force: float = math.inf, axis: int = 0) -> None:
        """Drives a direction: to a speed, to a position, or as a spring about a position.

        speed -- [rad/s or m/s].
        position -- [rad or m].
        stiffness -- of a spring [N m/rad or N/m].
        damping -- of the spring [N m s/rad or N s/m].
        max_force -- that it has [N m or N].
        axis -- which free direction.
        """
        most, index = number(max_force, "max_force"), count(axis, "axis", 0, 5)
        if most < 0.0:
            raise ValueError(f"max_force: expected zero or more, found {short(max_force)}")
        if stiffness is not None:
            if speed is not None:
                raise ValueError("speed: a spring has none; give a position")
            call(self._handle.drive_spring,
                 0.0 if position is None else finite(position, "position"),
                 not_negative(stiffness, "stiffness"), not_negative(damping, "damping"), most,
                 index)
        elif position is not None:
            if speed is not None:
                raise ValueError("speed: give a speed or a position, not both")
            call(self._handle.drive_position, finite(position, "position"), most, index)
        elif speed is not None:
            call(self._handle.drive_speed, finite(speed, "speed"), most, index)
        else:
            raise ValueError("speed: give a speed, a position or a stiffness")

    def motor_off(self, axis: int = 0) -> None:
        """Lets a direction go.

        axis -- which free direction.
        """
        call(self._handle.drive_none, count(axis, "axis", 0, 5))

    def __repr__(self) -> str:
        if self._handle.removed:
            return f"<Joint: a {self.kind}, removed>"
        free = self.num_free
        if free == 0:
            return f"<Joint: a {self.kind}>"
        places = ", ".join(f"{self.position(axis):.3g}" for axis in range(free))
        return f"<Joint: a {self.kind} at {places}>"


@dataclass(frozen=True)
class Contact:
    """A point where two bodies touch, or are about to, in the last step."""

    body_a: Optional[Body]  #: None is the ground.
    body_b: Optional[Body]  #: None is the ground.
    point: Array  #: [m]
    normal: Array  #: From a to b.
    distance: float  #: Negative: overlap [m].
    normal_impulse: float  #: On b [N s].
    friction_impulse: Array  #: On b [N s].
