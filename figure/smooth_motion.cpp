// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/smooth_motion.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/index.h"

namespace limber::figure {

namespace {

// Second derivatives m_i of the cubic spline through y_0 .. y_n-1 at equal
// distances h. Inside, continuous slopes ask for
//
//     m_i-1 + 4 m_i + m_i+1 = 6 d_i ,   d_i = (y_i-1 - 2 y_i + y_i+1) / h^2
//
// and not-a-knot ends for m_0 = 2 m_1 - m_2, which leaves m_1 = d_1 (and the
// same at the other end). Samples of one channel lie `stride` apart.
template <typename Vector>
void FindMoments(const std::vector<Vector>& values, std::size_t first,
                 std::size_t stride, std::size_t n, double h,
                 std::vector<Vector>& moments) {
  const auto y = [&](std::size_t i) -> const Vector& {
    return values[first + i * stride];
  };
  const auto m = [&](std::size_t i) -> Vector& {
    return moments[first + i * stride];
  };
  if (n < 3) return;  // Straight: no moments.
  const auto d = [&](std::size_t i) -> Vector {
    return (y(i - 1) - 2.0 * y(i) + y(i + 1)) / (h * h);
  };
  if (n == 3) {
    m(0) = m(1) = m(2) = d(1);  // The parabola.
    return;
  }
  m(1) = d(1);
  m(n - 2) = d(n - 2);
  // Elimination from 2 to n - 3 with the pivots p_i = 4 - 1 / p_i-1.
  double pivot = 0.0;
  std::vector<double> pivots(n, 0.0);
  for (std::size_t i = 2; i + 2 < n; ++i) {
    Vector right = 6.0 * d(i);
    right -= i == 2 ? m(1) : Vector(m(i - 1) / pivot);
    if (i + 3 == n) right -= m(n - 2);
    pivot = i == 2 ? 4.0 : 4.0 - 1.0 / pivot;
    pivots[i] = pivot;
    m(i) = right;
  }
  for (std::size_t i = n - 3; i >= 2; --i) {
    if (i + 3 < n) m(i) -= m(i + 1);
    m(i) /= pivots[i];
  }
  m(0) = 2.0 * m(1) - m(2);
  m(n - 1) = 2.0 * m(n - 2) - m(n - 3);
}

Vector4 Parts(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// The vector part of a b* for parts (w, x, y, z).
Vector3 ImaginaryOfProduct(const Vector4& a, const Vector4& b) {
  const Vector3 u = a.tail<3>();
  const Vector3 v = b.tail<3>();
  return b[0] * u - a[0] * v - u.cross(v);
}

}  // namespace

// Between frames i and i + 1, a share `u` of the way.
struct SmoothMotion::Place {
  std::size_t frame = 0;
  double u = 0.0;
  double h = 0.0;  // Time between frames; 0 with one frame.
  bool moves = false;

  // y = A y0 + B y1 + C m0 + D m1 with A = 1 - u, B = u, C = (A^3 - A) h^2/6,
  // D = (B^3 - B) h^2/6.
  template <typename Vector>
  Vector Value(const Vector& y0, const Vector& y1, const Vector& m0,
               const Vector& m1) const {
    const double a = 1.0 - u;
    const double k = h * h / 6.0;
    return a * y0 + u * y1 + (a * a * a - a) * k * m0 +
           (u * u * u - u) * k * m1;
  }
  template <typename Vector>
  Vector Slope(const Vector& y0, const Vector& y1, const Vector& m0,
               const Vector& m1) const {
    const double a = 1.0 - u;
    const double k = h / 6.0;
    return (y1 - y0) / h - (3.0 * a * a - 1.0) * k * m0 +
           (3.0 * u * u - 1.0) * k * m1;
  }
  template <typename Vector>
  Vector Curvature(const Vector& m0, const Vector& m1) const {
    return (1.0 - u) * m0 + u * m1;
  }
};

SmoothMotion::SmoothMotion(const Motion& motion)
    : skeleton_(motion.shared_skeleton()),
      rate_hz_(motion.rate_hz()),
      num_frames_(static_cast<std::size_t>(motion.num_frames())) {
  if (num_frames_ == 0) {
    throw std::invalid_argument("SmoothMotion: the motion has no frames");
  }
  const std::size_t num_joints = Index(skeleton_->num_joints());
  turns_.resize(num_frames_ * num_joints);
  turn_moments_.assign(turns_.size(), Vector4::Zero());
  Pose pose;
  motion.GetPose(0, pose);
  for (const Transform& X_PJ : pose.X_PJ) still_.push_back(X_PJ.p);

  std::vector<bool> moves(num_joints, false);
  for (std::size_t f = 0; f < num_frames_; ++f) {
    motion.GetPose(static_cast<std::int64_t>(f), pose);
    for (std::size_t j = 0; j < num_joints; ++j) {
      Vector4 q = Parts(pose.X_PJ[j].R);
      if (f > 0 && q.dot(turns_[(f - 1) * num_joints + j]) < 0.0) q = -q;
      turns_[f * num_joints + j] = q;
      if (pose.X_PJ[j].p != still_[j]) moves[j] = true;
    }
  }
  for (std::size_t j = 0; j < num_joints; ++j) {
    if (moves[j]) moving_.push_back(static_cast<int>(j));
  }
  shifts_.resize(num_frames_ * moving_.size());
  shift_moments_.assign(shifts_.size(), Vector3::Zero());
  for (std::size_t f = 0; f < num_frames_ && !moving_.empty(); ++f) {
    motion.GetPose(static_cast<std::int64_t>(f), pose);
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      shifts_[f * moving_.size() + k] = pose.X_PJ[Index(moving_[k])].p;
    }
  }
  const double h = 1.0 / rate_hz_;
  for (std::size_t j = 0; j < num_joints; ++j) {
    FindMoments(turns_, j, num_joints, num_frames_, h, turn_moments_);
  }
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    FindMoments(shifts_, k, moving_.size(), num_frames_, h, shift_moments_);
  }
}

