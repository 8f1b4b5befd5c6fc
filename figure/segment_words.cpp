// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/segment_words.h"

#include <algorithm>
#include <optional>
#include <span>

namespace limber::figure {

namespace {

struct Group {
  std::string_view word;
  std::vector<Role> roles;  ///< Of the left side and the middle.
};

const std::vector<Group>& Groups() {
  static const std::vector<Group> groups = {
      {"arms", {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftHand}},
      {"legs",
       {Role::kLeftUpperLeg, Role::kLeftLowerLeg, Role::kLeftFoot,
        Role::kLeftToes}},
      {"hands", {Role::kLeftHand}},
      {"feet", {Role::kLeftFoot, Role::kLeftToes}},
      {"torso", {Role::kSpine, Role::kChest}},
      {"head", {Role::kNeck, Role::kHead}},
  };
  return groups;
}

std::vector<int> SegmentsOf(std::span<const Role> roles,
                            const FigureModel& model) {
  std::vector<int> segments;
  for (int s = 0; s < model.num_segments(); ++s) {
    const int joint = model.segments[static_cast<std::size_t>(s)].joint;
    const Role role = LeftOf(model.roles[static_cast<std::size_t>(joint)]);
    if (std::ranges::find(roles, role) != roles.end()) segments.push_back(s);
  }
  return segments;
}

}  // namespace

std::vector<int> SegmentsNamed(std::string_view word,
                               const FigureModel& model) {
  const int by_name = model.FindSegment(word);
  if (by_name >= 0) return {by_name};
  if (word == "all") {
    std::vector<int> all;
    for (int s = 0; s < model.num_segments(); ++s) all.push_back(s);
    return all;
  }
  for (const Group& group : Groups()) {
    if (group.word == word) return SegmentsOf(group.roles, model);
  }
  std::optional<Role> role = RoleFromString(word);
  if (!role) role = RoleOfName(word);
  const int s = *role == Role::kOther ? -1 : model.SegmentOf(*role);
  return s >= 0 ? std::vector<int>{s} : std::vector<int>{};
}

std::vector<std::string> SegmentWords(const FigureModel& model) {
  std::vector<std::string> words = {"all"};
  for (const Group& group : Groups()) {
    if (!SegmentsOf(group.roles, model).empty()) {
      words.emplace_back(group.word);
    }
  }
  for (const FigureSegment& segment : model.segments) {
    words.push_back(segment.name);
  }
  return words;
}

}  // namespace limber::figure
