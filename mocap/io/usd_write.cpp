// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/clip_time.h"
#include "figure/pose.h"
#include "mocap/io/internal/bone_mesh.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/scene_joints.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/usd.h"

namespace limber::mocap {

namespace {

using figure::Skeleton;

/// The shortest text that reads back as the same float.
void AppendFloat(std::string& text, double value) {
  std::array<char, 32> digits;
  // -0 is 0.
  const auto [end, error] = std::to_chars(
      digits.data(), digits.data() + digits.size(), float(value) + 0.0f);
  text.append(digits.data(), end);
}

/// "(1, 2, 3)".
void AppendTuple(std::string& text, std::span<const double> numbers) {
  text += '(';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    AppendFloat(text, numbers[i]);
  }
  text += ')';
}

void AppendPoint(std::string& text, const Vector3& p) {
  AppendTuple(text, {p.data(), 3});
}

/// A list "[a, b]" whose items `append(i)` writes.
template <typename Append>
void AppendList(std::string& text, std::size_t count, Append append) {
  text += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    append(i);
  }
  text += ']';
}

/// The text between quotation marks, as USD wants it.
void AppendQuoted(std::string& text, std::string_view word) {
  text += '"';
  for (const char c : word) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else {
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  text += '"';
}

/// Letters, digits and underscores, no digit first.
std::string Identifier(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && word.empty()) word += '_';
    word += is_letter || is_digit ? c : '_';
  }
  return word.empty() ? "joint" : word;
}

/// The path of every joint, each once.
std::vector<std::string> JointPaths(const Skeleton& skeleton) {
  std::vector<std::string> paths;
  std::set<std::string> taken;
  for (const figure::Joint& joint : skeleton.joints()) {
    const std::string above = joint.parent < 0
                                  ? std::string()
                                  : paths[std::size_t(joint.parent)] + "/";
    const std::string path = above + Identifier(joint.name);
    std::string unique = path;
    for (int i = 2; !taken.insert(unique).second; ++i) {
      unique = path + "_" + std::to_string(i);
    }
    paths.push_back(std::move(unique));
  }
  return paths;
}

/// USD multiplies rows: the place stands in the last one.
void AppendMatrix(std::string& text, const Vector3& p) {
  text += "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), ";
  AppendTuple(text, std::array<double, 4>{p.x(), p.y(), p.z(), 1.0});
  text += ')';
}

void AppendNames(std::string& text, const std::vector<std::string>& names) {
  AppendList(text, names.size(),
             [&](std::size_t i) { AppendQuoted(text, names[i]); });
  text += '\n';
}

void AppendSkeleton(std::string& text, const Skeleton& skeleton,
                    const std::vector<std::string>& paths, bool is_animated) {
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(skeleton, figure::RestPose(skeleton));
  std::vector<std::string> names;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
  }
  text += R"(
    def Skeleton "Skeleton" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        uniform token[] joints = )";
  AppendNames(text, paths);
  text += "        uniform token[] jointNames = ";
  AppendNames(text, names);
  text += "        uniform matrix4d[] bindTransforms = ";
  AppendList(text, paths.size(),
             [&](std::size_t j) { AppendMatrix(text, X_WJ[j].p); });
  text += "\n        uniform matrix4d[] restTransforms = ";
  AppendList(text, paths.size(), [&](std::size_t j) {
    AppendMatrix(text, skeleton.joint(int(j)).offset);
  });
  if (is_animated) {
    text += "\n        rel skel:animationSource = </Limber/Animation>";
  }
  text += R"(
    }
)";
}

/// One line a frame, which `append(pose)` writes.
template <typename Append>
void AppendSamples(std::string& text, const char* attribute,
                   const figure::Motion& motion, Append append) {
  text += std::string("        ") + attribute + ".timeSamples = {\n";
  figure::Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    text += "            " + std::to_string(frame) + ": ";
    AppendList(text, pose.X_PJ.size(),
               [&](std::size_t j) { append(pose.X_PJ[j], j); });
    text += ",\n";
  }
  text += "        }\n";
}

void AppendAnimation(std::string& text, const figure::Motion& motion,
                     const std::vector<std::string>& paths) {
  text += R"(
    def SkelAnimation "Animation"
    {
        uniform token[] joints = )";
  AppendNames(text, paths);
  // Neighbouring quaternions lie on one side: who interpolates them takes the
  // short way.
  std::vector<Quaternion> before(paths.size(), Quaternion::Identity());
  AppendSamples(
      text, "quatf[] rotations", motion,
      [&](const Transform& X_PJ, std::size_t j) {
        Quaternion R = X_PJ.R;
        if (R.dot(before[j]) < 0.0) R.coeffs() = -R.coeffs();
        before[j] = R;
        AppendTuple(text, std::array<double, 4>{R.w(), R.x(), R.y(), R.z()});
      });
  AppendSamples(
      text, "float3[] translations", motion,
      [&](const Transform& X_PJ, std::size_t) { AppendPoint(text, X_PJ.p); });
  text += "        half3[] scales = ";
  AppendList(text, paths.size(), [&](std::size_t) { text += "(1, 1, 1)"; });
  text += "\n    }\n";
}

