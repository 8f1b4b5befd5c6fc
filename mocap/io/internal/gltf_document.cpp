// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/gltf_document.h"

#include <Eigen/SVD>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "core/file.h"

namespace limber::mocap::internal {

namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeader = 12;
constexpr std::size_t kChunkHeader = 8;
// Nobody nests deeper, and code that walks JSON recursively stays safe.
constexpr int kDeepest = 64;

std::uint32_t Word(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) {
    word = word << 8 | static_cast<unsigned char>(bytes[at + std::size_t(i)]);
  }
  return word;
}

struct Chunks {
  std::string_view json;
  std::size_t json_at = 0;  // Byte at which the JSON begins.
  std::string_view bin;
  bool has_bin = false;
};

std::optional<Chunks> SplitChunks(std::string_view bytes,
                                  Diagnostics& diagnostics) {
  const auto fail = [&](std::size_t at, const std::string& message) {
    diagnostics.Error("container", Place::AtByte(std::int64_t(at)), message);
    return std::nullopt;
  };
  if (bytes.size() < kHeader + kChunkHeader) {
    return fail(bytes.size(), "expected a GLB header of 20 bytes, found " +
                                  std::to_string(bytes.size()) + " bytes");
  }
  if (Word(bytes, 4) != 2) {
    return fail(
        4, "expected glTF version 2, found " + std::to_string(Word(bytes, 4)));
  }
  const std::size_t length = Word(bytes, 8);
  if (length > bytes.size()) {
    return fail(8, "the header says " + std::to_string(length) +
                       " bytes, the file has " + std::to_string(bytes.size()));
  }
  bytes = bytes.substr(0, std::max(length, kHeader));
  Chunks chunks;
  std::size_t at = kHeader;
  for (int index = 0; at + kChunkHeader <= bytes.size(); ++index) {
    const std::size_t size = Word(bytes, at);
    const std::uint32_t type = Word(bytes, at + 4);
    const std::size_t begin = at + kChunkHeader;
    if (size > bytes.size() - begin) {
      return fail(at, "a chunk of " + std::to_string(size) +
                          " bytes does not fit into the " +
                          std::to_string(bytes.size() - begin) +
                          " that remain");
    }
    if (index == 0 && type != kJsonChunk) {
      return fail(at + 4, "expected the JSON chunk first");
    }
    if (index == 0) {
      chunks.json = bytes.substr(begin, size);
      chunks.json_at = begin;
    }
    if (index == 1 && type == kBinChunk) {
      chunks.bin = bytes.substr(begin, size);
      chunks.has_bin = true;
    }
    at = begin + (size + 3) / 4 * 4;
  }
  if (chunks.json_at == 0) return fail(kHeader, "there is no JSON chunk");
  return chunks;
}

