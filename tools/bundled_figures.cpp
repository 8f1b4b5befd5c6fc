// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tools/bundled_figures.h"

#include <utility>

#include "figure/make_figure.h"

namespace limber {

namespace {

/// The mean man scaled to another height.
Person Scaled(double height) {
  Person person;
  const double scale = height / person.height;
  for (double* length :
       {&person.height, &person.thigh, &person.shank, &person.ankle,
        &person.foot, &person.trunk, &person.head, &person.upper_arm,
        &person.forearm, &person.hand, &person.half_shoulders,
        &person.half_hips}) {
    *length *= scale;
  }
  return person;
}

/// Broad, short legs, neck pushed forward.
Person FatMan() {
  Person person = Scaled(1.70);
  person.name = "fat_man";
  person.mass = 125.0;
  person.thigh *= 0.92;
  person.shank *= 0.92;
  person.trunk *= 1.08;
  person.half_shoulders *= 1.1;
  person.half_hips *= 1.25;
  person.hunch = 0.09;
  return person;
}

/// Six years old: a large head, short legs [Jensen 1986].
Person Child() {
  Person person = Scaled(1.15);
  person.name = "child";
  person.mass = 20.0;
  person.thigh *= 0.93;
  person.shank *= 0.91;
  person.trunk *= 0.98;
  person.head *= 1.38;
  person.upper_arm *= 0.95;
  person.forearm *= 0.95;
  return person;
}

Person Giant() {
  Person person = Scaled(2.60);
  person.name = "giant";
  person.mass = 240.0;
  person.upper_arm *= 1.4;
  person.forearm *= 1.4;
  person.hand *= 1.2;
  person.half_shoulders *= 1.15;
  person.head *= 0.85;
  return person;
}

Person Coarse() {
  Person person;
  person.name = "adult12";
  person.is_coarse = true;
  return person;
}

}  // namespace

std::vector<Person> BundledPeople() {
  return {Person(), FatMan(), Child(), Giant(), Coarse()};
}

figure::FigureModel MakePerson(const Person& person) {
  std::vector<figure::Joint> joints;
  std::vector<figure::Site> sites;
  const auto add = [&](const std::string& name, int parent,
                       const Vector3& offset) {
    joints.push_back({name, parent, offset});
    return static_cast<int>(joints.size()) - 1;
  };
  const auto end = [&](int joint, const Vector3& offset) {
    sites.push_back({"", joint, offset});
  };
  const double hips_height = person.ankle + person.shank + person.thigh;
  const int hips = add("Hips", -1, {0.0, hips_height, 0.0});
  // Navel and xiphion divide the trunk as in the table. A hunched back goes
  // back a little before it comes forward.
  const double navel = 0.2415 * person.trunk;
  const double xiphion = 0.5987 * person.trunk;
  const double shoulder = 0.855 * person.trunk;
  const double hunch = person.hunch;
  int chest = 0;
  if (person.is_coarse) {
    chest = add("Chest", hips, {0.0, 0.42 * person.trunk, 0.0});
    end(chest, {0.0, 0.58 * person.trunk + person.head, 0.0});
  } else {
    const int spine = add("Spine", hips, {0.0, navel, -0.2 * hunch});
    chest = add("Chest", spine, {0.0, xiphion - navel, 0.1 * hunch});
    const int head =
        add("Head", chest, {0.0, person.trunk - xiphion, 1.1 * hunch});
    end(head, {0.0, person.head, 0.0});
  }
  const double chest_height = person.is_coarse ? 0.42 * person.trunk : xiphion;
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int arm = add(
        name + "Arm", chest,
        {side * person.half_shoulders, shoulder - chest_height, 0.5 * hunch});
    const int forearm =
        add(name + "ForeArm", arm, {side * person.upper_arm, 0.0, 0.0});
    if (person.is_coarse) {
      end(forearm, {side * (person.forearm + person.hand), 0.0, 0.0});
    } else {
      const int hand =
          add(name + "Hand", forearm, {side * person.forearm, 0.0, 0.0});
      end(hand, {side * person.hand, 0.0, 0.0});
    }
  }
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int thigh =
        add(name + "UpLeg", hips, {side * person.half_hips, 0.0, 0.0});
    const int shank = add(name + "Leg", thigh, {0.0, -person.thigh, 0.0});
    const int foot = add(name + "Foot", shank, {0.0, -person.shank, 0.0});
    // A quarter of the foot lies behind the ankle, the ball at its middle.
    const double tip = 0.75 * person.foot;
    if (person.is_coarse) {
      end(foot, {0.0, -person.ankle, tip});
    } else {
      const double ball = 0.48 * person.foot;
      const double ball_height = 0.058 * person.foot;
      const int toes =
          add(name + "ToeBase", foot, {0.0, ball_height - person.ankle, ball});
      end(toes, {0.0, -ball_height, tip - ball});
    }
  }
  figure::FigureOptions options;
  options.name = person.name;
  options.height = person.height;
  options.mass = person.mass;
  return figure::MakeFigure(
             figure::Skeleton::Make(std::move(joints), std::move(sites)),
             options)
      .value();
}

}  // namespace limber
