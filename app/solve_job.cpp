// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/solve_job.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/describe.h"
#include "app/exit_code.h"
#include "app/progress.h"
#include "app/solve_output.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "mocap/io/osim.h"
#include "mocap/physical/physical_tracker.h"
#include "mocap/solve/actor_figure.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/identify.h"
#include "mocap/solve/model_markers.h"
#include "mocap/solve/return_tracks.h"
#include "mocap/solve/sole.h"
#include "mocap/solve/solve_take.h"

namespace limber::app {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The physical method, on a floor if asked for. One that is not given is
/// where the feet are without it.
mocap::TakeSolution SolvePhysical(const SolveCommand& command,
                                  SolvedTake& solved) {
  const mocap::Actor& actor = solved.calibration.actor;
  mocap::PhysicalOptions options;
  options.gravity = command.gravity;
  const auto solve = [&] {
    return mocap::SolvePhysically(solved.take.observed, actor,
                                  solved.take.rate_hz, options);
  };
  if (!command.floor_contact) return solve();
  const mocap::TakeSolution free = solve();
  FloorContact contact;
  contact.height =
      ParseFloor(command.floor).value_or(mocap::FindFloor(actor, free.poses));
  options.floor_height = contact.height;
  options.floor_contact = true;
  mocap::TakeSolution standing = solve();
  const auto deepest = [&](const std::vector<mocap::BodyPose>& poses) {
    double depth = 0.0;
    // Markers alone place the first frame.
    for (std::size_t t = 1; t < poses.size(); ++t) {
      depth =
          std::max(depth, contact.height - mocap::LowestSole(actor, poses[t]));
    }
    return depth;
  };
  contact.deepest_free = deepest(free.poses);
  contact.deepest = deepest(standing.poses);
  solved.contact = contact;
  return standing;
}

/// Whose signs OpenSim's coordinates have: the model's, or those of the model
/// that the labels were made for.
mocap::OpenSimFamily FamilyFor(const SolveCommand& command,
                               const mocap::OsimModel& model,
                               const std::string& marker_set) {
  if (!command.model.empty()) return mocap::FamilyOf(model);
  return marker_set.starts_with("gait2354") ? mocap::OpenSimFamily::kGait2354
                                            : mocap::OpenSimFamily::kRajagopal;
}

/// The poses of --neutral: another take of the same person, solved with the
/// same body.
Diagnostics SolveNeutral(const SolveCommand& command,
                         const mocap::MarkerSet& set, SolvedTake& solved) {
  const std::string file = PathText(command.neutral);
  const Result<mocap::MarkerTake> take =
      LoadTake(command.neutral, command.load);
  Diagnostics findings = take.diagnostics();
  if (!take.ok()) return findings;
  const std::optional<std::string>& subject = command.subject;
  const Result<mocap::RecognisedSet> match =
      mocap::RecogniseMarkerSet(std::span(&set, 1), *take, file, subject);
  findings.Append(match.diagnostics());
  if (!match.ok()) return findings;
  mocap::MarkerMatch common = match->match;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < set.markers.size(); ++i) {
    const bool is_on_actor =
        std::ranges::find(solved.calibration.actor.markers,
                          set.markers[i].label, &mocap::ActorMarker::label) !=
        solved.calibration.actor.markers.end();
    if (!is_on_actor) common.columns[i] = -1;
  }
  const Result<mocap::PreparedTake> prepared =
      mocap::PrepareTake(*take, set, common, file);
  findings.Append(prepared.diagnostics());
  if (!prepared.ok()) return findings;
  for (const mocap::SetMarker& marker : prepared->markers) {
    labels.push_back(marker.label);
  }
  solved.neutral =
      mocap::SolveTake(*prepared, &*take,
                       mocap::WithMarkers(solved.calibration.actor, labels))
          .poses;
  solved.neutral_file = file;
  return findings;
}

/// A track may change hands where people meet: what is labelled as another
/// person's is looked at where a marker of this one is missing or goes astray.
void AddTracksOfOthers(const mocap::MarkerTake& take, SolvedTake& solved) {
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  for (int column = 0; column < take.num_markers(); ++column) {
    const std::string& label = take.labels()[column];
    const std::string subject = mocap::SubjectOf(label);
    if (take.kind(column) == mocap::PointKind::kMarker && !subject.empty() &&
        subject != solved.subject && !mocap::IsUnlabelled(label) &&
        missing[column] < take.num_frames()) {
      solved.take.unlabelled.push_back(column);
    }
  }
}

}  // namespace

