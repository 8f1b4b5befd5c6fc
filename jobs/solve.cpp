// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/solve.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/bad_call.h"
#include "jobs/data_path.h"
#include "jobs/load.h"
#include "mocap/physical/physical_tracker.h"
#include "mocap/solve/actor_figure.h"
#include "mocap/solve/identify.h"
#include "mocap/solve/model_markers.h"
#include "mocap/solve/return_tracks.h"
#include "mocap/solve/sole.h"

namespace limber::jobs {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The physical method, on a floor if asked for. One that is not given is
/// where the feet are without it.
mocap::TakeSolution SolvePhysical(const SolveOptions& asked,
                                  SolvedTake& solved) {
  const mocap::Actor& actor = solved.calibration.actor;
  mocap::PhysicalOptions options;
  options.gravity = asked.gravity;
  const auto solve = [&] {
    return mocap::SolvePhysically(solved.take.observed, actor,
                                  solved.take.rate_hz, options);
  };
  if (!asked.floor_contact) return solve();
  const mocap::TakeSolution free = solve();
  FloorContact contact;
  contact.height = asked.floor.value_or(mocap::FindFloor(actor, free.poses));
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
mocap::OpenSimFamily FamilyFor(const SolveOptions& options,
                               const std::string& marker_set) {
  if (options.model) return mocap::FamilyOf(*options.model);
  return marker_set.starts_with("gait2354") ? mocap::OpenSimFamily::kGait2354
                                            : mocap::OpenSimFamily::kRajagopal;
}

/// The poses of another take of the same person, solved with the same body.
Diagnostics SolveNeutral(const SolveOptions& options,
                         const mocap::MarkerSet& set, SolvedTake& solved) {
  const std::string& file = options.neutral->file;
  const mocap::MarkerTake* take = &options.neutral->take;
  Diagnostics findings;
  const std::optional<std::string>& subject = options.subject;
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

/// The sets to choose from: the caller's own, those of the model or the actor,
/// or ours.
Result<std::vector<mocap::MarkerSet>> SetsOf(const SolveOptions& options) {
  using Sets = Result<std::vector<mocap::MarkerSet>>;
  if (!options.marker_sets.empty()) {
    return {options.marker_sets, Diagnostics()};
  }
  if (options.model && !options.model->markers.empty()) {
    Result<mocap::MarkerSet> set =
        mocap::MarkerSetFromModel(*options.model, options.model_file);
    if (!set.ok()) return Sets(set.diagnostics());
    return {std::vector{set.value()}, set.diagnostics()};
  }
  if (options.actor) {
    mocap::MarkerSet set{"actor " + options.actor->name, "", {}};
    for (const mocap::ActorMarker& marker : options.actor->markers) {
      mocap::SetMarker entry;
      entry.label = marker.label;
      entry.segment = marker.segment;
      entry.at = marker.p_JM / options.actor->scale;
      set.markers.push_back(std::move(entry));
    }
    return {std::vector{std::move(set)}, Diagnostics()};
  }
  return {mocap::BuiltInMarkerSets(), Diagnostics()};
}

void CheckOptions(const SolveOptions& options) {
  if ((options.gravity || options.floor_contact) &&
      options.method == SolveMethod::kLeastSquares) {
    throw BadCall(
        "--gravity and --floor-contact act on bodies: add --method physical or "
        "both");
  }
  if (options.actor && options.standing) {
    throw BadCall(
        "--actor brings its own calibration, --static asks for a new one: "
        "give one of them");
  }
  if (options.hold_out &&
      !(*options.hold_out > 0 && *options.hold_out <= 0.5)) {
    throw BadCall("--hold-out: expected a share above 0 and up to a half");
  }
}

/// One take on its way to a body, step by step. A step returns false when a
/// finding is an error.
class SolveRun {
 public:
  SolveRun(mocap::MarkerTake take, const SolveOptions& options)
      : take_(std::move(take)), options_(options) {}

  Result<SolvedTake> Run() {
    if (!Identify() || !PrepareStanding() || !Calibrate()) return Failed();
    SolvePoses();
    if (options_.neutral) {
      findings_.Append(SolveNeutral(options_, set_, solved_));
      if (findings_.has_errors()) return Failed();
    }
    if (options_.hold_out) {
      mocap::SolveOptions options = PartOptions();
      options.progress = TellFrom(options_.progress, 0.99, 0.99);
      solved_.held_out = mocap::MeasureHeldOut(
          solved_.take, solved_.calibration.actor, *options_.hold_out, options);
      solved_.hold_out_share = *options_.hold_out;
    }
    ApplyFloor();
    Judge();
    return {std::move(solved_), std::move(findings_)};
  }

 private:
  Result<SolvedTake> Failed() { return Result<SolvedTake>(findings_); }

  mocap::SolveOptions PartOptions() const {
    mocap::SolveOptions options;
    options.tracker.clean_up = options_.clean_up;
    return options;
  }

  bool Identify() {
    const std::string& file = options_.file;
    solved_.file = file;
    mocap::ReturnTracks(take_, findings_);
    const Result<std::vector<mocap::MarkerSet>> sets = SetsOf(options_);
    findings_.Append(sets.diagnostics());
    if (!sets.ok()) return false;
    // A set that was given is taken at its word.
    const bool is_given = options_.actor || !options_.marker_sets.empty() ||
                          (options_.model && !options_.model->markers.empty());
    const Result<mocap::Identification> set = mocap::IdentifyMarkers(
        *sets, take_, file,
        {.subject = options_.subject, .words = !is_given, .motion = !is_given});
    findings_.Append(set.diagnostics());
    if (!set.ok()) return false;
    Tell(options_.progress, 0.01);
    set_ = set->set;
    solved_.marker_set = set->set.name;
    solved_.subject = set->match.subject;
    solved_.method = options_.method;
    solved_.start_time_s = take_.start_time_s;
    solved_.family = FamilyFor(options_, solved_.marker_set);
    const Result<mocap::PreparedTake> prepared =
        mocap::PrepareTake(take_, set->set, set->match, file);
    findings_.Append(prepared.diagnostics());
    if (!prepared.ok()) return false;
    solved_.take = *prepared;
    AddTracksOfOthers(take_, solved_);
    return true;
  }

  bool PrepareStanding() {
    if (!options_.standing) return true;
    const mocap::MarkerTake& still = options_.standing->take;
    const std::string& file = options_.standing->file;
    const Result<mocap::RecognisedSet> set = mocap::RecogniseMarkerSet(
        std::span(&set_, 1), still, file, options_.subject);
    findings_.Append(set.diagnostics());
    if (!set.ok()) return false;
    const Result<mocap::PreparedTake> points =
        mocap::PrepareTake(still, set_, set->match, file);
    findings_.Append(points.diagnostics());
    if (!points.ok()) return false;
    standing_ = *points;
    return true;
  }

  bool Calibrate() {
    if (options_.actor) {
      std::vector<std::string> labels;
      for (const mocap::SetMarker& marker : solved_.take.markers) {
        labels.push_back(marker.label);
      }
      solved_.calibration.actor = mocap::WithMarkers(*options_.actor, labels);
      return true;
    }
    mocap::CalibrationOptions options;
    options.symmetric = !options_.asymmetric;
    const Clock::time_point begin = Clock::now();
    const Result<mocap::Calibration> calibration =
        mocap::Calibrate(solved_.take, standing_ ? &*standing_ : nullptr,
                         options_.file, options);
    solved_.calibration_s = SecondsSince(begin);
    findings_.Append(calibration.diagnostics());
    if (!calibration.ok()) return false;
    solved_.calibration = *calibration;
    solved_.calibration.actor.name = solved_.subject;
    solved_.calibration.actor.marker_set = solved_.marker_set;
    return true;
  }

  void SolvePoses() {
    if (options_.method != SolveMethod::kLeastSquares) {
      const Clock::time_point begin = Clock::now();
      mocap::TakeSolution physical = SolvePhysical(options_, solved_);
      const double seconds = SecondsSince(begin);
      if (options_.method == SolveMethod::kPhysical) {
        solved_.solution = std::move(physical);
        solved_.solve_s = seconds;
      } else {
        solved_.physical = std::move(physical);
        solved_.physical_s = seconds;
      }
    }
    if (options_.method != SolveMethod::kPhysical) {
      mocap::SolveOptions options = PartOptions();
      options.progress = TellFrom(options_.progress);
      const Clock::time_point begin = Clock::now();
      solved_.solution = mocap::SolveTake(solved_.take, &take_,
                                          solved_.calibration.actor, options);
      solved_.solve_s = SecondsSince(begin);
    }
    for (const int column : solved_.take.unlabelled) {
      solved_.unlabelled.push_back(take_.labels()[column]);
    }
  }

  /// Finds the floor and moves the solution onto it where that was asked for.
  void ApplyFloor() {
    solved_.floor =
        mocap::FindFloor(solved_.calibration.actor, solved_.solution.poses);
    if (!options_.floor && !options_.ground) return;
    const double height = options_.floor.value_or(solved_.floor);
    const Vector3 shift(0, -height, 0);
    for (mocap::BodyPose& pose : solved_.solution.poses) pose.p_WR += shift;
    for (Vector3& point : solved_.solution.used.points) point += shift;
    solved_.floor -= height;
  }

  void Judge() {
    solved_.fit =
        mocap::MeasureFit(solved_.calibration.actor, solved_.solution.poses,
                          solved_.solution.used);
    solved_.measures = mocap::MeasureSolution(solved_.take, solved_.calibration,
                                              solved_.solution);
    solved_.verdict = mocap::JudgeMeasures(solved_.measures);
  }

  mocap::MarkerTake take_;
  const SolveOptions& options_;
  Diagnostics findings_;
  mocap::MarkerSet set_;
  std::optional<mocap::PreparedTake> standing_;
  SolvedTake solved_;
};

}  // namespace

std::string_view ToString(SolveMethod method) {
  switch (method) {
    case SolveMethod::kPhysical:
      return "physical";
    case SolveMethod::kBoth:
      return "both";
    case SolveMethod::kLeastSquares:
      break;
  }
  return "least-squares";
}

Result<SolvedTake> Solve(mocap::MarkerTake take, const SolveOptions& options) {
  CheckOptions(options);
  Diagnostics length(options.file);
  CheckTime(take, length);
  if (length.has_errors()) return Result<SolvedTake>(std::move(length));
  return RunStoppable(options.progress, options.file,
                      [&] { return SolveRun(std::move(take), options).Run(); });
}

std::vector<std::string> SubjectsOf(const mocap::MarkerTake& take,
                                    const SolveOptions& options) {
  const Result<std::vector<mocap::MarkerSet>> sets = SetsOf(options);
  if (!sets.ok()) return {};
  std::vector<std::string> subjects = mocap::FindSubjects(*sets, take);
  if (subjects.size() < 2) subjects.clear();
  return subjects;
}

Result<mocap::MarkerSet> LoadMarkerSet(const std::filesystem::path& named) {
  for (const mocap::MarkerSet& set : mocap::BuiltInMarkerSets()) {
    if (set.name == PathText(named)) return {set, Diagnostics()};
  }
  return mocap::ReadMarkerSet(DataPath(kMarkerSets, named));
}

Result<mocap::Actor> LoadActor(const std::filesystem::path& path) {
  const Result<figure::FigureModel> figure = figure::ReadFigureFile(path);
  Diagnostics findings = figure.diagnostics();
  if (!figure.ok()) return Result<mocap::Actor>(std::move(findings));
  const Result<mocap::Actor> actor =
      mocap::ActorFromFigure(*figure, PathText(path));
  findings.Append(actor.diagnostics());
  if (!actor.ok()) return Result<mocap::Actor>(std::move(findings));
  return {*actor, std::move(findings)};
}

}  // namespace limber::jobs
