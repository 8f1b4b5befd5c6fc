// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/figure_scenes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/index.h"
#include "figure/low_pass.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"

namespace limber::scenes {

using dynamics::Shape;
using dynamics::World;
using figure::FigureModel;
using figure::Motion;

namespace {}  // namespace

Motion LoadClip(const std::filesystem::path& path) {
  Result<Motion> clip = mocap::ReadBvhFileGuessed(path);
  if (!clip.ok()) throw std::runtime_error(clip.diagnostics().ToString());
  return WithoutLeadIn(clip.value());
}

std::shared_ptr<const FigureModel> BodyFor(const Motion& clip) {
  figure::FigureOptions options;
  options.clip = &clip;
  Result<FigureModel> made =
      figure::MakeFigure(clip.shared_skeleton(), options);
  if (!made.ok()) throw std::runtime_error("no figure for this skeleton");
  return std::make_shared<FigureModel>(std::move(made).value());
}

PlayedClip Play(const Motion& clip, std::shared_ptr<const FigureModel> model,
                const PlayOptions& options) {
  PlayedClip played{clip, std::move(model), nullptr, nullptr, nullptr, 0.0};
  const auto curve = std::make_shared<figure::SmoothMotion>(
      options.low_pass_hz > 0.0 ? LowPass(clip, options.low_pass_hz) : clip);
  figure::MotionTrack track;
  track.Append(curve);
  if (options.seconds > track.duration()) {
    track.Loop(curve, options.seconds);
  }
  played.task = std::make_shared<figure::AnimationController>(
      track,
      figure::StrengthSchedule(played.model->num_segments(), options.strength));
  figure::StageSettings settings;
  settings.rate_hz = options.rate_hz;
  played.stage = std::make_unique<figure::Stage>(settings);
  played.performer =
      &played.stage->AddFigure("figure", played.model, played.task);
  if (!options.ground) return played;
  played.floor = FloorHeight(*played.model, clip);
  AddFloor(played.stage->world(), played.floor);
  figure::ColliderOptions colliders;
  colliders.self_contact = options.self_contact;
  const std::vector<figure::Pose> at_ease = {clip.pose(0)};
  AddColliders(played.stage->world(), played.performer->figure(), colliders,
               at_ease);
  played.performer->set_raw(
      0, std::make_shared<figure::RootServo>(
             figure::RootServo::Helping(played.model->total_mass())));
  return played;
}

double JointRms(const Motion& a, const Motion& b, int stride) {
  const std::int64_t frames = std::min(a.num_frames(), b.num_frames());
  double squares = 0.0;
  double count = 0.0;
  figure::Pose one, other;
  for (std::int64_t f = 0; f < frames; f += stride) {
    a.GetPose(f, one);
    b.GetPose(f, other);
    for (int j = 0; j < a.skeleton().num_joints(); ++j) {
      if (a.skeleton().is_root(j)) continue;
      const double angle =
          AngleBetween(one.X_PJ[Index(j)].R, other.X_PJ[Index(j)].R);
      squares += angle * angle;
      count += 1.0;
    }
  }
  return std::sqrt(squares / count);
}

void AddFloor(World& world, double height) {
  dynamics::ColliderSpec spec;
  spec.shape = Shape::Plane();
  spec.X_BS.p = Vector3(0.0, height, 0.0);
  world.AddCollider(dynamics::kGround, spec);
}

double LargestSpeed(const World& world,
                    const figure::ArticulatedFigure& figure) {
  double largest = 0.0;
  for (int s = 0; s < figure.num_segments(); ++s) {
    largest = std::max(largest, world.motion(figure.body(s)).v_WC.norm());
  }
  return largest;
}

}  // namespace limber::scenes
