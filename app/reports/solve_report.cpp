// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/solve_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "app/reports/describe.h"
#include "core/angle.h"
#include "core/file.h"

namespace limber::app {

namespace {

using mocap::MarkerError;
using mocap::MarkerFate;

constexpr double kMm = 1000.0;

double Tenth(double value) { return std::round(10 * value) / 10; }

/// Samples of each fate over the whole take.
std::map<MarkerFate, std::int64_t> CountRepairs(const SolvedTake& solved) {
  std::map<MarkerFate, std::int64_t> counts;
  for (const mocap::Repair& repair : solved.solution.repairs) {
    counts[repair.what] += repair.num_frames;
  }
  return counts;
}

std::string Describe(const SolvedTake& solved, const mocap::Repair& repair) {
  std::string text(ToString(repair.what));
  if (repair.what == MarkerFate::kSwapped && repair.from >= 0) {
    text = "takes the point labelled " +
           solved.calibration.actor.markers[repair.from].label;
  }
  if (repair.what == MarkerFate::kAssigned && repair.from >= 0) {
    text += ": " + solved.unlabelled[repair.from];
  }
  return text;
}

void AddMarkerTable(const SolvedTake& solved, const mocap::FitQuality& quality,
                    Report& report) {
  ReportTable table{
      "markers",
      "Markers",
      "Distance between each marker and its place on the solved "
      "body, over the samples used.",
      {"marker", "segment", "RMS [mm]", "max [mm]", "samples", "missing"},
      {}};
  if (solved.held_out) table.columns.push_back("held out RMS [mm]");
  const std::int64_t frames = solved.take.observed.num_frames();
  const mocap::Actor& actor = solved.calibration.actor;
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    const MarkerError& error = quality.per_marker[m];
    std::vector<nlohmann::ordered_json> row = {
        actor.markers[m].label,
        std::string(mocap::Body()[actor.markers[m].segment].name),
        Tenth(kMm * error.rms),
        Tenth(kMm * error.max),
        error.count,
        frames - error.count};
    if (solved.held_out) {
      row.push_back(Tenth(kMm * solved.held_out->per_marker[m].rms));
    }
    table.rows.push_back(std::move(row));
  }
  report.AddTable(std::move(table));
}

void AddSegmentTable(const mocap::FitQuality& quality, Report& report) {
  ReportTable table{"segments",
                    "Segments",
                    "",
                    {"segment", "RMS [mm]", "max [mm]", "samples"},
                    {}};
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    const MarkerError& error = quality.per_segment[j];
    if (error.count == 0) continue;
    table.rows.push_back({std::string(mocap::Body()[j].name),
                          Tenth(kMm * error.rms), Tenth(kMm * error.max),
                          error.count});
  }
  report.AddTable(std::move(table));
}

void AddMeasureTable(const SolvedTake& solved, Report& report) {
  if (solved.calibration.measures.empty()) return;
  ReportTable table{"bone_lengths",
                    "Bone lengths",
                    "Found by calibration, beside what people of this size "
                    "usually have.",
                    {"measure", "found [mm]", "usual [mm]"},
                    {}};
  for (const mocap::FittedMeasure& measure : solved.calibration.measures) {
    table.rows.push_back(
        {measure.name, Tenth(kMm * measure.value), Tenth(kMm * measure.prior)});
  }
  report.AddTable(std::move(table));
}

void AddRepairTable(const SolvedTake& solved, Report& report) {
  ReportTable table{
      "repairs",
      "Gaps and repairs",
      "What was done to the data, by frame counted from 0. A gap is bridged by "
      "the body and its neighbouring frames; no marker is invented.",
      {"first frame", "frames", "marker", "what"},
      {}};
  for (const mocap::Repair& repair : solved.solution.repairs) {
    table.rows.push_back({repair.first_frame, repair.num_frames,
                          solved.calibration.actor.markers[repair.marker].label,
                          Describe(solved, repair)});
  }
  report.AddTable(std::move(table));
}

