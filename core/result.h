// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include "core/diagnostics.h"

namespace limber {

/// A value read from outside, or the reasons why there is none; in both cases
/// with the warnings. There is a value exactly when no finding is an error:
/// never a half-filled one.
template <typename T>
class Result {
 public:
  /// `value` is dropped when `diagnostics` holds an error.
  Result(T value, Diagnostics diagnostics)
      : diagnostics_(std::move(diagnostics)) {
    if (!diagnostics_.has_errors()) value_ = std::move(value);
  }
  /// @throws std::invalid_argument if `diagnostics` holds no error.
  explicit Result(Diagnostics diagnostics)
      : diagnostics_(std::move(diagnostics)) {
    if (!diagnostics_.has_errors()) {
      throw std::invalid_argument("Result without value needs an error");
    }
  }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// @throws std::logic_error with all findings if there is no value.
  const T& value() const& {
    Check();
    return *value_;
  }
  T& value() & {
    Check();
    return *value_;
  }
  T&& value() && {
    Check();
    return *std::move(value_);
  }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void Check() const {
    if (!value_) throw std::logic_error(diagnostics_.ToString());
  }

  std::optional<T> value_;
  Diagnostics diagnostics_;
};

}  // namespace limber
