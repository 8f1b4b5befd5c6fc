// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/asf_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

namespace {

using figure::Channel;
using figure::ChannelKind;
using figure::Joint;
using figure::Site;
using figure::Skeleton;

/// Joints nearer than this are at one place [m].
constexpr double kSamePlace = 1e-9;
constexpr double kCentimetre = 0.01;  // [m]
constexpr double kInch = 0.0254;      // [m]

/// The joints of the ASF skeleton, and which of them stands for which.
struct Plan {
  std::vector<Joint> joints;
  std::vector<Site> sites;
  std::vector<bool> turns;  ///< Per joint of `joints`.
  std::vector<int> asf_of;  ///< Per joint of the skeleton.
};

std::string UniqueName(std::string name, std::set<std::string>& taken) {
  constexpr std::string_view kNotInNames = "():,#";
  for (char& c : name) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ';
    if (is_blank || kNotInNames.find(c) != std::string_view::npos) c = '_';
  }
  if (name.empty()) name = "joint";
  std::string unique = name;
  for (int number = 2; !taken.insert(unique).second; ++number) {
    unique = name + "_" + std::to_string(number);
  }
  return unique;
}

/// Where the bone of a joint ends: at its first child, else at its first site.
Vector3 BoneOf(const Skeleton& skeleton, int joint) {
  for (const Joint& child : skeleton.joints()) {
    if (child.parent == joint) return child.offset;
  }
  for (const Site& site : skeleton.sites()) {
    if (site.joint == joint) return site.offset;
  }
  return Vector3::Zero();
}

bool HasChild(const Skeleton& skeleton, int joint) {
  return std::ranges::any_of(skeleton.joints(), [joint](const Joint& child) {
    return child.parent == joint;
  });
}

Plan MakePlan(const Skeleton& skeleton) {
  Plan plan;
  plan.asf_of.resize(std::size_t(skeleton.num_joints()));
  std::set<std::string> taken = {"root"};
  const auto add = [&plan](Joint joint, bool turns) {
    plan.joints.push_back(std::move(joint));
    plan.turns.push_back(turns);
    return static_cast<int>(plan.joints.size()) - 1;
  };
  for (const int j : skeleton.DepthFirstOrder()) {
    const Joint& joint = skeleton.joint(j);
    if (joint.parent < 0) {
      if (!plan.joints.empty()) {
        throw std::invalid_argument("skeleton must have one root, \"" +
                                    joint.name + "\" is another");
      }
      plan.asf_of[j] = add({"root", -1, Vector3::Zero()}, true);
      continue;
    }
    // The root of an ASF file has no bone: its children begin where it is.
    int parent = plan.asf_of[joint.parent];
    Vector3 begin = skeleton.is_root(joint.parent)
                        ? Vector3::Zero()
                        : BoneOf(skeleton, joint.parent);
    const std::string name = UniqueName(joint.name, taken);
    const Vector3 rest = joint.offset - begin;
    if (rest.norm() > kSamePlace) {
      parent = add({UniqueName(name + "_base", taken), parent, begin}, false);
      begin = rest;
    }
    plan.asf_of[j] = add({name, parent, begin}, true);
    if (!HasChild(skeleton, j)) {
      plan.sites.push_back({"", plan.asf_of[j], BoneOf(skeleton, j)});
    }
  }
  return plan;
}

void Append(std::string& text, double value) {
  text += ' ';
  internal::AppendNumber(text, value);
}

/// " x y z" of the turns that make R = Rz Ry Rx, in `unit` radians.
void AppendTurns(std::string& text, const Quaternion& R_FA, double unit) {
  const Matrix3 R = R_FA.toRotationMatrix();
  const double cos_y = std::hypot(R(0, 0), R(1, 0));
  const double y = std::atan2(-R(2, 0), cos_y);
  // At ±90 degrees x and z turn about one axis: x does it all.
  const bool is_locked = cos_y < 1e-9;
  const double x =
      is_locked ? std::atan2(-R(1, 2), R(1, 1)) : std::atan2(R(2, 1), R(2, 2));
  const double z = is_locked ? 0.0 : std::atan2(R(1, 0), R(0, 0));
  for (const double angle : {x, y, z}) Append(text, angle / unit);
}

std::string DofOf(const Channel& channel, bool upper) {
  const bool moves = channel.kind == ChannelKind::kTranslation;
  std::string word = moves ? "t" : "r";
  word += "xyz"[channel.axis];
  if (upper) {
    for (char& c : word) c = static_cast<char>(c - 'a' + 'A');
  }
  return word;
}

/// The one place at which all children of a bone begin, or its end site.
Vector3 CommonEnd(const AsfSkeleton& asf, int joint) {
  std::optional<Vector3> end;
  for (const Joint& child : asf.skeleton->joints()) {
    if (child.parent != joint) continue;
    if (end && (*end - child.offset).norm() > kSamePlace) {
      throw std::invalid_argument("children of bone \"" +
                                  asf.skeleton->joint(joint).name +
                                  "\" must begin at its end");
    }
    if (!end) end = child.offset;
  }
  return end ? *end : BoneOf(*asf.skeleton, joint);
}

