// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/player/record_solved.h"
#include "app/progress.h"
#include "app/reports/describe.h"
#include "app/reports/solve_report.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/solve_save.h"
#include "mocap/io/osim.h"
#include "mocap/solve/actor_figure.h"

namespace limber::app {

namespace {

/// A call of `limber solve`.
struct SolveCommand {
  std::filesystem::path take;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path standing;
  std::filesystem::path marker_set;
  std::filesystem::path model;
  std::filesystem::path tasks;  ///< A file, or the word "equal".
  std::filesystem::path neutral;
  std::filesystem::path actor;
  std::filesystem::path figure_out;
  std::filesystem::path csv;
  std::filesystem::path report;
  std::optional<std::string> subject;
  std::string method = "least-squares";
  std::string hold_out;
  std::string floor;
  LoadOptions load;
  bool asymmetric = false;
  bool no_clean_up = false;
  bool gravity = false;
  bool floor_contact = false;
  bool force = false;
  bool json = false;
};

/// "10%", "10 %" or "0.1", above 0 and up to a half. @throws BadCall.
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

/// The height of --floor, or nothing for "found" and for no word at all.
/// @throws BadCall for other words.
std::optional<double> ParseFloor(const std::string& floor) {
  if (floor.empty() || floor == "found") return std::nullopt;
  double height = 0.0;
  const char* end = floor.data() + floor.size();
  const std::from_chars_result result =
      std::from_chars(floor.data(), end, height);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(height)) {
    throw BadCall("--floor \"" + floor +
                  "\": expected a height in metres or \"found\"");
  }
  return height;
}

void CheckCall(const SolveCommand& command) {
  if (command.outputs.empty() && command.report.empty() &&
      command.csv.empty() && command.figure_out.empty()) {
    throw BadCall(
        "nothing to write: name an output with -o out.bvh, or --report, --csv "
        "or --figure-out");
  }
  for (const std::filesystem::path& output : command.outputs) {
    jobs::CheckMotionPath(output);
  }
  if (!command.report.empty()) CheckReportPath(command.report);
  ParseFloor(command.floor);
  if ((command.gravity || command.floor_contact) &&
      command.method == "least-squares") {
    throw BadCall(
        "--gravity and --floor-contact act on bodies: add --method physical or "
        "both");
  }
  if (!command.tasks.empty() && command.model.empty()) {
    throw BadCall(
        "--tasks weighs the markers of a model: add --model scaled.osim");
  }
  if (!command.actor.empty() && !command.standing.empty()) {
    throw BadCall(
        "--actor brings its own calibration, --static asks for a new one: "
        "give one of them");
  }
}

/// "out.bvh" for "Anna Berg" is "out_Anna_Berg.bvh".
std::filesystem::path NamedAfter(const std::filesystem::path& path,
                                 const std::string& subject) {
  if (path.empty()) return path;
  std::string name = subject.empty() ? "unnamed" : subject;
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) == 0 && c != '-') c = '_';
  }
  std::filesystem::path named = path.stem();
  named += "_" + name;
  named += path.extension();
  return path.parent_path() / named;
}

/// Everything that the job needs from files.
struct SolveInput {
  mocap::MarkerTake take;
  jobs::SolveOptions options;
};

