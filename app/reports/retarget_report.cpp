// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/retarget_report.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/player/record.h"
#include "app/reports/clip_report.h"
#include "app/reports/describe.h"
#include "core/angle.h"
#include "core/file.h"
#include "figure/clip_tracks.h"

namespace limber::app {

namespace {

using mocap::HumanBody;

/// The heights of the toes above the floor, source and target, for the page.
Plot HeightPlot(const BodyClip& source, const BodyClip& target,
                const mocap::RetargetReport& done) {
  Plot plot;
  plot.title = "Height of the toes above the floor, by leg length";
  plot.y_label = "height / leg length";
  const auto add = [&plot](const BodyClip& clip, double floor,
                           const std::string& name) {
    const figure::ClipTracks tracks = figure::TrackClip(clip.motion, clip.plan);
    for (int side = 0; side < 2; ++side) {
      Curve curve;
      curve.name = name + (side == 0 ? ", left" : ", right");
      for (std::int64_t i = 0; i < tracks.num_frames; ++i) {
        curve.x.push_back(static_cast<double>(i) / tracks.rate_hz);
        curve.y.push_back((tracks.feet[side].toe[i].y() - floor) /
                          tracks.leg_length);
      }
      plot.curves.push_back(std::move(curve));
    }
  };
  add(source, done.floor_source, "source");
  add(target, done.floor_target, "target");
  return plot;
}

ReportTable MapTable(const mocap::JointMap& map, const HumanBody& source,
                     const HumanBody& target) {
  ReportTable table;
  table.key = "joint_map";
  table.title = "Joint map";
  table.note = "What each joint of the target follows.";
  table.columns = {"target", "source", "part", "found", "confidence"};
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    const mocap::JointPair& pair = map.pairs[joint];
    nlohmann::ordered_json from;
    if (pair.source >= 0) {
      std::string name = source.skeleton->joint(pair.source).name;
      if (pair.next >= 0) {
        name += "/" + source.skeleton->joint(pair.next).name;
      }
      from = name;
    }
    table.rows.push_back({target.skeleton->joint(joint).name, from,
                          std::string(figure::ToString(target.roles[joint])),
                          mocap::ToString(pair.reason), pair.confidence});
  }
  return table;
}

ReportTable MendedTable(const mocap::RetargetReport& done) {
  ReportTable table;
  table.key = "mended";
  table.title = "Joints brought back into their limits";
  table.note =
      "How far the copy of the source's angles took them beyond, in how many "
      "frames, where most, and how far they were turned for that.";
  table.columns = {"joint", "beyond_deg", "frames", "worst_frame",
                   "turned_deg"};
  for (const mocap::MendedJoint& joint : done.mended) {
    table.rows.push_back({joint.name, joint.beyond * kDegreesPerRadian,
                          joint.frames, joint.worst_frame,
                          joint.largest_turn * kDegreesPerRadian});
  }
  return table;
}

/// How the physical figure did.
void AddPlayMetrics(const figure::PlayResult& played, Report& report) {
  const figure::PerformanceSummary& summary = played.summary;
  report.Set("dynamic_difference_deg",
             played.largest_difference * kDegreesPerRadian,
             "played, a joint off the kinematic result at most", "deg");
  report.Set("dynamic_difference_rms_deg",
             played.rms_difference * kDegreesPerRadian,
             "played, all joints off it", "deg RMS");
  report.Set("dynamic_root_shift_mm", 1000.0 * played.root_shift,
             "played, root off its path at most", "mm");
  report.Set("root_help_fraction", summary.root_help_mean, "root help, mean",
             "of body weight");
  report.Set("root_help_max_fraction", summary.root_help_max,
             "root help, largest", "of body weight");
  report.Set("saturation_fraction", summary.saturation,
             "motors at their bound");
  report.Set("joint_gap_mm", 1000.0 * summary.max_dislocation,
             "largest joint gap", "mm");
}

/// Numbers of a report under their keys.
class Numbers {
 public:
  explicit Numbers(const Report& report) : json_(report.ToJson()) {}

