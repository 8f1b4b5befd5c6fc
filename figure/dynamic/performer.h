// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "figure/dynamic/articulated_figure.h"
#include "figure/dynamic/raw_controller.h"
#include "figure/dynamic/task_controller.h"

namespace limber::figure {

/// A figure in a world with its two levels of control: one task controller, and
/// one raw controller for each joint. Neither knows the other: each may be
/// exchanged at any time, and velocities stay as they are.
class Performer {
 public:
  /// Builds the figure where `task` wants it at the world's time, moving as the
  /// reference moves. Joints get an `AngleServo`, roots a `RootServo`.
  /// @throws std::invalid_argument as `ArticulatedFigure`, or if `task` is
  ///         null.
  Performer(dynamics::World& world, std::shared_ptr<const FigureModel> model,
            std::shared_ptr<TaskController> task,
            const FigureBuildOptions& options = {});

  const ArticulatedFigure& figure() const { return figure_; }
  TaskController& task() { return *task_; }
  void set_task(std::shared_ptr<TaskController> task);
  RawController& raw(int segment) {
    return *raw_[static_cast<std::size_t>(segment)];
  }
  /// @throws std::invalid_argument if there is no such segment or controller.
  void set_raw(int segment, std::shared_ptr<RawController> controller);
  /// The controller of the first root, where it still is a `RootServo`.
  /// @throws std::logic_error if it is not.
  RootServo& root_servo();

  /// Programs all motors for a step of `h` seconds from the world's time, and
  /// after the step tells the task controller what came of it.
  void BeforeStep(dynamics::World& world, double h);
  void AfterStep(dynamics::World& world);

  /// What was wanted in the last step, and what the pose is now.
  const Demand& demand() const { return demand_; }
  const SegmentPose& actual() const { return actual_; }
  const Situation& situation() const { return situation_; }

 private:
  /// By how much a segment would have missed its aim in the last step, and how
  /// much of it the step before said.
  struct Miss {
    Vector3 turn = Vector3::Zero();   ///< Axes of P.
    Vector3 shift = Vector3::Zero();  ///< Roots.
    double along = 0.0;    ///< Sums of m(t) . m(t - h) and of |m(t - h)|^2 that
    double squares = 0.0;  ///< fade with the steps; turns alone.
  };

  void FindDemand(double t, double h);
  void FindSituation(const dynamics::World& world, double h);
  void NoteVelocities(const dynamics::World& world);

  ArticulatedFigure figure_;
  std::shared_ptr<TaskController> task_;
  std::vector<std::shared_ptr<RawController>> raw_;
  Demand demand_;
  /// The time of `demand_.after`, if the task has not been exchanged since.
  std::optional<double> demand_end_;
  Situation situation_;
  SegmentPose actual_;
  /// Where the motors were to take each segment in the last step.
  std::vector<std::optional<Transform>> aims_;
  /// The pose at the start of the last step, its length (0 before the first)
  /// and the velocities it led to.
  SegmentPose last_start_;
  double last_h_ = 0.0;
  std::vector<SegmentVelocity> velocities_;
  std::vector<Miss> misses_;
};

}  // namespace limber::figure
