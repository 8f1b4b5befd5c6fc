// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/combine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "jobs/bad_call.h"

namespace limber::jobs {

namespace {

/// How a message calls one of the clips.
std::string NameOf(const CombineOptions& options, std::size_t index) {
  if (index < options.origins.size() && !options.origins[index].file.empty()) {
    return options.origins[index].file;
  }
  return "clip " + std::to_string(index + 1);
}

/// Joined as the files have them.
const figure::Motion& AsRead(const BodyClip& clip) {
  return clip.own ? *clip.own : clip.motion;
}

CombinedClips Join(const std::vector<BodyClip>& clips,
                   const CombineOptions& options) {
  CombinedClips all{AsRead(clips[0]), {}, 0.0, {}};
  const std::optional<mocap::HumanBody> body =
      mocap::MakeBody(all.motion.shared_skeleton(), clips[0].roles);
  for (std::size_t i = 1; i < clips.size(); ++i) {
    try {
      mocap::Combined combined =
          mocap::Combine(all.motion, AsRead(clips[i]), *body, options.parts);
      all.joins.push_back(combined.report);
      all.motion = std::move(combined.motion);
    } catch (const std::invalid_argument& error) {
      throw BadCall("cannot join " + NameOf(options, i) + ": " + error.what() +
                    " (limber retarget --to brings clips to one skeleton)");
    }
    all.worst_off = std::max(all.worst_off, all.joins.back().plant.worst_miss);
    Tell(options.progress,
         static_cast<double>(i) / static_cast<double>(clips.size()));
  }
  all.metrics =
      MeasureClip({all.motion, clips[0].roles, body->plan, {}, std::nullopt});
  return all;
}

Result<CombinedClips> FindAndJoin(std::span<const figure::Motion> clips,
                                  const CombineOptions& options) {
  Diagnostics findings;
  std::vector<BodyClip> bodies;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    Result<BodyClip> clip =
        MakeBodyClip(clips[i], i < options.origins.size() ? options.origins[i]
                                                          : ClipOrigin());
    findings.Append(clip.diagnostics());
    if (clip.ok()) bodies.push_back(std::move(clip).value());
  }
  if (bodies.size() < clips.size()) {
    return Result<CombinedClips>(std::move(findings));
  }
  return {Join(bodies, options), std::move(findings)};
}

}  // namespace

Result<CombinedClips> Combine(std::span<const figure::Motion> clips,
                              const CombineOptions& options) {
  if (clips.size() < 2) throw BadCall("two clips or more are joined");
  return RunStoppable(options.progress, NameOf(options, 0),
                      [&] { return FindAndJoin(clips, options); });
}

}  // namespace limber::jobs
