// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/record.h"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "app/reports/describe.h"
#include "core/file.h"
#include "figure/make_figure.h"

namespace limber::app {

namespace {

/// Its joints alone, where no body can be made of them.
std::shared_ptr<const figure::FigureModel> BareFigure(
    const figure::Motion& motion) {
  figure::FigureModel bare;
  bare.skeleton = motion.shared_skeleton();
  bare.roles.resize(static_cast<std::size_t>(bare.skeleton->num_joints()));
  return std::make_shared<const figure::FigureModel>(std::move(bare));
}

/// A larger one makes a page that no mail takes [bytes].
constexpr std::uintmax_t kLargestCharacter = 8'000'000;

}  // namespace

std::shared_ptr<const figure::FigureModel> FigureFor(
    const figure::Motion& motion) {
  Result<figure::FigureModel> made =
      figure::MakeFigure(motion.shared_skeleton());
  if (!made.ok()) return BareFigure(motion);
  return std::make_shared<const figure::FigureModel>(std::move(made).value());
}

std::optional<PlayerRecording> RecordShows(std::string title, double rate_hz,
                                           std::vector<PlayedShow> shows,
                                           double duration) {
  std::size_t num_parts = 0;
  for (const PlayedShow& played : shows) {
    num_parts += played.show->parts().size();
  }
  if (duration <= 0.0) duration = shows.front().show->duration();
  const std::optional<SampleTimes> times =
      TimesFor(duration, rate_hz, num_parts);
  if (!times) return std::nullopt;
  PlayerRecording recording;
  recording.title = std::move(title);
  for (PlayedShow& played : shows) {
    recording.actors.push_back(
        {played.name, played.ghost, SampleShow(*played.show, *times)});
  }
  const double end =
      static_cast<double>(times->num_frames - 1) / times->rate_hz;
  for (viewer::ShownEvent& event : shows.front().show->events()) {
    if (event.from > end) continue;
    recording.events.push_back(
        {event.from, std::min(event.to, end), std::move(event.text)});
  }
  if (!times->is_whole) {
    recording.note =
        "The first " + Rounded(end, 0) + " s of " + Rounded(duration, 0) + " s";
  }
  return recording;
}

std::unique_ptr<viewer::Show> ShowOf(
    const figure::Motion& motion,
    std::shared_ptr<const figure::FigureModel> figure, bool ghost) {
  viewer::ClipLook look;
  look.ghost = ghost;
  return viewer::ShowClip(std::make_shared<const figure::Motion>(motion),
                          figure ? std::move(figure) : FigureFor(motion), look);
}

std::optional<PlayerRecording> RecordClips(
    std::string title, const std::vector<PlayedClip>& clips) {
  std::vector<PlayedShow> shows;
  for (const PlayedClip& clip : clips) {
    const bool ghost = !shows.empty();
    shows.push_back(
        {clip.name, ShowOf(*clip.motion, clip.figure, ghost), ghost});
  }
  return RecordShows(std::move(title), clips.front().motion->rate_hz(),
                     std::move(shows));
}

void AddCharacter(const std::filesystem::path& file, int animation,
                  PlayerActor& actor) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kLargestCharacter) return;
  Result<std::string> bytes = ReadWholeFile(file);
  if (!bytes.ok() || !bytes->starts_with("glTF")) return;
  actor.character = std::move(bytes).value();
  actor.animation = animation;
}

}  // namespace limber::app
