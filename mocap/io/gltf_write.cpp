// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/clip_time.h"
#include "mocap/io/gltf.h"
#include "mocap/io/internal/bone_mesh.h"
#include "mocap/io/internal/glb_builder.h"
#include "mocap/io/internal/scene_joints.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

namespace {

using figure::Skeleton;
using internal::GlbBuilder;
using internal::GltfDocument;
using internal::NodeTrack;
using internal::NodeTransform;
using internal::SceneJoints;
using nlohmann::ordered_json;

/// A node that stays within a micrometre of its own place needs no track [m].
constexpr double kStill = 1e-6;

void AppendRotation(std::vector<float>& track, const Quaternion& R) {
  for (const double part : {R.x(), R.y(), R.z(), R.w()}) {
    track.push_back(float(part));
  }
}

void AppendPlace(std::vector<float>& track, const Vector3& p) {
  for (int axis = 0; axis < 3; ++axis) track.push_back(float(p[axis]));
}

/// Leaves out a track of places that says what the node says itself.
void DropStill(NodeTrack& track, const Vector3& own, double still) {
  for (std::size_t i = 0; i < track.places.size(); ++i) {
    if (std::abs(double(track.places[i]) - own[Eigen::Index(i % 3)]) > still) {
      return;
    }
  }
  track.places.clear();
}

ordered_json Numbers(const Vector3& p) {
  return ordered_json::array({float(p.x()), float(p.y()), float(p.z())});
}

/// Joints and sites as nodes 0, 1, ...; several roots hang on one node, as
/// skins need it. Returns the nodes of the scene.
ordered_json AddNodes(const Skeleton& skeleton, ordered_json& json) {
  ordered_json nodes = ordered_json::array();
  std::vector<int> roots;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const figure::Joint& joint = skeleton.joint(j);
    nodes.push_back(
        {{"name", joint.name}, {"translation", Numbers(joint.offset)}});
    if (joint.parent < 0) {
      roots.push_back(j);
    } else {
      nodes[std::size_t(joint.parent)]["children"].push_back(j);
    }
  }
  for (const figure::Site& site : skeleton.sites()) {
    const auto parent = std::size_t(site.joint);
    nodes[parent]["children"].push_back(nodes.size());
    nodes.push_back(
        {{"name", site.name.empty() ? skeleton.joint(site.joint).name + "_end"
                                    : site.name},
         {"translation", Numbers(site.offset)}});
  }
  if (roots.size() > 1) {
    nodes.push_back({{"name", "Armature"}, {"children", roots}});
    roots = {int(nodes.size()) - 1};
  }
  json["nodes"] = std::move(nodes);
  return ordered_json::array({roots.front()});
}

/// A mesh skinned to the joints, worn by a node of its own.
void AddBody(const Skeleton& skeleton, GlbBuilder& builder) {
  const internal::BoneMesh mesh = internal::MakeBoneMesh(skeleton);
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  for (const int joint : mesh.joints) {
    joints.insert(joints.end(), {std::uint16_t(joint), 0, 0, 0});
    weights.insert(weights.end(), {1.0f, 0.0f, 0.0f, 0.0f});
  }
  std::vector<float> inverse_bind;
  ordered_json joint_nodes = ordered_json::array();
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(skeleton, figure::RestPose(skeleton));
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const Vector3 p = -X_WJ[std::size_t(j)].p;
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 4; ++row) {
        inverse_bind.push_back(row == column ? 1.0f : 0.0f);
      }
    }
    AppendPlace(inverse_bind, p);
    inverse_bind.push_back(1.0f);
    joint_nodes.push_back(j);
  }
  ordered_json& json = builder.json();
  ordered_json attributes;
  attributes["POSITION"] = builder.AddFloats(mesh.positions, 3, "VEC3", true);
  attributes["NORMAL"] = builder.AddFloats(mesh.normals, 3, "VEC3");
  attributes["JOINTS_0"] = builder.AddShorts(joints, 4, "VEC4");
  attributes["WEIGHTS_0"] = builder.AddFloats(weights, 4, "VEC4");
  const int indices = builder.AddIndices(mesh.indices);
  json["materials"] =
      ordered_json::array({{{"name", "body"},
                            {"pbrMetallicRoughness",
                             {{"baseColorFactor", {0.72, 0.62, 0.52, 1.0}},
                              {"metallicFactor", 0.0},
                              {"roughnessFactor", 0.7}}}}});
  json["meshes"] = ordered_json::array(
      {{{"name", "body"},
        {"primitives",
         ordered_json::array({{{"attributes", std::move(attributes)},
                               {"indices", indices},
                               {"material", 0}}})}}});
  json["skins"] = ordered_json::array(
      {{{"inverseBindMatrices", builder.AddFloats(inverse_bind, 16, "MAT4")},
        {"joints", std::move(joint_nodes)}}});
  json["scenes"][0]["nodes"].push_back(json["nodes"].size());
  json["nodes"].push_back({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
}

std::vector<NodeTrack> TracksOf(const figure::Motion& motion) {
  const Skeleton& skeleton = motion.skeleton();
  std::vector<NodeTrack> tracks(std::size_t(skeleton.num_joints()));
  figure::Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    for (std::size_t j = 0; j < tracks.size(); ++j) {
      AppendRotation(tracks[j].rotations, pose.X_PJ[j].R);
      AppendPlace(tracks[j].places, pose.X_PJ[j].p);
    }
  }
  for (std::size_t j = 0; j < tracks.size(); ++j) {
    tracks[j].node = int(j);
    internal::MakeContinuous(tracks[j].rotations);
    DropStill(tracks[j], skeleton.joint(int(j)).offset, kStill);
  }
  return tracks;
}

