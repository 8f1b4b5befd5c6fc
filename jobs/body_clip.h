// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/body_plan.h"
#include "figure/motion.h"
#include "jobs/load.h"

namespace limber::jobs {

/// A clip of a human body, with its parts found by name.
struct BodyClip {
  figure::Motion motion;
  std::vector<figure::Role> roles;
  figure::BodyPlan plan;
  std::vector<Guess> guesses;
  /// As the file has it, where that is another skeleton than `motion`'s.
  std::optional<figure::Motion> own;
};

/// What is known of a clip beside its frames.
struct ClipOrigin {
  std::string file;            ///< How findings call it; may be empty.
  std::vector<Guess> guesses;  ///< Of `Load`.
  bool strict = false;         ///< Warnings become errors.
  /// The caller has said these, and they are not doubted again.
  bool up_is_said = false;
  bool rate_is_said = false;
};

/// What `Load` leaves to know of a clip.
ClipOrigin OriginOf(const LoadedFile& file, const LoadOptions& options);

/// The rate that flights show, where it is another one than the clip's and the
/// caller has said none: applied, and added to the guesses.
void MendRate(bool rate_is_said, BodyClip& clip);

/// A clip whose joints are a human body. Error kinds: "no-frames", "too-long",
/// "no-body" (no pelvis with two legs among the joints, with their names).
Result<BodyClip> MakeBodyClip(const figure::Motion& motion,
                              const ClipOrigin& origin = {});

/// The same of a file. Error kinds beside those and the reader's: "no-motion"
/// (the file holds markers or a bare skeleton).
Result<BodyClip> LoadBodyClip(const std::filesystem::path& path,
                              const LoadOptions& options);

}  // namespace limber::jobs
