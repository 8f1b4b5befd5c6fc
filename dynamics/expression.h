// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::dynamics {

class Expressions;

/// A formula in a store of formulas; a handle, cheap to copy. Equal formulas of
/// one store are one node, so that comparing handles compares formulas as they
/// were built. Operands must come from the same store.
class Expression {
 public:
  friend Expression operator+(Expression a, Expression b);
  friend Expression operator-(Expression a, Expression b);
  friend Expression operator*(Expression a, Expression b);
  friend Expression operator/(Expression a, Expression b);
  friend Expression operator-(Expression a);
  friend Expression Sin(Expression a);
  friend Expression Cos(Expression a);
  friend bool operator==(Expression a, Expression b) {
    return a.store_ == b.store_ && a.node_ == b.node_;
  }

 private:
  friend class Expressions;
  friend class ExpressionProgram;
  Expression(Expressions* store, int node) : store_(store), node_(node) {}
  Expressions* store_;
  int node_;
};

/// A store of formulas over named variables: numbers, + - * /, powers with a
/// constant exponent, sin cos tan exp log sqrt atan. Derivatives are exact;
/// what is a constant, times 0 or 1, plus 0, or less itself is simplified. Each
/// derivative of a node is worked out once [Dumont et al. 1990, 3.2].
class Expressions {
 public:
  Expression Number(double value);
  /// The variable of this name, made if there is none.
  Expression Variable(std::string_view name);
  /// The variable that stands for the time derivative of `variable`: its name
  /// with a ' behind.
  Expression RateOf(Expression variable);
  Expression Power(Expression base, double exponent);
  /// `function`: one of sin cos tan exp log sqrt atan.
  /// @throws std::invalid_argument naming another one.
  Expression Apply(std::string_view function, Expression argument);

  /// Reads  2*m*(x - x0)^2 + sin(phi)'s like: names of letters, digits, . _ and
  /// ', which are variables unless followed by a bracket. A # at the end ("is
  /// to be 0") may be there. @throws std::invalid_argument with the column,
  /// what was expected and what was found.
  Expression Parse(std::string_view text);

  Expression Derivative(Expression of, Expression variable);
  /// d/dt = sum of d/dv v' over all variables v but `time`, plus d/d`time`.
  Expression TimeDerivative(Expression of, std::string_view time = "t");

  /// All variables so far, in the order of their values in `Evaluate`.
  const std::vector<std::string>& variables() const { return variables_; }
  int IndexOf(Expression variable) const;
  double Evaluate(Expression of, std::span<const double> values) const;

  /// Nodes that `of` is made of, each once; and as many as there would be if
  /// none was shared.
  int CountNodes(std::span<const Expression> of) const;
  double CountUnshared(std::span<const Expression> of) const;

 private:
  friend class ExpressionProgram;
  friend Expression operator+(Expression a, Expression b);
  friend Expression operator-(Expression a, Expression b);
  friend Expression operator*(Expression a, Expression b);
  friend Expression operator/(Expression a, Expression b);
  friend Expression operator-(Expression a);
  enum class Kind {
    kNumber,
    kVariable,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kSin,
    kCos,
    kTan,
    kExp,
    kLog,
    kSqrt,
    kAtan,
  };
  struct Node {
    Kind kind = Kind::kNumber;
    int a = -1;
    int b = -1;
    double value = 0.0;  ///< The number, or the exponent.
    auto operator<=>(const Node&) const = default;
  };
  class Reader;

  Expression Keep(const Node& node);
  bool IsNumber(Expression e, double value) const;
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  static double Compute(const Node& node, double a, double b);
  std::vector<bool> Reached(std::span<const Expression> of) const;
  int DerivativeNode(int of, int variable);

  /// Operands come before what is made of them.
  std::vector<Node> nodes_;
  std::map<Node, int> known_;
  std::map<std::pair<int, int>, int> derivatives_;
  std::vector<std::string> variables_;
};

/// Several formulas in the order of their evaluation, shared parts once. Keeps
/// its work space: evaluating does not allocate.
class ExpressionProgram {
 public:
  ExpressionProgram() = default;
  ExpressionProgram(const Expressions& store, std::span<const Expression> of);
  /// Values of the variables as `Expressions::variables` orders them.
  void Evaluate(std::span<const double> values, std::span<double> results);

 private:
  std::vector<Expressions::Node> nodes_;
  std::vector<int> results_;
  std::vector<double> numbers_;
};

}  // namespace limber::dynamics
