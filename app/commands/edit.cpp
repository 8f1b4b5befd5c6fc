// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/player/record_edit.h"
#include "app/progress.h"
#include "app/reports/describe.h"
#include "app/reports/edit_report.h"
#include "app/reports/report.h"
#include "core/angle.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/edit.h"
#include "jobs/event_words.h"
#include "jobs/sweep.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

using jobs::EditContext;
using jobs::EventFlag;
using jobs::EventFlags;
using jobs::Sweep;

struct EditCommand {
  fs::path clip;
  fs::path output;
  fs::path report;
  fs::path figure;
  fs::path events_file;
  /// What each of `EventFlags` was given.
  std::vector<std::vector<std::string>> events =
      std::vector<std::vector<std::string>>(EventFlags().size());
  std::vector<std::string> presets;
  std::vector<std::string> sweeps;
  std::string strength = "normal";
  std::string return_to = "path";
  std::string keep;
  double rate_hz = 240.0;
  double let_go_deg = 0.0;
  int threads = 0;
  bool no_floor = false;
  bool force = false;
  LoadOptions load;
};

/// All that a variation needs.
struct EditJob {
  const figure::Motion& clip;
  std::shared_ptr<const figure::FigureModel> model;
  std::vector<figure::EditEvent> events;
  jobs::EditOptions options;
};

jobs::EditOptions OptionsOf(const EditCommand& command,
                            std::shared_ptr<const figure::FigureModel> model) {
  using Return = figure::EditSettings::Return;
  jobs::EditOptions options;
  options.file = PathText(command.clip);
  options.figure = std::move(model);
  options.keep = command.keep;
  figure::EditSettings& settings = options.settings;
  settings.rate_hz = command.rate_hz;
  settings.strength = jobs::ParseStrength(command.strength);
  settings.floor = !command.no_floor;
  settings.return_to = command.return_to == "none"   ? Return::kNone
                       : command.return_to == "pose" ? Return::kPose
                                                     : Return::kPath;
  if (command.let_go_deg > 0.0) {
    settings.let_go_angle = Radians(command.let_go_deg);
  }
  return options;
}

/// Nothing, and the reason printed, if the events file is bad.
std::optional<std::vector<figure::EditEvent>> EventsOf(
    const EditCommand& options, const EditContext& context) {
  std::vector<figure::EditEvent> events;
  if (!options.events_file.empty()) {
    Result<std::vector<figure::EditEvent>> read =
        jobs::ReadEvents(options.events_file, context);
    std::cerr << read.diagnostics().ToString();
    if (!read) return std::nullopt;
    events = std::move(read).value();
  }
  const auto add = [&events](const std::vector<figure::EditEvent>& more) {
    events.insert(events.end(), more.begin(), more.end());
  };
  for (std::size_t i = 0; i < options.events.size(); ++i) {
    for (const std::string& text : options.events[i]) {
      add(jobs::ParseEvents(EventFlags()[i].name, text, context));
    }
  }
  for (const std::string& name : options.presets) {
    add(jobs::PresetEvents(name, context));
  }
  return events;
}

figure::EditResult RunOne(const EditJob& job) {
  const std::vector<jobs::Event> events(job.events.begin(), job.events.end());
  return std::move(jobs::Edit(job.clip, events, job.options).value().result);
}

void PrintOne(const figure::EditResult& result, const EditJob& job,
              const fs::path& output) {
  std::cout << PathText(output) << ": "
            << Count(result.motion.num_frames(), "frame") << ", "
            << Count(static_cast<std::int64_t>(job.events.size()), "event")
            << "\n  largest difference "
            << Rounded(LargestDifference(result), 2) << " deg\n";
  if (result.let_go_time) {
    std::cout << "  let go at " << Rounded(*result.let_go_time, 3) << " s\n";
  } else {
    std::cout << "  back within 2 deg "
              << (std::isfinite(result.return_time)
                      ? Rounded(result.return_time, 3) +
                            " s after the last event"
                      : std::string("not before the end"))
              << "\n";
  }
  std::cout << "  root help "
            << Rounded(100.0 * result.summary.root_help_mean, 1)
            << " % of the body weight, motors at their bound "
            << Rounded(100.0 * result.summary.saturation, 1) << " %\n";
  for (const figure::EditedGoal& goal : result.goals) {
    std::cout << "  " << job.model->segments[std::size_t(goal.segment)].name
              << " at most " << Rounded(goal.distance * 1e3, 1)
              << " mm from its target, which is within reach "
              << Rounded(100.0 * goal.reachable, 0) << " % of the time\n";
  }
  for (const figure::EditedProp& prop : result.props) {
    std::cout << "  " << prop.name << " tilts by at most "
              << Rounded(Degrees(prop.tilt), 1) << " deg\n";
  }
}

