// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs. Each takes handles and a dictionary of options, which the package
// has checked for unknown words, and returns a result with its report.
#include <functional>

#include "app/clip_report.h"
#include "app/edit_report.h"
#include "app/player/record_edit.h"
#include "app/player/record_solved.h"
#include "app/report.h"
#include "app/retarget_report.h"
#include "app/simulate_report.h"
#include "app/solve_report.h"
#include "core/file.h"
#include "figure/make_figure.h"
#include "jobs/combine.h"
#include "jobs/edit.h"
#include "jobs/event_words.h"
#include "jobs/markers.h"
#include "jobs/measure.h"
#include "jobs/retarget.h"
#include "jobs/save.h"
#include "jobs/simulate.h"
#include "jobs/solve_save.h"
#include "mocap/io/osim.h"
#include "python/handles.h"

namespace limber::python {

namespace {

/// What a job gives back: its content as handles, the verdict, the findings,
/// and reports in the words of the program.
struct ResultHandle {
  py::dict contents;
  Verdict verdict;
  Diagnostics findings;
  /// The report; with the moving picture where `page`.
  std::function<app::Report(bool page)> report;
  /// Files that only this result can write, e.g. joint angles; may be empty.
  std::function<Diagnostics(const std::filesystem::path&)> save;
};

/// Options by name; what is None counts as not given.
class Words {
 public:
  explicit Words(const py::dict& words) : words_(words) {}

  bool Has(const char* name) const {
    return words_.contains(name) && !words_[name].is_none();
  }
  template <typename T>
  T Get(const char* name, T otherwise) const {
    if (!Has(name)) return otherwise;
    try {
      return words_[name].cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(name) + ": " +
                           py::repr(words_[name]).cast<std::string>() +
                           " is of the wrong type");
    }
  }
  py::object operator[](const char* name) const { return words_[name]; }
  /// A handle of a kind. @throws py::type_error saying what was expected.
  template <typename Handle>
  const Handle& As(const char* name, const char* expected) const {
    const py::object value = words_[name];
    if (!py::isinstance<Handle>(value)) {
      throw py::type_error(std::string(name) + ": expected " + expected +
                           ", found " + py::repr(value).cast<std::string>());
    }
    return *value.cast<Handle*>();
  }

