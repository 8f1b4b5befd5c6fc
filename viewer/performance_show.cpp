// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/performance_show.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/angle.h"
#include "dynamics/collision/shape.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"
#include "viewer/edited_figure.h"
#include "viewer/internal/effort.h"
#include "viewer/internal/figure_parts.h"
#include "viewer/internal/glyphs.h"
#include "viewer/internal/simulated_show.h"

namespace limber::viewer {

namespace {

using dynamics::BodyId;
using figure::FigureModel;
using figure::Motion;
using figure::Role;
using figure::Strength;
using internal::FigureParts;
using internal::Note;

enum Mode { kKinematic, kDynamic, kCompare, kLooseArms, kRagDoll, kEdited };
constexpr std::array<const char*, 6> kModes = {
    "kinematic", "dynamic", "compare", "loose-arms", "rag-doll", "edited"};

/// How long trails are [s].
constexpr double kTrail = 1.0;

class PerformanceShow final : public internal::SimulatedShow,
                              public EditedFigure {
 public:
  PerformanceShow(std::shared_ptr<const Motion> motion,
                  std::shared_ptr<const FigureModel> model)
      : lead_in_frames_(figure::NumLeadInFrames(*motion)),
        motion_(std::make_shared<const Motion>(figure::WithoutLeadIn(*motion))),
        model_(std::move(model)),
        clip_(ShowClip(motion_, model_)),
        figure_(internal::MakeFigureParts(*model_, /*ghost=*/false)),
        trail_segments_(internal::TrailSegments(*model_)) {
    ClipLook look;
    look.ghost = true;
    ghost_ = ShowClip(motion_, model_, look);
    look.shift = kBeside;
    ghost_beside_ = ShowClip(motion_, model_, look);
    parts_ = figure_.parts;
    for (const FigureParts::Placed& placed : figure_.placed) {
      const auto joint = static_cast<std::size_t>(placed.joint);
      const int s = model_->segment_of_joint[joint];
      Transform X_BJ;
      X_BJ.p = figure::PlaceInSegment(*model_, placed.joint);
      segment_of_part_.push_back(s);
      X_BS_.push_back(X_BJ * placed.X_JS);
    }
    parts_.insert(parts_.end(), ghost_->parts().begin(), ghost_->parts().end());
    AddBalls();
    set_force_scale(
        RoundForceScale(model_->total_mass() * kGravity, clip_->Radius()));
    Restart();
  }

  double duration() const override { return motion_->duration(); }
  double rate_hz() const override { return motion_->rate_hz(); }
  Vector3 Centre(double time) override {
    if (mode_ == kKinematic) return clip_->Centre(time);
    if (mode_ == kEdited) return edited().Centre(time);
    const Frame& frame = At(time);
    Vector3 sum = Vector3::Zero();
    for (const BodyId body : bodies_) sum += X_WBOf(frame, body).p;
    return sum / static_cast<double>(bodies_.size()) +
           (IsBeside() ? 0.5 : 0.0) * kBeside;
  }
  double Radius() override {
    return clip_->Radius() + (IsBeside() ? 0.5 : 0.0) * kBeside.norm();
  }

  void SetLayers(const Layers& layers) override {
    Show::SetLayers(layers);
    Layers of_ghost;
    of_ghost.bones = layers.bones;
    ghost_->SetLayers(of_ghost);
    ghost_beside_->SetLayers(of_ghost);
    clip_->SetLayers(layers);
    if (edited_) edited_->SetLayers(layers);
  }

  void Draw(double time, Picture& picture) override {
    if (mode_ == kEdited) return DrawEdited(time, picture);
    const Frame& frame = At(time);
    const Detail& detail = details_[IndexAt(time)];
    if (mode_ == kKinematic) {
      clip_->Draw(time, picture);
    } else {
      DrawFigure(frame, detail, picture);
    }
    if (mode_ == kCompare) {
      (layers().beside ? *ghost_beside_ : *ghost_).Draw(time, picture);
    } else {
      picture.poses.resize(picture.poses.size() + ghost_->parts().size(),
                           kHidden);
    }
    DrawBalls(frame, picture);
  }

  std::vector<std::string> modes() const override {
    return {kModes.begin(), kModes.end() - (can_be_edited_ ? 0 : 1)};
  }

  void SetMode(std::string_view mode) override {
    const auto found = std::ranges::find(kModes, mode);
    if (found == kModes.end() || (mode == "edited" && !can_be_edited_)) {
      return Show::SetMode(mode);
    }
    mode_ = static_cast<Mode>(found - kModes.begin());
    if (!is_live()) Release();
    if (mode_ == kEdited) return;
    const double now = stage_->time();
    figure::StrengthSchedule& schedule = task_->schedule();
    constexpr double kChange = 0.25;
    const bool limp = mode_ == kRagDoll;
    // Changes of a segment may not run backwards.
    const double start = std::max(now, last_change_);
    schedule.ChangeAll(start, kChange,
                       limp ? Strength::Limp() : Strength::Powered());
    last_change_ = start;
    if (mode_ == kLooseArms) {
      last_change_ = start + kChange;
      schedule.Change(Arms(), last_change_, kChange, Strength::Loose());
    }
    stage_->figure(0).root_servo().driven.fill(!limp);
  }

  void Fire(const Vector3& eye, const Vector3& direction) override {
    if (is_live()) SimulatedShow::Fire(eye, direction);
  }

  void Restart() override {
    details_.clear();
    stage_ = std::make_unique<figure::Stage>();
    figure::MotionTrack track;
    track.Append(std::make_shared<const figure::SmoothMotion>(*motion_));
    task_ = std::make_shared<figure::AnimationController>(
        std::move(track),
        figure::StrengthSchedule(model_->num_segments(), Strength::Powered()));
    last_change_ = 0.0;
    figure::Performer& performer = stage_->AddFigure("figure", model_, task_);
    bodies_.clear();
    for (int s = 0; s < model_->num_segments(); ++s) {
      bodies_.push_back(performer.figure().body(s));
    }
    dynamics::ColliderSpec floor;
    floor.shape = dynamics::Shape::Plane();
    floor.X_BS.p.y() = figure::FloorHeight(*model_, *motion_);
    stage_->world().AddCollider(dynamics::kGround, floor);
    figure::AddColliders(stage_->world(), performer.figure());
    for (int s = 0; s < model_->num_segments(); ++s) {
      if (!performer.figure().is_root(s)) continue;
      performer.set_raw(s,
                        std::make_shared<figure::RootServo>(
                            figure::RootServo::Helping(model_->total_mass())));
    }
    Begin();
    if (mode_ != kKinematic) SetMode(kModes[static_cast<std::size_t>(mode_)]);
  }
  void Rewind() override {
    if (mode_ != kEdited) Restart();
  }
  double Prepare(double time, double budget) override {
    return mode_ == kEdited ? time : SimulatedShow::Prepare(time, budget);
  }

  void SetEdited(std::shared_ptr<const figure::EditResult> result) override {
    can_be_edited_ = true;
    result_ = std::move(result);
    edited_ = nullptr;
    if (!result_) return;
    edited_ = ShowClip(WithoutFirst(lead_in_frames_), model_);
    edited_->SetLayers(layers());
  }
  int SegmentOf(int part) const override {
    const auto index = static_cast<std::size_t>(part);
    return part >= 0 && index < segment_of_part_.size()
               ? segment_of_part_[index]
               : -1;
  }
  bool is_live() const override {
    return mode_ != kKinematic && mode_ != kEdited;
  }
  std::optional<Vector3> grabbed_point_B() const override {
    return grabbed_in_body();
  }
  double lead_in() const override {
    return lead_in_frames_ / motion_->rate_hz();
  }

 protected:
  dynamics::World& world() override { return stage_->world(); }
  const dynamics::World& world() const override { return stage_->world(); }
  double step() const override { return stage_->step(); }
  void StepWorld() override { stage_->Step(); }
  void PushBody(BodyId body, const Vector3& impulse_W) override {
    stage_->Push(body, world().mass(body).p_BC, impulse_W);
  }

  std::optional<BodyId> BodyOf(int part) const override {
    const int segment = SegmentOf(part);
    if (segment < 0 || !is_live()) return std::nullopt;
    return bodies_[static_cast<std::size_t>(segment)];
  }

  void FillFrame(Frame& frame) override {
    Detail& detail = details_.emplace_back();
    std::vector<Transform> X_WB;
    for (const BodyId body : bodies_) X_WB.push_back(X_WBOf(frame, body));
    frame.mass_centre = internal::MassCentre(*model_, X_WB);
    detail.effort.resize(bodies_.size());
    const std::vector<figure::StepRecord>& steps = stage_->recorder(0).steps();
    if (steps.empty()) return;
    const figure::StepRecord& last = steps.back();
    detail.root_help = last.root_help;
    detail.root_force = last.root_force;
    for (const double error : last.error) {
      detail.error = std::max(detail.error, Degrees(error));
    }
    for (std::size_t s = 0; s < bodies_.size(); ++s) {
      detail.effort[s] =
          internal::EffortOf(model_->segments[s].anchor, last.motors[s]);
    }
  }

 private:
  /// What a frame knows of the figure beside its bodies.
  struct Detail {
    double root_help = 0.0;
    double error = 0.0;  ///< Largest, of a joint [deg].
    Vector3 root_force = Vector3::Zero();
    std::vector<double> effort;  ///< Per segment, 1 is the bound.
  };
  inline static const Vector3 kBeside = Vector3(1.2, 0.0, 0.0);

  /// What came of the clip, or the clip itself.
  Show& edited() { return edited_ ? *edited_ : *clip_; }

  /// The result from frame `first` on.
  std::shared_ptr<const Motion> WithoutFirst(std::int64_t first) const {
    const Motion& whole = result_->motion;
    if (first == 0) return {result_, &whole};
    auto rest = std::make_shared<Motion>(whole.shared_skeleton(),
                                         whole.rate_hz(), whole.source());
    for (std::int64_t f = first; f < whole.num_frames(); ++f) {
      rest->Append(whole.pose(f));
    }
    return rest;
  }

  void DrawEdited(double time, Picture& picture) {
    edited().Draw(time, picture);
    picture.poses.resize(picture.poses.size() + ghost_->parts().size(),
                         kHidden);
    // Balls that are thrown, as far as there are parts for them.
    const auto frame = static_cast<std::int64_t>(
        std::lround(time * motion_->rate_hz()) + lead_in_frames_);
    if (result_) {
      for (const figure::EditedThing& thing : result_->things) {
        if (thing.shape != figure::EditedThing::Shape::kBall) continue;
        if (picture.poses.size() == parts_.size()) break;
        const std::int64_t at = frame - thing.first_frame;
        const bool is_there = at >= 0 && at < std::ssize(thing.X_WB);
        picture.poses.push_back(
            is_there ? thing.X_WB[static_cast<std::size_t>(at)] : kHidden);
      }
    }
    picture.poses.resize(parts_.size(), kHidden);
  }

  bool IsBeside() const { return mode_ == kCompare && layers().beside; }

  static const Transform& X_WBOf(const Frame& frame, BodyId body) {
    return frame.X_WB[static_cast<std::size_t>(body.value)];
  }

  void DrawFigure(const Frame& frame, const Detail& detail, Picture& picture) {
    const auto first = static_cast<int>(picture.poses.size());
    for (std::size_t i = 0; i < X_BS_.size(); ++i) {
      const auto s = static_cast<std::size_t>(segment_of_part_[i]);
      picture.poses.push_back(figure_.IsSeen(i, layers().bones)
                                  ? X_WBOf(frame, bodies_[s]) * X_BS_[i]
                                  : kHidden);
      if (!layers().effort) continue;
      picture.colours.push_back({first + static_cast<int>(i),
                                 internal::EffortColour(detail.effort[s])});
    }
    DrawForces(frame, picture);
    if (layers().forces) {
      picture.signs.push_back(
          {Sign::Kind::kArrow, X_WBOf(frame, bodies_.front()).p,
           force_scale() * detail.root_force, palette::kRootHelp});
    }
    if (layers().trails) DrawTrails(frame, picture);
    picture.notes.push_back(
        Note("held up by %.0f %% of its weight", 100.0 * detail.root_help));
    picture.notes.push_back(Note("%.1f\u00b0 off the clip", detail.error));
    if (!layers().details) return;
    picture.notes.push_back(Note("step %.3f ms", 1000.0 * frame.step_seconds) +
                            Note(" of %.3f ms", 1000.0 * step()));
  }

  void DrawTrails(const Frame& frame, Picture& picture) const {
    const auto last = static_cast<std::size_t>(&frame - frames().data());
    const auto length = static_cast<std::size_t>(kTrail / kFrame);
    for (const int s : trail_segments_) {
      const auto index = static_cast<std::size_t>(s);
      std::vector<Vector3> points;
      for (std::size_t i = last > length ? last - length : 0; i <= last; ++i) {
        points.push_back(X_WBOf(frames()[i], bodies_[index]) *
                         model_->segments[index].p_JC);
      }
      internal::AddPath(points, palette::kTrail, picture.lines);
    }
  }

  std::vector<int> Arms() const {
    std::vector<int> arms;
    for (const Role role :
         {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftHand,
          Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand}) {
      const int s = model_->SegmentOf(role);
      if (s >= 0 && std::ranges::find(arms, s) == arms.end()) {
        arms.push_back(s);
      }
    }
    return arms;
  }

  int lead_in_frames_;
  std::shared_ptr<const Motion> motion_;  ///< Without these.
  std::shared_ptr<const FigureModel> model_;
  std::unique_ptr<Show> clip_;
  bool can_be_edited_ = false;
  std::shared_ptr<const figure::EditResult> result_;
  std::unique_ptr<Show> edited_;  ///< Null where there is no result.
  std::unique_ptr<Show> ghost_;
  std::unique_ptr<Show> ghost_beside_;
  FigureParts figure_;
  std::vector<int> trail_segments_;
  std::vector<int> segment_of_part_;
  std::vector<Transform> X_BS_;
  std::unique_ptr<figure::Stage> stage_;
  std::shared_ptr<figure::AnimationController> task_;
  double last_change_ = 0.0;     ///< Of strengths [s].
  std::vector<BodyId> bodies_;   ///< Per segment.
  std::vector<Detail> details_;  ///< One per frame.
  Mode mode_ = kKinematic;
};

}  // namespace

std::unique_ptr<Show> ShowPerformance(
    std::shared_ptr<const Motion> motion,
    std::shared_ptr<const FigureModel> figure) {
  return std::make_unique<PerformanceShow>(std::move(motion),
                                           std::move(figure));
}

}  // namespace limber::viewer
