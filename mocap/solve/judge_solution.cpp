// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/judge_solution.h"

#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "core/angle.h"

namespace limber::mocap {

namespace {

constexpr double kMm = 1000.0;

std::string Number(double value, int digits) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string Percent(double share) {
  return Number(100 * share, share < 0.1 ? 1 : 0) + " %";
}

/// Puts a doubt into the verdict where `is_beyond` holds.
class Judge {
 public:
  explicit Judge(Verdict& verdict) : verdict_(verdict) {}

  void Above(double value, double bound, const char* kind, std::string message,
             std::string advice = "", std::string unit = "") {
    if (value > bound) Add(value, bound, kind, message, advice, unit);
  }
  void Below(double value, double bound, const char* kind, std::string message,
             std::string advice = "", std::string unit = "") {
    if (value < bound) Add(value, bound, kind, message, advice, unit);
  }

 private:
  void Add(double value, double bound, const char* kind, std::string& message,
           std::string& advice, std::string& unit) {
    verdict_.Add({kind, std::move(message), std::move(advice), value, bound,
                  std::move(unit)});
  }

  Verdict& verdict_;
};

void JudgeBody(const SolutionMeasures& is, const VerdictBounds& bounds,
               Judge& judge) {
  const char* kUnit = "is the unit right (--unit), and the marker set?";
  const std::string tall = "the actor is " + Number(is.height, 2) + " m tall";
  judge.Above(is.height, bounds.most_height, "too-tall", tall, kUnit, "m");
  judge.Below(is.height, bounds.least_height, "too-small", tall, kUnit, "m");
  judge.Above(is.side_ratio, bounds.side_ratio, "sides-differ",
              "one " + is.side_bone + " is " + Percent(is.side_ratio - 1) +
                  " longer than the other",
              "are all labels on the right markers?");
  judge.Above(is.bone_ratio, bounds.bone_ratio, "odd-bone",
              "the " + is.odd_bone +
                  " is off its usual share of the height "
                  "by a factor of " +
                  Number(is.bone_ratio, 2),
              "are these the markers of one person, rightly labelled?");
}

void JudgePosture(const SolutionMeasures& is, const VerdictBounds& bounds,
                  Judge& judge) {
  const char* kUp = "--up says which axis of the file points up";
  judge.Above(is.head_down_share, bounds.head_down_share, "head-below-feet",
              "the head is below the feet in " + Percent(is.head_down_share) +
                  " of the frames",
              kUp);
  if (is.num_stance_frames >= bounds.stance_frames) {
    judge.Below(is.stance_up, bounds.stance_up, "not-upright",
                "the pelvis is not above the foot that stands (" +
                    Number(is.stance_up, 2) + " of the way is up)",
                kUp);
  }
  judge.Below(is.knees_apart, bounds.knees_apart, "legs-crossed",
              "the left knee is to the right of the right one",
              "are left and right the same on pelvis and legs?");
  judge.Above(is.under_floor_share, bounds.under_floor_share, "under-floor",
              "the whole body is below height 0 in " +
                  Percent(is.under_floor_share) + " of the frames",
              "--up turns a take that hangs, --floor found moves one whose "
              "origin is not on the floor");
  judge.Above(is.sunk_share, bounds.sunk_share, "feet-under-floor",
              "a sole is 10 cm or more under the floor in " +
                  Percent(is.sunk_share) + " of the frames");
  judge.Above(
      is.flying_share, bounds.flying_share, "flying",
      "the body flies in " + Percent(is.flying_share) + " of the frames");
}

void JudgeMarkers(const SolutionMeasures& is, const VerdictBounds& bounds,
                  Judge& judge) {
  const char* kLabels =
      "wrong marker set (--marker-set), wrong labels, or several people?";
  judge.Above(
      kMm * is.rms, kMm * bounds.rms, "markers-off",
      "the body misses the markers by " + Number(kMm * is.rms, 1) + " mm RMS",
      kLabels, "mm");
  judge.Above(kMm * is.segment_rms, kMm * bounds.segment_rms, "segment-off",
              "the markers of the " +
                  std::string(Body()[is.worst_segment].name) + " are " +
                  Number(kMm * is.segment_rms, 1) + " mm RMS off",
              kLabels, "mm");
  judge.Above(is.misplaced_share, bounds.misplaced_share, "misplaced-markers",
              Percent(is.misplaced_share) +
                  " of the markers sit far from where the set has them (" +
                  is.misplaced + ")",
              kLabels);
  judge.Above(Degrees(is.most_open), Degrees(bounds.most_open), "open-bend",
              "bodies that explain the markers as well bend " +
                  std::string(Body()[is.open_joint].joint) + " otherwise, by " +
                  Number(Degrees(is.most_open), 0) + " degrees",
              "--static gives a standing pose; do labels change hands?", "deg");
  judge.Above(is.left_out_share, bounds.left_out_share, "tracks-left-out",
              Percent(is.left_out_share) +
                  " of the tracks were given to no part of the body",
              "labels that say what they are on, or --marker-set");
  judge.Below(is.used_share, bounds.used_share, "markers-rejected",
              "only " + Percent(is.used_share) + " of the samples fit the body",
              kLabels);
  judge.Below(is.seen_share, bounds.seen_share, "mostly-gaps",
              "only " + Percent(is.seen_share) + " of the samples are there");
  judge.Above(is.hidden_share, bounds.hidden_share, "hidden-limbs",
              Percent(is.hidden_share) +
                  " of the segments have no marker when they should: the body "
                  "is guessed there");
  judge.Above(is.outside_share, bounds.outside_share, "out-of-view",
              Percent(is.outside_share) +
                  " of the frames show less than half of the body");
  judge.Above(kMm * is.unsettled_rms, kMm * bounds.unsettled_rms,
              "calibration-unfinished",
              "the calibration did not settle and misses by " +
                  Number(kMm * is.unsettled_rms, 1) + " mm",
              "--static gives it a standing pose", "mm");
}

void JudgeMotion(const SolutionMeasures& is, const VerdictBounds& bounds,
                 Judge& judge) {
  judge.Above(is.beyond_share, bounds.beyond_share, "joint-beyond-range",
              std::string(Body()[is.beyond_joint].joint) +
                  " is bent farther than people can in " +
                  Percent(is.beyond_share) + " of the frames",
              "are left and right, and the marker set, the right ones?");
  judge.Above(is.still_share, bounds.still_share, "frozen",
              "the points repeat those of the frame before in " +
                  Percent(is.still_share) + " of the frames");
  judge.Above(is.jump_share, bounds.jump_share, "leaps",
              "a joint leaps in " + Percent(is.jump_share) + " of the frames",
              "do tracks change hands, or is the rate wrong?");
  judge.Above(is.fastest, bounds.fastest, "too-fast",
              "all markers together go at " + Number(is.fastest, 0) +
                  " m/s from one frame to the next",
              "do the labels pass from one person to another, or is the rate "
              "wrong?",
              "m/s");
}

}  // namespace

Verdict JudgeMeasures(const SolutionMeasures& measures,
                      const VerdictBounds& bounds) {
  Verdict verdict;
  Judge judge(verdict);
  JudgePosture(measures, bounds, judge);
  JudgeBody(measures, bounds, judge);
  JudgeMarkers(measures, bounds, judge);
  JudgeMotion(measures, bounds, judge);
  return verdict;
}

Verdict JudgeSolution(const PreparedTake& take, const Calibration& calibration,
                      const TakeSolution& solution) {
  return JudgeMeasures(MeasureSolution(take, calibration, solution));
}

}  // namespace limber::mocap