std::optional<ordered_json> ParseText(std::string_view text, std::size_t at,
                                      Diagnostics& diagnostics) {
  bool too_deep = false;
  const auto watch = [&](int depth, ordered_json::parse_event_t,
                         ordered_json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  try {
    ordered_json json = ordered_json::parse(text, watch);
    if (too_deep) {
      diagnostics.Error(
          "syntax", {},
          "the JSON nests deeper than " + std::to_string(kDeepest) + " levels");
      return std::nullopt;
    }
    if (!json.is_object()) {
      diagnostics.Error("syntax", Place::AtByte(std::int64_t(at)),
                        "expected a JSON object");
      return std::nullopt;
    }
    return json;
  } catch (const ordered_json::parse_error& error) {
    diagnostics.Error("syntax", Place::AtByte(std::int64_t(at + error.byte)),
                      "the JSON ends or goes wrong here");
  } catch (const ordered_json::exception&) {
    diagnostics.Error("syntax", Place::AtByte(std::int64_t(at)),
                      "the JSON cannot be read");
  }
  return std::nullopt;
}

/// Walks the JSON and says by its path what is not as it should be.
class Walker {
 public:
  Walker(const ordered_json& json, std::string path, Diagnostics& diagnostics)
      : json_(json), path_(std::move(path)), diagnostics_(diagnostics) {}

  bool is_object() const { return json_.is_object(); }
  std::size_t size() const { return json_.is_array() ? json_.size() : 0; }
  const std::string& path() const { return path_; }
  bool Has(const char* key) const {
    return json_.is_object() && json_.contains(key);
  }
  Walker At(const char* key) const {
    static const ordered_json nothing;
    return {Has(key) ? json_.at(key) : nothing, path_ + "/" + key,
            diagnostics_};
  }
  Walker At(std::size_t index) const {
    return {json_.at(index), path_ + "/" + std::to_string(index), diagnostics_};
  }
  /// The array of this name; another kind is an error, none is empty.
  Walker Array(const char* key) const {
    if (Has(key) && !json_.at(key).is_array()) {
      At(key).Error("syntax", "expected an array");
    }
    return At(key);
  }
  /// A whole number from 0 up to, not with, `end`.
  int Index(std::size_t end, const char* what) const {
    if (json_.is_number_unsigned()) {
      const std::uint64_t value = json_.get<std::uint64_t>();
      if (value < end) return static_cast<int>(value);
    }
    Error("index", std::string("expected the index of one of ") +
                       std::to_string(end) + " " + what + ", found " + Found());
    return -1;
  }
  std::size_t Size(std::size_t fallback) const {
    if (json_.is_null()) return fallback;
    if (json_.is_number_unsigned() &&
        json_.get<std::uint64_t>() <= std::uint64_t{1} << 40) {
      return json_.get<std::size_t>();
    }
    Error("syntax", "expected a count or an offset, found " + Found());
    return fallback;
  }
  std::string Text() const {
    return json_.is_string() ? json_.get<std::string>() : std::string();
  }
  /// `count` finite numbers, or nothing after an error.
  bool Numbers(std::span<double> out) const {
    bool good = json_.is_array() && json_.size() == out.size();
    for (std::size_t i = 0; good && i < out.size(); ++i) {
      good = json_[i].is_number();
      if (good) out[i] = json_[i].get<double>();
      good = good && std::isfinite(out[i]);
    }
    if (!good) {
      Error("syntax", "expected " + std::to_string(out.size()) +
                          " finite numbers, found " + Found());
    }
    return good;
  }
  void Error(std::string_view kind, const std::string& message) const {
    diagnostics_.Error(kind, {}, path_ + ": " + message);
  }
  std::string Found() const {
    constexpr std::size_t kLongest = 40;
    if (json_.is_structured()) {
      return std::string(json_.is_array() ? "an array" : "an object") + " of " +
             std::to_string(json_.size());
    }
    std::string text =
        json_.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
  }

 private:
  const ordered_json& json_;
  std::string path_;
  Diagnostics& diagnostics_;
};

Walker Root(const ordered_json& json, Diagnostics& diagnostics) {
  return {json, "", diagnostics};
}

void ReadBuffers(const ordered_json& json, const Chunks& chunks,
                 const std::filesystem::path& folder, GltfDocument& document,
                 Diagnostics& diagnostics) {
  const Walker buffers = Root(json, diagnostics).Array("buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Walker buffer = buffers.At(i);
    const std::string uri = buffer.At("uri").Text();
    std::string& bytes = document.buffers.emplace_back();
    constexpr std::string_view kMark = ";base64,";
    if (!buffer.Has("uri")) {
      if (i == 0 && chunks.has_bin) {
        bytes = std::string(chunks.bin);
        document.is_binary = true;
      }
    } else if (uri.starts_with("data:")) {
      const std::size_t mark = uri.find(kMark);
      std::optional<std::string> decoded;
      if (mark != std::string::npos) {
        decoded =
            DecodeBase64(std::string_view(uri).substr(mark + kMark.size()));
      }
      if (!decoded) {
        buffer.At("uri").Error("buffer", "expected a data URI in base64");
        continue;
      }
      bytes = std::move(*decoded);
    } else {
      const std::filesystem::path name(uri);
      // A file may name what lies beside it, nothing else on the machine.
      const bool beside = name.is_relative() && name.filename() == name;
      if (folder.empty() || !beside) {
        buffer.At("uri").Error("buffer",
                               "expected a file beside this one, found \"" +
                                   uri.substr(0, 80) + "\"");
        continue;
      }
      Result<std::string> read = ReadWholeFile(folder / name);
      diagnostics.Append(read.diagnostics());
      if (read.ok()) bytes = std::move(read).value();
    }
    const std::size_t length = buffer.At("byteLength").Size(0);
    if (length > bytes.size()) {
      buffer.At("byteLength")
          .Error("buffer", "the file says " + std::to_string(length) +
                               " bytes, there are " +
                               std::to_string(bytes.size()));
    }
  }
}

/// t, R and s of an affine matrix; a sheared one gets its nearest rotation.
NodeTransform Decompose(const Matrix4& matrix) {
  NodeTransform transform;
  transform.t = matrix.topRightCorner<3, 1>();
  const Matrix3 a = matrix.topLeftCorner<3, 3>();
  const Eigen::JacobiSVD<Matrix3> svd(
      a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 rotation = svd.matrixU() * svd.matrixV().transpose();
  // A mirrored matrix keeps its mirror in the scale.
  if (rotation.determinant() < 0.0) rotation = -rotation;
  transform.r = Quaternion(rotation).normalized();
  transform.s = (rotation.transpose() * a).diagonal();
  return transform;
}

void ReadTransform(const Walker& json, SceneNode& node) {
  if (json.Has("matrix")) {
    std::array<double, 16> m{};
    if (!json.At("matrix").Numbers(m)) return;
    node.local = Decompose(Eigen::Map<const Matrix4>(m.data()));
    node.has_matrix = true;
    return;
  }
  if (json.Has("translation")) {
    json.At("translation").Numbers({node.local.t.data(), 3});
  }
  if (json.Has("scale")) json.At("scale").Numbers({node.local.s.data(), 3});
  if (json.Has("rotation")) {
    std::array<double, 4> xyzw{};
    if (!json.At("rotation").Numbers(xyzw)) return;
    const Quaternion r(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    if (!(r.norm() > 1e-6)) {
      json.At("rotation").Error("not-finite", "a quaternion of length 0");
      return;
    }
    node.local.r = r.normalized();
  }
}

void ReadNodes(GltfDocument& document, Diagnostics& diagnostics) {
  const Walker nodes = Root(document.json, diagnostics).Array("nodes");
  document.nodes.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Walker json = nodes.At(i);
    if (!json.is_object()) {
      json.Error("syntax", "expected an object");
      continue;
    }
    SceneNode& node = document.nodes[i];
    node.name = json.At("name").Text();
    node.is_bare =
        !json.Has("mesh") && !json.Has("camera") && !json.Has("skin");
    ReadTransform(json, node);
    const Walker children = json.Array("children");
    for (std::size_t k = 0; k < children.size(); ++k) {
      const int child = children.At(k).Index(nodes.size(), "nodes");
      if (child < 0) continue;
      SceneNode& below = document.nodes[std::size_t(child)];
      if (below.parent >= 0 || std::size_t(child) == i) {
        children.At(k).Error("cycle", "node " + std::to_string(child) +
                                          " has another parent already");
        continue;
      }
      below.parent = int(i);
      node.children.push_back(child);
    }
  }
  // Parents before children; what a root does not reach goes in a circle.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (document.nodes[i].parent < 0) document.order.push_back(int(i));
  }
  for (std::size_t k = 0; k < document.order.size(); ++k) {
    const SceneNode& node = document.nodes[std::size_t(document.order[k])];
    document.order.insert(document.order.end(), node.children.begin(),
                          node.children.end());
  }
  if (document.order.size() < nodes.size() && !diagnostics.has_errors()) {
    nodes.Error("cycle", "some nodes are their own ancestors");
  }
}

/// Reads accessors as floats, each with a share of a common allowance, so that
/// a small file whose accessors all show the same bytes takes no large memory.
class AccessorReader {
 public:
  AccessorReader(const GltfDocument& document, Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {
    for (const std::string& buffer : document.buffers) {
      allowance_ += buffer.size();
    }
  }

  /// The accessor's numbers, `components` per element; nothing after an error.
  std::optional<std::vector<float>> Read(const Walker& index_json,
                                         std::size_t components) {
    const Walker root = Root(document_.json, diagnostics_);
    const Walker accessors = root.Array("accessors");
    const int index = index_json.Index(accessors.size(), "accessors");
    if (index < 0) return std::nullopt;
    const Walker accessor = accessors.At(std::size_t(index));
    constexpr std::array<std::pair<const char*, std::size_t>, 5> kTypes = {
        {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}};
    std::size_t stored = 0;
    for (const auto& [name, size] : kTypes) {
      if (accessor.At("type").Text() == name) stored = size;
    }
    if (components != stored) {
      accessor.At("type").Error(
          "accessor", "expected elements of " + std::to_string(components) +
                          ", found " + accessor.At("type").Found());
      return std::nullopt;
    }
    if (accessor.Has("sparse") || !accessor.Has("bufferView")) {
      accessor.Error("accessor", "expected a buffer view, and nothing sparse");
      return std::nullopt;
    }
    return Decode(accessor, components);
  }

 private:
  static std::size_t SizeOf(std::size_t type) {
    switch (type) {
      case 5120:
      case 5121:
        return 1;
      case 5122:
      case 5123:
        return 2;
      case 5126:
        return 4;
      default:
        return 0;
    }
  }

  static float Number(const char* at, std::size_t type) {
    const auto byte = [at](int i) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i]));
    };
    switch (type) {
      case 5120:
        return std::max(float(static_cast<signed char>(at[0])) / 127.0f, -1.0f);
      case 5121:
        return float(byte(0)) / 255.0f;
      case 5122:
        return std::max(
            float(static_cast<std::int16_t>(byte(0) | byte(1) << 8)) / 32767.0f,
            -1.0f);
      case 5123:
        return float(byte(0) | byte(1) << 8) / 65535.0f;
      default:
        return std::bit_cast<float>(byte(0) | byte(1) << 8 | byte(2) << 16 |
                                    byte(3) << 24);
    }
  }

  std::optional<std::vector<float>> Decode(const Walker& accessor,
                                           std::size_t components) {
    const Walker views =
        Root(document_.json, diagnostics_).Array("bufferViews");
    const int view_index =
        accessor.At("bufferView").Index(views.size(), "buffer views");
    if (view_index < 0) return std::nullopt;
    const Walker view = views.At(std::size_t(view_index));
    const int buffer_index =
        view.At("buffer").Index(document_.buffers.size(), "buffers");
    if (buffer_index < 0) return std::nullopt;
    const std::string& buffer = document_.buffers[std::size_t(buffer_index)];
    const std::size_t type = accessor.At("componentType").Size(0);
    const std::size_t width = SizeOf(type);
    if (width == 0 || (width < 4 && components == 16)) {
      accessor.At("componentType")
          .Error("accessor",
                 "expected floats (5126) or normalised integers, "
                 "found " +
                     accessor.At("componentType").Found());
      return std::nullopt;
    }
    const std::size_t count = accessor.At("count").Size(0);
    const std::size_t packed = width * components;
    const std::size_t stride = view.At("byteStride").Size(packed);
    const std::size_t view_begin = view.At("byteOffset").Size(0);
    const std::size_t view_size = view.At("byteLength").Size(0);
    const std::size_t begin = accessor.At("byteOffset").Size(0);
    const bool view_fits =
        view_begin <= buffer.size() && view_size <= buffer.size() - view_begin;
    const bool fits =
        view_fits && stride >= packed && stride <= 252 && begin <= view_size &&
        (count == 0 || (packed <= view_size - begin &&
                        (count - 1) <= (view_size - begin - packed) / stride));
    if (!fits) {
      accessor.Error("accessor", std::to_string(count) +
                                     " elements do not fit into buffer "
                                     "view " +
                                     std::to_string(view_index));
      return std::nullopt;
    }
    if (count * components > allowance_) {
      accessor.Error("accessor",
                     "the accessors together hold more than the file");
      return std::nullopt;
    }
    allowance_ -= count * components;
    std::vector<float> numbers(count * components);
    const char* base = buffer.data() + view_begin + begin;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < components; ++k) {
        const float number = Number(base + i * stride + k * width, type);
        if (!std::isfinite(number)) {
          accessor.Error("not-finite",
                         "element " + std::to_string(i) + " is not finite");
          return std::nullopt;
        }
        numbers[i * components + k] = number;
      }
    }
    return numbers;
  }

  const GltfDocument& document_;
  Diagnostics& diagnostics_;
  std::size_t allowance_ = 0;  // Numbers that may still be read.
};

