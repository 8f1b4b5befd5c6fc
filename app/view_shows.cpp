// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/view_shows.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/file.h"
#include "core/json_document.h"
#include "figure/dynamic/scene/figure_scene.h"
#include "figure/figure_file.h"
#include "figure/pose.h"
#include "jobs/edit.h"
#include "viewer/performance_show.h"
#include "viewer/scene_show.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

/// A show, and what it was made of as far as others need it.
struct Made {
  std::unique_ptr<viewer::Show> show;
  std::shared_ptr<const figure::Motion> motion;
  std::shared_ptr<const figure::FigureModel> figure;
  std::shared_ptr<const mocap::MarkerTake> take;
  bool is_performed = false;
};

/// The body that plays a clip: from the file, or made for it. Null, without an
/// error, where the joints are no body.
Result<std::shared_ptr<const figure::FigureModel>> BodyOf(
    const figure::Motion& motion, const ShowOptions& options) {
  const fs::path& figure_file = options.figure;
  using Body = Result<std::shared_ptr<const figure::FigureModel>>;
  if (figure_file.empty()) {
    // The one that `limber edit` would make.
    const Body made = jobs::FigureForClip(motion);
    return Body(made.ok() ? *made : nullptr, Diagnostics());
  }
  Result<figure::FigureModel> model =
      figure::ReadFigureFile(FigurePath(figure_file));
  if (!model.ok()) return Body(model.diagnostics());
  const int joints = model->skeleton->num_joints();
  if (joints != motion.skeleton().num_joints()) {
    if (options.figure_where_it_fits) return BodyOf(motion, {});
    Diagnostics own(PathText(figure_file));
    own.Error("other-figure", {},
              "the clip has " + std::to_string(motion.skeleton().num_joints()) +
                  " joints, the figure " + std::to_string(joints) +
                  "; give the figure that the clip was made for");
    return Body(std::move(own));
  }
  return Body(
      std::make_shared<const figure::FigureModel>(std::move(model).value()),
      Diagnostics());
}

Result<Made> ShowMotion(figure::Motion motion, const ShowOptions& options,
                        const viewer::ClipLook& look, const std::string& file) {
  Diagnostics own(file);
  if (motion.num_frames() == 0) {
    own.Error("no-frames", {}, "there is no frame to show");
    return Result<Made>(std::move(own));
  }
  Made made;
  made.motion = std::make_shared<const figure::Motion>(std::move(motion));
  auto body = BodyOf(*made.motion, options);
  if (!body.ok()) return Result<Made>(body.diagnostics());
  made.figure = body.value();
  if (made.figure && (!options.mode.empty() || options.performs)) {
    try {
      made.show = viewer::ShowPerformance(made.motion, made.figure);
      if (!options.mode.empty()) made.show->SetMode(options.mode);
      made.is_performed = true;
      return {std::move(made), std::move(own)};
    } catch (const std::invalid_argument& error) {
      // Without physics it can still be looked at.
      if (!options.mode.empty()) {
        own.Error("no-physics", {}, error.what());
        return Result<Made>(std::move(own));
      }
    }
  } else if (!options.mode.empty()) {
    own.Error("no-body", {},
              "the joints make no human body that could be played with --mode; "
              "give its figure with --figure, or leave --mode out");
    return Result<Made>(std::move(own));
  }
  std::shared_ptr<const figure::FigureModel> seen = made.figure;
  if (!seen) {
    // Nothing to make a body of: its joints are still seen as bones.
    figure::FigureModel bare;
    bare.skeleton = made.motion->shared_skeleton();
    bare.roles.resize(std::size_t(bare.skeleton->num_joints()));
    seen = std::make_shared<const figure::FigureModel>(std::move(bare));
  }
  made.show = viewer::ShowClip(made.motion, std::move(seen), look);
  return {std::move(made), std::move(own)};
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

bool IsScene(const fs::path& path) {
  if (path.extension() != ".json") return false;
  const Result<JsonValue> json = ReadJson(path);
  return json && json->Find("limber_scene") != nullptr;
}

Result<Made> ShowSceneFile(const fs::path& path) {
  figure::FigureSceneOptions reading;
  reading.read_clip = LoadClip;
  Result<figure::FigureScene> scene = figure::ReadFigureScene(path, reading);
  if (!scene) return Result<Made>(scene.diagnostics());
  Diagnostics findings = scene.diagnostics();
  // The first one is the one just read; a restart reads the file again.
  auto first = std::make_shared<figure::FigureScene>(std::move(scene).value());
  Made made;
  made.show = viewer::ShowScene([path, reading, first]() mutable {
    if (first) return std::exchange(first, nullptr);
    Result<figure::FigureScene> again = figure::ReadFigureScene(path, reading);
    if (!again) throw std::runtime_error(again.diagnostics().ToString());
    return std::make_shared<figure::FigureScene>(std::move(again).value());
  });
  return {std::move(made), std::move(findings)};
}

Result<Made> ShowJson(const fs::path& path, const viewer::ClipLook& look) {
  const Result<JsonValue> json = ReadJson(path);
  if (!json) return Result<Made>(json.diagnostics());
  if (json->Find("limber_scene") != nullptr) return ShowSceneFile(path);
  Result<figure::FigureModel> model = figure::ReadFigureFile(path);
  if (!model) return Result<Made>(model.diagnostics());
  ShowOptions as_it_is;
  as_it_is.figure = path;
  return ShowMotion(Standing(*model), as_it_is, look, PathText(path));
}

Result<Made> MakeShow(const fs::path& path, const ShowOptions& options,
                      const viewer::ClipLook& look) {
  if (path.extension() == ".json") return ShowJson(path, look);
  Result<LoadedFile> file = Load(path, options.load);
  if (!file) return Result<Made>(file.diagnostics());
  Diagnostics findings = file.diagnostics();
  if (auto* motion = std::get_if<figure::Motion>(&file.value().content)) {
    Result<Made> made =
        ShowMotion(std::move(*motion), options, look, PathText(path));
    findings.Append(made.diagnostics());
    if (!made) return Result<Made>(std::move(findings));
    return {std::move(made).value(), std::move(findings)};
  }
  Diagnostics own(PathText(path));
  if (auto* take = std::get_if<mocap::MarkerTake>(&file.value().content)) {
    if (take->num_frames() > 0 && take->num_markers() > 0) {
      Made made;
      made.take = std::make_shared<const mocap::MarkerTake>(std::move(*take));
      made.show = viewer::ShowTake(made.take);
      return {std::move(made), std::move(findings)};
    }
    own.Error("no-frames", {}, "there is no marker to show");
  } else {
    own.Error("no-motion", {},
              "a skeleton without motion; give the AMC that plays it, with "
              "--asf");
  }
  findings.Append(own);
  return Result<Made>(std::move(findings));
}

}  // namespace

