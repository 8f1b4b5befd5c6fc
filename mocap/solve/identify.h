// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "mocap/marker_take.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

/// What told on which segment a marker sits.
enum class Evidence {
  kSet,     ///< The label is that of a known marker set.
  kWords,   ///< The label names a landmark.
  kMotion,  ///< It moves rigidly with the segment over the take.
  kShape    ///< A body laid into the cloud of points has a marker there.
};
/// "marker set", "words", "motion", "shape".
std::string_view ToString(Evidence evidence);

/// Why a marker of the identified set is where it is.
struct MarkerOrigin {
  Evidence evidence = Evidence::kWords;
  double confidence = 0.0;  ///< In (0, 1].
  std::string why;          ///< "lateral epicondyle of the knee".
  /// The segment that the label named, where motion overruled it; else -1.
  int overruled = -1;
};

/// A track that belongs to no body.
struct LeftOutTrack {
  std::string label;
  int column = 0;
  std::string why;  ///< "prop 1: moves rigidly with Box2, Box3".
  bool is_prop = false;
};

/// Who is who in a take.
struct Identification {
  /// One marker per column that is used; named after the built-in set if the
  /// labels are those of one.
  MarkerSet set;
  MarkerMatch match;
  std::vector<MarkerOrigin> origins;  ///< Per marker of `set`.
  std::vector<LeftOutTrack> left_out;
  bool sides_exchanged = false;  ///< Left and right were wrong in all labels.
};

struct IdentifyOptions {
  std::optional<std::string> subject = {};
  /// Read labels that `sets` do not have; without it this is
  /// `RecogniseMarkerSet`.
  bool words = true;
  /// Look at the motion: give nameless tracks to segments, overrule wrong
  /// names.
  bool motion = true;
};

/// Finds the segment and the place of every marker of a take. Each column gets
/// what its label says (`ReadLabel`); where the labels are those of one of
/// `sets`, that set's places are taken, which are finer. Then the body is
/// calibrated roughly and every track compared with how the segments move:
/// nameless ones go to the segment with which they move rigidly, names that
/// the motion contradicts are overruled, rigid groups that go with no segment
/// are props. Takes without useful labels are identified by shape.
///
/// Equal labels are different markers ("RTHI", "RTHI#2") unless their samples
/// are equal too: then one of them is used.
///
/// Errors: "several-subjects", "no-subject", "no-marker-set" (says what is
/// missing, and why no body could be laid into the points either).
/// Warnings: "markers-lacking", "sides-exchanged", "label-overruled",
/// "tracks-by-motion", "props", "left-out", "by-shape".
Result<Identification> IdentifyMarkers(std::span<const MarkerSet> sets,
                                       const MarkerTake& take,
                                       const std::string& file,
                                       const IdentifyOptions& options = {});

}  // namespace limber::mocap
