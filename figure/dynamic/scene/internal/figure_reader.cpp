// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a scene file: body, clips, strengths, controllers.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/angle.h"
#include "core/file.h"
#include "core/suggest.h"
#include "dynamics/scene/scene_parts.h"
#include "figure/dynamic/aim_servo.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"
#include "figure/figure_file.h"
#include "figure/low_pass.h"
#include "figure/make_figure.h"
#include "figure/recast.h"
#include "figure/segment_words.h"

namespace limber::figure::internal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// All frames of clips of one skeleton in a row.
Motion Together(const std::vector<Motion>& clips) {
  Motion all = clips.front();
  Pose pose;
  for (std::size_t i = 1; i < clips.size(); ++i) {
    for (std::int64_t f = 0; f < clips[i].num_frames(); ++f) {
      clips[i].GetPose(f, pose);
      all.Append(pose);
    }
  }
  return all;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

/// The word under a name; `other` where there is none, or something else.
std::string WordUnder(JsonObject& object, std::string_view name,
                      std::string_view other) {
  const JsonValue* value = object.Value(name);
  const bool is_word =
      value != nullptr && value->kind == JsonValue::Kind::kText;
  return is_word ? value->text : std::string(other);
}

}  // namespace

FigureSceneReader::FigureSceneReader(FigureScene& scene,
                                     std::filesystem::path folder,
                                     const FigureSceneOptions& options,
                                     Diagnostics& diagnostics)
    : scene_(scene),
      folder_(std::move(folder)),
      options_(options),
      diagnostics_(diagnostics) {}

std::filesystem::path FigureSceneReader::PathOf(const std::string& file) const {
  return (folder_ / std::filesystem::path(file)).lexically_normal();
}

void FigureSceneReader::Try(JsonObject& object,
                            const std::function<void()>& make) {
  // A part made from wrong words would only add a second message.
  const std::size_t before = diagnostics_.all().size();
  try {
    make();
  } catch (const std::invalid_argument& refused) {
    if (diagnostics_.all().size() == before) {
      object.Error("", "refused", refused.what());
    }
  }
}

Strength FigureSceneReader::ReadStrength(JsonObject& object,
                                         std::string_view name,
                                         const Strength& fallback) {
  constexpr std::array<std::string_view, 4> kWords = {"kinematic", "powered",
                                                      "loose", "limp"};
  const JsonValue* value = object.Value(name);
  if (value == nullptr) return fallback;
  if (value->kind != JsonValue::Kind::kObject) {
    switch (WordOf(*value, name, kWords, diagnostics_)) {
      case 0:
        return Strength::Kinematic();
      case 2:
        return Strength::Loose();
      case 3:
        return Strength::Limp();
      default:
        return Strength::Powered();
    }
  }
  const NumberRange not_negative = NumberRange::NotNegative();
  JsonObject own(*value, "\"" + std::string(name) + "\"", diagnostics_);
  Strength strength = Strength::Powered();
  strength.torque = own.Number("torque", not_negative, strength.torque);
  strength.time_constant =
      own.Number("time_constant", not_negative, strength.time_constant);
  strength.friction = own.Number("friction", not_negative, strength.friction);
  strength.damping = own.Number("damping", not_negative, strength.damping);
  own.Finish();
  return strength;
}

FigureSceneReader::SegmentList FigureSceneReader::ReadSegments(
    JsonObject& object, const FigureModel& model, std::string_view fallback) {
  const JsonValue* value = object.Value("segments");
  if (value == nullptr) return SegmentsNamed(fallback, model);
  std::vector<const JsonValue*> words;
  if (value->kind == JsonValue::Kind::kArray) {
    for (const JsonValue& item : value->items) words.push_back(&item);
  } else {
    words.push_back(value);
  }
  SegmentList segments;
  for (const JsonValue* word : words) {
    if (!CheckKind(*word, "segments", JsonValue::Kind::kText, diagnostics_)) {
      continue;
    }
    const SegmentList found = SegmentsNamed(word->text, model);
    if (found.empty()) {
      const std::vector<std::string> known = SegmentWords(model);
      std::string message = "no segment \"" + word->text + "\"";
      if (const auto meant = Suggest(word->text, known)) {
        message += "; did you mean \"" + *meant + "\"?";
      }
      diagnostics_.Error("unknown-name", word->place,
                         message + " (there are: " + Joined(known) + ")");
    }
    for (const int s : found) {
      if (std::ranges::find(segments, s) == segments.end()) {
        segments.push_back(s);
      }
    }
  }
  return segments;
}

