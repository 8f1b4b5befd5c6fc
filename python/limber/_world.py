# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds of bodies, joints and contacts, and a stage for a figure.

A pendulum in seven lines:

>>> import limber
>>> world = limber.World()
>>> bob = world.add_body(mass=1.0, position=(1, 0, 0))
>>> hinge = world.add_hinge(None, bob, point=(0, 0, 0), axis=(0, 0, 1))
>>> for _ in range(240):
...     world.step(1 / 240)
>>> bool(bob.position[1] < 0)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _limber
from ._content import Array, Clip, Figure, Path, finite, numbers
from ._events import vector
from ._jobs import _as_figure, _handle_of, _run

Vector = Union[Sequence[float], NDArray[np.floating[Any]]]
_NO_ROTATION = (1.0, 0.0, 0.0, 0.0)
_ZERO = (0.0, 0.0, 0.0)


class Shape:
    """The base of all shapes."""

    _handle: Any


class Sphere(Shape):
    """A ball about the origin; radius [m]."""

    def __init__(self, radius: float) -> None:
        self._handle = _limber.sphere(finite(radius, "radius"))


class Box(Shape):
    """A box about the origin; whole extent [m]."""

    def __init__(self, size: Vector) -> None:
        extent = vector(size, "size")
        if min(extent) <= 0.0:
            raise ValueError(f"size: expected three positive numbers, found {size!r}")
        self._handle = _limber.box(extent)


class Capsule(Shape):
    """All points within `radius` of a segment of `length` along y [m]."""

    def __init__(self, radius: float, length: float) -> None:
        self._handle = _limber.capsule(finite(radius, "radius"), finite(length, "length"))


class Plane(Shape):
    """The half space y <= 0: a floor."""

    def __init__(self) -> None:
        self._handle = _limber.plane()


class Hull(Shape):
    """The smallest convex solid around points (n, 3) [m]."""

    def __init__(self, points: ArrayLike) -> None:
        corners = numbers(points, "points")
        if not np.isfinite(corners).all():
            raise ValueError("points: expected finite numbers")
        self._handle = _run(_limber.hull, corners)


class Body:
    """A body of a world. `position` is where its frame is, +Y up."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    @property
    def id(self) -> int:
        return self._handle.id

    @property
    def position(self) -> Array:
        """Of the body's frame [m]; may be set."""
        return self._handle.position

    @position.setter
    def position(self, value: Vector) -> None:
        self._handle.position = vector(value, "position")

    @property
    def rotation(self) -> Array:
        """w, x, y, z; may be set."""
        return self._handle.rotation

    @rotation.setter
    def rotation(self, value: Sequence[float]) -> None:
        self._handle.rotation = quaternion(value)

    @property
    def velocity(self) -> Array:
        """Of the mass centre [m/s]; may be set. A mean over the last step."""
        return self._handle.velocity

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        self._handle.velocity = vector(value, "velocity")

    @property
    def angular_velocity(self) -> Array:
        """[rad/s]; may be set."""
        return self._handle.angular_velocity

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        self._handle.angular_velocity = vector(value, "angular_velocity")

    @property
    def mass(self) -> float:
        """[kg]"""
        return self._handle.mass

    def apply_force(self, force: Vector, point: Vector = _ZERO) -> None:
        """A force [N] for the next step, at a point of the body's frame [m]."""
        self._handle.apply_force(vector(force, "force"), vector(point, "point"))

    def apply_torque(self, torque: Vector) -> None:
        """A torque [N m] for the next step."""
        self._handle.apply_torque(vector(torque, "torque"))

    def apply_impulse(self, impulse: Vector, point: Vector = _ZERO) -> None:
        """Changes the velocity at once by an impulse [N s] at a point of the body [m]."""
        self._handle.apply_impulse(vector(impulse, "impulse"), vector(point, "point"))

    def __repr__(self) -> str:
        x, y, z = self.position
        return f"<Body {self.id}: {self.mass:g} kg at ({x:.3g}, {y:.3g}, {z:.3g})>"


