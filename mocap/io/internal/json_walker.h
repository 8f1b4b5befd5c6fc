// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/diagnostics.h"

namespace limber::mocap::internal {

/// Walks the JSON and says by its path what is not as it should be.
class Walker {
 public:
  Walker(const nlohmann::ordered_json& json, std::string path,
         Diagnostics& diagnostics)
      : json_(json), path_(std::move(path)), diagnostics_(diagnostics) {}

  bool is_object() const { return json_.is_object(); }
  std::size_t size() const { return json_.is_array() ? json_.size() : 0; }
  const std::string& path() const { return path_; }
  bool Has(const char* key) const {
    return json_.is_object() && json_.contains(key);
  }
  Walker At(const char* key) const {
    static const nlohmann::ordered_json nothing;
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
  /// What is wrong here. Nobody reads hundreds of findings, and a file could
  /// ask for one with every other byte.
  void Error(std::string_view kind, const std::string& message) const {
    constexpr std::size_t kMostFindings = 100;
    if (diagnostics_.all().size() >= kMostFindings) return;
    diagnostics_.Error(kind, {}, path_ + ": " + message);
  }
  std::string Found() const {
    constexpr std::size_t kLongest = 40;
    if (json_.is_structured()) {
      return std::string(json_.is_array() ? "an array" : "an object") + " of " +
             std::to_string(json_.size());
    }
    std::string text = json_.dump(
        -1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
  }

 private:
  const nlohmann::ordered_json& json_;
  std::string path_;
  Diagnostics& diagnostics_;
};

inline Walker Root(const nlohmann::ordered_json& json,
                   Diagnostics& diagnostics) {
  return {json, "", diagnostics};
}

}  // namespace limber::mocap::internal