std::vector<std::optional<Motion>> FigureSceneReader::ReadClips(
    JsonObject& object) {
  std::vector<std::optional<Motion>> clips;
  const JsonValue* list = object.Array("clips");
  if (list == nullptr) return clips;
  for (const JsonValue& item : list->items) {
    JsonObject entry(item, "a clip", diagnostics_);
    const std::string file = entry.Text("file");
    clips.emplace_back();
    if (file.empty()) continue;
    if (!options_.read_clip) {
      entry.Error("file", "no-clips", "clips cannot be read here");
      continue;
    }
    const std::filesystem::path path = PathOf(file);
    Result<Motion> clip = options_.read_clip(path);
    diagnostics_.Append(clip.diagnostics());
    if (!clip) {
      entry.Error("file", "unreadable",
                  "the clip \"" + PathText(path) + "\" cannot be read");
    } else if (clip->num_frames() == 0) {
      entry.Error("file", "no-frames", "the clip has no frames");
    } else {
      clips.back() = WithoutLeadIn(*clip);
    }
  }
  return clips;
}

std::optional<FigureModel> FigureSceneReader::ReadModel(JsonObject& object) {
  const std::filesystem::path path = PathOf(object.Text("figure"));
  Result<FigureModel> read = ReadFigureFile(path);
  diagnostics_.Append(read.diagnostics());
  if (read) return std::move(read).value();
  object.Error("figure", "unreadable",
               "the figure \"" + PathText(path) + "\" cannot be read");
  return std::nullopt;
}

void FigureSceneReader::ReadTrack(JsonObject& object,
                                  const std::vector<Motion>& clips,
                                  Draft& draft) {
  constexpr std::array<std::string_view, 2> kBlends = {"carry", "overlap"};
  const JsonValue* list = object.Array("clips");
  for (std::size_t i = 0; i < clips.size(); ++i) {
    JsonObject entry(list->items[i], "a clip", diagnostics_);
    entry.Has("file");
    JoinOptions join;
    join.from = entry.Number("from", NumberRange::NotNegative(), 0.0);
    join.to = entry.Number("to", NumberRange::Positive(), join.to);
    join.speed = entry.Number("speed", NumberRange::Positive(), 1.0);
    join.blend = static_cast<JoinOptions::Blend>(
        entry.Word("blend", kBlends, static_cast<int>(join.blend)));
    join.duration = entry.Number("blend_duration", NumberRange::NotNegative(),
                                 join.duration);
    join.align = entry.Flag("align", join.align);
    const double low_pass =
        entry.Number("low_pass", NumberRange::Positive(), 0.0);
    const double until =
        entry.Number("until", {0.0, dynamics::kLongestScene, true}, 0.0);
    entry.Finish();
    Try(entry, [&] {
      const auto curve = std::make_shared<SmoothMotion>(
          low_pass > 0.0 ? LowPass(clips[i], low_pass) : clips[i]);
      draft.track.Append(curve, join);
      if (until > draft.track.duration()) {
        draft.track.Loop(curve, until, join);
      }
    });
  }
}

std::optional<LetGo> FigureSceneReader::ReadLetGo(JsonObject& object,
                                                  double* at) {
  const JsonValue* value = object.Object("let_go");
  *at = kInfinity;
  if (value == nullptr) return std::nullopt;
  JsonObject own(*value, "\"let_go\"", diagnostics_);
  LetGo rule;
  const NumberRange positive = NumberRange::Positive();
  const NumberRange not_negative = NumberRange::NotNegative();
  if (own.Has("joint_deg")) {
    rule.joint_angle = own.Number("joint_deg", positive) * kRadiansPerDegree;
  }
  rule.root_distance =
      own.Number("root_distance", positive, rule.root_distance);
  *at = own.Number("at", not_negative, kInfinity);
  rule.strength = ReadStrength(own, "strength", rule.strength);
  rule.duration = own.Number("over", not_negative, rule.duration);
  rule.recover_after =
      own.Number("recover_after", not_negative, rule.recover_after);
  rule.recover_duration =
      own.Number("recover_over", not_negative, rule.recover_duration);
  own.Finish();
  return rule;
}

