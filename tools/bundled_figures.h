// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/figure_model.h"

namespace limber {

/// Measures of a person, in metres where nothing else is said. The defaults are
/// the mean man of [de Leva 1996], stretched to 1.75 m: limbs in proportion to
/// the height, trunk and head shortened by 4 % so that the parts, which were
/// measured along the bones, add up to the height.
struct Person {
  std::string name = "adult18";
  double height = 1.75;
  double mass = 75.0;  ///< [kg]
  double thigh = 0.4244;
  double shank = 0.4426;
  double ankle = 0.068;  ///< Height of the ankle.
  double foot = 0.2594;
  double trunk = 0.581;  ///< Hips to base of the neck.
  double head = 0.234;
  double upper_arm = 0.2832;
  double forearm = 0.2703;
  double hand = 0.1889;
  double half_shoulders = 0.185;
  double half_hips = 0.088;
  double hunch = 0.0;      ///< How far the base of the neck lies forward.
  bool is_coarse = false;  ///< 12 segments instead of 18.
};

/// The figures of data/figures.
std::vector<Person> BundledPeople();

/// Skeleton in a T pose, feet on the floor, facing +Z, with its body.
figure::FigureModel MakePerson(const Person& person);

}  // namespace limber
