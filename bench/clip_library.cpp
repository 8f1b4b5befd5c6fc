// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/clip_library.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/angle.h"
#include "core/clip_time.h"
#include "core/file.h"
#include "figure/clip_tracks.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/combine.h"
#include "mocap/retarget/rigged_clip.h"

namespace limber::mocap {

namespace {

using figure::Motion;
using figure::Pose;
using figure::Skeleton;

/// Draws that are the same everywhere: the standard fixes the generator but not
/// the distributions.
class Dice {
 public:
  explicit Dice(std::int64_t seed)
      : generator_(static_cast<std::uint64_t>(seed)) {}

  double Uniform(double from, double to) {
    return from + (to - from) * std::ldexp(static_cast<double>(Bits()), -53);
  }
  bool OneIn(int n) { return Uniform(0.0, 1.0) < 1.0 / n; }
  /// Between the factor and one over it, both alike.
  double Factor(double most) {
    return std::exp(Uniform(-std::log(most), std::log(most)));
  }
  /// Mean 0, root mean square 1 [Box and Muller].
  double Normal() {
    const double u = 1.0 - Uniform(0.0, 1.0);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(Uniform(0.0, 2.0 * kPi));
  }

 private:
  std::uint64_t Bits() { return generator_() >> 11; }
  std::mt19937_64 generator_;
};

/// Frames of `motion` from `begin` to `end` [s], `pace` times as fast, at
/// `rate_hz`. A change of neither takes the frames as they are.
Motion Part(const Motion& motion, double begin, double end, double pace,
            double rate_hz) {
  Motion part(motion.shared_skeleton(), rate_hz);
  if (pace == 1.0 && rate_hz == motion.rate_hz()) {
    const auto first = static_cast<std::int64_t>(begin * rate_hz);
    const auto last = std::min(static_cast<std::int64_t>(end * rate_hz),
                               motion.num_frames() - 1);
    for (std::int64_t i = first; i <= last; ++i) part.Append(motion.pose(i));
    return part;
  }
  for (std::int64_t i = 0;; ++i) {
    const double time = begin + pace * static_cast<double>(i) / rate_hz;
    if (time > end) return part;
    part.Append(motion.Sample(time));
  }
}

/// The name with its side exchanged, where the skeleton has such a joint.
std::string OtherSide(const Skeleton& skeleton, const std::string& name) {
  constexpr std::array<std::array<const char*, 2>, 6> kSides = {
      {{"Left", "Right"},
       {"left", "right"},
       {"L", "R"},
       {"l", "r"},
       {"_L", "_R"},
       {"_l", "_r"}}};
  for (const auto& sides : kSides) {
    for (int side = 0; side < 2; ++side) {
      const std::string from = sides[side];
      for (std::size_t at = name.find(from); at != std::string::npos;
           at = name.find(from, at + 1)) {
        std::string other = name;
        other.replace(at, from.size(), sides[1 - side]);
        if (skeleton.Find(other) >= 0) return other;
      }
    }
  }
  return name;
}

/// Everything seen in a mirror that stands along x = 0:
///
///     M = diag(-1, 1, 1)     R' = M R M     p' = M p
///
/// and left joints called right, right ones left.
Motion Mirrored(const Motion& motion) {
  const auto place = [](Vector3 p) {
    p.x() = -p.x();
    return p;
  };
  const Skeleton& skeleton = motion.skeleton();
  std::vector<figure::Joint> joints = skeleton.joints();
  std::vector<figure::Site> sites = skeleton.sites();
  for (figure::Joint& joint : joints) {
    joint.name = OtherSide(skeleton, joint.name);
    joint.offset = place(joint.offset);
  }
  for (figure::Site& site : sites) {
    site.name = OtherSide(skeleton, site.name);
    site.offset = place(site.offset);
  }
  Motion mirrored(Skeleton::Make(std::move(joints), std::move(sites)),
                  motion.rate_hz());
  for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
    Pose pose = motion.pose(i);
    for (Transform& X : pose.X_PJ) {
      X.p = place(X.p);
      X.R = Quaternion(X.R.w(), X.R.x(), -X.R.y(), -X.R.z());
    }
    mirrored.Append(pose);
  }
  return mirrored;
}

/// How many times as long the bones are.
struct Growth {
  double legs = 1.0, arms = 1.0, trunk = 1.0;
};

/// Per joint, how many times as long its offset is.
std::vector<double> FactorsOf(const HumanBody& body, const Growth& growth) {
  const Skeleton& skeleton = *body.skeleton;
  std::vector<double> factors;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    double factor = growth.trunk;
    for (int side = 0; side < 2; ++side) {
      const int upper_arm = body.plan.arms[side].upper_arm;
      // From the first joint below the pelvis that leads to a leg.
      int leg = body.plan.legs[side].thigh;
      while (skeleton.joint(leg).parent >= 0 &&
             skeleton.joint(leg).parent != body.plan.pelvis) {
        leg = skeleton.joint(leg).parent;
      }
      if (joint == leg || figure::IsAbove(skeleton, leg, joint)) {
        factor = growth.legs;
      }
      if (upper_arm >= 0 && figure::IsAbove(skeleton, upper_arm, joint)) {
        factor = growth.arms;
      }
    }
    const bool carries_pelvis =
        joint == body.plan.pelvis ||
        figure::IsAbove(skeleton, joint, body.plan.pelvis);
    factors.push_back(carries_pelvis ? growth.legs : factor);
  }
  return factors;
}

