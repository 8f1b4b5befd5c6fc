// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/expression.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "core/index.h"

namespace limber::dynamics {

namespace {

constexpr std::array<std::string_view, 7> kFunctions = {
    "sin", "cos", "tan", "exp", "log", "sqrt", "atan"};

}  // namespace

Expression Expressions::Keep(const Node& node) {
  const auto [place, added] =
      known_.try_emplace(node, static_cast<int>(nodes_.size()));
  if (added) nodes_.push_back(node);
  return {this, place->second};
}

bool Expressions::IsNumber(Expression e, double value) const {
  const Node& n = node(e.node_);
  return n.kind == Kind::kNumber && n.value == value;
}

double Expressions::Compute(const Node& node, double a, double b) {
  switch (node.kind) {
    case Kind::kNumber:
      return node.value;
    case Kind::kVariable:
      break;
    case Kind::kAdd:
      return a + b;
    case Kind::kSubtract:
      return a - b;
    case Kind::kMultiply:
      return a * b;
    case Kind::kDivide:
      return a / b;
    case Kind::kPower:
      return std::pow(a, node.value);
    case Kind::kSin:
      return std::sin(a);
    case Kind::kCos:
      return std::cos(a);
    case Kind::kTan:
      return std::tan(a);
    case Kind::kExp:
      return std::exp(a);
    case Kind::kLog:
      return std::log(a);
    case Kind::kSqrt:
      return std::sqrt(a);
    case Kind::kAtan:
      return std::atan(a);
  }
  assert(false);
  return 0.0;
}

Expression Expressions::Number(double value) {
  // -0 and 0 are one number.
  return Keep({Kind::kNumber, -1, -1, value == 0.0 ? 0.0 : value});
}

Expression Expressions::Variable(std::string_view name) {
  const auto place = std::find(variables_.begin(), variables_.end(), name);
  const int index = static_cast<int>(place - variables_.begin());
  if (place == variables_.end()) variables_.emplace_back(name);
  return Keep({Kind::kVariable, index, -1, 0.0});
}

int Expressions::IndexOf(Expression variable) const {
  assert(node(variable.node_).kind == Kind::kVariable);
  return node(variable.node_).a;
}

Expression Expressions::RateOf(Expression variable) {
  return Variable(variables_[Index(IndexOf(variable))] + "'");
}

Expression operator+(Expression a, Expression b) {
  assert(a.store_ == b.store_);
  using Kind = Expressions::Kind;
  Expressions& store = *a.store_;
  if (store.IsNumber(a, 0.0)) return b;
  if (store.IsNumber(b, 0.0)) return a;
  const auto& n = store.node(a.node_);
  const auto& m = store.node(b.node_);
  if (n.kind == Kind::kNumber && m.kind == Kind::kNumber) {
    return store.Number(n.value + m.value);
  }
  // Sums and products in one order, so that more of them are equal.
  if (a.node_ > b.node_) std::swap(a, b);
  return store.Keep({Kind::kAdd, a.node_, b.node_, 0.0});
}

Expression operator-(Expression a, Expression b) {
  assert(a.store_ == b.store_);
  using Kind = Expressions::Kind;
  Expressions& store = *a.store_;
  if (a == b) return store.Number(0.0);
  if (store.IsNumber(b, 0.0)) return a;
  const auto& n = store.node(a.node_);
  const auto& m = store.node(b.node_);
  if (n.kind == Kind::kNumber && m.kind == Kind::kNumber) {
    return store.Number(n.value - m.value);
  }
  return store.Keep({Kind::kSubtract, a.node_, b.node_, 0.0});
}

Expression operator-(Expression a) { return a.store_->Number(-1.0) * a; }

Expression operator*(Expression a, Expression b) {
  assert(a.store_ == b.store_);
  using Kind = Expressions::Kind;
  Expressions& store = *a.store_;
  if (store.IsNumber(a, 0.0) || store.IsNumber(b, 0.0)) {
    return store.Number(0.0);
  }
  if (store.IsNumber(a, 1.0)) return b;
  if (store.IsNumber(b, 1.0)) return a;
  const auto& n = store.node(a.node_);
  const auto& m = store.node(b.node_);
  if (n.kind == Kind::kNumber && m.kind == Kind::kNumber) {
    return store.Number(n.value * m.value);
  }
  if (a.node_ > b.node_) std::swap(a, b);
  return store.Keep({Kind::kMultiply, a.node_, b.node_, 0.0});
}

Expression operator/(Expression a, Expression b) {
  assert(a.store_ == b.store_);
  using Kind = Expressions::Kind;
  Expressions& store = *a.store_;
  if (store.IsNumber(a, 0.0)) return a;
  if (store.IsNumber(b, 1.0)) return a;
  const auto& n = store.node(a.node_);
  const auto& m = store.node(b.node_);
  if (n.kind == Kind::kNumber && m.kind == Kind::kNumber && m.value != 0.0) {
    return store.Number(n.value / m.value);
  }
  return store.Keep({Kind::kDivide, a.node_, b.node_, 0.0});
}

Expression Expressions::Power(Expression base, double exponent) {
  if (exponent == 0.0) return Number(1.0);
  if (exponent == 1.0) return base;
  const Node& n = node(base.node_);
  if (n.kind == Kind::kNumber) return Number(std::pow(n.value, exponent));
  return Keep({Kind::kPower, base.node_, -1, exponent});
}

Expression Expressions::Apply(std::string_view function, Expression argument) {
  const auto place = std::find(kFunctions.begin(), kFunctions.end(), function);
  if (place == kFunctions.end()) {
    throw std::invalid_argument("Expressions: no function '" +
                                std::string(function) + "'");
  }
  const Node made{static_cast<Kind>(static_cast<int>(Kind::kSin) +
                                    (place - kFunctions.begin())),
                  argument.node_, -1, 0.0};
  const Node& n = node(argument.node_);
  if (n.kind == Kind::kNumber) return Number(Compute(made, n.value, 0.0));
  return Keep(made);
}

Expression Sin(Expression a) { return a.store_->Apply("sin", a); }
Expression Cos(Expression a) { return a.store_->Apply("cos", a); }

int Expressions::DerivativeNode(int of, int variable) {
  if (of == variable) return Number(1.0).node_;
  const auto known = derivatives_.find({of, variable});
  if (known != derivatives_.end()) return known->second;
  const Node n = node(of);
  const auto handle = [this](int i) { return Expression(this, i); };
  const auto d = [&](int i) { return handle(DerivativeNode(i, variable)); };
  const auto result = [&]() -> Expression {
    switch (n.kind) {
      case Kind::kNumber:
      case Kind::kVariable:
        return Number(0.0);
      case Kind::kAdd:
        return d(n.a) + d(n.b);
      case Kind::kSubtract:
        return d(n.a) - d(n.b);
      case Kind::kMultiply:
        return d(n.a) * handle(n.b) + handle(n.a) * d(n.b);
      case Kind::kDivide:
        return (d(n.a) - handle(of) * d(n.b)) / handle(n.b);
      case Kind::kPower:
        return Number(n.value) * Power(handle(n.a), n.value - 1.0) * d(n.a);
      case Kind::kSin:
        return Apply("cos", handle(n.a)) * d(n.a);
      case Kind::kCos:
        return -(Apply("sin", handle(n.a)) * d(n.a));
      case Kind::kTan:
        return (Number(1.0) + handle(of) * handle(of)) * d(n.a);
      case Kind::kExp:
        return handle(of) * d(n.a);
      case Kind::kLog:
        return d(n.a) / handle(n.a);
      case Kind::kSqrt:
        return d(n.a) / (Number(2.0) * handle(of));
      case Kind::kAtan:
        return d(n.a) / (Number(1.0) + handle(n.a) * handle(n.a));
    }
    assert(false);
    return Number(0.0);
  }();
  derivatives_[{of, variable}] = result.node_;
  return result.node_;
}

Expression Expressions::Derivative(Expression of, Expression variable) {
  assert(node(variable.node_).kind == Kind::kVariable);
  return {this, DerivativeNode(of.node_, variable.node_)};
}

Expression Expressions::TimeDerivative(Expression of, std::string_view time) {
  Expression sum = Number(0.0);
  const std::size_t known = variables_.size();
  for (std::size_t i = 0; i < known; ++i) {
    const Expression v = Variable(variables_[i]);
    const Expression slope = Derivative(of, v);
    if (IsNumber(slope, 0.0)) continue;
    sum = sum + (variables_[i] == time ? slope : slope * RateOf(v));
  }
  return sum;
}

std::vector<bool> Expressions::Reached(std::span<const Expression> of) const {
  std::vector<bool> reached(nodes_.size(), false);
  for (const Expression& e : of) reached[Index(e.node_)] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!reached[i] || nodes_[i].kind == Kind::kVariable) continue;
    if (nodes_[i].a >= 0) reached[Index(nodes_[i].a)] = true;
    if (nodes_[i].b >= 0) reached[Index(nodes_[i].b)] = true;
  }
  return reached;
}

