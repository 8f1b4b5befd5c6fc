// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Live markers: frames go in one by one, poses come out. See README.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "mocap/io/c3d.h"
#include "mocap/physical/physical_tracker.h"
#include "mocap/solve/calibrate.h"
#include "mocap/solve/tracker.h"

int main(int argc, char** argv) {
  using namespace limber;
  using namespace limber::mocap;
  std::string file;
  std::int64_t most_frames = INT64_MAX;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--frames=")) {
      most_frames = std::atoll(word.c_str() + 9);
    } else {
      file = word;
    }
  }
  if (file.empty()) {
    std::fprintf(stderr, "Use: live_markers TAKE.c3d [--frames=N]\n");
    return 2;
  }

  // What a recording session does once: who is it, and where are the markers?
  const auto fail = [](const Diagnostics& findings) {
    std::fprintf(stderr, "%s", findings.ToString().c_str());
    return 1;
  };
  const Result<MarkerTake> take = ReadC3d(file);
  if (!take.ok()) return fail(take.diagnostics());
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), *take, file, std::nullopt);
  if (!set.ok()) return fail(set.diagnostics());
  const Result<PreparedTake> prepared =
      PrepareTake(*take, *set->set, set->match, file);
  if (!prepared.ok()) return fail(prepared.diagnostics());
  const Result<Calibration> calibration = Calibrate(*prepared, nullptr, file);
  if (!calibration.ok()) return fail(calibration.diagnostics());
  const Actor& actor = calibration->actor;

  // From here on, frame by frame, as from a network: by both methods.
  MarkerTracker tracker(actor, take->rate_hz());
  PhysicalTracker figure(actor, take->rate_hz());
  std::printf("time [s], left knee [deg], error [mm], physical [deg], [mm]\n");
  const std::int64_t frames =
      std::min(most_frames, prepared->observed.num_frames());
  for (std::int64_t t = 0; t < frames; ++t) {
    const auto knee = [](const BodyPose& pose) {
      const Quaternion& R_PJ = pose.R_PJ[kLeftLowerLeg];
      return MeasureJoint(kLeftLowerLeg, R_PJ).flexion * 180 / kPi;
    };
    const MarkerTracker::Frame& a = tracker.Push(prepared->observed.frame(t));
    const PhysicalTracker::Frame& b = figure.Push(prepared->observed.frame(t));
    std::printf("%.3f, %.1f, %.1f, %.1f, %.1f\n", double(t) / take->rate_hz(),
                knee(a.pose), 1000 * a.rms, knee(b.pose), 1000 * b.rms);
  }
  return 0;
}