Result<SolveInput> LoadInput(const SolveCommand& command) {
  using Input = Result<SolveInput>;
  Result<mocap::MarkerTake> take = LoadTake(command.take, command.load);
  Diagnostics findings = take.diagnostics();
  if (!take.ok()) return Input(std::move(findings));
  SolveInput input{std::move(take).value(), {}};
  jobs::SolveOptions& options = input.options;
  options.file = PathText(command.take);
  options.subject = command.subject;
  options.method = command.method == "physical" ? jobs::SolveMethod::kPhysical
                   : command.method == "both"
                       ? jobs::SolveMethod::kBoth
                       : jobs::SolveMethod::kLeastSquares;
  options.floor = ParseFloor(command.floor);
  options.ground = command.floor == "found";
  options.asymmetric = command.asymmetric;
  options.clean_up = !command.no_clean_up;
  options.gravity = command.gravity;
  options.floor_contact = command.floor_contact;
  if (!command.hold_out.empty())
    options.hold_out = ParseShare(command.hold_out);
  const auto add = [&findings](const auto& read) {
    findings.Append(read.diagnostics());
    return read.ok();
  };
  if (!command.actor.empty()) {
    const Result<mocap::Actor> actor = jobs::LoadActor(command.actor);
    if (!add(actor)) return Input(std::move(findings));
    options.actor = *actor;
  }
  if (!command.model.empty()) {
    const Result<mocap::OsimModel> model = mocap::ReadOsimFile(command.model);
    if (!add(model)) return Input(std::move(findings));
    options.model = *model;
    options.model_file = PathText(command.model);
  }
  if (!command.tasks.empty()) {
    const Result<mocap::OsimTasks> tasks = jobs::LoadTasks(
        command.tasks, options.model.value_or(mocap::OsimModel()));
    if (!add(tasks)) return Input(std::move(findings));
    options.tasks = *tasks;
    options.tasks_file = PathText(command.tasks);
  }
  if (!command.marker_set.empty()) {
    const Result<mocap::MarkerSet> set =
        jobs::LoadMarkerSet(command.marker_set);
    if (!add(set)) return Input(std::move(findings));
    options.marker_sets = {*set};
  }
  for (const auto& [path, named] :
       {std::pair(&command.standing, &options.standing),
        std::pair(&command.neutral, &options.neutral)}) {
    if (path->empty()) continue;
    Result<mocap::MarkerTake> other = LoadTake(*path, command.load);
    if (!add(other)) return Input(std::move(findings));
    *named = jobs::NamedTake{std::move(other).value(), PathText(*path)};
  }
  return {std::move(input), std::move(findings)};
}

/// One command for each person in the take, with outputs named after them. The
/// command itself for one person, and where the user chose one.
std::vector<SolveCommand> PeopleOf(const SolveCommand& command,
                                   const Result<SolveInput>& input) {
  if (command.subject || !command.actor.empty() || !input.ok()) {
    return {command};
  }
  const std::vector<std::string> subjects =
      jobs::SubjectsOf(input->take, input->options);
  if (subjects.empty()) return {command};
  std::vector<SolveCommand> people;
  for (const std::string& subject : subjects) {
    SolveCommand person = command;
    person.subject = subject;
    for (std::filesystem::path& output : person.outputs) {
      output = NamedAfter(output, subject);
    }
    person.csv = NamedAfter(command.csv, subject);
    person.figure_out = NamedAfter(command.figure_out, subject);
    people.push_back(std::move(person));
  }
  return people;
}

/// All that the call reads and writes.
JobFiles FilesOf(const SolveCommand& command,
                 const std::vector<SolveCommand>& people) {
  JobFiles files{
      {command.take, command.standing, command.marker_set, command.model,
       command.tasks == "equal" ? std::filesystem::path() : command.tasks,
       command.neutral, command.actor, command.load.asf, command.load.offsets},
      {command.report},
      command.force};
  for (const SolveCommand& person : people) {
    files.outputs.push_back(person.csv);
    files.outputs.push_back(person.figure_out);
    for (const std::filesystem::path& output : person.outputs) {
      for (std::filesystem::path& file : jobs::FilesOfMotion(output)) {
        files.outputs.push_back(std::move(file));
      }
    }
  }
  return files;
}

/// Writes all but the report.
Diagnostics WriteOutputs(const SolveCommand& command,
                         const SolvedTake& solved) {
  Diagnostics written;
  for (const std::filesystem::path& output : command.outputs) {
    written.Append(jobs::Save(solved, output));
  }
  if (!command.csv.empty()) {
    written.Append(WriteWholeFile(command.csv, jobs::FormatAngles(solved)));
  }
  if (!command.figure_out.empty()) {
    const Result<figure::FigureModel> figure =
        mocap::FigureFromActor(solved.calibration.actor);
    written.Append(figure.diagnostics());
    if (figure.ok()) {
      written.Append(figure::WriteFigureFile(command.figure_out, *figure));
    }
  }
  return written;
}

