// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/angle.h"
#include "core/file.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_parser.h"

namespace limber::mocap {

namespace {

using figure::Channel;
using figure::ChannelKind;
using internal::EqualIgnoringCase;
using internal::Found;
using internal::Quoted;
using internal::Token;

constexpr double kInch = 0.0254;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Directions have six digits; one that is longer or shorter by more than this
// was not meant to be of unit length.
constexpr double kUnitTolerance = 1e-3;

// Three angles, in the file's unit, and the axes they turn about in turn.
struct AxisTurns {
  Vector3 angles = Vector3::Zero();
  std::array<int, 3> axes = {0, 1, 2};
};

// A bone as it stands in the file.
struct Bone {
  std::string name;
  Place place;
  Vector3 direction = Vector3::Zero();
  double length = 0.0;
  AxisTurns axis;
  int num_dofs = 0;
  std::array<int, 3> dof_axes = {};
  std::array<AsfLimit, 3> limits = {};  // In the file's unit.
  bool has_direction = false;
  bool has_length = false;
  bool has_axis = false;
  // The tree, as indices of bones; -1 = none, -2 = not placed yet.
  int parent = -2;
  int first_child = -1;
  int last_child = -1;
  int next_sibling = -1;
};

// Reads one file.
class AsfParser : private internal::TokenParser {
 public:
  AsfParser(std::string_view text, const AsfReadOptions& options)
      // "( ) ," count as blanks in this format.
      : TokenParser(text, {.blanks = "(),", .comment = '#'}, options.file,
                    options.strict) {
    asf_.file = options.file;
    asf_.metres_per_unit = kInch;
    bones_.emplace_back();
    bones_[0].name = "root";
    bones_[0].parent = -1;
  }

  Result<AsfSkeleton> Parse() && {
    if (ParseSections() && CheckTree()) Assemble();
    return Result<AsfSkeleton>(std::move(asf_), std::move(diagnostics_));
  }

 private:
  // Whether a section, or the file, ends here.
  bool AtSectionEnd() {
    const Token token = tokens_.Peek();
    return token.at_end() || (token.starts_line && token.text[0] == ':');
  }

  void SkipSection() {
    while (!AtSectionEnd()) tokens_.Next();
  }

  bool ParseSections() {
    while (true) {
      const Token section = tokens_.Next();
      if (section.at_end()) break;
      const auto is = [&section](std::string_view name) {
        return EqualIgnoringCase(section.text, name);
      };
      if (is(":version") || is(":documentation")) {
        SkipSection();
      } else if (is(":name")) {
        asf_.name = Utf8Name(tokens_.RestOfLine('#'), section);
      } else if (is(":units")) {
        if (!ParseUnits()) return false;
      } else if (is(":root")) {
        if (!ParseRoot()) return false;
      } else if (is(":bonedata")) {
        if (!ParseBones()) return false;
      } else if (is(":hierarchy")) {
        if (!ParseHierarchy()) return false;
      } else if (section.starts_line && section.text[0] == ':') {
        diagnostics_.Warning(
            "unknown-keyword", section.place(),
            "section " + Found(section) + " is not known; ignoring it");
        SkipSection();
      } else {
        return FailExpected("a section such as \":root\"", section);
      }
    }
    const Token end = tokens_.Peek();
    if (!has_root_) return FailExpected("section \":root\"", end);
    if (!has_hierarchy_) return FailExpected("section \":hierarchy\"", end);
    if (!has_units_) {
      diagnostics_.Warning("no-units", end.place(),
                           "no section \":units\"; taking inches and degrees");
    }
    return true;
  }

  bool ParseNumber(std::string_view what, double& number) {
    const Token token = tokens_.Next();
    const std::optional<double> value = internal::ParseValue(token.text);
    if (!value) {
      return Fail(
          "bad-number", token.place(),
          std::string(what) + ": expected a number, found " + Found(token));
    }
    number = *value;
    return true;
  }

