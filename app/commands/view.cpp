// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/progress.h"
#include "app/reports/describe.h"
#include "app/view_shows.h"
#include "core/angle.h"
#include "core/clip_time.h"
#include "core/file.h"
#include "jobs/shell_word.h"
#include "jobs/workbench.h"
#include "viewer/controls.h"
#include "viewer/display.h"
#include "viewer/edit_desk.h"
#include "viewer/renderer.h"
#include "viewer/show.h"
#include "viewer/window.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::vector<fs::path> files;
  ShowOptions show;
  fs::path events;  ///< To begin with.
  bool no_shadows = false;
  int width = 1280;
  int height = 720;
  std::optional<double> turn_deg;
  std::optional<double> height_deg;
  std::optional<double> distance;

  fs::path snapshot;
  double at = 0.0;
  fs::path strip;
  int poses = 8;
  fs::path frames;
  fs::path record;
  double frame_rate = 30.0;
  int benchmark = 0;         ///< Pictures to time; 0: none.
  double from = 0.0;         ///< Of strip, frames and film [s].
  std::optional<double> to;  ///< The end without it [s].
  bool force = false;

  bool off_screen() const {
    return !snapshot.empty() || !strip.empty() || !frames.empty() ||
           !record.empty();
  }
};

viewer::Camera CameraFor(viewer::Show& show, double time,
                         const ViewOptions& options) {
  viewer::Camera camera;
  camera.target = show.Centre(time);
  camera.Fit(show.Radius());
  if (options.turn_deg) camera.turn = Radians(*options.turn_deg);
  if (options.height_deg) camera.height = Radians(*options.height_deg);
  if (options.distance) camera.distance = *options.distance;
  return camera;
}

