// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "mocap/solve/marker_set.h"

namespace limber::mocap::internal {

/// Labels as `ReadLabel` wants them, by what a take's labels have in common.
///
/// They are without the words that most of a take's labels begin or end with
/// ("P03_LASI", "S01.Trial_LASI", "pLeftASI", "LASI_study"): a name of the
/// person or the trial, which says nothing about the marker. Words stay where
/// the labels would say less without them (a side, a part of the body). Numbers
/// before most of the labels ("05_LSHO") are left aside, too. A letter behind
/// which labels go on from A to C ("THA", "THB", "THC") is an index.
///
/// Sides are L and R. Other letters at the edge of a word are sides where
/// labels come in pairs by them and say more with them as L and R: G and D in
/// French, I or E and D in Spanish and Portuguese, S and D in Italian, V and H
/// in Scandinavian languages.
class BareLabels {
 public:
  explicit BareLabels(std::span<const NamedColumn> columns);

  std::string operator()(std::string_view name) const;

 private:
  std::string_view WithoutShared(std::string_view name) const;

  bool is_numbered_ = false;
  std::string beginning_;
  std::string ending_;
  std::string sides_ = "LR";     ///< Letters of the left and the right side.
  std::set<std::string> names_;  ///< Without what they share, as capitals.
};

}  // namespace limber::mocap::internal
