// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "dynamics/constraints/align.h"
#include "dynamics/joints/ball_joint.h"
#include "figure/dynamic/aim_servo.h"
#include "figure/dynamic/edit.h"
#include "figure/dynamic/goals.h"
#include "figure/dynamic/internal/edit_playing.h"

namespace limber::figure::internal {

/// Time in which a limb goes to its target, and back from it [s].
inline constexpr double kLeading = 0.4;

/// Makes the events of an edit happen to the playing `edited`. `base`, the same
/// without events, is always a step ahead: what shall stay as it is takes its
/// place from there.
class EditActions {
 public:
  EditActions(Playing& base, Playing& edited, const EditSettings& settings,
              double clip_end);

  /// Puts an event on the time line. All before the first step, by time.
  void Schedule(const EditEvent& event);

  /// Whether an event happens in the step that begins now.
  bool BeginsNow() const;
  /// Whether an event acts now, or has left something that does.
  bool Busy() const;
  /// Whether the figure has let go, or is about to.
  bool IsLimp() const;
  /// Whether any event has begun.
  bool begun() const { return begun_; }

  /// Before `base` steps, before `edited` does, and after it, with the result.
  /// `shows` says whether the result has anything of `edited`.
  void BeforeBase();
  void BeforeEdited(bool shows);
  /// Lets the root help a figure up that lies, or is lost; `angle` and
  /// `distance` are those of `edited` from `base`.
  void HelpUp(double angle, double distance, double h);
  void AfterStep(const SegmentPose& result);

  /// Notes where things are in a frame of the result.
  void NoteThings(std::int64_t frame);

  std::vector<EditedGoal> Goals() const;
  std::vector<EditedProp> Props() const;
  std::vector<EditedThing> Things() const;

 private:
  struct Span {
    EditEvent event;
    double end = 0.0;
  };
  /// A point of a limb that is led somewhere.
  struct Lead {
    EditEvent event;
    double end = 0.0;
    std::vector<int> limb;  ///< From the segment upwards.
    double length = 0.0;    ///< From the limb's first joint to the point [m].
    bool before_head = false;
    bool pin_here = false;             ///< The target is still to be found.
    Vector3 offset = Vector3::Zero();  ///< From the result to `edited` [m].
    Vector3 offset_change = Vector3::Zero();  ///< In the last step.
    bool has_offset = false;
    PointAt* goal = nullptr;
    double distance = 0.0;
    int steps = 0;
    int reachable = 0;
  };
  struct Look {
    EditEvent event;
    double end = 0.0;
    std::shared_ptr<AimServo> servo;
    Vector3 offset = Vector3::Zero();
  };
  struct Prop {
    std::string name;
    double from = 0.0;
    dynamics::BodyId body;
    dynamics::BallJoint* joint = nullptr;
    dynamics::AlignAxis* upright = nullptr;
    double gap = 0.0;
    double tilt = 0.0;
  };

  /// What an event has brought.
  struct Thing {
    EditedThing what;
    dynamics::BodyId body;           ///< The ground for what never moves.
    Transform X_BS;                  ///< Of the thing in it.
    int holder = -1;                 ///< Segment that carries it.
    Vector3 p_BH = Vector3::Zero();  ///< By this point of the segment.
    bool is_there = true;
  };

  double now() const { return edited_.stage().time(); }
  double EndOfInfluence(const EditEvent& event) const;
  double Ramp(double time, double from, double end) const;

  Thing* AddThing(const char* name, EditedThing::Shape shape,
                  const Vector3& size, dynamics::BodyId body);
  void Push(const EditEvent& event);
  void Throw(const EditEvent& event);
  void PlaceObstacle(const EditEvent& event);
  void Carry(const EditEvent& event, bool upright);
  void LeadLimb(const EditEvent& event, bool before_head);
  void TurnHead(const EditEvent& event);
  void Change(const std::vector<int>& segments, double duration,
              const Strength& strength);
  void Recover(const EditEvent& event);
  void KeepParts();

  Vector3 LeadTarget(const Lead& lead, double time) const;
  Vector3 BasePoint(int segment, const Vector3& p_B, double time) const;
  Vector3 Forward() const;

  Playing& base_;
  Playing& edited_;
  EditSettings settings_;
  double clip_end_;
  bool begun_ = false;
  bool obstacles_ = false;
  bool lifting_ = false;
  std::vector<Span> spans_;
  std::vector<std::unique_ptr<Lead>> leads_;
  std::vector<Look> looks_;
  std::vector<std::unique_ptr<Prop>> props_;
  std::vector<std::unique_ptr<Thing>> things_;
  std::vector<Transform> X_WB_result_;  ///< After the last step.
  std::vector<HoldSegment*> holds_;
  std::vector<Transform> base_before_;  ///< X_WB of `base` a step ago.
};

/// The direction in which a figure looks in its rest pose, from its feet; +Z
/// for one without.
Vector3 RestForward(const FigureModel& model);

}  // namespace limber::figure::internal
