// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/take_evidence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace limber::mocap {

namespace {

/// Parts of labels, without side, blanks and punctuation, in upper case.
constexpr std::array<std::string_view, 20> kFootWords = {
    "HEE",  "TOE",  "ANK", "MT1",    "MT2",  "MT5", "MTP", "MET", "CAL", "FOOT",
    "MALL", "LMAL", "HLX", "HALLUX", "SHOE", "FCC", "FM1", "FM2", "FM5", "FAL"};
constexpr std::array<std::string_view, 19> kUpperWords = {
    "HEAD", "FHD",  "BHD", "C7",   "CLAV", "STRN",  "STERN",
    "NECK", "SHOU", "SHO", "ACRO", "JUG",  "XIPHO", "T10",
    "CV7",  "TV10", "SXS", "SJN",  "HDTP"};
constexpr std::array<std::string_view, 11> kPelvisWords = {
    "ASI", "PSI",  "SACR",  "PELV", "WAIST", "FWT",
    "BWT", "ILIA", "CREST", "IAS",  "IPS"};

std::string Plain(std::string_view label) {
  const std::size_t colon = label.rfind(':');
  if (colon != std::string_view::npos) label.remove_prefix(colon + 1);
  std::string plain;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

std::vector<int> ColumnsWith(const MarkerTake& take,
                             std::span<const std::string_view> words) {
  std::vector<int> columns;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (take.kind(m) != PointKind::kMarker) continue;
    const std::string plain = Plain(take.labels()[m]);
    const bool has = std::ranges::any_of(words, [&](std::string_view word) {
      return plain.find(word) != std::string::npos;
    });
    if (has) columns.push_back(m);
  }
  return columns;
}

/// The middle of the seen points among `columns`; nothing without any.
std::optional<Vector3> MiddleOf(const MarkerTake& take, std::int64_t frame,
                                std::span<const int> columns) {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (const int m : columns) {
    if (!take.IsVisible(frame, m)) continue;
    sum += take.Position(frame, m);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return Vector3(sum / count);
}

std::vector<int> MarkerColumns(const MarkerTake& take) {
  std::vector<int> columns;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (take.kind(m) == PointKind::kMarker) columns.push_back(m);
  }
  return columns;
}

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Frames that are looked at where all of them would say the same.
constexpr std::int64_t kLooks = 300;
/// Fewer points than these are no body.
constexpr std::size_t kLeastPoints = 6;

double FindSize(const MarkerTake& take, std::span<const int> columns) {
  std::vector<double> sizes;
  const std::int64_t step =
      std::max<std::int64_t>(1, take.num_frames() / kLooks);
  for (std::int64_t t = 0; t < take.num_frames(); t += step) {
    std::array<std::vector<double>, 3> along;
    for (const int m : columns) {
      if (!take.IsVisible(t, m)) continue;
      for (int i = 0; i < 3; ++i) along[i].push_back(take.Position(t, m)[i]);
    }
    if (along[0].size() < kLeastPoints) continue;
    Vector3 middle;
    for (int i = 0; i < 3; ++i) middle[i] = Median(along[i]);
    std::vector<double> distances;
    for (const int m : columns) {
      if (take.IsVisible(t, m)) {
        distances.push_back((take.Position(t, m) - middle).norm());
      }
    }
    sizes.push_back(Median(distances));
  }
  return sizes.empty() ? 0.0 : Median(sizes);
}

Vector3 FindBody(const MarkerTake& take) {
  std::vector<int> feet = ColumnsWith(take, kFootWords);
  std::vector<int> above = ColumnsWith(take, kUpperWords);
  // "SHOE" is no shoulder.
  std::erase_if(
      above, [&](int m) { return std::ranges::find(feet, m) != feet.end(); });
  const std::vector<int> pelvis = ColumnsWith(take, kPelvisWords);
  if (feet.empty()) feet = pelvis;
  if (above.empty()) above = pelvis;
  if (feet.empty() || above.empty()) return Vector3::Zero();
  Vector3 sum = Vector3::Zero();
  std::int64_t count = 0;
  const std::int64_t step =
      std::max<std::int64_t>(1, take.num_frames() / kLooks);
  for (std::int64_t t = 0; t < take.num_frames(); t += step) {
    const std::optional<Vector3> low = MiddleOf(take, t, feet);
    const std::optional<Vector3> high = MiddleOf(take, t, above);
    if (!low || !high || *low == *high) continue;
    sum += (*high - *low).normalized();
    ++count;
  }
  return count == 0 ? Vector3::Zero() : Vector3(sum / double(count));
}

/// Half of a tenth of a second in frames: speeds over it are not noise.
std::int64_t HalfWindow(const MarkerTake& take) {
  constexpr double kWindow = 0.1;  // [s]
  return std::max<std::int64_t>(1, std::llround(kWindow * take.rate_hz() / 2));
}

/// How all points move together around one frame.
struct Course {
  bool is_known = false;
  /// Medians per axis, so that gaps and strays do not count [m], [m/s].
  Vector3 middle = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
  /// The mean, which is nearest to the centre of mass [m/s^2].
  Vector3 acceleration = Vector3::Zero();
  double slowest = 0.0;  ///< Speed of the slowest point [m/s].
};

/// `at` from the points that are seen before, at and after frame `t`.
void FindCourseAt(const MarkerTake& take, std::span<const int> columns,
                  std::int64_t t, std::int64_t half, Course& at) {
  const double dt = double(half) / take.rate_hz();
  std::array<std::vector<double>, 3> places;
  std::array<std::vector<double>, 3> speeds;
  at.slowest = std::numeric_limits<double>::infinity();
  for (const int m : columns) {
    if (!take.IsVisible(t - half, m) || !take.IsVisible(t, m) ||
        !take.IsVisible(t + half, m)) {
      continue;
    }
    const Vector3 before = take.Position(t - half, m);
    const Vector3 now = take.Position(t, m);
    const Vector3 after = take.Position(t + half, m);
    const Vector3 velocity = (after - before) / (2 * dt);
    const Vector3 change = (after - now) - (now - before);
    // Numbers near the largest double have no differences.
    if (!change.allFinite() || !velocity.allFinite()) continue;
    for (int i = 0; i < 3; ++i) {
      places[i].push_back(now[i]);
      speeds[i].push_back(velocity[i]);
    }
    at.acceleration += change / (dt * dt);
    at.slowest = std::min(at.slowest, velocity.norm());
  }
  at.is_known = places[0].size() >= kLeastPoints;
  if (!at.is_known) return;
  at.acceleration /= double(places[0].size());
  for (int i = 0; i < 3; ++i) {
    at.middle[i] = Median(places[i]);
    at.velocity[i] = Median(speeds[i]);
  }
}

std::vector<Course> FindCourse(const MarkerTake& take,
                               std::span<const int> columns) {
  const std::int64_t half = HalfWindow(take);
  std::vector<Course> course(std::size_t(take.num_frames()));
  for (std::int64_t t = half; t + half < take.num_frames(); ++t) {
    FindCourseAt(take, columns, t, half, course[std::size_t(t)]);
  }
  return course;
}

Vector3 FindStance(const MarkerTake& take, std::span<const int> columns,
                   const std::vector<Course>& course) {
  // A foot that stands is slower, a body that goes is faster [m/s]; walking
  // people have 0 and 1.
  constexpr double kStands = 0.12;
  constexpr double kGoes = 0.35;
  // What hardly ever moves is no part of a person who goes.
  constexpr double kProp = 0.9;
  // A third of a second of one foot at 120 Hz: less may be a turning point of a
  // hand.
  constexpr std::int64_t kLeastSamples = 40;
  const std::int64_t half = HalfWindow(take);
  const double per_second = take.rate_hz() / double(2 * half);
  Vector3 sum = Vector3::Zero();
  std::int64_t count = 0;
  for (const int m : columns) {
    Vector3 of_marker = Vector3::Zero();
    std::int64_t standing = 0;
    std::int64_t going = 0;
    for (std::int64_t t = half; t + half < take.num_frames(); ++t) {
      const Course& body = course[std::size_t(t)];
      if (!body.is_known || body.velocity.norm() < kGoes ||
          !take.IsVisible(t - half, m) || !take.IsVisible(t, m) ||
          !take.IsVisible(t + half, m)) {
        continue;
      }
      ++going;
      const double speed =
          (take.Position(t + half, m) - take.Position(t - half, m)).norm() *
          per_second;
      if (speed > kStands) continue;
      ++standing;
      of_marker += (body.middle - take.Position(t, m)).normalized();
    }
    if (double(standing) > kProp * double(going)) continue;
    sum += of_marker;
    count += standing;
  }
  return count < kLeastSamples ? Vector3::Zero() : Vector3(sum / double(count));
}

/// In flight the middle falls with 9.81 m/s^2, but for what markers are no
/// centre of mass, and no point is at rest. Pushes and landings reach as much
/// with a foot on the floor.
constexpr double kFlightTolerance = 2.0;  // [m/s^2]
constexpr double kShortestFlight = 0.15;  // [s]
constexpr double kRests = 0.3;            // [m/s]

Vector3 FindFlight(const MarkerTake& take, const std::vector<Course>& course) {
  const double shortest = kShortestFlight * take.rate_hz();
  Vector3 sum = Vector3::Zero();
  double count = 0;
  Vector3 run = Vector3::Zero();
  double length = 0;
  const auto finish = [&] {
    if (length >= shortest) {
      sum -= run / kGravity;
      count += length;
    }
    run.setZero();
    length = 0;
  };
  for (const Course& at : course) {
    const Vector3& a = at.acceleration;
    const bool falls = at.is_known && at.slowest > kRests &&
                       std::fabs(a.norm() - kGravity) < kFlightTolerance;
    const bool goes_on =
        length == 0 || (a - run / length).norm() < kFlightTolerance;
    if (!falls || !goes_on) finish();
    if (!falls) continue;
    run += a;
    ++length;
  }
  finish();
  return count == 0 ? Vector3::Zero()
                    : Vector3((sum / count).cwiseMax(-1).cwiseMin(1));
}

std::string Text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// "said" or "assumed".
std::string_view How(Decision decision) {
  return decision == Decision::kFile ? "the file says"
                                     : "without a word in the file it would be";
}

/// The factor by which lengths are to be multiplied; 1 where the size may be
/// that of what people record.
double FindFactor(double size) {
  // Half of the markers on a body are nearer to their middle than 0.25 to
  // 0.6 m. The range about it is a decade wide, so that of metres, centimetres
  // and millimetres only one fits; what is 0.012 to 12 m large is never
  // contradicted, from a hand to a group of people.
  constexpr double kLeastBody = 0.12;
  constexpr double kMostBody = 10 * kLeastBody;
  for (const double factor : {1e-3, 1e3, 1e-2, 1e2}) {
    if (factor * size > kLeastBody && factor * size < kMostBody) return factor;
  }
  return 1.0;
}

std::string UnitName(double metres) {
  struct Named {
    double metres;
    const char* name;
  };
  for (const Named& unit : {Named{0.001, "mm"}, Named{0.01, "cm"},
                            Named{0.1, "dm"}, Named{1.0, "m"}}) {
    if (std::fabs(metres / unit.metres - 1) < 1e-9) return unit.name;
  }
  return Text(metres) + " m";
}

void SettleUnit(MarkerTake& take, double size, Diagnostics& diagnostics) {
  TakeOrigin& origin = take.origin;
  if (origin.unit_decision == Decision::kCaller) return;
  const double factor = FindFactor(size);
  if (factor == 1.0) return;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      if (take.kind(m) != PointKind::kMarker || !take.IsVisible(t, m)) continue;
      const Vector3 p = factor * take.Position(t, m);
      if (p.allFinite()) {
        take.SetPosition(t, m, p);
      } else {
        take.SetMissing(t, m);
      }
    }
  }
  const std::string said = UnitName(origin.metres_per_unit);
  origin.metres_per_unit *= factor;
  const std::string seen = UnitName(origin.metres_per_unit);
  diagnostics.Warning("unit", {},
                      std::string(How(origin.unit_decision)) + " " + said +
                          ", but then half of the points would lie within " +
                          Text(size) + " m of their middle: taken as " + seen +
                          " (--unit " + said + " keeps it)");
  origin.unit = seen;
  origin.unit_decision = Decision::kEvidence;
}