class Joint:
    """A joint, rod, rope or relation of a world.

    A hinge has one free direction [rad], a slider one [m], a ball three [rad]; `axis` counts
    them from 0.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    @property
    def num_free(self) -> int:
        return self._handle.num_free

    def position(self, axis: int = 0) -> float:
        """[rad or m]"""
        return self._handle.position(_index(axis))

    def speed(self, axis: int = 0) -> float:
        """[rad/s or m/s]"""
        return self._handle.speed(_index(axis))

    @property
    def error(self) -> float:
        """How far what it keeps is off, at most [m or rad]."""
        return self._handle.error()

    def limit(self, lower: float = -np.inf, upper: float = np.inf, axis: int = 0) -> None:
        """Bounds of the position [rad or m]."""
        _run(self._handle.limit, _number(lower, "lower"), _number(upper, "upper"), _index(axis))

    def motor(self, *, speed: Optional[float] = None, position: Optional[float] = None,
              stiffness: Optional[float] = None, damping: float = 0.0,
              max_force: float = np.inf, axis: int = 0) -> None:
        """Drives a direction: to a `speed`, to a `position`, or as a spring about a `position`
        with `stiffness` [N m/rad or N/m] and `damping`. `max_force` bounds it [N m or N]."""
        most = _number(max_force, "max_force")
        index = _index(axis)
        if stiffness is not None:
            _run(self._handle.drive_spring, 0.0 if position is None else finite(position, "position"),
                 finite(stiffness, "stiffness"), finite(damping, "damping"), most, index)
        elif position is not None:
            _run(self._handle.drive_position, finite(position, "position"), most, index)
        elif speed is not None:
            _run(self._handle.drive_speed, finite(speed, "speed"), most, index)
        else:
            raise ValueError("motor: give a speed, a position or a stiffness")

    def motor_off(self, axis: int = 0) -> None:
        self._handle.drive_none(_index(axis))

    def __repr__(self) -> str:
        return f"<Joint: {self.num_free} free directions>"


@dataclass(frozen=True)
class Contact:
    """A point where two bodies touch, or are about to, in the last step."""

    body_a: int  #: `Body.id`; 0 is the ground.
    body_b: int
    point: Array  #: [m]
    normal: Array  #: From a to b.
    distance: float  #: Negative: overlap [m].
    normal_impulse: float  #: On b [N s].
    friction_impulse: Array  #: On b [N s].


def quaternion(value: Any) -> Tuple[float, ...]:
    """Four finite numbers w, x, y, z."""
    try:
        parts = [] if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        parts = []
    if len(parts) != 4:
        raise TypeError(f"rotation: expected four numbers w, x, y, z, found {value!r}")
    return tuple(finite(part, "rotation") for part in parts)


def _index(axis: Any) -> int:
    if isinstance(axis, bool) or not isinstance(axis, int) or not -100 < axis < 100:
        raise TypeError(f"axis: expected a whole number, found {axis!r}")
    return axis


def _number(value: Any, name: str) -> float:
    """A number that may be infinite."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value in (np.inf, -np.inf):
        return float(value)
    return finite(value, name)


def _body(value: Any) -> Any:
    return value._handle if isinstance(value, Body) else value


