// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Events, and what becomes of a clip when they happen.
#include "app/player/record_edit.h"
#include "app/reports/edit_report.h"
#include "jobs/edit.h"
#include "jobs/event_words.h"
#include "python/job_handles.h"

namespace limber::python {

namespace {

/// The fields of an event of the package, which checked them.
struct Fields {
  py::handle object;

  double Number(const char* name) const {
    return object.attr(name).cast<double>();
  }
  std::string Text(const char* name) const {
    return object.attr(name).cast<std::string>();
  }
  Vector3 Vector(const char* name) const {
    return VectorOf(object.attr(name), name);
  }
  std::optional<double> Until() const {
    const py::object value = object.attr("until");
    if (value.is_none()) return std::nullopt;
    return value.cast<double>();
  }
};

/// What is done to a segment; nothing for other kinds.
std::optional<jobs::Event> SegmentEvent(const std::string& kind,
                                        const Fields& of) {
  if (kind == "push") {
    return jobs::Push{of.Text("segment"), of.Number("at"), of.Vector("impulse"),
                      of.Number("duration"),
                      of.object.attr("in_body").cast<bool>()};
  }
  if (kind == "throw") {
    return jobs::Throw{of.Text("segment"), of.Number("at"),
                       of.Vector("velocity"), of.Number("mass")};
  }
  if (kind == "carry") {
    return jobs::Carry{of.Text("segment"), of.Number("at"), of.Until(),
                       of.Number("mass"), of.Number("friction")};
  }
  if (kind == "umbrella") {
    return jobs::Umbrella{of.Text("segment"), of.Number("at"), of.Until(),
                          of.Number("mass")};
  }
  if (kind == "reach") {
    return jobs::Reach{of.Text("segment"), of.Number("at"), of.Until(),
                       of.Vector("target"), of.Vector("target_velocity")};
  }
  if (kind == "look") {
    return jobs::Look{of.Text("segment"), of.Number("at"), of.Until(),
                      of.Vector("target"), of.Vector("target_velocity")};
  }
  if (kind == "pin") {
    return jobs::Pin{of.Text("segment"), of.Number("at"), of.Until(),
                     of.Vector("rail")};
  }
  if (kind == "upright") {
    return jobs::Upright{of.Text("segment"), of.Number("at"), of.Until()};
  }
  return std::nullopt;
}

/// An event of the package, which carries its kind.
jobs::Event EventOf(const py::handle& object) {
  const auto kind = object.attr("kind").cast<std::string>();
  const Fields of{object};
  if (const auto event = SegmentEvent(kind, of)) return *event;
  if (kind == "wall") return jobs::Wall{of.Number("distance")};
  if (kind == "obstacle") {
    return jobs::Obstacle{of.Vector("place"), of.Vector("size"),
                          of.Number("at"),    of.Until(),
                          of.Number("mass"),  of.Number("heading")};
  }
  if (kind == "loosen") {
    return jobs::Loosen{of.Text("segments"), of.Number("at"), of.Until()};
  }
  if (kind == "stiffen") {
    return jobs::Stiffen{of.Text("segments"), of.Number("at"), of.Until()};
  }
  if (kind == "rag_doll") return jobs::RagDoll{of.Number("at"), of.Until()};
  if (kind == "recover") return jobs::Recover{of.Number("at")};
  if (kind == "gravity") {
    return jobs::Gravity{of.Number("at"), of.Until(), of.Vector("gravity")};
  }
  if (kind == "floor") {
    return jobs::Floor{of.Number("at"), of.Until(), of.Number("rise")};
  }
  return jobs::Slope{of.Number("at"), of.Until(), of.Number("angle"),
                     of.Vector("uphill")};
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
  handle.contents["clip"] = MakeClip(done->result.motion);
  handle.contents["figure"] = FigureHandle{done->figure, ""};
  handle.findings = findings;
  const std::string input = NameOf(clip);
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

}  // namespace

void BindEdit(py::module_& module) { module.def("edit", &Edit); }

}  // namespace limber::python
