// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "core/clip_time.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/internal/bvh_format.h"
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

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

// Reads one file.
class BvhParser : private internal::TokenParser {
 public:
  BvhParser(std::string_view text, const BvhReadOptions& options)
      : TokenParser(text, {.punctuation = "{}"}, options.file, options.strict) {
    document_.file = options.file;
  }

  Result<BvhDocument> Parse() && {
    if (ParseHierarchy() && ParseMotionHeader() && ParseRows()) CheckCount();
    return Result<BvhDocument>(std::move(document_), std::move(diagnostics_));
  }

 private:
  // What has been seen of a joint that is still open.
  struct Open {
    bool has_offset = false;
    bool has_channels = false;
    bool has_children = false;
  };

  // HIERARCHY and the blocks of all roots, up to and with the word MOTION.
  // Nesting needs no stack: the open joint's parent is the next one to close.
  bool ParseHierarchy() {
    const Token first = tokens_.Next();
    if (!EqualIgnoringCase(first.text, "HIERARCHY")) {
      return FailExpected("\"HIERARCHY\"", first);
    }
    while (true) {
      const Token word = tokens_.Next();
      if (joint_ < 0) {
        if (EqualIgnoringCase(word.text, "ROOT")) {
          if (!ParseJointStart(word)) return false;
        } else if (EqualIgnoringCase(word.text, "MOTION") &&
                   !document_.joints.empty()) {
          return true;
        } else {
          return FailExpected(
              document_.joints.empty() ? "\"ROOT\"" : "\"ROOT\" or \"MOTION\"",
              word);
        }
      } else if (EqualIgnoringCase(word.text, "OFFSET")) {
        if (!ParseJointOffset(word)) return false;
      } else if (EqualIgnoringCase(word.text, "CHANNELS")) {
        if (!ParseChannels(word)) return false;
      } else if (EqualIgnoringCase(word.text, "JOINT")) {
        open_[static_cast<std::size_t>(joint_)].has_children = true;
        if (!ParseJointStart(word)) return false;
      } else if (EqualIgnoringCase(word.text, "End")) {
        if (!ParseEndSite()) return false;
      } else if (word.text == "}") {
        if (!ParseJointEnd(word)) return false;
      } else {
        return FailExpected(
            "\"OFFSET\", \"CHANNELS\", \"JOINT\", \"End Site\" or \"}\"", word);
      }
    }
  }

  // The name runs to the end of the line or to a brace on it.
  bool ParseJointStart(const Token& keyword) {
    const std::string_view name = tokens_.RestOfLine('{');
    if (name.empty()) {
      return Fail("missing-name", keyword.place(),
                  std::string(keyword.text) + " needs a name");
    }
    if (!ExpectBrace()) return false;
    if (!names_.insert(name).second) {
      diagnostics_.Warning("duplicate-name", keyword.place(),
                           "more than one joint is called " + Quoted(name));
    }
    document_.joints.push_back(
        {Utf8Name(name, keyword), joint_, Vector3::Zero()});
    open_.push_back({});
    joint_ = static_cast<int>(document_.joints.size()) - 1;
    return true;
  }

  bool ParseJointEnd(const Token& brace) {
    const figure::Joint& joint =
        document_.joints[static_cast<std::size_t>(joint_)];
    const Open& open = open_[static_cast<std::size_t>(joint_)];
    if (!open.has_offset) {
      return Fail("missing-offset", brace.place(),
                  "joint " + Quoted(joint.name) + " ends without an OFFSET");
    }
    if (!open.has_channels) {
      diagnostics_.Warning("no-channels", brace.place(),
                           "joint " + Quoted(joint.name) +
                               " has no CHANNELS; taking it as fixed");
    }
    joint_ = joint.parent;
    return true;
  }

  bool ParseEndSite() {
    const Token word = tokens_.Next();
    if (!EqualIgnoringCase(word.text, "Site")) {
      return FailExpected("\"Site\" after \"End\"", word);
    }
    figure::Site site;
    site.name = Utf8Name(tokens_.RestOfLine('{'), word);
    site.joint = joint_;
    if (!ExpectBrace()) return false;
    const Token keyword = tokens_.Next();
    if (!EqualIgnoringCase(keyword.text, "OFFSET")) {
      return FailExpected("\"OFFSET\" of the end site", keyword);
    }
    if (!ParseOffset(keyword, site.offset)) return false;
    const Token brace = tokens_.Next();
    if (brace.text != "}") return FailExpected("\"}\"", brace);
    document_.sites.push_back(std::move(site));
    return true;
  }

