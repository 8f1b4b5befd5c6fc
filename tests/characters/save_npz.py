# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# save_npz.py CLIP.npz FOLDER: the arrays of a clip as numpy saves them, as_*.npz
# in every type, byte order, memory order and version; poses.npz like AMASS, and
# pickle.npz with an array of objects.
# save_npz.py --same A.npz B.npz: whether two clips are the same to floats.
import io
import os
import sys
import zipfile

import numpy

FLOATS = 2e-6  # Of numbers of a body's size, as float32.


def same(a, b):
    a, b = dict(numpy.load(a)), dict(numpy.load(b))
    if sorted(a) != sorted(b):
        sys.exit("other members: %s, %s" % (sorted(a), sorted(b)))
    for name, array in a.items():
        if array.dtype.kind == "U":
            if list(array) != list(b[name]):
                sys.exit("other texts in " + name)
        elif (array.shape != b[name].shape
              or abs(array - b[name]).max() > FLOATS):
            sys.exit("other numbers in " + name)


def converted(arrays, real, order, integer):
    """The arrays in another type and order in memory."""
    out = {}
    for name, array in arrays.items():
        kind = array.dtype.kind
        if kind == "f":
            array = array.astype(real)
        elif kind == "i":
            array = array.astype(integer)
        out[name] = numpy.asarray(array, order=order)
    return out


def save_version(path, arrays, version):
    """numpy.savez, but with a version of .npy that it writes only in need."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            file = io.BytesIO()
            numpy.lib.format.write_array(file, array, version=version)
            archive.writestr(name + ".npy", file.getvalue())


def save_all(clip, folder):
    arrays = dict(numpy.load(clip))
    for real in ("<f8", ">f8", "<f4", ">f4"):
        for order in ("C", "F"):
            integer = "<i8" if order == "C" else ">i2"
            others = converted(arrays, real, order, integer)
            word = "%s_%s" % (real.replace("<", "l").replace(">", "b"), order)
            numpy.savez(os.path.join(folder, "as_%s.npz" % word), **others)
            numpy.savez_compressed(
                os.path.join(folder, "as_%s_packed.npz" % word), **others)
    for version in ((1, 0), (2, 0), (3, 0)):
        save_version(os.path.join(folder, "as_version%d.npz" % version[0]),
                     arrays, version)
    frames = 240
    poses = numpy.zeros((frames, 156), dtype="f4")
    poses[:, 0] = numpy.pi / 2
    poses[:, 3 * 18 + 1] = numpy.sin(numpy.arange(frames) / 20)
    trans = numpy.zeros((frames, 3))
    trans[:, 2] = 0.92
    numpy.savez(os.path.join(folder, "poses.npz"), poses=poses, trans=trans,
                betas=numpy.zeros(16), gender="neutral",
                mocap_framerate=numpy.array(120.0))
    arrays["root"] = arrays["root"].astype(object)
    numpy.savez(os.path.join(folder, "pickle.npz"), **arrays)


if sys.argv[1] == "--same":
    same(sys.argv[2], sys.argv[3])
else:
    save_all(sys.argv[1], sys.argv[2])
