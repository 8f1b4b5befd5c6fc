// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/fbx_scene.h"

#include <assimp/config.h>
#include <assimp/scene.h>

#include <Eigen/LU>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace limber::mocap::internal {

namespace {

/// How Assimp calls the nodes it makes of the pivots of a joint.
constexpr std::string_view kPivot = "_$AssimpFbx$_";

Vector3 ToVector(const aiVector3D& v) { return {v.x, v.y, v.z}; }

NodeTransform ToTransform(const aiMatrix4x4& matrix) {
  aiVector3D scale;
  aiQuaternion turn;
  aiVector3D place;
  matrix.Decompose(scale, turn, place);
  NodeTransform local;
  local.t = ToVector(place);
  local.r = Quaternion(turn.w, turn.x, turn.y, turn.z).normalized();
  local.s = ToVector(scale);
  return local;
}

Matrix4 ToMatrix(const aiMatrix4x4& m) {
  Matrix4 matrix;
  matrix << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3,
      m.c4, m.d1, m.d2, m.d3, m.d4;
  return matrix;
}

/// Turns the scene of Assimp into nodes, skins and channels.
class Converter {
 public:
  Converter(const aiScene& from, FbxScene& to) : from_(from), to_(to) {}

  void Run() {
    AddNode(*from_.mRootNode, -1);
    to_.nodes.front().is_no_joint = true;
    to_.nodes.front().is_bare = false;
    LeaveOutSingles();
    TurnUpright();
    AddSkin();
    for (unsigned i = 0; i < from_.mNumAnimations; ++i) {
      AddAnimation(*from_.mAnimations[i]);
    }
  }

 private:
  void AddNode(const aiNode& from, int parent) {
    const auto index = static_cast<int>(to_.nodes.size());
    SceneNode node;
    node.name = from.mName.C_Str();
    node.parent = parent;
    node.local = ToTransform(from.mTransformation);
    const bool is_pivot = node.name.find(kPivot) != std::string::npos;
    node.is_bare = from.mNumMeshes == 0 && !is_pivot && !IsDevice(node.name);
    node.is_no_joint = !node.is_bare;
    if (from.mNumMeshes > 0 && mesh_node_ < 0) mesh_node_ = index;
    constexpr int kInheritRrs = 2;
    int inherit = 0;
    node.drops_parent_scale = from.mMetaData != nullptr &&
                              from.mMetaData->Get("InheritType", inherit) &&
                              inherit == kInheritRrs;
    by_name_.emplace(node.name, index);
    to_.order.push_back(index);
    to_.nodes.push_back(std::move(node));
    if (parent >= 0) to_.nodes[std::size_t(parent)].children.push_back(index);
    for (unsigned i = 0; i < from.mNumChildren; ++i) {
      AddNode(*from.mChildren[i], index);
    }
  }

  /// Where there is a tree of nodes, what stands alone beside it (the target of
  /// a camera, a marker of footsteps) is no joint.
  void LeaveOutSingles() {
    const auto is_tree = [this](int node) {
      return !to_.nodes[std::size_t(node)].children.empty();
    };
    const std::vector<int>& tops = to_.nodes.front().children;
    if (!std::ranges::any_of(tops, is_tree)) return;
    for (const int top : tops) {
      if (!is_tree(top)) to_.nodes[std::size_t(top)].is_no_joint = true;
    }
  }

  /// Cameras and lights have the names of their nodes.
  bool IsDevice(const std::string& name) const {
    for (unsigned i = 0; i < from_.mNumCameras; ++i) {
      if (name == from_.mCameras[i]->mName.C_Str()) return true;
    }
    for (unsigned i = 0; i < from_.mNumLights; ++i) {
      if (name == from_.mLights[i]->mName.C_Str()) return true;
    }
    return false;
  }

  int Number(const char* key, int otherwise) const {
    int value = otherwise;
    if (from_.mMetaData != nullptr) from_.mMetaData->Get(key, value);
    return value;
  }

