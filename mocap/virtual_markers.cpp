// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/virtual_markers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/clip_time.h"
#include "figure/pose.h"

namespace limber::mocap {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

/// Plug-in Gait's label of a CMU marker; empty where it has none.
std::string PlugInGaitLabel(const std::string& label) {
  static const std::map<std::string, std::string> labels = {
      {"RBAC", "RBAK"}, {"LFWT", "LASI"}, {"RFWT", "RASI"},
      {"LBWT", "LPSI"}, {"RBWT", "RPSI"}, {"LSHN", "LTIB"},
      {"RSHN", "RTIB"}, {"LMT5", ""},     {"RMT5", ""}};
  const auto found = labels.find(label);
  return found == labels.end() ? label : found->second;
}

void Check(const char* field, double value, bool good) {
  if (good) return;
  throw std::invalid_argument(std::string("TakeFaults: ") + field +
                              " is out of range: " + std::to_string(value));
}

/// A whole number in [0, count), the same for the same seed everywhere, which
/// the distributions of the standard library are not.
std::int64_t Draw(std::mt19937& random, std::int64_t count) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(random()) *
                                    static_cast<std::uint64_t>(count)) >>
                                   32);
}
/// In (0, 1).
double DrawShare(std::mt19937& random) {
  return (random() + 0.5) / 4294967296.0;
}

/// Normal with deviation 1 [Box & Muller 1958].
double DrawNormal(std::mt19937& random) {
  const double radius = std::sqrt(-2.0 * std::log(DrawShare(random)));
  return radius * std::cos(2.0 * kPi * DrawShare(random));
}

/// A random marker that is near `marker` at `frame`: one of the three nearest.
int Neighbour(const MarkerTake& take, std::int64_t frame, int marker,
              std::mt19937& random) {
  std::vector<std::pair<double, int>> others;
  for (int other = 0; other < take.num_markers(); ++other) {
    if (other == marker || !take.IsVisible(frame, other)) continue;
    others.emplace_back(
        (take.Position(frame, other) - take.Position(frame, marker)).norm(),
        other);
  }
  if (others.empty()) return -1;
  std::ranges::sort(others);
  const std::int64_t choice =
      std::min<std::int64_t>(3, static_cast<std::int64_t>(others.size()));
  return others[static_cast<std::size_t>(Draw(random, choice))].second;
}

void AddSwaps(const TakeFaults& faults, std::mt19937& random, MarkerTake& take,
              FaultReport& report) {
  if (take.num_markers() < 2 || take.num_frames() < 2) return;
  const auto half_second =
      std::max<std::int64_t>(1, FramesIn(0.5, take.rate_hz()));
  for (int i = 0; i < faults.swaps; ++i) {
    FaultReport::Swap swap;
    swap.first_frame = 1 + Draw(random, take.num_frames() - 1);
    swap.first = static_cast<int>(Draw(random, take.num_markers()));
    const std::int64_t rest = take.num_frames() - swap.first_frame;
    swap.num_frames = Draw(random, 2) == 0 ? rest : std::min(rest, half_second);
    if (!take.IsVisible(swap.first_frame, swap.first)) continue;
    swap.second = Neighbour(take, swap.first_frame, swap.first, random);
    if (swap.second < 0) continue;
    for (std::int64_t frame = swap.first_frame;
         frame < swap.first_frame + swap.num_frames; ++frame) {
      if (!take.IsVisible(frame, swap.first) ||
          !take.IsVisible(frame, swap.second)) {
        continue;
      }
      const Vector3 p = take.Position(frame, swap.first);
      take.SetPosition(frame, swap.first, take.Position(frame, swap.second));
      take.SetPosition(frame, swap.second, p);
    }
    report.swaps.push_back(swap);
  }
}

void AddGaps(const TakeFaults& faults, std::mt19937& random, MarkerTake& take,
             FaultReport& report) {
  const std::int64_t num_frames = take.num_frames();
  if (num_frames == 0 || take.num_markers() == 0) return;
  const std::int64_t length = std::clamp<std::int64_t>(
      FramesIn(faults.gap_seconds, take.rate_hz()), 1, num_frames);
  const double samples = static_cast<double>(num_frames) * take.num_markers();
  const auto wanted =
      static_cast<std::int64_t>(std::llround(faults.gap_share * samples));
  // A gap that does not fit where it was drawn is drawn again, so often that
  // only a nearly full take ends the search.
  std::int64_t tries = 200 * (wanted / length + 1);
  while (report.missing_samples < wanted && tries-- > 0) {
    const int marker = static_cast<int>(Draw(random, take.num_markers()));
    const std::int64_t size = std::min(length, wanted - report.missing_samples);
    const std::int64_t first = Draw(random, num_frames - size + 1);
    bool fits = true;
    for (std::int64_t frame = std::max<std::int64_t>(0, first - 1);
         frame < std::min(num_frames, first + size + 1); ++frame) {
      fits = fits && take.IsVisible(frame, marker);
    }
    if (!fits) continue;
    for (std::int64_t frame = first; frame < first + size; ++frame) {
      take.SetMissing(frame, marker);
    }
    report.missing_samples += size;
  }
}

