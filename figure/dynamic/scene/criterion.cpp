// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/criterion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber::figure {

namespace {

// A step that ends a rounding error beside the bound counts [s].
constexpr double kSameTime = 1e-9;

}  // namespace

Judge::Judge(std::vector<Criterion> criteria)
    : criteria_(std::move(criteria)),
      taken_(criteria_.size()),
      references_(criteria_.size()) {}

void Judge::Take(const Measure& measure, double time, Taken& taken) {
  if (time < measure.from - kSameTime || time > measure.to + kSameTime) return;
  const double value = measure.now();
  if (std::isnan(value)) return;
  taken.largest = std::max(taken.largest, value);
  taken.smallest = std::min(taken.smallest, value);
  taken.sum += value;
  taken.squares += value * value;
  taken.last = value;
  taken.count += 1.0;
}

double Judge::ValueOf(const Measure& measure, const Taken& taken) {
  if (taken.count == 0.0) return std::numeric_limits<double>::quiet_NaN();
  switch (measure.of) {
    case Measure::Of::kLargest:
      return taken.largest;
    case Measure::Of::kSmallest:
      return taken.smallest;
    case Measure::Of::kMean:
      return taken.sum / taken.count;
    case Measure::Of::kRms:
      return std::sqrt(taken.squares / taken.count);
    case Measure::Of::kLast:
      break;
  }
  return taken.last;
}

void Judge::Observe(double time) {
  for (std::size_t i = 0; i < criteria_.size(); ++i) {
    Take(criteria_[i].measure, time, taken_[i]);
    if (criteria_[i].below_measure) {
      Take(*criteria_[i].below_measure, time, references_[i]);
    }
  }
}

std::vector<Verdict> Judge::Verdicts() const {
  std::vector<Verdict> verdicts;
  for (std::size_t i = 0; i < criteria_.size(); ++i) {
    const Criterion& criterion = criteria_[i];
    Verdict verdict;
    verdict.name = criterion.name;
    verdict.unit = criterion.unit;
    verdict.value = ValueOf(criterion.measure, taken_[i]);
    verdict.above = criterion.above;
    verdict.below = criterion.below_measure
                        ? ValueOf(*criterion.below_measure, references_[i])
                        : criterion.below;
    verdict.met =
        verdict.value > verdict.above && verdict.value < verdict.below;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace limber::figure
