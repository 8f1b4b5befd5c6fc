// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/proportions.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace limber::mocap {

namespace {

using figure::Joint;
using figure::Site;
using figure::Skeleton;

constexpr std::array<std::pair<std::string_view, BodyLength>, 13> kNames = {
    {{"all", BodyLength::kAll},
     {"legs", BodyLength::kLegs},
     {"thighs", BodyLength::kThighs},
     {"shanks", BodyLength::kShanks},
     {"feet", BodyLength::kFeet},
     {"arms", BodyLength::kArms},
     {"upper-arms", BodyLength::kUpperArms},
     {"forearms", BodyLength::kForearms},
     {"hands", BodyLength::kHands},
     {"hips", BodyLength::kHips},
     {"shoulders", BodyLength::kShoulders},
     {"spine", BodyLength::kSpine},
     {"neck", BodyLength::kNeck}}};

std::optional<BodyLength> LengthOf(std::string_view word) {
  for (const auto& [name, length] : kNames) {
    const bool is_singular = name.ends_with('s') && name.size() > 4 &&
                             word == name.substr(0, name.size() - 1);
    if (word == name || is_singular) return length;
  }
  if (word == "foot") return BodyLength::kFeet;
  return std::nullopt;
}

/// Multiplies the offsets of the bones below `from` down to `to`.
void ScaleChain(std::vector<Joint>& joints, int from, int to, double factor) {
  if (from < 0 || to < 0) return;
  for (int j = to; j != from; j = joints[j].parent) joints[j].offset *= factor;
}

/// Multiplies all offsets and sites below `from`.
void ScaleBelow(const Skeleton& skeleton, std::vector<Joint>& joints,
                std::vector<Site>& sites, int from, double factor) {
  if (from < 0) return;
  for (int j = from + 1; j < skeleton.num_joints(); ++j) {
    if (figure::IsAbove(skeleton, from, j)) joints[j].offset *= factor;
  }
  for (Site& site : sites) {
    if (figure::IsAbove(skeleton, from, site.joint)) site.offset *= factor;
  }
}

/// Moves joints `left` and `right` apart along the body's left: the part of
/// their place that is sideways from `base` grows.
void Widen(std::vector<Joint>& joints, int base, int joint, const Vector3& left,
           double factor) {
  if (joint < 0) return;
  double sideways = 0.0;
  for (int j = joint; j >= 0 && j != base; j = joints[j].parent) {
    sideways += joints[j].offset.dot(left);
  }
  joints[joint].offset += (factor - 1.0) * sideways * left;
}

void Apply(const HumanBody& body, const Proportion& proportion,
           std::vector<Joint>& joints, std::vector<Site>& sites) {
  const figure::BodyPlan& plan = body.plan;
  const double factor = proportion.factor;
  const auto is = [&](BodyLength a, BodyLength b) {
    return proportion.length == a || proportion.length == b;
  };
  if (proportion.length == BodyLength::kAll) {
    for (Joint& joint : joints) joint.offset *= factor;
    for (Site& site : sites) site.offset *= factor;
    return;
  }
  const int chest = plan.spine.empty() ? plan.pelvis : plan.spine.back();
  for (int side = 0; side < 2; ++side) {
    const figure::LegPlan& leg = plan.legs[side];
    const figure::ArmPlan& arm = plan.arms[side];
    if (is(BodyLength::kLegs, BodyLength::kThighs)) {
      ScaleChain(joints, leg.thigh, leg.shank, factor);
    }
    if (is(BodyLength::kLegs, BodyLength::kShanks)) {
      ScaleChain(joints, leg.shank, leg.foot, factor);
    }
    if (proportion.length == BodyLength::kFeet) {
      ScaleBelow(*body.skeleton, joints, sites, leg.foot, factor);
    }
    if (proportion.length == BodyLength::kHips) {
      Widen(joints, plan.pelvis, leg.thigh, plan.axes.left, factor);
    }
    if (arm.upper_arm < 0) continue;
    if (is(BodyLength::kArms, BodyLength::kUpperArms)) {
      ScaleChain(joints, arm.upper_arm, arm.forearm, factor);
    }
    if (is(BodyLength::kArms, BodyLength::kForearms)) {
      ScaleChain(joints, arm.forearm, arm.hand, factor);
    }
    if (proportion.length == BodyLength::kHands) {
      ScaleBelow(*body.skeleton, joints, sites, arm.hand, factor);
    }
    if (proportion.length == BodyLength::kShoulders) {
      Widen(joints, chest, arm.upper_arm, plan.axes.left, factor);
    }
  }
  if (proportion.length == BodyLength::kSpine) {
    ScaleChain(joints, plan.pelvis, chest, factor);
  }
  if (proportion.length == BodyLength::kNeck && !plan.neck.empty()) {
    ScaleChain(joints, chest, plan.neck.back(), factor);
  }
}

}  // namespace

std::string ProportionNames() {
  std::string text;
  for (const auto& [name, length] : kNames) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

std::optional<std::vector<Proportion>> ParseProportions(std::string_view text,
                                                        std::string& error) {
  std::vector<Proportion> proportions;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      error = "expected length=factor, found \"" + std::string(item) + "\"";
      return std::nullopt;
    }
    const std::string_view word = item.substr(0, equals);
    const std::string_view number = item.substr(equals + 1);
    const std::optional<BodyLength> length = LengthOf(word);
    if (!length) {
      error = "unknown length \"" + std::string(word) + "\", expected one of " +
              ProportionNames();
      return std::nullopt;
    }
    double factor = 0.0;
    const auto [end, code] =
        std::from_chars(number.data(), number.data() + number.size(), factor);
    constexpr double kLeast = 0.01;
    constexpr double kMost = 100.0;
    if (code != std::errc() || end != number.data() + number.size() ||
        !(factor >= kLeast && factor <= kMost)) {
      error = "expected a factor from 0.01 to 100, found \"" +
              std::string(number) + "\"";
      return std::nullopt;
    }
    proportions.push_back({*length, factor});
  }
  if (proportions.empty()) {
    error = "expected length=factor, found nothing";
    return std::nullopt;
  }
  return proportions;
}

HumanBody WithProportions(const HumanBody& body,
                          const std::vector<Proportion>& proportions) {
  std::vector<Joint> joints = body.skeleton->joints();
  std::vector<Site> sites = body.skeleton->sites();
  for (const Proportion& proportion : proportions) {
    if (!(proportion.factor > 0.0) || !std::isfinite(proportion.factor)) {
      throw std::invalid_argument("factor must be positive and finite, found " +
                                  std::to_string(proportion.factor));
    }
    Apply(body, proportion, joints, sites);
  }
  std::optional<HumanBody> scaled =
      MakeBody(Skeleton::Make(std::move(joints), std::move(sites)), body.roles);
  if (!scaled) throw std::invalid_argument("factor leaves no leg");
  return std::move(*scaled);
}

}  // namespace limber::mocap