std::shared_ptr<AnimationController> FigureSceneReader::ReadAnimation(
    JsonObject& object, const Draft& draft) {
  const Strength strength =
      ReadStrength(object, "strength", Strength::Powered());
  StrengthSchedule schedule(draft.model->num_segments(), strength);
  const NumberRange not_negative = NumberRange::NotNegative();
  if (const JsonValue* list = object.Array("strengths")) {
    for (const JsonValue& item : list->items) {
      JsonObject change(item, "a change of strength", diagnostics_);
      const SegmentList segments = ReadSegments(change, *draft.model, "all");
      const double at = change.Number("at", not_negative, 0.0);
      const double over = change.Number("over", not_negative, 0.0);
      if (!change.Has("strength")) change.Text("strength");  // Says so.
      const Strength to = ReadStrength(change, "strength", strength);
      change.Finish();
      Try(change, [&] { schedule.Change(segments, at, over, to); });
      scene_.scene->events.push_back(
          {at, at + over,
           object.Text("name") + ": " + WordUnder(change, "segments", "all") +
               " " + WordUnder(change, "strength", "of another strength")});
    }
  }
  if (draft.track.empty()) return nullptr;
  auto task = std::make_shared<AnimationController>(draft.track, schedule);
  if (const JsonValue* list = object.Array("speeds")) {
    for (const JsonValue& item : list->items) {
      JsonObject change(item, "a change of speed", diagnostics_);
      const double at = change.Number("at", not_negative);
      const double over = change.Number("over", not_negative, 0.0);
      const double speed = change.Number("speed", not_negative);
      change.Finish();
      Try(change, [&] { task->warp().ChangeSpeed(at, over, speed); });
      scene_.scene->events.push_back(
          {at, at + over, object.Text("name") + ": another speed"});
    }
  }
  double at = kInfinity;
  if (const std::optional<LetGo> rule = ReadLetGo(object, &at)) {
    task->set_let_go(*rule);
    if (at < kInfinity) {
      scene_.stage->At(at,
                       [task](Stage& stage) { task->LetGoNow(stage.time()); });
    }
  }
  return task;
}

void FigureSceneReader::ReadRoot(JsonObject& object, bool rag_doll,
                                 Performer& performer) {
  constexpr std::array<std::string_view, 3> kKinds = {"held", "helping",
                                                      "free"};
  int kind = rag_doll ? 2 : 0;
  RootServo servo;
  if (const JsonValue* value = object.Value("root")) {
    JsonValue plain;
    plain.kind = JsonValue::Kind::kObject;
    const bool detailed = value->kind == JsonValue::Kind::kObject;
    if (!detailed) kind = WordOf(*value, "root", kKinds, diagnostics_);
    JsonObject own(detailed ? *value : plain, "\"root\"", diagnostics_);
    if (detailed) kind = own.Word("kind", kKinds, kind);
    if (kind == 1) {
      servo = RootServo::Helping(performer.figure().model().total_mass());
    }
    const NumberRange not_negative = NumberRange::NotNegative();
    const double force = own.Number("max_force", not_negative, -1.0);
    const double torque = own.Number("max_torque", not_negative, -1.0);
    if (force >= 0.0) servo.max_force.setConstant(force);
    if (torque >= 0.0) servo.max_torque.setConstant(torque);
    servo.softness = own.Number("softness", not_negative, servo.softness);
    servo.turn_softness =
        own.Number("turn_softness", not_negative, servo.turn_softness);
    servo.time_constant =
        own.Number("time_constant", not_negative, servo.time_constant);
    servo.max_pull =
        own.Number("max_pull", NumberRange::Positive(), servo.max_pull);
    own.Finish();
  }
  for (int s = 0; s < performer.figure().num_segments(); ++s) {
    if (!performer.figure().is_root(s)) continue;
    if (kind == 2) {
      performer.set_raw(s, std::make_shared<NoControl>());
    } else {
      performer.set_raw(s, std::make_shared<RootServo>(servo));
    }
  }
}

