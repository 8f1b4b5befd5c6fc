# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs: each one call, with a result that says what it thinks of itself."""

from __future__ import annotations

import html
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, TypeVar, Union

from . import _limber
from ._content import (Clip, Figure, Finding, InputError, Path, Skeleton, Take, content_of, finite,
                       in_python, path_text, read)
from ._events import Change

#: Called with the share that is done, in [0, 1]; the job stops where it returns False. True
#: shows a bar, by tqdm where it is installed.
Progress = Union[bool, Callable[[float], Optional[bool]]]


@dataclass(frozen=True)
class Doubt:
    """One reason why a result looks wrong."""

    kind: str  #: A stable word that programs may compare.
    message: str
    advice: str
    value: float  #: What was measured, in `unit`.
    bound: float  #: Where doubt begins, in `unit`.
    unit: str


class Verdict:
    """What a job thinks of its own result. True where it looks right."""

    def __init__(self, doubts: Sequence[Doubt]) -> None:
        self.doubts = list(doubts)

    @property
    def looks_right(self) -> bool:
        return not self.doubts

    def __bool__(self) -> bool:
        return self.looks_right

    def __str__(self) -> str:
        if self.looks_right:
            return "looks right"
        texts = [d.message + (f" ({d.advice})" if d.advice else "") for d in self.doubts]
        return "looks wrong: " + "; ".join(texts)

    def __repr__(self) -> str:
        return f"<Verdict: {self}>"


class Result:
    """What a job gives back, with its verdict, metrics and findings."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._metrics: Optional[Dict[str, Any]] = None
        self.verdict = Verdict([Doubt(d[0], d[1], in_python(d[2]), d[3], d[4], d[5])
                                for d in handle.doubts])
        self.findings: List[Finding] = [Finding(*finding) for finding in handle.findings]

    @property
    def metrics(self) -> Dict[str, Any]:
        """Numbers and words by the names that the program's reports have, with units."""
        if self._metrics is None:
            text = self._handle.report_json()
            report = json.loads(text) if text is not None else {}
            self._metrics = {key: value for key, value in report.items()
                             if not isinstance(value, (dict, list))
                             and key not in ("title", "command", "version", "verdict")}
        return self._metrics

    def report(self, path: Path) -> None:
        """Writes the program's report: .html, a page with the motion on it, or .json."""
        try:
            self._handle.write_report(path_text(path))
        except InputError:
            raise
        except ValueError as error:
            raise ValueError(in_python(str(error))) from None

    def _repr_html_(self) -> str:
        """The page of `report` with its moving picture, for notebooks."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            try:
                self.report(path)
            except ValueError:
                return html.escape(repr(self))
            with open(path, encoding="utf-8") as file:
                page = file.read()
        return (f'<iframe style="width: 100%; height: 640px; border: 0" '
                f'srcdoc="{html.escape(page, quote=True)}"></iframe>')

    def _summary(self) -> str:
        return str(self.verdict)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._summary()}>"


class Solved(Result):
    """A solved take."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.clip: Clip = content_of(handle.contents["clip"])
        self.subject: str = handle.contents["subject"]
        self.marker_set: str = handle.contents["marker_set"]

    def _summary(self) -> str:
        return (f"{len(self.clip)} frames, marker RMS {self.metrics['marker_rms_mm']:.2f} mm, "
                f"{self.verdict}")


class Retargeted(Result):
    """A clip on another body."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.clip: Clip = content_of(handle.contents["clip"])
        self.joint_map: str = handle.contents["joint_map"]
        figure = handle.contents.get("figure")
        self.figure: Optional[Figure] = None if figure is None else content_of(figure)

    def _summary(self) -> str:
        return (f"{len(self.clip)} frames, a standing foot off by at most "
                f"{self.metrics['planted_off_mm']:.2f} mm, {self.verdict}")


class Edited(Result):
    """A clip after what happened to it."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.clip: Clip = content_of(handle.contents["clip"])
        self.figure: Figure = content_of(handle.contents["figure"])

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

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.clip: Clip = content_of(handle.contents["clip"])
        self.joins: List[Join] = [Join(*join) for join in handle.contents["joins"]]

    def _summary(self) -> str:
        return f"{len(self.clip)} frames, {len(self.joins)} joins"


