// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "mocap/io/internal/node_scene.h"

namespace limber::mocap::internal {

/// For keys that are not evenly spaced [Hz].
inline constexpr double kUsualRate = 30.0;
/// Key times are floats: half a thousandth of a frame is the same time.
inline constexpr double kSameTime = 5e-4;
/// Share of a time by which keys that lie evenly differ from it: both the key
/// and the last one, which gives the rate, are floats, each off by up to 6e-8.
inline constexpr double kTimeRounding = 1.5e-7;
/// A joint that stays within a micrometre of its rest offset does not move
/// there: floats of a body's size are no finer [m].
inline constexpr double kStill = 1e-6;

/// When a clip begins and how its frames follow.
struct Clock {
  double begin = 0.0;  ///< [s]
  double rate = kUsualRate;
  std::int64_t frames = 1;
};

/// Length 1 again. What floats made of it needs one step of Newton's method
/// only, q (3 - q·q) / 2, whose error is of second order.
inline void Renormalise(Quaternion& q) {
  constexpr double kNearly = 1e-5;
  const double square = q.squaredNorm();
  if (std::abs(square - 1.0) < kNearly) {
    q.coeffs() *= 1.5 - 0.5 * square;
  } else {
    q.normalize();
  }
}

/// The value of a channel at a time; remembers where it was.
class Cursor {
 public:
  explicit Cursor(const SceneChannel& channel)
      : channel_(channel),
        components_(channel.path == ChannelPath::kRotation ? 4 : 3) {}

  /// Times must not fall from call to call.
  void Apply(double time, double same, NodeTransform& node) {
    same += kTimeRounding * std::abs(time);
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
        Quaternion r(value[3], value[0], value[1], value[2]);
        if (!(r.squaredNorm() > 1e-18)) break;
        Renormalise(r);
        node.r = r;
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
    const float* at =
        channel_.values.data() + (key * parts + part) * components_;
    return components_ == 4 ? Vector4(at[0], at[1], at[2], at[3])
                            : Vector4(at[0], at[1], at[2], 0.0);
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

}  // namespace limber::mocap::internal