int Report(const Diagnostics& diagnostics) {
  std::cerr << diagnostics.ToString();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

int WriteSnapshot(viewer::Show& show, const ViewOptions& options,
                  const viewer::RenderSettings& settings) {
  viewer::Renderer renderer(show, settings);
  const int code = Report(viewer::WritePng(
      options.snapshot,
      renderer.Render(options.at, CameraFor(show, options.at, options))));
  if (code == kDone) std::cout << PathText(options.snapshot) << "\n";
  return code;
}

double End(const viewer::Show& show, const ViewOptions& options) {
  return options.to.value_or(show.duration());
}

int WriteStrip(viewer::Show& show, const ViewOptions& options,
               viewer::RenderSettings settings) {
  // Upright panels: a figure is taller than it is wide.
  settings.width = settings.height * 5 / 9;
  viewer::Renderer renderer(show, settings);
  std::vector<viewer::Image> images;
  for (int i = 0; i < options.poses; ++i) {
    const double share =
        options.poses == 1 ? 0.0 : double(i) / (options.poses - 1);
    const double time =
        options.from + share * (End(show, options) - options.from);
    images.push_back(renderer.Render(time, CameraFor(show, time, options)));
  }
  const int code =
      Report(viewer::WritePng(options.strip, viewer::Beside(images)));
  if (code == kDone) std::cout << PathText(options.strip) << "\n";
  return code;
}

/// Calls `take` with each picture of the show at the frame rate; the camera
/// follows.
void RenderAll(
    viewer::Show& show, const ViewOptions& options,
    const viewer::RenderSettings& settings,
    const std::function<bool(int frame, const viewer::Image&)>& take) {
  viewer::Renderer renderer(show, settings);
  const double length = End(show, options) - options.from;
  const auto count =
      static_cast<int>(1 + FramesIn(length, options.frame_rate, Frames::kDown));
  viewer::Camera camera = CameraFor(show, options.from, options);
  Progress progress("drawing");
  for (int i = 0; i < count; ++i) {
    const double time = options.from + i / options.frame_rate;
    camera.target = show.Centre(time);
    if (!take(i, renderer.Render(time, camera))) return;
    progress.Show(double(i + 1) / count);
  }
}

int WriteFrames(viewer::Show& show, const ViewOptions& options,
                const viewer::RenderSettings& settings) {
  std::error_code failed;
  fs::create_directories(options.frames, failed);
  if (failed) {
    std::cerr << PathText(options.frames)
              << ": error: the folder cannot be made: " << failed.message()
              << "\n";
    return kBadInput;
  }
  int code = kDone;
  int written = 0;
  RenderAll(show, options, settings,
            [&](int frame, const viewer::Image& image) {
              char name[32];
              std::snprintf(name, sizeof name, "frame%05d.png", frame);
              code = Report(viewer::WritePng(options.frames / name, image));
              written += code == kDone;
              return code == kDone;
            });
  std::cout << written << " pictures in " << PathText(options.frames) << "\n";
  return code;
}

/// What ffmpeg calls the format of a film's name.
std::string FilmFormat(const fs::path& film) {
  static const std::map<std::string, std::string> kFormats = {
      {".mp4", "mp4"},   {".mov", "mov"}, {".mkv", "matroska"},
      {".webm", "webm"}, {".avi", "avi"}, {".gif", "gif"}};
  const auto found = kFormats.find(film.extension().string());
  if (found != kFormats.end()) return found->second;
  throw BadCall("a film ends in .mp4, .mov, .mkv, .webm, .avi or .gif: \"" +
                PathText(film) + "\"");
}

int WriteFilm(viewer::Show& show, const ViewOptions& options,
              const viewer::RenderSettings& settings) {
  // The film gets its name when it is whole.
  PendingFile file(options.record);
  if (file.findings().has_errors()) return Report(file.findings());
  // Players want even numbers of pixels.
  const std::string command =
      "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s " +
      std::to_string(settings.width) + "x" + std::to_string(settings.height) +
      " -r " + std::to_string(options.frame_rate) +
      " -i - -vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p -crf 20 "
      "-f " +
      FilmFormat(options.record) + " " +
      jobs::ShellWord(file.WorkingName().string());
  // An ffmpeg that ends early is an error below, not the end of this program.
  std::signal(SIGPIPE, SIG_IGN);
  std::FILE* film = popen(command.c_str(), "w");
  if (film == nullptr) {
    std::cerr << "limber: ffmpeg cannot be started\n";
    return kBadInput;
  }
  RenderAll(show, options, settings, [&](int, const viewer::Image& image) {
    return std::fwrite(image.pixels.data(), 1, image.pixels.size(), film) ==
           image.pixels.size();
  });
  if (pclose(film) != 0) {
    std::cerr << "limber: ffmpeg could not write " << PathText(options.record)
              << "\n";
    return kBadInput;
  }
  const int code = Report(file.Commit());
  if (code == kDone) std::cout << PathText(options.record) << "\n";
  return code;
}

viewer::WindowSettings SettingsFor(const ViewOptions& options) {
  viewer::WindowSettings settings;
  settings.title = "limber: " + PathText(options.files.front());
  settings.name = PathText(options.files.front().filename());
  settings.width = options.width;
  settings.height = options.height;
  settings.tell = [](const std::string& message) {
    std::cout << message << std::endl;
  };
  return settings;
}

/// Draws pictures in a window as fast as it can be done, each a sixtieth of a
/// second after the last, and says how many there are in a second.
int RunBenchmark(viewer::Show& show, const ViewOptions& options) {
  viewer::Layers layers = show.layers();
  layers.details = true;
  show.SetLayers(layers);
  viewer::Controls controls(show);
  if (!options.show.mode.empty()) controls.SetMode(options.show.mode);
  if (options.no_shadows) controls.Key('s');
  viewer::Window window(controls, SettingsFor(options));
  for (int i = 0; i < 5; ++i) window.Frame(0.0);
  std::vector<double> seconds;
  for (int i = 0; i < options.benchmark; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    window.Frame(1.0 / 60.0);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    return 1000.0 * seconds[static_cast<std::size_t>(
                        share * static_cast<double>(seconds.size() - 1))];
  };
  std::cout << options.width << "x" << options.height << ", shadows "
            << (options.no_shadows ? "off" : "on") << ": "
            << Rounded(options.benchmark / sum, 1) << " pictures/s\n"
            << "  a picture takes " << Rounded(at(0.5), 2) << " ms (median), "
            << Rounded(at(0.99), 2) << " ms (99 %)\n";
  viewer::Picture picture;
  show.Draw(controls.player().time(), picture);
  for (const std::string& note : picture.notes) {
    if (note.starts_with("step")) std::cout << "  " << note << "\n";
  }
  std::cout << "  " << window.renderer_name() << "\n";
  return kDone;
}

/// What somebody works on in a window; nothing where no clip is performed.
std::unique_ptr<jobs::Workbench> MakeBench(const ViewOptions& options,
                                           const PerformedClip& performed) {
  if (!performed.motion) return nullptr;
  jobs::WorkbenchClip clip{performed.motion, performed.figure,
                           options.files.front(), options.show.figure,
                           options.show.load};
  auto bench = std::make_unique<jobs::Workbench>(
      std::move(clip), jobs::WorkbenchFolders{".", jobs::JournalFolder()});
  return bench;
}

/// Puts the events of --events on the bench. False, and the reason printed, if
/// the file is bad.
bool AddEvents(const fs::path& file, jobs::Workbench& bench) {
  const Result<std::string> text = ReadWholeFile(file);
  std::cerr << text.diagnostics().ToString();
  if (!text) return false;
  const Result<std::vector<jobs::ListedEvent>> events = jobs::ParseEventsFile(
      *text, PathText(file),
      {bench.clip().figure.get(), bench.clip().motion.get()});
  std::cerr << events.diagnostics().ToString();
  if (!events) return false;
  try {
    bench.Add(*events);
  } catch (const std::invalid_argument& error) {
    std::cerr << PathText(file) << ": error: " << error.what() << "\n";
    return false;
  }
  return true;
}

/// One window after another, as the keys for the next and the last file want.
/// @param show  of the first file of a list, or of all files.
/// @param performed  the clip of it, where it can be worked on.
int OpenWindows(const ViewOptions& options, bool is_list,
                std::unique_ptr<viewer::Show> show, PerformedClip performed) {
  std::size_t index = 0;
  const std::size_t count = is_list ? options.files.size() : 1;
  while (true) {
    ViewOptions now = options;
    if (is_list) now.files = {options.files[index]};
    const std::unique_ptr<jobs::Workbench> bench = MakeBench(now, performed);
    if (!options.events.empty()) {
      if (!bench) throw BadCall("--events needs a clip that a body can play");
      if (!AddEvents(options.events, *bench)) return kBadInput;
    }
    std::optional<viewer::EditDesk> desk;
    viewer::Controls controls(*show);
    if (bench) controls.SetDesk(&desk.emplace(*bench, *show));
    if (!now.show.mode.empty() && !show->modes().empty()) {
      controls.SetMode(now.show.mode);
    }
    if (now.no_shadows) controls.Key('s');
    controls.set_num_files(static_cast<int>(count));
    viewer::Window window(controls, SettingsFor(now));
    window.Run();
    if (controls.wanted_file() == 0) return kDone;
    index = (index + count + static_cast<std::size_t>(controls.wanted_file())) %
            count;
    performed = {};
    Result<std::unique_ptr<viewer::Show>> next =
        MakeShows({options.files[index]}, options.show, &performed);
    std::cerr << next.diagnostics().ToString();
    if (!next) return kBadInput;
    show = std::move(next).value();
  }
}

void CheckTimes(const viewer::Show& show, const ViewOptions& options) {
  if (!(options.at >= 0.0 && options.at <= show.duration())) {
    throw BadCall("--at must lie within the show, from 0 to " +
                  Rounded(show.duration(), 3) + " s");
  }
  if (!(options.from >= 0.0 && options.from <= End(show, options) &&
        End(show, options) <= show.duration())) {
    throw BadCall("--from and --to must lie within the show, from 0 to " +
                  Rounded(show.duration(), 3) + " s, in this order");
  }
}

int WritePictures(viewer::Show& show, const ViewOptions& options) {
  viewer::RenderSettings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.shadows = !options.no_shadows;
  int code = kDone;
  const auto also = [&code](int next) { code = std::max(code, next); };
  if (!options.snapshot.empty()) also(WriteSnapshot(show, options, settings));
  if (!options.strip.empty()) also(WriteStrip(show, options, settings));
  if (!options.frames.empty()) also(WriteFrames(show, options, settings));
  if (!options.record.empty()) also(WriteFilm(show, options, settings));
  return code;
}

int RunView(ViewOptions options) {
  bool is_list = false;
  Result<std::vector<fs::path>> files = ExpandFolders(options.files, &is_list);
  std::cerr << files.diagnostics().ToString();
  if (!files) return kBadInput;
  options.files = std::move(files).value();
  const bool in_window = !options.off_screen() && options.benchmark == 0;
  if (!options.events.empty() && (is_list || !in_window)) {
    throw BadCall("--events is for one clip in a window");
  }
  if (is_list && !in_window) {
    throw BadCall(
        "one file, or clips for one stage, for a picture; the scenes "
        "of a list are seen in a window only");
  }
  if (!options.record.empty() &&
      std::system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    std::cerr << "limber: --record needs ffmpeg; install the Debian package "
                 "ffmpeg, or write pictures with --frames\n";
    return kBadInput;
  }
  JobFiles job{options.files,
               {options.snapshot, options.strip, options.record},
               options.force};
  job.inputs.push_back(options.show.figure);
  job.inputs.push_back(options.events);
  job.inputs.push_back(options.show.load.asf);
  job.inputs.push_back(options.show.load.offsets);
  if (!CheckJobFiles(job)) return kBadInput;
  if (!options.record.empty()) FilmFormat(options.record);
  options.show.performs = in_window;
  const std::vector<fs::path> on_stage =
      is_list ? std::vector{options.files.front()} : options.files;
  PerformedClip performed;
  Result<std::unique_ptr<viewer::Show>> made =
      MakeShows(on_stage, options.show, &performed);
  std::cerr << made.diagnostics().ToString();
  if (!made) return kBadInput;
  CheckTimes(*made.value(), options);
  const viewer::Display display;
  if (!display.ok()) {
    std::cerr << "limber: " << display.problem() << "\n";
    return kBadInput;
  }
  if (options.benchmark > 0) return RunBenchmark(*made.value(), options);
  if (!in_window) return WritePictures(*made.value(), options);
  if (!display.visible()) {
    std::cerr << "limber: there is no screen to open a window on (DISPLAY is "
                 "not set); write pictures with --snapshot, --strip, --frames "
                 "or --record\n";
    return kBadInput;
  }
  return OpenWindows(options, is_list, std::move(made).value(), performed);
}

void AddSizeOption(CLI::App& command, ViewOptions& options) {
  command
      .add_option_function<std::string>(
          "--size",
          [&options](const std::string& text) {
            char rest = 0;
            const int found =
                std::sscanf(text.c_str(), "%dx%d%c", &options.width,
                            &options.height, &rest);
            if (found != 2 || options.width < 16 || options.height < 16 ||
                options.width > 8192 || options.height > 8192) {
              throw CLI::ValidationError(
                  "--size", "expected WIDTHxHEIGHT from 16 to 8192, found \"" +
                                text + "\"");
            }
          },
          "of the window or picture [pixels], 1280x720 without it")
      ->type_name("WxH");
}

}  // namespace