void ReadSkins(GltfDocument& document, Diagnostics& diagnostics) {
  const Walker root = Root(document.json, diagnostics);
  const Walker skins = root.Array("skins");
  const std::size_t num_nodes = document.nodes.size();
  AccessorReader accessors(document, diagnostics);
  for (std::size_t i = 0; i < skins.size(); ++i) {
    const Walker json = skins.At(i);
    SceneSkin& skin = document.skins.emplace_back();
    const Walker joints = json.Array("joints");
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const int node = joints.At(k).Index(num_nodes, "nodes");
      if (node >= 0) skin.joints.push_back(node);
    }
    if (!json.Has("inverseBindMatrices")) continue;
    const std::optional<std::vector<float>> numbers =
        accessors.Read(json.At("inverseBindMatrices"), 16);
    if (!numbers) continue;
    if (numbers->size() < 16 * skin.joints.size()) {
      json.At("inverseBindMatrices")
          .Error("accessor", "expected " + std::to_string(skin.joints.size()) +
                                 " matrices, found " +
                                 std::to_string(numbers->size() / 16));
      continue;
    }
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
      skin.inverse_bind.push_back(
          Eigen::Map<const Eigen::Matrix4f>(numbers->data() + 16 * k)
              .cast<double>());
    }
  }
  const Walker nodes = root.Array("nodes");
  for (std::size_t i = 0; i < num_nodes; ++i) {
    if (!nodes.At(i).Has("skin")) continue;
    const int skin = nodes.At(i).At("skin").Index(skins.size(), "skins");
    if (skin < 0) continue;
    int& wearer = document.skins[std::size_t(skin)].mesh_node;
    if (wearer < 0) wearer = int(i);
  }
}