 private:
  const py::dict& words_;
};

ClipHandle Clip(figure::Motion motion, std::string file = {}) {
  ClipHandle handle;
  handle.motion = std::make_shared<const figure::Motion>(std::move(motion));
  handle.origin.file = std::move(file);
  handle.origin.up_is_said = true;
  return handle;
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
    options.actor = Must(jobs::LoadActor(words.Get<std::string>("actor", "")));
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
  handle.contents["clip"] = Clip(jobs::MotionOf(*solved), take.file);
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
  handle.contents["clip"] = Clip(done->motion);
  if (done->body.figure) {
    handle.contents["figure"] = FigureHandle{done->body.figure, target.name};
  }
  handle.contents["joint_map"] =
      TextOf(mocap::ToText(done->map, done->source_body, done->body));
  handle.verdict = done->verdict;
  handle.findings = findings;
  const std::string input =
      clip.origin.file.empty() ? "clip" : clip.origin.file;
  handle.report = [done, target, input, findings,
                   smooth = options.parts.keep_smooth](bool page) {
    app::Report report = app::MakeRetargetReport(input, target, *done, smooth);
    report.AddWarnings(findings);
    if (page) app::AddRetargetPlayer("", target.name, *done, report);
    return report;
  };
  return handle;
}

/// An event of the package, which carries its kind and fields, checked there.
jobs::Event EventOf(const py::handle& object) {
  const auto kind = object.attr("kind").cast<std::string>();
  const auto number = [&](const char* name) {
    return object.attr(name).cast<double>();
  };
  const auto text = [&](const char* name) {
    return object.attr(name).cast<std::string>();
  };
  const auto vector = [&](const char* name) {
    return VectorOf(object.attr(name), name);
  };
  const auto until = [&]() -> std::optional<double> {
    const py::object value = object.attr("until");
    if (value.is_none()) return std::nullopt;
    return value.cast<double>();
  };
  if (kind == "push") {
    return jobs::Push{text("segment"), number("at"), vector("impulse"),
                      number("duration"), object.attr("in_body").cast<bool>()};
  }
  if (kind == "throw") {
    return jobs::Throw{text("segment"), number("at"), vector("velocity"),
                       number("mass")};
  }
  if (kind == "wall") return jobs::Wall{number("distance")};
  if (kind == "obstacle") {
    return jobs::Obstacle{vector("place"), vector("size"), number("at"),
                          until(),         number("mass"), number("heading")};
  }
  if (kind == "carry") {
    return jobs::Carry{text("segment"), number("at"), until(), number("mass"),
                       number("friction")};
  }
  if (kind == "umbrella") {
    return jobs::Umbrella{text("segment"), number("at"), until(),
                          number("mass")};
  }
  if (kind == "reach") {
    return jobs::Reach{text("segment"), number("at"), until(), vector("target"),
                       vector("target_velocity")};
  }
  if (kind == "look") {
    return jobs::Look{text("segment"), number("at"), until(), vector("target"),
                      vector("target_velocity")};
  }
  if (kind == "pin") {
    return jobs::Pin{text("segment"), number("at"), until(), vector("rail")};
  }
  if (kind == "upright") {
    return jobs::Upright{text("segment"), number("at"), until()};
  }
  if (kind == "loosen") {
    return jobs::Loosen{text("segments"), number("at"), until()};
  }
  if (kind == "stiffen") {
    return jobs::Stiffen{text("segments"), number("at"), until()};
  }
  if (kind == "rag_doll") return jobs::RagDoll{number("at"), until()};
  if (kind == "recover") return jobs::Recover{number("at")};
  if (kind == "gravity") {
    return jobs::Gravity{number("at"), until(), vector("gravity")};
  }
  if (kind == "floor") {
    return jobs::Floor{number("at"), until(), number("rise")};
  }
  return jobs::Slope{number("at"), until(), number("angle"), vector("uphill")};
}

jobs::EditOptions EditOptionsOf(const ClipHandle& clip, const Words& words) {
  using Return = figure::EditSettings::Return;
  jobs::EditOptions options;
  options.file = clip.origin.file;
  if (words.Has("figure")) {
    options.figure = words.As<FigureHandle>("figure", "a Figure").model;
  }
  options.keep = words.Get<std::string>("keep", "");
  figure::EditSettings& settings = options.settings;
  settings.rate_hz = words.Get("physics_rate", 240.0);
  if (!(settings.rate_hz >= 30.0 && settings.rate_hz <= 10000.0)) {
    throw py::value_error("physics_rate: expected 30 to 10000 steps a second");
  }
  settings.strength = jobs::ParseStrength(
      py::str(words.Get<py::object>("strength", py::str("normal")))
          .cast<std::string>());
  settings.floor = words.Get("floor", true);
  const auto back = words.Get<std::string>("return_to", "path");
  if (back != "none" && back != "pose" && back != "path") {
    throw py::value_error(
        "return_to: expected \"none\", \"pose\" or \"path\", found \"" + back +
        "\"");
  }
  settings.return_to = back == "none"   ? Return::kNone
                       : back == "pose" ? Return::kPose
                                        : Return::kPath;
  if (words.Has("let_go")) {
    settings.let_go_angle = words.Get("let_go", 0.0);
    if (!(settings.let_go_angle > 0.0)) {
      throw py::value_error("let_go: expected a positive angle [rad]");
    }
  }
  return options;
}

ResultHandle Edit(const ClipHandle& clip, const py::sequence& list,
                  const py::dict& dictionary, const py::object& progress) {
  const Words words(dictionary);
  std::vector<jobs::Event> events;
  for (const py::handle& event : list) events.push_back(EventOf(event));
  jobs::EditOptions options = EditOptionsOf(clip, words);
  const auto motion = clip.motion;
  const auto begin = std::chrono::steady_clock::now();
  Result<jobs::EditedClip> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Edit(*motion, events, options);
      });
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  const Diagnostics findings = result.diagnostics();
  const auto done =
      std::make_shared<const jobs::EditedClip>(Must(std::move(result)));
  ResultHandle handle;
  handle.contents["clip"] = Clip(done->result.motion);
  handle.contents["figure"] = FigureHandle{done->figure, ""};
  handle.findings = findings;
  const std::string input =
      clip.origin.file.empty() ? "clip" : clip.origin.file;
  handle.report = [done, motion, took, input](bool page) {
    app::Report report("Edit of " + input);
    app::FillEditReport(done->result, *done->figure, done->events, took,
                        report);
    if (!page) return report;
    const auto recording =
        app::RecordEdit(done->result, *motion, done->figure, done->events);
    if (!recording) return report;
    report.AddPlayer(*recording);
    return report;
  };
  return handle;
}