  bool ParseVector(std::string_view what, Vector3& vector) {
    for (int i = 0; i < 3; ++i) {
      if (!ParseNumber(what, vector[i])) return false;
    }
    return true;
  }

  bool ParseUnits() {
    has_units_ = true;
    while (!AtSectionEnd()) {
      const Token unit = tokens_.Next();
      if (EqualIgnoringCase(unit.text, "mass")) {
        if (!ParseNumber("mass", asf_.mass_unit)) return false;
      } else if (EqualIgnoringCase(unit.text, "length")) {
        double length = 0.0;
        const Token number = tokens_.Peek();
        if (!ParseNumber("length", length)) return false;
        // Zero, or so small that the unit is no length any more.
        if (!(length > 1e-9)) {
          return FailExpected("a positive unit of length", number);
        }
        asf_.metres_per_unit = kInch / length;
      } else if (EqualIgnoringCase(unit.text, "angle")) {
        const Token angle = tokens_.Next();
        if (EqualIgnoringCase(angle.text, "deg")) {
          asf_.radians_per_unit = kRadiansPerDegree;
        } else if (EqualIgnoringCase(angle.text, "rad")) {
          asf_.radians_per_unit = 1.0;
        } else {
          return FailExpected("\"deg\" or \"rad\"", angle);
        }
      } else {
        return FailExpected("\"mass\", \"length\" or \"angle\"", unit);
      }
    }
    return true;
  }

  bool ParseRoot() {
    has_root_ = true;
    while (!AtSectionEnd()) {
      const Token word = tokens_.Next();
      if (EqualIgnoringCase(word.text, "order")) {
        if (!ParseRootOrder()) return false;
      } else if (EqualIgnoringCase(word.text, "axis")) {
        if (!ParseAxes(bones_[0].axis)) return false;
      } else if (EqualIgnoringCase(word.text, "position")) {
        if (!ParseVector("position", asf_.root_position)) return false;
      } else if (EqualIgnoringCase(word.text, "orientation")) {
        if (!ParseVector("orientation", bones_[0].axis.angles)) return false;
      } else {
        return FailExpected(
            "\"order\", \"axis\", \"position\" or \"orientation\"", word);
      }
    }
    if (root_channels_.empty()) {
      return FailExpected("\"order\" with the channels of the root",
                          tokens_.Peek());
    }
    return true;
  }

  bool ParseRootOrder() {
    root_channels_.clear();
    Channel channel;
    while (ParseDof(tokens_.Peek().text, channel)) {
      const Token word = tokens_.Next();
      if (std::find(root_channels_.begin(), root_channels_.end(), channel) !=
          root_channels_.end()) {
        return Fail("repeated-channel", word.place(),
                    "channel " + Found(word) + " repeats");
      }
      root_channels_.push_back(channel);
    }
    return true;
  }

  // "tx" ... "rz" as kind and axis.
  static bool ParseDof(std::string_view word, Channel& channel) {
    if (word.size() != 2) return false;
    const bool moves = word[0] == 't' || word[0] == 'T';
    const bool turns = word[0] == 'r' || word[0] == 'R';
    const int axis = AxisOf(word[1]);
    if (axis < 0 || !(moves || turns)) return false;
    channel.kind = moves ? ChannelKind::kTranslation : ChannelKind::kRotation;
    channel.axis = static_cast<std::uint8_t>(axis);
    return true;
  }

  static int AxisOf(char letter) {
    switch (letter) {
      case 'x':
      case 'X':
        return 0;
      case 'y':
      case 'Y':
        return 1;
      case 'z':
      case 'Z':
        return 2;
      default:
        return -1;
    }
  }

  // A word such as "XYZ".
  bool ParseAxes(AxisTurns& turns) {
    const Token word = tokens_.Next();
    unsigned seen = 0;
    if (word.text.size() == 3) {
      for (std::size_t i = 0; i < 3; ++i) {
        const int axis = AxisOf(word.text[i]);
        if (axis < 0) break;
        turns.axes[i] = axis;
        seen |= 1u << axis;
      }
    }
    return seen == 7u || FailExpected("an order of axes such as XYZ", word);
  }