void CheckExtensions(const Walker& root) {
  const Walker required = root.Array("extensionsRequired");
  for (std::size_t i = 0; i < required.size(); ++i) {
    const std::string name = required.At(i).Text();
    // Those that change how buffers are stored would be misread; the others
    // concern what is drawn.
    if (name == "EXT_meshopt_compression") {
      required.At(i).Error("extension", "Limber does not read " + name);
    }
  }
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  const auto value = [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
  };
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int six = value(c);
    if (six < 0) return std::nullopt;
    bits = bits << 6 | std::uint32_t(six);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 0xFF);
    }
  }
  return bytes;
}

std::string EncodeBase64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 |
             (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k])
                                   : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text +=
          i + k > bytes.size() ? '=' : kLetters[bits >> (18 - 6 * k) & 0x3F];
    }
  }
  return text;
}

Result<GltfDocument> ParseGltf(std::string_view bytes, const std::string& file,
                               bool strict,
                               const std::filesystem::path& folder) {
  Diagnostics diagnostics(file, strict);
  GltfDocument document;
  Chunks chunks;
  if (bytes.size() >= 4 && Word(bytes, 0) == kMagic) {
    const std::optional<Chunks> split = SplitChunks(bytes, diagnostics);
    if (!split) return Result<GltfDocument>(std::move(diagnostics));
    chunks = *split;
  } else {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    chunks.json = bytes;
  }
  std::optional<ordered_json> json =
      ParseText(chunks.json, chunks.json_at, diagnostics);
  if (!json) return Result<GltfDocument>(std::move(diagnostics));
  document.json = std::move(*json);
  const Walker root = Root(document.json, diagnostics);
  const std::string version = root.At("asset").At("version").Text();
  if (!version.starts_with("2.")) {
    root.At("asset").At("version").Error(
        "syntax",
        "expected glTF version 2, found \"" + version.substr(0, 20) + "\"");
    return Result<GltfDocument>(std::move(diagnostics));
  }
  CheckExtensions(root);
  ReadBuffers(document.json, chunks, folder, document, diagnostics);
  ReadNodes(document, diagnostics);
  if (!diagnostics.has_errors()) ReadSkins(document, diagnostics);
  const Walker animations = root.Array("animations");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    document.animations.push_back(animations.At(i).At("name").Text());
  }
  return {std::move(document), std::move(diagnostics)};
}

