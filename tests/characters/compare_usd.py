# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# compare_usd.py READ.usda OURS.npz TOLERANCE_MM: the joints of a stage as a
# foreign reader has understood it, against Limber's arrays, in every frame.
import os
import re
import sys

import numpy

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from npz_places import our_places  # noqa: E402


def samples(text, attribute, parts):
    """{frame: (joints, parts)} of an attribute with time samples."""
    begin = text.index(attribute + ".timeSamples")
    block = text[begin:text.index("}", begin)]
    found = {}
    for frame, row in re.findall(r"(\d+): \[(.*)\]", block):
        numbers = [float(n) for n in re.findall(r"[-+.\deE]+", row)]
        found[int(frame)] = numpy.array(numbers).reshape(-1, parts)
    return found


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    arrays = dict(numpy.load(sys.argv[2]))
    names = re.findall(r'"((?:[^"\\]|\\.)*)"',
                       re.search(r"jointNames = (.*)", text).group(1))
    if names != [str(n) for n in arrays["joint_names"]]:
        sys.exit("other names: %s" % names)
    rotations = samples(text, "rotations", 4)
    places = samples(text, "translations", 3)
    frames = len(arrays["root"])
    if sorted(rotations) != list(range(frames)) or len(places) != frames:
        sys.exit("expected %d frames, found %d" % (frames, len(rotations)))
    theirs = {
        "joint_names": arrays["joint_names"], "parents": arrays["parents"],
        "offsets": arrays["offsets"],
        "rotations": numpy.array([rotations[f] for f in range(frames)]),
        "root": numpy.array([places[f][0] for f in range(frames)]),
        "translated": list(range(1, len(names))),
        "translations": numpy.array([places[f][1:] for f in range(frames)])}
    worst = 0.0
    for frame in range(frames):
        own, other = our_places(arrays, frame), our_places(theirs, frame)
        for name, place in own.items():
            worst = max(worst,
                        1000 * float(numpy.linalg.norm(place - other[name])))
    print("%d joints, %d frames, worst %.5f mm" % (len(names), frames, worst))
    if worst > float(sys.argv[3]):
        sys.exit(1)


main()
