// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/io/take_samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limber::mocap::test {

MarkerTake SmallTake() {
  MarkerTake take({"LASI", "RASI", "Subject:HEAD"}, 4, 50.0);
  take.origin.point_scale = 0.125;
  take.origin.axes = AxisConvention::ZUp();
  for (int frame = 0; frame < 4; ++frame) {
    for (int marker = 0; marker < 3; ++marker) {
      if (frame == 2 && marker == 1) continue;
      take.SetPosition(frame, marker,
                       {0.001 * (100.0 + 8.0 * frame),
                        0.001 * (1000.5 + marker), 0.001 * -20.25});
      take.SetResidual(frame, marker, 0.001 * 0.125 * (marker + 1));
      take.SetCameraMask(frame, marker, static_cast<std::uint8_t>(frame + 1));
    }
  }
  take.first_frame = 3;
  take.start_time_s = 0.04;
  take.analog.rate_hz = 100.0;
  take.analog.samples_per_frame = 2;
  take.analog.channels = {{"Fx", "force", "N", 0.5, 2048.0},
                          {"EMG", "muscle", "V", -0.25, 0.0}};
  for (int i = 0; i < 16; ++i) take.analog.samples.push_back(0.5 * (i - 7));
  take.events.resize(3);
  take.events[0].label = "RHS";
  take.events[0].time_s = 0.25;
  take.events[0].in_header = true;
  take.events[1].label = "Foot Strike";
  take.events[1].context = "Left";
  take.events[1].time_s = 0.5;
  take.events[1].subject = "Ada";
  take.events[1].description = "heel";
  take.events[1].icon_id = 1;
  take.events[2].label = "Foot Off";
  take.events[2].context = "Right";
  take.events[2].time_s = 61.0;
  return take;
}

std::string SmallTrc() {
  return "PathFileType\t4\t(X/Y/Z)\tsmall.trc\n"
         "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
         "OrigDataStartFrame\tOrigNumFrames\n"
         "100\t100\t3\t2\tmm\t100\t1\t3\n"
         "Frame#\tTime\tA\t\t\tB\t\t\n"
         "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
         "\n"
         "1\t0.00\t1.5\t2.5\t3.5\t4\t5\t6\n"
         "2\t0.01\t1.5e+1\t-2.5\t3.5\t\t\t\n"
         "3\t0.02\tNaN\tNaN\tNaN\t7\t8\t9\n";
}

namespace {

std::string At(const char* what, std::int64_t frame, std::int64_t item) {
  return std::string(what) + " of frame " + std::to_string(frame) + ", item " +
         std::to_string(item);
}

std::string SampleDifference(const MarkerTake& a, const MarkerTake& b) {
  for (std::int64_t frame = 0; frame < a.num_frames(); ++frame) {
    for (int marker = 0; marker < a.num_markers(); ++marker) {
      if (a.IsVisible(frame, marker) != b.IsVisible(frame, marker)) {
        return At("visibility", frame, marker);
      }
      if (a.CameraMask(frame, marker) != b.CameraMask(frame, marker)) {
        return At("camera mask", frame, marker);
      }
      const double residual = a.Residual(frame, marker);
      if (std::fabs(residual - b.Residual(frame, marker)) > 1e-6 * residual) {
        return At("residual", frame, marker);
      }
      if (!a.IsVisible(frame, marker)) continue;
      if (a.Position(frame, marker) != b.Position(frame, marker)) {
        return At("position", frame, marker);
      }
    }
  }
  return {};
}

std::string AnalogDifference(const AnalogData& a, const AnalogData& b) {
  if (a.channels != b.channels) return "analog channels";
  if (a.samples_per_frame != b.samples_per_frame || a.rate_hz != b.rate_hz) {
    return "analog rate";
  }
  if (a.samples.size() != b.samples.size()) return "number of analog samples";
  double range = 0.0;
  for (double sample : a.samples) {
    if (std::isfinite(sample)) range = std::max(range, std::fabs(sample));
  }
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    const bool same_nan = std::isnan(a.samples[i]) && std::isnan(b.samples[i]);
    if (!same_nan &&
        !(std::fabs(a.samples[i] - b.samples[i]) <= 1e-12 * range)) {
      return "analog sample " + std::to_string(i);
    }
  }
  return {};
}

}  // namespace

std::string Difference(const MarkerTake& a, const MarkerTake& b) {
  if (a.labels() != b.labels()) return "labels";
  if (a.num_frames() != b.num_frames()) return "number of frames";
  if (a.rate_hz() != b.rate_hz()) return "rate";
  if (a.first_frame != b.first_frame) return "first frame";
  if (a.origin.unit != b.origin.unit) return "unit";
  if (a.origin.metres_per_unit != b.origin.metres_per_unit) return "unit";
  if (!(a.origin.axes == b.origin.axes)) return "axes";
  if (a.origin.interpolation_gap != b.origin.interpolation_gap) {
    return "interpolation gap";
  }
  for (int i = 0; i < a.num_markers(); ++i) {
    if (a.kind(i) != b.kind(i)) return "kind of point " + std::to_string(i);
  }
  std::string difference = SampleDifference(a, b);
  if (difference.empty()) difference = AnalogDifference(a.analog, b.analog);
  if (!difference.empty()) return difference;
  if (a.events.size() != b.events.size()) return "number of events";
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    TakeEvent event = b.events[i];
    // Times are floats in the file, as minutes and seconds.
    if (std::fabs(event.time_s - a.events[i].time_s) > 1e-5)
      return "event time";
    event.time_s = a.events[i].time_s;
    if (event != a.events[i]) return "event " + std::to_string(i);
  }
  return {};
}

std::string LostParameter(const Metadata& before, const Metadata& after) {
  const std::vector<std::string> follows_data = {
      "POINT:USED",   "POINT:FRAMES",
      "POINT:SCALE",  "POINT:DATA_START",
      "POINT:RATE",   "ANALOG:USED",
      "ANALOG:RATE",  "TRIAL:ACTUAL_START_FIELD",
      "POINT:LABELS", "TRIAL:ACTUAL_END_FIELD"};
  for (std::size_t g = 0; g < before.groups.size(); ++g) {
    const MetadataGroup& group = before.groups[g];
    if (g >= after.groups.size()) return group.name;
    const MetadataGroup& kept = after.groups[g];
    if (kept.name != group.name || kept.id != group.id ||
        kept.description != group.description || kept.locked != group.locked) {
      return "group " + group.name;
    }
    for (std::size_t p = 0; p < group.parameters.size(); ++p) {
      const MetadataParameter& parameter = group.parameters[p];
      const std::string name = group.name + ":" + parameter.name;
      if (p >= kept.parameters.size()) return name;
      if (kept.parameters[p] == parameter) continue;
      const bool may_change =
          kept.parameters[p].name == parameter.name &&
          std::ranges::find(follows_data, name) != follows_data.end();
      if (!may_change) return name;
    }
  }
  return {};
}

std::vector<std::string> WarningKinds(const Diagnostics& diagnostics) {
  std::vector<std::string> kinds;
  for (const Diagnostic& warning : diagnostics.warnings()) {
    kinds.push_back(warning.kind);
  }
  return kinds;
}

std::string OnlyFinding(const Result<MarkerTake>& result) {
  const std::vector<Diagnostic>& all = result.diagnostics().all();
  if (all.size() != 1) return "not one: " + result.diagnostics().ToString();
  return ToString(all[0]);
}

}  // namespace limber::mocap::test