void FigureSceneReader::ReadControllers(JsonObject& object,
                                        Performer& performer) {
  constexpr std::array<std::string_view, 5> kKinds = {
      "servo", "spring", "none", "look_at", "hold_upright"};
  const JsonValue* list = object.Array("controllers");
  if (list == nullptr) return;
  for (const JsonValue& item : list->items) {
    JsonObject own(item, "a controller", diagnostics_);
    const int kind = own.Word("kind", kKinds);
    const SegmentList segments =
        ReadSegments(own, performer.figure().model(), "");
    if (!own.Has("segments")) own.Text("segments");  // Says so.
    std::shared_ptr<RawController> controller;
    const auto aim = [&](AimServo& servo) {
      if (own.Has("axis")) {
        servo.axis_B = dynamics::ReadDirection(own, "axis");
      }
      servo.max_turn = own.Number("max_turn_deg", NumberRange::NotNegative(),
                                  servo.max_turn / kRadiansPerDegree) *
                       kRadiansPerDegree;
      servo.share =
          own.Number("share", NumberRange::Between(0.0, 1.0), servo.share);
    };
    switch (kind) {
      case 1: {
        const auto spring = std::make_shared<AngleSpring>();
        spring->stiffness = own.Number("stiffness", NumberRange::NotNegative(),
                                       spring->stiffness);
        spring->damping =
            own.Number("damping", NumberRange::NotNegative(), spring->damping);
        controller = spring;
        break;
      }
      case 2:
        controller = std::make_shared<NoControl>();
        break;
      case 3: {
        const auto look = std::make_shared<LookAt>();
        look->p_WT = own.Vector("point");
        aim(*look);
        controller = look;
        break;
      }
      case 4: {
        const auto upright = std::make_shared<HoldUpright>();
        aim(*upright);
        controller = upright;
        break;
      }
      default: {
        const auto servo = std::make_shared<AngleServo>();
        servo->max_pull = own.Number("max_pull_deg", NumberRange::Positive(),
                                     servo->max_pull / kRadiansPerDegree) *
                          kRadiansPerDegree;
        controller = servo;
      }
    }
    own.Finish();
    for (const int s : segments) {
      if (performer.figure().is_root(s)) {
        own.Error("segments", "out-of-range",
                  "the root has its own controller: see \"root\"");
        break;
      }
      performer.set_raw(s, controller);
    }
  }
}

void FigureSceneReader::ReadContact(JsonObject& object, const Draft& draft,
                                    Performer& performer) {
  const JsonValue* value = object.Object("contact");
  const bool self_contact = object.Flag("self_contact", false);
  if (value == nullptr) {
    if (self_contact) {
      object.Error("self_contact", "twice",
                   "\"self_contact\" needs \"contact\"");
    }
    return;
  }
  ColliderOptions options;
  options.surface = dynamics::ReadSurface(*value, diagnostics_);
  options.self_contact = self_contact;
  std::vector<Pose> at_ease;
  if (draft.first_clip) at_ease.push_back(draft.first_clip->pose(0));
  AddColliders(scene_.stage->world(), performer.figure(), options, at_ease);
}

void FigureSceneReader::NameBodies(const std::string& name,
                                   const Performer& performer) {
  const ArticulatedFigure& figure = performer.figure();
  const FigureModel& model = figure.model();
  for (int s = 0; s < figure.num_segments(); ++s) {
    const FigureSegment& segment = figure.segment(s);
    const Role role = model.roles[static_cast<std::size_t>(segment.joint)];
    scene_.scene->bodies.emplace(name + "/" + segment.name, figure.body(s));
    if (role != Role::kOther) {
      scene_.scene->bodies.emplace(name + "/" + std::string(ToString(role)),
                                   figure.body(s));
    }
  }
}