  bool Has(const std::string& key) const {
    return json_.contains(key) && json_[key].is_number();
  }
  /// The value in words; "?" where there is none.
  std::string operator()(const std::string& key, int decimals) const {
    return Has(key) ? Rounded(json_[key].get<double>(), decimals) : "?";
  }
  std::string Text(const std::string& key) const {
    return json_.contains(key) && json_[key].is_string()
               ? json_[key].get<std::string>()
               : "";
  }

 private:
  nlohmann::ordered_json json_;
};

/// What was done, in five lines.
std::vector<std::string> Summarise(const RetargetJob& job,
                                   const jobs::RetargetTarget& target,
                                   const jobs::RetargetedClip& carried,
                                   const Report& report) {
  const BodyClip& clip = carried.source;
  const mocap::JointMap& map = carried.map;
  const Numbers number(report);
  std::vector<std::string> lines;
  const std::string seconds = Rounded(clip.motion.duration(), 2);
  lines.push_back(PathText(job.input) + " -> " + PathText(job.output) + ": " +
                  Count(clip.motion.num_frames(), "frame") + ", " + seconds +
                  " s, on " + target.name + ", whose legs are " +
                  number("leg_ratio", 2) + " times as long");
  const auto followers = std::ranges::count_if(
      map.pairs, [](const mocap::JointPair& pair) { return pair.source >= 0; });
  std::string joints = "  joints  " + std::to_string(followers) + " of " +
                       Count(carried.body.skeleton->num_joints(), "joint") +
                       " follow the source's";
  if (!map.unused_sources.empty()) {
    joints += "; " + std::to_string(map.unused_sources.size()) +
              " of the source's are not used";
  }
  lines.push_back(joints + " (--show-map lists them)");
  lines.push_back("  feet    " + number("planted_phases", 0) +
                  " stances, off their places by at most " +
                  number("planted_off_mm", 1) + " mm; toes slide at " +
                  number("stance_speed_cm_s", 1) + " cm/s; soles sink by " +
                  number("floor_penetration_mm", 1) + " mm");
  std::string pose = "  body    root at most " + number("root_shift_mm", 0) +
                     " mm off its scaled path";
  if (number.Has("limit_violation_deg")) {
    pose +=
        "; joint limits passed by " + number("limit_violation_deg", 1) + " deg";
    const std::string where = number.Text("limit_violation_segment");
    if (!where.empty()) pose += " (" + where + ")";
  }
  if (number.Has("dynamic_difference_deg")) {
    pose += "; played with a joint off by at most " +
            number("dynamic_difference_deg", 1) + " deg";
  }
  lines.push_back(pose);
  lines.push_back("  taken   " + (clip.guesses.empty()
                                      ? "as the file and the call say"
                                      : GuessText(clip.guesses)));
  return lines;
}

}  // namespace

Report MakeRetargetReport(const std::string& input,
                          const jobs::RetargetTarget& target,
                          const jobs::RetargetedClip& carried, bool smoothed) {
  const BodyClip& clip = carried.source;
  const HumanBody& body = carried.body;
  const mocap::Retargeted& result = carried.result;
  Report report("Retarget of " + input + " to " + target.name);
  report.SetMain({"planted_off_mm", "stance_speed_cm_s", "deepest_sole_mm",
                  "root_shift_mm", "limit_violation_deg"});
  report.Set("input", input, "clip");
  report.Set("target", target.name, "target");
  const mocap::RetargetReport& done = result.report;
  const BodyClip out{result.motion, body.roles, body.plan, {}, std::nullopt};
  ClipReference reference;
  reference.clip = &clip;
  reference.floor = done.floor_target;
  reference.compare_joints = !target.body.has_value();
  AddClipMetrics(out, reference, report);
  if (body.figure) AddLimitMetrics(*body.figure, result.motion, report);
  report.Set("frames_per_second",
             static_cast<double>(clip.motion.num_frames()) /
                 std::max(carried.seconds, 1e-9),
             "speed", "frames/s");
  report.Set("leg_ratio", done.leg_ratio, "legs, target by source");
  report.Set("planted_phases", done.num_phases, "times a foot stands");
  report.Set("planted_off_mm", 1000.0 * done.plant.worst_miss,
             "a standing foot off its place at most", "mm");
  report.Set("root_shift_mm", 1000.0 * done.plant.largest_root_shift,
             "root off its scaled path at most", "mm");
  report.Set("deepest_sole_mm", 1000.0 * done.deepest_sole,
             "a sole below what it stands on at most", "mm");
  report.Set("mended_joints", static_cast<std::int64_t>(done.mended.size()),
             "joints brought back into their limits");
  if (smoothed) {
    report.Set("smoothed_frames", done.smooth.frames,
               "frames in which tremor was taken out");
    report.Set("smoothed_deg", Degrees(done.smooth.largest_turn),
               "a joint turned by that at most", "deg");
  }
  for (const std::string& relaxed : done.relaxed) report.AddWarning(relaxed);
  for (const Guess& guess : clip.guesses) {
    report.Set("guessed_" + guess.what, guess.value,
               "guessed " + guess.what + " (" + guess.reason + ")");
  }
  if (!done.mended.empty()) report.AddTable(MendedTable(done));
  report.AddTable(MapTable(carried.map, carried.source_body, body));
  report.AddPlot("toe_height", HeightPlot(clip, out, done));
  if (carried.played) AddPlayMetrics(*carried.played, report);
  report.SetVerdict(carried.verdict);
  return report;
}

