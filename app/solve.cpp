// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/player/record_solved.h"
#include "app/solve_job.h"
#include "app/solve_output.h"
#include "app/solve_report.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "mocap/solve/actor_figure.h"
#include "mocap/solve/judge_solution.h"

namespace limber::app {

namespace {

void CheckCall(const SolveCommand& command) {
  if (command.outputs.empty() && command.report.empty() &&
      command.csv.empty() && command.figure_out.empty()) {
    throw BadCall(
        "nothing to write: name an output with -o out.bvh, or --report, --csv "
        "or --figure-out");
  }
  for (const std::filesystem::path& output : command.outputs) {
    CheckMotionPath(output);
  }
  if (!command.report.empty()) CheckReportPath(command.report);
  ParseFloor(command.floor);
  if ((command.gravity || command.floor_contact) &&
      command.method == "least-squares") {
    throw BadCall(
        "--gravity and --floor-contact act on bodies: add --method physical or "
        "both");
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

/// One command for each person in the take, with outputs named after them. The
/// command itself for one person, and where the user chose one.
std::vector<SolveCommand> PeopleOf(const SolveCommand& command) {
  if (command.subject || !command.actor.empty()) return {command};
  const Result<mocap::MarkerTake> take = LoadTake(command.take, command.load);
  const Result<mocap::OsimModel> model = LoadModel(command);
  if (!take.ok() || !model.ok()) return {command};
  const Result<std::vector<mocap::MarkerSet>> sets =
      LoadSets(command, std::nullopt, *model);
  if (!sets.ok()) return {command};
  const std::vector<std::string> subjects = mocap::FindSubjects(*sets, *take);
  if (subjects.size() < 2) return {command};
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
       command.neutral, command.actor, command.load.asf, command.load.offsets},
      {command.report},
      command.force};
  for (const SolveCommand& person : people) {
    files.outputs.push_back(person.csv);
    files.outputs.push_back(person.figure_out);
    for (const std::filesystem::path& output : person.outputs) {
      for (std::filesystem::path& file : FilesOfMotion(output)) {
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
  const figure::Motion motion = MotionForFiles(solved);
  for (const std::filesystem::path& output : command.outputs) {
    written.Append(WriteMotion(output, motion, solved));
  }
  if (!command.csv.empty()) {
    written.Append(WriteWholeFile(command.csv, FormatAngles(solved)));
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

void PrintJson(const nlohmann::ordered_json& json) {
  std::cout << json.dump(2, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << "\n";
}

int RunSolve(const SolveCommand& command) {
  CheckCall(command);
  if (!command.hold_out.empty()) ParseShare(command.hold_out);
  const std::vector<SolveCommand> people = PeopleOf(command);
  const bool are_several = people.size() > 1;
  if (!CheckJobFiles(FilesOf(command, people))) return kBadInput;
  std::vector<Report> reports;
  Verdict verdict;
  bool has_failed = false;
  for (const SolveCommand& person : people) {
    Result<SolvedTake> result = Solve(person);
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
    SolvedTake& solved = result.value();
    ApplyFloor(command.floor, solved);
    solved.measures = mocap::MeasureSolution(solved.take, solved.calibration,
                                             solved.solution);
    solved.verdict = mocap::JudgeMeasures(solved.measures);
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
