# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Where the joints of an NPZ that Limber wrote are, by numpy alone."""
import numpy


def our_places(arrays, frame):
    """Forward kinematics: {name: (x, y, z)} in metres, +Y up."""
    rotations, parents = arrays["rotations"], arrays["parents"]
    translated = list(arrays.get("translated", []))
    turns, places, named = [], [], {}
    for j, name in enumerate(arrays["joint_names"]):
        w, x, y, z = rotations[frame, j]
        turn = numpy.array(
            [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
             [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        place = arrays["offsets"][j]
        if j == 0:
            place = arrays["root"][frame]
        elif j in translated:
            place = arrays["translations"][frame, translated.index(j)]
        above = parents[j]
        if above >= 0:
            place = turns[above] @ place + places[above]
            turn = turns[above] @ turn
        turns.append(turn)
        places.append(place)
        named.setdefault(str(name), place)
    return named
