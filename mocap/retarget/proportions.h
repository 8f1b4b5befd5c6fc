// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// What can be made longer: "all", "legs" (thighs and shanks), "thighs",
/// "shanks", "feet", "arms" (upper arms, forearms), "upper-arms", "forearms",
/// "hands", "hips" (how far the hip joints lie apart), "shoulders" (likewise),
/// "spine" (pelvis to chest), "neck".
enum class BodyLength {
  kAll,
  kLegs,
  kThighs,
  kShanks,
  kFeet,
  kArms,
  kUpperArms,
  kForearms,
  kHands,
  kHips,
  kShoulders,
  kSpine,
  kNeck
};

struct Proportion {
  BodyLength length = BodyLength::kAll;
  double factor = 1.0;  ///< Positive.
};

/// Reads "legs=1.25,arms=0.8"; nothing, with the reason in `error`, when it is
/// not of that form. The singular of a word will do.
std::optional<std::vector<Proportion>> ParseProportions(std::string_view text,
                                                        std::string& error);

/// The names for a help text: "all, legs, thighs, ...".
std::string ProportionNames();

/// The body with bones of other lengths; factors for the same bone multiply.
/// @throws std::invalid_argument if a factor is not positive and finite.
HumanBody WithProportions(const HumanBody& body,
                          const std::vector<Proportion>& proportions);

}  // namespace limber::mocap