bool IsNear(double metres) {
  return std::abs(metres) <= internal::kLargestPlace;
}
bool IsNear(const Vector3& p) {
  return IsNear(p.x()) && IsNear(p.y()) && IsNear(p.z());
}

/// The name of a joint that is farther away than the reader takes, or nothing.
/// @param tracks  one a joint, in metres.
std::string JointTooFar(const Skeleton& skeleton,
                        std::span<const NodeTrack> tracks) {
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const figure::Joint& joint = skeleton.joint(j);
    if (!IsNear(joint.offset) ||
        !std::ranges::all_of(tracks[std::size_t(j)].places,
                             [](float number) { return IsNear(number); })) {
      return joint.name;
    }
  }
  for (const figure::Site& site : skeleton.sites()) {
    if (!IsNear(site.offset)) return skeleton.joint(site.joint).name;
  }
  return {};
}

/// Keys at other rates would be taken for an animation of few keys, and made
/// denser beyond measure, or lie on each other in the floats of a file.
bool CheckRate(const figure::Motion& motion, Diagnostics& diagnostics) {
  if (motion.num_frames() < 2 || IsUsualRate(motion.rate_hz())) return true;
  std::string rate;
  internal::AppendNumber(rate, motion.rate_hz());
  diagnostics.Error("rate", {},
                    "clips of 1 to 10000 frames per second can be written, "
                    "this one has " +
                        rate);
  return false;
}

void RefuseFar(const std::string& joint, Diagnostics& diagnostics) {
  diagnostics.Error("too-far", {},
                    "the joint \"" + joint +
                        "\" is farther away than 1e9 m in some frame; its "
                        "place cannot be written");
}

/// What keeps a motion from being played by the character, or nothing.
std::string Obstacle(const Skeleton& from, const Skeleton& to) {
  if (from.num_joints() != to.num_joints()) {
    return "the motion has " + std::to_string(from.num_joints()) +
           " joints, the character " + std::to_string(to.num_joints());
  }
  for (int j = 0; j < to.num_joints(); ++j) {
    if (from.joint(j).name != to.joint(j).name ||
        from.joint(j).parent != to.joint(j).parent) {
      return "joint " + std::to_string(j) + " of the motion is \"" +
             from.joint(j).name + "\", of the character \"" + to.joint(j).name +
             "\"";
    }
  }
  return {};
}

/// The motion as tracks of the character's nodes:
///
///     R_WN = R_WJ R_WN0 ,   X_PN = X_WP⁻¹ X_WN        P the node above
std::vector<NodeTrack> TracksOnto(const GltfDocument& document,
                                  const SceneJoints& joints,
                                  const figure::Motion& motion,
                                  double metres_per_unit) {
  std::vector<NodeTransform> local;
  std::vector<int> joint_of(document.nodes.size(), -1);
  for (const internal::SceneNode& node : document.nodes) {
    local.push_back(node.local);
  }
  for (std::size_t j = 0; j < joints.node_of.size(); ++j) {
    joint_of[std::size_t(joints.node_of[j])] = int(j);
  }
  std::vector<NodeTrack> tracks(joints.node_of.size());
  std::vector<Eigen::Affine3d> X_WN(document.nodes.size());
  std::vector<Quaternion> R_WN(document.nodes.size());
  std::vector<Transform> X_WJ;
  figure::Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    figure::WorldTransforms(motion.skeleton(), pose, X_WJ);
    for (const int index : document.order) {
      const auto i = std::size_t(index);
      const int above = document.nodes[i].parent;
      const Eigen::Affine3d X_WP =
          above < 0 ? Eigen::Affine3d::Identity() : X_WN[std::size_t(above)];
      const Quaternion R_WP =
          above < 0 ? Quaternion::Identity() : R_WN[std::size_t(above)];
      if (joint_of[i] >= 0) {
        const auto j = std::size_t(joint_of[i]);
        const Vector3 p_WN = X_WJ[j].p / metres_per_unit;
        local[i].r =
            (R_WP.conjugate() * X_WJ[j].R * joints.R_WN0[j]).normalized();
        local[i].t = X_WP.inverse() * p_WN;
        AppendRotation(tracks[j].rotations, local[i].r);
        AppendPlace(tracks[j].places, local[i].t);
      }
      X_WN[i] = X_WP * local[i].ToAffine();
      R_WN[i] = (R_WP * local[i].r).normalized();
    }
  }
  for (std::size_t j = 0; j < tracks.size(); ++j) {
    tracks[j].node = joints.node_of[j];
    internal::MakeContinuous(tracks[j].rotations);
    DropStill(tracks[j], document.nodes[std::size_t(tracks[j].node)].local.t,
              kStill / metres_per_unit);
  }
  return tracks;
}

