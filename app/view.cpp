// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/load.h"
#include "app/load_options.h"
#include "app/progress.h"
#include "core/file.h"
#include "dynamics/scene/scene.h"
#include "figure/figure_file.h"
#include "figure/make_figure.h"
#include "viewer/controls.h"
#include "viewer/display.h"
#include "viewer/performance_show.h"
#include "viewer/renderer.h"
#include "viewer/scene_show.h"
#include "viewer/show.h"
#include "viewer/window.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::vector<fs::path> files;
  LoadOptions load;
  fs::path figure;
  std::string mode;
  bool bones = false;
  bool side_by_side = false;
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
  double from = 0.0;         ///< Of strip, frames and film [s].
  std::optional<double> to;  ///< The end without it [s].

  bool off_screen() const {
    return !snapshot.empty() || !strip.empty() || !frames.empty() ||
           !record.empty();
  }
};

Result<std::unique_ptr<viewer::Show>> ShowMotion(figure::Motion motion,
                                                 const fs::path& figure_file,
                                                 const std::string& mode,
                                                 const viewer::ClipLook& look,
                                                 Diagnostics diagnostics) {
  using Shown = Result<std::unique_ptr<viewer::Show>>;
  if (motion.num_frames() == 0) {
    diagnostics.Error("no-frames", {}, "there is no frame to show");
    return Shown(std::move(diagnostics));
  }
  auto shared = std::make_shared<const figure::Motion>(std::move(motion));
  Result<figure::FigureModel> model =
      figure_file.empty() ? figure::MakeFigure(shared->shared_skeleton())
                          : figure::ReadFigureFile(figure_file);
  std::shared_ptr<const figure::FigureModel> body;
  viewer::ClipLook used = look;
  if (model.ok()) {
    if (model->skeleton->num_joints() != shared->skeleton().num_joints()) {
      diagnostics.Error("other-figure", {},
                        "the clip has " +
                            std::to_string(shared->skeleton().num_joints()) +
                            " joints, the figure " +
                            std::to_string(model->skeleton->num_joints()));
      return Shown(std::move(diagnostics));
    }
    body =
        std::make_shared<const figure::FigureModel>(std::move(model).value());
    if (!mode.empty()) {
      std::unique_ptr<viewer::Show> show =
          viewer::ShowPerformance(std::move(shared), std::move(body));
      show->SetMode(mode);
      return {std::move(show), std::move(diagnostics)};
    }
  } else if (!figure_file.empty()) {
    diagnostics.Append(model.diagnostics());
    return Shown(std::move(diagnostics));
  } else {
    // Nothing to make a body of: its joints are still seen as bones.
    figure::FigureModel bare;
    bare.skeleton = shared->shared_skeleton();
    bare.roles.resize(std::size_t(bare.skeleton->num_joints()));
    body = std::make_shared<const figure::FigureModel>(std::move(bare));
    used.bones = true;
  }
  return {viewer::ShowClip(std::move(shared), std::move(body), used),
          std::move(diagnostics)};
}

/// A figure standing in its rest pose, feet on the floor.
figure::Motion Standing(const figure::FigureModel& model) {
  figure::Motion motion(model.skeleton, 60.0);
  figure::Pose pose = figure::RestPose(*model.skeleton);
  double lowest = 0.0;
  for (const Transform& X : figure::WorldTransforms(*model.skeleton, pose)) {
    lowest = std::min(lowest, X.p.y());
  }
  pose.X_PJ.front().p.y() -= lowest;
  motion.Append(pose);
  return motion;
}

Result<std::unique_ptr<viewer::Show>> ShowJson(const fs::path& path,
                                               const viewer::ClipLook& look) {
  using Shown = Result<std::unique_ptr<viewer::Show>>;
  const Result<JsonValue> json = ReadJson(path);
  if (!json) return Shown(json.diagnostics());
  if (json->Find("limber_scene") != nullptr) {
    Result<dynamics::Scene> scene = dynamics::ReadScene(path);
    if (!scene) return Shown(scene.diagnostics());
    Diagnostics diagnostics = scene.diagnostics();
    return {viewer::ShowScene(
                std::make_shared<dynamics::Scene>(std::move(scene).value())),
            std::move(diagnostics)};
  }
  Result<figure::FigureModel> model = figure::ReadFigureFile(path);
  if (!model) return Shown(model.diagnostics());
  return ShowMotion(Standing(*model), path, "", look, model.diagnostics());
}

Result<std::unique_ptr<viewer::Show>> MakeShow(const fs::path& path,
                                               const ViewOptions& options,
                                               const viewer::ClipLook& look) {
  using Shown = Result<std::unique_ptr<viewer::Show>>;
  if (path.extension() == ".json") return ShowJson(path, look);
  Result<LoadedFile> file = Load(path, options.load);
  if (!file) return Shown(file.diagnostics());
  Diagnostics diagnostics = file.diagnostics();
  if (auto* motion = std::get_if<figure::Motion>(&file.value().content)) {
    return ShowMotion(std::move(*motion), options.figure, options.mode, look,
                      std::move(diagnostics));
  }
  if (auto* take = std::get_if<mocap::MarkerTake>(&file.value().content)) {
    if (take->num_frames() == 0 || take->num_markers() == 0) {
      diagnostics.Error("no-frames", {}, "there is no marker to show");
      return Shown(std::move(diagnostics));
    }
    return {viewer::ShowTake(
                std::make_shared<const mocap::MarkerTake>(std::move(*take))),
            std::move(diagnostics)};
  }
  diagnostics.Error("no-motion", {},
                    "a skeleton without motion; give the AMC that plays it");
  return Shown(std::move(diagnostics));
}

