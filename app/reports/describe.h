// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/jobs.h"

namespace limber::app {

/// What `info` says about one file, for people and for machines.
struct Description {
  struct Line {
    std::string key;  ///< Empty for a further line under the same key.
    std::string value;
  };
  std::vector<Line> lines;
  nlohmann::ordered_json json;

  void Add(std::string key, std::string value) {
    lines.push_back({std::move(key), std::move(value)});
  }
};

/// Describes a file that could be read, with its guesses and `warnings`.
Description Describe(const LoadedFile& file,
                     const std::vector<Diagnostic>& warnings);

/// The parts of `Describe` for each kind of content.
void DescribeTake(const LoadedFile& file, const mocap::MarkerTake& take,
                  Description& description);
void DescribeMotion(const LoadedFile& file, const figure::Motion& motion,
                    Description& description);
void DescribeSkeleton(const LoadedFile& file, const mocap::AsfSkeleton& asf,
                      Description& description);

void DescribeFigure(const figure::FigureModel& figure,
                    Description& description);
void DescribeTable(const mocap::StoTable& table, Description& description);

/// Frames, rate and length.
void DescribeTime(std::int64_t frames, double rate_hz,
                  std::optional<std::int64_t> first_frame,
                  Description& description);

/// Unit and up axis, each with the reason of the guess or, where nothing was
/// guessed, with who stated it.
void DescribeUnits(const LoadedFile& file, const Unit& unit,
                   std::string_view unit_stated, const std::string& up_axis,
                   std::string_view up_stated, Description& description);

/// The warnings or errors of a file for machines.
nlohmann::ordered_json ToJson(const std::vector<Diagnostic>& findings);

}  // namespace limber::app
