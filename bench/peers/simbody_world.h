// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace limber::bench {

/// A scene in Simbody behind a border of plain types: Simbody's headers do not
/// compile as C++20, the rest of the project needs it.
class SimbodyWorld {
 public:
  using Triple = std::array<double, 3>;
  struct Part {
    int parent = -1;
    double mass = 1.0;
    Triple com{}, inertia{}, joint{};
    double stiffness = 0.0;
    double damping = 0.0;
  };
  struct Target {
    Triple angles{}, rates{}, accelerations{};
  };
  struct State {
    Triple p{}, v{}, w{};
    std::array<double, 9> R{};  ///< Row by row.
  };
  struct Settings {
    bool root_fixed = false;
    bool springs = false;
    bool gimbals = false;  ///< Three angles a joint, for motors and springs.
    bool runge_kutta = false;
    double gravity = 0.0;
    double step = 0.0;
    double max_torque = 0.0;
  };

  SimbodyWorld(const std::vector<Part>& parts, const Settings& settings);
  ~SimbodyWorld();

  /// `targets` is empty or has an entry per part.
  void Step(const std::vector<Target>& targets);
  void Read(std::vector<State>& states);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber::bench