/// All files on one stage: one beside the other, or the first over the ghosts
/// of the others.
Result<std::unique_ptr<viewer::Show>> MakeShows(const ViewOptions& options) {
  using Shown = Result<std::unique_ptr<viewer::Show>>;
  constexpr double kApart = 1.2;  // [m]
  std::vector<std::unique_ptr<viewer::Show>> shows;
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    viewer::ClipLook look;
    look.bones = options.bones;
    look.ghost = i > 0 && !options.side_by_side;
    if (options.side_by_side) {
      look.shift.x() = kApart * (static_cast<double>(i) -
                                 0.5 * double(options.files.size() - 1));
    }
    Shown show = MakeShow(options.files[i], options, look);
    diagnostics.Append(show.diagnostics());
    if (show) shows.push_back(std::move(show).value());
  }
  if (diagnostics.has_errors()) return Shown(std::move(diagnostics));
  std::unique_ptr<viewer::Show> all =
      shows.size() == 1 ? std::move(shows.front())
                        : viewer::ShowTogether(std::move(shows));
  return {std::move(all), std::move(diagnostics)};
}

viewer::Camera CameraFor(viewer::Show& show, double time,
                         const ViewOptions& options) {
  viewer::Camera camera;
  camera.target = show.Centre(time);
  camera.Fit(show.Radius());
  if (options.turn_deg) camera.turn = *options.turn_deg * kPi / 180.0;
  if (options.height_deg) camera.height = *options.height_deg * kPi / 180.0;
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
  const int count =
      1 + static_cast<int>(std::floor(length * options.frame_rate + 1e-9));
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

/// A file name as one word of a shell.
std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

int WriteFilm(viewer::Show& show, const ViewOptions& options,
              const viewer::RenderSettings& settings) {
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    std::cerr << "limber: --record needs ffmpeg; install the Debian package "
                 "ffmpeg, or write pictures with --frames\n";
    return kBadInput;
  }
  const std::string command =
      "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s " +
      std::to_string(settings.width) + "x" + std::to_string(settings.height) +
      " -r " + std::to_string(options.frame_rate) +
      " -i - -pix_fmt yuv420p -crf 20 " + ShellQuoted(options.record.string());
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
  std::cout << PathText(options.record) << "\n";
  return kDone;
}

int OpenWindow(viewer::Show& show, const viewer::Display& display,
               const ViewOptions& options) {
  if (!display.visible()) {
    std::cerr << "limber: there is no screen to open a window on (DISPLAY is "
                 "not set); write pictures with --snapshot, --strip, --frames "
                 "or --record\n";
    return kBadInput;
  }
  viewer::Controls controls(show);
  viewer::WindowSettings settings;
  settings.title = "limber: " + PathText(options.files.front());
  settings.width = options.width;
  settings.height = options.height;
  viewer::Window window(controls, settings);
  window.Run();
  return kDone;
}

int RunView(const ViewOptions& options) {
  Result<std::unique_ptr<viewer::Show>> made = MakeShows(options);
  std::cerr << made.diagnostics().ToString();
  if (!made) return kBadInput;
  viewer::Show& show = *made.value();
  if (!(options.at >= 0.0 && options.at <= show.duration())) {
    throw BadCall("--at must lie within the show, from 0 to " +
                  Rounded(show.duration(), 3) + " s");
  }
  if (!(options.from >= 0.0 && options.from <= End(show, options) &&
        End(show, options) <= show.duration())) {
    throw BadCall("--from and --to must lie within the show, from 0 to " +
                  Rounded(show.duration(), 3) + " s, in this order");
  }
  const viewer::Display display;
  if (!display.ok()) {
    std::cerr << "limber: " << display.problem() << "\n";
    return kBadInput;
  }
  if (!options.off_screen()) return OpenWindow(show, display, options);
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

void AddView(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "view", "See clips, takes, figures and scenes move, or make pictures");
  auto options = std::make_shared<ViewOptions>();
  command
      ->add_option("FILE", options->files,
                   "BVH, AMC, C3D, TRC, figure or scene; further clips are "
                   "drawn as ghosts over the first")
      ->required()
      ->type_name("");
  command->add_option("--figure", options->figure, "figure file of the clip")
      ->type_name("FILE");
  command
      ->add_option("--mode", options->mode,
                   "play the clip on the physical figure: kinematic, dynamic, "
                   "compare, loose-arms, rag-doll")
      ->check(CLI::IsMember(
          {"kinematic", "dynamic", "compare", "loose-arms", "rag-doll"}));
  command->add_flag("--bones", options->bones, "bones instead of bodies");
  command->add_flag("--side-by-side", options->side_by_side,
                    "further clips beside the first");
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
      ->check(PositiveNumber());
  command->add_flag("--no-shadows", options->no_shadows, "faster pictures");
  AddSizeOption(*command, *options);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Examples:\n"
      "  limber view data/clips/walk.bvh\n"
      "  limber view data/clips/walk.bvh --strip walk.png --poses 6\n"
      "  limber view data/scenes/bicycle.json --snapshot bike.png --at 2");
  command->callback(
      [options, &job] { job = [options] { return RunView(*options); }; });
}

}  // namespace limber::app
