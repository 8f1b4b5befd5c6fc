// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes broken on purpose: a solve that comes out wrong must say so. What is
// wrong is measured against the solve of the unbroken take, never read from a
// message.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "mocap/solve/identify.h"
#include "mocap/solve/judge_solution.h"
#include "mocap/solve/marker_set.h"
#include "tests/mocap/solve/relabel.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

struct Solved {
  PreparedTake take;
  Calibration calibration;
  TakeSolution solution;
  SolutionMeasures measures;
  Verdict verdict;
  bool is_mirrored = false;  ///< Left and right were exchanged in the labels.
};

/// A take solved as the program does it: without `set` the labels, the motion
/// and the shape decide, a set that is given is taken at its word. Nothing
/// where the take is refused, which is never a wrong answer.
std::optional<Solved> Solve(const MarkerTake& take,
                            const std::optional<MarkerSet>& set = {}) {
  const bool is_given = set.has_value();
  const std::vector<MarkerSet> sets =
      is_given ? std::vector{*set} : BuiltInMarkerSets();
  Solved solved;
  const Result<Identification> found = IdentifyMarkers(
      sets, take, "take", {.words = !is_given, .motion = !is_given});
  if (!found.ok()) return std::nullopt;
  solved.is_mirrored = found->sides_exchanged;
  const Result<PreparedTake> prepared =
      PrepareTake(take, found->set, found->match, "take");
  if (!prepared.ok()) return std::nullopt;
  solved.take = *prepared;
  const Result<Calibration> calibration =
      Calibrate(solved.take, nullptr, "take");
  if (!calibration.ok()) return std::nullopt;
  solved.calibration = *calibration;
  solved.solution = SolveTake(solved.take, &take, solved.calibration.actor, {});
  solved.measures =
      MeasureSolution(solved.take, solved.calibration, solved.solution);
  solved.verdict = JudgeMeasures(solved.measures);
  return solved;
}

/// Joints that both bodies move, over all frames.
struct JointTracks {
  std::vector<Vector3> a;
  std::vector<Vector3> b;
};
/// Frames of which `a` says that the person is not in view do not count.
/// `mirrored`: of the image of `b` in a mirror, whose left is its right.
JointTracks CommonJoints(const Solved& a, const Solved& b, bool mirrored) {
  JointTracks tracks;
  BodyKinematics ka;
  BodyKinematics kb;
  const std::size_t frames =
      std::min(a.solution.poses.size(), b.solution.poses.size());
  for (std::size_t t = 0; t < frames; ++t) {
    const auto is_here = [&](const FrameRun& run) {
      return std::int64_t(t) >= run.begin && std::int64_t(t) < run.end;
    };
    if (std::ranges::any_of(a.measures.outside, is_here)) continue;
    ka.Update(a.calibration.actor.p_PJ, a.solution.poses[t]);
    kb.Update(b.calibration.actor.p_PJ, b.solution.poses[t]);
    for (int j = 0; j < kNumSegments; ++j) {
      const int k = mirrored ? Body()[j].mirror : j;
      if (!a.calibration.actor.moves[j] || !b.calibration.actor.moves[k]) {
        continue;
      }
      const Vector3& p = kb.p_WJ[k];
      tracks.a.push_back(ka.p_WJ[j]);
      tracks.b.push_back(mirrored ? Vector3(-p.x(), p.y(), p.z()) : p);
    }
  }
  return tracks;
}

/// RMS over joints and frames of the distance between two solutions, after the
/// best turn about the vertical and the best shift in the plane: which way is
/// forward in a room nobody knows [m].
double Distance(const Solved& a, const Solved& b, bool mirrored = false) {
  JointTracks tracks = CommonJoints(a, b, mirrored);
  const auto centre = [](std::vector<Vector3>& points) {
    Vector3 mean = Vector3::Zero();
    for (const Vector3& p : points) mean += p;
    mean /= double(points.size());
    for (Vector3& p : points) p -= Vector3(mean.x(), 0, mean.z());
  };
  centre(tracks.a);
  centre(tracks.b);
  double along = 0.0;
  double across = 0.0;
  for (std::size_t i = 0; i < tracks.a.size(); ++i) {
    const Vector3& p = tracks.a[i];
    const Vector3& q = tracks.b[i];
    along += p.x() * q.x() + p.z() * q.z();
    across += p.z() * q.x() - p.x() * q.z();
  }
  const Quaternion turn = ExpRotation({0, std::atan2(across, along), 0});
  double sum = 0.0;
  for (std::size_t i = 0; i < tracks.a.size(); ++i) {
    sum += (turn * tracks.a[i] - tracks.b[i]).squaredNorm();
  }
  return std::sqrt(sum / double(tracks.a.size()));
}

