// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/npz_poses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/pose.h"
#include "mocap/io/internal/npz_need.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/smpl_body.h"

namespace limber::mocap::internal {

namespace {

using figure::Skeleton;
using figure::UpAxis;

/// The mean of the bodies' own up direction has at least this part along the
/// axis that points up: they lean by less than 45 degrees on the mean, so they
/// stand, and do not lie.
constexpr double kUpright = 0.707;
/// Heights of people: outside, the pelvis is not that of somebody who stands
/// on a floor at 0 [m].
constexpr double kShortest = 1.2;
constexpr double kTallest = 2.2;
/// The height where the file does not show one [m].
constexpr double kUsualHeight = 1.75;

/// Which way is up in the file, and the rotation that brings it to +Y.
struct UpFinding {
  UpAxis axis = UpAxis::kZ;
  Quaternion R_WF = Quaternion::Identity();
  std::string reason;
  bool sure = false;
};

/// The mean over the frames of where the pelvis' own +Y points: a body model
/// stands along +Y where it is not turned.
Vector3 MeanUp(const NumberArray& poses, std::size_t width) {
  Vector3 sum = Vector3::Zero();
  const std::size_t frames =
      poses.numbers.size() / std::max<std::size_t>(width, 1);
  for (std::size_t f = 0; f < frames; ++f) {
    const Eigen::Map<const Vector3> turn(poses.numbers.data() + f * width);
    sum += ExpRotation(turn) * Vector3::UnitY();
  }
  return frames == 0 ? sum : Vector3(sum / double(frames));
}

UpFinding FindUp(const Vector3& mean, const std::optional<UpAxis>& given) {
  UpFinding found;
  if (given) {
    found = {*given, figure::FileToWorld(*given), "said by the caller", true};
    return found;
  }
  Eigen::Index axis = 2;
  const double part = mean.cwiseAbs().maxCoeff(&axis);
  if (part >= kUpright && mean[axis] > 0.0) {
    found.axis = UpAxis(axis);
    found.reason = "the bodies stand along it";
    found.sure = true;
  } else if (part >= kUpright && axis == 1) {
    // The axes of a camera: y down, z forward.
    found = {UpAxis::kY, ExpRotation(Vector3(kPi, 0.0, 0.0)),
             "the bodies stand along -Y, as in a camera's axes, and are turned "
             "by 180 degrees about X",
             true};
    return found;
  } else {
    found.reason = "the bodies do not stand; this is the custom of AMASS";
  }
  found.R_WF = figure::FileToWorld(found.axis);
  return found;
}

/// Height of the figure that stands with its pelvis where the file has it.
double FindHeight(const std::vector<Vector3>& pelvis, std::string& reason) {
  std::vector<double> heights;
  for (const Vector3& p : pelvis) heights.push_back(p.y());
  if (!heights.empty()) {
    const auto middle = heights.begin() + std::ptrdiff_t(heights.size() / 2);
    std::ranges::nth_element(heights, middle);
    const double height = *middle / PelvisShare();
    if (height >= kShortest && height <= kTallest) {
      reason = "the pelvis is that high above the floor";
      return height;
    }
  }
  reason = "the pelvis does not show one; this is Limber's figure";
  return kUsualHeight;
}

/// The joints of the body model where `rest` has those of the same names.
std::shared_ptr<const Skeleton> FromRest(const Skeleton& rest, NpzKind kind,
                                         std::size_t num_joints,
                                         Diagnostics& diagnostics) {
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(rest, figure::RestPose(rest));
  std::vector<Vector3> places;
  const auto model = SmplSkeleton(kind, num_joints, kUsualHeight);
  for (const figure::Joint& joint : model->joints()) {
    const int found = rest.Find(joint.name);
    if (found < 0) {
      diagnostics.Error("rest", {},
                        "the skeleton for the lengths has no joint " +
                            Quoted(joint.name) + ", which " +
                            std::string(ToString(kind)) + " has");
      return nullptr;
    }
    places.push_back(X_WJ[std::size_t(found)].p);
  }
  return SmplSkeletonAt(kind, places);
}

/// A shape means bones only with the licensed model, which is not here.
void TellShape(const NpyReader& reader, NpzKind kind, double height,
               Diagnostics& diagnostics) {
  std::string named;
  for (const char* member : {"betas", "gender"}) {
    if (!reader.Has(member)) continue;
    named += (named.empty() ? "" : " and ") + std::string(member);
  }
  if (named.empty()) return;
  diagnostics.Warning(
      "shape-ignored", {},
      "the body's shape (" + named + ") is not used: it needs the " +
          std::string(ToString(kind)) +
          " model, which is licensed; bones are those of Limber's own figure, " +
          std::to_string(height).substr(0, 4) +
          " m tall (--offsets names others)");
}

/// Number of joints of `poses`, from (F, 3 J) or (F, J, 3).
std::optional<std::size_t> JointsOf(const NumberArray& poses,
                                    Diagnostics& diagnostics) {
  const auto& shape = poses.shape;
  std::uint64_t joints = 0;
  if (shape.size() == 2 && shape[1] % 3 == 0) joints = shape[1] / 3;
  if (shape.size() == 3 && shape[2] == 3) joints = shape[1];
  if (SmplKindOf(joints)) return std::size_t(joints);
  diagnostics.Error("shape", {},
                    "poses.npy: expected (frames, 72) for SMPL, (frames, 156) "
                    "for SMPL-H, (frames, 165) for SMPL-X or (frames, 66) for "
                    "the body alone, found " +
                        ShapeText(shape));
  return std::nullopt;
}

/// Rows of the root's place and all quaternions.
std::vector<double> RowsOf(const NumberArray& poses, std::size_t joints,
                           const std::vector<Vector3>& pelvis,
                           const Quaternion& R_WF) {
  std::vector<double> rows;
  rows.reserve(pelvis.size() * (3 + 4 * joints));
  for (std::size_t f = 0; f < pelvis.size(); ++f) {
    rows.insert(rows.end(), {pelvis[f].x(), pelvis[f].y(), pelvis[f].z()});
    for (std::size_t j = 0; j < joints; ++j) {
      const Eigen::Map<const Vector3> turn(poses.numbers.data() +
                                           3 * (f * joints + j));
      Quaternion R = ExpRotation(turn);
      if (j == 0) R = R_WF * R;
      R.normalize();
      rows.insert(rows.end(), {R.w(), R.x(), R.y(), R.z()});
    }
  }
  return rows;
}

}  // namespace

std::optional<NpzClip> ReadPoses(const NpzReadOptions& options,
                                 NpyReader& reader, Diagnostics& diagnostics) {
  const std::optional<NumberArray> poses = reader.Numbers("poses");
  if (!poses) return std::nullopt;
  const std::optional<std::size_t> joints = JointsOf(*poses, diagnostics);
  if (!joints) return std::nullopt;
  const NpzKind kind = *SmplKindOf(*joints);
  const std::uint64_t frames = poses->shape[0];
  const std::optional<NumberArray> trans =
      NeedNumbers("trans", {frames, 3}, reader, diagnostics);
  const std::optional<double> rate = NeedRate(options, reader, diagnostics);
  if (!trans || !rate || !CheckFinite(*poses, diagnostics) ||
      !reader.Claim("poses", frames, 8 * (6 + 4 * *joints))) {
    return std::nullopt;
  }
  const Vector3 mean = MeanUp(*poses, 3 * *joints);
  const UpFinding up = FindUp(mean, options.up);
  if (!up.sure) {
    diagnostics.Warning("up-doubt", {},
                        "the up axis is taken as +Z, the custom of AMASS, but "
                        "the bodies do not stand along it; --up says another");
  }
  std::shared_ptr<const Skeleton> skeleton;
  Vector3 p_model = Vector3::Zero();
  if (options.rest != nullptr) {
    skeleton = FromRest(*options.rest, kind, *joints, diagnostics);
    if (skeleton == nullptr) return std::nullopt;
    p_model = skeleton->joint(0).offset;
  }
  // The body turns about its pelvis, and `trans` moves all of it:
  //
  //     p_WJ0 = R_WF (trans + p_model)
  std::vector<Vector3> pelvis;
  for (std::size_t f = 0; f < frames; ++f) {
    const Eigen::Map<const Vector3> t(trans->numbers.data() + 3 * f);
    pelvis.push_back(up.R_WF * (options.metres_per_unit * t + p_model));
  }
  std::string height_reason;
  double height = 0.0;
  if (skeleton == nullptr) {
    height = FindHeight(pelvis, height_reason);
    skeleton = SmplSkeleton(kind, *joints, height);
    TellShape(reader, kind, height, diagnostics);
  }
  std::vector<bool> moves(*joints, false);
  moves[0] = true;
  figure::MotionSource source;
  source.file = options.file;
  source.format = "NPZ";
  source.metres_per_unit = options.metres_per_unit;
  source.up = up.axis;
  source.channels = std::make_shared<const figure::ChannelLayout>(
      figure::ChannelLayout::Free(moves));
  return NpzClip{figure::Motion(std::move(skeleton), *rate, std::move(source),
                                RowsOf(*poses, *joints, pelvis, up.R_WF)),
                 kind,
                 up.reason,
                 up.sure,
                 height,
                 height_reason};
}

}  // namespace limber::mocap::internal
