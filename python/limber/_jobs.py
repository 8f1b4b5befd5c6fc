# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs: each one call, with a result that says what it thinks of itself."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Callable, Iterable, List, Optional, Sequence, TypeVar, Union

from . import _limber
from ._checks import (Path, call, count, finite, flag, known, not_negative, one_of,
                      optional_path, path_text, positive, share, short, text)
from ._content import Clip, Figure, Skeleton, Take, content_of, handle_of
from ._events import Change
from ._files import figure_names, marker_set_names, read, scene_names
from ._results import (Combined, Edited, Markers, Measured, Retargeted, Simulated, Solved)

#: Called with the share that is done, in [0, 1]; the job stops where it returns False. True
#: shows a bar, by tqdm where it is installed.
Progress = Union[bool, Callable[[float], Optional[bool]]]

#: What this thread works for: `stop` ends its jobs. Set by `batch`.
_work = threading.local()


def _callback(progress: Optional[Progress]) -> Optional[Callable[[float], Optional[bool]]]:
    """What the job calls: the user's function, and whether the batch was stopped."""
    function: Optional[Callable[[float], Optional[bool]]] = None
    if progress is True:
        function = _bar()
    elif progress is not None and progress is not False:
        if not callable(progress):
            raise TypeError(f"progress: expected a function, found {short(progress)}")
        function = progress
    found: Optional[threading.Event] = getattr(_work, "stop", None)
    if found is None:
        return function
    stop = found

    def both(share: float) -> Optional[bool]:
        if stop.is_set():
            return False
        return None if function is None else function(share)

    return both


def _bar() -> Callable[[float], Optional[bool]]:
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


def as_figure(value: Any, name: str) -> Optional[_limber.FigureHandle]:
    """A figure by its name, file or itself, as a handle; None stays None."""
    if value is None:
        return None
    if isinstance(value, (str, os.PathLike)):
        value = read(known(path_text(value, name), name, figure_names()))
    handle: _limber.FigureHandle = handle_of(value, Figure, name,
                                             "a Figure, its name or its file")
    return handle


def _take(value: Any, name: str) -> Optional[_limber.TakeHandle]:
    return None if value is None else handle_of(value, Take, name, "a Take")


def solve(take: Take, *, subject: Optional[str] = None, method: str = "least-squares",
          marker_set: Optional[Path] = None, model: Optional[Path] = None,
          tasks: Optional[Path] = None,
          actor: Union[None, Path, Figure] = None, standing: Optional[Take] = None,
          neutral: Optional[Take] = None, hold_out: Optional[float] = None,
          floor: Optional[float] = None, ground: bool = False, asymmetric: bool = False,
          clean_up: bool = True, gravity: bool = False, floor_contact: bool = False,
          progress: Optional[Progress] = None) -> Solved:
    """Markers to the motion of a body.

    Recognises the marker set, calibrates the actor, repairs labels, bridges gaps, and judges
    the result: `verdict` says whether it looks right, `metrics` how far markers are off,
    `clip` is the motion, `angles` are OpenSim's coordinates.

    take -- the markers.
    subject -- whose markers, where the labels name several people (`subjects`).
    method -- "least-squares", "physical" (bodies in a world, each frame from the past only)
        or "both".
    marker_set -- name or file of the marker set; without it labels and motion decide.
    model -- an OpenSim model (.osim) whose markers are used.
    tasks -- with a model: an inverse-kinematics set-up of OpenSim (.xml) with the weights of the
        markers, or "equal". The model follows the markers with its own joints, and `.mot` files
        hold its coordinates.
    actor -- `figure` of an earlier solve, or its file: no calibration is done.
    standing -- a take of a standing pose with the same markers: helps calibration.
    neutral -- a take of the pose that joint angles are counted from.
    hold_out -- also solve without this share of the markers, in (0, 0.5], and measure them.
    floor -- height of the floor in the take [m]; the result then stands on 0.
    ground -- the result stands on 0, with the floor that the feet show.
    asymmetric -- left and right bones may differ.
    clean_up -- labels may be repaired.
    gravity -- of the physical method: the body has weight.
    floor_contact -- of the physical method: soles stay above the floor.
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> solved = limber.solve(limber.read("data/takes/march.c3d"))
    >>> solved.verdict.looks_right
    True
    >>> again = limber.solve(limber.read("data/takes/march.c3d"), actor=solved.figure)
    >>> abs(again.metrics["marker_rms_mm"] - solved.metrics["marker_rms_mm"]) < 0.1
    True
    """
    handle = handle_of(take, Take, "take", "a Take")
    person: Any = None
    if isinstance(actor, (str, os.PathLike)):
        person = path_text(actor, "actor")
    elif actor is not None:
        person = handle_of(actor, Figure, "actor", "the figure of an earlier solve or its file")
    options = {
        "subject": None if subject is None else text(subject, "subject"),
        "method": one_of(method, "method", ("least-squares", "physical", "both")),
        "marker_set": None if marker_set is None else known(
            path_text(marker_set, "marker_set"), "marker_set", marker_set_names()),
        "model": optional_path(model, "model"), "tasks": optional_path(tasks, "tasks"),
        "actor": person,
        "standing": _take(standing, "standing"), "neutral": _take(neutral, "neutral"),
        "hold_out": None if hold_out is None else positive(hold_out, "hold_out", "share"),
        "floor": None if floor is None else finite(floor, "floor"),
        "ground": flag(ground, "ground"), "asymmetric": flag(asymmetric, "asymmetric"),
        "clean_up": flag(clean_up, "clean_up"), "gravity": flag(gravity, "gravity"),
        "floor_contact": flag(floor_contact, "floor_contact")}
    if hold_out is not None and hold_out > 0.5:
        raise ValueError(f"hold_out: expected a share in (0, 0.5], found {short(hold_out)}")
    return Solved(call(_limber.solve, handle, options, _callback(progress)))


