// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/curve.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamics/internal/check.h"
#include "dynamics/row.h"

namespace limber::dynamics {
namespace {

using internal::CheckFinite;
using internal::ThrowBadValue;

// c[0] + c[1] t + ... + c[degree] t^degree.
struct Polynomial {
  static constexpr int kMaxDegree = 5;
  std::array<double, kMaxDegree + 1> c = {};
  int degree = kMaxDegree;

  double operator()(double t) const {
    double sum = 0.0;
    for (int i = degree; i >= 0; --i) sum = sum * t + c[i];
    return sum;
  }
  Polynomial Derivative() const {
    Polynomial d;
    d.degree = std::max(degree - 1, 0);
    for (int i = 1; i <= degree; ++i) d.c[i - 1] = i * c[i];
    return d;
  }
};

// Places in [0, 1] where a polynomial changes sign, in ascending order.
struct Roots {
  std::array<double, Polynomial::kMaxDegree> t = {};
  int count = 0;
};

// The zero of f in [lo, hi], where f changes sign once: Newton, halved when it
// would leave the bracket.
double RootBetween(const Polynomial& f, const Polynomial& df, double lo,
                   double hi) {
  const bool rising = f(lo) < 0.0;
  double t = 0.5 * (lo + hi);
  constexpr int kMaxIterations = 100;  // halving alone needs 53
  for (int i = 0; i < kMaxIterations; ++i) {
    const double value = f(t);
    if (value == 0.0) return t;
    ((value < 0.0) == rising ? lo : hi) = t;
    double next = t - value / df(t);
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (next == t || next == lo || next == hi) return next;
    t = next;
  }
  return t;
}

// Between neighbouring zeros of f' the polynomial is monotone, so it has at
// most one zero there: from the linear derivative up to f itself.
Roots FindSignChanges(const Polynomial& f) {
  if (f.degree == 0) return {};
  const Polynomial df = f.Derivative();
  const Roots turns = FindSignChanges(df);
  Roots roots;
  double lo = 0.0;
  for (int i = 0; i <= turns.count; ++i) {
    const double hi = i < turns.count ? turns.t[i] : 1.0;
    const double f_lo = f(lo);
    const double f_hi = f(hi);
    if ((f_lo < 0.0) != (f_hi < 0.0)) {
      roots.t[roots.count++] = RootBetween(f, df, lo, hi);
    }
    lo = hi;
  }
  return roots;
}

void CheckPoints(std::string_view field, std::span<const Vector3> points,
                 std::size_t least) {
  if (points.size() < least) {
    ThrowBadValue(field, "at least " + std::to_string(least),
                  std::to_string(points.size()));
  }
  for (const Vector3& point : points) CheckFinite(field, point);
}

}  // namespace

double ParameterRange::Bring(double s) const {
  if (!periodic) return std::clamp(s, min, max);
  const double period = max - min;
  const double turned = s - period * std::floor((s - min) / period);
  // Round-off may land on max, which is min again.
  return turned < max ? turned : min;
}

double Curve::ClosestParameter(const Vector3& p) const {
  const ParameterRange range = domain();
  if (!std::isfinite(range.min) || !std::isfinite(range.max)) {
    throw std::logic_error(
        "a curve without end must override ClosestParameter");
  }
  constexpr int kNumSamples = 1024;
  double best = range.min;
  double best_distance = kInfinity;
  for (int i = 0; i <= kNumSamples; ++i) {
    const double s =
        range.min + (range.max - range.min) * i / double(kNumSamples);
    const double distance = (Position(s) - p).squaredNorm();
    if (distance < best_distance) {
      best_distance = distance;
      best = s;
    }
  }
  return ClosestParameterNear(p, best);
}

double Curve::ClosestParameterNear(const Vector3& p, double s) const {
  // g(s) = (x - p).x' = 0 with g' = x'.x' + (x - p).x''; where g' is not
  // positive (a maximum is near) the step uses x'.x' alone.
  const ParameterRange range = domain();
  constexpr int kMaxIterations = 50;
  constexpr int kMaxHalvings = 40;
  s = range.Bring(s);
  for (int i = 0; i < kMaxIterations; ++i) {
    const CurvePoint x = Evaluate(s);
    const Vector3 r = x.position - p;
    const double g = r.dot(x.first);
    const double speed = x.first.squaredNorm();
    const double newton = speed + r.dot(x.second);
    if (speed == 0.0) return s;
    double step = -g / (newton > 0.0 ? newton : speed);
    // Shorten until the distance does not grow.
    double next = s;
    for (int halving = 0; halving < kMaxHalvings; ++halving, step *= 0.5) {
      next = range.Bring(s + step);
      if ((Position(next) - p).squaredNorm() <= r.squaredNorm()) break;
      next = s;
    }
    if (next == s) return s;
    const double moved = std::abs(next - s);
    s = next;
    if (moved < 1e-15 * (1.0 + std::abs(s))) return s;
  }
  return s;
}

Line::Line(const Vector3& origin, const Vector3& direction)
    : origin_(origin), direction_(direction.normalized()) {
  CheckFinite("origin", origin);
  if (!direction.allFinite() || direction.norm() == 0.0) {
    ThrowBadValue("direction", "finite and not zero",
                  internal::ToText(direction));
  }
}

CurvePoint Line::Evaluate(double s) const {
  return {origin_ + s * direction_, direction_, Vector3::Zero()};
}

ParameterRange Line::domain() const { return {-kInfinity, kInfinity, false}; }

double Line::ClosestParameter(const Vector3& p) const {
  return direction_.dot(p - origin_);
}

LineSegment::LineSegment(const Vector3& start, const Vector3& end)
    : start_(start),
      direction_((end - start).normalized()),
      length_((end - start).norm()) {
  CheckFinite("start", start);
  CheckFinite("end", end);
  if (length_ == 0.0) {
    ThrowBadValue("end", "another point than start", internal::ToText(end));
  }
}

CurvePoint LineSegment::Evaluate(double s) const {
  return {start_ + s * direction_, direction_, Vector3::Zero()};
}

ParameterRange LineSegment::domain() const { return {0.0, length_, false}; }

double LineSegment::ClosestParameter(const Vector3& p) const {
  return domain().Bring(direction_.dot(p - start_));
}

Circle::Circle(const Vector3& centre, const Vector3& normal,
               const Vector3& start, double radius)
    : centre_(centre), radius_(radius) {
  CheckFinite("centre", centre);
  internal::CheckPositive("radius", radius);
  if (!normal.allFinite() || normal.norm() == 0.0) {
    ThrowBadValue("normal", "finite and not zero", internal::ToText(normal));
  }
  const Vector3 z = normal.normalized();
  const Vector3 x = start - start.dot(z) * z;
  // Closer than this to the normal, the rest is round-off.
  if (!(x.norm() > 1e-9 * start.norm())) {
    ThrowBadValue("start", "finite and not along the normal",
                  internal::ToText(start));
  }
  x_ = x.normalized();
  y_ = z.cross(x_);
}

CurvePoint Circle::Evaluate(double s) const {
  const Vector3 out = radius_ * (std::cos(s) * x_ + std::sin(s) * y_);
  const Vector3 along = radius_ * (std::cos(s) * y_ - std::sin(s) * x_);
  return {centre_ + out, along, -out};
}

ParameterRange Circle::domain() const { return {0.0, 2.0 * kPi, true}; }

double Circle::ClosestParameter(const Vector3& p) const {
  const Vector3 r = p - centre_;
  return domain().Bring(std::atan2(r.dot(y_), r.dot(x_)));
}

CubicSpline::CubicSpline(std::vector<Segment> segments, bool closed)
    : segments_(std::move(segments)), closed_(closed) {}

CubicSpline CubicSpline::BSpline(std::span<const Vector3> control_points,
                                 bool closed) {
  CheckPoints("control_points", control_points, closed ? 3 : 4);
  const std::size_t n = control_points.size();
  const std::size_t num_segments = closed ? n : n - 3;
  std::vector<Segment> segments(num_segments);
  for (std::size_t i = 0; i < num_segments; ++i) {
    const Vector3& a = control_points[i];
    const Vector3& b = control_points[(i + 1) % n];
    const Vector3& c = control_points[(i + 2) % n];
    const Vector3& d = control_points[(i + 3) % n];
    segments[i] = {(a + 4.0 * b + c) / 6.0, (c - a) / 2.0,
                   (a - 2.0 * b + c) / 2.0, (d - a + 3.0 * (b - c)) / 6.0};
  }
  return {std::move(segments), closed};
}

CubicSpline CubicSpline::CatmullRom(std::span<const Vector3> points,
                                    bool closed) {
  CheckPoints("points", points, closed ? 3 : 2);
  const int n = static_cast<int>(points.size());
  // Neighbours beyond the ends are mirrored at them: p(-1) = 2 p(0) - p(1).
  const auto at = [&](int i) -> Vector3 {
    if (closed) return points[(i + n) % n];
    if (i < 0) return 2.0 * points[0] - points[1];
    if (i >= n) return 2.0 * points[n - 1] - points[n - 2];
    return points[i];
  };
  std::vector<Segment> segments(closed ? n : n - 1);
  for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
    const Vector3 a = at(i - 1);
    const Vector3 b = at(i);
    const Vector3 c = at(i + 1);
    const Vector3 d = at(i + 2);
    segments[i] = {b, (c - a) / 2.0, a - 2.5 * b + 2.0 * c - 0.5 * d,
                   (d - a + 3.0 * (b - c)) / 2.0};
  }
  return {std::move(segments), closed};
}

