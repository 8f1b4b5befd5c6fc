// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/stage.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/clip_time.h"

namespace limber::figure {

Stage::Stage(const StageSettings& settings)
    : Stage(std::make_unique<dynamics::World>(settings.world),
            settings.rate_hz) {}

Stage::Stage(std::unique_ptr<dynamics::World> own, double rate_hz)
    : Stage(*own, rate_hz) {
  own_ = std::move(own);
}

Stage::Stage(dynamics::World& world, double rate_hz)
    : world_(&world), rate_hz_(rate_hz) {
  if (!(rate_hz_ > 0.0) || !std::isfinite(rate_hz_)) {
    throw std::invalid_argument("Stage: rate_hz must be positive, is " +
                                std::to_string(rate_hz_));
  }
}

Performer& Stage::AddFigure(const std::string& name,
                            std::shared_ptr<const FigureModel> model,
                            std::shared_ptr<TaskController> task,
                            const FigureBuildOptions& options) {
  Member member;
  member.name = name;
  member.performer = std::make_unique<Performer>(*world_, std::move(model),
                                                 std::move(task), options);
  member.recorder = std::make_unique<Recorder>(*world_, *member.performer);
  cast_.push_back(std::move(member));
  return *cast_.back().performer;
}

Performer& Stage::figure(const std::string& name) {
  for (Member& member : cast_) {
    if (member.name == name) return *member.performer;
  }
  throw std::invalid_argument("Stage: there is no figure \"" + name + "\"");
}

Performer& Stage::figure(int index) { return *member(index).performer; }

const Stage::Member& Stage::member(int index) const {
  if (index < 0 || index >= num_figures()) {
    throw std::invalid_argument("Stage: there is no figure " +
                                std::to_string(index));
  }
  return cast_[static_cast<std::size_t>(index)];
}

const std::string& Stage::figure_name(int index) const {
  return member(index).name;
}

const Recorder& Stage::recorder(int index) const {
  return *member(index).recorder;
}

void Stage::At(double time, std::function<void(Stage&)> action) {
  const auto place = std::upper_bound(
      line_.begin(), line_.end(), time,
      [](double t, const Entry& entry) { return t < entry.time; });
  line_.insert(place, {time, std::move(action)});
}

void Stage::Push(dynamics::BodyId body, const Vector3& p_BA,
                 const Vector3& impulse_W) {
  world_->ApplyForce(body, p_BA, impulse_W / step());
}

void Stage::Step() {
  const double h = step();
  // A step that begins a rounding error before the time is the one meant.
  const double due = world_->time() + 1e-6 * h;
  while (!line_.empty() && line_.front().time <= due) {
    const std::function<void(Stage&)> action = std::move(line_.front().action);
    line_.erase(line_.begin());
    action(*this);
  }
  for (Member& member : cast_) member.performer->BeforeStep(*world_, h);
  for (const std::unique_ptr<Goal>& goal : goals_) goal->BeforeStep(*this, h);
  world_->Step(h);
  for (Member& member : cast_) {
    member.performer->AfterStep(*world_);
    member.recorder->AddStep(*world_, *member.performer, h);
  }
}

void Stage::Run(double seconds) {
  const std::int64_t count = FramesIn(seconds, rate_hz_);
  for (std::int64_t i = 0; i < count; ++i) Step();
}

}  // namespace limber::figure