  /// What the file calls right, up and towards the viewer become X, Y and Z; a
  /// left-handed file keeps its right and its up.
  void TurnUpright() {
    const auto axis = [this](const char* key, const char* sign, int otherwise) {
      Vector3 direction = Vector3::Zero();
      const int k = Number(key, otherwise);
      direction[k >= 0 && k < 3 ? k : otherwise] =
          Number(sign, 1) < 0 ? -1.0 : 1.0;
      return direction;
    };
    const Vector3 right = axis("CoordAxis", "CoordAxisSign", 0);
    const Vector3 up = axis("UpAxis", "UpAxisSign", 1);
    const Vector3 front = right.cross(up);
    if (front.norm() > 0.5) {
      Matrix3 turn;
      turn << right.transpose(), up.transpose(), front.transpose();
      NodeTransform& root = to_.nodes.front().local;
      root.r = (Quaternion(turn) * root.r).normalized();
    }
    double centimetres = 1.0;
    if (from_.mMetaData != nullptr &&
        !from_.mMetaData->Get("UnitScaleFactor", centimetres)) {
      float single = 1.0F;
      if (from_.mMetaData->Get("UnitScaleFactor", single)) centimetres = single;
    }
    if (std::isfinite(centimetres) && centimetres > 0.0) {
      to_.metres_per_unit = 0.01 * centimetres;
    }
  }

  /// All skins as one: the bones of the meshes and the nodes between them.
  void AddSkin() {
    SceneSkin skin;
    skin.mesh_node = mesh_node_;
    std::set<int> bones;
    for (unsigned m = 0; m < from_.mNumMeshes; ++m) {
      const aiMesh& mesh = *from_.mMeshes[m];
      for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const auto node = by_name_.find(mesh.mBones[b]->mName.C_Str());
        if (node != by_name_.end()) bones.insert(node->second);
      }
    }
    if (bones.empty()) return;
    // Counts how many bones are at or below each node; children come later.
    std::vector<int> below(to_.nodes.size(), 0);
    for (const int bone : bones) below[std::size_t(bone)] = 1;
    for (std::size_t i = to_.nodes.size(); i-- > 1;) {
      below[std::size_t(to_.nodes[i].parent)] += below[i];
    }
    const auto all = static_cast<int>(bones.size());
    // The lowest node above all bones, or the top bone itself.
    int top = 0;
    for (std::size_t i = 0; i < to_.nodes.size(); ++i) {
      if (below[i] == all) top = static_cast<int>(i);
    }
    for (std::size_t i = std::size_t(top); i < to_.nodes.size(); ++i) {
      const bool is_bone = bones.contains(static_cast<int>(i));
      if (below[i] == 0 || (to_.nodes[i].is_no_joint && !is_bone)) continue;
      skin.joints.push_back(static_cast<int>(i));
    }
    to_.skins.push_back(std::move(skin));
    to_.skins.front().inverse_bind = InverseBinds(to_.skins.front());
  }

  /// Assimp's offset matrices lead from the mesh to the bone, as those of glTF.
  /// A joint without one is where its node is in the nearest joint above that
  /// has one; above all of these, where it is in the nearest one below.
  std::vector<Matrix4> InverseBinds(SceneSkin& skin) const {
    std::map<int, Matrix4> inverse = Offsets();
    const std::vector<Eigen::Affine3d> X_WN = PlacesAsStored();
    const auto follow = [&](int from, int to) {
      const auto known = inverse.find(from);
      if (known == inverse.end() || inverse.contains(to)) return;
      // (X_MF X_FT)^-1 = X_TF X_MF^-1.
      const Eigen::Affine3d X_TF =
          X_WN[std::size_t(to)].inverse() * X_WN[std::size_t(from)];
      inverse.emplace(to, X_TF.matrix() * known->second);
    };
    for (std::size_t i = skin.joints.size(); i-- > 1;) {
      follow(skin.joints[i], to_.nodes[std::size_t(skin.joints[i])].parent);
    }
    for (const int joint : skin.joints) {
      follow(to_.nodes[std::size_t(joint)].parent, joint);
    }
    std::vector<Matrix4> matrices;
    for (const int joint : skin.joints) {
      const auto found = inverse.find(joint);
      if (found == inverse.end() || !found->second.allFinite()) return {};
      matrices.push_back(found->second);
    }
    return matrices;
  }