class Measured(Result):
    """The measures of a clip."""

    def _summary(self) -> str:
        return (f"toes slide at {self.metrics['stance_speed_cm_s']:.1f} cm/s in stances, "
                f"{self.verdict}")


class Markers(Result):
    """Virtual markers."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.take: Take = content_of(handle.contents["take"])
        self._metrics = {"missing_samples": handle.contents["missing_samples"],
                         "swaps": handle.contents["swaps"],
                         "gap_fraction": self.take.gap_fraction}

    def _summary(self) -> str:
        return repr(self.take)[1:-1]


@dataclass(frozen=True)
class Criterion:
    """One criterion of a scene, and what came of it."""

    text: str
    met: bool
    value: float  #: In `unit`; NaN where nothing was measured.
    unit: str


class Simulated(Result):
    """A scene that was played."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        #: The motion of each figure by its name.
        self.clips: Dict[str, Clip] = {name: content_of(clip)
                                       for name, clip in handle.contents["clips"].items()}
        self.criteria: List[Criterion] = [Criterion(*c) for c in handle.contents["criteria"]]

    def _summary(self) -> str:
        met = sum(criterion.met for criterion in self.criteria)
        return (f"{self.metrics['duration_s']:g} s, {met} of {len(self.criteria)} criteria met")


