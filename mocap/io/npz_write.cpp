// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "mocap/io/internal/npy.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/scene_joints.h"
#include "mocap/io/npz.h"

namespace limber::mocap {

namespace {

using figure::Skeleton;
using internal::FormatNpy;
using internal::ZipEntry;

/// Texts of an array all take the room of the longest [bytes].
constexpr std::size_t kLongestName = 1000;

void Append(std::vector<double>& numbers, const Vector3& p) {
  numbers.insert(numbers.end(), {p.x(), p.y(), p.z()});
}

/// Joints but the first that leave their offset in some frame.
std::vector<std::int32_t> Translated(const figure::Motion& motion) {
  std::vector<bool> moves(std::size_t(motion.skeleton().num_joints()), false);
  for (const figure::Channel& channel : motion.layout()->channels()) {
    if (channel.kind == figure::ChannelKind::kTranslation) {
      moves[std::size_t(channel.joint)] = true;
    }
  }
  std::vector<std::int32_t> joints;
  for (std::size_t j = 1; j < moves.size(); ++j) {
    if (moves[j]) joints.push_back(std::int32_t(j));
  }
  return joints;
}

void AddSkeleton(const Skeleton& skeleton, std::vector<ZipEntry>& entries) {
  std::vector<std::string> names;
  std::vector<std::int32_t> parents;
  std::vector<double> offsets;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
    parents.push_back(joint.parent);
    Append(offsets, joint.offset);
  }
  entries.push_back({"joint_names.npy", FormatNpy(names)});
  entries.push_back({"parents.npy", FormatNpy(parents)});
  entries.push_back(
      {"offsets.npy",
       FormatNpy(offsets, std::array<std::uint64_t, 2>{parents.size(), 3})});
  if (skeleton.sites().empty()) return;
  std::vector<std::string> site_names;
  std::vector<std::int32_t> site_joints;
  std::vector<double> sites;
  for (const figure::Site& site : skeleton.sites()) {
    site_names.push_back(site.name);
    site_joints.push_back(site.joint);
    Append(sites, site.offset);
  }
  entries.push_back({"site_names.npy", FormatNpy(site_names)});
  entries.push_back({"site_joints.npy", FormatNpy(site_joints)});
  entries.push_back(
      {"sites.npy",
       FormatNpy(sites, std::array<std::uint64_t, 2>{site_joints.size(), 3})});
}

void AddFrames(const figure::Motion& motion, std::vector<ZipEntry>& entries) {
  const auto frames = std::uint64_t(motion.num_frames());
  const auto num_joints = std::uint64_t(motion.skeleton().num_joints());
  const std::vector<std::int32_t> translated = Translated(motion);
  std::vector<double> rotations;
  std::vector<double> root;
  std::vector<double> translations;
  rotations.reserve(frames * num_joints * 4);
  figure::Pose pose;
  for (std::int64_t f = 0; f < motion.num_frames(); ++f) {
    motion.GetPose(f, pose);
    for (const Transform& X_PJ : pose.X_PJ) {
      rotations.insert(rotations.end(),
                       {X_PJ.R.w(), X_PJ.R.x(), X_PJ.R.y(), X_PJ.R.z()});
    }
    Append(root, pose.X_PJ[0].p);
    for (const std::int32_t j : translated) {
      Append(translations, pose.X_PJ[std::size_t(j)].p);
    }
  }
  using Shape2 = std::array<std::uint64_t, 2>;
  using Shape3 = std::array<std::uint64_t, 3>;
  entries.push_back(
      {"rotations.npy", FormatNpy(rotations, Shape3{frames, num_joints, 4})});
  entries.push_back({"root.npy", FormatNpy(root, Shape2{frames, 3})});
  if (!translated.empty()) {
    entries.push_back({"translated.npy", FormatNpy(translated)});
    entries.push_back(
        {"translations.npy",
         FormatNpy(translations, Shape3{frames, translated.size(), 3})});
  }
  const double rate = motion.rate_hz();
  entries.push_back({"rate.npy", FormatNpy({&rate, 1}, {})});
}

/// What the reader would refuse, as an error.
void CheckPlaces(const figure::Motion& motion, Diagnostics& diagnostics) {
  const Skeleton& skeleton = motion.skeleton();
  const auto is_far = [](const Vector3& p) {
    return !(p.cwiseAbs().maxCoeff() <= internal::kLargestPlace);
  };
  const auto refuse = [&](int joint) {
    diagnostics.Error("too-far", {},
                      "the joint " +
                          internal::Quoted(skeleton.joint(joint).name) +
                          " is farther away than 1e9 m in some frame; its "
                          "place cannot be written");
  };
  for (const figure::Site& site : skeleton.sites()) {
    if (is_far(site.offset)) return refuse(site.joint);
  }
  figure::Pose pose = figure::RestPose(skeleton);
  for (std::int64_t frame = -1; frame < motion.num_frames(); ++frame) {
    if (frame >= 0) motion.GetPose(frame, pose);
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      if (is_far(pose.X_PJ[std::size_t(j)].p)) return refuse(j);
    }
  }
}

/// A name that is too long, or null.
const std::string* LongName(const Skeleton& skeleton) {
  for (const figure::Joint& joint : skeleton.joints()) {
    if (joint.name.size() > kLongestName) return &joint.name;
  }
  for (const figure::Site& site : skeleton.sites()) {
    if (site.name.size() > kLongestName) return &site.name;
  }
  return nullptr;
}

}  // namespace

Result<std::string> WriteNpz(const figure::Motion& motion,
                             const NpzWriteOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  if (const std::string* name = LongName(motion.skeleton())) {
    diagnostics.Error("too-large", {},
                      "expected names of at most 1000 bytes, found one of " +
                          std::to_string(name->size()) + ": " +
                          internal::Quoted(*name));
    return Result<std::string>(std::move(diagnostics));
  }
  CheckPlaces(motion, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  std::vector<ZipEntry> entries;
  AddSkeleton(motion.skeleton(), entries);
  AddFrames(motion, entries);
  std::string bytes = internal::WriteZip(entries);
  if (bytes.empty()) {
    diagnostics.Error("too-large", {}, "the archive cannot be put together");
    return Result<std::string>(std::move(diagnostics));
  }
  return {std::move(bytes), std::move(diagnostics)};
}

}  // namespace limber::mocap