def subjects(take: Take) -> List[str]:
    """The people of a take whose labels name several; else nobody.

    take -- the markers.

    >>> import limber
    >>> limber.subjects(limber.read("data/takes/march.c3d"))
    []
    """
    return call(_limber.subjects, handle_of(take, Take, "take", "a Take"))


def retarget(clip: Clip, to: Union[None, Path, Figure, Clip, Skeleton] = None, *,
             scale: Optional[str] = None, map: Optional[Path] = None, lock_feet: float = 0.0,
             copy_only: bool = False, smooth: bool = False, ground: bool = False,
             dynamic: bool = False, strength: Optional[float] = None,
             progress: Optional[Progress] = None) -> Retargeted:
    """Carries a clip over to a body of other proportions, feet planted.

    clip -- of a human body.
    to -- whom to: the name of a figure ("fat_man"; `figure_names`), a file, a Figure, another
        Clip or a Skeleton.
    scale -- instead of `to`: the clip's own body with other lengths, "legs=1.25,arms=0.8".
    map -- a joint map in JSON, where the names of joints do not say enough.
    lock_feet -- share of the source's own sliding to take out of stances, in [0, 1].
    copy_only -- copy the angles and scale the root, nothing else.
    smooth -- take tremor out that grows with the proportions.
    ground -- lay the clip's floor to height zero.
    dynamic -- play the result on the physical figure.
    strength -- of the physical figure, times its own (2).
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> child = limber.retarget(limber.read("data/clips/march.bvh"), to="child")
    >>> child.figure.name, child.metrics["planted_off_mm"] < 5.0
    ('child', True)
    """
    handle = handle_of(clip, Clip, "clip", "a Clip")
    if (to is None) == (scale is None):
        raise ValueError("to: say whom to retarget to: either to=... or scale=\"legs=1.25,...\"")
    target: Any = None
    if isinstance(to, (str, os.PathLike)):
        target = known(path_text(to, "to"), "to", figure_names())
    elif to is not None:
        target = handle_of(to, (Figure, Clip, Skeleton), "to",
                           "the name of a figure, a file, a Figure, a Clip or a Skeleton")
    if strength is not None and not flag(dynamic, "dynamic"):
        raise ValueError("strength: is a part of dynamic=True")
    options = {
        "to": target, "scale": None if scale is None else text(scale, "scale"),
        "map": optional_path(map, "map"), "lock_feet": share(lock_feet, "lock_feet"),
        "copy_only": flag(copy_only, "copy_only"), "smooth": flag(smooth, "smooth"),
        "ground": flag(ground, "ground"), "dynamic": flag(dynamic, "dynamic"),
        "strength": None if strength is None else positive(strength, "strength", "share")}
    return Retargeted(call(_limber.retarget, handle, options, _callback(progress)))