double ParseShare(const std::string& text) {
  try {
    std::size_t used = 0;
    double value = std::stod(text, &used);
    const std::size_t rest = text.find_first_not_of(' ', used);
    if (rest != std::string::npos) {
      if (text.substr(rest) != "%") throw std::invalid_argument(text);
      value /= 100;
    }
    if (value > 0 && value <= 0.5) return value;
  } catch (const std::exception&) {
    // Reported below with the other bad values.
  }
  throw BadCall("--hold-out \"" + text +
                "\": expected a share above 0 and up to 50 %, such as 10%");
}

Result<mocap::MarkerTake> LoadTake(const std::filesystem::path& path,
                                   const LoadOptions& options) {
  Result<LoadedFile> file = Load(path, options);
  if (!file.ok()) return Result<mocap::MarkerTake>(file.diagnostics());
  Diagnostics diagnostics = file.diagnostics();
  auto* take = std::get_if<mocap::MarkerTake>(&file.value().content);
  if (take == nullptr) {
    diagnostics.Error("no-markers", {},
                      "expected markers (C3D or TRC), found a skeleton in " +
                          std::string(Name(file->format)) +
                          "; `limber retarget` takes those");
    return Result<mocap::MarkerTake>(std::move(diagnostics));
  }
  Diagnostics length(PathText(path));
  CheckTime(*take, length);
  diagnostics.Append(length);
  if (length.has_errors()) {
    return Result<mocap::MarkerTake>(std::move(diagnostics));
  }
  return {std::move(*take), std::move(diagnostics)};
}

Result<mocap::OsimModel> LoadModel(const SolveCommand& command) {
  if (command.model.empty()) return {mocap::OsimModel(), Diagnostics()};
  return mocap::ReadOsimFile(command.model);
}

Result<std::vector<mocap::MarkerSet>> LoadSets(
    const SolveCommand& command, const std::optional<mocap::Actor>& actor,
    const mocap::OsimModel& model) {
  if (!command.marker_set.empty()) {
    for (const mocap::MarkerSet& set : mocap::BuiltInMarkerSets()) {
      if (set.name == PathText(command.marker_set)) {
        return {std::vector{set}, Diagnostics()};
      }
    }
    Result<mocap::MarkerSet> set = mocap::ReadMarkerSet(command.marker_set);
    if (!set.ok()) {
      return Result<std::vector<mocap::MarkerSet>>(set.diagnostics());
    }
    return {std::vector{set.value()}, set.diagnostics()};
  }
  if (!model.markers.empty()) {
    Result<mocap::MarkerSet> set =
        mocap::MarkerSetFromModel(model, PathText(command.model));
    if (!set.ok()) {
      return Result<std::vector<mocap::MarkerSet>>(set.diagnostics());
    }
    return {std::vector{set.value()}, set.diagnostics()};
  }
  if (actor) {
    mocap::MarkerSet set{"actor " + actor->name, "", {}};
    for (const mocap::ActorMarker& marker : actor->markers) {
      mocap::SetMarker entry;
      entry.label = marker.label;
      entry.segment = marker.segment;
      entry.at = marker.p_JM / actor->scale;
      set.markers.push_back(std::move(entry));
    }
    return {std::vector{std::move(set)}, Diagnostics()};
  }
  return {mocap::BuiltInMarkerSets(), Diagnostics()};
}