ResultHandle Combine(const py::sequence& list, const py::dict& dictionary,
                     const py::object& progress) {
  const Words words(dictionary);
  jobs::CombineOptions options;
  options.parts.blend = words.Get("blend", options.parts.blend);
  options.parts.search = words.Get("search", options.parts.search);
  std::vector<figure::Motion> clips;
  for (const py::handle& item : list) {
    const auto& clip = *item.cast<ClipHandle*>();
    clips.push_back(*clip.motion);
    options.origins.push_back(clip.origin);
  }
  Result<jobs::CombinedClips> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Combine(clips, options);
      });
  const Diagnostics findings = result.diagnostics();
  const auto done =
      std::make_shared<const jobs::CombinedClips>(Must(std::move(result)));
  ResultHandle handle;
  handle.contents["clip"] = Clip(done->motion);
  py::list joins;
  for (const mocap::CombineReport& join : done->joins) {
    joins.append(py::make_tuple(
        static_cast<double>(join.frame_a) / done->motion.rate_hz(),
        join.frame_a, join.frame_b, join.num_blend, join.distance, join.turn));
  }
  handle.contents["joins"] = joins;
  handle.findings = findings;
  handle.report = [done](bool) {
    app::Report report("Combination of clips");
    report.Set("frames", done->motion.num_frames(), "frames");
    report.Set("planted_off_mm", 1000.0 * done->worst_off,
               "a standing foot off its place at most", "mm");
    app::AddClipMetrics(done->metrics, report);
    return report;
  };
  return handle;
}

ResultHandle Measure(const ClipHandle& clip, const py::dict& dictionary) {
  const Words words(dictionary);
  jobs::MeasureOptions options;
  options.origin = clip.origin;
  std::shared_ptr<const figure::Motion> against;
  std::shared_ptr<const figure::FigureModel> figure;
  if (words.Has("against")) {
    const auto& other = words.As<ClipHandle>("against", "a Clip");
    against = other.motion;
    options.against_origin = other.origin;
  }
  if (words.Has("figure")) {
    figure = words.As<FigureHandle>("figure", "a Figure").model;
  }
  options.against = against.get();
  options.figure = figure.get();
  Result<jobs::MeasuredClip> result =
      RunJob(py::none(), [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Measure(*clip.motion, options);
      });
  const Diagnostics findings = result.diagnostics();
  const auto done =
      std::make_shared<const jobs::MeasuredClip>(Must(std::move(result)));
  ResultHandle handle;
  handle.verdict = done->verdict;
  handle.findings = findings;
  const std::string input =
      clip.origin.file.empty() ? "clip" : clip.origin.file;
  handle.report = [done, findings, input](bool) {
    app::Report report("Measures of " + input);
    report.AddWarnings(findings);
    app::AddClipMetrics(done->metrics, report);
    return report;
  };
  return handle;
}

ResultHandle Markers(const ClipHandle& clip, const py::dict& dictionary) {
  const Words words(dictionary);
  jobs::MarkersOptions options;
  options.file = clip.origin.file;
  options.marker_set = words.Get<std::string>("marker_set", "cmu41");
  if (words.Has("figure")) {
    const auto& figure = words.As<FigureHandle>("figure", "a Figure");
    options.figure = figure.model;
    options.figure_file = figure.file;
  }
  options.faults.noise = words.Get("noise", 0.0);
  options.faults.gap_share = words.Get("gap_share", 0.0);
  options.faults.gap_seconds = words.Get("gap_seconds", 0.5);
  options.faults.swaps = words.Get("swaps", 0);
  options.faults.ghosts = words.Get("ghosts", 0);
  options.faults.seed = words.Get("seed", std::uint32_t{1});
  Result<jobs::VirtualMarkers> result =
      RunJob(py::none(), [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Markers(*clip.motion, options);
      });
  ResultHandle handle;
  handle.findings = result.diagnostics();
  jobs::VirtualMarkers made = Must(std::move(result));
  handle.contents["swaps"] = made.report.swaps.size();
  handle.contents["missing_samples"] = made.report.missing_samples;
  handle.contents["take"] =
      TakeHandle{std::make_shared<mocap::MarkerTake>(std::move(made.take)), ""};
  return handle;
}