def _handle_of(value: Any, kind: Any, name: str, expected: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {expected}, found {value!r}")
    return value._handle


def _callback(progress: Optional[Progress]) -> Any:
    if progress is None or progress is False:
        return None
    if progress is True:
        return _bar()
    if not callable(progress):
        raise TypeError(f"progress: expected a function, found {progress!r}")
    return progress


def _bar() -> Any:
    """A bar of tqdm; a line on standard error where there is none."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:

        def line(share: float) -> None:
            end = "\n" if share >= 1.0 else ""
            print(f"\r{100.0 * share:3.0f} %", end=end, file=sys.stderr, flush=True)

        return line
    bar = tqdm(total=100, unit="%")

    def show(share: float) -> None:
        bar.update(round(100.0 * share) - bar.n)
        if share >= 1.0:
            bar.close()

    return show


def _options(**words: Any) -> Dict[str, Any]:
    """What was given: checked numbers, flags and words."""
    numbers = {"hold_out", "floor", "lock_feet", "strength_share", "physics_rate", "let_go",
               "blend", "search", "noise", "gap_share", "gap_seconds", "duration", "height",
               "mass"}
    counts = {"swaps", "ghosts", "seed"}
    options: Dict[str, Any] = {}
    for name, value in words.items():
        if value is None:
            continue
        if name in numbers and not isinstance(value, bool):
            value = finite(value, name)
            if value < 0.0 and name != "floor":
                raise ValueError(f"{name}: expected zero or more, found {value!r}")
        elif name in counts:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
                raise TypeError(f"{name}: expected a whole number, zero or more, found {value!r}")
        options[name] = value
    return options


def _text(value: Any, name: str) -> Any:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, found {value!r}")
    return value


def _run(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except InputError:
        raise
    except (ValueError, RuntimeError) as error:
        raise type(error)(in_python(str(error))) from None


def _as_figure(value: Any, name: str) -> Any:
    """A figure by its name, file or itself, as a handle; None stays None."""
    if value is None:
        return None
    if isinstance(value, (str, os.PathLike)):
        value = read(value)
    return _handle_of(value, Figure, name, "a Figure, its name or its file")


def solve(take: Take, *, subject: Optional[str] = None, method: str = "least-squares",
          marker_set: Optional[Path] = None, model: Optional[Path] = None,
          tasks: Optional[Path] = None,
          actor: Optional[Path] = None, standing: Optional[Take] = None,
          neutral: Optional[Take] = None, hold_out: Optional[float] = None,
          floor: Optional[float] = None, ground: bool = False, asymmetric: bool = False,
          clean_up: bool = True, gravity: bool = False, floor_contact: bool = False,
          progress: Optional[Progress] = None) -> Solved:
    """Markers to the motion of a body.

    Recognises the marker set, calibrates the actor, repairs labels, bridges gaps, and judges
    the result.

    subject -- whose markers, where the labels name several people (`subjects`).
    method -- "least-squares", "physical" (bodies in a world, each frame from the past only)
        or "both".
    marker_set -- name or file of the marker set; without it labels and motion decide.
    model -- an OpenSim model (.osim) whose markers are used.
    tasks -- with a model: an inverse-kinematics set-up of OpenSim (.xml) with the weights of the
        markers, or "equal". The model follows the markers with its own joints, and `.mot` files
        hold its coordinates.
    actor -- a figure file of an earlier solve: no calibration is done.
    standing -- a take of a standing pose with the same markers: helps calibration.
    neutral -- a take of the pose that joint angles are counted from.
    hold_out -- also solve without this share of the markers, in (0, 0.5], and measure them.
    floor -- height of the floor in the take [m]; the result then stands on 0.
    ground -- the result stands on 0, with the floor that the feet show.
    asymmetric -- left and right bones may differ.
    clean_up -- labels may be repaired.
    gravity, floor_contact -- of the physical method: weight, and soles above the floor.
    progress -- called with the share that is done; returning False stops the job.

    >>> import limber
    >>> solved = limber.solve(limber.read("data/takes/march.c3d"))
    >>> solved.verdict.looks_right
    True
    """
    handle = _handle_of(take, Take, "take", "a Take")
    options = _options(
        subject=_text(subject, "subject"), method=_text(method, "method"),
        marker_set=None if marker_set is None else path_text(marker_set, "marker_set"),
        model=None if model is None else path_text(model, "model"),
        tasks=None if tasks is None else path_text(tasks, "tasks"),
        actor=None if actor is None else path_text(actor, "actor"),
        standing=None if standing is None else _handle_of(standing, Take, "standing", "a Take"),
        neutral=None if neutral is None else _handle_of(neutral, Take, "neutral", "a Take"),
        hold_out=hold_out, floor=floor, ground=bool(ground), asymmetric=bool(asymmetric),
        clean_up=bool(clean_up), gravity=bool(gravity), floor_contact=bool(floor_contact))
    return Solved(_run(_limber.solve, handle, options, _callback(progress)))


def subjects(take: Take) -> List[str]:
    """The people of a take whose labels name several; else an empty list."""
    return _limber.subjects(_handle_of(take, Take, "take", "a Take"))


def retarget(clip: Clip, *, to: Union[None, Path, Figure, Clip, Skeleton] = None,
             scale: Optional[str] = None, map: Optional[Path] = None, lock_feet: float = 0.0,
             copy_only: bool = False, smooth: bool = False, ground: bool = False,
             dynamic: bool = False, strength: Optional[float] = None,
             progress: Optional[Progress] = None) -> Retargeted:
    """Carries a clip over to a body of other proportions, feet planted.

    to -- whom to: the name of a figure ("fat_man"; `figure_names`), a file, a Figure, another
        Clip or a Skeleton.
    scale -- instead of `to`: the clip's own body with other lengths, "legs=1.25,arms=0.8".
    map -- a joint map in JSON, where the names of joints do not say enough.
    lock_feet -- share of the source's own sliding to take out of stances, 0 to 1.
    copy_only -- copy the angles and scale the root, nothing else.
    smooth -- take tremor out that grows with the proportions.
    ground -- lay the clip's floor to height zero.
    dynamic -- play the result on the physical figure with `strength` times its own (2).
    progress -- called with the share that is done; returning False stops the job.

    >>> import limber
    >>> fat = limber.retarget(limber.read("data/clips/walk.bvh"), to="fat_man")
    >>> fat.metrics["planted_off_mm"] < 1.0
    True
    """
    handle = _handle_of(clip, Clip, "clip", "a Clip")
    if (to is None) == (scale is None):
        raise ValueError("say whom to retarget to: either to=... or scale=\"legs=1.25,...\"")
    target: Any = to
    if isinstance(to, (str, os.PathLike)):
        target = path_text(to, "to")
    elif to is not None:
        target = _handle_of(to, (Figure, Clip, Skeleton), "to",
                            "the name of a figure, a file, a Figure, a Clip or a Skeleton")
    options = _options(to=target, scale=_text(scale, "scale"),
                       map=None if map is None else path_text(map, "map"), lock_feet=lock_feet,
                       copy_only=bool(copy_only), smooth=bool(smooth), ground=bool(ground),
                       dynamic=bool(dynamic))
    if strength is not None:
        options["strength"] = finite(strength, "strength")
    return Retargeted(_run(_limber.retarget, handle, options, _callback(progress)))


def edit(clip: Clip, events: Iterable[Change], *, figure: Union[None, Path, Figure] = None,
         strength: Union[str, float] = "normal", return_to: str = "path", keep: str = "",
         floor: bool = True, physics_rate: float = 240.0, let_go: Optional[float] = None,
         progress: Optional[Progress] = None) -> Edited:
    """Lets events happen to a figure while it plays a clip, and returns what becomes of it.

    events -- Push, Throw, Carry, Loosen and the others.
    figure -- the body that plays the clip, by its name, file or itself; without it one is made.
    strength -- "weak", "normal", "strong", or a share of the figure's own.
    return_to -- what comes back after the events: "none", "pose" or "path".
    keep -- segments that the events do not move, such as "feet,head".
    floor -- whether there is one, at the height on which the clip stands.
    physics_rate -- steps a second, at least [Hz].
    let_go -- the figure lets go when an event turns a joint by so much [rad].
    progress -- called with the share that is done; returning False stops the job.

    >>> import limber
    >>> clip = limber.read("data/clips/march.bvh")
    >>> pushed = limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(10, 0, 0))])
    >>> pushed.metrics["largest_difference_deg"] > 1.0
    True
    """
    handle = _handle_of(clip, Clip, "clip", "a Clip")
    try:
        changes = list(events)
    except TypeError:
        raise TypeError(f"events: expected a list of events, found {events!r}") from None
    for event in changes:
        if not isinstance(event, Change):
            raise TypeError(f"events: expected Push, Throw and the like, found {event!r}")
        event.__post_init__()
    if not isinstance(strength, str):
        strength = repr(finite(strength, "strength"))
    options = _options(figure=_as_figure(figure, "figure"), strength=strength,
                       return_to=_text(return_to, "return_to"), keep=_text(keep, "keep"),
                       floor=bool(floor), physics_rate=physics_rate, let_go=let_go)
    return Edited(_run(_limber.edit, handle, changes, options, _callback(progress)))


def combine(clips: Sequence[Clip], *, blend: float = 0.4, search: float = 1.0,
            progress: Optional[Progress] = None) -> Combined:
    """Joins clips of one skeleton: aligns them, finds where they fit, blends.

    blend -- over which two clips are mixed [s].
    search -- how much of the end and of the beginning is looked at [s].
    """
    try:
        handles = [_handle_of(clip, Clip, "clips", "a list of Clips") for clip in clips]
    except TypeError as error:
        if "clips:" in str(error):
            raise
        raise TypeError(f"clips: expected a list of Clips, found {clips!r}") from None
    options = _options(blend=blend, search=search)
    return Combined(_run(_limber.combine, handles, options, _callback(progress)))


def measure(clip: Clip, *, against: Optional[Clip] = None,
            figure: Union[None, Path, Figure] = None) -> Measured:
    """Measures a clip of a human body: sliding and sinking feet, jerk, joint angles.

    against -- the clip it was made from: stances and floor are taken from there, joint angles
        compared.
    figure -- the figure that the clip is on: its joint limits are checked.
    """
    handle = _handle_of(clip, Clip, "clip", "a Clip")
    options = _options(
        against=None if against is None else _handle_of(against, Clip, "against", "a Clip"),
        figure=_as_figure(figure, "figure"))
    return Measured(_run(_limber.measure, handle, options))


def markers(clip: Clip, *, marker_set: str = "cmu41", figure: Union[None, Path, Figure] = None,
            noise: float = 0.0, gap_share: float = 0.0, gap_seconds: float = 0.5, swaps: int = 0,
            ghosts: int = 0, seed: int = 1) -> Markers:
    """Virtual markers from a clip, as cameras would see them.

    marker_set -- labels and places: "cmu41" or "pig39".
    figure -- a figure of the same skeleton whose markers are used.
    noise -- standard deviation of each coordinate [m].
    gap_share, gap_seconds -- missing share of all samples, and the length of a gap [s].
    swaps -- how often neighbours trade labels.
    ghosts -- how many unlabelled points appear for a while.
    seed -- the same seed makes the same faults.
    """
    handle = _handle_of(clip, Clip, "clip", "a Clip")
    options = _options(marker_set=_text(marker_set, "marker_set"),
                       figure=_as_figure(figure, "figure"), noise=noise, gap_share=gap_share,
                       gap_seconds=gap_seconds, swaps=swaps, ghosts=ghosts, seed=seed)
    return Markers(_run(_limber.markers, handle, options))


def simulate(scene: Path, *, duration: Optional[float] = None,
             physics_rate: Optional[float] = None, unbounded: bool = False,
             progress: Optional[Progress] = None) -> Simulated:
    """Plays a scene file, or a scene that comes with Limber by its name, and judges it.

    duration -- instead of the scene's [s].
    physics_rate -- steps a second instead of the scene's [Hz].
    unbounded -- play also what takes very long.

    >>> import limber
    >>> round(limber.simulate("coupled_pendula", duration=0.1).metrics["duration_s"], 6)
    0.1
    """
    options = _options(duration=duration, physics_rate=physics_rate, unbounded=bool(unbounded))
    return Simulated(_run(_limber.simulate, path_text(scene, "scene"), options,
                          _callback(progress)))


def figure(source: Union[Clip, Skeleton], *, name: str = "", height: Optional[float] = None,
           mass: Optional[float] = None, female: bool = False, fit_clip: bool = False) -> Figure:
    """Gives a skeleton a body with masses, limits and places for markers.

    source -- a Clip or a Skeleton.
    height -- standing height [m]; without it as the skeleton shows.
    mass -- of the body [kg]; without it usual for the height.
    female -- masses by the table for women.
    fit_clip -- joints and limits wide enough for all that the clip does.
    """
    handle = _handle_of(source, (Clip, Skeleton), "source", "a Clip or a Skeleton")
    options = _options(name=_text(name, "name"), height=height, mass=mass, female=bool(female),
                       fit_clip=bool(fit_clip))
    return Figure._of(_run(_limber.figure, handle, options))


Input = TypeVar("Input")
Output = TypeVar("Output")


def batch(job: Callable[[Input], Output], inputs: Iterable[Input],
          threads: Optional[int] = None) -> List[Union[Output, Exception]]:
    """Does a job on every input with all cores; jobs do not hold Python's lock.

    Returns what the job returns for each input, in their order, or the exception it raised.

    >>> import limber
    >>> limber.batch(lambda name: len(limber.read("data/clips/" + name)), ["walk.bvh"])
    [529]
    """

    if not callable(job):
        raise TypeError(f"job: expected a function, found {job!r}")

    def one(item: Input) -> Union[Output, Exception]:
        try:
            return job(item)
        except Exception as error:  # One bad file must not stop the others.
            return error

    with ThreadPoolExecutor(max_workers=threads or os.cpu_count()) as pool:
        return list(pool.map(one, inputs))