Result<SolvedTake> Solve(const SolveCommand& command) {
  Result<mocap::MarkerTake> loaded = LoadTake(command.take, command.load);
  Diagnostics findings = loaded.diagnostics();
  if (!loaded.ok()) return Result<SolvedTake>(std::move(findings));
  const std::string file = PathText(command.take);
  SolvedTake solved;
  solved.file = file;
  mocap::MarkerTake take = std::move(loaded).value();
  mocap::ReturnTracks(take, findings);
  const std::optional<std::string>& subject = command.subject;

  std::optional<mocap::Actor> actor;
  if (!command.actor.empty()) {
    const Result<figure::FigureModel> figure =
        figure::ReadFigureFile(command.actor);
    findings.Append(figure.diagnostics());
    if (!figure.ok()) return Result<SolvedTake>(std::move(findings));
    const Result<mocap::Actor> read =
        mocap::ActorFromFigure(*figure, PathText(command.actor));
    findings.Append(read.diagnostics());
    if (!read.ok()) return Result<SolvedTake>(std::move(findings));
    actor = *read;
  }
  const Result<mocap::OsimModel> model = LoadModel(command);
  findings.Append(model.diagnostics());
  if (!model.ok()) return Result<SolvedTake>(std::move(findings));
  const Result<std::vector<mocap::MarkerSet>> sets =
      LoadSets(command, actor, *model);
  findings.Append(sets.diagnostics());
  if (!sets.ok()) return Result<SolvedTake>(std::move(findings));
  // A set that was given is taken at its word.
  const bool is_given =
      actor || !command.marker_set.empty() || !model->markers.empty();
  const Result<mocap::Identification> set = mocap::IdentifyMarkers(
      *sets, take, file,
      {.subject = subject, .words = !is_given, .motion = !is_given});
  findings.Append(set.diagnostics());
  if (!set.ok()) return Result<SolvedTake>(std::move(findings));
  solved.marker_set = set->set.name;
  solved.subject = set->match.subject;
  solved.method = command.method;
  solved.start_time_s = take.start_time_s;
  solved.family = FamilyFor(command, *model, solved.marker_set);
  const Result<mocap::PreparedTake> prepared =
      mocap::PrepareTake(take, set->set, set->match, file);
  findings.Append(prepared.diagnostics());
  if (!prepared.ok()) return Result<SolvedTake>(std::move(findings));
  solved.take = *prepared;
  AddTracksOfOthers(take, solved);

  std::optional<mocap::PreparedTake> standing;
  if (!command.standing.empty()) {
    const Result<mocap::MarkerTake> still =
        LoadTake(command.standing, command.load);
    findings.Append(still.diagnostics());
    if (!still.ok()) return Result<SolvedTake>(std::move(findings));
    const Result<mocap::RecognisedSet> still_set = mocap::RecogniseMarkerSet(
        std::span(&set->set, 1), *still, PathText(command.standing), subject);
    findings.Append(still_set.diagnostics());
    if (!still_set.ok()) return Result<SolvedTake>(std::move(findings));
    const Result<mocap::PreparedTake> still_points = mocap::PrepareTake(
        *still, set->set, still_set->match, PathText(command.standing));
    findings.Append(still_points.diagnostics());
    if (!still_points.ok()) return Result<SolvedTake>(std::move(findings));
    standing = *still_points;
  }

  if (actor) {
    std::vector<std::string> labels;
    for (const mocap::SetMarker& marker : solved.take.markers) {
      labels.push_back(marker.label);
    }
    solved.calibration.actor = mocap::WithMarkers(*actor, labels);
  } else {
    mocap::CalibrationOptions options;
    options.symmetric = !command.asymmetric;
    const Clock::time_point begin = Clock::now();
    const Result<mocap::Calibration> calibration = mocap::Calibrate(
        solved.take, standing ? &*standing : nullptr, file, options);
    solved.calibration_s = SecondsSince(begin);
    findings.Append(calibration.diagnostics());
    if (!calibration.ok()) return Result<SolvedTake>(std::move(findings));
    solved.calibration = *calibration;
    solved.calibration.actor.name = solved.subject;
    solved.calibration.actor.marker_set = solved.marker_set;
  }

  mocap::SolveOptions options;
  options.tracker.clean_up = !command.no_clean_up;
  if (command.method != "least-squares") {
    const Clock::time_point begin = Clock::now();
    mocap::TakeSolution physical = SolvePhysical(command, solved);
    const double seconds = SecondsSince(begin);
    if (command.method == "physical") {
      solved.solution = std::move(physical);
      solved.solve_s = seconds;
    } else {
      solved.physical = std::move(physical);
      solved.physical_s = seconds;
    }
  }
  if (command.method != "physical") {
    Progress progress("solving");
    options.progress = [&progress](double share) { progress.Show(share); };
    const Clock::time_point begin = Clock::now();
    solved.solution =
        mocap::SolveTake(solved.take, &take, solved.calibration.actor, options);
    solved.solve_s = SecondsSince(begin);
  }
  for (const int column : solved.take.unlabelled) {
    solved.unlabelled.push_back(take.labels()[column]);
  }
  if (!command.neutral.empty()) {
    findings.Append(SolveNeutral(command, set->set, solved));
    if (findings.has_errors()) return Result<SolvedTake>(std::move(findings));
  }
  if (!command.hold_out.empty()) {
    const double share = ParseShare(command.hold_out);
    options.progress = nullptr;
    solved.held_out = mocap::MeasureHeldOut(
        solved.take, solved.calibration.actor, share, options);
    solved.hold_out_share = share;
  }
  return {std::move(solved), std::move(findings)};
}

}  // namespace limber::app