SignedAxis NearestAxis(const Vector3& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return static_cast<SignedAxis>(2 * axis + (direction[axis] < 0 ? 1 : 0));
}

void SettleUp(MarkerTake& take, const TakeEvidence& evidence,
              Diagnostics& diagnostics) {
  TakeOrigin& origin = take.origin;
  if (origin.axes_decision == Decision::kCaller) return;
  const Vector3 up = evidence.up();
  int axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  const Vector3 seen = Vector3::Unit(axis) * (up[axis] < 0 ? -1.0 : 1.0);
  // Standing and walking people have 0.9 and more of the way up; a direction
  // between two axes (0.71 of each) is no contradiction.
  constexpr double kClear = 0.72;
  if (seen == Vector3::UnitY() || up.dot(seen) < kClear) return;
  const Matrix3 R =
      Quaternion::FromTwoVectors(seen, Vector3::UnitY()).toRotationMatrix();
  // A turn between axes has only 0 and +-1 in its matrix.
  const Matrix3 turn = R.unaryExpr([](double x) { return std::round(x); });
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      if (take.kind(m) != PointKind::kMarker || !take.IsVisible(t, m)) continue;
      take.SetPosition(t, m, turn * take.Position(t, m));
    }
  }
  const SignedAxis said = origin.axes.up;
  const Vector3 right = origin.axes.FromInside(turn.transpose().col(0));
  const SignedAxis found = NearestAxis(origin.axes.FromInside(seen));
  origin.axes = {NearestAxis(right), found};
  std::string witnesses;
  const auto add = [&](const Vector3& witness, const char* what) {
    if (witness.dot(seen) < kClear) return;
    witnesses += (witnesses.empty() ? "" : ", ") + std::string(what);
  };
  add(evidence.body, "feet below shoulders and hips");
  add(evidence.stance, "points that stand below those that go");
  add(evidence.flight, "the fall in free flight");
  diagnostics.Warning("up-axis", {},
                      std::string(How(origin.axes_decision)) + " that " +
                          std::string(ToString(said)) +
                          " is up, but the points (" + witnesses + ") have " +
                          std::string(ToString(found)) + " up: turned (--up " +
                          std::string(ToString(said)) + " keeps it)");
  origin.axes_decision = Decision::kEvidence;
}

}  // namespace

Vector3 TakeEvidence::up() const {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (const Vector3& witness : {body, stance, flight}) {
    if (witness == Vector3::Zero()) continue;
    sum += witness;
    ++count;
  }
  return count == 0 ? sum : Vector3(sum / count);
}

TakeEvidence FindEvidence(const MarkerTake& take) {
  const std::vector<int> columns = MarkerColumns(take);
  TakeEvidence evidence;
  evidence.size = FindSize(take, columns);
  evidence.body = FindBody(take);
  const std::vector<Course> course = FindCourse(take, columns);
  evidence.stance = FindStance(take, columns, course);
  evidence.flight = FindFlight(take, course);
  return evidence;
}

void SettleAxesAndUnit(MarkerTake& take, Diagnostics& diagnostics) {
  SettleUnit(take, FindSize(take, MarkerColumns(take)), diagnostics);
  // Speeds and falls are only what they are in the right unit.
  SettleUp(take, FindEvidence(take), diagnostics);
}

}  // namespace limber::mocap
