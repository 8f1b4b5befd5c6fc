// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/expression_constraint.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/index.h"
#include "dynamics/constraints/internal/entry_sum.h"

namespace limber::dynamics {
namespace {

std::vector<BodyPoint> PointsOf(const std::vector<NamedCoordinate>& from) {
  if (from.empty()) {
    throw std::invalid_argument("ExpressionConstraint: no coordinates");
  }
  std::vector<BodyPoint> points;
  for (const NamedCoordinate& coordinate : from) {
    points.push_back(coordinate.point);
  }
  return points;
}

}  // namespace

ExpressionConstraint::ExpressionConstraint(
    const std::vector<std::string>& equations,
    std::vector<NamedCoordinate> coordinates)
    : Link("ExpressionConstraint", PointsOf(coordinates)),
      coordinates_(std::move(coordinates)) {
  if (equations.empty()) {
    throw std::invalid_argument("ExpressionConstraint: no equations");
  }
  Expressions store;
  std::vector<Expression> x;
  for (const NamedCoordinate& coordinate : coordinates_) {
    if (coordinate.name == "t" ||
        std::count(store.variables().begin(), store.variables().end(),
                   coordinate.name) > 0) {
      throw std::invalid_argument("ExpressionConstraint: the name '" +
                                  coordinate.name + "' is taken");
    }
    x.push_back(store.Variable(coordinate.name));
    place_.push_back(store.IndexOf(x.back()));
  }
  const Expression t = store.Variable("t");
  time_ = store.IndexOf(t);
  std::vector<std::vector<Expression>> outputs;
  std::size_t most = 0;
  for (const std::string& equation : equations) {
    const Expression C = store.Parse(equation);
    // C, C_t, C_tt, then per coordinate C_i, C_it, and C_ij for all j.
    Row row;
    std::vector<Expression> output = {C, store.Derivative(C, t)};
    output.push_back(store.Derivative(output[1], t));
    std::vector<BodyId> touched;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (store.Derivative(C, x[i]) == store.Number(0.0)) continue;
      row.used.push_back(static_cast<int>(i));
      const BodyId body = coordinates_[i].point.body;
      if (body != kGround &&
          std::find(touched.begin(), touched.end(), body) == touched.end()) {
        touched.push_back(body);
      }
    }
    if (touched.size() > EntrySum::kMaxBodies) {
      throw std::invalid_argument("ExpressionConstraint: an equation touches " +
                                  std::to_string(touched.size()) +
                                  " bodies, at most four are allowed");
    }
    for (const int i : row.used) {
      const Expression slope = store.Derivative(C, x[Index(i)]);
      output.push_back(slope);
      output.push_back(store.Derivative(slope, t));
      for (const int j : row.used) {
        output.push_back(store.Derivative(slope, x[Index(j)]));
      }
    }
    most = std::max(most, output.size());
    outputs.push_back(std::move(output));
    rows_.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    rows_[k].program = ExpressionProgram(store, outputs[k]);
  }
  names_ = store.variables();
  values_.resize(names_.size(), 0.0);
  results_.resize(most);
}

void ExpressionConstraint::set_value(std::string_view name, double value) {
  const auto place = std::find(names_.begin(), names_.end(), name);
  const int index = static_cast<int>(place - names_.begin());
  if (place == names_.end() || index == time_ ||
      std::find(place_.begin(), place_.end(), index) != place_.end()) {
    throw std::invalid_argument("ExpressionConstraint: no value '" +
                                std::string(name) + "'");
  }
  values_[Index(index)] = value;
}

void ExpressionConstraint::AddRows(BodyMotions bodies, double time,
                                   RowBuffer& rows) const {
  values_[Index(time_)] = time;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const NamedCoordinate& x = coordinates_[i];
    values_[Index(place_[i])] =
        x.axis.dot(MotionOfPoint(bodies, x.point).position);
  }
  for (Row& row : rows_) {
    row.program.Evaluate(values_, results_);
    const std::size_t n = row.used.size();
    const auto motion = [&](std::size_t i) {
      return MotionOfPoint(bodies, coordinates_[Index(row.used[i])].point);
    };
    const auto axis = [&](std::size_t i) -> const Vector3& {
      return coordinates_[Index(row.used[i])].axis;
    };
    double bias = results_[2];
    EntrySum entries(bodies);
    for (std::size_t i = 0; i < n; ++i) {
      const double* of_i = results_.data() + 3 + i * (n + 2);
      const PointMotion p = motion(i);
      const double rate = axis(i).dot(p.rate);
      bias += of_i[0] * axis(i).dot(p.drift) + 2.0 * of_i[1] * rate;
      for (std::size_t j = 0; j < n; ++j) {
        bias += of_i[2 + j] * rate * axis(j).dot(motion(j).rate);
      }
      entries.AtPoint(coordinates_[Index(row.used[i])].point.body, p.position,
                      of_i[0] * axis(i));
    }
    rows.Add(results_[0], results_[1], bias, LengthSettings());
    entries.MoveInto(rows);
  }
}

}  // namespace limber::dynamics
