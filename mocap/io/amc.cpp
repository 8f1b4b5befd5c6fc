// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/angle.h"
#include "core/file.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/internal/channel_rows.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_parser.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap {

namespace {

using figure::Channel;
using figure::ChannelKind;
using figure::ChannelLayout;
using figure::ChannelRun;
using internal::EqualIgnoringCase;
using internal::Found;
using internal::Quoted;
using internal::Token;

constexpr int kDecimals = 9;
// Offsets that differ by less are the same [m].
constexpr double kSameOffset = 1e-6;

// Reads one file.
class AmcParser : private internal::TokenParser {
 public:
  AmcParser(std::string_view text, const AsfSkeleton& asf,
            const AmcReadOptions& options)
      : TokenParser(text, {.comment = '#'}, options.file, options.strict),
        asf_(asf),
        rate_hz_(options.rate_hz),
        asf_runs_(asf.channels->runs()),
        row_begin_(asf_runs_.size(), 0),
        last_frame_(asf_runs_.size(), -1) {
    const std::vector<figure::Joint>& joints = asf.skeleton->joints();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      joint_of_.emplace(joints[i].name, i);
    }
  }

  Result<figure::Motion> Parse() && {
    if (!ParseHeader() || !ParseFrames()) {
      return Result<figure::Motion>(std::move(diagnostics_));
    }
    figure::MotionSource source;
    source.file = diagnostics_.file();
    source.format = "AMC";
    source.metres_per_unit = asf_.metres_per_unit;
    source.radians_per_unit = radians_per_unit_;
    source.channels = std::make_shared<const ChannelLayout>(
        asf_.channels->num_joints(), std::move(channels_),
        asf_.channels->order(), asf_.channels->R_WF(), asf_.channels->R_FA());
    figure::Motion motion(asf_.skeleton, rate_hz_, std::move(source),
                          std::move(values_));
    return Result<figure::Motion>(std::move(motion), std::move(diagnostics_));
  }

 private:
  // The lines that start with a colon.
  bool ParseHeader() {
    bool has_unit = false;
    radians_per_unit_ = asf_.radians_per_unit;
    while (true) {
      const Token word = tokens_.Peek();
      if (word.at_end() || word.text[0] != ':') break;
      tokens_.Next();
      if (EqualIgnoringCase(word.text, ":DEGREES")) {
        radians_per_unit_ = kRadiansPerDegree;
        has_unit = true;
      } else if (EqualIgnoringCase(word.text, ":RADIANS")) {
        radians_per_unit_ = 1.0;
        has_unit = true;
      } else if (!EqualIgnoringCase(word.text, ":FULLY-SPECIFIED")) {
        diagnostics_.Warning(
            "unknown-keyword", word.place(),
            "keyword " + Found(word) + " is not known; ignoring its line");
        tokens_.RestOfLine();
      }
    }
    if (!has_unit) {
      diagnostics_.Warning("no-angle-unit", tokens_.Peek().place(),
                           "neither \":DEGREES\" nor \":RADIANS\"; taking the "
                           "unit of the ASF file");
    }
    return true;
  }

  // Frame numbers, each followed by the lines of its bones.
  bool ParseFrames() {
    std::optional<int> last_number;
    while (true) {
      const Token word = tokens_.Next();
      if (word.at_end() && num_frames_ > 0) return true;
      const std::optional<int> number = internal::ParseInteger(word.text);
      if (!number) return FailExpected("a frame number", word);
      const Token after = tokens_.Peek();
      if (!after.at_end() && !after.starts_line) {
        return FailExpected("the end of the line after the frame number",
                            after);
      }
      // Compared as wide integers: the number may be the largest one.
      if (last_number &&
          std::int64_t{*number} != std::int64_t{*last_number} + 1) {
        diagnostics_.Warning("frame-number", word.place(),
                             "frame number " + std::to_string(*number) +
                                 " follows " + std::to_string(*last_number) +
                                 "; taking the frames as consecutive");
      }
      last_number = number;
      if (!ParseFrame(word)) return false;
    }
  }

