// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/scene_clip.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "mocap/io/internal/direct_rows.h"
#include "mocap/io/internal/key_cursor.h"
#include "mocap/io/internal/scene_joints.h"

namespace limber::mocap::internal {

namespace {

/// The rate at which all keys of a channel lie, or 0.
double EvenRate(const std::vector<float>& times) {
  if (times.size() < 3) return 0.0;
  const double step =
      (double(times.back()) - double(times.front())) / double(times.size() - 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double even = double(times.front()) + double(i) * step;
    // Times of a long clip are rounded to floats.
    const double rounding = kTimeRounding * std::abs(even);
    if (std::abs(double(times[i]) - even) > kSameTime * step + rounding) {
      return 0.0;
    }
  }
  const double rate = 1.0 / step;
  // What floats made of a whole number is that number again.
  constexpr double kRounding = 1e-5;
  const double whole = std::round(rate);
  return std::abs(rate - whole) < kRounding * rate ? whole : rate;
}

Clock ClockOf(const std::vector<SceneChannel>& channels,
              const std::optional<double>& wanted) {
  Clock clock;
  double end = 0.0;
  const SceneChannel* longest = nullptr;
  clock.begin = std::numeric_limits<double>::infinity();
  for (const SceneChannel& channel : channels) {
    clock.begin = std::min(clock.begin, double(channel.times.front()));
    end = std::max(end, double(channel.times.back()));
    if (longest == nullptr || channel.times.size() > longest->times.size()) {
      longest = &channel;
    }
  }
  if (longest == nullptr) {
    clock.begin = 0.0;
    clock.rate = wanted.value_or(kUsualRate);
    return clock;
  }
  const double even = EvenRate(longest->times);
  if (wanted) {
    clock.rate = *wanted;
  } else if (even > 0.0) {
    // Few keys a second are made denser by a whole number, so that each is met.
    constexpr double kFewest = 20.0;
    clock.rate = even < kFewest ? even * std::ceil(kUsualRate / even) : even;
  }
  const double frames =
      std::floor((end - clock.begin) * clock.rate + 1e-2) + 1.0;
  clock.frames =
      frames < 1e15 ? std::int64_t(frames) : std::int64_t{1000000000000000};
  return clock;
}

/// Rows of seven numbers a joint: rotation w x y z and place in the parent.
std::vector<double> SampleRows(const NodeScene& scene,
                               const SceneJoints& joints,
                               const std::vector<SceneChannel>& channels,
                               const Clock& clock, double metres_per_unit) {
  std::vector<NodeTransform> local;
  for (const SceneNode& node : scene.nodes) {
    local.push_back(node.local);
  }
  std::vector<Cursor> cursors(channels.begin(), channels.end());
  const figure::Skeleton& skeleton = *joints.skeleton;
  const auto num_joints = std::size_t(skeleton.num_joints());
  std::vector<Transform> X_WJ(num_joints);
  std::vector<double> rows;
  rows.reserve(std::size_t(clock.frames) * num_joints * 7);
  NodePlaces nodes;
  for (std::int64_t frame = 0; frame < clock.frames; ++frame) {
    const double time = clock.begin + double(frame) / clock.rate;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      cursors[c].Apply(time, kSameTime / clock.rate,
                       local[std::size_t(channels[c].node)]);
    }
    PlaceNodes(scene, local, nodes);
    for (std::size_t j = 0; j < num_joints; ++j) {
      const auto node = std::size_t(joints.node_of[j]);
      X_WJ[j] = {nodes.R_WN[node] * joints.R_WN0[j].conjugate(),
                 metres_per_unit * nodes.X_WN[node].translation()};
      const int parent = skeleton.joint(int(j)).parent;
      const Transform X_PJ =
          parent < 0 ? X_WJ[j] : X_WJ[std::size_t(parent)].Inverse() * X_WJ[j];
      const Quaternion R = X_PJ.R.normalized();
      rows.insert(rows.end(), {X_PJ.p.x(), X_PJ.p.y(), X_PJ.p.z(), R.w(), R.x(),
                               R.y(), R.z()});
    }
  }
  return rows;
}

/// The motion of such rows. A joint that keeps its offset gets no channels for
/// its place.
figure::Motion MotionOf(const SceneJoints& joints, std::vector<double> rows,
                        double rate, figure::MotionSource source) {
  const figure::Skeleton& skeleton = *joints.skeleton;
  const auto num_joints = std::size_t(skeleton.num_joints());
  std::vector<bool> moves(num_joints, false);
  for (std::size_t j = 0; j < num_joints; ++j) {
    moves[j] = skeleton.is_root(int(j));
    const Vector3& offset = skeleton.joint(int(j)).offset;
    for (std::size_t at = 7 * j; !moves[j] && at < rows.size();
         at += 7 * num_joints) {
      const Vector3 p(rows[at], rows[at + 1], rows[at + 2]);
      moves[j] = (p - offset).norm() > kStill;
    }
  }
  std::size_t kept = 0;
  for (std::size_t at = 0; at < rows.size(); at += 7) {
    const std::size_t first = moves[at / 7 % num_joints] ? 0 : 3;
    for (std::size_t k = first; k < 7; ++k) rows[kept++] = rows[at + k];
  }
  rows.resize(kept);
  source.channels = std::make_shared<const figure::ChannelLayout>(
      figure::ChannelLayout::Free(moves));
  return {joints.skeleton, rate, std::move(source), std::move(rows)};
}

bool AllNear(const std::vector<double>& rows, Diagnostics& diagnostics) {
  // The greatest instead of the first: a loop without an end in its middle.
  double greatest = 0.0;
  for (const double number : rows) {
    greatest = std::abs(number) <= kLargestPlace ? greatest : 1.0;
  }
  if (greatest == 0.0) return true;
  diagnostics.Error("not-finite", {},
                    "a joint is farther away than 1e9 m, or nowhere");
  return false;
}

}  // namespace