double SmoothMotion::duration() const {
  return static_cast<double>(num_frames_ - 1) / rate_hz_;
}

SmoothMotion::Place SmoothMotion::Find(double time) const {
  if (std::isnan(time)) {
    throw std::invalid_argument("SmoothMotion: time is NaN");
  }
  Place place;
  if (num_frames_ == 1) return place;
  place.h = 1.0 / rate_hz_;
  const double last = static_cast<double>(num_frames_ - 1);
  const double at = std::clamp(time * rate_hz_, 0.0, last);
  place.moves = time >= 0.0 && time * rate_hz_ <= last;
  const double frame = std::min(std::floor(at), last - 1.0);
  place.frame = static_cast<std::size_t>(frame);
  place.u = at - frame;
  return place;
}

void SmoothMotion::Sample(double time, Pose& pose) const {
  const Place place = Find(time);
  const std::size_t num_joints = still_.size();
  pose.X_PJ.resize(num_joints);
  const std::size_t next = num_frames_ > 1 ? 1 : 0;
  std::size_t at = place.frame * num_joints;
  for (std::size_t j = 0; j < num_joints; ++j, ++at) {
    const std::size_t to = at + next * num_joints;
    const Vector4 s =
        place
            .Value(turns_[at], turns_[to], turn_moments_[at], turn_moments_[to])
            .normalized();
    pose.X_PJ[j].R = Quaternion(s[0], s[1], s[2], s[3]);
    pose.X_PJ[j].p = still_[j];
  }
  at = place.frame * moving_.size();
  for (std::size_t k = 0; k < moving_.size(); ++k, ++at) {
    const std::size_t to = at + next * moving_.size();
    pose.X_PJ[Index(moving_[k])].p = place.Value(
        shifts_[at], shifts_[to], shift_moments_[at], shift_moments_[to]);
  }
}

void SmoothMotion::Sample(double time, Pose& pose,
                          std::vector<JointRates>& rates) const {
  Sample(time, pose);
  const Place place = Find(time);
  const std::size_t num_joints = still_.size();
  rates.assign(num_joints, JointRates{});
  if (!place.moves) return;
  std::size_t at = place.frame * num_joints;
  for (std::size_t j = 0; j < num_joints; ++j, ++at) {
    const std::size_t to = at + num_joints;
    const Vector4 s = place.Value(turns_[at], turns_[to], turn_moments_[at],
                                  turn_moments_[to]);
    const Vector4 ds = place.Slope(turns_[at], turns_[to], turn_moments_[at],
                                   turn_moments_[to]);
    const Vector4 dds =
        place.Curvature<Vector4>(turn_moments_[at], turn_moments_[to]);
    const double n = s.squaredNorm();
    JointRates& rate = rates[j];
    rate.w_PJ = 2.0 / n * ImaginaryOfProduct(ds, s);
    rate.alpha_PJ = 2.0 / n * ImaginaryOfProduct(dds, s) -
                    rate.w_PJ * (2.0 * s.dot(ds) / n);
  }
  at = place.frame * moving_.size();
  for (std::size_t k = 0; k < moving_.size(); ++k, ++at) {
    const std::size_t to = at + moving_.size();
    JointRates& rate = rates[Index(moving_[k])];
    rate.v_PJ = place.Slope(shifts_[at], shifts_[to], shift_moments_[at],
                            shift_moments_[to]);
    rate.a_PJ =
        place.Curvature<Vector3>(shift_moments_[at], shift_moments_[to]);
  }
}

int NumLeadInFrames(const Motion& motion) {
  constexpr double kTooFast = 30.0;  // [rad/s]
  constexpr double kJump = 5.0;
  if (motion.num_frames() < 3) return 0;
  const Pose first = motion.pose(0);
  const Pose second = motion.pose(1);
  const Pose third = motion.pose(2);
  double at_first = 0.0;
  double later = 0.0;
  for (std::size_t j = 0; j < first.X_PJ.size(); ++j) {
    at_first =
        std::max(at_first, AngleBetween(first.X_PJ[j].R, second.X_PJ[j].R));
    later = std::max(later, AngleBetween(second.X_PJ[j].R, third.X_PJ[j].R));
  }
  return at_first * motion.rate_hz() > kTooFast && at_first > kJump * later;
}

Motion WithoutLeadIn(const Motion& motion) {
  const int first = NumLeadInFrames(motion);
  if (first == 0) return motion;
  Motion rest(motion.shared_skeleton(), motion.rate_hz(), motion.source());
  for (std::int64_t f = first; f < motion.num_frames(); ++f) {
    rest.Append(motion.pose(f));
  }
  return rest;
}

}  // namespace limber::figure