int Expressions::CountNodes(std::span<const Expression> of) const {
  const std::vector<bool> reached = Reached(of);
  return static_cast<int>(std::count(reached.begin(), reached.end(), true));
}

double Expressions::CountUnshared(std::span<const Expression> of) const {
  std::vector<double> size(nodes_.size(), 1.0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind == Kind::kVariable) continue;
    if (nodes_[i].a >= 0) size[i] += size[Index(nodes_[i].a)];
    if (nodes_[i].b >= 0) size[i] += size[Index(nodes_[i].b)];
  }
  double sum = 0.0;
  for (const Expression& e : of) sum += size[Index(e.node_)];
  return sum;
}

double Expressions::Evaluate(Expression of,
                             std::span<const double> values) const {
  ExpressionProgram program(*this, {&of, 1});
  double result = 0.0;
  program.Evaluate(values, {&result, 1});
  return result;
}

ExpressionProgram::ExpressionProgram(const Expressions& store,
                                     std::span<const Expression> of) {
  const std::vector<bool> reached = store.Reached(of);
  std::vector<int> place(reached.size(), -1);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    Expressions::Node node = store.nodes_[i];
    if (node.kind != Expressions::Kind::kVariable) {
      if (node.a >= 0) node.a = place[Index(node.a)];
      if (node.b >= 0) node.b = place[Index(node.b)];
    }
    place[i] = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
  }
  for (const Expression& e : of) results_.push_back(place[Index(e.node_)]);
  numbers_.resize(nodes_.size());
}

