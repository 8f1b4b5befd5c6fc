// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/tracks.h"

#include <algorithm>
#include <array>

namespace limber::app {

namespace {

/// What moves less against one another moves as one: a hundredth of what a
/// screen shows [m, rad].
constexpr double kSamePlace = 1e-5;
constexpr double kSameTurn = 1e-5;

bool IsSame(const Transform& a, const Transform& b) {
  return (a.p - b.p).norm() < kSamePlace && AngleBetween(a.R, b.R) < kSameTurn;
}

/// Some frames of all, the last among them: where two things part, they mostly
/// have parted there already.
std::array<std::size_t, 5> SomeOf(std::size_t frames) {
  const std::size_t last = frames - 1;
  return {last, last / 2, last / 3, last / 5, last / 7};
}

template <typename Holds>
bool HoldsInAll(std::size_t frames, Holds holds) {
  for (const std::size_t frame : SomeOf(frames)) {
    if (!holds(frame)) return false;
  }
  for (std::size_t frame = 0; frame < frames; ++frame) {
    if (!holds(frame)) return false;
  }
  return true;
}

class Finder {
 public:
  explicit Finder(const ShowSamples& samples) : samples_(samples) {}

  PartTracks Find() {
    for (std::size_t i = 0; i < samples_.parts.size(); ++i) Place(i);
    // Parents are looked for while all poses are those in the world.
    std::vector<int> parents;
    for (std::size_t t = 0; t < found_.tracks.size(); ++t) {
      parents.push_back(ParentOf(t));
    }
    for (std::size_t t = found_.tracks.size(); t-- > 0;) {
      if (parents[t] >= 0) HangOn(t, parents[t]);
    }
    return std::move(found_);
  }

 private:
  std::vector<FrameSpan> HiddenSpans(std::size_t part) const {
    std::vector<FrameSpan> spans;
    for (std::size_t k = 0; k < samples_.num_frames; ++k) {
      if (samples_.is_seen(k, part)) continue;
      if (!spans.empty() && spans.back().second == k) {
        ++spans.back().second;
      } else {
        spans.emplace_back(k, k + 1);
      }
    }
    return spans;
  }

  /// Puts a part on the track that moves as it does, or on a new one.
  void Place(std::size_t part) {
    const std::vector<FrameSpan> hidden = HiddenSpans(part);
    for (std::size_t t = 0; t < found_.tracks.size(); ++t) {
      // Only what belongs to one body is tried; all else moves by itself.
      if (samples_.parts[part].body < 0 ||
          body_[t] != samples_.parts[part].body ||
          found_.tracks[t].hidden != hidden) {
        continue;
      }
      const std::vector<Transform>& X_WT = found_.tracks[t].poses;
      const Transform X_TS = X_WT[0].Inverse() * samples_.pose(0, part);
      if (HoldsInAll(samples_.num_frames, [&](std::size_t k) {
            return IsSame(X_WT[k] * X_TS, samples_.pose(k, part));
          })) {
        found_.track_of_part.push_back(static_cast<int>(t));
        found_.X_TS.push_back(X_TS);
        return;
      }
    }
    PoseTrack& added = found_.tracks.emplace_back();
    for (std::size_t k = 0; k < samples_.num_frames; ++k) {
      added.poses.push_back(samples_.pose(k, part));
    }
    added.hidden = hidden;
    body_.push_back(samples_.parts[part].body);
    found_.track_of_part.push_back(static_cast<int>(body_.size()) - 1);
    found_.X_TS.emplace_back();
  }

  bool StandsStill(std::size_t t) const {
    const std::vector<Transform>& poses = found_.tracks[t].poses;
    return HoldsInAll(poses.size(), [&](std::size_t k) {
      return IsSame(poses[k], poses[0]);
    });
  }

  /// An earlier track on which `t` hangs by the origin of one of its parts,
  /// which then becomes the origin of `t`; -1 if there is none. What is hidden
  /// for a while hangs on nothing and carries nothing.
  int ParentOf(std::size_t t) {
    const PoseTrack& track = found_.tracks[t];
    if (!track.hidden.empty() || body_[t] < 0 || StandsStill(t)) return -1;
    for (std::size_t part = 0; part < found_.X_TS.size(); ++part) {
      if (found_.track_of_part[part] != static_cast<int>(t)) continue;
      const Transform X_TS = found_.X_TS[part];
      for (std::size_t c = 0; c < t; ++c) {
        if (!Carries(found_.tracks[c], track, X_TS.p) || body_[c] < 0) continue;
        MoveOrigin(t, X_TS);
        return static_cast<int>(c);
      }
    }
    return -1;
  }

  /// Whether the point `p_T` of `track` keeps its place in `candidate`.
  static bool Carries(const PoseTrack& candidate, const PoseTrack& track,
                      const Vector3& p_T) {
    if (!candidate.hidden.empty()) return false;
    const Vector3 p_C = candidate.poses[0].Inverse() * (track.poses[0] * p_T);
    return HoldsInAll(track.poses.size(), [&](std::size_t k) {
      return (candidate.poses[k] * p_C - track.poses[k] * p_T).norm() <
             kSamePlace;
    });
  }

  /// Puts the frame of a track where the frame N is, fixed in it.
  void MoveOrigin(std::size_t t, const Transform& X_TN) {
    for (Transform& X_WT : found_.tracks[t].poses) X_WT = X_WT * X_TN;
    for (std::size_t part = 0; part < found_.X_TS.size(); ++part) {
      if (found_.track_of_part[part] != static_cast<int>(t)) continue;
      found_.X_TS[part] = X_TN.Inverse() * found_.X_TS[part];
    }
  }

  void HangOn(std::size_t t, int parent) {
    PoseTrack& track = found_.tracks[t];
    const PoseTrack& of_parent =
        found_.tracks[static_cast<std::size_t>(parent)];
    track.parent = parent;
    for (std::size_t k = 0; k < track.poses.size(); ++k) {
      track.poses[k] = of_parent.poses[k].Inverse() * track.poses[k];
    }
    for (Transform& X : track.poses) X.p = track.poses[0].p;
  }

  const ShowSamples& samples_;
  std::vector<int> body_;  ///< The body that each track shows.
  PartTracks found_;
};

}  // namespace

std::vector<FrameSpan> SpansWithout(const std::vector<std::size_t>& frames,
                                    std::size_t num_frames) {
  std::vector<FrameSpan> spans;
  std::size_t after = 0;
  for (const std::size_t frame : frames) {
    if (frame > after) spans.emplace_back(after, frame);
    after = frame + 1;
  }
  if (after < num_frames) spans.emplace_back(after, num_frames);
  return spans;
}

PartTracks FindTracks(const ShowSamples& samples) {
  return Finder(samples).Find();
}

}  // namespace limber::app
