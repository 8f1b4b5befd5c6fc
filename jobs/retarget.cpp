// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/retarget.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include "core/file.h"
#include "jobs/bad_call.h"
#include "jobs/data_path.h"
#include "jobs/play_retargeted.h"
#include "jobs/words.h"
#include "mocap/retarget/judge.h"
#include "mocap/retarget/rigged_clip.h"

namespace limber::jobs {

namespace {

using figure::Motion;
using mocap::HumanBody;

/// BVH files of figures are in centimetres, as most are.
constexpr double kFigureUnit = 0.01;

/// The channels of a file can hold the motion only when they move the pelvis.
figure::MotionSource FormOf(const Motion& motion, const HumanBody& body) {
  figure::MotionSource form = motion.source();
  form.file.clear();
  bool moves = false;
  if (form.channels) {
    for (const figure::Channel& channel : form.channels->channels()) {
      moves = moves || (channel.joint == body.plan.pelvis &&
                        channel.kind == figure::ChannelKind::kTranslation);
    }
  }
  if (!moves) form.channels = nullptr;
  return form;
}

std::optional<HumanBody> BodyOf(
    std::shared_ptr<const figure::Skeleton> skeleton,
    const std::vector<mocap::MapFile::NamedRole>& named,
    Diagnostics& findings) {
  std::vector<figure::Role> roles = mocap::ApplyRoles(
      *skeleton, figure::RecogniseRoles(*skeleton), named, findings);
  return mocap::MakeBody(std::move(skeleton), std::move(roles));
}

std::optional<mocap::RiggedClip> RigOf(
    const Motion& motion, const std::vector<mocap::MapFile::NamedRole>& named,
    Diagnostics& findings) {
  return mocap::MakeRiggedClip(
      motion, mocap::ApplyRoles(motion.skeleton(),
                                figure::RecogniseRoles(motion.skeleton()),
                                named, findings));
}

std::string NoBody(const figure::Skeleton& skeleton) {
  constexpr std::size_t kMostNames = 12;
  std::vector<std::string> names;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
  }
  return "expected a pelvis with two legs (thigh, shank, foot) among the "
         "joints, found " +
         Join(names, kMostNames) +
         "; a map file (--map) can say which joint is which";
}

/// Retargets, plays and judges a clip whose body and map are found.
Result<RetargetedClip> CarryOver(const Motion& clip, BodyClip source,
                                 const mocap::RiggedClip& rigged,
                                 const RetargetTarget& target, HumanBody body,
                                 mocap::JointMap map,
                                 const RetargetOptions& options,
                                 Diagnostics findings) {
  const std::clock_t start = std::clock();
  mocap::Retargeted result =
      mocap::Retarget(source.motion, rigged.body, body, map, options.parts,
                      target.body ? target.form : FormOf(clip, rigged.body));
  Tell(options.progress, options.dynamic_strength ? 0.3 : 0.8);
  std::optional<figure::PlayResult> played;
  if (options.dynamic_strength) {
    Result<figure::PlayResult> playing = PlayRetargeted(
        source.motion, rigged.body, result, body, *options.dynamic_strength);
    findings.Append(playing.diagnostics());
    if (!playing.ok()) return Result<RetargetedClip>(std::move(findings));
    played = std::move(playing).value();
    result.motion = played->motion;
    Tell(options.progress, 0.9);
  }
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  Verdict verdict =
      mocap::JudgeRetarget(source.motion, rigged.body, body, map, result,
                           {options.origin.up_is_said,
                            options.origin.rate_is_said, played.has_value()});
  std::optional<figure::WorkingRig> rig = target.rig;
  if (!target.body) rig = figure::WithBones(rigged.rig, body.skeleton);
  Motion written =
      rig && rig->own != rig->skeleton
          ? figure::FromWorking(*rig, result.motion, result.motion.source())
          : result.motion;
  Tell(options.progress, 1.0);
  return {
      RetargetedClip{std::move(written), std::move(result), std::move(source),
                     rigged.body, std::move(body), std::move(map),
                     std::move(played), seconds, std::move(verdict)},
      std::move(findings)};
}

}  // namespace