void ExpressionProgram::Evaluate(std::span<const double> values,
                                 std::span<double> results) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Expressions::Node& node = nodes_[i];
    if (node.kind == Expressions::Kind::kVariable) {
      numbers_[i] = values[Index(node.a)];
      continue;
    }
    numbers_[i] =
        Expressions::Compute(node, node.a >= 0 ? numbers_[Index(node.a)] : 0.0,
                             node.b >= 0 ? numbers_[Index(node.b)] : 0.0);
  }
  for (std::size_t i = 0; i < results_.size(); ++i) {
    results[i] = numbers_[Index(results_[i])];
  }
}

// sum = product {(+|-) product} ; product = power {(*|/) power} ;
// power = [-] part [^ number] ; part = number | name | name ( sum ) | ( sum )
class Expressions::Reader {
 public:
  Reader(Expressions& store, std::string_view text)
      : store_(store), text_(text) {}

  Expression ReadAll() {
    const Expression all = Sum();
    if (Take('#')) Skip();
    if (at_ < text_.size()) Fail("an operator or the end");
    return all;
  }

 private:
  [[noreturn]] void Fail(const char* expected) {
    Skip();
    const std::string found =
        at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
    throw std::invalid_argument("Parse: column " + std::to_string(at_ + 1) +
                                ": expected " + expected + ", found " + found);
  }
  void Skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Expression Sum() {
    Expression sum = Product();
    while (true) {
      if (Take('+')) {
        sum = sum + Product();
      } else if (Take('-')) {
        sum = sum - Product();
      } else {
        return sum;
      }
    }
  }
  Expression Product() {
    Expression product = Power();
    while (true) {
      if (Take('*')) {
        product = product * Power();
      } else if (Take('/')) {
        product = product / Power();
      } else {
        return product;
      }
    }
  }
  Expression Power() {
    if (Take('-')) return -Power();
    const Expression base = Part();
    if (!Take('^')) return base;
    const double sign = Take('-') ? -1.0 : 1.0;
    return store_.Power(base, sign * Number());
  }
  double Number() {
    Skip();
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) Fail("a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  Expression Part() {
    Skip();
    if (Take('(')) return Bracket();
    const auto is_letter = [this](std::size_t i) {
      const unsigned char c = static_cast<unsigned char>(text_[i]);
      return std::isalpha(c) != 0 || c == '_';
    };
    if (at_ >= text_.size() || !is_letter(at_)) {
      if (at_ < text_.size() &&
          (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ||
           text_[at_] == '.')) {
        return store_.Number(Number());
      }
      Fail("a number, a name or a bracket");
    }
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (is_letter(at_) ||
            std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ||
            text_[at_] == '.' || text_[at_] == '\'')) {
      ++at_;
    }
    const std::string_view name = text_.substr(start, at_ - start);
    if (!Take('(')) return store_.Variable(name);
    return store_.Apply(name, Bracket());
  }
  Expression Bracket() {
    const Expression inside = Sum();
    if (!Take(')')) Fail("a closing bracket");
    return inside;
  }

  Expressions& store_;
  std::string_view text_;
  std::size_t at_ = 0;
};

Expression Expressions::Parse(std::string_view text) {
  return Reader(*this, text).ReadAll();
}

}  // namespace limber::dynamics