/// What a variation of a sweep came to.
struct Variation {
  std::vector<double> values;
  fs::path file;
  std::string failure;
  std::vector<double> numbers;  ///< As `kSweepColumns`.
};
constexpr std::array kSweepColumns = {
    "largest_difference_deg", "return_time_s",        "root_help_fraction",
    "saturation_fraction",    "floor_penetration_mm", "limit_violation_deg"};

/// The table of a sweep, beside its clips.
fs::path TableOf(const EditCommand& options) {
  fs::path csv = options.output;
  return csv.replace_extension(".csv");
}

/// The variations still to be made: out_01.bvh, out_02.bvh, ...
std::vector<Variation> PlanVariations(const std::vector<Sweep>& sweeps,
                                      const EditCommand& options) {
  const std::vector<std::vector<double>> all = jobs::Combinations(sweeps);
  std::vector<Variation> variations(all.size());
  const std::size_t digits = std::to_string(all.size()).size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string number = std::to_string(i + 1);
    number.insert(0, digits - number.size(), '0');
    variations[i].values = all[i];
    variations[i].file = options.output;
    variations[i].file.replace_filename(options.output.stem().string() + "_" +
                                        number +
                                        options.output.extension().string());
  }
  return variations;
}

/// All that the call reads and writes.
JobFiles FilesOf(const EditCommand& options,
                 const std::vector<Variation>& variations) {
  JobFiles files{{options.clip, options.figure, options.events_file,
                  options.load.asf, options.load.offsets},
                 {options.report},
                 options.force};
  if (options.sweeps.empty()) {
    files.outputs.push_back(options.output);
    return files;
  }
  files.outputs.push_back(TableOf(options));
  for (const Variation& variation : variations) {
    files.outputs.push_back(variation.file);
  }
  return files;
}

void RunVariations(const EditJob& job, const std::vector<Sweep>& sweeps,
                   const EditCommand& options,
                   std::vector<Variation>& variations) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  Progress progress("editing");
  const auto work = [&] {
    for (std::size_t i = next++; i < variations.size(); i = next++) {
      Variation& variation = variations[i];
      // What goes wrong with one must not stop the others.
      try {
        EditJob own = job;
        for (std::size_t k = 0; k < sweeps.size(); ++k) {
          jobs::ApplySweep(sweeps[k], variation.values[k], own.events,
                           own.options.settings);
        }
        const figure::EditResult result = RunOne(own);
        variation.numbers = {
            LargestDifference(result),     result.return_time,
            result.summary.root_help_mean, result.summary.saturation,
            result.penetration * 1e3,      Degrees(result.limit_violation)};
        const Diagnostics written = WriteClip(
            {variation.file, options.clip, options.load}, result.motion);
        if (written.has_errors()) variation.failure = written.ToString();
      } catch (const std::exception& error) {
        variation.failure = WordsOf(error);
      }
      progress.Show(static_cast<double>(++done) /
                    static_cast<double>(variations.size()));
    }
  };
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int most = std::max(1, options.threads > 0 ? options.threads : cores);
  std::vector<std::thread> others;
  const std::size_t count = std::min(variations.size(), std::size_t(most));
  for (std::size_t i = 1; i < count; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
}