void Print(const std::string& name, const Solved& solved, double distance) {
  const SolutionMeasures& m = solved.measures;
  std::printf(
      "%-46s off %5.0f mm | h %.2f down %.2f up %.2f (%.0f) under %.2f sunk "
      "%.3f fly %.2f side %.2f bone %.2f %s | rms %.1f seg %.1f %s mis %.2f "
      "used %.2f seen %.2f hidden %.2f outside %.2f | beyond %.2f %s still "
      "%.2f "
      "jump %.3f fastest %.1f "
      "cal %d | %s\n",
      name.c_str(), 1000 * distance, m.height, m.head_down_share, m.stance_up,
      m.num_stance_frames, m.under_floor_share, m.sunk_share, m.flying_share,
      m.side_ratio, m.bone_ratio, m.odd_bone.c_str(), 1000 * m.rms,
      1000 * m.segment_rms, std::string(Body()[m.worst_segment].name).c_str(),
      m.misplaced_share, m.used_share, m.seen_share, m.hidden_share,
      m.outside_share, m.beyond_share,
      std::string(Body()[m.beyond_joint].joint).c_str(), m.still_share,
      m.jump_share, m.fastest, m.unsettled_rms > 0 ? 0 : 1,
      std::string(solved.verdict.word()).c_str());
}

const std::vector<std::string>& GoodTakes() {
  static const std::vector<std::string> takes = {
      "cmu/02/02_01.c3d",
      "cmu/07/07_01.c3d",
      "cmu/16/16_07.c3d",
      "cmu/85/85_02.c3d",
      "opensim/arnold-synthetic/subject01/markers.trc",
      "opensim/gait2354/subject01_walk1.trc",
      "c3d-zoo/kinematics_tennis_serve.c3d",
      "c3d-zoo/mocap36.c3d",
      "c3d-zoo/pig_Movement_trial.c3d",
      "c3d-zoo/pig_Static_trial.c3d",
      "c3d-zoo/walking5.c3d",
      "trc-zoo/T.trc"};
  return takes;
}

TEST(BrokenTakes, GoodTakesLookRight) {
  LIMBER_NEEDS_REAL_DATA();
  for (const std::string& name : GoodTakes()) {
    const std::optional<Solved> solved = Solve(ReadRealTake(name));
    ASSERT_TRUE(solved) << name;
    Print(name, *solved, 0);
    EXPECT_TRUE(solved->verdict.looks_right())
        << name << ": " << solved->verdict.ToString();
  }
}

/// A copy of the take in which every seen sample is moved by `move`.
MarkerTake Moved(const MarkerTake& take,
                 const std::function<Vector3(const Vector3&)>& move) {
  MarkerTake moved = take;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      if (take.IsVisible(t, m)) {
        moved.SetPosition(t, m, move(take.Position(t, m)));
      }
    }
  }
  return moved;
}

/// Copies sample (from_t, from_m) of `from` to (t, m) of `to`, or its absence.
void Copy(const MarkerTake& from, std::int64_t from_t, int from_m,
          MarkerTake& to, std::int64_t t, int m) {
  if (from.IsVisible(from_t, from_m)) {
    to.SetPosition(t, m, from.Position(from_t, from_m));
  } else {
    to.SetMissing(t, m);
  }
}

MarkerTake Frozen(const MarkerTake& take, int every_nth_marker) {
  MarkerTake frozen = take;
  const std::int64_t at = take.num_frames() / 2;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); m += every_nth_marker) {
      Copy(take, at, m, frozen, t, m);
    }
  }
  return frozen;
}