/// The clip on a body of other proportions, which does the same with its feet.
Motion Grown(const Motion& motion, const HumanBody& body,
             const Growth& growth) {
  const std::vector<double> factors = FactorsOf(body, growth);
  std::vector<figure::Joint> joints = motion.skeleton().joints();
  std::vector<figure::Site> sites = motion.skeleton().sites();
  for (std::size_t j = 0; j < joints.size(); ++j)
    joints[j].offset *= factors[j];
  for (figure::Site& site : sites) {
    // A bone's end grows with the bone that carries it.
    site.offset *= factors[static_cast<std::size_t>(site.joint)];
  }
  Motion grown(Skeleton::Make(std::move(joints), std::move(sites)),
               motion.rate_hz());
  for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
    Pose pose = motion.pose(i);
    for (std::size_t j = 0; j < pose.X_PJ.size(); ++j) {
      pose.X_PJ[j].p *= factors[j];
    }
    grown.Append(pose);
  }
  return grown;
}

/// Turned about the vertical and shifted over the floor; with noise.
Motion Placed(const Motion& motion, Dice& dice, double noise_angle,
              double noise_place) {
  const Quaternion turn(
      Eigen::AngleAxisd(dice.Uniform(-kPi, kPi), Vector3::UnitY()));
  const Vector3 shift(dice.Uniform(-5.0, 5.0), 0.0, dice.Uniform(-5.0, 5.0));
  const auto any = [&dice](double size) -> Vector3 {
    const double x = dice.Normal();
    const double y = dice.Normal();
    return size * Vector3(x, y, dice.Normal());
  };
  Motion placed(motion.shared_skeleton(), motion.rate_hz());
  for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
    Pose pose = motion.pose(i);
    for (int j = 0; j < motion.skeleton().num_joints(); ++j) {
      Transform& X = pose.X_PJ[j];
      if (noise_angle > 0.0) {
        X.R = (X.R * ExpRotation(any(noise_angle))).normalized();
      }
      if (!motion.skeleton().is_root(j)) continue;
      if (noise_place > 0.0) X.p += any(noise_place);
      X.R = (turn * X.R).normalized();
      X.p = turn * X.p + shift;
    }
    placed.Append(pose);
  }
  return placed;
}

std::string Text(const char* format, double a, double b = 0.0) {
  char text[64];
  std::snprintf(text, sizeof(text), format, a, b);
  return text;
}

