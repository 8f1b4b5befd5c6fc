// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/edit.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "figure/make_figure.h"
#include "jobs/bad_call.h"
#include "jobs/load.h"
#include "jobs/words.h"

namespace limber::jobs {

namespace {

using SharedFigure = std::shared_ptr<const figure::FigureModel>;

void CheckTimes(const std::vector<figure::EditEvent>& events,
                const figure::Motion& clip) {
  for (const figure::EditEvent& event : events) {
    if (event.time >= 0.0 && event.time <= clip.duration()) continue;
    throw BadCall("an event at " + Rounded(event.time, 3) +
                  " s lies outside the clip, which lasts from 0 to " +
                  Rounded(clip.duration(), 3) + " s");
  }
}

void CheckFloor(const std::vector<figure::EditEvent>& events,
                const figure::EditSettings& settings) {
  if (!settings.floor &&
      std::ranges::any_of(events, [](const figure::EditEvent& event) {
        return event.kind == figure::EditEvent::Kind::kFloor;
      })) {
    throw BadCall(
        "--no-floor leaves no floor that --floor or --slope could move");
  }
}

}  // namespace

Result<SharedFigure> FigureForClip(const figure::Motion& clip,
                                   const std::string& file) {
  Diagnostics findings(file);
  if (clip.num_frames() == 0) {
    findings.Error("no-frames", {}, "the clip has no frames");
  } else {
    CheckTime(clip, findings);
  }
  if (findings.has_errors()) return Result<SharedFigure>(std::move(findings));
  figure::FigureOptions body;
  body.clip = &clip;
  Result<figure::FigureModel> made =
      figure::MakeFigure(clip.shared_skeleton(), body);
  if (!made.ok()) return Result<SharedFigure>(made.diagnostics());
  return {std::make_shared<const figure::FigureModel>(std::move(made).value()),
          Diagnostics()};
}

namespace {

Result<EditedClip> ResolveAndEdit(const figure::Motion& clip,
                                  std::span<const Event> events,
                                  const EditOptions& options) {
  SharedFigure model = options.figure;
  if (!model) {
    const Result<SharedFigure> made = FigureForClip(clip, options.file);
    if (!made.ok()) return Result<EditedClip>(made.diagnostics());
    model = *made;
  }
  std::vector<figure::EditEvent> resolved =
      Resolve(events, {model.get(), &clip});
  figure::EditSettings settings = options.settings;
  settings.progress = TellFrom(options.progress);
  if (!options.keep.empty()) {
    settings.keep = SegmentsOfList(options.keep, *model);
  }
  CheckFloor(resolved, settings);
  CheckTimes(resolved, clip);
  try {
    figure::EditResult result =
        figure::EditMotion(clip, model, resolved, settings);
    return {EditedClip{std::move(result), model, std::move(resolved)},
            Diagnostics()};
  } catch (const std::invalid_argument& error) {
    throw BadCall(error.what());
  }
}

}  // namespace

Result<EditedClip> Edit(const figure::Motion& clip,
                        std::span<const Event> events,
                        const EditOptions& options) {
  return RunStoppable(options.progress, options.file,
                      [&] { return ResolveAndEdit(clip, events, options); });
}

}  // namespace limber::jobs