  bool ParseBones() {
    while (!AtSectionEnd()) {
      const Token begin = tokens_.Next();
      if (!EqualIgnoringCase(begin.text, "begin")) {
        return FailExpected("\"begin\" of a bone", begin);
      }
      Bone bone;
      bone.place = begin.place();
      if (!ParseBone(bone) || !CheckBone(bone)) return false;
      const int index = static_cast<int>(bones_.size());
      if (!index_of_.emplace(bone.name, index).second || bone.name == "root") {
        return Fail("duplicate-name", bone.place,
                    "more than one bone is called " + Quoted(bone.name));
      }
      bones_.push_back(std::move(bone));
    }
    return true;
  }

  bool ParseBone(Bone& bone) {
    while (true) {
      const Token word = tokens_.Next();
      const auto is = [&word](std::string_view name) {
        return EqualIgnoringCase(word.text, name);
      };
      double ignored = 0.0;
      if (is("end")) {
        return true;
      } else if (is("id") || is("bodymass") || is("cofmass")) {
        if (!ParseNumber(word.text, ignored)) return false;
      } else if (is("name")) {
        const Token name = tokens_.Next();
        if (name.at_end()) return FailExpected("the name of a bone", name);
        bone.name = Utf8Name(name.text, name);
      } else if (is("direction")) {
        bone.has_direction = true;
        if (!ParseVector("direction", bone.direction)) return false;
      } else if (is("length")) {
        bone.has_length = true;
        if (!ParseNumber("length", bone.length)) return false;
      } else if (is("axis")) {
        bone.has_axis = true;
        if (!ParseVector("axis", bone.axis.angles)) return false;
        if (!ParseAxes(bone.axis)) return false;
      } else if (is("dof")) {
        if (!ParseDofs(bone)) return false;
      } else if (is("limits")) {
        if (!ParseLimits(word, bone)) return false;
      } else if (word.at_end() || word.text[0] == ':') {
        return FailExpected("\"end\" of the bone", word);
      } else {
        diagnostics_.Warning(
            "unknown-keyword", word.place(),
            "bone keyword " + Found(word) + " is not known; ignoring its line");
        tokens_.RestOfLine();
      }
    }
  }

  // Bones only turn; the words for shifts and stretching are refused.
  bool ParseDofs(Bone& bone) {
    while (true) {
      const Token word = tokens_.Peek();
      Channel channel;
      const bool stretches = EqualIgnoringCase(word.text, "l");
      if (!stretches && !ParseDof(word.text, channel)) break;
      if (stretches || channel.kind == ChannelKind::kTranslation) {
        return FailExpected("dof rx, ry or rz (a bone only turns)", word);
      }
      const auto end = bone.dof_axes.begin() + bone.num_dofs;
      if (std::find(bone.dof_axes.begin(), end, channel.axis) != end) {
        return Fail("repeated-channel", word.place(),
                    "dof " + Found(word) + " repeats");
      }
      bone.dof_axes[static_cast<std::size_t>(bone.num_dofs)] = channel.axis;
      bone.limits[static_cast<std::size_t>(bone.num_dofs)] = {-kInfinity,
                                                              kInfinity};
      ++bone.num_dofs;
      tokens_.Next();
    }
    return bone.num_dofs > 0 ||
           FailExpected("dof rx, ry or rz", tokens_.Peek());
  }