  bool ExpectBrace() {
    const Token brace = tokens_.Next();
    return brace.text == "{" || FailExpected("\"{\"", brace);
  }

  bool ParseJointOffset(const Token& keyword) {
    Open& open = open_[static_cast<std::size_t>(joint_)];
    if (open.has_offset) {
      return Fail("repeated-keyword", keyword.place(),
                  "second OFFSET of one joint");
    }
    open.has_offset = true;
    return ParseOffset(
        keyword, document_.joints[static_cast<std::size_t>(joint_)].offset);
  }

  bool ParseOffset(const Token& keyword, Vector3& offset) {
    const std::size_t begin = tokens_.position();
    int found = 0;
    while (found < 3) {
      const std::optional<double> number =
          internal::ParseValue(tokens_.Peek().text);
      if (!number) break;
      tokens_.Next();
      offset[found] = *number;
      ++found;
    }
    if (found == 3) return true;
    // Show what stands where the numbers should.
    const std::string_view rest = tokens_.text().substr(begin);
    const std::string_view line =
        internal::Trim(rest.substr(0, rest.find_first_of("\r\n{}")));
    return Fail("offset", keyword.place(),
                "OFFSET needs 3 numbers, found " + std::to_string(found) +
                    ": " + Quoted(line));
  }

  bool ParseChannels(const Token& keyword) {
    Open& open = open_[static_cast<std::size_t>(joint_)];
    if (open.has_channels) {
      return Fail("repeated-keyword", keyword.place(),
                  "second CHANNELS of one joint");
    }
    if (open.has_children) {
      return Fail("late-channels", keyword.place(),
                  "CHANNELS must come before the joint's children");
    }
    open.has_channels = true;
    const Token number = tokens_.Next();
    const std::optional<int> count = internal::ParseInteger(number.text);
    if (!count || *count < 0 || *count > 6) {
      return FailExpected("a number of channels from 0 to 6", number);
    }
    const std::size_t first = document_.channels.size();
    for (int i = 0; i < *count; ++i) {
      const Token name = tokens_.Next();
      Channel channel;
      channel.joint = joint_;
      if (!internal::ParseBvhChannelName(name.text, channel)) {
        return FailExpected("channel " + std::to_string(i + 1) + " of " +
                                std::to_string(*count) +
                                " (Xposition ... Zrotation)",
                            name);
      }
      const auto begin =
          document_.channels.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::find(begin, document_.channels.end(), channel) !=
          document_.channels.end()) {
        return Fail("repeated-channel", name.place(),
                    "channel " + Found(name) + " repeats");
      }
      document_.channels.push_back(channel);
    }
    return true;
  }

  // "Frames:" and "Frame Time:", each on a line of its own.
  bool ParseMotionHeader() {
    std::string_view value;
    if (!ParseField("Frames", "", frames_place_, value)) return false;
    const std::optional<int> frames = internal::ParseInteger(value);
    if (!frames || *frames < 0) {
      return Fail(
          "frames", frames_place_,
          "\"Frames:\" needs a whole number from 0, found " + Quoted(value));
    }
    declared_frames_ = *frames;
    Place place;
    if (!ParseField("Frame", "Time", place, value)) return false;
    const std::optional<double> period = internal::ParseNumber(value);
    if (!period || !(*period > 0.0) || !std::isfinite(1.0 / *period)) {
      return Fail("frame-time", place,
                  "\"Frame Time:\" needs a positive number of seconds, found " +
                      Quoted(value));
    }
    document_.rate_hz = internal::RateFromPeriod(value, *period);
    if (internal::IsInMilliseconds(*period)) {
      std::string in_seconds(value);
      if (in_seconds.find_first_of("eE") == std::string::npos) {
        in_seconds += "e-3";
      }
      document_.rate_hz = internal::RateFromPeriod(in_seconds, 0.001 * *period);
      std::string message = "\"Frame Time:\" is in seconds, and " +
                            std::string(value) +
                            " s a frame is no movement; taken as "
                            "milliseconds: ";
      internal::AppendFixed(message, document_.rate_hz, 3);
      diagnostics_.Warning("frame-time-in-ms", place,
                           message + " frames per second");
    }
    DoubtRate(document_.rate_hz, "\"Frame Time: " + std::string(value) + "\"",
              place, diagnostics_);
    return true;
  }

  // A line such as "Frame Time: 0.01"; blanks around the colon do not matter.
  bool ParseField(std::string_view first, std::string_view second, Place& place,
                  std::string_view& value) {
    std::string expected = '"' + std::string(first);
    if (!second.empty()) expected += ' ' + std::string(second);
    expected += ":\"";
    const Token start = tokens_.Peek();
    place = start.place();
    std::string_view line = tokens_.RestOfLine();
    const auto take = [&line](std::string_view word) {
      if (!EqualIgnoringCase(line.substr(0, word.size()), word)) return false;
      line = internal::Trim(line.substr(word.size()));
      return true;
    };
    if (!take(first) || !take(second) || !take(":")) {
      return FailExpected(expected, start);
    }
    value = line;
    return true;
  }

  // The rows. One line is one frame; a row may go on over the next lines as
  // long as it ends where a line ends.
  bool ParseRows() {
    const std::string_view text = tokens_.text();
    const std::size_t width = document_.channels.size();
    const char* p = text.data() + tokens_.position();
    const char* const end = text.data() + text.size();
    const char* line_start = text.data() + tokens_.line_start();
    std::int64_t line = tokens_.line();

    // The declared count is only a hint: a value takes two bytes or more.
    std::vector<double>& values = document_.values;
    const std::size_t room = static_cast<std::size_t>(end - p + 1) / 2;
    if (width > 0) {
      const std::size_t rows =
          std::min(room / width, static_cast<std::size_t>(declared_frames_));
      values.reserve(rows * width);
    }

    std::size_t count = 0;       // Values of the row so far,
    std::size_t first_line = 0;  // of them on the row's first line,
    std::int64_t row_line = 0;   // which is this one.
    while (true) {
      if (p == end || IsLineEnd(*p)) {
        if (count > 0 && line == row_line) first_line = count;
        if (count == width && count > 0) {
          ++document_.num_frames;
          count = 0;
        }
        if (p == end) break;
        p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
        line_start = p;
        ++line;
        continue;
      }
      if (IsBlank(*p)) {
        ++p;
        continue;
      }
      if (count == 0) row_line = line;
      if (count == width) {
        const std::size_t found =
            line == row_line ? count + WordsOnLine(p, end) : first_line;
        return FailWidth(row_line, found);
      }
      double value = 0.0;
      const char* next = ReadNumber(p, end, value);
      if (next == nullptr) {
        return FailNumber(Place::AtLine(line, p - line_start + 1),
                          document_.channels[count], p, end);
      }
      values.push_back(value);
      ++count;
      p = next;
    }
    if (count > 0) return FailWidth(row_line, first_line);
    if (values.capacity() > 2 * values.size()) values.shrink_to_fit();
    return true;
  }

  // Reads the number at `p`; returns where it ends, or null when there is none
  // or it is out of range.
  static const char* ReadNumber(const char* p, const char* end, double& value) {
    const std::from_chars_result result = std::from_chars(p, end, value);
    const bool whole =
        result.ec == std::errc() &&
        (result.ptr == end || IsBlank(*result.ptr) || IsLineEnd(*result.ptr));
    if (whole && std::abs(value) <= internal::kLargestValue) return result.ptr;
    // A plus sign, a tiny number, or none at all.
    const char* word_end = WordEnd(p, end);
    const std::optional<double> number =
        internal::ParseValue({p, static_cast<std::size_t>(word_end - p)});
    if (!number) return nullptr;
    value = *number;
    return word_end;
  }

  static const char* WordEnd(const char* p, const char* end) {
    while (p < end && !IsBlank(*p) && !IsLineEnd(*p)) ++p;
    return p;
  }

  static std::size_t WordsOnLine(const char* p, const char* end) {
    std::size_t words = 0;
    while (p < end && !IsLineEnd(*p)) {
      if (IsBlank(*p)) {
        ++p;
      } else {
        p = WordEnd(p, end);
        ++words;
      }
    }
    return words;
  }

  bool FailWidth(std::int64_t line, std::size_t found) {
    return Fail("row-length", Place::AtLine(line),
                "frame " + std::to_string(document_.num_frames) + " has " +
                    std::to_string(found) + " values, the hierarchy declares " +
                    std::to_string(document_.channels.size()) + " channels");
  }

  bool FailNumber(Place place, const Channel& channel, const char* p,
                  const char* end) {
    const std::string_view word(p,
                                static_cast<std::size_t>(WordEnd(p, end) - p));
    const std::string& joint =
        document_.joints[static_cast<std::size_t>(channel.joint)].name;
    return Fail("bad-number", place,
                "frame " + std::to_string(document_.num_frames) + ", " +
                    std::string(internal::BvhChannelName(channel)) + " of " +
                    Quoted(joint) + ": expected a number, found " +
                    Quoted(word));
  }

  void CheckCount() {
    if (document_.num_frames == declared_frames_) return;
    const std::string used = std::to_string(document_.num_frames);
    diagnostics_.Warning("frame-count", frames_place_,
                         "\"Frames: " + std::to_string(declared_frames_) +
                             "\" but " + used + " rows follow; using " + used);
  }

  BvhDocument document_;
  std::vector<Open> open_;  // One per joint.
  std::unordered_set<std::string_view> names_;
  int joint_ = -1;  // The innermost open joint.
  std::int64_t declared_frames_ = 0;
  Place frames_place_;
};

}  // namespace

