// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// The five-link arm of [Hong et al.]: constraint error summed over links and
// steps, and beside it the energy gained, for each way to enforce the links.
#include <cmath>
#include <cstdio>
#include <string>

#include "tests/scenes/five_link_arm.h"

namespace {

using limber::dynamics::Scheme;
using limber::dynamics::Stabilisation;
using limber::dynamics::WorldSettings;
using limber::test::FiveLinkArm;

struct Way {
  std::string name;
  WorldSettings settings;
  Stabilisation stabilisation;
};

void PrintCase(const Way& way, double h, double seconds, double end_mass) {
  FiveLinkArm arm(way.settings, way.stabilisation, 1.0, end_mass);
  const double before = arm.Energy();
  const double error = arm.AccumulatedError(h, seconds);
  const double gained = arm.Energy() - before;
  std::printf("  %-32s %12.5g %14.4g\n", way.name.c_str(), error, gained);
}

}  // namespace

int main() {
  WorldSettings euler;
  euler.scheme = Scheme::kEuler;
  WorldSettings printed;
  printed.scheme = Scheme::kImprovedImplicit;
  printed.velocity_projection = false;
  WorldSettings projected = printed;
  projected.velocity_projection = true;
  const Way ways[] = {
      {"first-order implicit", euler, Stabilisation::Implicit()},
      {"improved, as printed", printed, Stabilisation::Implicit()},
      {"improved, velocities projected", projected, Stabilisation::Implicit()},
      {"Baumgarte 20, 20", euler, Stabilisation::Baumgarte(20.0, 20.0)},
      {"Baumgarte 50, 50", euler, Stabilisation::Baumgarte(50.0, 50.0)},
      {"Baumgarte 50, 100", euler, Stabilisation::Baumgarte(50.0, 100.0)},
      {"leapfrog (Limber's default)", WorldSettings(), Stabilisation()},
  };
  struct Case {
    double h, seconds, end_mass;
  };
  for (const Case& c : {Case{0.001, 1, 1}, Case{0.01, 1, 1}, Case{0.01, 2, 1},
                        Case{0.01, 5, 1}, Case{0.01, 10, 1}, Case{0.1, 1, 1},
                        Case{0.1, 2, 1}, Case{0.1, 10, 1}, Case{0.01, 1, 50}}) {
    std::printf("h = %g s, %g s, end mass %g kg\n", c.h, c.seconds, c.end_mass);
    std::printf("  %-32s %12s %14s\n", "", "error [m]", "energy [J]");
    for (const Way& way : ways) PrintCase(way, c.h, c.seconds, c.end_mass);
  }
}