class World:
    """Bodies, joints, contacts and forces, and the clock that moves them."""

    def __init__(self, gravity: Vector = (0.0, -9.81, 0.0)) -> None:
        """gravity -- [m/s^2]."""
        self._handle = _limber.WorldHandle(vector(gravity, "gravity"))

    def add_body(self, mass: float = 1.0, shape: Optional[Shape] = None,
                 inertia: Optional[Vector] = None, position: Vector = _ZERO,
                 rotation: Sequence[float] = _NO_ROTATION, velocity: Vector = _ZERO,
                 angular_velocity: Vector = _ZERO, kind: str = "dynamic", name: str = "",
                 collides: bool = False, friction: float = 0.8,
                 restitution: float = 0.0) -> Body:
        """Adds a body.

        mass -- [kg].
        shape -- says its inertia, and with `collides` what touches others.
        inertia -- about its axes [kg m^2], instead of the shape's; without both that of a
            ball of 10 cm.
        kind -- "dynamic", "kinematic", "fixed" or "particle".
        friction, restitution -- of its surface.
        """
        if not isinstance(kind, str) or not isinstance(name, str):
            raise TypeError("kind, name: expected strings")
        if shape is not None and not isinstance(shape, Shape):
            raise TypeError(f"shape: expected a shape, found {shape!r}")
        body = Body(_run(self._handle.add_body, finite(mass, "mass"),
                         None if shape is None else shape._handle,
                         None if inertia is None else vector(inertia, "inertia"),
                         vector(position, "position"), quaternion(rotation),
                         vector(velocity, "velocity"),
                         vector(angular_velocity, "angular_velocity"), kind, name))
        if collides:
            if shape is None:
                raise ValueError("collides: a body without a shape touches nothing")
            self.add_collider(body, shape, friction=friction, restitution=restitution)
        return body

    def add_collider(self, body: Optional[Body], shape: Shape, position: Vector = _ZERO,
                     rotation: Sequence[float] = _NO_ROTATION, friction: float = 0.8,
                     restitution: float = 0.0) -> None:
        """Gives a body, or the ground (None), a shape that touches others."""
        if not isinstance(shape, Shape):
            raise TypeError(f"shape: expected a shape, found {shape!r}")
        _run(self._handle.add_collider, _body(body), shape._handle, vector(position, "position"),
             quaternion(rotation), finite(friction, "friction"), finite(restitution, "restitution"))

    def add_floor(self, height: float = 0.0, friction: float = 0.8) -> None:
        """A floor at `height` [m]."""
        self.add_collider(None, Plane(), position=(0.0, finite(height, "height"), 0.0),
                          friction=friction)

    def add_hinge(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                  axis: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """A hinge at a point of the world [m], about an axis. None is the ground."""
        return self._joint(self._handle.add_hinge, parent, child, point, axis)

    def add_slider(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                   axis: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """A slider along an axis."""
        return self._joint(self._handle.add_slider, parent, child, point, axis)

    def add_weld(self, parent: Optional[Body], child: Optional[Body],
                 point: Vector = _ZERO) -> Joint:
        """Makes two bodies one."""
        return self._joint(self._handle.add_weld, parent, child, point, (0.0, 0.0, 1.0))

    def add_ball(self, parent: Optional[Body], child: Optional[Body], point: Vector) -> Joint:
        """A ball joint at a point of the world [m]."""
        return Joint(_run(self._handle.add_ball, _body(parent), _body(child),
                          vector(point, "point")))

    def add_rod(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                length: Optional[float] = None) -> Joint:
        """A massless rod between two points of the world [m], which move with their bodies."""
        return self._rod(a, point_a, b, point_b, False, length)

    def add_rope(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                 length: Optional[float] = None) -> Joint:
        """A rope, which only pulls."""
        return self._rod(a, point_a, b, point_b, True, length)

    def add_spring(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                   stiffness: float, damping: float = 0.0,
                   rest_length: Optional[float] = None) -> None:
        """A spring [N/m] with a damper [N s/m] between two points of the world [m]."""
        _run(self._handle.add_spring, _body(a), vector(point_a, "point_a"), _body(b),
             vector(point_b, "point_b"), finite(stiffness, "stiffness"), finite(damping, "damping"),
             None if rest_length is None else finite(rest_length, "rest_length"))

    def add_relation(self, bodies: Sequence[Body],
                     error: Callable[[List[Tuple[Array, Array]], float], Any], num_rows: int = 1,
                     angular: bool = False) -> Joint:
        """A relation of one's own that the world keeps at zero.

        error -- called with [(position, rotation), ...] of the bodies and the time; returns
            `num_rows` numbers [m or rad]. Its derivatives are found by differences, at 12 calls
            a body, so that a relation of one body costs some 150 us a step; a joint costs one.
        """
        if not callable(error):
            raise TypeError(f"error: expected a function, found {error!r}")
        if isinstance(num_rows, bool) or not isinstance(num_rows, int) or not 0 < num_rows < 100:
            raise TypeError(f"num_rows: expected a whole number from 1, found {num_rows!r}")
        handles = [_handle_of(body, Body, "bodies", "a list of bodies") for body in bodies]
        return Joint(_run(self._handle.add_relation, handles, num_rows, error, bool(angular)))

    def step(self, h: float) -> None:
        """Advances by `h` seconds."""
        self._handle.step(h)

    def run(self, seconds: float, h: float = 1.0 / 240.0) -> None:
        """Advances by many steps of `h` seconds. Ctrl-C stops."""
        self._handle.run(finite(seconds, "seconds"), finite(h, "h"))

    @property
    def time(self) -> float:
        """[s]"""
        return self._handle.time

    @property
    def contacts(self) -> List[Contact]:
        """The contacts of the last step."""
        return [Contact(*contact) for contact in self._handle.contacts]

    @property
    def kinetic_energy(self) -> float:
        """[J]"""
        return self._handle.kinetic_energy

    @property
    def potential_energy(self) -> float:
        """In gravity; 0 at the origin [J]."""
        return self._handle.potential_energy

    @property
    def momentum(self) -> Array:
        """[kg m/s]"""
        return self._handle.momentum

    @property
    def angular_momentum(self) -> Array:
        """About the world's origin [kg m^2/s]."""
        return self._handle.angular_momentum

    @property
    def max_error(self) -> float:
        """Largest error of any joint [m or rad]."""
        return self._handle.max_error

    def save(self) -> Any:
        """Everything that a later step depends on, for `restore`."""
        return self._handle.save()

    def restore(self, state: Any) -> None:
        """Back to a saved state, bit for bit."""
        if not isinstance(state, _limber.StateHandle):
            raise TypeError(f"state: expected what save() returned, found {state!r}")
        self._handle.restore(state)

    def _joint(self, add: Any, parent: Any, child: Any, point: Vector, axis: Vector) -> Joint:
        return Joint(_run(add, _body(parent), _body(child), vector(point, "point"),
                          vector(axis, "axis")))

    def _rod(self, a: Any, point_a: Vector, b: Any, point_b: Vector, rope: bool,
             length: Optional[float]) -> Joint:
        return Joint(_run(self._handle.add_rod, _body(a), vector(point_a, "point_a"), _body(b),
                          vector(point_b, "point_b"), rope,
                          None if length is None else finite(length, "length")))

    def __repr__(self) -> str:
        return f"<World: {self._handle.num_bodies - 1} bodies, {self.time:g} s>"


class Stage:
    """A figure that plays a clip in a world of its own, to be pushed in a loop of one's own.

    >>> import limber
    >>> stage = limber.Stage(limber.read("data/clips/march.bvh"))
    >>> stage.run(0.2)
    >>> stage.push("chest", impulse=(20, 0, 0))
    >>> stage.run(0.2)
    >>> len(stage.clip()) > 10
    True
    """

    def __init__(self, clip: Clip, figure: Union[None, Path, Figure] = None, rate: float = 240.0,
                 floor: bool = True, strength: float = 1.0) -> None:
        """rate -- steps a second [Hz]. strength -- share of the figure's own."""
        self._handle = _run(_limber.StageHandle, _handle_of(clip, Clip, "clip", "a Clip"),
                            _as_figure(figure, "figure"), finite(rate, "rate"), bool(floor),
                            finite(strength, "strength"))

    def step(self) -> None:
        """One step of 1 / rate seconds."""
        self._handle.step()

    def run(self, seconds: float) -> None:
        """Many steps. Ctrl-C stops."""
        self._handle.run(finite(seconds, "seconds"))

    def push(self, segment: str, impulse: Vector) -> None:
        """An impulse [N s] at a segment's mass centre, spread over the next step."""
        if not isinstance(segment, str):
            raise TypeError(f"segment: expected a name, found {segment!r}")
        _run(self._handle.push, segment, vector(impulse, "impulse"))

    @property
    def time(self) -> float:
        """[s]"""
        return self._handle.time

    def positions(self) -> Array:
        """(segments, 3), where the segments' joints are [m]."""
        return self._handle.positions()

    def clip(self) -> Clip:
        """What was played so far, at the rate of the clip."""
        return Clip._of(self._handle.clip())

    def __repr__(self) -> str:
        return f"<Stage: {self.time:g} s>"
