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
#include "mocap/io/internal/base64.h"
#include "mocap/io/internal/gltf_accessor.h"
#include "mocap/io/internal/json_walker.h"

namespace limber::mocap::internal {

namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeader = 12;
constexpr std::size_t kChunkHeader = 8;
// Nobody nests deeper, and code that walks JSON recursively stays safe.
constexpr std::size_t kDeepest = 64;
// Objects of characters have a dozen names, one of somebody's own hundreds.
constexpr int kMostNames = 1000;
// What a value of the JSON takes at most, in a list that grows [bytes], and
// what all of them may take: per byte of the file, and at least [bytes].
constexpr std::size_t kBytesOfValue = 80;
constexpr std::size_t kJsonBytesPerByte = 12;
constexpr std::size_t kJsonBytesAtLeast = std::size_t{16} << 20;
// Skins count joints with 16 bits.
constexpr std::size_t kMostNodes = 65535;

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

/// Goes through JSON before it is kept, so that a file takes neither much more
/// memory than it has bytes nor more time: whoever looks for a name in an
/// object compares it with all others. (The parser's own callback looks through
/// a whole list for every object in it.)
class JsonWatch : public ordered_json::json_sax_t {
 public:
  /// @param num_bytes  of the whole file.
  explicit JsonWatch(std::size_t num_bytes)
      : most_values_((kJsonBytesPerByte * num_bytes + kJsonBytesAtLeast) /
                     kBytesOfValue) {}

  /// What is wrong or too much; empty where nothing is.
  const std::string& problem() const { return problem_; }
  /// Where the text goes wrong, from its beginning [bytes]; else 0.
  std::size_t byte() const { return byte_; }

  bool null() override { return Value(); }
  bool boolean(bool) override { return Value(); }
  bool number_integer(number_integer_t) override { return Value(); }
  bool number_unsigned(number_unsigned_t) override { return Value(); }
  bool number_float(number_float_t, const string_t&) override {
    return Value();
  }
  bool string(string_t&) override { return Value(); }
  bool binary(binary_t&) override { return Value(); }
  bool start_object(std::size_t) override { return Open(); }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(); }
  bool end_array() override { return Close(); }
  bool key(string_t&) override {
    return ++names_.back() <= kMostNames ||
           Refuse("an object of the JSON has more than " +
                  std::to_string(kMostNames) + " names");
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    byte_ = position;
    return Refuse("the JSON ends or goes wrong here");
  }

 private:
  bool Refuse(std::string_view problem) {
    problem_ = problem;
    return false;
  }
  bool Value() {
    return ++num_values_ <= most_values_ ||
           Refuse("the JSON has more than " + std::to_string(most_values_) +
                  " values, too many for a file of this size");
  }
  bool Open() {
    names_.push_back(0);
    if (names_.size() > kDeepest) {
      return Refuse("the JSON nests deeper than " + std::to_string(kDeepest) +
                    " levels");
    }
    return Value();
  }
  bool Close() {
    names_.pop_back();
    return true;
  }

  std::size_t most_values_;
  std::size_t num_values_ = 0;
  std::vector<int> names_;  // Of the objects and arrays that are open.
  std::string problem_;
  std::size_t byte_ = 0;
};

/// @param num_bytes  of the whole file, beyond its JSON.
std::optional<ordered_json> ParseText(std::string_view text, std::size_t at,
                                      std::size_t num_bytes,
                                      Diagnostics& diagnostics) {
  const auto fail = [&](std::size_t byte, const std::string& message) {
    diagnostics.Error("syntax", Place::AtByte(std::int64_t(at + byte)),
                      message);
    return std::nullopt;
  };
  JsonWatch watch(num_bytes);
  if (!ordered_json::sax_parse(text, &watch)) {
    return fail(watch.byte(), watch.problem());
  }
  ordered_json json =
      ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(0, "expected a JSON object");
  return json;
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
  if (nodes.size() > kMostNodes) {
    nodes.Error("too-large", "expected at most " + std::to_string(kMostNodes) +
                                 " nodes, found " +
                                 std::to_string(nodes.size()));
    return;
  }
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
      ParseText(chunks.json, chunks.json_at, bytes.size(), diagnostics);
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

}  // namespace limber::mocap::internal