def edit(clip: Clip, events: Iterable[Change], *, figure: Union[None, Path, Figure] = None,
         strength: Union[str, float] = "normal", return_to: str = "path", keep: str = "",
         floor: bool = True, physics_rate: float = 240.0, let_go: Optional[float] = None,
         progress: Optional[Progress] = None) -> Edited:
    """Lets events happen to a figure while it plays a clip, and returns what becomes of it.

    clip -- what the figure plays.
    events -- Push, Throw, Carry, Loosen and the others.
    figure -- the body that plays the clip, by its name, file or itself; without it one is made.
    strength -- "weak", "normal", "strong", or a share of the figure's own.
    return_to -- what comes back after the events: "none", "pose" or "path".
    keep -- segments that the events do not move, such as "feet,head".
    floor -- whether there is one, at the height on which the clip stands.
    physics_rate -- steps a second, at least [Hz].
    let_go -- the figure lets go when an event turns a joint by so much [rad].
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> clip = limber.read("data/clips/march.bvh")
    >>> pushed = limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(10, 0, 0))])
    >>> pushed.metrics["largest_difference_deg"] > 1.0
    True
    """
    handle = handle_of(clip, Clip, "clip", "a Clip")
    try:
        changes = list(events)
    except Exception:
        hint = ", which belongs into a list: [...]" if isinstance(events, Change) else ""
        raise TypeError(
            f"events: expected a list of events, found {short(events)}{hint}") from None
    for event in changes:
        if not isinstance(event, Change) or type(event) is Change:
            raise TypeError(f"events: expected Push, Throw and the like, found {short(event)}")
        event.__post_init__()
    options = {
        "figure": as_figure(figure, "figure"),
        "strength": (text(strength, "strength") if isinstance(strength, str)
                     else repr(positive(strength, "strength", "share"))),
        "return_to": one_of(return_to, "return_to", ("none", "pose", "path")),
        "keep": text(keep, "keep"), "floor": flag(floor, "floor"),
        "physics_rate": positive(physics_rate, "physics_rate", "Hz"),
        "let_go": None if let_go is None else positive(let_go, "let_go", "rad")}
    return Edited(call(_limber.edit, handle, changes, options, _callback(progress)))


def combine(clips: Sequence[Clip], *, blend: float = 0.4, search: float = 1.0,
            progress: Optional[Progress] = None) -> Combined:
    """Joins clips of one skeleton: aligns them, finds where they fit, blends.

    clips -- two or more, in their order; the first one's rate counts.
    blend -- over which two clips are mixed [s].
    search -- how much of the end and of the beginning is looked at [s].
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> parts = [limber.read("data/clips/walk.bvh"), limber.read("data/clips/run.bvh")]
    >>> len(limber.combine(parts).joins)
    1
    """
    try:
        listed = list(clips)
    except Exception:
        raise TypeError(f"clips: expected a list of Clips, found {short(clips)}") from None
    handles = [handle_of(clip, Clip, "clips", "a list of Clips") for clip in listed]
    if len(handles) < 2:
        raise ValueError(f"clips: expected two clips or more, found {len(handles)}")
    options = {"blend": positive(blend, "blend", "s"), "search": positive(search, "search", "s")}
    return Combined(call(_limber.combine, handles, options, _callback(progress)))


def measure(clip: Clip, *, against: Optional[Clip] = None,
            figure: Union[None, Path, Figure] = None,
            progress: Optional[Progress] = None) -> Measured:
    """Measures a clip of a human body: sliding and sinking feet, jerk, joint angles.

    clip -- of a human body.
    against -- the clip it was made from: stances and floor are taken from there, joint angles
        compared.
    figure -- the figure that the clip is on: its joint limits are checked.
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> walk = limber.read("data/clips/walk.bvh")
    >>> limber.measure(walk, against=walk).metrics["joint_rms_deg"] < 1e-9
    True
    """
    handle = handle_of(clip, Clip, "clip", "a Clip")
    options = {
        "against": None if against is None else handle_of(against, Clip, "against", "a Clip"),
        "figure": as_figure(figure, "figure")}
    return Measured(call(_limber.measure, handle, options, _callback(progress)))


def markers(clip: Clip, *, marker_set: str = "cmu41", figure: Union[None, Path, Figure] = None,
            noise: float = 0.0, gap_share: float = 0.0, gap_seconds: float = 0.5, swaps: int = 0,
            ghosts: int = 0, seed: int = 1, progress: Optional[Progress] = None) -> Markers:
    """Virtual markers from a clip, as cameras would see them.

    clip -- of a human body.
    marker_set -- labels and places: "cmu41" or "pig39".
    figure -- a figure of the same skeleton whose markers are used.
    noise -- standard deviation of each coordinate [m].
    gap_share -- missing share of all samples, in [0, 1].
    gap_seconds -- the length of a gap [s].
    swaps -- how often neighbours trade labels.
    ghosts -- how many unlabelled points appear for a while.
    seed -- the same seed makes the same faults.
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> made = limber.markers(limber.read("data/clips/walk.bvh"), gap_share=0.1)
    >>> 0.05 < made.take.gap_fraction < 0.15
    True
    """
    handle = handle_of(clip, Clip, "clip", "a Clip")
    options = {
        "marker_set": one_of(marker_set, "marker_set", ("cmu41", "pig39")),
        "figure": as_figure(figure, "figure"),
        "noise": not_negative(noise, "noise"), "gap_share": share(gap_share, "gap_share"),
        "gap_seconds": positive(gap_seconds, "gap_seconds", "s"), "swaps": count(swaps, "swaps"),
        "ghosts": count(ghosts, "ghosts"), "seed": count(seed, "seed")}
    return Markers(call(_limber.markers, handle, options, _callback(progress)))