  bool ParseFrame(const Token& number) {
    const std::size_t width =
        static_cast<std::size_t>(asf_.channels->num_channels());
    const std::size_t begin = values_.size();
    const bool first = num_frames_ == 0;
    // Later frames are filled in the order of the first one. They hold as many
    // words as it did, so this does not outgrow the file.
    if (!first) values_.resize(begin + width);
    std::size_t found = 0;
    while (true) {
      const Token name = tokens_.Peek();
      if (name.at_end() || internal::ParseInteger(name.text)) break;
      tokens_.Next();
      bool ignored = false;
      const auto known = joint_of_.find(internal::ToUtf8(name.text, ignored));
      if (known == joint_of_.end()) {
        return FailExpected("a bone of the ASF file or a frame number", name);
      }
      const std::size_t joint = known->second;
      if (last_frame_[joint] == num_frames_) {
        return Fail("repeated-bone", name.place(),
                    "bone " + Found(name) + " repeats in frame " +
                        std::string(number.text));
      }
      last_frame_[joint] = num_frames_;
      if (!ParseBone(name, joint, first, begin)) return false;
      found += asf_runs_[joint].size();
    }
    if (found != width) return FailMissing(number);
    ++num_frames_;
    return true;
  }

  bool ParseBone(const Token& name, std::size_t joint, bool first,
                 std::size_t begin) {
    const ChannelRun& run = asf_runs_[joint];
    if (first) row_begin_[joint] = values_.size();
    for (std::size_t i = 0; i < run.size(); ++i) {
      const Token word = tokens_.Peek();
      const std::optional<double> number = internal::ParseValue(word.text);
      if (!number || word.starts_line) {
        return Fail("row-length", name.place(),
                    "bone " + Found(name) + " needs " +
                        std::to_string(run.size()) + " numbers, found " +
                        std::to_string(i) + BadWord(word));
      }
      tokens_.Next();
      const Channel& channel = asf_.channels->channels()[run.begin + i];
      const double value = channel.kind == ChannelKind::kTranslation
                               ? *number * asf_.metres_per_unit +
                                     asf_.root_position[channel.axis]
                               : *number * radians_per_unit_;
      if (first) {
        values_.push_back(value);
        channels_.push_back(channel);
      } else {
        values_[begin + row_begin_[joint] + i] = value;
      }
    }
    const Token after = tokens_.Peek();
    if (!after.at_end() && !after.starts_line) {
      return Fail("row-length", after.place(),
                  "bone " + Found(name) + " needs " +
                      std::to_string(run.size()) + " numbers, found also " +
                      Found(after));
    }
    return true;
  }

  // What stands on the line in place of a number.
  static std::string BadWord(const Token& word) {
    return word.at_end() || word.starts_line ? "" : ": " + Found(word);
  }

  bool FailMissing(const Token& number) {
    for (std::size_t joint = 0; joint < asf_runs_.size(); ++joint) {
      if (last_frame_[joint] == num_frames_ || asf_runs_[joint].size() == 0) {
        continue;
      }
      return Fail(
          "missing-bone", number.place(),
          "frame " + std::string(number.text) + " lacks bone " +
              Quoted(asf_.skeleton->joint(static_cast<int>(joint)).name));
    }
    throw std::logic_error("no bone is missing");
  }

  const AsfSkeleton& asf_;
  double rate_hz_;
  double radians_per_unit_ = kRadiansPerDegree;
  const std::vector<ChannelRun>& asf_runs_;  // Of each joint.
  std::unordered_map<std::string, std::size_t> joint_of_;
  std::vector<std::size_t> row_begin_;    // Of each joint, in a row.
  std::vector<std::int64_t> last_frame_;  // That named the joint.
  std::vector<Channel> channels_;         // In the order of the first frame.
  std::vector<double> values_;
  std::int64_t num_frames_ = 0;
};

// Whether the layout has the ASF's channels, only bone by bone in another
// order.
bool IsReordered(const ChannelLayout& layout, const ChannelLayout& asf) {
  if (layout.num_channels() != asf.num_channels() ||
      layout.num_joints() != asf.num_joints() ||
      layout.order() != asf.order() ||
      layout.R_FA().size() != asf.R_FA().size()) {
    return false;
  }
  for (std::size_t i = 0; i < asf.R_FA().size(); ++i) {
    if (AngleBetween(layout.R_FA()[i], asf.R_FA()[i]) > 1e-12) return false;
  }
  const std::vector<ChannelRun>& runs = layout.runs();
  const std::vector<ChannelRun>& asf_runs = asf.runs();
  for (std::size_t joint = 0; joint < runs.size(); ++joint) {
    if (runs[joint].size() != asf_runs[joint].size()) return false;
    for (std::size_t i = 0; i < runs[joint].size(); ++i) {
      if (layout.channels()[runs[joint].begin + i] !=
          asf.channels()[asf_runs[joint].begin + i]) {
        return false;
      }
    }
  }
  return true;
}

