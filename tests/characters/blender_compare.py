# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# blender -b --python-exit-code 3 -P blender_compare.py -- \
#     CHARACTER OURS.npz TOLERANCE_MM [ANIMATION]
#
# Reads a character with Blender's own importer and compares every joint with
# where Limber has it (`limber convert CHARACTER OURS.npz`), at up to ten times.
# Prints the largest distance; ends with 1 if it is above the tolerance.
import json
import os
import sys

import numpy

numpy.bool = bool  # The importer of Blender 3.4 wants what numpy 1.24 dropped.
import bpy  # noqa: E402

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from npz_places import our_places  # noqa: E402

FRAMES = 10
SAME_TIME = 1e-4  # Key times are floats [s].


def read(path):
    """Imports the file into an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    ending = os.path.splitext(path)[1].lower()
    if ending in (".glb", ".gltf"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif ending == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        sys.exit("no importer for " + path)


def play(animation):
    """Plays the animation of that name; without one the first, as imported."""
    for item in bpy.data.objects:
        data = item.animation_data
        if data is None:
            continue
        for track in data.nla_tracks:
            if animation and track.name == animation:
                data.action = track.strips[0].action
            track.mute = True


def key_times():
    """Times at which something has a key [s], sorted."""
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    times = set()
    for item in bpy.data.objects:
        data = item.animation_data
        if data is None or data.action is None:
            continue
        for curve in data.action.fcurves:
            for key in curve.keyframe_points:
                times.add(round(key.co[0] / rate, 6))
    return sorted(times)


def their_places(time):
    """{name: (x, y, z)} of bones and plain objects, turned to +Y up."""
    scene = bpy.context.scene
    frame = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame // 1), subframe=frame % 1)
    named = {}
    graph = bpy.context.evaluated_depsgraph_get()
    for item in scene.objects:
        solved = item.evaluated_get(graph)
        if item.type == "ARMATURE":
            for bone in solved.pose.bones:
                p = solved.matrix_world @ bone.head
                named.setdefault(bone.name, (p.x, p.z, -p.y))
        p = solved.matrix_world.translation
        named.setdefault(item.name, (p.x, p.z, -p.y))
    return named


def times_to_compare(num_frames, rate, keys):
    """Pairs of our frame and Blender's time. Between keys Blender mixes the
    parts of quaternions, so frames with a key are taken where there are some."""
    begin = keys[0] if keys else 0.0
    frames = list(range(num_frames))
    on_key = [f for f in frames
              if any(abs(begin + f / rate - k) < SAME_TIME for k in keys)]
    if len(on_key) >= 2:
        frames = on_key
    picked = sorted({frames[round(i * (len(frames) - 1) / (FRAMES - 1))]
                     for i in range(FRAMES)})
    return [(f, begin + f / rate) for f in picked]


def main():
    arguments = sys.argv[sys.argv.index("--") + 1:]
    path, ours, tolerance = arguments[0], arguments[1], float(arguments[2])
    animation = arguments[3] if len(arguments) > 3 else ""
    arrays = dict(numpy.load(ours))
    read(path)
    play(animation)
    worst, worst_of, compared = 0.0, "", set()
    missing = set()
    for frame, time in times_to_compare(
            len(arrays["root"]), float(arrays["rate"]), key_times()):
        theirs = their_places(time)
        for name, place in our_places(arrays, frame).items():
            # Nodes without a name, as Limber and as Blender calls them.
            if name not in theirs:
                name = name.replace("node", "Node_")
            if name not in theirs:
                missing.add(name)
                continue
            compared.add(name)
            distance = float(numpy.linalg.norm(place - theirs[name])) * 1000
            if distance > worst:
                worst, worst_of = distance, "%s at %.4f s" % (name, time)
    print("COMPARED " + json.dumps({
        "joints": len(compared), "missing": sorted(missing),
        "worst_mm": round(worst, 4), "where": worst_of}))
    if not compared or worst > tolerance or missing:
        sys.exit(1)


main()