Result<BvhDocument> ParseBvh(std::string_view text,
                             const BvhReadOptions& options) {
  return BvhParser(text, options).Parse();
}

figure::Motion MakeMotion(BvhDocument document, const BvhUnits& units) {
  const double scale = units.metres_per_unit;
  if (!(scale > 0.0) || !std::isfinite(scale)) {
    throw std::invalid_argument(
        "metres_per_unit must be positive and finite, found " +
        std::to_string(scale));
  }
  const Quaternion R_WF = figure::FileToWorld(units.up);
  for (figure::Joint& joint : document.joints) {
    joint.offset = R_WF * (scale * joint.offset);
  }
  for (figure::Site& site : document.sites) {
    site.offset = R_WF * (scale * site.offset);
  }
  figure::MotionSource source;
  source.file = std::move(document.file);
  source.format = "BVH";
  source.metres_per_unit = scale;
  source.up = units.up;
  std::vector<double> factors;
  for (const Channel& channel : document.channels) {
    const bool is_length = channel.kind == ChannelKind::kTranslation;
    factors.push_back(is_length ? scale : source.radians_per_unit);
  }
  for (std::size_t i = 0; i < document.values.size(); i += factors.size()) {
    for (std::size_t k = 0; k < factors.size(); ++k) {
      document.values[i + k] *= factors[k];
    }
  }
  source.channels = std::make_shared<const figure::ChannelLayout>(
      static_cast<int>(document.joints.size()), std::move(document.channels),
      figure::RotationOrder::kFirstIsOutermost, R_WF);
  return figure::Motion(figure::Skeleton::Make(std::move(document.joints),
                                               std::move(document.sites)),
                        document.rate_hz, std::move(source),
                        std::move(document.values));
}

Result<figure::Motion> ReadBvh(std::string_view text, const BvhUnits& units,
                               const BvhReadOptions& options) {
  Result<BvhDocument> document = ParseBvh(text, options);
  if (!document) return Result<figure::Motion>(document.diagnostics());
  Diagnostics diagnostics = document.diagnostics();
  return Result<figure::Motion>(MakeMotion(std::move(document).value(), units),
                                std::move(diagnostics));
}

Result<figure::Motion> ReadBvhFile(const std::filesystem::path& path,
                                   const BvhUnits& units,
                                   const BvhReadOptions& options) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<figure::Motion>(text.diagnostics());
  BvhReadOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  return ReadBvh(*text, units, named);
}

}  // namespace limber::mocap
