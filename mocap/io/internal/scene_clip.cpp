// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/scene_clip.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "mocap/io/internal/scene_joints.h"

namespace limber::mocap::internal {

namespace {

/// For keys that are not evenly spaced [Hz].
constexpr double kUsualRate = 30.0;
/// Key times are floats: half a thousandth of a frame is the same time.
constexpr double kSameTime = 5e-4;
/// A joint that stays within a micrometre of its rest offset does not move
/// there: floats of a body's size are no finer [m].
constexpr double kStill = 1e-6;

/// When a clip begins and how its frames follow.
struct Clock {
  double begin = 0.0;  ///< [s]
  double rate = kUsualRate;
  std::int64_t frames = 1;
};

/// The rate at which all keys of a channel lie, or 0.
double EvenRate(const std::vector<float>& times) {
  if (times.size() < 3) return 0.0;
  const double step =
      (double(times.back()) - double(times.front())) / double(times.size() - 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double even = double(times.front()) + double(i) * step;
    // Times of a long clip are rounded to floats.
    const double rounding = 2e-7 * std::abs(even);
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

/// The value of a channel at a time; remembers where it was.
class Cursor {
 public:
  explicit Cursor(const SceneChannel& channel)
      : channel_(channel),
        components_(channel.path == ChannelPath::kRotation ? 4 : 3) {}

  /// Times must not fall from call to call.
  void Apply(double time, double same, NodeTransform& node) {
    const std::vector<float>& times = channel_.times;
    while (key_ + 1 < times.size() && double(times[key_ + 1]) <= time + same) {
      ++key_;
    }
    const bool at_key = time - double(times[key_]) <= same ||
                        key_ + 1 == times.size() ||
                        channel_.interpolation == KeyInterpolation::kStep;
    const Vector4 value = at_key ? Value(key_) : Between(time);
    switch (channel_.path) {
      case ChannelPath::kRotation: {
        const Quaternion r(value[3], value[0], value[1], value[2]);
        if (r.norm() > 1e-9) node.r = r.normalized();
        break;
      }
      case ChannelPath::kTranslation:
        node.t = value.head<3>();
        break;
      case ChannelPath::kScale:
        node.s = value.head<3>();
        break;
      case ChannelPath::kWeights:
        break;
    }
  }

 private:
  Vector4 Part(std::size_t key, std::size_t part, std::size_t parts) const {
    Vector4 value = Vector4::Zero();
    for (std::size_t k = 0; k < components_; ++k) {
      value[Eigen::Index(k)] =
          channel_.values[(key * parts + part) * components_ + k];
    }
    return value;
  }
  Vector4 Value(std::size_t key) const {
    return channel_.interpolation == KeyInterpolation::kCubicSpline
               ? Part(key, 1, 3)
               : Part(key, 0, 1);
  }
  /// Between this key and the next: the great arc for rotations, the line for
  /// the rest, or the file's cubic Hermite spline with its tangents.
  Vector4 Between(double time) const {
    const double begin = channel_.times[key_];
    const double length = double(channel_.times[key_ + 1]) - begin;
    const double u = std::clamp((time - begin) / length, 0.0, 1.0);
    const Vector4 a = Value(key_);
    const Vector4 b = Value(key_ + 1);
    if (channel_.interpolation == KeyInterpolation::kCubicSpline) {
      const Vector4 out = Part(key_, 2, 3);
      const Vector4 in = Part(key_ + 1, 0, 3);
      const double u2 = u * u;
      const double u3 = u2 * u;
      return (2 * u3 - 3 * u2 + 1) * a + length * (u3 - 2 * u2 + u) * out +
             (-2 * u3 + 3 * u2) * b + length * (u3 - u2) * in;
    }
    if (channel_.path != ChannelPath::kRotation) return a + u * (b - a);
    const Quaternion from = Quaternion(a[3], a[0], a[1], a[2]).normalized();
    const Quaternion to = Quaternion(b[3], b[0], b[1], b[2]).normalized();
    return from.slerp(u, to).coeffs();
  }

  const SceneChannel& channel_;
  std::size_t components_;
  std::size_t key_ = 0;
};

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
  if (8.0 * numbers > 20.0 * double(options.num_bytes) + double(1 << 25)) {
    diagnostics.Error(
        "too-long", {},
        "the animation lasts " +
            std::to_string(double(clock.frames) / clock.rate) +
            " s: too many frames at " + std::to_string(clock.rate) +
            " Hz for so few keys; a lower --rate makes it shorter");
    return std::nullopt;
  }
  std::vector<double> rows =
      SampleRows(scene, joints, channels, clock, options.metres_per_unit);
  if (std::ranges::any_of(rows, [](double number) {
        return !(std::abs(number) <= kLargestPlace);
      })) {
    diagnostics.Error("not-finite", {},
                      "a joint is farther away than 1e9 m, or nowhere");
    return std::nullopt;
  }
  figure::MotionSource source;
  source.file = options.file;
  source.format = options.format;
  source.metres_per_unit = options.metres_per_unit;
  return MotionOf(joints, std::move(rows), clock.rate, std::move(source));
}

}  // namespace limber::mocap::internal
