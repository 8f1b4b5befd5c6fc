# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Limber in Blender: solve marker takes, retarget and push armatures.

Every operator runs the program `limber` on files in a temporary folder and
reads the result back; nothing of Limber is written again here. See
docs/blender.md.
"""

import math
import os
import shutil
import subprocess
import tempfile

import bpy
import numpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper
from mathutils import Matrix, Quaternion, Vector

bl_info = {
    "name": "Limber",
    "author": "The Limber authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, and View3D > Sidebar > Limber",
    "description": "Solve marker takes, retarget and push motions",
    "category": "Animation",
}

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Blender 3.4's glTF importer, with numpy 1.24 and later.

# Limber's centimetres in a BVH are Blender's metres.
METRES_PER_UNIT = 0.01
LONGEST_RUN = 600  # [s]
WORDS_OF_PUSH = "SEGMENT@TIME:IMPULSE:DIRECTION"


class LimberError(Exception):
    """What the program said."""


def program(context):
    """Path of the program: of the preferences, else of the search path."""
    addon = context.preferences.addons.get(__name__)
    path = addon.preferences.program if addon else ""
    path = path or os.environ.get("LIMBER", "") or shutil.which("limber") or ""
    if not path:
        raise LimberError(
            "The program limber was not found: say where it is in Edit > "
            "Preferences > Add-ons > Limber")
    return bpy.path.abspath(path)


def run_limber(context, *arguments):
    """Runs the program and returns what it printed."""
    call = [program(context), *map(str, arguments)]
    try:
        done = subprocess.run(call, capture_output=True, text=True,
                              timeout=LONGEST_RUN, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LimberError(str(error)) from error
    # 3: done, with a doubt that the program names.
    if done.returncode not in (0, 3):
        raise LimberError(done.stderr.strip() or done.stdout.strip()
                          or "limber ended with %d" % done.returncode)
    return done.stdout + done.stderr


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def turned(p):
    """Blender's +Z up as Limber's +Y up [the same unit]."""
    return Vector((p.x, p.z, -p.y))


TO_Y_UP = Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0)))


def rest_places(armature):
    """Heads and tails of the bones in the rest pose, +Y up [m]."""
    world = armature.matrix_world
    return {bone.name: (turned(world @ bone.head_local),
                        turned(world @ bone.tail_local))
            for bone in armature.data.bones}


def bone_order(armature):
    """Bones, parents before children, every parent followed by its subtree."""
    order = []

    def add(bone):
        order.append(bone)
        for child in bone.children:
            add(child)

    for bone in armature.data.bones:
        if bone.parent is None:
            add(bone)
    return order


def euler_zxy(turn):
    """Angles about z, x, y [deg] with turn = Rz Rx Ry."""
    x = math.asin(max(-1.0, min(1.0, turn[2][1])))
    if abs(turn[2][1]) < 0.9999999:
        z = math.atan2(-turn[0][1], turn[1][1])
        y = math.atan2(-turn[2][0], turn[2][2])
    else:
        z = math.atan2(turn[1][0], turn[0][0])
        y = 0.0
    return [math.degrees(a) for a in (z, x, y)]


def write_bvh(context, armature, path):
    """The armature's motion over the scene's frames, joint frames parallel to
    the world at rest, centimetres, +Y up. Every bone has its place, so that
    stretched and moved bones are kept."""
    scene = context.scene
    bones = bone_order(armature)
    rest = rest_places(armature)
    lines = ["HIERARCHY"]

    def numbers(values, digits=6):
        return " ".join("%.*f" % (digits, v) for v in values)

    def add(bone, depth):
        pad = "  " * depth
        head, tail = rest[bone.name]
        above = rest[bone.parent.name][0] if bone.parent else Vector((0, 0, 0))
        lines.append("%s%s %s" % (pad, "JOINT" if bone.parent else "ROOT",
                                  bone.name))
        lines.append(pad + "{")
        lines.append("%s  OFFSET %s" % (
            pad, numbers((head - above) / METRES_PER_UNIT)))
        lines.append(pad + "  CHANNELS 6 Xposition Yposition Zposition "
                     "Zrotation Xrotation Yrotation")
        for child in bone.children:
            add(child, depth + 1)
        if not bone.children:
            lines.append(pad + "  End Site")
            lines.append(pad + "  {")
            lines.append("%s    OFFSET %s" % (
                pad, numbers((tail - head) / METRES_PER_UNIT)))
            lines.append(pad + "  }")
        lines.append(pad + "}")

    for bone in bones:
        if bone.parent is None:
            add(bone, 0)
    frames = range(scene.frame_start, scene.frame_end + 1)
    lines.append("MOTION")
    lines.append("Frames: %d" % len(frames))
    lines.append("Frame Time: %.9f" % (1.0 / frame_rate(scene)))
    before = scene.frame_current
    world_rest = {
        bone.name: (armature.matrix_world @ bone.matrix_local).to_3x3()
        for bone in bones}
    for frame in frames:
        scene.frame_set(frame)
        turns, places, row = {}, {}, []
        for bone in bones:
            pose = armature.pose.bones[bone.name]
            world = armature.matrix_world @ pose.matrix
            # Away from the rest pose, in the axes of the world, +Y up.
            turn = (world.to_3x3().normalized()
                    @ world_rest[bone.name].normalized().inverted())
            turn = TO_Y_UP @ turn @ TO_Y_UP.transposed()
            place = turned(world.translation)
            turns[bone.name], places[bone.name] = turn, place
            if bone.parent:
                above = bone.parent.name
                back = turns[above].transposed()
                place = back @ (place - places[above])
                turn = back @ turn
            row += [v / METRES_PER_UNIT for v in place] + euler_zxy(turn)
        lines.append(numbers(row))
    scene.frame_set(before)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def read_glb(path, name):
    """Imports a GLB and returns its armature, called `name`."""
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=path)
    new = [item for item in bpy.data.objects if item not in before]
    armatures = [item for item in new if item.type == "ARMATURE"]
    if not armatures:
        raise LimberError("the result has no armature")
    armatures[0].name = name
    return armatures[0]


def world_pose(arrays, frame, translated):
    """Turns and places of all joints in the world, +Y up [m]."""
    turns, places = [], []
    for j, above in enumerate(arrays["parents"]):
        turn = Quaternion(arrays["rotations"][frame, j]).to_matrix()
        place = Vector(arrays["offsets"][j])
        if j == 0:
            place = Vector(arrays["root"][frame])
        elif j in translated:
            place = Vector(arrays["translations"][frame, translated[j]])
        if above >= 0:
            place = turns[above] @ place + places[above]
            turn = turns[above] @ turn
        turns.append(turn)
        places.append(place)
    return turns, places


def apply_npz(context, path, armature):
    """Keys of the armature's bones from the arrays that Limber wrote of the
    motion on its own skeleton."""
    arrays = dict(numpy.load(path))
    translated = {int(j): k
                  for k, j in enumerate(arrays.get("translated", []))}
    bones = [armature.data.bones.get(str(n)) for n in arrays["joint_names"]]
    if None in bones:
        raise LimberError("the result has other joints than the armature")
    scene = context.scene
    armature.animation_data_create()
    armature.animation_data.action = bpy.data.actions.new("limber")
    to_local = armature.matrix_world.inverted()
    size = armature.matrix_world.to_scale().x
    # Frames of the scene from one of the motion to the next.
    step = frame_rate(scene) / float(arrays["rate"])
    back = TO_Y_UP.transposed()
    rest = [back.inverted() @ (armature.matrix_world @ bone.matrix_local)
            .to_3x3().normalized() for bone in bones]
    for frame in range(len(arrays["root"])):
        turns, places = world_pose(arrays, frame, translated)
        posed = {}
        for j, bone in enumerate(bones):
            world = (back @ turns[j] @ rest[j]).to_4x4()
            world.translation = back @ places[j]
            # In the armature, without its size.
            posed[bone.name] = to_local @ world @ Matrix.Scale(size, 4)
            key_bone(armature.pose.bones[bone.name], posed,
                     scene.frame_start + frame * step)
    scene.frame_end = scene.frame_start + math.floor(
        (len(arrays["root"]) - 1) * step)


def key_bone(pose, posed, frame):
    """Keys of a bone; `posed` has where it and its parent are."""
    rest = pose.bone.matrix_local
    if pose.parent:
        rest = (posed[pose.parent.name]
                @ pose.parent.bone.matrix_local.inverted() @ rest)
    basis = rest.inverted() @ posed[pose.name]
    pose.rotation_mode = "QUATERNION"
    pose.location = basis.to_translation()
    pose.rotation_quaternion = basis.to_quaternion()
    pose.keyframe_insert("location", frame=frame)
    pose.keyframe_insert("rotation_quaternion", frame=frame)


def active_armature(context):
    item = context.active_object
    if item is None or item.type != "ARMATURE":
        raise LimberError("Choose an armature first")
    return item


class LimberOperator:
    """Runs `work` and turns what goes wrong into a message."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        folder = tempfile.mkdtemp(prefix="limber_")
        try:
            said = self.work(context, folder)
        except LimberError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self.report({"INFO"}, said)
        return {"FINISHED"}


