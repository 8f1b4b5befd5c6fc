// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What jobs give back, and the pages of takes and clips.
#include "app/player/record.h"
#include "app/reports/report.h"
#include "core/file.h"
#include "python/job_handles.h"
#include "viewer/show.h"

namespace limber::python {

ClipHandle MakeClip(figure::Motion motion, std::string file) {
  ClipHandle handle;
  handle.motion = std::make_shared<const figure::Motion>(std::move(motion));
  handle.origin.file = std::move(file);
  handle.origin.up_is_said = true;
  return handle;
}

std::string NameOf(const ClipHandle& clip) {
  return clip.origin.file.empty() ? "clip" : clip.origin.file;
}

namespace {

py::list DoubtsOf(const Verdict& verdict) {
  py::list list;
  for (const Doubt& doubt : verdict.doubts()) {
    list.append(py::make_tuple(doubt.kind, TextOf(doubt.message),
                               TextOf(doubt.advice), doubt.value, doubt.bound,
                               TextOf(doubt.unit)));
  }
  return list;
}

/// A page that is nothing but a moving picture.
std::string PageOf(const std::string& title,
                   const std::optional<app::PlayerRecording>& recording) {
  app::Report report(title);
  if (recording) report.AddPlayer(*recording);
  return report.ToPage();
}

py::str TakePage(const TakeHandle& take) {
  const std::shared_ptr<const mocap::MarkerTake> shown = take.take;
  const std::string title = take.file.empty() ? "take" : take.file;
  const std::string page = [&] {
    const py::gil_scoped_release unlocked;
    std::vector<app::PlayedShow> shows;
    shows.push_back({"Take", viewer::ShowTake(shown)});
    return PageOf(title,
                  app::RecordShows(title, shown->rate_hz(), std::move(shows)));
  }();
  return TextOf(page);
}

py::str ClipPage(const ClipHandle& clip) {
  const auto motion = clip.motion;
  const std::string title = NameOf(clip);
  const std::string page = [&] {
    const py::gil_scoped_release unlocked;
    return PageOf(title, app::RecordClips(title, {{"Clip", motion.get()}}));
  }();
  return TextOf(page);
}

}  // namespace

void BindResult(py::module_& module) {
  py::class_<ResultHandle>(module, "ResultHandle")
      .def_property_readonly(
          "contents", [](const ResultHandle& self) { return self.contents; })
      .def_property_readonly(
          "findings",
          [](const ResultHandle& self) { return FindingsOf(self.findings); })
      .def_property_readonly(
          "doubts",
          [](const ResultHandle& self) { return DoubtsOf(self.verdict); })
      .def("report_json",
           [](const ResultHandle& self) {
             const std::string text = [&] {
               const py::gil_scoped_release unlocked;
               return self.report(false).ToJson().dump(
                   -1, ' ', false, nlohmann::json::error_handler_t::replace);
             }();
             return TextOf(text);
           })
      .def("page",
           [](const ResultHandle& self) {
             const std::string text = [&] {
               const py::gil_scoped_release unlocked;
               return self.report(true).ToPage();
             }();
             return TextOf(text);
           })
      .def("write_report",
           [](const ResultHandle& self, const std::string& path) {
             app::CheckReportPath(path);
             const Diagnostics written = [&] {
               const py::gil_scoped_release unlocked;
               return self.report(app::IsPage(path)).Write(path);
             }();
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
  module.def("take_page", &TakePage);
  module.def("clip_page", &ClipPage);
  module.def("set_command", [](const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) {
      pointers.push_back(const_cast<char*>(word.c_str()));
    }
    app::SetCommandLine(static_cast<int>(pointers.size()), pointers.data());
  });
}

}  // namespace limber::python