namespace {

struct PathRow {
  const char* name;
  ChannelPath path;
  std::size_t components;
};

constexpr std::array kPaths = {
    PathRow{"translation", ChannelPath::kTranslation, 3},
    PathRow{"rotation", ChannelPath::kRotation, 4},
    PathRow{"scale", ChannelPath::kScale, 3},
};

/// Whether a channel of scales changes its node, by more than rounding.
bool Changes(const std::vector<float>& values) {
  constexpr float kRounding = 1e-4f;
  for (std::size_t i = 3; i < values.size(); ++i) {
    if (std::abs(values[i] - values[i % 3]) > kRounding) return true;
  }
  return false;
}

KeyInterpolation InterpolationOf(const Walker& sampler) {
  const Walker json = sampler.At("interpolation");
  const std::string word = json.Text();
  if (word == "STEP") return KeyInterpolation::kStep;
  if (word == "CUBICSPLINE") return KeyInterpolation::kCubicSpline;
  if (sampler.Has("interpolation") && word != "LINEAR") {
    json.Error("syntax",
               "expected STEP, LINEAR or CUBICSPLINE, found " + json.Found());
  }
  return KeyInterpolation::kLinear;
}

/// Times and values of one channel, checked against each other.
bool ReadKeys(const Walker& sampler, std::size_t components,
              AccessorReader& accessors, SceneChannel& channel) {
  channel.interpolation = InterpolationOf(sampler);
  std::optional<std::vector<float>> times =
      accessors.Read(sampler.At("input"), 1);
  std::optional<std::vector<float>> values =
      accessors.Read(sampler.At("output"), components);
  if (!times || !values) return false;
  const std::size_t per_key =
      channel.interpolation == KeyInterpolation::kCubicSpline ? 3 * components
                                                              : components;
  if (times->empty() || values->size() != per_key * times->size()) {
    sampler.Error("accessor",
                  "expected one value a key, found " +
                      std::to_string(times->size()) + " times and " +
                      std::to_string(values->size() / components) + " values");
    return false;
  }
  for (std::size_t i = 1; i < times->size(); ++i) {
    if (!((*times)[i] > (*times)[i - 1])) {
      sampler.At("input").Error("accessor",
                                "expected rising times, found one "
                                "that does not rise at key " +
                                    std::to_string(i));
      return false;
    }
  }
  channel.times = std::move(*times);
  channel.values = std::move(*values);
  return true;
}

}  // namespace

