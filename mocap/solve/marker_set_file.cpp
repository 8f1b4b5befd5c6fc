// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "core/file.h"
#include "core/json_document.h"
#include "mocap/solve/internal/built_in_sets.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

namespace {

std::array<std::string_view, kNumSegments> SegmentNames() {
  std::array<std::string_view, kNumSegments> names;
  for (int j = 0; j < kNumSegments; ++j) names[j] = Body()[j].name;
  return names;
}

SetMarker ReadMarker(const JsonValue& value, Diagnostics& diagnostics) {
  static const std::array<std::string_view, kNumSegments> kNames =
      SegmentNames();
  JsonObject object(value, "a marker", diagnostics);
  SetMarker marker;
  marker.label = object.Text("label");
  if (const JsonValue* aliases = object.Array("aliases")) {
    for (const JsonValue& alias : aliases->items) {
      if (CheckKind(alias, "an alias", JsonValue::Kind::kText, diagnostics)) {
        marker.aliases.push_back(alias.text);
      }
    }
  }
  marker.segment = object.Word("segment", kNames);
  marker.at = object.Vector("at");
  constexpr double kFarOff = 1.0;  // No marker is a metre from its joint.
  if (marker.at.cwiseAbs().maxCoeff() > kFarOff) {
    object.Error("at", "out-of-range",
                 "expected metres from the segment's joint, found a component "
                 "above 1");
  }
  marker.spread =
      object.Number("spread", NumberRange::Positive(), SetMarker().spread);
  marker.weight =
      object.Number("weight", NumberRange::Positive(), SetMarker().weight);
  object.Finish();
  return marker;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
  }
  return quoted + "\"";
}

std::string Number(double value) {
  std::array<char, 32> buffer;
  const int length =
      std::snprintf(buffer.data(), buffer.size(), "%.4f", value + 0.0);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  return text == "-0.0000" ? "0.0000" : text;
}

}  // namespace

Result<MarkerSet> ParseMarkerSet(std::string_view text,
                                 const std::string& file) {
  const Result<JsonValue> json = ParseJson(text, file);
  if (!json.ok()) return Result<MarkerSet>(json.diagnostics());
  Diagnostics diagnostics = json.diagnostics();
  MarkerSet set;
  JsonObject object(*json, "a marker set", diagnostics);
  set.name = object.Text("marker_set");
  set.description = object.Text("description", "");
  if (const JsonValue* markers = object.Array("markers", true)) {
    for (const JsonValue& value : markers->items) {
      set.markers.push_back(ReadMarker(value, diagnostics));
    }
    if (markers->items.empty()) {
      object.Error("markers", "no-markers", "a marker set needs markers");
    }
  }
  object.Finish();
  return {std::move(set), std::move(diagnostics)};
}

Result<MarkerSet> ReadMarkerSet(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<MarkerSet>(text.diagnostics());
  return ParseMarkerSet(*text, PathText(path));
}

std::string FormatMarkerSet(const MarkerSet& set) {
  std::string text = "{\n  \"marker_set\": " + Quoted(set.name) +
                     ",\n  \"description\": " + Quoted(set.description) +
                     ",\n  \"markers\": [\n";
  for (std::size_t i = 0; i < set.markers.size(); ++i) {
    const SetMarker& marker = set.markers[i];
    text += "    {\"label\": " + Quoted(marker.label) + ", ";
    if (!marker.aliases.empty()) {
      text += "\"aliases\": [";
      for (std::size_t k = 0; k < marker.aliases.size(); ++k) {
        text += (k == 0 ? "" : ", ") + Quoted(marker.aliases[k]);
      }
      text += "], ";
    }
    text += "\"segment\": \"" + std::string(Body()[marker.segment].name) +
            "\", \"at\": [" + Number(marker.at.x()) + ", " +
            Number(marker.at.y()) + ", " + Number(marker.at.z()) +
            "], \"spread\": " + Number(marker.spread);
    if (marker.weight != 1.0) text += ", \"weight\": " + Number(marker.weight);
    text += i + 1 < set.markers.size() ? "},\n" : "}\n";
  }
  return text + "  ]\n}\n";
}

const std::vector<MarkerSet>& BuiltInMarkerSets() {
  static const std::vector<MarkerSet> sets = [] {
    std::vector<MarkerSet> read;
    for (const internal::BuiltInSet& file : internal::BuiltInSetFiles()) {
      read.push_back(ParseMarkerSet(file.text, std::string(file.name)).value());
    }
    return read;
  }();
  return sets;
}

}  // namespace limber::mocap
