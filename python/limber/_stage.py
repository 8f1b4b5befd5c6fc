# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""A figure that plays a clip, step by step."""

from __future__ import annotations

from typing import List, Union

from . import _limber
from ._checks import Array, Path, Vector, call, flag, not_negative, positive, text, vector
from ._content import Clip, Figure, handle_of
from ._jobs import as_figure


class Stage:
    """A figure that plays a clip in a world of its own, to be pushed in a loop of one's own.

    >>> import limber
    >>> stage = limber.Stage(limber.read("data/clips/march.bvh"))
    >>> stage.run(0.2)
    >>> stage.push("chest", impulse=(20, 0, 0))
    >>> stage.run(0.2)
    >>> len(stage.clip()) > 10
    True
    >>> stage
    <Stage: 14 segments, 0.4 s>
    """

    def __init__(self, clip: Clip, figure: Union[None, Path, Figure] = None, rate: float = 240.0,
                 floor: bool = True, strength: float = 1.0) -> None:
        """clip -- what the figure plays.

        figure -- the body that plays it, by its name, file or itself; without it one is made.
        rate -- steps a second [Hz].
        floor -- whether there is one, at the height on which the clip stands; without it the
            root is held on its path.
        strength -- share of the figure's own.
        """
        self._handle = call(_limber.StageHandle, handle_of(clip, Clip, "clip", "a Clip"),
                            as_figure(figure, "figure"), positive(rate, "rate", "Hz"),
                            flag(floor, "floor"), positive(strength, "strength", "share"))

    def step(self) -> None:
        """One step of 1 / rate seconds."""
        call(self._handle.step)

    def run(self, seconds: float) -> None:
        """Many steps. Ctrl-C stops it between two.

        seconds -- how far [s].
        """
        call(self._handle.run, not_negative(seconds, "seconds"))

    def push(self, segment: str, impulse: Vector) -> None:
        """An impulse at a segment's mass centre, spread over the next step.

        segment -- its role ("chest", "left-forearm"), or its name (`segments`).
        impulse -- in the axes of the world [N s].
        """
        call(self._handle.push, text(segment, "segment"), vector(impulse, "impulse"))

    @property
    def time(self) -> float:
        """[s]"""
        return self._handle.time

    @property
    def figure(self) -> Figure:
        """The body that plays."""
        return Figure._of(self._handle.figure)

    @property
    def segments(self) -> List[str]:
        """The names of the rows of `positions`."""
        return self._handle.figure.segments

    def positions(self) -> Array:
        """(segments, 3), where the segments' joints are now [m]: a new array."""
        return self._handle.positions()

    def clip(self) -> Clip:
        """What was played so far, at the rate of the clip."""
        return Clip._of(call(self._handle.clip))

    def __repr__(self) -> str:
        return f"<Stage: {len(self.segments)} segments, {self.time:g} s>"
