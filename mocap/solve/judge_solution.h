// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "mocap/solve/calibrate.h"
#include "mocap/solve/solve_take.h"
#include "mocap/solve/unsure.h"

namespace limber::mocap {

/// Frames begin, begin + 1, ..., end - 1.
struct FrameRun {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Frames in which a segment shows nothing.
struct HiddenRun {
  int segment = 0;
  FrameRun frames;
};

/// What a solved take is like, in the numbers that its verdict compares with
/// bounds. They are taken from the poses, the body and the points alone; how
/// these were found plays no part. Shares are in [0, 1].
struct SolutionMeasures {
  double height = 0.0;  ///< Of the actor, standing [m].
  /// Frames with the head below the feet by more than a quarter of the height
  /// and no hand below the head, as a handstand has it.
  double head_down_share = 0.0;
  /// Of the way from a standing foot to the moving pelvis, what points up, as
  /// the median over all such frames: 1 upright, 0 lying, -1 head down.
  double stance_up = 1.0;
  double num_stance_frames = 0.0;  ///< That `stance_up` is the median of.
  /// How far the left knee is to the left of the right one, as seen from the
  /// pelvis, in distances of the hips; median over the frames.
  double knees_apart = 1.0;
  double under_floor_share = 0.0;  ///< Frames with the whole body below y = 0.
  double sunk_share = 0.0;    ///< Frames with a sole 0.1 m below the floor.
  double flying_share = 0.0;  ///< Frames high up with nothing at rest.
  /// Longer over shorter of the bones that sides share; at least 1.
  double side_ratio = 1.0;
  std::string side_bone;  ///< Which one, "thigh".
  /// How far the oddest bone is from its share of the height, as a factor of
  /// at least 1, and which one.
  double bone_ratio = 1.0;
  std::string odd_bone;
  double rms = 0.0;          ///< Of all markers used [m].
  double segment_rms = 0.0;  ///< Of the worst segment [m].
  int worst_segment = 0;
  /// Markers that sit farther from where their set has them than 10 cm and
  /// four times what the set allows.
  double misplaced_share = 0.0;
  std::string misplaced;        ///< Their labels, "LKNE, RKNE".
  double left_out_share = 0.0;  ///< Of the tracks, those on no segment.
  double used_share = 1.0;      ///< Of the samples seen, those fitted.
  double seen_share = 1.0;      ///< Of all samples, in frames that have any.
  /// Frames in which fewer than half of the segments that wear markers show
  /// one: the person is not in the view.
  double outside_share = 0.0;
  std::vector<FrameRun> outside;  ///< Those frames: the pose is a guess there.
  /// In the other frames the segments that wear markers and show none: the body
  /// is bridged there.
  double hidden_share = 0.0;
  /// Limbs that show no marker, neither of their own nor beyond them, for a
  /// tenth of a second and more while the person is in the view: their pose is
  /// bridged there.
  std::vector<HiddenRun> bridged;
  /// Joints whose bend the markers leave open by more than 6 degrees, in a
  /// frame or by what they tell of the body (`MeasureBendSpread`).
  std::vector<UnsureJoint> unsure;
  double most_open = 0.0;     ///< Of all such bends the most open one [rad].
  int open_joint = 0;         ///< The segment of that joint.
  double beyond_share = 0.0;  ///< Frames of the worst joint out of its range.
  int beyond_joint = 0;       ///< The segment of that joint.
  double still_share = 0.0;   ///< Frames whose points repeat the last ones.
  double jump_share = 0.0;    ///< Frames in which a joint leaps.
  /// The median speed of the points from one frame to the next, where it is
  /// fastest: how fast the person as a whole goes [m/s].
  double fastest = 0.0;
  /// What a calibration that ran out of steps still misses the markers by; 0
  /// for one that settled [m].
  double unsettled_rms = 0.0;
};

/// `calibration.actor` is the body that `solution` moves. One that was given
/// and not calibrated has no `frames`.
SolutionMeasures MeasureSolution(const PreparedTake& take,
                                 const Calibration& calibration,
                                 const TakeSolution& solution);

/// Where doubt begins. Each is far from what good takes of people show
/// (docs/solve.md has the figures) and near enough to catch a wrong body.
struct VerdictBounds {
  double least_height = 1.0;  ///< A child of three years [m].
  double most_height = 2.3;   ///< Some 20 people in the world are taller [m].
  /// Acrobats are head down for a part of a take, not for half of it.
  double head_down_share = 0.5;
  /// cos 60 degrees: crawling people have their hips above their feet by more.
  double stance_up = 0.5;
  /// A direction from fewer frames than these, half a step, says nothing.
  double stance_frames = 20;
  /// Legs cross in steps and on chairs, not by half a pelvis all the time.
  double knees_apart = -0.5;
  double under_floor_share = 0.5;  ///< Recordings have their origin on it.
  double sunk_share = 0.02;        ///< One frame in 50 may be a slip.
  double flying_share = 0.25;      ///< A jump takes 1 s of some.
  /// Left and right legs of people differ by 2 %, of many patients by 10 %.
  double side_ratio = 1.25;
  /// Bones of grown people are within 20 % of their usual share of the height,
  /// those of children within 30 %.
  double bone_ratio = 1.5;
  double rms = 0.013;  ///< Twice what skin and suits leave [m].
  /// The chest, whose skin moves most, has up to 13 mm [m].
  double segment_rms = 0.02;
  /// Clusters sit anywhere along a bone: 7 markers of 41 in one good take.
  double misplaced_share = 0.25;
  /// Some tracks are wands, plates, toys; a third of a take is part of the
  /// body.
  double left_out_share = 0.3;
  /// The clean-up of real takes rejects one sample of a thousand.
  double used_share = 0.8;
  /// With fewer a frame of 40 markers does not tell the pose of a body.
  double seen_share = 0.35;
  /// Cameras lose a limb now and then, not one of ten all the time.
  double hidden_share = 0.1;
  double outside_share = 0.5;  ///< People walk in and out of the view.
  /// Half a radian is a third of what a knee or an elbow bends: the markers do
  /// not tell it. Sets of joint centres leave hips open by a third of a radian.
  double most_open = 0.5;  // [rad]
  /// Joints of people are in their ranges; a stretch may go beyond.
  double beyond_share = 0.1;
  double still_share = 0.6;  ///< Every second frame may have been doubled.
  double jump_share = 0.02;  ///< A landing shakes two frames of a thousand.
  /// Sprinters reach 12.5 m/s; what is faster is somebody else [m/s].
  double fastest = 18.0;
  /// A fit that misses by less has found the body and only lacks polish [m].
  double unsettled_rms = 0.01;
};

/// A doubt for each measure that is beyond its bound.
Verdict JudgeMeasures(const SolutionMeasures& measures,
                      const VerdictBounds& bounds = {});

/// Whether a solved take looks like the motion of a person.
Verdict JudgeSolution(const PreparedTake& take, const Calibration& calibration,
                      const TakeSolution& solution);

}  // namespace limber::mocap
