// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verdict.h"

#include <algorithm>

namespace limber {

void Verdict::Append(const Verdict& other) {
  // A copy, because `other` may be this one.
  const std::vector<Doubt> added = other.doubts_;
  doubts_.insert(doubts_.end(), added.begin(), added.end());
}

bool Verdict::Has(std::string_view kind) const {
  return std::ranges::any_of(
      doubts_, [kind](const Doubt& doubt) { return doubt.kind == kind; });
}

std::string_view Verdict::word() const {
  return looks_right() ? "looks right" : "looks wrong";
}

std::string Verdict::ToString() const {
  std::string text(word());
  const char* separator = ": ";
  for (const Doubt& doubt : doubts_) {
    text += separator + doubt.message;
    if (!doubt.advice.empty()) text += " (" + doubt.advice + ")";
    separator = "; ";
  }
  return text;
}

}  // namespace limber