void AddCurves(const SolvedTake& solved, const mocap::FitQuality& quality,
               Report& report) {
  std::vector<double> time;
  for (std::size_t t = 0; t < solved.solution.poses.size(); ++t) {
    time.push_back(double(t) / solved.take.rate_hz);
  }
  Plot error;
  error.title = "Marker error over time";
  error.y_label = "distance [mm]";
  Curve rms{"RMS", time, quality.frame_rms};
  Curve max{"largest", time, quality.frame_max};
  for (double& value : rms.y) value *= kMm;
  for (double& value : max.y) value *= kMm;
  error.curves = {std::move(rms), std::move(max)};
  for (const mocap::Repair& repair : solved.solution.repairs) {
    if (repair.what == MarkerFate::kMissing) continue;
    error.spans.push_back(
        {double(repair.first_frame) / solved.take.rate_hz,
         double(repair.first_frame + repair.num_frames) / solved.take.rate_hz,
         solved.calibration.actor.markers[repair.marker].label + ": " +
             Describe(solved, repair)});
  }
  report.AddPlot("marker_error", std::move(error));

  struct Pair {
    const char* key;
    const char* title;
    mocap::Segment left;
    mocap::Segment right;
  };
  constexpr std::array<Pair, 4> kPairs = {
      Pair{"hip_flexion", "Hip flexion", mocap::kLeftUpperLeg,
           mocap::kRightUpperLeg},
      Pair{"knee_flexion", "Knee flexion", mocap::kLeftLowerLeg,
           mocap::kRightLowerLeg},
      Pair{"ankle_flexion", "Ankle dorsiflexion", mocap::kLeftFoot,
           mocap::kRightFoot},
      Pair{"elbow_flexion", "Elbow flexion", mocap::kLeftForearm,
           mocap::kRightForearm}};
  for (const Pair& pair : kPairs) {
    if (!solved.calibration.actor.moves[pair.left] &&
        !solved.calibration.actor.moves[pair.right]) {
      continue;
    }
    Plot plot;
    plot.title = pair.title;
    plot.y_label = "angle [deg]";
    plot.curves = {{"left", time, {}}, {"right", time, {}}};
    for (const mocap::BodyPose& pose : solved.solution.poses) {
      const auto degrees = [&pose](int j) {
        return Degrees(mocap::MeasureJoint(j, pose.R_PJ[j]).flexion);
      };
      plot.curves[0].y.push_back(degrees(pair.left));
      plot.curves[1].y.push_back(degrees(pair.right));
    }
    report.AddPlot(pair.key, std::move(plot));
  }
}

/// The segments that are posed as in standing because nothing is known of
/// them.
std::vector<std::string> UnseenSegments(const mocap::Actor& actor) {
  std::vector<std::string> names;
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    if (!actor.moves[j]) names.emplace_back(mocap::Body()[j].name);
  }
  return names;
}

/// Of these the head and the large parts of limbs, which a reader of the text
/// must not take for recorded ones.
std::vector<std::string> UnseenParts(const mocap::Actor& actor) {
  using namespace mocap;
  std::vector<std::string> names;
  for (const int j : {kHead, kLeftUpperArm, kLeftForearm, kRightUpperArm,
                      kRightForearm, kLeftUpperLeg, kLeftLowerLeg, kLeftFoot,
                      kRightUpperLeg, kRightLowerLeg, kRightFoot}) {
    const bool is_named = j != kHead && !actor.moves[Body()[j].parent] &&
                          Body()[j].parent != kLeftClavicle &&
                          Body()[j].parent != kRightClavicle;
    if (!actor.moves[j] && !is_named) {
      names.emplace_back(Body()[j].name);
    }
  }
  return names;
}

/// Directions that the markers hardly tell: a segment without three markers of
/// its own whose twist no child fixes.
std::vector<std::string> WeakSegments(const mocap::Actor& actor) {
  std::array<int, mocap::kNumSegments> count{};
  for (const mocap::ActorMarker& marker : actor.markers) {
    ++count[marker.segment];
  }
  std::vector<std::string> names;
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    if (!actor.moves[j] || count[j] >= 3) continue;
    const std::string name(mocap::Body()[j].name);
    if (count[j] == 0) {
      names.push_back(name + " (no marker: shares the turn of its neighbours)");
    } else if (count[j] == 1) {
      names.push_back(name + " (one marker: twist not observed)");
    }
  }
  return names;
}

