// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamics/constraints/link.h"
#include "dynamics/expression.h"

namespace limber::dynamics {

/// What a name in an equation stands for: the place of a point of a body along
/// an axis of the world, x = axis . p_WA [m].
struct NamedCoordinate {
  std::string name;
  BodyPoint point;
  Vector3 axis = Vector3::UnitX();
};

/// Equations typed by the user [Dumont et al. 1990, 2.1 and 3.2]: each becomes
/// a row C(x, t) = 0 with exact derivatives,
///
///     C'  = sum C_i x_i' + C_t
///     C'' = sum C_i x_i'' + sum C_ij x_i' x_j' + 2 sum C_it x_i' + C_tt
///
/// for example  valid*(x - x0)#  with x a coordinate, valid and x0 values that
/// may be changed between steps, t the time [s].
class ExpressionConstraint : public Link {
 public:
  /// Names that are neither a coordinate nor t are values, 0 at first.
  /// @throws std::invalid_argument if there is no equation or coordinate, if
  ///         one cannot be read (see Expressions::Parse), if a name is given
  ///         twice, or if an equation touches more than four bodies.
  ExpressionConstraint(const std::vector<std::string>& equations,
                       std::vector<NamedCoordinate> coordinates);

  /// @throws std::invalid_argument if no equation has this name.
  void set_value(std::string_view name, double value);

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  struct Row {
    std::vector<int> used;  ///< Coordinates that it depends on.
    ExpressionProgram program;
  };
  std::vector<NamedCoordinate> coordinates_;
  std::vector<int> place_;  ///< Of each coordinate among the variables.
  std::vector<std::string> names_;
  int time_ = 0;
  // Work space, so that AddRows need not allocate.
  mutable std::vector<Row> rows_;
  mutable std::vector<double> values_;
  mutable std::vector<double> results_;
};

}  // namespace limber::dynamics
