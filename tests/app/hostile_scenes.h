// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace limber::test {

/// A scene that once hung, took all memory, or ended in what is no number.
struct HostileScene {
  std::string name;
  std::string text;
};

/// A box of one metre; more than one stand `apart` metres from each other
/// along X. At a height of 1 m they fall, at 0.5 m they stand on the floor.
std::string SceneOfBoxes(int count, double apart, double duration,
                         double height = 1.0);

/// Ten boxes of one metre on each other. Masses grow from 1 kg to `top`.
std::string SceneOfStack(double top);

/// A ball of 1 kg with a drag that explicit steps cannot follow [N s/m].
std::string SceneOfDrag(double drag);

/// A walk that is looped until `until` [s], with boxes in its way.
std::string SceneOfWalk(const std::string& until);

/// Balls, capsules and `boxes` boxes that fall into a pool of walls.
std::string SceneOfPool(int boxes);

/// One of every kind that was handled badly.
std::vector<HostileScene> HostileScenes();

}  // namespace limber::test