int ChooseAnimation(const NodeScene& scene, const std::string& wanted,
                    Diagnostics& diagnostics) {
  const auto& names = scene.animations;
  if (wanted.empty()) return names.empty() ? -1 : 0;
  const auto named = std::ranges::find(names, wanted);
  if (named != names.end()) return int(named - names.begin());
  int number = -1;
  const auto [end, error] =
      std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error == std::errc() && end == wanted.data() + wanted.size() &&
      number >= 0 && std::size_t(number) < names.size()) {
    return number;
  }
  std::string known;
  for (const std::string& name : names) {
    known += (known.empty() ? "\"" : ", \"") + name + "\"";
  }
  diagnostics.Error("no-animation", {},
                    "there is no animation \"" + wanted + "\"; there are " +
                        (known.empty() ? "none" : known));
  return -1;
}

std::optional<figure::Motion> MakeSceneClip(
    const NodeScene& scene, const std::vector<SceneChannel>& channels,
    const SceneClipOptions& options, Diagnostics& diagnostics) {
  const SceneJoints joints = MakeSceneJoints(scene, options.metres_per_unit);
  if (joints.skeleton == nullptr) {
    diagnostics.Error("not-finite", {}, "the rest pose has a joint nowhere");
    return std::nullopt;
  }
  const Clock clock = ClockOf(channels, options.rate_hz);
  const double numbers =
      double(clock.frames) * 7.0 * double(joints.skeleton->num_joints());
  // What the frames may take: per byte of the file, and at least [bytes].
  constexpr double kBytesPerByte = 12.0;
  constexpr double kBytesAtLeast = double(1 << 25);
  if (8.0 * numbers >
      kBytesPerByte * double(options.num_bytes) + kBytesAtLeast) {
    diagnostics.Error(
        "too-long", {},
        "the animation lasts " +
            std::to_string(double(clock.frames) / clock.rate) +
            " s: too many frames at " + std::to_string(clock.rate) +
            " Hz for so few keys; a lower --rate makes it shorter");
    return std::nullopt;
  }
  figure::MotionSource source;
  source.file = options.file;
  source.format = options.format;
  source.metres_per_unit = options.metres_per_unit;
  if (std::optional<DirectRows> direct = SampleDirectly(
          scene, joints, channels, clock, options.metres_per_unit)) {
    if (!AllNear(direct->rows, diagnostics)) return std::nullopt;
    source.channels = std::make_shared<const figure::ChannelLayout>(
        figure::ChannelLayout::Free(direct->moves));
    return figure::Motion(joints.skeleton, clock.rate, std::move(source),
                          std::move(direct->rows));
  }
  std::vector<double> rows =
      SampleRows(scene, joints, channels, clock, options.metres_per_unit);
  if (!AllNear(rows, diagnostics)) return std::nullopt;
  return MotionOf(joints, std::move(rows), clock.rate, std::move(source));
}

}  // namespace limber::mocap::internal