std::vector<SceneChannel> ReadChannels(const GltfDocument& document, int index,
                                       Diagnostics& diagnostics) {
  const Walker animation = Root(document.json, diagnostics)
                               .Array("animations")
                               .At(std::size_t(index));
  const Walker samplers = animation.Array("samplers");
  const Walker channels = animation.Array("channels");
  AccessorReader accessors(document, diagnostics);
  std::vector<SceneChannel> read;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Walker json = channels.At(i);
    const Walker target = json.At("target");
    // A channel without a node belongs to an extension.
    if (!target.Has("node")) continue;
    const std::string path = target.At("path").Text();
    if (path == "weights") {
      diagnostics.Warning(
          "morph-dropped", {},
          target.path() + ": weights of morph targets are left out");
      continue;
    }
    const auto row = std::ranges::find(kPaths, path, &PathRow::name);
    if (row == kPaths.end()) {
      target.At("path").Error(
          "syntax", "expected translation, rotation, scale or weights, found " +
                        target.At("path").Found());
      continue;
    }
    SceneChannel channel;
    channel.path = row->path;
    channel.node = target.At("node").Index(document.nodes.size(), "nodes");
    const int sampler = json.At("sampler").Index(samplers.size(), "samplers");
    if (channel.node < 0 || sampler < 0) continue;
    if (!ReadKeys(samplers.At(std::size_t(sampler)), row->components, accessors,
                  channel)) {
      continue;
    }
    if (channel.path == ChannelPath::kScale && Changes(channel.values)) {
      diagnostics.Warning("scale-dropped", {},
                          target.path() +
                              ": a scale that changes moves the joints below, "
                              "but is not kept itself");
    }
    read.push_back(std::move(channel));
  }
  return read;
}

}  // namespace limber::mocap::internal
