# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""What jobs give back: content, verdict, metrics and findings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from . import _limber
from ._checks import Finding, Path, call, findings_of, in_python, path_text
from ._content import Clip, Figure, Table, Take, content_of, framed


@dataclass(frozen=True)
class Doubt:
    """One reason why a result looks wrong."""

    kind: str  #: A stable word that programs may compare.
    message: str  #: For people.
    advice: str  #: What might help; may be empty.
    value: float  #: What was measured, in `unit`.
    bound: float  #: Where doubt begins, in `unit`.
    unit: str  #: Of `value` and `bound`.


class Verdict:
    """What a job thinks of its own result. True where it looks right.

    >>> import limber
    >>> limber.measure(limber.read("data/clips/walk.bvh")).verdict
    <Verdict: looks right>
    """

    doubts: List[Doubt]  #: Why it looks wrong; empty where it looks right.

    def __init__(self, doubts: Sequence[Doubt]) -> None:
        self.doubts = list(doubts)

    @property
    def looks_right(self) -> bool:
        """Whether there are no doubts."""
        return not self.doubts

    def __bool__(self) -> bool:
        return self.looks_right

    def __str__(self) -> str:
        if self.looks_right:
            return "looks right"
        reasons = [d.message + (f" ({d.advice})" if d.advice else "") for d in self.doubts]
        return "looks wrong: " + "; ".join(reasons)

    def __repr__(self) -> str:
        return f"<Verdict: {self}>"


class Result:
    """What a job gives back, with its verdict, metrics and findings.

    >>> import limber
    >>> measured = limber.measure(limber.read("data/clips/walk.bvh"))
    >>> measured.metrics["rate_hz"]
    120.0
    """

    verdict: Verdict  #: What the job thinks of it.
    findings: List[Finding]  #: What was repaired or is odd.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        self._handle = handle
        self._metrics: Optional[Dict[str, Any]] = None
        self.verdict = Verdict([Doubt(d[0], d[1], in_python(d[2]), d[3], d[4], d[5])
                                for d in handle.doubts])
        self.findings = findings_of(handle.findings)

    @property
    def metrics(self) -> Dict[str, Any]:
        """Numbers and words by the names that the program's reports have, with their units.

        `marker_rms_mm` is in millimetres, `largest_difference_deg` in degrees.
        """
        if self._metrics is None:
            report = json.loads(self._handle.report_json())
            self._metrics = {key: value for key, value in report.items()
                             if not isinstance(value, (dict, list))
                             and key not in ("title", "command", "version", "verdict")}
        return self._metrics

    def report(self, path: Path) -> None:
        """Writes the program's report.

        path -- .html, a page with the motion on it, or .json, for machines; what is there is
            overwritten.

        >>> import limber, os, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> page = os.path.join(folder.name, "walk.html")
        >>> limber.measure(limber.read("data/clips/walk.bvh")).report(page)
        >>> os.path.getsize(page) > 10000
        True
        """
        call(self._handle.write_report, path_text(path))

    def _repr_html_(self) -> str:
        """The page of `report` with its moving picture, for notebooks."""
        return framed(self._handle.page())

    def _summary(self) -> str:
        return str(self.verdict)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._summary()}>"


class Solved(Result):
    """A solved take."""

    clip: Clip  #: The motion of the body.
    figure: Optional[Figure]  #: The calibrated body, for `solve(actor=...)` and `edit`.
    angles: Table  #: OpenSim's coordinates in degrees and metres.
    subject: str  #: Whose markers; empty where the labels name nobody.
    marker_set: str  #: The marker set that was recognised.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        contents = handle.contents
        self.clip = content_of(contents["clip"])
        figure = contents.get("figure")
        self.figure = None if figure is None else content_of(figure)
        self.angles = content_of(contents["angles"])
        self.subject = contents["subject"]
        self.marker_set = contents["marker_set"]

    def _summary(self) -> str:
        return (f"{len(self.clip)} frames, marker RMS {self.metrics['marker_rms_mm']:.2f} mm, "
                f"{self.verdict}")


class Retargeted(Result):
    """A clip on another body."""

    clip: Clip  #: The motion of the other body.
    joint_map: str  #: Which joint follows which, as `map` reads it.
    figure: Optional[Figure]  #: The other body, where it is a figure.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        contents = handle.contents
        self.clip = content_of(contents["clip"])
        self.joint_map = contents["joint_map"]
        figure = contents.get("figure")
        self.figure = None if figure is None else content_of(figure)

    def _summary(self) -> str:
        return (f"{len(self.clip)} frames, a standing foot off by at most "
                f"{self.metrics['planted_off_mm']:.2f} mm, {self.verdict}")


class Edited(Result):
    """A clip after what happened to it."""

    clip: Clip  #: What became of it.
    figure: Figure  #: The body that played it.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        self.clip = content_of(handle.contents["clip"])
        self.figure = content_of(handle.contents["figure"])

    def _summary(self) -> str:
        return (f"{len(self.clip)} frames, at most "
                f"{self.metrics['largest_difference_deg']:.1f} deg off the clip")


@dataclass(frozen=True)
class Join:
    """Where one clip goes over into the next."""

    time: float  #: In the result [s].
    frame_a: int  #: The blend begins here in the clips before ...
    frame_b: int  #: ... and here in the clip that joins.
    num_blend: int  #: Frames of the blend.
    distance: float  #: Joints apart there, root mean square [m].
    turn: float  #: The clip was turned about the vertical [rad].


class Combined(Result):
    """Clips as one."""

    clip: Clip  #: The clips as one.
    joins: List[Join]  #: One for each clip but the first.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        self.clip = content_of(handle.contents["clip"])
        self.joins = [Join(*join) for join in handle.contents["joins"]]

    def _summary(self) -> str:
        return f"{len(self.clip)} frames, {len(self.joins)} joins"


class Measured(Result):
    """The measures of a clip, in `metrics`."""

    def _summary(self) -> str:
        return (f"toes slide at {self.metrics['stance_speed_cm_s']:.1f} cm/s in stances, "
                f"{self.verdict}")


class Markers(Result):
    """Virtual markers."""

    take: Take  #: The markers.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        self.take = content_of(handle.contents["take"])

    def _summary(self) -> str:
        return repr(self.take)[1:-1]


@dataclass(frozen=True)
class Criterion:
    """One criterion of a scene, and what came of it."""

    text: str  #: What was asked.
    met: bool  #: Whether it held.
    value: float  #: In `unit`; NaN where nothing was measured.
    unit: str  #: Of `value`.


class Simulated(Result):
    """A scene that was played."""

    clips: Dict[str, Clip]  #: The motion of each figure by its name.
    criteria: List[Criterion]  #: What the scene asks for.

    def __init__(self, handle: _limber.ResultHandle) -> None:
        super().__init__(handle)
        self.clips = {name: content_of(clip) for name, clip in handle.contents["clips"].items()}
        self.criteria = [Criterion(*criterion) for criterion in handle.contents["criteria"]]

    def _summary(self) -> str:
        met = sum(criterion.met for criterion in self.criteria)
        return f"{self.metrics['duration_s']:g} s, {met} of {len(self.criteria)} criteria met"