Result<RetargetTarget> MakeTarget(const LoadedFile& file,
                                  const mocap::MapFile& map, bool strict) {
  RetargetTarget target;
  target.name = PathText(file.path.stem());
  Diagnostics own(PathText(file.path), strict);
  std::shared_ptr<const figure::Skeleton> skeleton;
  const auto* figure = std::get_if<figure::FigureModel>(&file.content);
  const auto* motion = std::get_if<Motion>(&file.content);
  const auto* asf = std::get_if<mocap::AsfSkeleton>(&file.content);
  if (figure != nullptr) {
    figure::FigureModel copy = *figure;
    copy.roles = mocap::ApplyRoles(*copy.skeleton, std::move(copy.roles),
                                   map.target_roles, own);
    skeleton = copy.skeleton;
    target.body = mocap::MakeBody(
        std::make_shared<const figure::FigureModel>(std::move(copy)));
    target.form.metres_per_unit = kFigureUnit;
  } else if (motion != nullptr) {
    skeleton = motion->shared_skeleton();
    std::optional<mocap::RiggedClip> clip =
        RigOf(*motion, map.target_roles, own);
    if (clip) {
      target.form = FormOf(*motion, clip->body);
      target.body = std::move(clip->body);
      target.rig = std::move(clip->rig);
      if (file.format == Format::kGltf) target.character = file.path;
    }
  } else if (asf != nullptr) {
    skeleton = asf->skeleton;
    target.body = BodyOf(skeleton, map.target_roles, own);
    target.form.metres_per_unit = asf->metres_per_unit;
  } else {
    own.Error("no-skeleton", {},
              "expected a figure, a clip or an ASF skeleton, found " +
                  std::string(Name(file.format)));
  }
  if (skeleton && !target.body) own.Error("no-body", {}, NoBody(*skeleton));
  return {std::move(target), std::move(own)};
}

Result<RetargetTarget> LoadTarget(const std::filesystem::path& path,
                                  const mocap::MapFile& map, bool strict) {
  LoadOptions options;
  options.strict = strict;
  Result<LoadedFile> file = Load(FigurePath(path), options);
  Diagnostics findings = file.diagnostics();
  if (!file.ok()) return Result<RetargetTarget>(std::move(findings));
  const std::filesystem::path found = file->path;
  // Findings call it as the caller does.
  file.value().path = path;
  Result<RetargetTarget> target = MakeTarget(*file, map, strict);
  findings.Append(target.diagnostics());
  if (!target.ok()) return Result<RetargetTarget>(std::move(findings));
  if (!target->character.empty()) target.value().character = found;
  return {std::move(target).value(), std::move(findings)};
}

RetargetTarget ScaledTarget(const std::string& lengths) {
  std::string error;
  const auto proportions = mocap::ParseProportions(lengths, error);
  if (!proportions) throw BadCall("--scale: " + error);
  RetargetTarget target;
  target.name = lengths;
  target.proportions = *proportions;
  return target;
}

namespace {

Result<RetargetedClip> FindAndCarryOver(const Motion& clip,
                                        const RetargetTarget& target,
                                        const RetargetOptions& options) {
  Diagnostics findings;
  Diagnostics own(options.origin.file, options.origin.strict);
  if (clip.num_frames() == 0) {
    own.Error("no-motion", {}, "the clip has no frames");
    return Result<RetargetedClip>(std::move(own));
  }
  Diagnostics in_map(options.map.file);
  const std::optional<mocap::RiggedClip> rigged =
      RigOf(clip, options.map.source_roles, in_map);
  if (!rigged) {
    own.Error("no-body", {}, NoBody(clip.skeleton()));
    return Result<RetargetedClip>(std::move(own));
  }
  BodyClip source{rigged->motion, rigged->body.roles, rigged->body.plan,
                  options.origin.guesses, std::nullopt};
  MendRate(options.origin.rate_is_said, source);
  HumanBody body =
      target.body ? *target.body
                  : mocap::WithProportions(rigged->body, target.proportions);
  mocap::JointMap map = mocap::MakeJointMap(rigged->body, body);
  mocap::ApplyPairs(rigged->body, body, options.map, map, in_map);
  findings.Append(in_map);
  if (findings.has_errors()) return Result<RetargetedClip>(std::move(findings));
  Tell(options.progress, 0.0);
  return CarryOver(clip, std::move(source), *rigged, target, std::move(body),
                   std::move(map), options, std::move(findings));
}

}  // namespace

Result<RetargetedClip> Retarget(const Motion& clip,
                                const RetargetTarget& target,
                                const RetargetOptions& options) {
  return RunStoppable(options.progress, options.origin.file,
                      [&] { return FindAndCarryOver(clip, target, options); });
}

}  // namespace limber::jobs
