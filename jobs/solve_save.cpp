// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/solve_save.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "jobs/bad_call.h"
#include "jobs/save.h"

namespace limber::jobs {

namespace {

std::string Ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return ending;
}

bool IsOpenSim(const std::filesystem::path& path) {
  const std::string ending = Ending(path);
  return ending == ".mot" || ending == ".sto";
}

/// Angles of a joint as `FormatAngles` writes them.
std::array<double, 3> AnglesOf(const mocap::BodyPose& pose, int joint) {
  const mocap::ClinicalAngles angles =
      mocap::MeasureJoint(joint, pose.R_PJ[joint]);
  return {angles.flexion, angles.side, angles.twist};
}

/// The mean of angles that may lie on both sides of 180 degrees.
double MeanAngle(std::span<const double> angles) {
  double x = 0.0;
  double y = 0.0;
  for (const double angle : angles) {
    x += std::cos(angle);
    y += std::sin(angle);
  }
  return angles.empty() ? 0.0 : std::atan2(y, x);
}

/// What the joints have in the neutral pose; zeros without one, and for the
/// pelvis, whose angles are those in the room.
std::vector<double> NeutralAngles(const SolvedTake& solved) {
  std::vector<double> neutral(3 * mocap::kNumSegments, 0.0);
  for (int j = 1; j < mocap::kNumSegments; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> angles;
      for (const mocap::BodyPose& pose : solved.neutral) {
        angles.push_back(AnglesOf(pose, j)[k]);
      }
      neutral[std::size_t(3 * j) + k] = MeanAngle(angles);
    }
  }
  return neutral;
}

}  // namespace

void CheckMotionPath(const std::filesystem::path& path) {
  const std::string ending = Ending(path);
  if (ending != ".bvh" && ending != ".glb" && ending != ".npz" &&
      ending != ".usda" && ending != ".amc" && ending != ".csv" &&
      !IsOpenSim(path)) {
    throw BadCall(
        "cannot write " + PathText(path) +
        ": motions are written as .bvh, .glb, .npz, .usda or .amc with its "
        ".asf, "
        "joint angles as .csv, or as .mot for OpenSim");
  }
}

std::vector<std::filesystem::path> FilesOfMotion(
    const std::filesystem::path& path) {
  if (Ending(path) == ".amc") return {path, AsfPathOf(path)};
  return {path};
}

figure::Motion MotionOf(const SolvedTake& solved) {
  figure::MotionSource source;
  source.metres_per_unit = 0.01;
  const mocap::Actor& actor = solved.calibration.actor;
  figure::Motion motion(mocap::MakeSkeleton(actor.p_PJ, actor.scale),
                        solved.take.rate_hz, source);
  figure::Pose pose = figure::RestPose(motion.skeleton());
  for (const mocap::BodyPose& body : solved.solution.poses) {
    mocap::ToFigurePose(actor.p_PJ, body, pose);
    motion.Append(pose);
  }
  return motion;
}

Diagnostics Save(const SolvedTake& solved, const std::filesystem::path& path) {
  CheckMotionPath(path);
  if (Ending(path) == ".csv") {
    return WriteWholeFile(path, FormatAngles(solved));
  }
  if (IsOpenSim(path)) {
    return mocap::WriteStoFile(path, OpenSimTable(solved));
  }
  return Save(MotionOf(solved), path);
}

std::string FormatAngles(const SolvedTake& solved) {
  std::string text = "time [s],pelvis x [m],pelvis y [m],pelvis z [m]";
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    for (const char* angle : {"flexion", "side", "twist"}) {
      text +=
          "," + std::string(mocap::Body()[j].joint) + " " + angle + " [deg]";
    }
  }
  text += "\n";
  std::array<char, 32> number;
  const auto add = [&](double value, const char* before) {
    std::snprintf(number.data(), number.size(), "%s%.6f", before, value);
    text += number.data();
  };
  const std::vector<double> neutral = NeutralAngles(solved);
  // Angles run on through ±180 degrees instead of jumping.
  std::vector<double> last(3 * mocap::kNumSegments, 0.0);
  for (std::size_t t = 0; t < solved.solution.poses.size(); ++t) {
    const mocap::BodyPose& pose = solved.solution.poses[t];
    add(double(t) / solved.take.rate_hz, "");
    for (int axis = 0; axis < 3; ++axis) add(pose.p_WR[axis], ",");
    for (int j = 0; j < mocap::kNumSegments; ++j) {
      const std::array<double, 3> values = AnglesOf(pose, j);
      for (int k = 0; k < 3; ++k) {
        double& previous = last[std::size_t(3 * j + k)];
        double value = values[std::size_t(k)] - neutral[std::size_t(3 * j + k)];
        if (t > 0) {
          value += 2 * kPi * std::round((previous - value) / (2 * kPi));
        }
        previous = value;
        add(Degrees(value), ",");
      }
    }
    text += "\n";
  }
  return text;
}

mocap::StoTable OpenSimTable(const SolvedTake& solved) {
  const mocap::Actor& actor = solved.calibration.actor;
  const mocap::OpenSimCoordinates coordinates =
      mocap::ToOpenSim(actor, solved.solution.poses, solved.family);
  const mocap::OpenSimCoordinates neutral =
      mocap::ToOpenSim(actor, solved.neutral, solved.family);
  const std::size_t num_columns = coordinates.names.size();
  std::vector<double> offsets(num_columns, 0.0);
  for (std::size_t c = 0; c < num_columns; ++c) {
    if (solved.neutral.empty() || coordinates.names[c].starts_with("pelvis")) {
      continue;
    }
    std::vector<double> angles;
    for (std::size_t i = c; i < neutral.values.size(); i += num_columns) {
      angles.push_back(neutral.values[i]);
    }
    offsets[c] = MeanAngle(angles);
  }
  mocap::StoTable table;
  table.name = "Coordinates";
  table.in_degrees = true;
  table.labels = coordinates.names;
  for (std::size_t t = 0; t < solved.solution.poses.size(); ++t) {
    table.times.push_back(solved.start_time_s +
                          double(t) / solved.take.rate_hz);
    for (std::size_t c = 0; c < num_columns; ++c) {
      const double value = coordinates.values[t * num_columns + c] - offsets[c];
      table.values.push_back(coordinates.is_angle[c] ? Degrees(value) : value);
    }
  }
  return table;
}

}  // namespace limber::jobs
