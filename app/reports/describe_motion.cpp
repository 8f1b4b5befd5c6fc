// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/describe.h"

namespace limber::app {

namespace {

void DescribeJoints(const figure::Skeleton& skeleton, int num_channels,
                    Description& description) {
  std::vector<std::string> names;
  std::vector<std::string> roots;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
    if (joint.parent < 0) roots.push_back(joint.name);
  }
  const auto num_joints = static_cast<std::int64_t>(names.size());
  const auto num_sites = static_cast<std::int64_t>(skeleton.sites().size());
  constexpr std::size_t kNamesShown = 8;
  description.Add("joints",
                  std::to_string(num_joints) + ": " + Join(names, kNamesShown));
  description.Add(
      "", Count(num_sites, "end site") + ", " + Count(num_channels, "channel") +
              ", " + Count(static_cast<std::int64_t>(roots.size()), "root"));
  const Vector3 extent = figure::RestExtent(skeleton);
  description.Add("size", "the rest pose measures " + Rounded(extent.x(), 2) +
                              " x " + Rounded(extent.y(), 2) + " x " +
                              Rounded(extent.z(), 2) +
                              " m (width, height, depth)");
  nlohmann::ordered_json& json = description.json;
  json["joints"] = num_joints;
  json["end_sites"] = num_sites;
  json["channels"] = num_channels;
  json["joint_names"] = names;
  json["roots"] = roots;
  json["rest_extent_m"] = {extent.x(), extent.y(), extent.z()};
}

}  // namespace

void DescribeMotion(const LoadedFile& file, const figure::Motion& motion,
                    Description& description) {
  DescribeJoints(motion.skeleton(), motion.layout()->num_channels(),
                 description);
  DescribeTime(motion.num_frames(), motion.rate_hz(), std::nullopt,
               description);
  const auto by_format = [&file](const char* bvh, const char* amc,
                                 const char* gltf) {
    return file.format == Format::kBvh   ? bvh
           : file.format == Format::kAmc ? amc
           : file.format == Format::kFbx ? "said by the FBX"
           : file.format == Format::kNpz ? "always so in NPZ, or said"
                                         : gltf;
  };
  DescribeUnits(
      file, UnitOf(motion.source().metres_per_unit),
      by_format("said by --unit", "said by the ASF", "always so in glTF"),
      std::string("+") + figure::ToString(motion.source().up),
      by_format("said by --up", "always so in AMC", "always so in glTF"),
      description);
  // A clip has a value for every joint in every frame.
  description.json["gap_fraction"] = 0.0;
}

void DescribeSkeleton(const LoadedFile& file, const mocap::AsfSkeleton& asf,
                      Description& description) {
  if (!asf.name.empty()) description.Add("name", asf.name);
  DescribeJoints(*asf.skeleton, asf.channels->num_channels(), description);
  description.Add("frames", "none: a skeleton only");
  description.json["name"] = asf.name;
  description.json["frames"] = 0;
  description.json["rate_hz"] = nullptr;
  description.json["length_s"] = 0.0;
  DescribeUnits(file, UnitOf(asf.metres_per_unit), "said by the file", "+Y",
                "always so in ASF", description);
  description.json["gap_fraction"] = 0.0;
}

}  // namespace limber::app