/// A part of a recording, as the dice say.
Motion DrawPart(const Recording& recording, double pace, double rate_hz,
                Dice& dice, std::string& name) {
  constexpr double kShortest = 1.5;  // [s]
  constexpr double kLongest = 6.0;
  const double whole = recording.motion.duration();
  const double length =
      std::min(whole, pace * dice.Uniform(kShortest, kLongest));
  const double begin = dice.Uniform(0.0, whole - length);
  name += Text(" [%.2f s %.2f s]", begin, begin + length);
  return Part(recording.motion, begin, begin + length, pace, rate_hz);
}

}  // namespace

std::vector<Recording> ReadRecordings(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".bvh") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<Recording> recordings;
  int place = 0;
  for (const std::filesystem::path& path : paths) {
    const auto text = ReadWholeFile(path);
    if (!text.ok()) continue;
    auto document = ParseBvh(*text, {.file = path.string()});
    if (!document.ok()) {
      std::printf("left out: %s", document.diagnostics().ToString().c_str());
      continue;
    }
    const BvhUnits units = GuessBvhUnits(*document).units;
    const Motion motion = MakeMotion(std::move(document).value(), units);
    constexpr double kShortest = 1.0;  // [s]
    auto rigged = motion.num_frames() > 0 && motion.duration() >= kShortest
                      ? MakeRiggedClip(motion)
                      : std::nullopt;
    if (!rigged) {
      std::printf("left out: %s is no body in motion\n",
                  path.filename().string().c_str());
      continue;
    }
    recordings.push_back(
        {path.stem().string(), rigged->motion, rigged->body, ++place % 3 == 0});
  }
  return recordings;
}

std::optional<MadeClip> MakeClip(const std::vector<Recording>& recordings,
                                 std::int64_t number) {
  if (recordings.empty()) throw std::invalid_argument("no recordings");
  Dice dice(number + 1);
  const Recording& recording =
      recordings[static_cast<std::size_t>(number) % recordings.size()];
  std::string name = recording.name;
  const double pace = dice.OneIn(2) ? dice.Factor(1.25) : 1.0;
  double rate = recording.motion.rate_hz();
  if (dice.OneIn(2)) {
    constexpr std::array<double, 5> kRates = {24, 30, 50, 60, 120};
    rate = std::min(rate, kRates[static_cast<std::size_t>(
                              dice.Uniform(0.0, kRates.size() - 1e-9))]);
  }
  Motion motion = DrawPart(recording, pace, rate, dice, name);
  if (dice.OneIn(4)) {
    const Motion after = DrawPart(recording, pace, rate, dice, name);
    constexpr double kLongEnough = 1.0;  // [s]
    if (motion.duration() < kLongEnough || after.duration() < kLongEnough) {
      return std::nullopt;
    }
    motion = Combine(motion, after, recording.body).motion;
  }
  name += Text(" x%.2f, %.0f Hz", pace, rate);
  if (dice.OneIn(2)) {
    motion = Mirrored(motion);
    name += ", mirrored";
  }
  if (dice.OneIn(2)) {
    const std::optional<HumanBody> body = MakeBody(motion.shared_skeleton());
    if (!body) return std::nullopt;
    constexpr double kMost = 1.2;
    Growth growth;
    growth.legs = dice.Factor(kMost);
    growth.arms = dice.Factor(kMost);
    growth.trunk = dice.Factor(kMost);
    motion = Grown(motion, *body, growth);
    name += Text(", legs %.2f arms %.2f", growth.legs, growth.arms) +
            Text(" trunk %.2f", growth.trunk);
  }
  const bool is_noisy = dice.OneIn(4);
  if (is_noisy) name += ", noise";
  motion = Placed(motion, dice, is_noisy ? Radians(0.1) : 0.0,
                  is_noisy ? 0.0003 : 0.0);
  std::optional<RiggedClip> rigged = MakeRiggedClip(motion);
  if (!rigged) return std::nullopt;
  return MadeClip{std::move(name), recording.is_kept_aside,
                  std::move(rigged->motion), std::move(rigged->body)};
}

}  // namespace limber::mocap
