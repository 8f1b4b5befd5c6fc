# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# check_time_line.py PICTURE WIDTH HEIGHT SHARE: the picture of a window has that
# size, and its time line is played up to that share. Reads PNG by itself.
import struct
import sys
import zlib


def read_png(path):
    """Rows of bytes, three a pixel, from the top."""
    data = open(path, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG'
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', body[:10])
        packed += body if kind == b'IDAT' else b''
        at += 12 + length
    channels = {2: 3, 6: 4}[colour]
    assert depth == 8
    raw, stride, rows = zlib.decompress(packed), channels * width, []
    before = bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a = row[x - channels] if x >= channels else 0
            b = before[x]
            c = before[x - channels] if x >= channels else 0
            if kind == 1:
                row[x] = (row[x] + a) & 255
            elif kind == 2:
                row[x] = (row[x] + b) & 255
            elif kind == 3:
                row[x] = (row[x] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b),
                           (abs(p - c), 2, c))[2]
                row[x] = (row[x] + near) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, channels)])
        before = row
    return rows


def main():
    path, width, height, share = sys.argv[1:]
    rows = read_png(path)
    assert len(rows) == int(height), f'{len(rows)} rows, expected {height}'
    assert len(rows[0]) == int(width), f'{len(rows[0])} wide'
    # What has been played is blue, two pixels from the lower edge.
    row = rows[-2]
    is_played = [b > r + 40 for r, g, b in row]
    played = sum(is_played)
    expected = float(share) * len(row)
    print(f'  played {played} of {len(row)} pixels, expected {expected:.0f}')
    assert abs(played - expected) <= 12, 'another time than was clicked'
    # Ticks and their numbers stand above the bar: dark on light.
    band = rows[-40:-15]
    dark = sum(1 for line in band for pixel in line if max(pixel) < 110)
    assert dark > 200, f'only {dark} dark pixels above the bar: no ticks'


main()
