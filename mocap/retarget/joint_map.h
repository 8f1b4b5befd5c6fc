// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/body_plan.h"
#include "figure/figure_model.h"
#include "figure/skeleton.h"

namespace limber::mocap {

/// A skeleton with its parts named: what the retargeter knows of either side.
struct HumanBody {
  std::shared_ptr<const figure::Skeleton> skeleton;
  std::vector<figure::Role> roles;
  figure::BodyPlan plan;
  /// Limits and contact points, where there is a figure; may be null.
  std::shared_ptr<const figure::FigureModel> figure;
};

/// A hand that stands off its forearm in the rest pose is an end site that
/// means nothing: its palm is laid along the forearm.
void StraightenHands(const figure::Skeleton& skeleton, figure::BodyPlan& plan);

/// Nothing when the joints are no human body (see figure::MakeBodyPlan). Hands
/// are straightened. The
/// second form takes roles as given; the third the figure's, and its contact
/// points as soles.
std::optional<HumanBody> MakeBody(
    std::shared_ptr<const figure::Skeleton> skeleton);
std::optional<HumanBody> MakeBody(
    std::shared_ptr<const figure::Skeleton> skeleton,
    std::vector<figure::Role> roles);
std::optional<HumanBody> MakeBody(
    std::shared_ptr<const figure::FigureModel> figure);

/// Why a joint of the target follows a joint of the source.
enum class PairReason {
  kNone,      ///< It follows none: it keeps its rest rotation in its parent.
  kFile,      ///< The map file says so.
  kRole,      ///< Both are the same part of the body by their names.
  kTopology,  ///< Likewise, but one was found by how the skeleton hangs
              ///< together.
  kChain,     ///< Joints of spine or neck shared out over another number.
  kSameName,  ///< No known part, but the names and the parents are the same.
  kFinger,    ///< Joints of one finger in their order.
  kTwist      ///< A share of the twist of a limb.
};

/// What one joint of the target follows: the world rotation of `source`, or
/// the one a share of the way from `source` to `next`.
struct JointPair {
  int source = -1;
  int next = -1;
  double share = 0.0;
  /// Not zero: of the turn from `source` to `next` only the part about this
  /// axis of `source` counts, the twist of a limb about its bone.
  Vector3 twist_axis = Vector3::Zero();
  PairReason reason = PairReason::kNone;
  double confidence = 0.0;  ///< 1 certain, 0 nothing found.
};

struct JointMap {
  std::vector<JointPair> pairs;     ///< One per joint of the target.
  std::vector<int> unused_sources;  ///< Joints of the source nobody follows.
};

JointMap MakeJointMap(const HumanBody& source, const HumanBody& target);

/// What a map file says: roles of joints on either side, and pairs by name.
///
///     { "source_roles": {"Bone.007": "left-foot"},
///       "target_roles": {"spine_03": "chest"},
///       "pairs": {"hat": "Head", "LeftHandThumb1": null} }
///
/// A pair maps a joint of the target to one of the source, or to null for none.
struct MapFile {
  struct NamedRole {
    std::string joint;
    figure::Role role;
    Place place;
  };
  struct NamedPair {
    std::string target;
    std::optional<std::string> source;
    Place place;
  };
  std::string file;
  std::vector<NamedRole> source_roles;
  std::vector<NamedRole> target_roles;
  std::vector<NamedPair> pairs;
};
Result<MapFile> ReadMapFile(const std::filesystem::path& path);

/// Roles with those of the file in place of the recognised ones. Error kind
/// "unknown-joint" at its place for a name the skeleton does not have.
std::vector<figure::Role> ApplyRoles(
    const figure::Skeleton& skeleton, std::vector<figure::Role> roles,
    const std::vector<MapFile::NamedRole>& named, Diagnostics& diagnostics);
void ApplyPairs(const HumanBody& source, const HumanBody& target,
                const MapFile& file, JointMap& map, Diagnostics& diagnostics);

/// "LeftArm <- lhumerus  left-upper-arm, by name, 1.00", one line per joint of
/// the target, then the unused ones.
std::string ToText(const JointMap& map, const HumanBody& source,
                   const HumanBody& target);
/// "by name", "by topology", ...
const char* ToString(PairReason reason);

}  // namespace limber::mocap