/// Animated nodes must not be stored as matrices.
void SplitMatrices(const GltfDocument& document,
                   std::span<const NodeTrack> tracks, ordered_json& json) {
  for (const NodeTrack& track : tracks) {
    const internal::SceneNode& node = document.nodes[std::size_t(track.node)];
    if (!node.has_matrix) continue;
    ordered_json& stored = json["nodes"][std::size_t(track.node)];
    stored.erase("matrix");
    stored["translation"] = Numbers(node.local.t);
    stored["rotation"] = {float(node.local.r.x()), float(node.local.r.y()),
                          float(node.local.r.z()), float(node.local.r.w())};
    stored["scale"] = Numbers(node.local.s);
  }
}

void WarnOfImages(const ordered_json& json, Diagnostics& diagnostics) {
  if (!json.contains("images")) return;
  for (const ordered_json& image : json.at("images")) {
    const std::string uri =
        image.is_object() ? image.value("uri", std::string()) : std::string();
    if (uri.empty() || uri.starts_with("data:")) continue;
    diagnostics.Warning("image-beside", {},
                        "the image \"" + uri.substr(0, 80) +
                            "\" stays a file of its own: keep it beside the "
                            "new one");
  }
}

}  // namespace

Result<std::string> WriteGlb(const figure::Motion& motion,
                             const GltfWriteOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  constexpr int kMostJoints = 65535;
  if (motion.skeleton().num_joints() > kMostJoints) {
    diagnostics.Error("too-many-joints", {}, "a skin has at most 65535 joints");
    return Result<std::string>(std::move(diagnostics));
  }
  if (!CheckRate(motion, diagnostics)) {
    return Result<std::string>(std::move(diagnostics));
  }
  GlbBuilder builder;
  ordered_json& json = builder.json();
  json["scene"] = 0;
  ordered_json scene_nodes = AddNodes(motion.skeleton(), json);
  json["scenes"] = ordered_json::array({{{"nodes", std::move(scene_nodes)}}});
  const std::vector<NodeTrack> tracks = TracksOf(motion);
  if (const std::string far = JointTooFar(motion.skeleton(), tracks);
      !far.empty()) {
    RefuseFar(far, diagnostics);
    return Result<std::string>(std::move(diagnostics));
  }
  AddBody(motion.skeleton(), builder);
  internal::AddAnimation(builder, options.name, motion.rate_hz(), tracks);
  return {std::move(builder).Finish(), std::move(diagnostics)};
}

Result<std::string> WriteGlbOnto(std::string_view character,
                                 const figure::Motion& motion,
                                 const GltfReadOptions& character_options,
                                 const GltfWriteOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  Result<GltfDocument> parsed =
      internal::ParseGltf(character, character_options.file,
                          character_options.strict, character_options.folder);
  diagnostics.Append(parsed.diagnostics());
  if (!parsed.ok()) return Result<std::string>(std::move(diagnostics));
  GltfDocument document = std::move(parsed).value();
  SceneJoints joints;
  if (!document.nodes.empty()) {
    joints =
        internal::MakeSceneJoints(document, character_options.metres_per_unit);
  }
  const std::string obstacle =
      joints.skeleton == nullptr
          ? "the character has no skeleton"
          : Obstacle(motion.skeleton(), *joints.skeleton);
  if (!obstacle.empty()) {
    diagnostics.Error("other-skeleton", {}, obstacle);
    return Result<std::string>(std::move(diagnostics));
  }
  if (!CheckRate(motion, diagnostics)) {
    return Result<std::string>(std::move(diagnostics));
  }
  WarnOfImages(document.json, diagnostics);
  const std::vector<NodeTrack> tracks =
      TracksOnto(document, joints, motion, character_options.metres_per_unit);
  for (const NodeTrack& track : tracks) {
    if (std::ranges::all_of(track.places, [&](float number) {
          return IsNear(number * character_options.metres_per_unit);
        })) {
      continue;
    }
    const auto joint = std::ranges::find(joints.node_of, track.node);
    RefuseFar(joints.skeleton->joint(int(joint - joints.node_of.begin())).name,
              diagnostics);
    return Result<std::string>(std::move(diagnostics));
  }
  SplitMatrices(document, tracks, document.json);
  GlbBuilder builder(std::move(document));
  internal::AddAnimation(builder, options.name, motion.rate_hz(), tracks);
  return {std::move(builder).Finish(), std::move(diagnostics)};
}

}  // namespace limber::mocap