void AppendBody(std::string& text, const Skeleton& skeleton) {
  const internal::BoneMesh mesh = internal::MakeBoneMesh(skeleton);
  const std::size_t corners = mesh.joints.size();
  const auto point = [&](const std::vector<float>& numbers, std::size_t i) {
    AppendTuple(text, std::array<double, 3>{numbers[3 * i], numbers[3 * i + 1],
                                            numbers[3 * i + 2]});
  };
  const auto whole = [&](auto number) { text += std::to_string(number); };
  text += R"(
    def Mesh "Body" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = )";
  AppendList(text, mesh.indices.size() / 3, [&](std::size_t) { text += '3'; });
  text += "\n        int[] faceVertexIndices = ";
  AppendList(text, mesh.indices.size(),
             [&](std::size_t i) { whole(mesh.indices[i]); });
  text += "\n        point3f[] points = ";
  AppendList(text, corners, [&](std::size_t i) { point(mesh.positions, i); });
  text += "\n        normal3f[] normals = ";
  AppendList(text, corners, [&](std::size_t i) { point(mesh.normals, i); });
  text += R"( (
            interpolation = "vertex"
        )
        color3f[] primvars:displayColor = [(0.72, 0.62, 0.52)]
        int[] primvars:skel:jointIndices = )";
  AppendList(text, corners, [&](std::size_t i) { whole(mesh.joints[i]); });
  constexpr const char* kPerCorner = R"( (
            elementSize = 1
            interpolation = "vertex"
        )
)";
  text += kPerCorner;
  text += "        float[] primvars:skel:jointWeights = ";
  AppendList(text, corners, [&](std::size_t) { text += '1'; });
  text += kPerCorner;
  text += "        matrix4d primvars:skel:geomBindTransform = ";
  AppendMatrix(text, Vector3::Zero());
  text += R"(
        rel skel:skeleton = </Limber/Skeleton>
    }
)";
}

/// The name of a joint that is farther away than floats of a scene should be,
/// or null.
const std::string* FarJoint(const figure::Motion& motion) {
  const auto is_far = [](const Vector3& p) {
    return !(p.cwiseAbs().maxCoeff() <= internal::kLargestPlace);
  };
  const Skeleton& skeleton = motion.skeleton();
  figure::Pose pose = figure::RestPose(skeleton);
  for (std::int64_t frame = -1; frame < motion.num_frames(); ++frame) {
    if (frame >= 0) motion.GetPose(frame, pose);
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      if (is_far(pose.X_PJ[std::size_t(j)].p)) return &skeleton.joint(j).name;
    }
  }
  return nullptr;
}

void Check(const figure::Motion& motion, Diagnostics& diagnostics) {
  if (!IsUsualRate(motion.rate_hz())) {
    std::string rate;
    internal::AppendNumber(rate, motion.rate_hz());
    diagnostics.Error(
        "rate", {},
        "clips of 1 to 10000 frames per second can be written, this one has " +
            rate);
  }
  if (const std::string* name = FarJoint(motion)) {
    diagnostics.Error("too-far", {},
                      "the joint " + internal::Quoted(*name) +
                          " is farther away than 1e9 m in some frame; its "
                          "place cannot be written");
  }
}

}  // namespace

Result<std::string> WriteUsda(const figure::Motion& motion,
                              const UsdWriteOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  Check(motion, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  const std::vector<std::string> paths = JointPaths(motion.skeleton());
  std::string rate;
  internal::AppendNumber(rate, motion.rate_hz());
  const std::int64_t last = std::max<std::int64_t>(motion.num_frames() - 1, 0);
  std::string text = R"(#usda 1.0
(
    defaultPrim = "Limber"
    metersPerUnit = 1
    upAxis = "Y"
    startTimeCode = 0
    endTimeCode = )" +
                     std::to_string(last) +
                     "\n    timeCodesPerSecond = " + rate +
                     "\n    framesPerSecond = " + rate + R"(
)

def SkelRoot "Limber" (
    prepend apiSchemas = ["SkelBindingAPI"]
)
{
)";
  AppendSkeleton(text, motion.skeleton(), paths, motion.num_frames() > 0);
  if (motion.num_frames() > 0) AppendAnimation(text, motion, paths);
  AppendBody(text, motion.skeleton());
  text += "}\n";
  return {std::move(text), std::move(diagnostics)};
}

}  // namespace limber::mocap