ResultHandle Simulate(const std::string& path, const py::dict& dictionary,
                      const py::object& progress) {
  const Words words(dictionary);
  jobs::SimulateOptions options;
  options.duration = words.Get("duration", 0.0);
  options.physics_rate_hz = words.Get("physics_rate", 0.0);
  options.unbounded = words.Get("unbounded", false);
  if (!(options.duration >= 0.0) || !std::isfinite(options.duration)) {
    throw py::value_error("duration: expected a positive number [s]");
  }
  if (words.Has("physics_rate") && !(options.physics_rate_hz >= 30.0 &&
                                     options.physics_rate_hz <= 10000.0)) {
    throw py::value_error("physics_rate: expected 30 to 10000 steps a second");
  }
  Result<jobs::SimulatedScene> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Simulate(path, options);
      });
  const Diagnostics findings = result.diagnostics();
  const auto shared =
      std::make_shared<const jobs::SimulatedScene>(Must(std::move(result)));
  const jobs::SimulatedScene& played = *shared;
  ResultHandle handle;
  handle.findings = findings;
  py::dict clips;
  for (const figure::SceneFigure& one : played.scene.figures) {
    if (played.outcome.finite) {
      clips[TextOf(one.name)] = Clip(jobs::MotionOf(played.scene, one));
    }
  }
  handle.contents["clips"] = clips;
  py::list criteria;
  for (const figure::Verdict& verdict : played.outcome.verdicts) {
    criteria.append(py::make_tuple(TextOf(verdict.name), verdict.met,
                                   verdict.value, TextOf(verdict.unit)));
    if (!verdict.met) {
      handle.verdict.Add({"criterion", verdict.name + " is not met", "",
                          verdict.value, 0.0, verdict.unit});
    }
  }
  handle.contents["criteria"] = criteria;
  handle.report = [shared, path](bool) {
    app::Report report("Simulation of " + path);
    app::FillSceneReport(shared->scene, shared->outcome, shared->took, report);
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
  py::class_<ResultHandle>(module, "ResultHandle")
      .def_property_readonly(
          "contents", [](const ResultHandle& self) { return self.contents; })
      .def_property_readonly(
          "findings",
          [](const ResultHandle& self) { return FindingsOf(self.findings); })
      .def_property_readonly(
          "doubts",
          [](const ResultHandle& self) {
            py::list list;
            for (const Doubt& doubt : self.verdict.doubts()) {
              list.append(py::make_tuple(doubt.kind, TextOf(doubt.message),
                                         TextOf(doubt.advice), doubt.value,
                                         doubt.bound, TextOf(doubt.unit)));
            }
            return list;
          })
      .def("report_json",
           [](const ResultHandle& self) -> py::object {
             if (!self.report) return py::none();
             return TextOf(self.report(false).ToJson().dump(
                 -1, ' ', false, nlohmann::json::error_handler_t::replace));
           })
      .def("write_report",
           [](const ResultHandle& self, const std::string& path) {
             if (!self.report) {
               throw py::value_error("this result has no report");
             }
             app::CheckReportPath(path);
             const Diagnostics written =
                 self.report(app::IsPage(path)).Write(path);
             if (written.has_errors()) RaiseFindings(written);
           })
      .def_property_readonly(
          "saves", [](const ResultHandle& self) { return bool(self.save); })
      .def("save", [](const ResultHandle& self, const std::string& path) {
        const Diagnostics written = [&] {
          const py::gil_scoped_release unlocked;
          return self.save(path);
        }();
        if (written.has_errors()) RaiseFindings(written);
      });
  module.def("solve", &Solve);
  module.def("subjects", &SubjectsOf);
  module.def("retarget", &Retarget);
  module.def("edit", &Edit);
  module.def("combine", &Combine);
  module.def("measure", &Measure);
  module.def("markers", &Markers);
  module.def("simulate", &Simulate);
  module.def("figure", &MakeFigure);
}

}  // namespace limber::python