CurvePoint CubicSpline::Evaluate(double s) const {
  const double inside = closed_ ? domain().Bring(s) : s;
  const double last = static_cast<double>(segments_.size() - 1);
  const double index = std::clamp(std::floor(inside), 0.0, last);
  const double t = inside - index;
  const Segment& c = segments_[static_cast<std::size_t>(index)];
  return {c[0] + t * (c[1] + t * (c[2] + t * c[3])),
          c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]),
          2.0 * c[2] + 6.0 * t * c[3]};
}

ParameterRange CubicSpline::domain() const {
  return {0.0, static_cast<double>(segments_.size()), closed_};
}

double CubicSpline::ClosestParameter(const Vector3& p) const {
  double best = 0.0;
  double best_distance = kInfinity;
  const auto consider = [&](double s) {
    const double distance = (Position(s) - p).squaredNorm();
    if (distance < best_distance) {
      best_distance = distance;
      best = s;
    }
  };
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    // g(t) = e . e', e = c0 - p + c1 t + c2 t^2 + c3 t^3: a quintic whose sign
    // changes are the extremes of the distance.
    const Segment& c = segments_[i];
    const std::array<Vector3, 4> e = {c[0] - p, c[1], c[2], c[3]};
    Polynomial g;
    for (int j = 0; j < 4; ++j) {
      for (int k = 1; k < 4; ++k) g.c[j + k - 1] += k * e[j].dot(e[k]);
    }
    consider(static_cast<double>(i));
    const Roots roots = FindSignChanges(g);
    for (int k = 0; k < roots.count; ++k) {
      consider(static_cast<double>(i) + roots.t[k]);
    }
  }
  if (!closed_) consider(domain().max);
  return best;
}

}  // namespace limber::dynamics