class LIMBER_OT_solve(LimberOperator, bpy.types.Operator, ImportHelper):
    """Solve a take of markers (C3D or TRC) and import the moving body"""

    bl_idname = "limber.solve"
    bl_label = "Marker take by Limber (.c3d, .trc)"
    filter_glob: StringProperty(default="*.c3d;*.trc", options={"HIDDEN"})

    def work(self, context, folder):
        result = os.path.join(folder, "take.glb")
        run_limber(context, "solve", self.filepath, "-o", result)
        name = os.path.splitext(os.path.basename(self.filepath))[0]
        armature = read_glb(result, name)
        return "Solved %s: %d bones" % (name, len(armature.data.bones))


class LIMBER_OT_retarget(LimberOperator, bpy.types.Operator, ImportHelper):
    """Put the motion of a file (BVH, AMC, glTF, FBX, NPZ) on the active
    armature"""

    bl_idname = "limber.retarget"
    bl_label = "Retarget onto the armature"
    filter_glob: StringProperty(default="*.bvh;*.amc;*.glb;*.gltf;*.fbx;*.npz",
                                options={"HIDDEN"})

    def work(self, context, folder):
        armature = active_armature(context)
        own = os.path.join(folder, "own.bvh")
        result = os.path.join(folder, "result.npz")
        write_bvh(context, armature, own)
        run_limber(context, "retarget", self.filepath, "--to", own, "-o",
                   result)
        apply_npz(context, result, armature)
        return "Retargeted %s" % os.path.basename(self.filepath)


