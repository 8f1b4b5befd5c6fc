// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/describe.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/file.h"

namespace limber::app {

namespace {

const Guess* FindGuess(const LoadedFile& file, std::string_view what) {
  const auto found = std::ranges::find(file.guesses, what, &Guess::what);
  return found == file.guesses.end() ? nullptr : &*found;
}

/// "cm (guessed: it measures ...; --unit overrides)", or "mm (`stated`)".
std::string WithReason(const LoadedFile& file, std::string_view what,
                       const std::string& value, std::string_view stated,
                       std::string_view option) {
  const Guess* guess = FindGuess(file, what);
  if (guess == nullptr) return value + " (" + std::string(stated) + ")";
  return guess->value + (guess->sure ? " (guessed: " : " (a mere guess: ") +
         guess->reason + "; " + std::string(option) + " overrides)";
}

}  // namespace

void DescribeTime(std::int64_t frames, double rate_hz,
                  std::optional<std::int64_t> first_frame,
                  Description& description) {
  const double length_s = static_cast<double>(frames) / rate_hz;
  std::string text = Count(frames, "frame") + " at " + Rounded(rate_hz, 3) +
                     " Hz, " + Rounded(length_s, 3) + " s";
  if (first_frame && *first_frame != 1 && frames > 0) {
    text += ", numbered " + std::to_string(*first_frame) + " to " +
            std::to_string(*first_frame + frames - 1);
  }
  description.Add("frames", text);
  description.json["frames"] = frames;
  if (first_frame) description.json["first_frame"] = *first_frame;
  description.json["rate_hz"] = rate_hz;
  description.json["length_s"] = length_s;
}

void DescribeUnits(const LoadedFile& file, const Unit& unit,
                   std::string_view unit_stated, const std::string& up_axis,
                   std::string_view up_stated, Description& description) {
  description.Add("unit",
                  WithReason(file, "unit", unit.name, unit_stated, "--unit"));
  description.Add("up axis",
                  WithReason(file, "up_axis", up_axis, up_stated, "--up"));
  description.json["unit"] = unit.name;
  description.json["metres_per_unit"] = unit.metres;
  description.json["up_axis"] = up_axis;
}

Description Describe(const LoadedFile& file,
                     const std::vector<Diagnostic>& warnings) {
  Description description;
  description.json["file"] = PathText(file.path);
  description.json["format"] = Name(file.format);
  description.Add("format", std::string(Name(file.format)));
  if (const auto* take = std::get_if<mocap::MarkerTake>(&file.content)) {
    DescribeTake(file, *take, description);
  } else if (const auto* motion = std::get_if<figure::Motion>(&file.content)) {
    DescribeMotion(file, *motion, description);
  } else if (const auto* figure =
                 std::get_if<figure::FigureModel>(&file.content)) {
    DescribeFigure(*figure, description);
  } else if (const auto* table = std::get_if<mocap::StoTable>(&file.content)) {
    DescribeTable(*table, description);
  } else {
    DescribeSkeleton(file, std::get<mocap::AsfSkeleton>(file.content),
                     description);
  }
  nlohmann::ordered_json guesses = nlohmann::ordered_json::array();
  for (const Guess& guess : file.guesses) {
    // Unit and axis have said theirs in their own lines.
    if (guess.what != "unit" && guess.what != "up_axis") {
      description.Add("guessed", guess.what + " " + guess.value + " (" +
                                     guess.reason + ")");
    }
    guesses.push_back({{"what", guess.what},
                       {"value", guess.value},
                       {"reason", guess.reason},
                       {"sure", guess.sure}});
  }
  description.json["guesses"] = std::move(guesses);
  description.json["warnings"] = ToJson(warnings);
  if (warnings.empty()) description.Add("warnings", "none");
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    description.Add(i == 0 ? "warnings" : "", ToString(warnings[i]));
  }
  return description;
}

nlohmann::ordered_json ToJson(const std::vector<Diagnostic>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& finding : findings) {
    nlohmann::ordered_json item = {{"kind", finding.kind},
                                   {"message", finding.message},
                                   {"count", finding.count}};
    if (finding.place.line > 0) item["line"] = finding.place.line;
    if (finding.place.column > 0) item["column"] = finding.place.column;
    if (finding.place.byte >= 0) item["byte"] = finding.place.byte;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace limber::app