// Compares the motion's skeleton with the ASF's.
void CheckSkeleton(const figure::Skeleton& skeleton,
                   const figure::Skeleton& asf, Diagnostics& diagnostics) {
  if (skeleton.num_joints() != asf.num_joints()) {
    diagnostics.Error(
        "wrong-skeleton", {},
        "the motion has " + std::to_string(skeleton.num_joints()) +
            " joints, the ASF file " + std::to_string(asf.num_joints()));
    return;
  }
  for (int i = 0; i < asf.num_joints(); ++i) {
    const figure::Joint& joint = skeleton.joint(i);
    const figure::Joint& wanted = asf.joint(i);
    if (joint.name != wanted.name || joint.parent != wanted.parent) {
      diagnostics.Error(
          "wrong-skeleton", {},
          "joint " + std::to_string(i) + " of the motion is " +
              Quoted(joint.name) + ", of the ASF file " + Quoted(wanted.name) +
              (joint.name == wanted.name ? " on another joint" : ""));
      return;
    }
    const double distance = (joint.offset - wanted.offset).norm();
    if (distance > kSameOffset) {
      std::string millimetres;
      internal::AppendFixed(millimetres, 1000.0 * distance, 3);
      diagnostics.Warning("other-offsets", {},
                          "joint " + Quoted(joint.name) + " lies " +
                              millimetres +
                              " mm from where the ASF file has it");
    }
  }
}

}  // namespace

Result<figure::Motion> ReadAmc(std::string_view text, const AsfSkeleton& asf,
                               const AmcReadOptions& options) {
  if (!(options.rate_hz > 0.0) || !std::isfinite(options.rate_hz)) {
    throw std::invalid_argument("rate_hz must be positive and finite, found " +
                                std::to_string(options.rate_hz));
  }
  return AmcParser(text, asf, options).Parse();
}

Result<figure::Motion> ReadAmcFile(const std::filesystem::path& path,
                                   const AsfSkeleton& asf,
                                   const AmcReadOptions& options) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<figure::Motion>(text.diagnostics());
  AmcReadOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  return ReadAmc(*text, asf, named);
}

Result<std::string> WriteAmc(const figure::Motion& motion,
                             const AsfSkeleton& asf,
                             const AmcWriteOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  CheckSkeleton(motion.skeleton(), *asf.skeleton, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  const figure::MotionSource& source = motion.source();
  const bool own_order =
      source.channels && IsReordered(*source.channels, *asf.channels);
  const std::shared_ptr<const ChannelLayout> layout =
      own_order ? source.channels : asf.channels;
  const double radians_per_unit =
      source.format == "AMC" ? source.radians_per_unit : kRadiansPerDegree;

  std::string text = ":FULLY-SPECIFIED\n";
  text += radians_per_unit == 1.0 ? ":RADIANS\n" : ":DEGREES\n";
  internal::ChannelRows rows(motion, layout);
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    const std::span<const double> row = rows.Next();
    text += std::to_string(frame + 1);
    int joint = -1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Channel& channel = layout->channels()[i];
      if (channel.joint != joint) {
        joint = channel.joint;
        text += '\n' + motion.skeleton().joint(joint).name;
      }
      text += ' ';
      const double value =
          channel.kind == ChannelKind::kTranslation
              ? (row[i] - asf.root_position[channel.axis]) / asf.metres_per_unit
              : row[i] / radians_per_unit;
      if (!internal::IsWritable(value)) {
        diagnostics.Error(
            "too-large", {},
            "frame " + std::to_string(frame + 1) + ", bone " +
                Quoted(motion.skeleton().joint(joint).name) +
                ": a value is beyond what AMC files hold: at most 1000000000 "
                "of the file's unit, or degrees");
        return Result<std::string>(std::move(diagnostics));
      }
      internal::AppendFixed(text, value, kDecimals);
    }
    text += '\n';
  }
  rows.ReportLoss(diagnostics);
  return Result<std::string>(std::move(text), std::move(diagnostics));
}

Diagnostics WriteAmcFile(const std::filesystem::path& path,
                         const figure::Motion& motion, const AsfSkeleton& asf,
                         const AmcWriteOptions& options) {
  AmcWriteOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  const Result<std::string> text = WriteAmc(motion, asf, named);
  Diagnostics diagnostics = text.diagnostics();
  if (text) diagnostics.Append(WriteWholeFile(path, *text));
  return diagnostics;
}

}  // namespace limber::mocap