  std::map<int, Matrix4> Offsets() const {
    std::map<int, Matrix4> offsets;
    for (unsigned m = 0; m < from_.mNumMeshes; ++m) {
      const aiMesh& mesh = *from_.mMeshes[m];
      for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const auto node = by_name_.find(mesh.mBones[b]->mName.C_Str());
        if (node == by_name_.end()) continue;
        offsets.emplace(node->second, ToMatrix(mesh.mBones[b]->mOffsetMatrix));
      }
    }
    return offsets;
  }

  std::vector<Eigen::Affine3d> PlacesAsStored() const {
    std::vector<Eigen::Affine3d> X_WN;
    for (const SceneNode& node : to_.nodes) {
      const Eigen::Affine3d X_PN = node.local.ToAffine();
      X_WN.push_back(node.parent < 0 ? X_PN
                                     : X_WN[std::size_t(node.parent)] * X_PN);
    }
    return X_WN;
  }

  void AddAnimation(const aiAnimation& animation) {
    std::vector<SceneChannel> channels;
    const double ticks =
        animation.mTicksPerSecond > 0.0 ? animation.mTicksPerSecond : 24.0;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      const aiNodeAnim& from = *animation.mChannels[c];
      const auto node = by_name_.find(from.mNodeName.C_Str());
      if (node == by_name_.end()) continue;
      const auto add = [&](ChannelPath path, const auto* keys, unsigned count,
                           const auto& append) {
        if (count == 0) return;
        SceneChannel channel;
        channel.node = node->second;
        channel.path = path;
        for (unsigned k = 0; k < count; ++k) {
          const auto time = static_cast<float>(keys[k].mTime / ticks);
          const bool rises =
              channel.times.empty() || time > channel.times.back();
          if (!rises || !std::isfinite(time)) continue;
          channel.times.push_back(time);
          append(keys[k].mValue, channel.values);
        }
        if (!channel.times.empty()) channels.push_back(std::move(channel));
      };
      const auto vector = [](const aiVector3D& v, std::vector<float>& values) {
        values.insert(values.end(), {v.x, v.y, v.z});
      };
      add(ChannelPath::kTranslation, from.mPositionKeys, from.mNumPositionKeys,
          vector);
      add(ChannelPath::kScale, from.mScalingKeys, from.mNumScalingKeys, vector);
      add(ChannelPath::kRotation, from.mRotationKeys, from.mNumRotationKeys,
          [](const aiQuaternion& q, std::vector<float>& values) {
            values.insert(values.end(), {q.x, q.y, q.z, q.w});
          });
    }
    to_.animations.emplace_back(animation.mName.C_Str());
    to_.rates.push_back(ticks);
    to_.channels.push_back(std::move(channels));
  }

  const aiScene& from_;
  FbxScene& to_;
  std::map<std::string, int> by_name_;
  int mesh_node_ = -1;
};

