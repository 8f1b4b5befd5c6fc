# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# blender -b -P addon_test.py -- ADDON TAKE SOLVED.npz HERO.glb CLIP LIMBER
# FOLDER: see addon_test.sh.
import importlib.util
import os
import subprocess
import sys

import bpy
import numpy

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from npz_places import our_places  # noqa: E402

TOLERANCE_MM = 0.5
FRAMES = 10


def load_addon(path):
    spec = importlib.util.spec_from_file_location("limber_addon", path)
    addon = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(addon)
    addon.register()
    return addon


def compare(what, armature, arrays, first, rate):
    """Ends with 1 where a bone is not where the arrays have it."""
    scene = bpy.context.scene
    seconds = (len(arrays["root"]) - 1) / float(arrays["rate"])
    worst = 0.0
    for i in range(FRAMES):
        frame = round(i * (len(arrays["root"]) - 1) / (FRAMES - 1))
        now = first + frame / float(arrays["rate"]) * rate
        scene.frame_set(int(now // 1), subframe=now % 1)
        for name, place in our_places(arrays, frame).items():
            bone = armature.pose.bones[name]
            p = armature.matrix_world @ bone.head
            worst = max(worst, 1000 * float(numpy.linalg.norm(
                place - numpy.array((p.x, p.z, -p.y)))))
    print("COMPARED %s: %.1f s, worst %.4f mm" % (what, seconds, worst))
    if worst > TOLERANCE_MM:
        sys.exit(1)


def check(result, what):
    if result != {"FINISHED"}:
        print("COMPARED %s: %s" % (what, result))
        sys.exit(1)


def main():
    (path, take, solved, hero, clip, limber,
     folder) = sys.argv[sys.argv.index("--") + 1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon = load_addon(path)
    scene = bpy.context.scene
    # A take: keys are at whole frames where the scene has the take's rate.
    arrays = dict(numpy.load(solved))
    scene.render.fps = round(float(arrays["rate"]))
    check(bpy.ops.limber.solve(filepath=take), "solve")
    armature = bpy.data.objects["march"]
    compare("solve", armature, arrays, 0, scene.render.fps)

    # Another motion onto a character, as the program does it.
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.import_scene.gltf(filepath=hero)
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    scene.frame_start, scene.frame_end = 1, 40
    own = os.path.join(folder, "own.bvh")
    out = os.path.join(folder, "own.npz")
    addon.write_bvh(bpy.context, armature, own)
    subprocess.run([limber, "retarget", clip, "--to", own, "-o", out],
                   capture_output=True, check=False)
    check(bpy.ops.limber.retarget(filepath=clip), "retarget")
    arrays = dict(numpy.load(out))
    compare("retarget", armature, arrays, scene.frame_start, scene.render.fps)

    # A push of what is now on the armature.
    push = "chest@0.3s:15Ns:+x"
    own2 = os.path.join(folder, "own2.bvh")
    out2 = os.path.join(folder, "own2.npz")
    addon.write_bvh(bpy.context, armature, own2)
    subprocess.run([limber, "edit", own2, "--unit", "cm", "--up", "y", "--push",
                    push, "-o", out2], capture_output=True, check=False)
    check(bpy.ops.limber.push(push=push), "push")
    pushed = dict(numpy.load(out2))
    compare("push", armature, pushed, scene.frame_start, scene.render.fps)
    before = os.path.join(folder, "before.npz")
    subprocess.run([limber, "convert", own2, before, "--unit", "cm", "--up",
                    "y"], capture_output=True, check=False)
    still = dict(numpy.load(before))
    moved = abs(pushed["root"][:len(still["root"])]
                - still["root"][:len(pushed["root"])]).max()
    if moved < 1e-3:
        print("COMPARED push: nothing moved")
        sys.exit(1)

    # What is wrong is said.
    try:
        bpy.ops.limber.push(push="nonsense")
        print("COMPARED nonsense: no error")
        sys.exit(1)
    except RuntimeError as error:
        print("COMPARED nonsense: " + str(error).strip().split("\n")[0])


main()