  // Pairs of numbers, one pair per dof; "inf" and "-inf" are allowed.
  bool ParseLimits(const Token& keyword, Bone& bone) {
    std::array<double, 6> numbers = {};
    std::size_t count = 0;
    while (const std::optional<double> number =
               ParseLimit(tokens_.Peek().text)) {
      if (count < numbers.size()) numbers[count] = *number;
      ++count;
      tokens_.Next();
    }
    bool fits = count == 2 * static_cast<std::size_t>(bone.num_dofs);
    for (std::size_t i = 0; fits && i < count; i += 2) {
      fits = numbers[i] <= numbers[i + 1];
    }
    if (!fits) {
      diagnostics_.Warning("limits", keyword.place(),
                           "limits of bone " + Quoted(bone.name) +
                               " are not a rising pair for each of its " +
                               std::to_string(bone.num_dofs) +
                               " dof; ignoring them");
      return true;
    }
    for (std::size_t i = 0; i < count; i += 2) {
      bone.limits[i / 2] = {numbers[i], numbers[i + 1]};
    }
    return true;
  }

  static std::optional<double> ParseLimit(std::string_view word) {
    if (EqualIgnoringCase(word, "inf")) return kInfinity;
    if (EqualIgnoringCase(word, "-inf")) return -kInfinity;
    return internal::ParseValue(word);
  }

  bool CheckBone(Bone& bone) {
    const char* missing = bone.name.empty()     ? "name"
                          : !bone.has_direction ? "direction"
                          : !bone.has_length    ? "length"
                          : !bone.has_axis      ? "axis"
                                                : nullptr;
    if (missing != nullptr) {
      return Fail("missing-keyword", bone.place,
                  "bone " + Quoted(bone.name) + " has no " + missing);
    }
    const double norm = bone.direction.norm();
    if (bone.length == 0.0 || std::abs(norm - 1.0) <= kUnitTolerance) {
      return true;
    }
    if (!(norm > kUnitTolerance)) {
      return Fail("direction-length", bone.place,
                  "direction of bone " + Quoted(bone.name) + " is zero");
    }
    diagnostics_.Warning("direction-length", bone.place,
                         "direction of bone " + Quoted(bone.name) +
                             " is not of length 1; scaling it");
    bone.direction /= norm;
    return true;
  }

  // Lines "parent child child ..." between begin and end.
  bool ParseHierarchy() {
    has_hierarchy_ = true;
    const Token begin = tokens_.Next();
    if (!EqualIgnoringCase(begin.text, "begin")) {
      return FailExpected("\"begin\" of the hierarchy", begin);
    }
    int parent = -1;
    while (true) {
      const Token word = tokens_.Next();
      if (word.starts_line && EqualIgnoringCase(word.text, "end")) return true;
      int bone = -1;
      if (word.text == "root") {
        bone = 0;
      } else {
        bool ignored = false;
        const auto found = index_of_.find(internal::ToUtf8(word.text, ignored));
        if (found != index_of_.end()) bone = found->second;
      }
      if (bone < 0) {
        return FailExpected("the name of a bone or \"end\"", word);
      }
      if (word.starts_line) {
        parent = bone;
      } else if (parent < 0) {
        return FailExpected("a parent bone at the start of a line", word);
      } else if (!AddChild(parent, bone, word)) {
        return false;
      }
    }
  }

  bool AddChild(int parent_index, int child_index, const Token& word) {
    Bone& parent = bones_[static_cast<std::size_t>(parent_index)];
    Bone& child = bones_[static_cast<std::size_t>(child_index)];
    if (child.parent != -2) {
      return Fail("two-parents", word.place(),
                  "bone " + Found(word) + " already has a parent");
    }
    child.parent = parent_index;
    if (parent.last_child < 0) {
      parent.first_child = child_index;
    } else {
      bones_[static_cast<std::size_t>(parent.last_child)].next_sibling =
          child_index;
    }
    parent.last_child = child_index;
    return true;
  }