/// The physical solution beside the least-squares one.
void AddPhysical(const SolvedTake& solved, const mocap::FitQuality& quality,
                 Report& report) {
  const mocap::Actor& actor = solved.calibration.actor;
  const mocap::FitQuality physical =
      MeasureFit(actor, solved.physical->poses, solved.physical->used);
  report.Set("physical_marker_rms_mm", kMm * physical.all.rms,
             "marker RMS, physical", "mm");
  report.Set(
      "physical_frames_per_second",
      double(solved.physical->poses.size()) / std::max(solved.physical_s, 1e-9),
      "frames per second, physical");
  ReportTable table{"methods",
                    "Least squares and physical",
                    "Angle between the two solutions of each joint.",
                    {"joint", "RMS [deg]", "max [deg]"},
                    {}};
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    if (!actor.moves[j]) continue;
    double sum = 0.0;
    double max = 0.0;
    for (std::size_t t = 0; t < solved.solution.poses.size(); ++t) {
      const double angle = Degrees(AngleBetween(
          solved.solution.poses[t].R_PJ[j], solved.physical->poses[t].R_PJ[j]));
      sum += angle * angle;
      max = std::max(max, angle);
    }
    table.rows.push_back(
        {std::string(mocap::Body()[j].joint),
         Tenth(std::sqrt(sum / double(solved.solution.poses.size()))),
         Tenth(max)});
  }
  report.AddTable(std::move(table));
  Plot plot;
  plot.title = "Marker RMS of both methods";
  plot.y_label = "distance [mm]";
  plot.curves = {{"least squares", {}, quality.frame_rms},
                 {"physical", {}, physical.frame_rms}};
  for (Curve& curve : plot.curves) {
    for (std::size_t t = 0; t < curve.y.size(); ++t) {
      curve.x.push_back(double(t) / solved.take.rate_hz);
      curve.y[t] *= kMm;
    }
  }
  report.AddPlot("methods_marker_error", std::move(plot));
}

/// The OpenSim model that followed the markers with its own joints.
void AddModel(const mocap::ModelMotion& model, Report& report) {
  report.Set("model_marker_rms_mm", kMm * model.rms, "marker RMS of the model",
             "mm");
  report.Set("model_weighted_rms_mm", kMm * model.weighted_rms,
             "the same with the weights of the tasks", "mm");
  ReportTable table{"model_markers",
                    "Markers on the OpenSim model",
                    "How far the model's markers are from the points, with "
                    "the weights of the tasks.",
                    {"marker", "weight", "RMS [mm]", "max [mm]"},
                    {}};
  for (std::size_t m = 0; m < model.markers.size(); ++m) {
    table.rows.push_back({model.markers[m], model.weights[m],
                          Tenth(kMm * model.per_marker[m].rms),
                          Tenth(kMm * model.per_marker[m].max)});
  }
  report.AddTable(std::move(table));
}

/// "frames 1 to 45, 300 to 343" as people count them, from 1.
std::string DescribeRuns(const std::vector<mocap::FrameRun>& runs) {
  constexpr std::size_t kShown = 5;
  std::string text = "frames ";
  for (std::size_t i = 0; i < std::min(runs.size(), kShown); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(runs[i].begin + 1) + " to " +
            std::to_string(runs[i].end);
  }
  if (runs.size() > kShown) {
    text += " and " + std::to_string(runs.size() - kShown) + " more runs";
  }
  return text;
}

/// "left-forearm (±25 degrees)" for each joint whose bend is left open.
std::vector<std::string> UnsureBends(const mocap::SolutionMeasures& measures) {
  std::vector<std::string> names;
  for (const mocap::UnsureJoint& joint : measures.unsure) {
    names.push_back(std::string(mocap::Body()[joint.segment].joint) + " (±" +
                    Rounded(Degrees(joint.sigma), 0) + " degrees)");
  }
  return names;
}

/// "right-foot, frames 131 to 158" for each run, as people count them.
std::vector<std::string> BridgedRuns(const mocap::SolutionMeasures& measures) {
  std::vector<std::string> runs;
  for (const mocap::HiddenRun& run : measures.bridged) {
    runs.push_back(std::string(mocap::Body()[run.segment].name) + " in " +
                   DescribeRuns({run.frames}));
  }
  return runs;
}

}  // namespace