namespace {

/// --show forces,trails and --bones.
void AddLayersOption(CLI::App& command, viewer::Layers& layers) {
  static const std::vector<std::pair<std::string, bool viewer::Layers::*>>
      kLayers = {{"forces", &viewer::Layers::forces},
                 {"reactions", &viewer::Layers::reactions},
                 {"contacts", &viewer::Layers::contacts},
                 {"effort", &viewer::Layers::effort},
                 {"trails", &viewer::Layers::trails},
                 {"mass-centre", &viewer::Layers::mass_centre},
                 {"details", &viewer::Layers::details},
                 {"bones", &viewer::Layers::bones}};
  std::vector<std::string> names;
  for (const auto& [name, member] : kLayers) names.push_back(name);
  command
      .add_option_function<std::vector<std::string>>(
          "--show",
          [&layers](const std::vector<std::string>& wanted) {
            for (const std::string& word : wanted) {
              layers.*std::ranges::find(kLayers, word, [](const auto& layer) {
                        return layer.first;
                      })->second = true;
            }
          },
          "what is drawn beside the bodies: forces, reactions, contacts, "
          "effort, trails, mass-centre, bones; details: how fast")
      ->delimiter(',')
      ->type_name("LAYER,...")
      ->check(CLI::IsMember(names));
  command.add_flag_callback(
      "--bones", [&layers] { layers.bones = true; }, "bones instead of bodies");
}

}  // namespace

