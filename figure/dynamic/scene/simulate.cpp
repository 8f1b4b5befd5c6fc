// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/simulate.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <sstream>
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
  return finite && !too_much_work &&
         std::ranges::all_of(verdicts, &Verdict::met);
}

std::string TooMuchWork(double num_bodies, double seconds, double step,
                        double most_work) {
  const double work = num_bodies * seconds / step;
  if (work <= most_work) return "";
  std::ostringstream text;
  text << num_bodies << " bodies for " << seconds / step
       << " steps are too much work: " << work << " steps of bodies, and "
       << most_work << " is the bound";
  return text.str();
}

double DeepestOverlap(const World& world) {
  double deepest = 0.0;
  for (const dynamics::Contact& contact : world.contacts()) {
    deepest = std::max(deepest, -contact.distance);
  }
  return deepest;
}

SceneOutcome SimulateScene(FigureScene& scene, double seconds,
                           const std::function<void(double)>& progress,
                           double most_work) {
  Stage& stage = *scene.stage;
  const World& world = stage.world();
  if (!(seconds > 0.0)) seconds = scene.scene->duration;
  std::string wrong = WrongLength(seconds, stage.step(), scene.figures.size());
  if (wrong.empty()) {
    wrong = TooMuchWork(world.num_bodies(), seconds, stage.step(), most_work);
  }
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
  double work = 0.0;
  for (long long i = 0; i < count; ++i) {
    outcome.finite = Step(stage);
    if (!outcome.finite) break;
    work += double(world.num_bodies()) + double(world.report().num_contacts);
    outcome.too_much_work = work > most_work;
    if (outcome.too_much_work) break;
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
