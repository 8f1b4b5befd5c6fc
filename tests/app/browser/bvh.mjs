// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics of a BVH file, written for the tests alone: nothing of
// it comes from the program or the player.
import {readFileSync} from 'node:fs';

const kDegree = Math.PI / 180;

function multiply(a, b) {
  return a.map((row) => b[0].map((_, j) =>
    row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}

function turn(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis === 'X') return [[1, 0, 0], [0, c, -s], [0, s, c]];
  if (axis === 'Y') return [[c, 0, s], [0, 1, 0], [-s, 0, c]];
  return [[c, -s, 0], [s, c, 0], [0, 0, 1]];
}

/** Joints, channels and frames of a file. */
export function readBvh(path) {
  const words = readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
  const joints = [];
  const open = [];
  let at = 0;
  let isSite = false;
  while (words[at] !== 'MOTION') {
    const word = words[at++];
    if (word === 'ROOT' || word === 'JOINT') {
      joints.push({name: words[at++], parent: open.at(-1) ?? -1, channels: []});
    } else if (word === 'End') {
      isSite = true;
    } else if (word === '{') {
      open.push(isSite ? -1 : joints.length - 1);
    } else if (word === '}') {
      open.pop();
      isSite = false;
    } else if (word === 'OFFSET') {
      const offset = words.slice(at, at += 3).map(Number);
      if (!isSite) joints.at(-1).offset = offset;
    } else if (word === 'CHANNELS') {
      const count = Number(words[at++]);
      joints.at(-1).channels = words.slice(at, at += count);
    }
  }
  const frames = Number(words[words.indexOf('Frames:') + 1]);
  const step = Number(words[words.indexOf('Time:') + 1]);
  const values = words.slice(words.indexOf('Time:') + 2).map(Number);
  return {joints, frames, step, values, width: values.length / frames};
}

/** The places of all joints at a frame, by name, in the file's unit. */
export function placesOf(bvh, frame) {
  let next = frame * bvh.width;
  const poses = [];
  const places = {};
  for (const joint of bvh.joints) {
    const own = [...joint.offset];
    let R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let isMoved = false;
    for (const channel of joint.channels) {
      const value = bvh.values[next++];
      const axis = 'XYZ'.indexOf(channel[0]);
      if (channel.endsWith('position')) {
        if (!isMoved) own.fill(0);
        isMoved = true;
        own[axis] = value;
      } else {
        R = multiply(R, turn(channel[0], value * kDegree));
      }
    }
    const parent = poses[joint.parent];
    const p = parent ? parent.R.map((row, i) => parent.p[i] +
        row[0] * own[0] + row[1] * own[1] + row[2] * own[2]) : own;
    poses.push({R: parent ? multiply(parent.R, R) : R, p});
    places[joint.name] = p;
  }
  return places;
}
