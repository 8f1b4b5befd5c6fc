// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A stage on which a figure plays a clip.
#include <cmath>

#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/make_figure.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"
#include "jobs/edit.h"
#include "python/world_handles.h"

namespace limber::python {

namespace {

/// A figure that plays a clip in a world of its own.
class StageHandle {
 public:
  StageHandle(const ClipHandle& clip, const py::object& figure, double rate,
              bool floor, double strength)
      : clip_(clip.motion) {
    if (clip_->num_frames() < 2) {
      throw py::value_error("clip: expected at least two frames");
    }
    model_ = figure.is_none()
                 ? Must(jobs::FigureForClip(*clip_, clip.origin.file))
                 : figure.cast<FigureHandle*>()->model;
    if (model_->skeleton->num_joints() != clip_->skeleton().num_joints()) {
      throw py::value_error("figure: its joints are not those of the clip");
    }
    stage_ = std::make_unique<figure::Stage>(
        figure::StageSettings{.world = {}, .rate_hz = Positive(rate, "rate")});
    figure::MotionTrack track;
    track.Append(std::make_shared<const figure::SmoothMotion>(*clip_));
    task_ = std::make_shared<figure::AnimationController>(
        std::move(track),
        figure::StrengthSchedule(
            model_->num_segments(),
            figure::Strength::Powered(Positive(strength, "strength"))));
    performer_ = &stage_->AddFigure("figure", model_, task_);
    if (floor) StandOnFloor();
  }

  /// Gives the figure a floor at the height on which the clip stands, and its
  /// root no more help than its muscles would give. Without a floor the root is
  /// held on its path.
  void StandOnFloor() {
    performer_->root_servo() = figure::RootServo::Helping(model_->total_mass());
    dynamics::ColliderSpec spec;
    spec.shape = dynamics::Shape::Plane();
    spec.X_BS.p.y() = figure::FloorHeight(*model_, *clip_);
    stage_->world().AddCollider(dynamics::kGround, spec);
    figure::AddColliders(stage_->world(), performer_->figure());
  }

  void Step() { stage_->Step(); }

  void Run(double seconds) {
    if (!(seconds >= 0.0) || !(seconds * 1e-6 < stage_->step())) {
      throw py::value_error("seconds: expected zero or more, found " +
                            py::repr(py::float_(seconds)).cast<std::string>());
    }
    const auto steps =
        static_cast<std::int64_t>(std::llround(seconds / stage_->step()));
    Pause pause;
    for (std::int64_t i = 0; i < steps; ++i) {
      stage_->Step();
      pause.BetweenSteps();
    }
  }

  void Push(const std::string& segment, const py::object& impulse) {
    const std::vector<int> found = jobs::SegmentsOfList(segment, *model_);
    const int s = found.back();
    stage_->Push(performer_->figure().body(s),
                 model_->segments[std::size_t(s)].p_JC,
                 VectorOf(impulse, "impulse"));
  }

  FigureHandle Figure() const { return {model_, ""}; }
  double time() const { return stage_->time(); }
  double step() const { return stage_->step(); }

  /// World positions of the segments' joints.
  py::array_t<double> Positions() const {
    py::array_t<double> array(
        {std::int64_t(model_->num_segments()), std::int64_t(3)});
    double* out = array.mutable_data();
    for (int s = 0; s < model_->num_segments(); ++s) {
      const Vector3 p = stage_->world().X_WB(performer_->figure().body(s)).p;
      out = std::copy_n(p.data(), 3, out);
    }
    return array;
  }

  ClipHandle Clip() const {
    if (stage_->time() <= 0.0) {
      throw py::value_error("nothing is played yet: step or run first");
    }
    const auto task = task_;
    return {std::make_shared<const figure::Motion>(stage_->recorder().Bake(
                *performer_, clip_->rate_hz(),
                [task](double time) { return task->PoseAt(time); },
                clip_->source())),
            {}};
  }

 private:
  std::shared_ptr<const figure::Motion> clip_;
  std::shared_ptr<const figure::FigureModel> model_;
  std::unique_ptr<figure::Stage> stage_;
  std::shared_ptr<figure::AnimationController> task_;
  figure::Performer* performer_ = nullptr;
};

}  // namespace

void BindStage(py::module_& module) {
  py::class_<StageHandle>(module, "StageHandle")
      .def(py::init<const ClipHandle&, const py::object&, double, bool,
                    double>())
      .def("step", &StageHandle::Step)
      .def("run", &StageHandle::Run)
      .def("push", &StageHandle::Push)
      .def_property_readonly("time", &StageHandle::time)
      .def_property_readonly("h", &StageHandle::step)
      .def_property_readonly("figure", &StageHandle::Figure)
      .def("positions", &StageHandle::Positions)
      .def("clip", &StageHandle::Clip);
}

}  // namespace limber::python