/// Numbers, words and lists one after another.
class Packer {
 public:
  template <typename Number>
  void Add(const Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Add(const std::string& text) {
    Add(std::uint64_t(text.size()));
    bytes_ += text;
  }
  template <typename Number>
  void Add(const std::vector<Number>& list) {
    Add(std::uint64_t(list.size()));
    for (const Number& value : list) Add(value);
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <typename Number>
  void Get(Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    if (rest_.size() < sizeof value) {
      is_good_ = false;
      rest_ = {};
      return;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void Get(std::string& text) {
    const std::size_t size = Count(1);
    text = std::string(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <typename Number>
  void Get(std::vector<Number>& list) {
    list.resize(Count(sizeof(Number)));
    for (Number& value : list) Get(value);
  }
  /// A count of things that take `size` bytes each, as far as they are there.
  std::size_t Count(std::size_t size) {
    std::uint64_t count = 0;
    Get(count);
    if (count > rest_.size() / size) is_good_ = false;
    return is_good_ ? std::size_t(count) : 0;
  }
  bool is_good() const { return is_good_; }
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

void Pack(const NodeTransform& local, Packer& packer) {
  for (int k = 0; k < 3; ++k) packer.Add(local.t[k]);
  for (int k = 0; k < 4; ++k) packer.Add(local.r.coeffs()[k]);
  for (int k = 0; k < 3; ++k) packer.Add(local.s[k]);
}

void Unpack(Unpacker& unpacker, NodeTransform& local) {
  for (int k = 0; k < 3; ++k) unpacker.Get(local.t[k]);
  for (int k = 0; k < 4; ++k) unpacker.Get(local.r.coeffs()[k]);
  for (int k = 0; k < 3; ++k) unpacker.Get(local.s[k]);
}

std::string Pack(const FbxScene& scene) {
  Packer packer;
  packer.Add(scene.error);
  packer.Add(scene.metres_per_unit);
  packer.Add(std::uint64_t(scene.nodes.size()));
  for (const SceneNode& node : scene.nodes) {
    packer.Add(node.name);
    packer.Add(node.parent);
    Pack(node.local, packer);
    packer.Add(node.is_bare);
    packer.Add(node.is_no_joint);
    packer.Add(node.drops_parent_scale);
  }
  packer.Add(std::uint64_t(scene.skins.size()));
  for (const SceneSkin& skin : scene.skins) {
    packer.Add(skin.joints);
    packer.Add(skin.mesh_node);
    packer.Add(std::uint64_t(skin.inverse_bind.size()));
    for (const Matrix4& matrix : skin.inverse_bind) {
      for (int k = 0; k < 16; ++k) packer.Add(matrix.data()[k]);
    }
  }
  packer.Add(std::uint64_t(scene.animations.size()));
  for (std::size_t i = 0; i < scene.animations.size(); ++i) {
    packer.Add(scene.animations[i]);
    packer.Add(scene.rates[i]);
    packer.Add(std::uint64_t(scene.channels[i].size()));
    for (const SceneChannel& channel : scene.channels[i]) {
      packer.Add(channel.node);
      packer.Add(int(channel.path));
      packer.Add(channel.times);
      packer.Add(channel.values);
    }
  }
  return std::move(packer).Take();
}

bool IsNodeOf(const FbxScene& scene, int node) {
  return node >= 0 && std::size_t(node) < scene.nodes.size();
}

void UnpackNodes(Unpacker& unpacker, FbxScene& scene) {
  scene.nodes.resize(unpacker.Count(8));
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    SceneNode& node = scene.nodes[i];
    unpacker.Get(node.name);
    unpacker.Get(node.parent);
    Unpack(unpacker, node.local);
    unpacker.Get(node.is_bare);
    unpacker.Get(node.is_no_joint);
    unpacker.Get(node.drops_parent_scale);
    scene.order.push_back(int(i));
    if (node.parent >= 0 && std::size_t(node.parent) < i) {
      scene.nodes[std::size_t(node.parent)].children.push_back(int(i));
    } else {
      node.parent = -1;
    }
  }
}

void UnpackSkins(Unpacker& unpacker, FbxScene& scene) {
  scene.skins.resize(unpacker.Count(8));
  for (SceneSkin& skin : scene.skins) {
    unpacker.Get(skin.joints);
    unpacker.Get(skin.mesh_node);
    if (!IsNodeOf(scene, skin.mesh_node)) skin.mesh_node = -1;
    skin.inverse_bind.resize(unpacker.Count(16 * sizeof(double)));
    for (Matrix4& matrix : skin.inverse_bind) {
      for (int k = 0; k < 16; ++k) unpacker.Get(matrix.data()[k]);
    }
    if (skin.inverse_bind.size() != skin.joints.size()) {
      skin.inverse_bind.clear();
    }
    const bool is_bad = std::ranges::any_of(
        skin.joints, [&](int node) { return !IsNodeOf(scene, node); });
    if (is_bad) skin = {};
  }
}

void UnpackAnimations(Unpacker& unpacker, FbxScene& scene) {
  scene.animations.resize(unpacker.Count(8));
  scene.channels.resize(scene.animations.size());
  scene.rates.resize(scene.animations.size(), 0.0);
  for (std::size_t i = 0; i < scene.animations.size(); ++i) {
    unpacker.Get(scene.animations[i]);
    unpacker.Get(scene.rates[i]);
    scene.channels[i].resize(unpacker.Count(8));
    for (SceneChannel& channel : scene.channels[i]) {
      int path = 0;
      unpacker.Get(channel.node);
      unpacker.Get(path);
      channel.path = static_cast<ChannelPath>(std::clamp(path, 0, 2));
      unpacker.Get(channel.times);
      unpacker.Get(channel.values);
    }
    std::erase_if(scene.channels[i], [&](const SceneChannel& channel) {
      const std::size_t parts = channel.path == ChannelPath::kRotation ? 4 : 3;
      return !IsNodeOf(scene, channel.node) || channel.times.empty() ||
             channel.values.size() != parts * channel.times.size();
    });
  }
}

}  // namespace

std::string ReadAndPackFbx(std::string_view bytes) {
  FbxScene scene;
  Assimp::Importer importer;
  // With pivots kept as nodes of their own the keys of joints that have a
  // rotation before their own would turn them twice.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  const aiScene* read =
      importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "fbx");
  if (read == nullptr || read->mRootNode == nullptr) {
    scene.error = importer.GetErrorString();
    if (scene.error.empty()) scene.error = "no scene";
  } else {
    Converter(*read, scene).Run();
  }
  return Pack(scene);
}

bool UnpackScene(std::string_view bytes, FbxScene& scene) {
  Unpacker unpacker(bytes);
  unpacker.Get(scene.error);
  unpacker.Get(scene.metres_per_unit);
  UnpackNodes(unpacker, scene);
  UnpackSkins(unpacker, scene);
  UnpackAnimations(unpacker, scene);
  return unpacker.is_good() && unpacker.is_empty();
}

}  // namespace limber::mocap::internal
