// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/simulate.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "dynamics/joint.h"

namespace limber::figure {

using dynamics::World;

namespace {

// Distance between the two sides of a joint: its locked rows that measure
// lengths.
double GapOf(const dynamics::Joint& joint, const World& world) {
  dynamics::JointForm form;
  joint.Evaluate(world.motion(joint.parent()), world.motion(joint.child()),
                 form);
  double squares = 0.0;
  for (int i = 0; i < form.num_locked; ++i) {
    const dynamics::JointForm::Locked& row =
        form.locked[static_cast<std::size_t>(i)];
    if (!row.measures_angle) squares += row.error * row.error;
  }
  return std::sqrt(squares);
}

bool IsFinite(const World& world) {
  return std::ranges::all_of(
      world.motions(), [](const dynamics::BodyMotion& motion) {
        return motion.p_WB.allFinite() && motion.q_WB.coeffs().allFinite() &&
               motion.v_WC.allFinite() && motion.w_WB.allFinite();
      });
}

// Whether everything is still a number afterwards.
bool Step(Stage& stage) {
  try {
    stage.Step();
  } catch (const std::exception&) {
    // What is no number may be refused halfway through the step.
    if (IsFinite(stage.world())) throw;
  }
  return IsFinite(stage.world());
}

}  // namespace

bool SceneOutcome::AllMet() const {
  return finite && std::ranges::all_of(verdicts, &Verdict::met);
}

double DeepestOverlap(const World& world) {
  double deepest = 0.0;
  for (const dynamics::Contact& contact : world.contacts()) {
    deepest = std::max(deepest, -contact.distance);
  }
  return deepest;
}

SceneOutcome SimulateScene(FigureScene& scene, double seconds,
                           const std::function<void(double)>& progress) {
  Stage& stage = *scene.stage;
  const World& world = stage.world();
  if (!(seconds > 0.0)) seconds = scene.scene->duration;
  const std::string wrong =
      WrongLength(seconds, stage.step(), scene.figures.size());
  if (!wrong.empty()) throw std::invalid_argument("SimulateScene: " + wrong);
  std::vector<const dynamics::Joint*> joints;
  for (const auto& [name, constraint] : scene.scene->constraints) {
    if (const auto* joint = dynamic_cast<const dynamics::Joint*>(constraint)) {
      joints.push_back(joint);
    }
  }
  SceneOutcome outcome;
  Judge judge(scene.criteria);
  const auto count = std::llround(seconds / stage.step());
  for (long long i = 0; i < count; ++i) {
    outcome.finite = Step(stage);
    if (!outcome.finite) break;
    ++outcome.num_steps;
    const dynamics::LcpStatus status = world.report().status;
    if (status == dynamics::LcpStatus::kIterationLimit ||
        status == dynamics::LcpStatus::kInvalidInput) {
      ++outcome.unsolved_steps;
    }
    for (const SceneFigure& figure : scene.figures) {
      outcome.largest_gap =
          std::max(outcome.largest_gap,
                   stage.recorder(figure.index).steps().back().dislocation);
    }
    for (const dynamics::Joint* joint : joints) {
      if (!joint->enabled()) continue;
      outcome.largest_gap = std::max(outcome.largest_gap, GapOf(*joint, world));
    }
    outcome.deepest_overlap =
        std::max(outcome.deepest_overlap, DeepestOverlap(world));
    judge.Observe(world.time());
    if (progress) {
      progress(static_cast<double>(i + 1) / static_cast<double>(count));
    }
  }
  outcome.seconds = world.time();
  outcome.verdicts = judge.Verdicts();
  return outcome;
}

}  // namespace limber::figure