Result<std::vector<ShownFile>> MakeEachShow(const std::vector<fs::path>& files,
                                            const ShowOptions& options) {
  using Shown = Result<std::vector<ShownFile>>;
  constexpr double kApart = 1.2;  // [m]
  std::vector<Made> all;
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < files.size(); ++i) {
    viewer::ClipLook look;
    look.ghost = i > 0 && !options.side_by_side;
    if (options.side_by_side) {
      look.shift.x() = kApart * (static_cast<double>(i) -
                                 0.5 * static_cast<double>(files.size() - 1));
    }
    ShowOptions of_this = options;
    if (i > 0) of_this.mode.clear();
    of_this.performs = options.performs && files.size() == 1;
    Result<Made> made = MakeShow(files[i], of_this, look);
    diagnostics.Append(made.diagnostics());
    if (made) all.push_back(std::move(made).value());
  }
  if (diagnostics.has_errors()) return Shown(std::move(diagnostics));
  const auto wears_markers = std::ranges::find_if(all, [](const Made& made) {
    return made.motion && made.figure && !made.figure->markers.empty();
  });
  std::vector<ShownFile> shown;
  for (Made& made : all) {
    if (made.take && wears_markers != all.end()) {
      made.show = viewer::ShowMarkerErrors(made.take, wears_markers->motion,
                                           wears_markers->figure);
    }
    ShownFile& added = shown.emplace_back();
    added.show = std::move(made.show);
    added.is_take = made.take != nullptr;
    if (made.motion) added.rate_hz = made.motion->rate_hz();
    if (made.is_performed) added.performed = {made.motion, made.figure};
    if (made.take) added.rate_hz = made.take->rate_hz();
  }
  return {std::move(shown), std::move(diagnostics)};
}

Result<std::unique_ptr<viewer::Show>> MakeShows(
    const std::vector<fs::path>& files, const ShowOptions& options,
    PerformedClip* performed) {
  Result<std::vector<ShownFile>> each = MakeEachShow(files, options);
  Diagnostics diagnostics = each.diagnostics();
  if (!each.ok()) {
    return Result<std::unique_ptr<viewer::Show>>(std::move(diagnostics));
  }
  if (performed != nullptr && each.value().size() == 1) {
    *performed = each.value().front().performed;
  }
  std::vector<std::unique_ptr<viewer::Show>> shows;
  for (ShownFile& shown : each.value()) shows.push_back(std::move(shown.show));
  std::unique_ptr<viewer::Show> show =
      shows.size() == 1 ? std::move(shows.front())
                        : viewer::ShowTogether(std::move(shows));
  viewer::Layers layers = options.layers;
  layers.beside = layers.beside || options.side_by_side;
  show->SetLayers(layers);
  return {std::move(show), std::move(diagnostics)};
}

Result<std::vector<fs::path>> ExpandFolders(const std::vector<fs::path>& files,
                                            bool* is_list) {
  std::vector<fs::path> found;
  Diagnostics diagnostics;
  *is_list = false;
  for (const fs::path& path : files) {
    if (!fs::is_directory(path)) {
      found.push_back(path);
      continue;
    }
    *is_list = true;
    std::set<fs::path> inside;
    static const std::set<std::string> kSeen = {".json", ".bvh", ".c3d",
                                                ".trc"};
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
      if (kSeen.contains(entry.path().extension().string())) {
        inside.insert(entry.path());
      }
    }
    if (inside.empty()) {
      Diagnostics own(PathText(path));
      own.Error("empty-folder", {},
                "there is no scene, figure, clip or take in this folder");
      diagnostics.Append(own);
    }
    found.insert(found.end(), inside.begin(), inside.end());
  }
  if (diagnostics.has_errors()) {
    return Result<std::vector<fs::path>>(std::move(diagnostics));
  }
  if (found.size() > 1 && std::ranges::all_of(found, IsScene)) *is_list = true;
  return {std::move(found), std::move(diagnostics)};
}

}  // namespace limber::app
