// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/newton.h"

#include <algorithm>
#include <cmath>

#include "dynamics/solve/tolerances.h"

namespace limber::dynamics::solve {

namespace {

// Points and rows of the system after a whole step.
bool Fits(System& system) {
  const std::span<ContactPoint> contacts = system.contacts();
  const std::span<Point> points = system.points();
  const double tolerance = system.tolerance();
  bool fits = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    fits = points[i].Fits(contacts[i], tolerance) && fits;
  }
  return system.RowsFit() && fits;
}

// Whether shifts are those of the slips found, and bounds those of the normal
// impulses.
bool Agrees(System& system) {
  const std::span<const ContactPoint> contacts = system.contacts();
  const std::span<const Point> points = system.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    // What stays open does not matter.
    if (point.grip == Grip::kOpen && point.z[0] >= -kSlipAgrees) continue;
    const double slip = point.SlipOf(contacts[i]);
    if (std::abs(point.shift - slip) > kSlipAgrees) return false;
  }
  return system.RowsAgree();
}

// Shifts and bounds go a share of the way to the slips and normal impulses.
void Follow(System& system, double share) {
  const std::span<ContactPoint> contacts = system.contacts();
  const std::span<Point> points = system.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    Point& point = points[i];
    const double slip = point.SlipOf(contacts[i]);
    point.shift += share * (slip - point.shift);
    const double normal = std::max(0.0, point.linear[0]);
    contacts[i].bound += share * (normal - contacts[i].bound);
  }
}

// Shifts that are too large let bodies sink in: they become those of the slips
// found. Those that are too small only part them.
bool LowerShifts(System& system) {
  const std::span<const ContactPoint> contacts = system.contacts();
  const std::span<Point> points = system.points();
  bool any = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Point& point = points[i];
    const double slip = point.SlipOf(contacts[i]);
    if (point.grip == Grip::kOpen || point.shift <= slip + kSlipAgrees) {
      continue;
    }
    point.shift = slip;
    any = true;
  }
  return any;
}

void TakeNextStates(System& system, bool whole_steps) {
  const std::span<const ContactPoint> contacts = system.contacts();
  const std::span<Point> points = system.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].TakeNextGrip(contacts[i], whole_steps);
  }
  system.SetBounds();
  system.TakeNextRowStates(whole_steps);
}

void Advance(System& system, double share) {
  for (Point& point : system.points()) {
    for (int k = 0; k < 3; ++k) point.z[k] += share * point.g[k];
  }
  system.Advance(share);
}

System::Slope SlopeAt(System& system, double share) {
  const std::span<const ContactPoint> contacts = system.contacts();
  const std::span<const Point> points = system.points();
  System::Slope sum = system.SlopeAt(share);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactPoint& contact = contacts[i];
    Point at = points[i];
    const double* g = at.g;
    const double z[3] = {at.z[0] + at.shift + share * g[0],
                         at.z[1] + share * g[1], at.z[2] + share * g[2]};
    const Law law = LawOf(contact, z);
    sum.slope -=
        law.lambda[0] * g[0] + law.lambda[1] * g[1] + law.lambda[2] * g[2];
    at.grip = law.grip;
    if (law.grip == Grip::kSlides && contact.mu > 0.0) {
      at.Slide(contact, z + 1, law.lambda[0]);
    }
    double product[3];
    at.TimesStiffness(contact, g, product);
    sum.curvature += product[0] * g[0] + product[1] * g[1] + product[2] * g[2];
  }
  return sum;
}

// The minimum along the step: its slope grows, piecewise smooth.
double LineSearch(System& system) {
  system.StartSearch();
  double low = 0.0, high = 1.0, share = 1.0;
  constexpr int kMostRounds = 60;  // Halving alone reaches rounding.
  for (int round = 0; round < kMostRounds; ++round) {
    const System::Slope at = SlopeAt(system, share);
    if (round == 0 && at.slope <= 0.0) return 1.0;
    (at.slope > 0.0 ? high : low) = share;
    double next = share - at.slope / at.curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - share) < kSearchEnd * share;
    share = next;
    if (done) break;
  }
  return share;
}

}  // namespace

Report Solve(System& system) {
  Report report;
  bool whole_steps = true;
  int lowerings = 0;
  while (report.solves < kMostSolves) {
    const int round = report.solves++;
    const std::span<const ContactPoint> contacts = system.contacts();
    const std::span<Point> points = system.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i].Linearise(contacts[i]);
    }
    report.answered = system.Direction();
    if (!report.answered) return report;
    const bool fits = Fits(system);
    double share = 1.0;
    if (!fits && !whole_steps) {
      share = LineSearch(system);
      ++report.searches;
    }
    Advance(system, share);
    const bool follows = round < kFollowing;
    report.agrees = Agrees(system);
    if (fits && (report.agrees || !follows)) {
      const bool lower = !report.agrees && lowerings++ < kLowerings;
      if (!lower || !LowerShifts(system)) {
        report.solved = true;
        return report;
      }
    }
    if (follows) {
      // Less and less: all of the way goes to and fro in jammed piles.
      Follow(system, 1.0 / ++report.rounds);
    }
    if (whole_steps && round >= kWholeSteps) {
      whole_steps = false;
      system.StartSearches();
    }
    TakeNextStates(system, whole_steps);
  }
  return report;
}

}  // namespace limber::dynamics::solve