int RunSweep(const EditJob& job, const EditCommand& options,
             const std::vector<Sweep>& sweeps,
             std::vector<Variation> variations) {
  for (const Sweep& sweep : sweeps) {
    // A name that fits no event is a wrong call, not a failed variation.
    EditJob trial = job;
    jobs::ApplySweep(sweep, sweep.values.front(), trial.events,
                     trial.options.settings);
  }
  RunVariations(job, sweeps, options, variations);
  Report report("Variations of " + PathText(options.clip));
  ReportTable table{"variations", "Variations", "", {"file"}, {}};
  for (const Sweep& sweep : sweeps) table.columns.push_back(sweep.name);
  for (const char* column : kSweepColumns) table.columns.push_back(column);
  table.columns.push_back("failed");
  std::ostringstream lines;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    lines << (c > 0 ? "," : "") << table.columns[c];
  }
  lines << "\n";
  bool failed = false;
  for (const Variation& variation : variations) {
    std::vector<nlohmann::ordered_json> row = {PathText(variation.file)};
    lines << PathText(variation.file.filename());
    for (const double value : variation.values) {
      row.push_back(value);
      lines << "," << value;
    }
    for (std::size_t c = 0; c < kSweepColumns.size(); ++c) {
      const bool good =
          variation.failure.empty() && std::isfinite(variation.numbers[c]);
      row.push_back(good ? nlohmann::ordered_json(variation.numbers[c])
                         : nlohmann::ordered_json());
      lines << ",";
      if (good) lines << variation.numbers[c];
    }
    row.push_back(variation.failure.empty()
                      ? nlohmann::ordered_json()
                      : nlohmann::ordered_json(variation.failure));
    lines << "," << (variation.failure.empty() ? "" : "failed") << "\n";
    if (!variation.failure.empty()) {
      failed = true;
      std::cerr << PathText(variation.file) << ": error: " << variation.failure
                << "\n";
    }
    table.rows.push_back(std::move(row));
  }
  std::cout << lines.str();
  report.Set("variations", static_cast<std::int64_t>(variations.size()),
             "variations");
  report.AddTable(std::move(table));
  const Diagnostics listed = WriteWholeFile(TableOf(options), lines.str());
  std::cerr << listed.ToString();
  if (!options.report.empty()) {
    const Diagnostics reported = report.Write(options.report);
    std::cerr << reported.ToString();
    failed = failed || reported.has_errors();
  }
  return failed || listed.has_errors() ? kBadInput : kDone;
}

/// The figure of --figure, or one made for the clip.
Result<std::shared_ptr<const figure::FigureModel>> FigureOf(
    const EditCommand& options, const figure::Motion& clip) {
  using Shared = std::shared_ptr<const figure::FigureModel>;
  if (options.figure.empty()) return jobs::FigureForClip(clip);
  Result<figure::FigureModel> read =
      figure::ReadFigureFile(FigurePath(options.figure));
  if (!read) return Result<Shared>(read.diagnostics());
  return {std::make_shared<const figure::FigureModel>(std::move(read).value()),
          Diagnostics()};
}