void AddRetargetPlayer(const std::filesystem::path& character,
                       const std::string& target,
                       const jobs::RetargetedClip& carried, Report& report) {
  const HumanBody& body = carried.body;
  std::shared_ptr<const figure::FigureModel> figure;
  if (body.figure) {
    figure = std::make_shared<const figure::FigureModel>(*body.figure);
  }
  std::optional<PlayerRecording> recording =
      RecordClips("The clip on " + target + ", and the source",
                  {{"Result", &carried.result.motion, figure},
                   {"Source", &carried.source.motion}});
  if (!recording) return;
  AddCharacter(character, -1, recording->actors.front());
  report.AddPlayer(*recording);
}

RetargetOutcome RunRetargetJob(const RetargetJob& job,
                               const jobs::RetargetTarget& target,
                               const mocap::MapFile& map_file) {
  RetargetOutcome outcome;
  outcome.input = PathText(job.input);
  const Result<LoadedFile> file = Load(job.input, job.load);
  outcome.findings = file.diagnostics();
  if (!file.ok()) return outcome;
  const auto* loaded = std::get_if<figure::Motion>(&file->content);
  if (loaded == nullptr) {
    Diagnostics own(outcome.input, job.load.strict);
    own.Error("no-motion", {},
              "expected a skeletal clip (BVH or AMC), found " +
                  std::string(Name(file->format)));
    outcome.findings.Append(own);
    return outcome;
  }
  jobs::RetargetOptions options;
  options.origin = jobs::OriginOf(*file, job.load);
  options.map = map_file;
  options.parts = job.options;
  options.dynamic_strength = job.dynamic_strength;
  const Result<jobs::RetargetedClip> done =
      jobs::Retarget(*loaded, target, options);
  outcome.findings.Append(done.diagnostics());
  if (!done.ok()) return outcome;
  outcome.map_text = mocap::ToText(done->map, done->source_body, done->body);
  outcome.verdict = done->verdict;
  outcome.report =
      MakeRetargetReport(outcome.input, target, *done, job.options.keep_smooth);
  outcome.report->AddWarnings(outcome.findings);
  outcome.lines = Summarise(job, target, *done, *outcome.report);
  // The options of the call are about the source; a target is read as it is.
  jobs::ClipOutput output{job.output, target.character};
  output.load.strict = job.load.strict;
  if (!target.body) output = {job.output, job.input, job.load};
  const Diagnostics written = WriteClip(output, done->motion);
  outcome.findings.Append(written);
  outcome.report->AddWarnings(written);
  outcome.report->Set("output", PathText(job.output), "written");
  if (!written.has_errors() && IsPage(job.report)) {
    AddRetargetPlayer(job.output, target.name, *done, *outcome.report);
  }
  if (!written.has_errors() && !job.report.empty()) {
    outcome.findings.Append(outcome.report->Write(job.report));
  }
  outcome.done = !outcome.findings.has_errors();
  return outcome;
}

}  // namespace limber::app