/// "  wrote out.amc and its skeleton out.asf (...)\n".
std::string WrittenLine(const std::filesystem::path& path,
                        const SolvedTake& solved) {
  std::string line = "  wrote " + PathText(path);
  if (FormatFromName(path) == Format::kAmc) {
    std::array<char, 32> rate;
    std::snprintf(rate.data(), rate.size(), "%g", solved.take.rate_hz);
    line += " and its skeleton " + PathText(AsfPathOf(path)) +
            " (an AMC stores no rate: it is " + rate.data() + " Hz)";
  }
  if (FormatFromName(path) == Format::kSto && solved.model) {
    line += " (the model's own coordinates)";
  } else if (FormatFromName(path) == Format::kSto) {
    line += solved.family == mocap::OpenSimFamily::kGait2354
                ? " (coordinates as in gait2354: bent knees are negative)"
                : " (coordinates as in Rajagopal's model: bent knees are "
                  "positive)";
  }
  return line + "\n";
}

/// Solves for one person, with a line of progress.
Result<SolvedTake> SolveOne(const Result<SolveInput>& input,
                            const SolveCommand& person) {
  Diagnostics findings = input.diagnostics();
  if (!input.ok()) return Result<SolvedTake>(std::move(findings));
  jobs::SolveOptions options = input->options;
  options.subject = person.subject;
  Progress progress("solving");
  options.progress = [&progress](double share) {
    progress.Show(share);
    return true;
  };
  Result<SolvedTake> solved = jobs::Solve(input->take, options);
  findings.Append(solved.diagnostics());
  if (!solved.ok()) return Result<SolvedTake>(std::move(findings));
  return {std::move(solved).value(), std::move(findings)};
}

void PrintJson(const nlohmann::ordered_json& json) {
  std::cout << json.dump(2, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << "\n";
}

int RunSolve(const SolveCommand& command) {
  CheckCall(command);
  if (!command.hold_out.empty()) ParseShare(command.hold_out);
  const Result<SolveInput> input = LoadInput(command);
  const std::vector<SolveCommand> people = PeopleOf(command, input);
  const bool are_several = people.size() > 1;
  if (!CheckJobFiles(FilesOf(command, people))) return kBadInput;
  std::vector<Report> reports;
  Verdict verdict;
  bool has_failed = false;
  for (const SolveCommand& person : people) {
    const Result<SolvedTake> result = SolveOne(input, person);
    const Diagnostics findings = result.diagnostics();
    std::cerr << findings.ToString();
    if (!result.ok()) {
      has_failed = true;
      if (command.json && !are_several) {
        PrintJson({{"take", PathText(command.take)},
                   {"errors", ToJson(findings.all())}});
      }
      continue;
    }
    const SolvedTake& solved = *result;
    verdict.Append(
        WithSubject(solved.verdict, are_several ? solved.subject : ""));
    reports.push_back(MakeSolveReport(solved, findings));
    if (IsPage(command.report)) {
      const std::optional<PlayerRecording> played = RecordSolved(solved);
      if (played) reports.back().AddPlayer(*played);
    }
    const Diagnostics written = WriteOutputs(person, solved);
    std::cerr << written.ToString();
    has_failed |= written.has_errors();
    if (command.json) continue;
    std::cout << Summary(solved);
    if (written.has_errors()) continue;
    for (const std::filesystem::path& output : person.outputs) {
      std::cout << WrittenLine(output, solved);
    }
  }
  if (reports.empty()) return kBadInput;
  const SolveReports all(PathText(command.take), std::move(reports), verdict);
  if (!command.report.empty()) {
    const Diagnostics written = all.Write(command.report);
    std::cerr << written.ToString();
    has_failed |= written.has_errors();
  }
  if (command.json) {
    PrintJson(all.ToJson());
  } else {
    std::cout << verdict.ToString() << "\n";
  }
  return has_failed ? kBadInput : ExitCodeOf(verdict);
}

}  // namespace