MarkerTake WithGaps(const MarkerTake& take, double share, bool in_runs) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  MarkerTake gappy = take;
  for (int m = 0; m < take.num_markers(); ++m) {
    const double begin = uniform(random) * share;
    for (std::int64_t t = 0; t < take.num_frames(); ++t) {
      const double at = double(t) / double(take.num_frames());
      const bool is_gap = in_runs ? at < begin || at > begin + 1 - share
                                  : uniform(random) < share;
      if (is_gap) gappy.SetMissing(t, m);
    }
  }
  return gappy;
}

/// The labels dealt out anew; those of points that are no markers stay.
MarkerTake Relabelled(const MarkerTake& take,
                      const std::function<std::string(int)>& label_of) {
  MarkerTake relabelled = take;
  for (int m = 0; m < take.num_markers(); ++m) {
    relabelled.SetLabel(m, label_of(m));
  }
  return relabelled;
}

MarkerTake Shuffled(const MarkerTake& take, unsigned seed, double share) {
  std::mt19937 random(seed);
  std::vector<int> chosen;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (std::uniform_real_distribution<double>(0, 1)(random) < share) {
      chosen.push_back(m);
    }
  }
  std::vector<int> order = chosen;
  std::ranges::shuffle(order, random);
  std::vector<std::string> labels = take.labels();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    labels[chosen[i]] = take.labels()[order[i]];
  }
  return Relabelled(take, [&](int m) { return labels[m]; });
}

/// Left labels become right ones and the other way round, where both are
/// there.
MarkerTake SidesExchanged(const MarkerTake& take) {
  return Relabelled(take, [&](int m) -> std::string {
    const std::string& label = take.labels()[m];
    const std::size_t colon = label.rfind(':');
    const std::size_t at = colon == std::string::npos ? 0 : colon + 1;
    for (std::size_t i = at; i < label.size(); ++i) {
      std::string other = label;
      if (label[i] == 'L') other[i] = 'R';
      if (label[i] == 'R') other[i] = 'L';
      if (other != label && take.FindMarker(other)) return other;
    }
    return label;
  });
}

/// Every marker whose index has the remainder is taken from `other`, which is
/// moved so that its first frame lies where that of `take` does.
MarkerTake Mixed(const MarkerTake& take, const MarkerTake& other,
                 const std::function<bool(int)>& from_other) {
  const auto centre = [](const MarkerTake& of) {
    Vector3 sum = Vector3::Zero();
    int count = 0;
    for (int m = 0; m < of.num_markers(); ++m) {
      if (!of.IsVisible(of.num_frames() / 2, m)) continue;
      sum += of.Position(of.num_frames() / 2, m);
      ++count;
    }
    return Vector3(sum / count);
  };
  const Vector3 shift = centre(take) - centre(other);
  MarkerTake mixed = take;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (!from_other(m)) continue;
    int column = -1;
    for (int c = 0; c < other.num_markers(); ++c) {
      if (PlainLabel(other.labels()[c]) == PlainLabel(take.labels()[m])) {
        column = c;
      }
    }
    if (column < 0) continue;
    for (std::int64_t t = 0; t < take.num_frames(); ++t) {
      Copy(other, t % other.num_frames(), column, mixed, t, m);
      if (mixed.IsVisible(t, m)) {
        mixed.SetPosition(t, m, mixed.Position(t, m) + shift);
      }
    }
  }
  return mixed;
}

/// The markers of one segment get labels of another, and the other way round.
MarkerTake LabelsExchanged(const MarkerTake& take, int segment, int other) {
  const Identification found =
      IdentifyMarkers(BuiltInMarkerSets(), take, "take", {.motion = false})
          .value();
  std::vector<int> some;
  std::vector<int> others;
  for (std::size_t i = 0; i < found.set.markers.size(); ++i) {
    const int column = found.match.columns[i];
    if (column < 0) continue;
    if (found.set.markers[i].segment == segment) some.push_back(column);
    if (found.set.markers[i].segment == other) others.push_back(column);
  }
  std::vector<std::string> labels = take.labels();
  for (std::size_t i = 0; i < std::min(some.size(), others.size()); ++i) {
    std::swap(labels[std::size_t(some[i])], labels[std::size_t(others[i])]);
  }
  return Relabelled(take, [&](int m) { return labels[std::size_t(m)]; });
}

