// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// One reason why a result looks wrong. A check that makes it looks at the
/// result alone (a body stands on its head, a knee is 40 cm long) and knows
/// nothing of the way in which the result was found.
struct Doubt {
  /// A stable word in kebab case that programs may compare: "head-below-feet".
  std::string kind;
  /// What was seen, with its number, as a sentence without a full stop:
  /// "the head is below the feet in 100 % of the frames".
  std::string message;
  /// What to try: "--up -z turns the take over". May be empty.
  std::string advice;
  double value = 0.0;  ///< What was measured, in `unit`.
  double bound = 0.0;  ///< Where doubt begins, in `unit`.
  std::string unit;  ///< "mm", "deg", "m", ... or empty for shares and counts.
};

/// What a job thinks of its own result: it looks right, or it looks wrong for
/// these reasons. Every job returns one beside its result; the program prints
/// it as its last line, writes it into reports and ends with exit code 3 when
/// there is a doubt. The result itself is written in both cases.
class Verdict {
 public:
  void Add(Doubt doubt) { doubts_.push_back(std::move(doubt)); }
  /// Adds copies of the doubts of `other` behind those that are there.
  void Append(const Verdict& other);

  bool looks_right() const { return doubts_.empty(); }
  /// In the order in which they were added, the gravest first by custom.
  const std::vector<Doubt>& doubts() const { return doubts_; }
  /// Whether there is a doubt of this kind.
  bool Has(std::string_view kind) const;

  /// "looks right" or "looks wrong": the value of `verdict` in reports.
  std::string_view word() const;
  /// One line without a newline at its end:
  ///
  ///     looks right
  ///     looks wrong: the head is below the feet in 100 % of the frames (--up
  ///     -z turns the take over); the actor is 3.1 m tall
  std::string ToString() const;

 private:
  std::vector<Doubt> doubts_;
};

}  // namespace limber
