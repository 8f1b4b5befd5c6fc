// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/event_stepper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::dynamics {
namespace {

void CheckPositive(double value, const char* name) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw std::invalid_argument(std::string("EventStepper: ") + name +
                              " must be positive and finite, is " +
                              std::to_string(value));
}

}  // namespace

EventStepper::EventStepper(World& world, const EventStepperSettings& settings)
    : world_(world), settings_(settings) {
  CheckPositive(settings.step, "step");
  CheckPositive(settings.time_tolerance, "time_tolerance");
  CheckPositive(settings.max_travel, "max_travel");
  if (settings.max_events < 0) {
    throw std::invalid_argument(
        "EventStepper: max_events must be zero or positive, is " +
        std::to_string(settings.max_events));
  }
  WorldSettings changed = world.settings();
  if (changed.scheme != Scheme::kLeapfrog) {
    throw std::invalid_argument(
        "EventStepper: contacts act under Scheme::kLeapfrog alone");
  }
  changed.contact.speculative = false;
  world.set_settings(changed);
}

std::vector<EventStepper::Pair> EventStepper::Touching(double margin) const {
  std::vector<Pair> pairs;
  for (const Contact& contact : world_.FindContacts(margin)) {
    pairs.emplace_back(contact.collider_a, contact.collider_b);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::vector<EventStepper::Pair> EventStepper::NewOverlaps(
    const std::vector<Pair>& touching) const {
  const std::vector<Pair> now = Touching(0.0);
  std::vector<Pair> fresh;
  std::set_difference(now.begin(), now.end(), touching.begin(), touching.end(),
                      std::back_inserter(fresh));
  return fresh;
}

// A body at speed v moves h v. If that is far, and something that does not
// touch yet lies within reach, the step is cut to max_travel / v.
double EventStepper::LongestSafeStep(double h,
                                     const std::vector<Pair>& touching) const {
  double fastest = 0.0;
  for (int b = 1; b < world_.num_bodies(); ++b) {
    fastest = std::max(fastest, world_.motion(BodyId{b}).v_WC.norm());
  }
  // Gravity makes it faster within the step.
  fastest += h * world_.settings().gravity.norm();
  if (h * fastest <= settings_.max_travel) return h;
  const std::vector<Pair> near = Touching(2.0 * h * fastest);
  if (std::includes(touching.begin(), touching.end(), near.begin(),
                    near.end())) {
    return h;
  }
  return settings_.max_travel / fastest;
}

std::vector<MeetingEvent> EventStepper::Advance(double duration) {
  CheckPositive(duration, "duration");
  std::vector<MeetingEvent> events;
  const double end = world_.time() + duration;
  // What rounding leaves of a duration is no step.
  const double smallest = 1e-12 * std::max(1.0, std::abs(end));
  while (end - world_.time() > smallest) {
    const double left = end - world_.time();
    if (static_cast<int>(events.size()) >= settings_.max_events) {
      world_.Step(std::min(settings_.step, left));
      continue;
    }
    const std::vector<Pair> touching = Touching(world_.settings().contact.slop);
    const double h = LongestSafeStep(std::min(settings_.step, left), touching);
    const std::shared_ptr<const World::State> start = world_.Save();
    world_.Step(h);
    std::vector<Pair> met = NewOverlaps(touching);
    if (met.empty()) continue;

    // apart(t + low), overlapping(t + high)
    double low = 0.0;
    double high = h;
    while (high - low > settings_.time_tolerance) {
      const double middle = 0.5 * (low + high);
      world_.Restore(*start);
      ++num_refused_;
      world_.Step(middle);
      std::vector<Pair> early = NewOverlaps(touching);
      if (early.empty()) {
        low = middle;
      } else {
        high = middle;
        met = std::move(early);
      }
    }
    world_.Restore(*start);
    ++num_refused_;
    world_.Step(high);
    for (const auto& [a, b] : met) events.push_back({world_.time(), a, b});
  }
  return events;
}

}  // namespace limber::dynamics