  // Walks the tree from the root, first child first, and checks that it meets
  // every bone: one that it does not meet has no parent or hangs in a circle.
  bool CheckTree() {
    std::vector<bool> met(bones_.size(), false);
    int bone = 0;
    while (bone >= 0) {
      order_.push_back(bone);
      met[static_cast<std::size_t>(bone)] = true;
      int following = bones_[static_cast<std::size_t>(bone)].first_child;
      while (following < 0 && bone >= 0) {
        following = bones_[static_cast<std::size_t>(bone)].next_sibling;
        bone = bones_[static_cast<std::size_t>(bone)].parent;
      }
      bone = following;
    }
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      if (!met[i]) {
        return Fail("not-in-hierarchy", bones_[i].place,
                    "bone " + Quoted(bones_[i].name) +
                        " does not hang on the root in \":hierarchy\"");
      }
    }
    return true;
  }

  // A = R3 R2 R1: the first angle turns first, about fixed axes.
  Quaternion Turned(const AxisTurns& turns) const {
    Quaternion A = Quaternion::Identity();
    for (std::size_t i = 0; i < 3; ++i) {
      const int axis = turns.axes[i];
      const double angle = turns.angles[axis] * asf_.radians_per_unit;
      A = ExpRotation(angle * Vector3::Unit(axis)) * A;
    }
    return A;
  }

  void Assemble() {
    const double scale = asf_.metres_per_unit;
    asf_.root_position *= scale;
    std::vector<int> joint_of(bones_.size(), 0);
    std::vector<figure::Joint> joints;
    std::vector<figure::Site> sites;
    std::vector<Channel> channels;
    std::vector<Quaternion> R_FA;
    for (const int bone_index : order_) {
      const Bone& bone = bones_[static_cast<std::size_t>(bone_index)];
      const int joint = static_cast<int>(joints.size());
      joint_of[static_cast<std::size_t>(bone_index)] = joint;
      // The bone starts where its parent ends. The root has no length.
      Vector3 offset = asf_.root_position;
      int parent = -1;
      if (bone.parent >= 0) {
        const Bone& above = bones_[static_cast<std::size_t>(bone.parent)];
        offset = scale * above.length * above.direction;
        parent = joint_of[static_cast<std::size_t>(bone.parent)];
      }
      joints.push_back({bone.name, parent, offset});
      if (bone.first_child < 0 && bone_index != 0) {
        sites.push_back({"", joint, scale * bone.length * bone.direction});
      }
      R_FA.push_back(Turned(bone.axis));
      if (bone_index == 0) {
        for (const Channel& channel : root_channels_) {
          channels.push_back({joint, channel.kind, channel.axis});
          asf_.limits.push_back({-kInfinity, kInfinity});
        }
      }
      for (std::size_t i = 0; i < static_cast<std::size_t>(bone.num_dofs);
           ++i) {
        channels.push_back({joint, ChannelKind::kRotation,
                            static_cast<std::uint8_t>(bone.dof_axes[i])});
        asf_.limits.push_back({bone.limits[i].low * asf_.radians_per_unit,
                               bone.limits[i].high * asf_.radians_per_unit});
      }
    }
    asf_.channels = std::make_shared<const figure::ChannelLayout>(
        static_cast<int>(joints.size()), std::move(channels),
        figure::RotationOrder::kFirstIsInnermost, Quaternion::Identity(),
        std::move(R_FA));
    asf_.skeleton = figure::Skeleton::Make(std::move(joints), std::move(sites));
  }

  AsfSkeleton asf_;
  std::vector<Bone> bones_;  // The root first.
  std::unordered_map<std::string, int> index_of_;
  std::vector<Channel> root_channels_;
  std::vector<int> order_;  // Bones, parents before children.
  bool has_units_ = false;
  bool has_root_ = false;
  bool has_hierarchy_ = false;
};

}  // namespace

Result<AsfSkeleton> ReadAsf(std::string_view text,
                            const AsfReadOptions& options) {
  return AsfParser(text, options).Parse();
}

Result<AsfSkeleton> ReadAsfFile(const std::filesystem::path& path,
                                const AsfReadOptions& options) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<AsfSkeleton>(text.diagnostics());
  AsfReadOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  return ReadAsf(*text, named);
}

}  // namespace limber::mocap
