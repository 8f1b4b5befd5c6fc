# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds of bodies, joints and contacts.

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

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _limber
from ._bodies import Body, Contact, Joint, Plane, Shape
from ._checks import (Array, Vector, call, count, direction, finite, flag, instance, not_negative,
                      one_of, positive, quaternion, short, text, vector)

_NO_ROTATION = (1.0, 0.0, 0.0, 0.0)
_ZERO = (0.0, 0.0, 0.0)


def _body(value: Any, name: str) -> Optional[_limber.BodyHandle]:
    if value is None:
        return None
    handle: _limber.BodyHandle = instance(value, Body, name,
                                          "a Body, or None for the ground")._handle
    return handle


class World:
    """Bodies, joints, contacts and forces, and the clock that moves them.

    Points are places of the world at the time they are given, +Y up [m]. A world may be used
    from several threads, one after another; steps hold Python's lock.

    >>> import limber
    >>> world = limber.World()
    >>> ball = world.add_body(position=(0, 10, 0))
    >>> world.run(1.0)
    >>> abs(ball.position[1] - (10 - 9.81 / 2)) < 1e-9
    True
    >>> world
    <World: 1 body, 0 joints, 1 s>
    """

    def __init__(self, gravity: Vector = (0.0, -9.81, 0.0)) -> None:
        """gravity -- [m/s^2]."""
        self._handle = _limber.WorldHandle(vector(gravity, "gravity"))
        self._bodies: List[Body] = []
        self._joints: List[Joint] = []

    def add_body(self, mass: float = 1.0, shape: Optional[Shape] = None,
                 inertia: Optional[Vector] = None, position: Vector = _ZERO,
                 rotation: Sequence[float] = _NO_ROTATION, velocity: Vector = _ZERO,
                 angular_velocity: Vector = _ZERO, kind: str = "dynamic", name: str = "",
                 collides: bool = False, friction: float = 0.8, restitution: float = 0.0,
                 linear_damping: float = 0.0, angular_damping: float = 0.0) -> Body:
        """Adds a body.

        mass -- [kg].
        shape -- says its inertia, and with `collides` what touches others.
        inertia -- about its axes [kg m^2], instead of the shape's; without both that of a
            ball of radius 10 cm.
        position -- of its frame, in whose origin its mass centre is [m].
        rotation -- of its frame: w, x, y, z.
        velocity -- of the mass centre [m/s].
        angular_velocity -- [rad/s], in the axes of the world.
        kind -- "dynamic" (moved by forces), "kinematic" (moved by its velocity), "fixed", or
            "particle" (dynamic, without rotation).
        name -- for its repr.
        collides -- whether its shape touches others.
        friction -- Coulomb's coefficient of its surface.
        restitution -- share of the speed that a bounce gives back, in [0, 1].
        linear_damping -- free motion dies away as exp(-linear_damping t) [1/s].
        angular_damping -- the same of turning [1/s].

        >>> import limber
        >>> box = limber.World().add_body(mass=6.0, shape=limber.Box((1, 1, 1)))
        >>> box.inertia
        array([1., 1., 1.])
        """
        named = text(name, "name")
        if shape is not None:
            instance(shape, Shape, "shape", "a shape such as limber.Box")
        if flag(collides, "collides") and shape is None:
            raise ValueError("collides: a body without a shape touches nothing")
        rubs, bounces = not_negative(friction, "friction"), not_negative(restitution, "restitution")
        handle = call(
            self._handle.add_body, positive(mass, "mass", "kg"),
            None if shape is None else shape._handle,
            None if inertia is None else vector(inertia, "inertia"),
            vector(position, "position"), quaternion(rotation), vector(velocity, "velocity"),
            vector(angular_velocity, "angular_velocity"),
            one_of(kind, "kind", ("dynamic", "kinematic", "fixed", "particle")), named,
            not_negative(linear_damping, "linear_damping"),
            not_negative(angular_damping, "angular_damping"))
        body = Body(handle, named)
        self._bodies.append(body)
        if collides and shape is not None:
            self.add_collider(body, shape, friction=rubs, restitution=bounces)
        return body

    def add_collider(self, body: Optional[Body], shape: Shape, position: Vector = _ZERO,
                     rotation: Sequence[float] = _NO_ROTATION, friction: float = 0.8,
                     restitution: float = 0.0) -> None:
        """Gives a body, or the ground, a shape that touches others.

        body -- None is the ground.
        shape -- Sphere, Box, Capsule, Hull or Plane.
        position -- of the shape in the body's frame [m].
        rotation -- of the shape in the body's frame: w, x, y, z.
        friction -- Coulomb's coefficient.
        restitution -- share of the speed that a bounce gives back, in [0, 1].
        """
        instance(shape, Shape, "shape", "a shape such as limber.Box")
        call(self._handle.add_collider, _body(body, "body"), shape._handle,
             vector(position, "position"), quaternion(rotation),
             not_negative(friction, "friction"), not_negative(restitution, "restitution"))

    def add_floor(self, height: float = 0.0, friction: float = 0.8,
                  restitution: float = 0.0) -> None:
        """Gives the ground a floor.

        height -- of it [m].
        friction -- Coulomb's coefficient.
        restitution -- share of the speed that a bounce gives back, in [0, 1].
        """
        self.add_collider(None, Plane(), position=(0.0, finite(height, "height"), 0.0),
                          friction=friction, restitution=restitution)

    def add_hinge(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                  axis: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """A hinge: one free direction, the angle [rad].

        parent -- None is the ground.
        child -- what turns about it.
        point -- of the axis in the world [m].
        axis -- its direction in the world; positive angles turn the child by the right hand.
        """
        return self._joint("hinge", parent, child, point, axis)

    def add_slider(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                   axis: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """A slider: one free direction, the distance [m].

        parent -- None is the ground.
        child -- what slides.
        point -- where the distance is 0 [m].
        axis -- the direction in the world.
        """
        return self._joint("slider", parent, child, point, axis)

    def add_cylindrical(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                        axis: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """A rod in a sleeve: slides along the axis [m] and turns about it [rad].

        parent -- None is the ground.
        child -- what slides and turns.
        point -- of the axis in the world [m].
        axis -- its direction in the world.
        """
        return self._joint("cylindrical", parent, child, point, axis)

    def add_planar(self, parent: Optional[Body], child: Optional[Body], point: Vector,
                   normal: Vector = (0.0, 0.0, 1.0)) -> Joint:
        """Keeps a body in a plane: two free distances [m] and the angle in it [rad].

        parent -- None is the ground.
        child -- what stays in the plane.
        point -- of the plane in the world [m].
        normal -- of the plane in the world.
        """
        return self._joint("planar", parent, child, point, direction(normal, "normal"))

    def add_weld(self, parent: Optional[Body], child: Optional[Body],
                 point: Vector = _ZERO) -> Joint:
        """Makes two bodies one.

        parent -- None is the ground.
        child -- the other.
        point -- where forces between them are counted [m].
        """
        return self._joint("weld", parent, child, point, (0.0, 0.0, 1.0))

    def add_ball(self, parent: Optional[Body], child: Optional[Body], point: Vector) -> Joint:
        """A ball joint: three free directions [rad].

        parent -- None is the ground.
        child -- what turns about the point.
        point -- in the world [m].
        """
        return self._keep(call(self._handle.add_ball, _body(parent, "parent"),
                               _body(child, "child"), vector(point, "point")))

    def add_rod(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                length: Optional[float] = None) -> Joint:
        """A massless rod between two points, which move with their bodies.

        a -- None is the ground.
        point_a -- in the world [m].
        b -- None is the ground.
        point_b -- in the world [m].
        length -- of it [m]; without it as far as the points are apart.
        """
        return self._rod(a, point_a, b, point_b, False, length)

    def add_rope(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                 length: Optional[float] = None) -> Joint:
        """A rope between two points, which only pulls.

        a -- None is the ground.
        point_a -- in the world [m].
        b -- None is the ground.
        point_b -- in the world [m].
        length -- of it [m]; without it as far as the points are apart.
        """
        return self._rod(a, point_a, b, point_b, True, length)

    def add_spring(self, a: Optional[Body], point_a: Vector, b: Optional[Body], point_b: Vector,
                   stiffness: float, damping: float = 0.0,
                   rest_length: Optional[float] = None) -> Joint:
        """A spring with a damper between two points, which move with their bodies.

        a -- None is the ground.
        point_a -- in the world [m].
        b -- None is the ground.
        point_b -- in the world [m].
        stiffness -- [N/m].
        damping -- [N s/m].
        rest_length -- [m]; without it as far as the points are apart.
        """
        return self._keep(call(
            self._handle.add_spring, _body(a, "a"), vector(point_a, "point_a"), _body(b, "b"),
            vector(point_b, "point_b"), not_negative(stiffness, "stiffness"),
            not_negative(damping, "damping"),
            None if rest_length is None else not_negative(rest_length, "rest_length")))

    def add_relation(self, bodies: Sequence[Body],
                     error: Callable[[List[Tuple[Array, Array]], float], Any], num_rows: int = 1,
                     angular: bool = False) -> Joint:
        """A relation of one's own that the world keeps at zero by forces it works out.

        Its derivatives are found by differences, at 12 calls a body, so that a relation of one
        body costs some 150 us a step; a joint costs one. It must not change the world.

        bodies -- that it moves.
        error -- called with [(position, rotation), ...] of the bodies and the time; returns
            `num_rows` numbers [m or rad].
        num_rows -- how many numbers.
        angular -- whether they are angles [rad].

        >>> import limber
        >>> world = limber.World()
        >>> bead = world.add_body(kind="particle", position=(1, 0, 0))
        >>> def off_the_sphere(poses, time):
        ...     position, rotation = poses[0]
        ...     return (position @ position) ** 0.5 - 1.0
        >>> sphere = world.add_relation([bead], off_the_sphere)
        >>> world.run(0.1)
        >>> sphere.error < 1e-6
        True
        """
        if not callable(error):
            raise TypeError(f"error: expected a function, found {short(error)}")
        try:
            listed = list(bodies)
        except Exception:
            raise TypeError(f"bodies: expected a list of bodies, found {short(bodies)}") from None
        handles = [instance(body, Body, "bodies", "a list of bodies")._handle for body in listed]
        if not handles:
            raise ValueError("bodies: expected one or more, found none")
        return self._keep(call(self._handle.add_relation, handles,
                               count(num_rows, "num_rows", 1, 100), error,
                               flag(angular, "angular")))

    def remove(self, joint: Joint) -> None:
        """Takes a joint, rod, rope, spring or relation out; its handle is of no use then.

        joint -- of this world.
        """
        instance(joint, Joint, "joint", "a Joint")
        call(self._handle.remove, joint._handle)
        self._joints.remove(joint)

    def step(self, h: float) -> None:
        """Advances the world by one step.

        h -- its length [s].
        """
        try:
            self._handle.step(h)
        except TypeError:
            positive(h, "h", "s")  # Says what is wrong with it ...
            raise  # ... or it was a relation's own.

    def run(self, seconds: float, h: float = 1.0 / 240.0) -> None:
        """Advances by many steps. Ctrl-C stops it between two.

        seconds -- how far [s].
        h -- the length of a step [s].
        """
        call(self._handle.run, finite(seconds, "seconds"), positive(h, "h", "s"))

    @property
    def gravity(self) -> Array:
        """[m/s^2]; may be set."""
        value: Array = self._handle.gravity
        return value

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._handle.gravity = vector(value, "gravity")

    @property
    def bodies(self) -> List[Body]:
        """All bodies, in the order they were added; the ground is not among them."""
        return list(self._bodies)

    @property
    def joints(self) -> List[Joint]:
        """All joints, rods, ropes, springs and relations, in the order they were added."""
        return list(self._joints)

    @property
    def time(self) -> float:
        """[s]"""
        return self._handle.time

    @property
    def contacts(self) -> List[Contact]:
        """Where bodies touch, or are about to, in the last step."""
        bodies: Dict[int, Body] = {body.id: body for body in self._bodies}
        return [Contact(bodies.get(contact[0]), bodies.get(contact[1]), *contact[2:])
                for contact in self._handle.contacts]

    @property
    def kinetic_energy(self) -> float:
        """[J], as `potential_energy` at the start of the last step."""
        return self._handle.kinetic_energy

    @property
    def potential_energy(self) -> float:
        """In gravity; 0 at the origin [J]. Springs are not counted."""
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
        """How far any joint is off, at most [m or rad]."""
        return self._handle.max_error

    @property
    def solved(self) -> bool:
        """Whether the last step met all it was asked; joints that contradict make it False."""
        return self._handle.solved

    def save(self) -> _limber.StateHandle:
        """Everything that a later step depends on, for `restore`.

        >>> import limber
        >>> world = limber.World()
        >>> ball = world.add_body()
        >>> start = world.save()
        >>> world.run(1.0)
        >>> world.restore(start)
        >>> world.time
        0.0
        """
        return call(self._handle.save)

    def restore(self, state: _limber.StateHandle) -> None:
        """Back to a saved state, bit for bit.

        state -- what `save` returned.
        """
        instance(state, _limber.StateHandle, "state", "what save() returned")
        call(self._handle.restore, state)

    def _keep(self, handle: _limber.JointHandle) -> Joint:
        joint = Joint(handle)
        self._joints.append(joint)
        return joint

    def _joint(self, kind: str, parent: Any, child: Any, point: Vector, axis: Vector) -> Joint:
        return self._keep(call(self._handle.add_joint, kind, _body(parent, "parent"),
                               _body(child, "child"), vector(point, "point"),
                               direction(axis, "axis")))

    def _rod(self, a: Any, point_a: Vector, b: Any, point_b: Vector, rope: bool,
             length: Optional[float]) -> Joint:
        return self._keep(call(
            self._handle.add_rod, _body(a, "a"), vector(point_a, "point_a"), _body(b, "b"),
            vector(point_b, "point_b"), rope,
            None if length is None else positive(length, "length", "m")))

    def __repr__(self) -> str:
        bodies, joints = len(self._bodies), len(self._joints)
        return (f"<World: {bodies} {'body' if bodies == 1 else 'bodies'}, {joints} "
                f"{'joint' if joints == 1 else 'joints'}, {self.time:g} s>")
