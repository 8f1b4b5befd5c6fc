// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace limber::figure {

/// A number that is taken after every step of a scene, and what is made of all
/// of them.
struct Measure {
  enum class Of { kLargest, kSmallest, kMean, kRms, kLast };

  /// The number now; NaN where there is none. Not called outside [from, to].
  std::function<double()> now;
  Of of = Of::kLargest;
  double from = 0.0;  ///< Of the scene's time, both ends included [s].
  double to = std::numeric_limits<double>::infinity();
};

/// What must come out of a scene: a measure between two bounds, each a number
/// or another measure.
struct Criterion {
  std::string name;  ///< For people.
  std::string unit;  ///< Of the measure: "deg"; empty for a share or a count.
  Measure measure;
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  std::optional<Measure> below_measure;  ///< Takes the place of `below`.
};

/// How a criterion came out.
struct Verdict {
  std::string name;
  std::string unit;
  double value = 0.0;  ///< NaN: nothing was measured; then it is not met.
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  bool met = false;
};

/// Watches a scene while it is played.
class Judge {
 public:
  explicit Judge(std::vector<Criterion> criteria);

  /// To be called after every step, with the time at its end.
  void Observe(double time);
  /// So far. A criterion whose time has not come is not met.
  std::vector<Verdict> Verdicts() const;

 private:
  struct Taken {
    double largest = -std::numeric_limits<double>::infinity();
    double smallest = std::numeric_limits<double>::infinity();
    double sum = 0.0;
    double squares = 0.0;
    double last = 0.0;
    double count = 0.0;
  };
  static void Take(const Measure& measure, double time, Taken& taken);
  static double ValueOf(const Measure& measure, const Taken& taken);

  std::vector<Criterion> criteria_;
  std::vector<Taken> taken_;
  std::vector<Taken> references_;
};

}  // namespace limber::figure
