// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Combining, measuring, and virtual markers.
#include "app/player/record.h"
#include "app/reports/combine_report.h"
#include "app/reports/measure_report.h"
#include "jobs/markers.h"
#include "python/job_handles.h"
#include "viewer/show.h"

namespace limber::python {

namespace {

ResultHandle Combine(const py::sequence& list, const py::dict& dictionary,
                     const py::object& progress) {
  const Words words(dictionary);
  jobs::CombineOptions options;
  options.parts.blend = words.Get("blend", options.parts.blend);
  options.parts.search = words.Get("search", options.parts.search);
  std::vector<figure::Motion> clips;
  std::vector<std::string> names;
  for (const py::handle& item : list) {
    const auto& clip = *item.cast<ClipHandle*>();
    clips.push_back(*clip.motion);
    options.origins.push_back(clip.origin);
    names.push_back(NameOf(clip));
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
  handle.contents["clip"] = MakeClip(done->motion);
  py::list joins;
  for (const mocap::CombineReport& join : done->joins) {
    joins.append(py::make_tuple(
        static_cast<double>(join.frame_a) / done->motion.rate_hz(),
        join.frame_a, join.frame_b, join.num_blend, join.distance, join.turn));
  }
  handle.contents["joins"] = joins;
  handle.findings = findings;
  handle.report = [done, names, findings](bool page) {
    app::Report report = app::MakeCombineReport(names, *done, findings);
    if (page) app::AddCombinePlayer(*done, report);
    return report;
  };
  return handle;
}

ResultHandle Measure(const ClipHandle& clip, const py::dict& dictionary,
                     const py::object& progress) {
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
  const auto motion = clip.motion;
  Result<jobs::MeasuredClip> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Measure(*motion, options);
      });
  const Diagnostics findings = result.diagnostics();
  const auto done =
      std::make_shared<const jobs::MeasuredClip>(Must(std::move(result)));
  ResultHandle handle;
  handle.verdict = done->verdict;
  handle.findings = findings;
  handle.report = [done, findings, against, figure,
                   input = NameOf(clip)](bool page) {
    app::Report report = app::MakeMeasureReport(input, *done, findings);
    if (page) app::AddMeasurePlayer(*done, against.get(), figure, report);
    return report;
  };
  return handle;
}

app::Report MakeMarkersReport(
    const std::string& input, int num_markers, const mocap::FaultReport& faults,
    const std::shared_ptr<const mocap::MarkerTake>& take, bool page) {
  app::Report report("Virtual markers of " + input);
  report.Set("markers", num_markers, "markers");
  report.Set("frames", take->num_frames(), "frames");
  report.Set("missing_samples", faults.missing_samples, "missing samples");
  report.Set("gap_fraction", take->gap_fraction(), "missing share");
  report.Set("swaps", faults.swaps.size(), "swaps");
  if (page) {
    std::vector<app::PlayedShow> shows;
    shows.push_back({"Markers", viewer::ShowTake(take)});
    const auto played =
        app::RecordShows("The markers", take->rate_hz(), std::move(shows));
    if (played) report.AddPlayer(*played);
  }
  return report;
}

ResultHandle Markers(const ClipHandle& clip, const py::dict& dictionary,
                     const py::object& progress) {
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
  const auto motion = clip.motion;
  Result<jobs::VirtualMarkers> result =
      RunJob(progress, [&](const jobs::Progress& tell) {
        options.progress = tell;
        return jobs::Markers(*motion, options);
      });
  ResultHandle handle;
  handle.findings = result.diagnostics();
  jobs::VirtualMarkers made = Must(std::move(result));
  const auto take = std::make_shared<mocap::MarkerTake>(std::move(made.take));
  handle.contents["take"] = TakeHandle{take, ""};
  handle.report = [take, num_markers = made.num_markers, faults = made.report,
                   input = NameOf(clip)](bool page) {
    return MakeMarkersReport(input, num_markers, faults, take, page);
  };
  return handle;
}

}  // namespace

void BindMeasures(py::module_& module) {
  module.def("combine", &Combine);
  module.def("measure", &Measure);
  module.def("markers", &Markers);
}

}  // namespace limber::python
