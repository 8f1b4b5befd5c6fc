// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamics/constraints/point_to_point.h"
#include "dynamics/world.h"
#include "viewer/forces.h"
#include "viewer/show.h"

namespace limber::viewer::internal {

/// A show whose bodies are moved by a world. It is simulated as far as it is
/// looked at; what has been computed is kept, one frame per sixtieth of a
/// second, so that the time line can be moved to and fro. What pointer and keys
/// do happens at the end of what has been computed.
class SimulatedShow : public Show {
 public:
  const std::vector<Part>& parts() const override { return parts_; }
  double Prepare(double time, double budget) override;
  double live_time() const override;
  double force_scale() const override { return force_scale_; }

  bool Grab(int part, const Vector3& p_W) override;
  void Pull(const Vector3& target_W) override;
  void Release() override;
  std::optional<Vector3> grabbed_point() const override;
  void Fire(const Vector3& eye, const Vector3& direction) override;
  void Push(int part, const Vector3& impulse_W) override;
  std::vector<std::string> Describe(int part) const override;

  static constexpr double kFrame = 1.0 / 60.0;  ///< [s].

 protected:
  /// What is known at the end of a frame.
  struct Frame {
    std::vector<Transform> X_WB;  ///< Of each body by its id.
    /// Mean forces of the contacts over the frame, so that a blow that is
    /// shorter than a frame is seen in exactly one.
    std::vector<ForceOnBody> contacts;
    std::vector<ForceOnBody> forces;  ///< Of constraints, in the last step.
    Vector3 mass_centre = Vector3::Zero();
    double step_seconds = 0.0;  ///< Wall time of a step, mean over the frame.
  };

  virtual dynamics::World& world() = 0;
  virtual const dynamics::World& world() const = 0;
  virtual double step() const = 0;  ///< [s].
  virtual void StepWorld() = 0;
  /// Pushes a body at its mass centre.
  virtual void PushBody(dynamics::BodyId body, const Vector3& impulse_W);
  /// The forces of constraints and the mass centre of a new frame, and whatever
  /// else is to be kept with it.
  virtual void FillFrame(Frame& frame) = 0;
  /// The body that a part shows, or nothing that can be moved.
  virtual std::optional<dynamics::BodyId> BodyOf(int part) const = 0;

  /// To be called when the parts are complete: adds the cannon's balls.
  void AddBalls();
  /// To be called when a new world stands: forgets the frames of the old one.
  void Begin();
  /// Somebody else steps the world and says so after every step: frames are
  /// kept, not computed.
  void Watch() { is_watching_ = true; }
  bool is_watching() const { return is_watching_; }
  void AfterWatchedStep();
  /// The frame of `time`, computed if it is not there.
  const Frame& At(double time);
  std::size_t IndexAt(double time) const;
  /// The frame that was asked for last.
  const Frame& shown() const { return frames_[shown_]; }
  std::size_t shown_index() const { return shown_; }
  const std::vector<Frame>& frames() const { return frames_; }
  /// Poses of the balls, and what the layers ask for.
  void DrawBalls(const Frame& frame, Picture& picture) const;
  void DrawForces(const Frame& frame, Picture& picture) const;
  /// How long the arrow of a newton is [m].
  void set_force_scale(double scale) { force_scale_ = scale; }

  /// The point that is being pulled, in its body.
  std::optional<Vector3> grabbed_in_body() const {
    return nail_ == nullptr ? std::nullopt : std::optional(p_BA_);
  }

  std::vector<Part> parts_;

 private:
  void AddFrame();
  double NextFrameTime() const;
  /// Whether the world stands at the end of the next frame.
  bool FrameIsOver() const;
  void KeepFrame();
  void CollectContacts();
  std::vector<ForceOnBody> ContactForces(double seconds) const;

  std::vector<Frame> frames_;
  std::size_t shown_ = 0;
  bool is_watching_ = false;
  /// What two bodies did to each other in one place in the frame under way.
  struct Touch {
    dynamics::BodyId a;
    dynamics::BodyId b;
    Vector3 p_W = Vector3::Zero();
    Vector3 impulse = Vector3::Zero();  ///< On b [N s].
    bool sliding = false;
  };
  std::vector<Touch> collected_;
  std::size_t num_collected_steps_ = 0;
  double collected_seconds_ = 0.0;
  std::vector<dynamics::BodyId> balls_;
  dynamics::PointNail* nail_ = nullptr;
  dynamics::BodyId grabbed_;
  Vector3 p_BA_ = Vector3::Zero();
  double force_scale_ = 1e-3;
};

/// "height 0.953 m" from "height %.3f m".
std::string Note(const char* format, double value);

}  // namespace limber::viewer::internal