Report MakeSolveReport(const SolvedTake& solved, const Diagnostics& findings) {
  const mocap::Actor& actor = solved.calibration.actor;
  const mocap::FitQuality& quality = solved.fit;
  const std::int64_t frames = solved.take.observed.num_frames();
  Report report("Solve of " + solved.file +
                (solved.subject.empty() ? "" : ", " + solved.subject));
  report.SetVerdict(solved.verdict);
  report.AddWarnings(findings);
  report.SetMain({"marker_rms_mm", "worst_marker_rms_mm", "held_out_rms_mm",
                  "height_m", "gap_samples", "frames"});
  report.Set("marker_rms_mm", kMm * quality.all.rms, "marker RMS", "mm");
  report.Set("marker_frame_max_mean_mm", kMm * quality.mean_of_frame_max,
             "mean of frame maxima", "mm");
  std::size_t worst = 0;
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (quality.per_marker[m].rms > quality.per_marker[worst].rms) worst = m;
  }
  report.Set("worst_marker", actor.markers[worst].label, "worst marker");
  report.Set("worst_marker_rms_mm", kMm * quality.per_marker[worst].rms,
             "worst marker, RMS", "mm");
  report.Set("held_out_rms_mm", nullptr);
  if (solved.held_out) {
    report.Set("held_out_rms_mm", kMm * solved.held_out->all.rms,
               "held-out marker RMS", "mm");
    report.Set("hold_out_share", solved.hold_out_share);
  }
  report.Set("frames", frames, "frames");
  report.Set("rate_hz", solved.take.rate_hz, "rate", "Hz");
  report.Set("frames_per_second",
             solved.solve_s > 0 ? double(frames) / solved.solve_s : 0.0,
             "solved frames per second");
  report.Set("method", jobs::ToString(solved.method), "method");
  if (solved.contact) {
    report.Set("floor_contact_height_m", solved.contact->height,
               "floor that soles touch", "m");
    report.Set("floor_penetration_mm", kMm * solved.contact->deepest,
               "sole below that floor", "mm");
    report.Set("floor_penetration_free_mm", kMm * solved.contact->deepest_free,
               "sole below it without contact", "mm");
  }
  if (solved.physical) AddPhysical(solved, quality, report);
  if (solved.model) AddModel(*solved.model, report);
  report.Set("marker_set", solved.marker_set, "marker set");
  report.Set("markers_used", actor.markers.size(), "markers");
  if (!solved.subject.empty()) report.Set("subject", solved.subject, "subject");
  if (!solved.calibration.measures.empty()) {
    report.Set("calibration_rms_mm", kMm * solved.calibration.rms,
               "marker RMS of calibration", "mm");
    report.Set("calibration_s", solved.calibration_s, "calibration time", "s");
    report.Set("calibration_frames", solved.calibration.frames.size(),
               "frames used by calibration");
  }
  report.Set("height_m", actor.height, "estimated height", "m");
  report.Set("mass_kg", actor.mass, "guessed mass", "kg");
  report.Set("floor_m", solved.floor, "floor height", "m");
  std::map<MarkerFate, std::int64_t> counts = CountRepairs(solved);
  report.Set("angles_from",
             solved.neutral_file.empty()
                 ? "the rest pose (docs/solve.md, Angles)"
                 : "the standing pose of " + solved.neutral_file,
             "angles are counted from");
  report.Set("gap_samples", counts[MarkerFate::kMissing],
             "samples bridged in gaps");
  if (!solved.measures.outside.empty()) {
    report.Set("out_of_view", DescribeRuns(solved.measures.outside),
               "less than half of the body in view");
  }
  report.Set("swapped_samples", counts[MarkerFate::kSwapped],
             "samples given to the right label");
  report.Set("assigned_samples", counts[MarkerFate::kAssigned],
             "unlabelled samples taken");
  report.Set("rejected_samples", counts[MarkerFate::kRejected],
             "samples rejected");
  report.Set("restarted_frames", solved.solution.num_restarts);
  report.Set("frames_without_markers", solved.solution.num_empty);
  const std::vector<std::string> unseen = UnseenSegments(actor);
  const std::vector<std::string> weak = WeakSegments(actor);
  report.Set("segments_at_rest", unseen);
  report.Set("weakly_observed", weak);
  const std::vector<std::string> open = UnsureBends(solved.measures);
  const std::vector<std::string> bridged = BridgedRuns(solved.measures);
  report.Set("unsure_bends", open);
  report.Set("bridged_limbs", bridged);
  if (!open.empty()) {
    report.AddParagraph("The markers hardly tell the bend of: " +
                        Join(open, open.size()) + ".");
  }
  if (!bridged.empty()) {
    report.AddParagraph("Bridged without a marker of their own: " +
                        Join(bridged, bridged.size()) + ".");
  }
  if (!unseen.empty()) {
    report.AddParagraph("Without markers, in a natural standing pose: " +
                        Join(unseen, unseen.size()) + ".");
  }
  if (!weak.empty()) {
    report.AddParagraph("Weakly observed: " + Join(weak, weak.size()) + ".");
  }
  AddMarkerTable(solved, quality, report);
  AddSegmentTable(quality, report);
  AddMeasureTable(solved, report);
  AddRepairTable(solved, report);
  AddCurves(solved, quality, report);
  return report;
}

Verdict WithSubject(const Verdict& verdict, const std::string& subject) {
  if (subject.empty()) return verdict;
  Verdict named;
  for (Doubt doubt : verdict.doubts()) {
    doubt.message = subject + ": " + doubt.message;
    named.Add(std::move(doubt));
  }
  return named;
}

