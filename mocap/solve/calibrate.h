// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "mocap/solve/actor.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

struct CalibrationOptions {
  bool symmetric = true;     ///< Left and right bones are equally long.
  int max_candidates = 160;  ///< Frames looked at, spread over the take.
  int max_frames = 50;       ///< Of these the most different are used.
  int max_iterations = 30;   ///< Of the joint fit.
  /// Marker scatter that the fit expects [m]; outliers are beyond 5 of these.
  /// A take whose markers fit better than a third of it is fitted again with
  /// three times what was found.
  double sigma_marker = 0.01;
  int max_refits = 4;  ///< Of these further fits.
};

/// A bone measure that was fitted.
struct FittedMeasure {
  std::string name;    ///< "thigh".
  double value = 0.0;  ///< [m]
  double prior = 0.0;  ///< Expected from the body's size [m].
};

struct Calibration {
  Actor actor;
  double rms = 0.0;        ///< Over the frames used [m].
  double first_rms = 0.0;  ///< Before the fit, with the set's places [m].
  int iterations = 0;
  bool converged = false;
  std::vector<std::int64_t> frames;  ///< That were used.
  std::vector<FittedMeasure> measures;
};

/// The markers of a take that a set knows, and what else might be one of them.
struct PreparedTake {
  Observations observed;           ///< One column per marker of `markers`.
  std::vector<SetMarker> markers;  ///< In the order of the columns.
  std::vector<int> columns;        ///< Of the take.
  std::vector<int> unlabelled;     ///< Columns of tracks nobody named.
  int num_left_out = 0;  ///< Tracks that go with no segment and are no props.
  double rate_hz = 0.0;
  /// R from the take's axes to those of `observed`; not the identity when the
  /// file did not say which axis is up and the body told.
  Quaternion R_turned = Quaternion::Identity();
};

/// Picks the columns of `match`. Markers that are never seen are left out
/// (warning "never-seen"). If the axes of the take are only assumed and the
/// body does not stand along +Y in it, everything is turned ("up-axis").
/// Errors: "too-few-markers", "no-frames".
Result<PreparedTake> PrepareTake(const MarkerTake& take, const MarkerSet& set,
                                 const MarkerMatch& match,
                                 const std::string& file);

/// Finds bone lengths and marker places from the motion itself: all poses of
/// the chosen frames, all lengths and all places together, by least squares
/// with a robust loss and priors (docs/solve.md). `standing`, which may be
/// null, is a further take of the same person with the same set, such as a
/// static trial: its frames are used too, and its markers that the take lacks
/// (medial knees, say) help to find the joints. Errors: "not-a-body" when the
/// markers do not look like a person.
Result<Calibration> Calibrate(const PreparedTake& take,
                              const PreparedTake* standing,
                              const std::string& file,
                              const CalibrationOptions& options = {});

}  // namespace limber::mocap