int RunEdit(const EditCommand& options) {
  if (!options.report.empty()) CheckReportPath(options.report);
  CheckClipPath(options.output);
  std::vector<Sweep> sweeps;
  for (const std::string& text : options.sweeps) {
    sweeps.push_back(jobs::ParseSweep(text));
  }
  const std::vector<Variation> variations = PlanVariations(sweeps, options);
  if (!CheckJobFiles(FilesOf(options, variations))) return kBadInput;
  Result<LoadedFile> file = Load(options.clip, options.load);
  std::cerr << file.diagnostics().ToString();
  if (!file) return kBadInput;
  const auto* clip = std::get_if<figure::Motion>(&file.value().content);
  if (clip == nullptr || clip->num_frames() == 0) {
    std::cerr << PathText(options.clip)
              << ": error: expected a clip with frames (BVH, AMC, glTF, FBX or "
                 "NPZ)\n";
    return kBadInput;
  }
  Diagnostics length(PathText(options.clip));
  CheckTime(*clip, length);
  std::cerr << length.ToString();
  if (length.has_errors()) return kBadInput;
  Result<std::shared_ptr<const figure::FigureModel>> model =
      FigureOf(options, *clip);
  if (!model) {
    std::cerr << model.diagnostics().ToString();
    return kBadInput;
  }
  EditJob job{*clip, *model, {}, OptionsOf(options, *model)};
  // A segment that is none is said before the events are read.
  if (!options.keep.empty()) jobs::SegmentsOfList(options.keep, **model);
  auto events = EventsOf(options, {job.model.get(), clip});
  if (!events) return kBadInput;
  job.events = std::move(*events);
  if (!sweeps.empty()) return RunSweep(job, options, sweeps, variations);

  const auto begin = std::chrono::steady_clock::now();
  auto progress = std::make_unique<Progress>("editing");
  job.options.progress = [&progress](double share) {
    progress->Show(share);
    return true;
  };
  const figure::EditResult result = RunOne(job);
  progress.reset();
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  const Diagnostics written =
      WriteClip({options.output, options.clip, options.load}, result.motion);
  std::cerr << written.ToString();
  if (written.has_errors()) return kBadInput;
  PrintOne(result, job, options.output);
  if (!options.report.empty()) {
    Report report("Edit of " + PathText(options.clip));
    FillEditReport(result, *job.model, job.events, took.count(), report);
    if (IsPage(options.report)) {
      const auto played = RecordEdit(result, job.clip, job.model, job.events);
      if (played) report.AddPlayer(*played);
    }
    const Diagnostics reported = report.Write(options.report);
    std::cerr << reported.ToString();
    if (reported.has_errors()) return kBadInput;
  }
  return kDone;
}

}  // namespace

void AddEdit(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "edit", "Push, load or loosen a figure while it plays a clip");
  auto options = std::make_shared<EditCommand>();
  command->add_option("CLIP", options->clip, "BVH, AMC, glTF, FBX or NPZ")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "the edited clip, .bvh, .glb, .npz or .usda")
      ->required()
      ->type_name("FILE");
  command->add_option("--report", options->report, "what happened")
      ->type_name("FILE.html|json");
  command
      ->add_option("--events", options->events_file,
                   "events on a time line (docs/editing.md)")
      ->type_name("FILE.json");
  for (std::size_t i = 0; i < EventFlags().size(); ++i) {
    const EventFlag& flag = EventFlags()[i];
    command
        ->add_option(
            std::string(flag.name), options->events[i],
            std::string(flag.help) + ", e.g. " + std::string(flag.example))
        ->type_name(std::string(flag.form))
        ->group("Events");
  }
  command
      ->add_option("--preset", options->presets,
                   "loose-arm, loose-head or carried-weight")
      ->group("Events");
  command->add_option("--figure", options->figure, "figure file of the clip")
      ->type_name("FILE");
  command->add_option("--strength", options->strength,
                      "weak, normal, strong, or a share of the figure's own");
  command
      ->add_option("--return", options->return_to,
                   "what comes back after the events: none, pose, path "
                   "(default)")
      ->check(CLI::IsMember({"none", "pose", "path"}));
  command->add_option("--keep", options->keep,
                      "segments that the events do not move, e.g. feet,head");
  command->add_option("--sweep", options->sweeps,
                      "EVENT.FIELD=FROM..TO:STEP, e.g. push.x=-30..30:5: one "
                      "clip per value, and a table");
  command
      ->add_option("--threads", options->threads,
                   "of a sweep; by default as many as there are cores")
      ->check(CLI::Range(1, 1024).description(""));
  command
      ->add_option("--physics-rate", options->rate_hz,
                   "steps a second, at least")
      ->check(CLI::Range(30.0, 10000.0));
  command
      ->add_option("--let-go", options->let_go_deg,
                   "lets go when an event turns a joint by so much; 15 if no "
                   "number follows [deg]")
      ->expected(0, 1)
      ->default_str("15")
      ->check(PositiveNumber(180.0));
  command->add_flag("--no-floor", options->no_floor,
                    "hold the root on its path instead of standing");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Examples:\n"
      "  limber edit data/clips/walk.bvh --push left-forearm@1.2s:10Ns:+x -o "
      "pushed.bvh\n"
      "  limber edit data/clips/walk.bvh --loosen arms@0.5s..2s -o loose.bvh");
  command->callback(
      [options, &job] { job = [options] { return RunEdit(*options); }; });
}

}  // namespace limber::app
