// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/body_clip.h"

#include <utility>

#include "core/file.h"
#include "figure/clip_tracks.h"
#include "figure/flight_rate.h"
#include "jobs/words.h"
#include "mocap/retarget/rigged_clip.h"

namespace limber::jobs {

namespace {

std::vector<std::string> JointNames(const figure::Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
  }
  return names;
}

}  // namespace

ClipOrigin OriginOf(const LoadedFile& file, const LoadOptions& options) {
  return {PathText(file.path), file.guesses, options.strict,
          options.up.has_value(), options.rate_hz.has_value()};
}

Result<BodyClip> MakeBodyClip(const figure::Motion& motion,
                              const ClipOrigin& origin) {
  Diagnostics own(origin.file, origin.strict);
  if (motion.num_frames() == 0) {
    own.Error("no-frames", {}, "the clip has no frames");
  } else {
    CheckTime(motion, own);
  }
  if (own.has_errors()) return Result<BodyClip>(std::move(own));
  std::optional<mocap::RiggedClip> rigged = mocap::MakeRiggedClip(motion);
  if (!rigged) {
    constexpr std::size_t kMostNames = 12;
    own.Error("no-body", {},
              "expected a pelvis with two legs (thigh, shank, foot), found "
              "joints " +
                  Join(JointNames(motion.skeleton()), kMostNames));
    return Result<BodyClip>(std::move(own));
  }
  BodyClip clip{std::move(rigged->motion), std::move(rigged->body.roles),
                std::move(rigged->body.plan), origin.guesses, std::nullopt};
  if (rigged->rig.own != rigged->rig.skeleton) clip.own = motion;
  MendRate(origin.rate_is_said, clip);
  return {std::move(clip), std::move(own)};
}

Result<BodyClip> LoadBodyClip(const std::filesystem::path& path,
                              const LoadOptions& options) {
  const Result<LoadedFile> file = Load(path, options);
  Diagnostics diagnostics = file.diagnostics();
  if (!file.ok()) return Result<BodyClip>(std::move(diagnostics));
  const auto* motion = std::get_if<figure::Motion>(&file->content);
  if (motion == nullptr) {
    Diagnostics own(PathText(path), options.strict);
    own.Error("no-motion", {},
              "expected a skeletal clip (BVH or AMC), found " +
                  std::string(Name(file->format)));
    diagnostics.Append(own);
    return Result<BodyClip>(std::move(diagnostics));
  }
  Result<BodyClip> clip = MakeBodyClip(*motion, OriginOf(*file, options));
  diagnostics.Append(clip.diagnostics());
  if (!clip.ok()) return Result<BodyClip>(std::move(diagnostics));
  return {std::move(clip).value(), std::move(diagnostics)};
}

void MendRate(bool rate_is_said, BodyClip& clip) {
  if (rate_is_said) return;
  const figure::FlightRate flights = figure::FindFlightRate(
      clip.motion, clip.plan, figure::TrackClip(clip.motion, clip.plan));
  const double said = clip.motion.rate_hz();
  if (flights.rate_hz == said) return;
  clip.motion = figure::WithRate(clip.motion, flights.rate_hz);
  if (clip.own) clip.own = figure::WithRate(*clip.own, flights.rate_hz);
  clip.guesses.push_back(
      {"rate_hz", Rounded(flights.rate_hz, 3),
       "the file says " + Rounded(said, 3) +
           " Hz, but at that rate bodies in flight would fall with " +
           Rounded(flights.gravity, 1) + " m/s^2; --rate overrules",
       true});
}

}  // namespace limber::jobs