void AddView(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "view", "See clips, takes, figures and scenes move, or make pictures");
  auto options = std::make_shared<ViewOptions>();
  command
      ->add_option("FILE", options->files,
                   "BVH, AMC, C3D, TRC, figure or scene; further clips are "
                   "drawn as ghosts over the first, further scenes one after "
                   "another; a folder stands for what is in it")
      ->required()
      ->type_name("");
  command
      ->add_option("--figure", options->show.figure, "figure file of the clip")
      ->type_name("FILE");
  command
      ->add_option("--mode", options->show.mode,
                   "play the clip on the physical figure: kinematic, dynamic, "
                   "compare, loose-arms, rag-doll")
      ->check(CLI::IsMember(
          {"kinematic", "dynamic", "compare", "loose-arms", "rag-doll"}));
  command
      ->add_option("--events", options->events,
                   "events file to work on (docs/editing.md)")
      ->type_name("FILE.json");
  AddLayersOption(*command, options->show.layers);
  command->add_flag("--side-by-side", options->show.side_by_side,
                    "further clips, or the ghost, beside the first");
  command->add_option("--snapshot", options->snapshot, "write one picture")
      ->type_name("FILE.png");
  command->add_option("--at", options->at, "time of the picture [s]")
      ->type_name("TIME");
  command
      ->add_option("--strip", options->strip,
                   "write a strip of poses over the whole length")
      ->type_name("FILE.png");
  command->add_option("--poses", options->poses, "number of poses of the strip")
      ->check(CLI::Range(1, 64));
  command->add_option("--frames", options->frames, "write every frame")
      ->type_name("DIR");
  command
      ->add_option("--record", options->record, "write a film (needs ffmpeg)")
      ->type_name("FILE.mp4");
  command
      ->add_option("--frame-rate", options->frame_rate,
                   "of --frames and --record [Hz]")
      ->check(CLI::Range(1.0, 240.0));
  command
      ->add_option("--from", options->from,
                   "where strip, frames and film begin [s]")
      ->type_name("TIME");
  command->add_option("--to", options->to, "where they end [s]")
      ->type_name("TIME");
  command->add_option("--turn", options->turn_deg,
                      "camera: 0 from the front, 90 from the left [deg]");
  command
      ->add_option("--height", options->height_deg,
                   "camera: angle above the floor [deg]")
      ->check(CLI::Range(-89.0, 89.0));
  command->add_option("--distance", options->distance, "camera [m]")
      ->check(PositiveNumber(1e6));
  command->add_flag("--no-shadows", options->no_shadows, "faster pictures");
  command
      ->add_option("--benchmark", options->benchmark,
                   "draw so many pictures in a window as fast as possible and "
                   "say how fast that is")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  AddSizeOption(*command, *options);
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->show.load);
  command->footer(
      "Examples:\n"
      "  limber view data/clips/walk.bvh\n"
      "  limber view data/clips/walk.bvh --strip walk.png --poses 6\n"
      "  limber view data/clips/walk.bvh --mode dynamic --show forces,effort\n"
      "  limber view data/scenes/bicycle.json --snapshot bike.png --at 2\n"
      "  limber view data/scenes        all of them; n shows the next");
  command->callback(
      [options, &job] { job = [options] { return RunView(*options); }; });
}

}  // namespace limber::app
