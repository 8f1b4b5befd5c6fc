// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Solving, retargeting and bodies. Each job takes handles and a dictionary of
// options, which the package has checked for unknown words, and returns a
// result with its report.
#include "app/player/record_solved.h"
#include "app/reports/retarget_report.h"
#include "app/reports/solve_report.h"
#include "core/file.h"
#include "figure/make_figure.h"
#include "jobs/retarget.h"
#include "jobs/save.h"
#include "jobs/solve_save.h"
#include "mocap/io/osim.h"
#include "mocap/solve/actor_figure.h"
#include "python/job_handles.h"

namespace limber::python {

namespace {

/// The body of an earlier solve: its figure, or the file of it.
mocap::Actor ActorOf(const Words& words) {
  const py::object actor = words["actor"];
  if (py::isinstance<FigureHandle>(actor)) {
    const auto& figure = *actor.cast<FigureHandle*>();
    return Must(mocap::ActorFromFigure(
        *figure.model, figure.file.empty() ? figure.model->name : figure.file));
  }
  return Must(jobs::LoadActor(words.Get<std::string>("actor", "")));
}

jobs::SolveOptions SolveOptionsOf(const TakeHandle& take, const Words& words) {
  jobs::SolveOptions options;
  options.file = take.file;
  if (words.Has("subject")) {
    options.subject = words.Get<std::string>("subject", "");
  }
  const auto method = words.Get<std::string>("method", "least-squares");
  if (method == "physical") {
    options.method = jobs::SolveMethod::kPhysical;
  } else if (method == "both") {
    options.method = jobs::SolveMethod::kBoth;
  } else if (method != "least-squares") {
    throw py::value_error(
        "method: expected \"least-squares\", \"physical\" or \"both\", found "
        "\"" +
        method + "\"");
  }
  if (words.Has("marker_set")) {
    options.marker_sets = {
        Must(jobs::LoadMarkerSet(words.Get<std::string>("marker_set", "")))};
  }
  if (words.Has("actor")) {
    options.actor = ActorOf(words);
  }
  if (words.Has("model")) {
    options.model_file = words.Get<std::string>("model", "");
    options.model = Must(mocap::ReadOsimFile(options.model_file));
  }
  if (words.Has("tasks")) {
    options.tasks_file = words.Get<std::string>("tasks", "");
    options.tasks = Must(jobs::LoadTasks(
        options.tasks_file, options.model.value_or(mocap::OsimModel())));
  }
  for (const auto& [name, slot] : {std::pair("standing", &options.standing),
                                   std::pair("neutral", &options.neutral)}) {
    if (!words.Has(name)) continue;
    const TakeHandle& other = words.As<TakeHandle>(name, "a Take");
    *slot = jobs::NamedTake{*other.take, other.file};
  }
  if (words.Has("hold_out")) options.hold_out = words.Get("hold_out", 0.1);
  if (words.Has("floor")) options.floor = words.Get("floor", 0.0);
  options.ground = words.Get("ground", false);
  options.asymmetric = words.Get("asymmetric", false);
  options.clean_up = words.Get("clean_up", true);
  options.gravity = words.Get("gravity", false);
  options.floor_contact = words.Get("floor_contact", false);
  return options;
}

ResultHandle Solve(const TakeHandle& take, const py::dict& dictionary,
                   const py::object& progress) {
  const Words words(dictionary);
  jobs::SolveOptions options = SolveOptionsOf(take, words);
  mocap::MarkerTake copy = *take.take;
  Result<jobs::SolvedTake> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Solve(std::move(copy), options);
      });
  const Diagnostics findings = result.diagnostics();
  const auto solved =
      std::make_shared<const jobs::SolvedTake>(Must(std::move(result)));
  ResultHandle handle;
  handle.contents["clip"] = MakeClip(jobs::MotionOf(*solved), take.file);
  handle.contents["angles"] = TableHandle{
      std::make_shared<mocap::StoTable>(jobs::OpenSimTable(*solved))};
  Result<figure::FigureModel> body =
      mocap::FigureFromActor(solved->calibration.actor);
  if (body.ok()) {
    handle.contents["figure"] = FigureHandle{
        std::make_shared<const figure::FigureModel>(std::move(body).value()),
        ""};
  }
  handle.contents["subject"] = TextOf(solved->subject);
  handle.contents["marker_set"] = TextOf(solved->marker_set);
  handle.verdict = solved->verdict;
  handle.findings = findings;
  handle.report = [solved, findings](bool page) {
    app::Report report = app::MakeSolveReport(*solved, findings);
    if (page) {
      const auto played = app::RecordSolved(*solved);
      if (played) report.AddPlayer(*played);
    }
    return report;
  };
  handle.save = [solved](const std::filesystem::path& path) {
    return jobs::Save(*solved, path);
  };
  return handle;
}

std::vector<std::string> SubjectsOf(const TakeHandle& take) {
  return jobs::SubjectsOf(*take.take);
}