void AppendBone(const AsfSkeleton& asf, int j, std::string& text) {
  const Vector3 bone = CommonEnd(asf, j);
  const double length = bone.norm();
  const Vector3 direction =
      length > 0 ? Vector3(bone / length) : Vector3(Vector3::UnitY());
  text += "  begin\n    id " + std::to_string(j) + "\n    name " +
          asf.skeleton->joint(j).name + "\n    direction";
  for (int k = 0; k < 3; ++k) Append(text, direction[k]);
  text += "\n    length";
  Append(text, length / asf.metres_per_unit);
  text += "\n    axis";
  const std::vector<Quaternion>& R_FA = asf.channels->R_FA();
  AppendTurns(text, R_FA.empty() ? Quaternion::Identity() : R_FA[j],
              asf.radians_per_unit);
  text += " XYZ\n";
  const figure::ChannelRun& run = asf.channels->runs()[j];
  std::string dof;
  std::string limits;
  bool has_limits = false;
  for (std::size_t c = run.begin; c < run.end; ++c) {
    const Channel& channel = asf.channels->channels()[c];
    if (channel.kind != ChannelKind::kRotation) {
      throw std::invalid_argument("bone \"" + asf.skeleton->joint(j).name +
                                  "\" must only turn");
    }
    dof += " " + DofOf(channel, false);
    limits += limits.empty() ? "    limits (" : "           (";
    const auto add = [&](double limit, const char* infinite) {
      if (std::isfinite(limit)) {
        Append(limits, limit / asf.radians_per_unit);
        has_limits = true;
      } else {
        limits += infinite;
      }
    };
    add(asf.limits[c].low, " -inf");
    add(asf.limits[c].high, " inf");
    limits += " )\n";
  }
  if (!dof.empty()) text += "    dof" + dof + "\n";
  if (has_limits) text += limits;
  text += "  end\n";
}

}  // namespace

AsfSkeleton MakeAsf(const Skeleton& skeleton) {
  Plan plan = MakePlan(skeleton);
  AsfSkeleton asf;
  asf.name = "Limber";
  asf.metres_per_unit = kCentimetre;
  std::vector<Channel> channels;
  for (int j = 0; j < static_cast<int>(plan.joints.size()); ++j) {
    if (!plan.turns[j]) continue;
    for (const ChannelKind kind :
         {ChannelKind::kTranslation, ChannelKind::kRotation}) {
      if (kind == ChannelKind::kTranslation && j > 0) continue;
      for (std::uint8_t axis = 0; axis < 3; ++axis) {
        channels.push_back({j, kind, axis});
      }
    }
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  asf.limits.assign(channels.size(), {-kInfinity, kInfinity});
  asf.channels = std::make_shared<const figure::ChannelLayout>(
      static_cast<int>(plan.joints.size()), std::move(channels),
      figure::RotationOrder::kFirstIsInnermost);
  asf.skeleton = Skeleton::Make(std::move(plan.joints), std::move(plan.sites));
  return asf;
}

figure::Motion OnAsf(const figure::Motion& motion) {
  const Plan plan = MakePlan(motion.skeleton());
  figure::Motion on_asf(MakeAsf(motion.skeleton()).skeleton, motion.rate_hz());
  figure::Pose pose = figure::RestPose(on_asf.skeleton());
  for (std::int64_t t = 0; t < motion.num_frames(); ++t) {
    const figure::Pose& from = motion.pose(t);
    for (int j = 0; j < motion.skeleton().num_joints(); ++j) {
      pose.X_PJ[plan.asf_of[j]].R = from.X_PJ[j].R;
      if (motion.skeleton().is_root(j)) pose.X_PJ[0].p = from.X_PJ[j].p;
    }
    on_asf.Append(pose);
  }
  return on_asf;
}

std::string WriteAsf(const AsfSkeleton& asf) {
  const Skeleton& skeleton = *asf.skeleton;
  std::string text = ":version 1.10\n:name " +
                     (asf.name.empty() ? "skeleton" : asf.name) +
                     "\n:units\n  mass";
  Append(text, asf.mass_unit);
  text += "\n  length";
  Append(text, kInch / asf.metres_per_unit);
  text += asf.radians_per_unit == 1.0 ? "\n  angle rad\n" : "\n  angle deg\n";
  text += ":root\n  order";
  const figure::ChannelRun& root = asf.channels->runs()[0];
  for (std::size_t c = root.begin; c < root.end; ++c) {
    text += " " + DofOf(asf.channels->channels()[c], true);
  }
  text += "\n  axis XYZ\n  position";
  for (int k = 0; k < 3; ++k) {
    Append(text, asf.root_position[k] / asf.metres_per_unit);
  }
  text += "\n  orientation";
  const std::vector<Quaternion>& R_FA = asf.channels->R_FA();
  AppendTurns(text, R_FA.empty() ? Quaternion::Identity() : R_FA[0],
              asf.radians_per_unit);
  text += "\n:bonedata\n";
  for (int j = 1; j < skeleton.num_joints(); ++j) AppendBone(asf, j, text);
  text += ":hierarchy\n  begin\n";
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    std::string children;
    for (const Joint& child : skeleton.joints()) {
      if (child.parent == j) children += " " + child.name;
    }
    if (!children.empty()) {
      text += "    " + skeleton.joint(j).name + children + "\n";
    }
  }
  return text + "  end\n";
}

Diagnostics WriteAsfFile(const std::filesystem::path& path,
                         const AsfSkeleton& asf) {
  const std::string text = WriteAsf(asf);
  // What the reader refuses is not written.
  const Result<AsfSkeleton> again = ReadAsf(text, {.file = PathText(path)});
  if (!again.ok()) return again.diagnostics();
  return WriteWholeFile(path, text);
}

}  // namespace limber::mocap