/// The first `num_frames` of a take that begins anew when it ends.
MarkerTake Repeated(const MarkerTake& take, std::int64_t num_frames) {
  MarkerTake repeated(take.labels(), num_frames, take.rate_hz());
  repeated.origin = take.origin;
  for (std::int64_t t = 0; t < num_frames; ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      Copy(take, t % take.num_frames(), m, repeated, t, m);
    }
  }
  return repeated;
}

/// Two people a metre apart whose labels do not tell them apart.
MarkerTake Merged(const MarkerTake& take, const MarkerTake& other) {
  std::vector<std::string> labels;
  for (const std::string& label : take.labels()) labels.push_back(label);
  for (const std::string& label : other.labels()) labels.push_back(label);
  MarkerTake merged(labels, take.num_frames(), take.rate_hz());
  merged.origin = take.origin;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      Copy(take, t, m, merged, t, m);
    }
    for (int m = 0; m < other.num_markers(); ++m) {
      const int column = take.num_markers() + m;
      Copy(other, t % other.num_frames(), m, merged, t, column);
      if (!merged.IsVisible(t, column)) continue;
      merged.SetPosition(t, column,
                         merged.Position(t, column) + Vector3(1, 0, 0));
    }
  }
  return merged;
}

/// The labels of one person are those of another from the middle on.
MarkerTake Continued(const MarkerTake& take, const MarkerTake& other) {
  const MarkerTake mixed = Mixed(take, other, [](int) { return true; });
  MarkerTake continued = take;
  for (std::int64_t t = take.num_frames() / 2; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      Copy(mixed, t, m, continued, t, m);
    }
  }
  return continued;
}

MarkerTake FramesShuffled(const MarkerTake& take) {
  std::mt19937 random(5);
  std::vector<std::int64_t> order;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) order.push_back(t);
  std::ranges::shuffle(order, random);
  MarkerTake shuffled = take;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      Copy(take, order[t], m, shuffled, t, m);
    }
  }
  return shuffled;
}

/// The left half of the labels lags behind by a third of a second.
MarkerTake LeftLagging(const MarkerTake& take) {
  const auto lag = std::int64_t(take.rate_hz() / 3);
  MarkerTake lagging = take;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (PlainLabel(take.labels()[m]).front() != 'L') continue;
    for (std::int64_t t = 0; t < take.num_frames(); ++t) {
      Copy(take, std::max<std::int64_t>(0, t - lag), m, lagging, t, m);
    }
  }
  return lagging;
}

MarkerTake Noisy(const MarkerTake& take, double sigma) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal(0, sigma);
  return Moved(take, [&](const Vector3& p) {
    return Vector3(p + Vector3(normal(random), normal(random), normal(random)));
  });
}

struct Break {
  std::string name;
  MarkerTake take;
  std::optional<MarkerSet> set = {};  ///< Forced upon it.
  /// The mirror image of a person is a person as well, whose left side wears
  /// the labels of the right one.
  bool is_mirror_image = false;
  /// Somebody else in the take, who may be found instead.
  std::optional<MarkerTake> other = {};
};