void FigureSceneReader::ReadFigure(JsonObject& object) {
  constexpr std::array<std::string_view, 2> kTasks = {"animation", "rag_doll"};
  const std::size_t mistakes_before = diagnostics_.all().size();
  const auto failed = [&] {
    return diagnostics_.has_errors() &&
           diagnostics_.all().size() > mistakes_before;
  };
  const std::string name = object.Text("name");
  const bool rag_doll = object.Word("task", kTasks, 0) == 1;
  const bool has_file = object.Has("figure");
  const std::vector<std::optional<Motion>> read = ReadClips(object);
  std::optional<FigureModel> model;
  if (has_file) model = ReadModel(object);
  if (!has_file && read.empty()) {
    object.Error("", "missing-name",
                 "a figure needs \"figure\" (a figure file) or \"clips\", "
                 "whose skeleton it gets");
  } else if (!rag_doll && read.empty()) {
    object.Error("", "missing-name",
                 "a figure needs \"clips\" to play, or \"task\": \"rag_doll\"");
  }
  if (failed()) return;

  // The clips as the figure plays them.
  std::vector<Motion> clips;
  for (const std::optional<Motion>& clip : read) {
    const Skeleton& skeleton = model ? *model->skeleton : read[0]->skeleton();
    if (const auto why = RecastObstacle(clip->skeleton(), skeleton)) {
      object.Error("clips", "other-skeleton",
                   "a clip of another skeleton: " + *why +
                       "; \"limber retarget\" makes it fit");
      return;
    }
    const bool same = !model && clips.empty();
    clips.push_back(same ? *clip
                         : Recast(*clip, model ? model->skeleton
                                               : clips[0].shared_skeleton()));
  }
  if (!model) {
    const Motion all = Together(clips);
    FigureOptions body;
    body.name = name;
    body.clip = &all;
    body.height = object.Number("height", NumberRange::Positive(), 0.0);
    body.mass = object.Number("mass", NumberRange::Positive(), 0.0);
    Result<FigureModel> made = MakeFigure(clips[0].shared_skeleton(), body);
    if (!made) {
      diagnostics_.Append(made.diagnostics());
      object.Error("clips", "no-figure", "no figure can be made of this clip");
      return;
    }
    model = std::move(made).value();
  }
  Draft draft;
  draft.model = std::make_shared<const FigureModel>(*std::move(model));
  Transform X_WA;
  X_WA.p = object.Vector("position", Vector3::Zero());
  X_WA.R = dynamics::ReadRotation(object, diagnostics_);
  if (object.Flag("on_floor", false) && !clips.empty()) {
    X_WA.p.y() -= FloorHeight(*draft.model, clips[0]);
  }
  for (Motion& clip : clips) clip = Moved(clip, X_WA);
  SceneFigure figure;
  figure.name = name;
  if (!clips.empty()) {
    draft.first_clip = clips[0];
    figure.source = clips[0].source();
    figure.clip_rate_hz = clips[0].rate_hz();
    ReadTrack(object, clips, draft);
  }
  std::shared_ptr<TaskController> task;
  if (rag_doll) {
    draft.start = RestPose(*draft.model->skeleton);
    for (int j = 0; j < draft.model->skeleton->num_joints(); ++j) {
      if (!draft.model->skeleton->is_root(j)) continue;
      Transform& X_WJ = draft.start.X_PJ[static_cast<std::size_t>(j)];
      X_WJ.R = X_WA.R * X_WJ.R;
      X_WJ.p += X_WA.p;
    }
    const Strength strength =
        ReadStrength(object, "strength", Strength::Limp());
    task = std::make_shared<RagDollController>(draft.start, strength);
  } else {
    figure.animation = ReadAnimation(object, draft);
    task = figure.animation;
  }
  FigureBuildOptions build;
  build.limits = object.Flag("limits", build.limits);
  build.damping =
      object.Number("damping", NumberRange::NotNegative(), build.damping);
  if (failed()) return;
  Try(object, [&] {
    if (figure_index_.contains(name)) {
      object.Error("name", "duplicate-name",
                   "the name \"" + name + "\" is taken");
      return;
    }
    figure.index = scene_.stage->num_figures();
    figure.performer = &scene_.stage->AddFigure(name, draft.model, task, build);
    figure_index_.emplace(name, static_cast<int>(scene_.figures.size()));
    if (rag_doll) {
      const ArticulatedFigure& body = figure.performer->figure();
      const Vector3 velocity = object.Vector("velocity", Vector3::Zero());
      for (int s = 0; s < body.num_segments(); ++s) {
        scene_.stage->world().SetVelocity(body.body(s), velocity,
                                          Vector3::Zero());
      }
    }
    ReadRoot(object, rag_doll, *figure.performer);
    ReadControllers(object, *figure.performer);
    ReadContact(object, draft, *figure.performer);
    NameBodies(name, *figure.performer);
    scene_.figures.push_back(figure);
  });
}

void FigureSceneReader::ReadFigures(JsonObject& root) {
  const JsonValue* list = root.Array("figures");
  if (list == nullptr) return;
  for (const JsonValue& item : list->items) {
    JsonObject object(item, "a figure", diagnostics_);
    const std::size_t before = diagnostics_.all().size();
    ReadFigure(object);
    // After a mistake not every name has been asked for.
    if (diagnostics_.all().size() == before || !diagnostics_.has_errors()) {
      object.Finish();
    }
  }
}

}  // namespace limber::figure::internal