class LIMBER_OT_push(LimberOperator, bpy.types.Operator):
    """Push the body of the active armature: it gives way and recovers"""

    bl_idname = "limber.push"
    bl_label = "Push"
    push: StringProperty(
        name="Push", default="chest@0.5s:20Ns:+z",
        description=WORDS_OF_PUSH + ", +Y is up: chest@0.5s:20Ns:+z")

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)

    def work(self, context, folder):
        armature = active_armature(context)
        own = os.path.join(folder, "own.bvh")
        result = os.path.join(folder, "result.npz")
        write_bvh(context, armature, own)
        run_limber(context, "edit", own, "--unit", "cm", "--up", "y", "--push",
                   self.push, "-o", result)
        apply_npz(context, result, armature)
        return "Pushed: " + self.push


class LIMBER_PT_panel(bpy.types.Panel):
    bl_label = "Limber"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Limber"

    def draw(self, context):
        column = self.layout.column()
        column.operator(LIMBER_OT_solve.bl_idname, text="Import take")
        column.operator(LIMBER_OT_retarget.bl_idname)
        column.operator(LIMBER_OT_push.bl_idname)


class LimberPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__
    program: StringProperty(
        name="Program", subtype="FILE_PATH",
        description="Path of limber; empty: LIMBER or the search path")

    def draw(self, context):
        self.layout.prop(self, "program")


CLASSES = (LimberPreferences, LIMBER_OT_solve, LIMBER_OT_retarget,
           LIMBER_OT_push, LIMBER_PT_panel)


def import_menu(self, context):
    self.layout.operator(LIMBER_OT_solve.bl_idname)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)


if __name__ == "__main__":
    register()
