// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/return_tracks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mocap/solve/marker_set.h"

namespace limber::mocap {

namespace {

/// An exchange shortens the ways of two points from where they were about to
/// be by more than this [m], and to less than half.
constexpr double kShortens = 0.03;
/// While a point is not seen it may go anywhere at this speed [m/s].
constexpr double kWanders = 1.0;
/// Points of longer ago than this say nothing about now [s].
constexpr double kForgets = 0.25;

/// A track on its way through the take.
struct Track {
  int column = 0;          ///< Under whose label it is now.
  std::int64_t last = -1;  ///< The frame in which it was seen last.
  Vector3 p = Vector3::Zero();
  Vector3 step = Vector3::Zero();  ///< From the frame before; zero if not seen.
  std::map<int, std::int64_t> frames;  ///< Seen under each label.
};

/// The columns of all tracks from a frame on.
struct Holding {
  std::int64_t begin = 0;
  std::vector<int> columns;
};

class Follower {
 public:
  explicit Follower(const MarkerTake& take) : take_(take) {
    for (int m = 0; m < take.num_markers(); ++m) {
      if (take.kind(m) == PointKind::kMarker &&
          !IsUnlabelled(take.labels()[m])) {
        tracks_.emplace_back().column = m;
      }
    }
  }

  /// Who holds whose points; one entry if nobody ever changes.
  std::vector<Holding> Run() {
    std::vector<Holding> holdings = {{0, Columns()}};
    for (std::int64_t t = 0; t < take_.num_frames(); ++t) {
      if (ExchangeAt(t)) holdings.push_back({t, Columns()});
      for (Track& track : tracks_) Advance(t, track);
    }
    return holdings;
  }

  /// The label of each track: that under which most of its frames are.
  std::vector<int> Labels() const {
    struct Claim {
      std::int64_t frames;
      std::size_t track;
      int column;
    };
    std::vector<Claim> claims;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      for (const auto& [column, frames] : tracks_[i].frames) {
        claims.push_back({frames, i, column});
      }
    }
    std::ranges::stable_sort(claims, std::ranges::greater{}, &Claim::frames);
    std::vector<int> labels(tracks_.size(), -1);
    std::set<int> taken;
    for (const Claim& claim : claims) {
      if (labels[claim.track] >= 0 || taken.contains(claim.column)) continue;
      labels[claim.track] = claim.column;
      taken.insert(claim.column);
    }
    // What is left over keeps the order of the take.
    std::vector<int> free;
    for (const int column : Columns()) {
      if (!taken.contains(column)) free.push_back(column);
    }
    std::ranges::sort(free);
    std::size_t next = 0;
    for (int& label : labels) {
      if (label < 0) label = free[next++];
    }
    return labels;
  }

 private:
  std::vector<int> Columns() const {
    std::vector<int> columns;
    for (const Track& track : tracks_) columns.push_back(track.column);
    return columns;
  }

  /// How far a column's point is from where a track was about to be.
  double Way(const Track& track, int column, std::int64_t t) const {
    return (take_.Position(t, column) - track.p - track.step).norm();
  }

  /// Exchanges tracks that have each other's points, the surest pair first.
  bool ExchangeAt(std::int64_t t) {
    std::vector<Track*> suspects;
    for (Track& track : tracks_) {
      const double gone = double(t - track.last) / take_.rate_hz();
      if (track.last >= 0 && gone <= kForgets &&
          take_.IsVisible(t, track.column) &&
          Way(track, track.column, t) > 0.5 * kShortens) {
        suspects.push_back(&track);
      }
    }
    bool any = false;
    while (ExchangeBest(suspects, t)) any = true;
    return any;
  }

  bool ExchangeBest(const std::vector<Track*>& suspects, std::int64_t t) {
    double most = 0.0;
    std::pair<Track*, Track*> best;
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      for (std::size_t k = i + 1; k < suspects.size(); ++k) {
        Track& a = *suspects[i];
        Track& b = *suspects[k];
        const double stays = Way(a, a.column, t) + Way(b, b.column, t);
        const double crosses = Way(a, b.column, t) + Way(b, a.column, t);
        const double gone =
            double(t - std::min(a.last, b.last) - 1) / take_.rate_hz();
        const double shortened = stays - crosses;
        if (crosses < 0.5 * stays && shortened > kShortens + kWanders * gone &&
            shortened > most) {
          most = shortened;
          best = {&a, &b};
        }
      }
    }
    if (best.first == nullptr) return false;
    std::swap(best.first->column, best.second->column);
    return true;
  }

  void Advance(std::int64_t t, Track& track) const {
    if (!take_.IsVisible(t, track.column)) return;
    const Vector3 p = take_.Position(t, track.column);
    track.step = track.last + 1 == t ? Vector3(p - track.p) : Vector3::Zero();
    track.p = p;
    track.last = t;
    ++track.frames[track.column];
  }

  const MarkerTake& take_;
  std::vector<Track> tracks_;
};

/// Frames in which a label has the points of another.
struct Run {
  int label = 0;
  int column = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

void Tell(const MarkerTake& take, const std::vector<Run>& runs,
          Diagnostics& diagnostics) {
  for (const Run& run : runs) {
    const auto is_mutual = [&run](const Run& other) {
      return other.label == run.column && other.column == run.label &&
             other.begin == run.begin && other.end == run.end;
    };
    const bool mutual = std::ranges::any_of(runs, is_mutual);
    if (mutual && run.column < run.label) continue;
    const std::string frames = " in frames " + std::to_string(run.begin) +
                               " to " + std::to_string(run.end - 1);
    const std::string& label = take.labels()[run.label];
    const std::string& other = take.labels()[run.column];
    diagnostics.Warning("tracks-exchanged", {},
                        mutual ? label + " and " + other +
                                     " have each other's points" + frames +
                                     "; changed back"
                               : other + " has the points of " + label +
                                     frames + "; changed back");
  }
}

/// Gives the tracks their labels in the frames of one holding.
void Rename(const MarkerTake& before, const std::vector<int>& labels,
            const Holding& holding, std::int64_t end, MarkerTake& take) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int column = holding.columns[i];
    if (column == labels[i]) continue;
    for (std::int64_t t = holding.begin; t < end; ++t) {
      if (before.IsVisible(t, column)) {
        take.SetPosition(t, labels[i], before.Position(t, column));
      } else {
        take.SetMissing(t, labels[i]);
      }
    }
  }
}

}  // namespace

void ReturnTracks(MarkerTake& take, Diagnostics& diagnostics) {
  Follower follower(take);
  const std::vector<Holding> holdings = follower.Run();
  if (holdings.size() == 1) return;
  const std::vector<int> labels = follower.Labels();
  const MarkerTake before = take;
  std::vector<Run> runs;
  for (std::size_t k = 0; k < holdings.size(); ++k) {
    const std::int64_t end =
        k + 1 < holdings.size() ? holdings[k + 1].begin : take.num_frames();
    Rename(before, labels, holdings[k], end, take);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const int column = holdings[k].columns[i];
      if (column == labels[i]) continue;
      // A run that goes on.
      const auto open = std::ranges::find_if(runs, [&](const Run& run) {
        return run.label == labels[i] && run.column == column &&
               run.end == holdings[k].begin;
      });
      if (open != runs.end()) {
        open->end = end;
      } else {
        runs.push_back({labels[i], column, holdings[k].begin, end});
      }
    }
  }
  Tell(take, runs, diagnostics);
}

}  // namespace limber::mocap