std::vector<Break> AllBreaks(const MarkerTake& take, const MarkerTake& other,
                             const std::string& set_name) {
  std::vector<Break> breaks;
  const auto add = [&](std::string name, MarkerTake broken) {
    breaks.push_back({std::move(name), std::move(broken)});
  };
  for (const MarkerSet& set : BuiltInMarkerSets()) {
    if (set.name != set_name) breaks.push_back({set.name, take, set});
    if (set.name != set_name) continue;
    // A set of the same labels that sit elsewhere.
    MarkerSet rotated = set;
    const std::size_t count = set.markers.size();
    for (std::size_t i = 0; i < count; ++i) {
      rotated.markers[i].segment = set.markers[(i + 1) % count].segment;
      rotated.markers[i].at = set.markers[(i + 1) % count].at;
    }
    breaks.push_back({"set moved by one", take, rotated});
  }
  add("mirrored", Moved(take, [](const Vector3& p) {
        return Vector3(-p.x(), p.y(), p.z());
      }));
  breaks.back().is_mirror_image = true;
  add("upside down", Moved(take, [](const Vector3& p) {
        return Vector3(p.x(), -p.y(), -p.z());
      }));
  add("on its back", Moved(take, [](const Vector3& p) {
        return Vector3(p.x(), p.z(), -p.y());
      }));
  add("on its side", Moved(take, [](const Vector3& p) {
        return Vector3(-p.y(), p.x(), p.z());
      }));
  for (const double factor : {0.3, 0.5, 2.0, 1000.0, 0.001}) {
    add("times " + std::to_string(factor),
        Moved(take, [&](const Vector3& p) { return Vector3(factor * p); }));
  }
  add("frozen", Frozen(take, 1));
  add("every second marker frozen", Frozen(take, 2));
  add("every fifth marker frozen", Frozen(take, 5));
  add("90 % gaps", WithGaps(take, 0.9, false));
  add("90 % gaps in runs", WithGaps(take, 0.9, true));
  add("80 % gaps", WithGaps(take, 0.8, false));
  add("60 % gaps", WithGaps(take, 0.6, false));
  for (const double share : {0.7, 0.6, 0.5, 0.4, 0.3}) {
    add("gaps in runs " + std::to_string(share), WithGaps(take, share, true));
  }
  add("labels shuffled", Shuffled(take, 1, 1));
  add("labels shuffled again", Shuffled(take, 2, 1));
  add("half of the labels shuffled", Shuffled(take, 3, 0.5));
  add("a fifth of the labels shuffled", Shuffled(take, 4, 0.2));
  add("thighs called hands", LabelsExchanged(take, kLeftUpperLeg, kLeftHand));
  add("feet called heads", LabelsExchanged(take, kRightFoot, kHead));
  add("sides exchanged", SidesExchanged(take));
  add("every second marker of another",
      Mixed(take, other, [](int m) { return m % 2 == 0; }));
  add("half of the markers of another",
      Mixed(take, other, [&](int m) { return 2 * m < take.num_markers(); }));
  add("left half of another", Mixed(take, other, [&](int m) {
        return PlainLabel(take.labels()[m]).front() == 'L';
      }));
  add("two people merged", Merged(take, other));
  breaks.back().other = Repeated(other, take.num_frames());
  add("another person in the second half", Continued(take, other));
  add("frames shuffled", FramesShuffled(take));
  add("left side lagging", LeftLagging(take));
  add("50 mm of noise", Noisy(take, 0.05));
  return breaks;
}

class Broken
    : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Broken, NeverLooksRightWithAWrongBody) {
  LIMBER_NEEDS_REAL_DATA();
  const auto& [name, other] = GetParam();
  const MarkerTake take = ReadRealTake(name);
  const std::optional<Solved> truth = Solve(take);
  ASSERT_TRUE(truth);
  const std::string set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, name, std::nullopt)
          ->set->name;
  for (const Break& broken : AllBreaks(take, ReadRealTake(other), set)) {
    const std::optional<Solved> solved = Solve(broken.take, broken.set);
    if (!solved) {
      std::printf("%-46s refused\n", broken.name.c_str());
      continue;
    }
    double off = Distance(*solved, *truth,
                          broken.is_mirror_image && solved->is_mirrored);
    if (broken.other) {
      const std::optional<Solved> other = Solve(*broken.other);
      if (other) off = std::min(off, Distance(*solved, *other));
    }
    Print(broken.name, *solved, off);
    // A solved joint is usually within 3 cm of the true one, whatever the set.
    constexpr double kWrong = 0.03;
    if (off > kWrong) {
      EXPECT_FALSE(solved->verdict.looks_right())
          << name << ", " << broken.name << ": " << 1000 * off
          << " mm off the truth";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    Takes, Broken,
    testing::Values(std::pair{"cmu/02/02_01.c3d", "cmu/07/07_01.c3d"},
                    std::pair{"cmu/85/85_02.c3d", "cmu/02/02_01.c3d"},
                    std::pair{"c3d-zoo/kinematics_tennis_serve.c3d",
                              "c3d-zoo/pig_Movement_trial.c3d"},
                    std::pair{
                        "opensim/gait2354/subject01_walk1.trc",
                        "opensim/arnold-synthetic/subject01/markers.trc"}));

}  // namespace
}  // namespace limber::test
