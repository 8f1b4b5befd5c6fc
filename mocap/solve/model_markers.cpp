// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/model_markers.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace limber::mocap {

namespace {

/// Where a body of OpenSim's models is found in ours: the segment, the body
/// whose origin is that segment's joint, and its place while all coordinates
/// are 0, for a model without bodies [m].
struct BodyRow {
  std::string_view body;
  Segment segment;
  std::string_view origin;
  std::array<double, 3> p_G;
};

/// Of the right side and the middle; the left is its mirror image.
constexpr std::array kRows = {
    BodyRow{"pelvis", kPelvis, "", {0.0, 0.94, 0.0}},
    BodyRow{"torso", kChest, "", {-0.1007, 1.0215, 0.0}},
    BodyRow{"head", kHead, "", {-0.1007, 1.5, 0.0}},
    BodyRow{"head_neck", kHead, "", {-0.1007, 1.5, 0.0}},
    BodyRow{"femur_r", kRightUpperLeg, "femur_r", {-0.0563, 0.8615, 0.0773}},
    BodyRow{"patella_r", kRightLowerLeg, "tibia_r", {-0.06, 0.4515, 0.0773}},
    BodyRow{"tibia_r", kRightLowerLeg, "tibia_r", {-0.06, 0.4515, 0.0773}},
    BodyRow{"talus_r", kRightFoot, "talus_r", {-0.07, 0.0515, 0.0773}},
    BodyRow{"calcn_r", kRightFoot, "talus_r", {-0.1188, 0.0096, 0.0852}},
    BodyRow{"toes_r", kRightToes, "toes_r", {0.06, 0.0076, 0.0863}},
    BodyRow{"humerus_r", kRightUpperArm, "humerus_r", {-0.0975, 1.393, 0.17}},
    BodyRow{"ulna_r", kRightForearm, "ulna_r", {-0.0844, 1.107, 0.1604}},
    BodyRow{"radius_r", kRightForearm, "ulna_r", {-0.0911, 1.094, 0.1865}},
    BodyRow{"hand_r", kRightHand, "hand_r", {-0.0999, 0.8584, 0.2001}},
};

struct BodyPlace {
  Segment segment;
  std::string origin;
  Vector3 p_G;
  bool is_left = false;
};

std::optional<BodyPlace> FindPlace(std::string_view body) {
  for (const BodyRow& row : kRows) {
    BodyPlace place{row.segment,
                    std::string(row.origin),
                    {row.p_G[0], row.p_G[1], row.p_G[2]}};
    if (body == row.body) return place;
    if (!row.body.ends_with("_r")) continue;
    std::string left(row.body);
    left.back() = 'l';
    if (body != left) continue;
    place.segment = static_cast<Segment>(Body()[row.segment].mirror);
    place.origin.back() = 'l';
    place.p_G.z() = -place.p_G.z();
    place.is_left = true;
    return place;
  }
  return std::nullopt;
}

/// The pose of a body in the model, or in the table where it has none.
std::optional<Transform> PoseOf(const OsimModel& model, std::string_view name) {
  if (const OsimBody* body = model.FindBody(name)) return body->X_GB;
  if (!model.bodies.empty()) return std::nullopt;
  const std::optional<BodyPlace> place = FindPlace(name);
  if (!place) return std::nullopt;
  return Transform{Quaternion::Identity(), place->p_G};
}

/// The model's size by the length of its right leg, or its left one; 1 for the
/// reference body.
double SizeOf(const OsimModel& model) {
  for (const std::string side : {"_r", "_l"}) {
    const std::optional<Transform> hip = PoseOf(model, "femur" + side);
    const std::optional<Transform> knee = PoseOf(model, "tibia" + side);
    const std::optional<Transform> ankle = PoseOf(model, "talus" + side);
    if (!hip || !knee || !ankle) continue;
    const double length =
        (knee->p - hip->p).norm() + (ankle->p - knee->p).norm();
    return length / (Body()[kRightLowerLeg].offset.norm() +
                     Body()[kRightFoot].offset.norm());
  }
  return 1.0;
}

/// The middle between the hips.
Vector3 HipsOf(const OsimModel& model) {
  const std::optional<Transform> right = PoseOf(model, "femur_r");
  const std::optional<Transform> left = PoseOf(model, "femur_l");
  if (right && left) return 0.5 * (right->p + left->p);
  const std::optional<Transform> pelvis = PoseOf(model, "pelvis");
  return (pelvis ? pelvis->p : Vector3::Zero()) + Vector3(-0.06, -0.075, 0);
}

/// OpenSim's X forward, Y up, Z right in the axes of a segment.
Vector3 InSegmentAxes(const Vector3& p) { return {-p.z(), p.y(), p.x()}; }

/// Where a joint of the trunk is above the hips on the reference body.
Vector3 AboveHips(int segment) {
  Vector3 at = Vector3::Zero();
  for (int j = segment; j > 0; j = Body()[j].parent) at += Body()[j].offset;
  return at;
}

SetMarker MakeMarker(const OsimModel& model, const OsimMarker& from,
                     const BodyPlace& place, const Transform& X_GB,
                     double size) {
  SetMarker marker;
  marker.label = from.name;
  marker.segment = place.segment;
  const Vector3 p_GM = X_GB * from.p_BM;
  if (place.origin.empty()) {
    const Vector3 above = InSegmentAxes(p_GM - HipsOf(model)) / size;
    // A head is part of the torso in most models.
    constexpr double kAboveNeck = 0.08;  // [m]
    if (place.segment == kChest &&
        above.y() > AboveHips(kNeck).y() + kAboveNeck) {
      marker.segment = kHead;
    }
    marker.at = above - AboveHips(marker.segment);
    return marker;
  }
  const std::optional<Transform> origin = PoseOf(model, place.origin);
  marker.at = InSegmentAxes(p_GM - (origin ? origin->p : X_GB.p)) / size;
  const bool is_arm =
      place.segment >= kLeftClavicle && place.segment <= kRightHand;
  if (!is_arm) return marker;
  // Arms hang in OpenSim and are stretched out here.
  const double up = place.is_left ? kPi / 2 : -kPi / 2;
  // With palms forward there and down here.
  const bool turns =
      from.body.starts_with("radius") || from.body.starts_with("hand");
  const double pronation = turns ? (place.is_left ? -kPi / 2 : kPi / 2) : 0.0;
  marker.at =
      ExpRotation({0, 0, up}) * (ExpRotation({0, pronation, 0}) * marker.at);
  // How the forearm is turned differs from model to model.
  constexpr double kForearmSpread = 0.05;  // [m]
  if (turns) marker.spread = kForearmSpread;
  return marker;
}

}  // namespace

Result<MarkerSet> MarkerSetFromModel(const OsimModel& model,
                                     const std::string& file) {
  Diagnostics diagnostics(file);
  MarkerSet set;
  set.name = model.name.empty() ? "model" : model.name;
  set.description = "markers of an OpenSim model";
  const double size = SizeOf(model);
  for (const OsimMarker& from : model.markers) {
    const std::optional<BodyPlace> place = FindPlace(from.body);
    const std::optional<Transform> X_GB = PoseOf(model, from.body);
    if (!place || !X_GB) {
      diagnostics.Warning("unknown-body", {},
                          "expected a marker on a part of a person, found \"" +
                              from.name + "\" on \"" + from.body +
                              "\"; left out");
      continue;
    }
    set.markers.push_back(MakeMarker(model, from, *place, *X_GB, size));
  }
  if (set.markers.empty()) {
    diagnostics.Error("no-markers", {},
                      "expected a model with a marker set on the bodies of a "
                      "person (pelvis, femur_r, tibia_r, torso, ...), found " +
                          std::to_string(model.markers.size()) +
                          " markers, none of them on one");
    return Result<MarkerSet>(std::move(diagnostics));
  }
  return {std::move(set), std::move(diagnostics)};
}

}  // namespace limber::mocap