void AddSolve(CLI::App& app, Job& job) {
  CLI::App* sub = app.add_subcommand(
      "solve",
      "Markers to skeletal motion: recognises the marker set, calibrates the "
      "actor, repairs labels, bridges gaps");
  auto command = std::make_shared<SolveCommand>();
  sub->add_option("TAKE", command->take, "C3D or TRC")
      ->required()
      ->type_name("");
  sub->add_option("-o,--output", command->outputs,
                  "file to write: .bvh, .glb, .npz, .usda, .amc (its skeleton "
                  "goes beside "
                  "it as .asf), "
                  ".csv (joint angles) or .mot (OpenSim's coordinates); may be "
                  "repeated")
      ->type_name("FILE");
  sub->add_option("--report", command->report,
                  "what was done and how well it fits, .json or .html")
      ->type_name("FILE");
  sub->add_option("--static", command->standing,
                  "a standing pose of the same person with the same markers: "
                  "helps calibration")
      ->type_name("FILE");
  sub->add_option("--actor", command->actor,
                  "a figure written by --figure-out: no calibration is done")
      ->type_name("FILE");
  sub->add_option("--marker-set", command->marker_set,
                  "marker-set file, or the name of a built-in set; without it "
                  "the labels decide")
      ->type_name("FILE");
  sub->add_option("--model", command->model,
                  "OpenSim model (.osim) or marker set (.xml): its markers "
                  "tell labels, segments and places")
      ->type_name("FILE");
  sub->add_option("--tasks", command->tasks,
                  "inverse-kinematics set-up of OpenSim (.xml) with the "
                  "weights of the markers, or \"equal\": the model of --model "
                  "follows the markers with its own joints, and .mot holds its "
                  "coordinates")
      ->type_name("FILE");
  sub->add_option("--neutral", command->neutral,
                  "a standing pose of the same person: joint angles in .csv "
                  "and .mot are counted from it")
      ->type_name("FILE");
  sub->add_option("--subject", command->subject,
                  "which person, if the labels have several prefixes; without "
                  "it all of them, one output each")
      ->type_name("NAME");
  sub->add_option("--method", command->method,
                  "least-squares, physical (bodies in a world, each frame from "
                  "the past only) or both: compared in the report, the first "
                  "is written")
      ->type_name("METHOD")
      ->check(
          CLI::IsMember({"least-squares", "physical", "both"}).description(""));
  sub->add_option("--hold-out", command->hold_out,
                  "also solve without this share of the markers, such as 10%, "
                  "and report how far off these are")
      ->type_name("SHARE");
  sub->add_option("--figure-out", command->figure_out,
                  "write the calibrated actor with masses and marker sites")
      ->type_name("FILE");
  sub->add_option("--csv", command->csv, "write joint angles in degrees")
      ->type_name("FILE");
  sub->add_option("--floor", command->floor,
                  "height of the floor in the take [m], or \"found\": the "
                  "output then stands on 0")
      ->type_name("HEIGHT");
  sub->add_flag("--gravity", command->gravity,
                "physical method: the figure has weight");
  sub->add_flag("--floor-contact", command->floor_contact,
                "physical method: soles do not go through the floor, which is "
                "given by --floor or found");
  sub->add_flag("--asymmetric", command->asymmetric,
                "let left and right bones have different lengths");
  sub->add_flag("--no-clean-up", command->no_clean_up, "believe every label");
  sub->add_flag("--json", command->json, "print the report for machines");
  AddForceOption(*sub, command->force);
  AddLoadOptions(*sub, command->load);
  sub->footer(
      "Example:\n"
      "  limber solve take.c3d -o take.bvh --report take.html\n"
      "  limber solve walk.c3d --static stand.c3d -o walk.bvh --csv walk.csv");
  sub->callback(
      [command, &job] { job = [command] { return RunSolve(*command); }; });
}

}  // namespace limber::app
