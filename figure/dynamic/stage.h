// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "figure/dynamic/performer.h"
#include "figure/dynamic/recorder.h"

namespace limber::figure {

struct StageSettings {
  dynamics::WorldSettings world;
  double rate_hz = 240.0;  ///< Steps per second, positive.
};

class Stage;

/// Something that acts in every step beside the figures' own control: a hand
/// held at a point, markers that pull, a prop that keeps upright.
class Goal {
 public:
  virtual ~Goal() = default;
  /// Called before each step of `h` seconds, after the figures have programmed
  /// their motors.
  virtual void BeforeStep(Stage& stage, double h) = 0;
};

/// A world with figures, goals and a line of events: what a scene file fills,
/// and what plays it. Props are bodies and constraints of `world()`.
class Stage {
 public:
  /// @throws std::invalid_argument if the rate is not positive.
  explicit Stage(const StageSettings& settings = {});
  /// On a world of someone else, which must outlive the stage.
  Stage(dynamics::World& world, double rate_hz);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  dynamics::World& world() { return *world_; }
  const dynamics::World& world() const { return *world_; }
  double step() const { return 1.0 / rate_hz_; }  ///< h [s].
  double time() const { return world_->time(); }

  /// A figure that begins where its task wants it. The reference stays valid.
  Performer& AddFigure(const std::string& name,
                       std::shared_ptr<const FigureModel> model,
                       std::shared_ptr<TaskController> task,
                       const FigureBuildOptions& options = {});
  int num_figures() const { return static_cast<int>(cast_.size()); }
  /// @throws std::invalid_argument if there is no figure of that name or index.
  Performer& figure(const std::string& name);
  Performer& figure(int index);
  const std::string& figure_name(int index) const;
  /// Records from the moment the figure was added.
  const Recorder& recorder(int index = 0) const;

  /// Takes a goal over; the reference stays valid.
  template <typename T>
  T& AddGoal(std::unique_ptr<T> goal) {
    T& reference = *goal;
    goals_.push_back(std::move(goal));
    return reference;
  }

  /// Runs `action` before the first step at or after `time`; events at one
  /// time run in the order in which they were given.
  void At(double time, std::function<void(Stage&)> action);

  /// Pushes a body with `impulse_W` [N s] at a point of it, spread over the
  /// next step. Joints share it out as it comes; `World::ApplyImpulse` would
  /// first tear at them and be thrown back by the work-free joints of the
  /// leapfrog.
  void Push(dynamics::BodyId body, const Vector3& p_BA,
            const Vector3& impulse_W);

  void Step();
  /// Steps until the clock has advanced by `seconds`, to the nearest step.
  void Run(double seconds);

 private:
  struct Member {
    std::string name;
    std::unique_ptr<Performer> performer;
    std::unique_ptr<Recorder> recorder;
  };
  const Member& member(int index) const;
  Stage(std::unique_ptr<dynamics::World> own, double rate_hz);
  struct Entry {
    double time = 0.0;
    std::function<void(Stage&)> action;
  };

  std::unique_ptr<dynamics::World> own_;  ///< Null on someone else's.
  dynamics::World* world_;
  double rate_hz_;
  std::vector<Member> cast_;
  std::vector<std::unique_ptr<Goal>> goals_;
  std::vector<Entry> line_;  ///< What is still to come, by time.
};

}  // namespace limber::figure