/// Whom to: a clip, a figure, a skeleton, or lengths.
jobs::RetargetTarget TargetOf(const Words& words, const mocap::MapFile& map) {
  if (words.Has("scale")) {
    return jobs::ScaledTarget(words.Get<std::string>("scale", ""));
  }
  const py::object to = words["to"];
  if (py::isinstance<py::str>(to)) {
    return Must(jobs::LoadTarget(to.cast<std::string>(), map));
  }
  jobs::LoadedFile file;
  if (py::isinstance<FigureHandle>(to)) {
    const auto& figure = *to.cast<FigureHandle*>();
    file.path = figure.file.empty() ? figure.model->name : figure.file;
    file.format = jobs::Format::kFigure;
    file.content = *figure.model;
  } else if (py::isinstance<ClipHandle>(to)) {
    const auto& clip = *to.cast<ClipHandle*>();
    file.path = clip.origin.file.empty() ? "clip" : clip.origin.file;
    file.format = jobs::Format::kBvh;
    file.content = *clip.motion;
  } else if (py::isinstance<SkeletonHandle>(to)) {
    file.path = "skeleton";
    file.format = jobs::Format::kAsf;
    file.content = *to.cast<SkeletonHandle*>()->skeleton;
  } else {
    throw py::type_error(
        "to: expected the name of a figure, a file, a Figure or a Clip, "
        "found " +
        py::repr(to).cast<std::string>());
  }
  return Must(jobs::MakeTarget(file, map));
}

ResultHandle Retarget(const ClipHandle& clip, const py::dict& dictionary,
                      const py::object& progress) {
  const Words words(dictionary);
  jobs::RetargetOptions options;
  options.origin = clip.origin;
  if (words.Has("map")) {
    options.map = Must(mocap::ReadMapFile(words.Get<std::string>("map", "")));
  }
  const jobs::RetargetTarget target = TargetOf(words, options.map);
  const bool copy_only = words.Get("copy_only", false);
  options.parts.plant_feet = !copy_only;
  options.parts.keep_touching = !copy_only;
  options.parts.hold_limits = !copy_only;
  options.parts.keep_smooth = words.Get("smooth", false);
  options.parts.ground = words.Get("ground", false);
  options.parts.lock_feet = words.Get("lock_feet", 0.0);
  if (!(options.parts.lock_feet >= 0.0 && options.parts.lock_feet <= 1.0)) {
    throw py::value_error("lock_feet: expected a share in [0, 1]");
  }
  if (words.Get("dynamic", false)) {
    options.dynamic_strength = words.Get("strength", 2.0);
    if (!(*options.dynamic_strength > 0.0 &&
          *options.dynamic_strength <= 1000.0)) {
      throw py::value_error("strength: expected a positive number up to 1000");
    }
    if (copy_only) {
      throw py::value_error("dynamic needs planted feet: leave copy_only out");
    }
  }
  Result<jobs::RetargetedClip> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Retarget(*clip.motion, target, options);
      });
  options.progress = nullptr;
  const Diagnostics findings = result.diagnostics();
  const auto done =
      std::make_shared<const jobs::RetargetedClip>(Must(std::move(result)));
  ResultHandle handle;
  handle.contents["clip"] = MakeClip(done->motion);
  if (done->body.figure) {
    handle.contents["figure"] = FigureHandle{done->body.figure, target.name};
  }
  handle.contents["joint_map"] =
      TextOf(mocap::ToText(done->map, done->source_body, done->body));
  handle.verdict = done->verdict;
  handle.findings = findings;
  const std::string input = NameOf(clip);
  handle.report = [done, target, input, findings,
                   smooth = options.parts.keep_smooth](bool page) {
    app::Report report = app::MakeRetargetReport(input, target, *done, smooth);
    report.AddWarnings(findings);
    if (page) app::AddRetargetPlayer("", target.name, *done, report);
    return report;
  };
  return handle;
}

FigureHandle MakeFigure(const py::object& from, const py::dict& dictionary) {
  const Words words(dictionary);
  figure::FigureOptions options;
  options.name = words.Get<std::string>("name", "");
  options.height = words.Get("height", 0.0);
  options.mass = words.Get("mass", 0.0);
  options.sex =
      words.Get("female", false) ? figure::Sex::kFemale : figure::Sex::kMale;
  std::shared_ptr<const figure::Skeleton> skeleton;
  std::shared_ptr<const figure::Motion> motion;
  if (py::isinstance<ClipHandle>(from)) {
    motion = from.cast<ClipHandle*>()->motion;
    skeleton = motion->shared_skeleton();
    if (words.Get("fit_clip", false)) options.clip = motion.get();
  } else {
    skeleton = from.cast<SkeletonHandle*>()->skeleton->skeleton;
  }
  return {std::make_shared<const figure::FigureModel>(
              Must(figure::MakeFigure(skeleton, options))),
          ""};
}

}  // namespace

void BindJobs(py::module_& module) {
  BindResult(module);
  module.def("solve", &Solve);
  module.def("subjects", &SubjectsOf);
  module.def("retarget", &Retarget);
  module.def("figure", &MakeFigure);
  BindEdit(module);
  BindMeasures(module);
  BindSimulate(module);
}

}  // namespace limber::python