/// The take with `count` more points, all missing.
MarkerTake WithGhosts(const MarkerTake& take, int count) {
  std::vector<std::string> labels = take.labels();
  for (int i = 1; i <= count; ++i) labels.push_back("*" + std::to_string(i));
  MarkerTake wider(std::move(labels), take.num_frames(), take.rate_hz());
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      if (take.IsVisible(frame, marker)) {
        wider.SetPosition(frame, marker, take.Position(frame, marker));
      }
    }
  }
  wider.first_frame = take.first_frame;
  wider.start_time_s = take.start_time_s;
  wider.origin = take.origin;
  wider.analog = take.analog;
  wider.events = take.events;
  wider.metadata = take.metadata;
  return wider;
}

/// Each ghost hangs still, within half a metre of a marker, for 0.1 to 1.1 s.
void AddGhosts(const TakeFaults& faults, std::mt19937& random,
               MarkerTake& take) {
  if (faults.ghosts == 0 || take.num_markers() == 0 || take.num_frames() == 0)
    return;
  const int num_real = take.num_markers();
  take = WithGhosts(take, faults.ghosts);
  for (int ghost = num_real; ghost < take.num_markers(); ++ghost) {
    const std::int64_t first = Draw(random, take.num_frames());
    const auto length =
        FramesIn(0.1 + DrawShare(random), take.rate_hz(), Frames::kDown);
    const int near = static_cast<int>(Draw(random, num_real));
    if (!take.IsVisible(first, near)) continue;
    const Vector3 off(DrawShare(random) - 0.5, DrawShare(random) - 0.5,
                      DrawShare(random) - 0.5);
    const Vector3 p = take.Position(first, near) + off;
    for (std::int64_t frame = first;
         frame < std::min(take.num_frames(), first + length + 1); ++frame) {
      take.SetPosition(frame, ghost, p);
    }
  }
}

}  // namespace

const std::vector<std::string_view>& VirtualMarkerSets() {
  static const std::vector<std::string_view> sets = {"cmu41", "pig39"};
  return sets;
}

std::vector<figure::FigureSite> MarkerSitesOf(const figure::FigureModel& figure,
                                              std::string_view marker_set) {
  if (marker_set == "cmu41") return figure.markers;
  if (marker_set != "pig39") {
    throw std::invalid_argument("no marker set of the name \"" +
                                std::string(marker_set) + "\"");
  }
  std::vector<figure::FigureSite> sites;
  for (figure::FigureSite site : figure.markers) {
    site.name = PlugInGaitLabel(site.name);
    if (!site.name.empty()) sites.push_back(std::move(site));
  }
  return sites;
}

MarkerTake MakeVirtualTake(const figure::Motion& motion,
                           const std::vector<figure::FigureSite>& sites) {
  std::vector<std::string> labels;
  for (const figure::FigureSite& site : sites) {
    if (site.joint < 0 || site.joint >= motion.skeleton().num_joints()) {
      throw std::invalid_argument("marker \"" + site.name + "\": joint " +
                                  std::to_string(site.joint) +
                                  " is none of the clip's skeleton");
    }
    labels.push_back(site.name);
  }
  MarkerTake take(std::move(labels), motion.num_frames(), motion.rate_hz());
  figure::Pose pose;
  std::vector<Transform> X_WJ;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    figure::WorldTransforms(motion.skeleton(), pose, X_WJ);
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      const figure::FigureSite& site = sites[At(marker)];
      take.SetPosition(frame, marker, X_WJ[At(site.joint)] * site.offset);
    }
  }
  take.origin.unit = "mm";
  take.origin.metres_per_unit = 0.001;
  take.origin.axes = AxisConvention::ZUp();
  return take;
}

FaultReport AddFaults(const TakeFaults& faults, MarkerTake& take) {
  Check("noise", faults.noise,
        faults.noise >= 0.0 && std::isfinite(faults.noise));
  Check("gap_share", faults.gap_share,
        faults.gap_share >= 0.0 && faults.gap_share < 1.0);
  Check("gap_seconds", faults.gap_seconds,
        faults.gap_seconds > 0.0 && std::isfinite(faults.gap_seconds));
  Check("swaps", faults.swaps, faults.swaps >= 0);
  Check("ghosts", faults.ghosts, faults.ghosts >= 0 && faults.ghosts <= 10000);
  std::mt19937 random(faults.seed);
  FaultReport report;
  if (take.num_frames() == 0 || take.num_markers() == 0) return report;
  AddSwaps(faults, random, take, report);
  if (faults.noise > 0.0) {
    for (double& coordinate : take.positions()) {
      coordinate += faults.noise * DrawNormal(random);
    }
  }
  AddGaps(faults, random, take, report);
  AddGhosts(faults, random, take);
  return report;
}

}  // namespace limber::mocap