SolveReports::SolveReports(std::string file, std::vector<Report> reports,
                           Verdict verdict)
    : file_(std::move(file)),
      reports_(std::move(reports)),
      summary_("Solve of " + file_) {
  summary_.SetVerdict(std::move(verdict));
  summary_.Set("people", reports_.size(), "people");
}

nlohmann::ordered_json SolveReports::ToJson() const {
  if (reports_.size() == 1) return reports_.front().ToJson();
  nlohmann::ordered_json json = summary_.ToJson();
  json["subjects"] = nlohmann::ordered_json::array();
  for (const Report& report : reports_) {
    json["subjects"].push_back(report.ToJson());
  }
  return json;
}

Diagnostics SolveReports::Write(const std::filesystem::path& path) const {
  if (reports_.size() == 1) return reports_.front().Write(path);
  if (path.extension() == ".json") {
    return WriteWholeFile(
        path,
        ToJson().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
            "\n");
  }
  std::string body = summary_.ToSection();
  for (const Report& report : reports_) body += report.ToSection();
  return WriteWholeFile(path, MakePage("Solve of " + file_, body));
}

std::string Summary(const SolvedTake& solved) {
  const mocap::Actor& actor = solved.calibration.actor;
  const mocap::FitQuality& quality = solved.fit;
  std::map<MarkerFate, std::int64_t> counts = CountRepairs(solved);
  std::string text = solved.file + ": " +
                     Count(solved.take.observed.num_frames(), "frame") + ", " +
                     solved.marker_set + " with " +
                     Count(std::int64_t(actor.markers.size()), "marker");
  if (!solved.subject.empty()) text += ", subject " + solved.subject;
  text += "\n  marker RMS " + Rounded(kMm * quality.all.rms, 2) +
          " mm, mean of frame maxima " +
          Rounded(kMm * quality.mean_of_frame_max, 1) + " mm\n  actor " +
          Rounded(actor.height, 3) + " m tall, about " +
          Rounded(actor.mass, 0) + " kg\n";
  if (solved.held_out) {
    text += "  held-out markers " + Rounded(kMm * solved.held_out->all.rms, 2) +
            " mm\n";
  }
  const auto add = [&](MarkerFate fate, const char* what) {
    if (counts[fate] > 0) {
      text += std::string("  ") + what + ": " + Count(counts[fate], "sample") +
              "\n";
    }
  };
  add(MarkerFate::kMissing, "gaps bridged");
  if (!solved.measures.outside.empty()) {
    text += "  less than half of the body in view: " +
            DescribeRuns(solved.measures.outside) +
            "; the pose is a guess there\n";
  }
  constexpr std::size_t kListed = 4;
  if (!solved.measures.bridged.empty()) {
    text += "  bridged without a marker of their own, a guess: " +
            Join(BridgedRuns(solved.measures), kListed) + "\n";
  }
  const std::vector<std::string> unseen = UnseenParts(actor);
  if (!unseen.empty()) {
    text += "  without markers, with all beyond, and posed as in standing: " +
            Join(unseen, unseen.size()) + "\n";
  }
  if (!solved.measures.unsure.empty()) {
    text += "  the markers hardly tell the bend of " +
            Join(UnsureBends(solved.measures), kListed) + "\n";
  }
  add(MarkerFate::kSwapped, "given to the right label");
  add(MarkerFate::kAssigned, "unlabelled points taken");
  add(MarkerFate::kRejected, "rejected as strays");
  if (solved.physical) {
    const mocap::FitQuality physical =
        MeasureFit(actor, solved.physical->poses, solved.physical->used);
    text += "  physical: marker RMS " + Rounded(kMm * physical.all.rms, 2) +
            " mm, " +
            Rounded(double(solved.physical->poses.size()) /
                        std::max(solved.physical_s, 1e-9),
                    0) +
            " frames per second\n";
  }
  if (solved.model) {
    text += "  model: marker RMS " + Rounded(kMm * solved.model->rms, 1) +
            " mm, " + Rounded(kMm * solved.model->weighted_rms, 1) +
            " mm with the weights of its tasks\n";
  }
  if (solved.contact) {
    text += "  floor at " + Rounded(solved.contact->height, 3) +
            " m: soles at most " + Rounded(kMm * solved.contact->deepest, 1) +
            " mm below it, without contact " +
            Rounded(kMm * solved.contact->deepest_free, 1) + " mm\n";
  }
  text += "  " +
          Rounded(double(solved.take.observed.num_frames()) /
                      std::max(solved.solve_s, 1e-9),
                  0) +
          " frames per second";
  if (solved.calibration_s > 0) {
    text += " after " + Rounded(solved.calibration_s, 2) + " s of calibration";
  }
  return text + "\n";
}

}  // namespace limber::app