def simulate(scene: Path, *, duration: Optional[float] = None,
             physics_rate: Optional[float] = None, unbounded: bool = False,
             progress: Optional[Progress] = None) -> Simulated:
    """Plays a scene file, or a scene that comes with Limber by its name, and judges it.

    scene -- the file, or one of `scene_names`.
    duration -- instead of the scene's [s].
    physics_rate -- steps a second instead of the scene's [Hz].
    unbounded -- play also what takes very long.
    progress -- called with the share that is done; returning False stops the job. True shows
        a bar.

    >>> import limber
    >>> round(limber.simulate("coupled_pendula", duration=0.1).metrics["duration_s"], 6)
    0.1
    """
    options = {
        "duration": None if duration is None else positive(duration, "duration", "s"),
        "physics_rate": (None if physics_rate is None
                         else positive(physics_rate, "physics_rate", "Hz")),
        "unbounded": flag(unbounded, "unbounded")}
    place = known(path_text(scene, "scene"), "scene", scene_names())
    return Simulated(call(_limber.simulate, place, options, _callback(progress)))


def figure(source: Union[Clip, Skeleton], *, name: str = "", height: Optional[float] = None,
           mass: Optional[float] = None, female: bool = False, fit_clip: bool = False) -> Figure:
    """Gives a skeleton a body with masses, limits and places for markers.

    source -- a Clip or a Skeleton.
    name -- of the figure; without it that of the skeleton.
    height -- standing height [m]; without it as the skeleton shows.
    mass -- of the body [kg]; without it usual for the height.
    female -- masses by the table for women.
    fit_clip -- joints and limits wide enough for all that the clip does.

    >>> import limber
    >>> limber.figure(limber.read("data/clips/walk.bvh"), mass=70.0).mass
    70.0
    """
    handle = handle_of(source, (Clip, Skeleton), "source", "a Clip or a Skeleton")
    options = {
        "name": text(name, "name"),
        "height": None if height is None else positive(height, "height", "m"),
        "mass": None if mass is None else positive(mass, "mass", "kg"),
        "female": flag(female, "female"), "fit_clip": flag(fit_clip, "fit_clip")}
    made: Figure = content_of(call(_limber.figure, handle, options))
    return made


Input = TypeVar("Input")
Output = TypeVar("Output")


def batch(job: Callable[[Input], Output], inputs: Iterable[Input], *,
          threads: Optional[int] = None,
          progress: Optional[Progress] = None) -> List[Union[Output, Exception]]:
    """Does a job on every input with all cores; jobs do not hold Python's lock.

    Returns what the job returns for each input, in their order, or the exception it raised.
    Ctrl-C stops the jobs that run and starts no others.

    job -- a function of one input.
    inputs -- what it is done on.
    threads -- how many at once; without it as many as there are cores.
    progress -- called with the share that is done; returning False stops the batch. True shows
        a bar.

    >>> import limber
    >>> limber.batch(lambda name: len(limber.read("data/clips/" + name)), ["walk.bvh"])
    [529]
    """
    if not callable(job):
        raise TypeError(f"job: expected a function, found {short(job)}")
    try:
        items = list(inputs)
    except Exception:
        raise TypeError(f"inputs: expected a list, found {short(inputs)}") from None
    workers = (os.cpu_count() or 1) if threads is None else count(threads, "threads", 1, 1024)
    tell = _callback(progress)
    stop = threading.Event()

    def one(item: Input) -> Union[Output, Exception]:
        _work.stop = stop
        try:
            return job(item)
        except Exception as error:  # One bad file must not stop the others.
            return error

    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures: List["Future[Union[Output, Exception]]"] = [pool.submit(one, item)
                                                             for item in items]
        try:
            waiting = set(futures)
            while waiting:
                _, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                done = 1.0 - len(waiting) / len(futures)
                if tell is not None and tell(done) is False and waiting:
                    raise KeyboardInterrupt("progress stopped the batch")
        except BaseException:
            stop.set()
            for future in futures:
                future.cancel()
            raise
        return [future.result() for future in futures]
