// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "app/batch/worker.h"
#include "app/commands/command.h"
#include "app/exit_code.h"
#include "app/progress.h"
#include "app/reports/report.h"
#include "core/suggest.h"

namespace limber::app {

namespace {

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

/// One sentence on what is wrong with a command line that did not parse, and
/// what was probably meant.
std::string Explain(const CLI::App& app, const CLI::ParseError& error,
                    const std::vector<std::string>& words) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    if (words.empty()) return "a command is missing";
    const std::string& word = words.front();
    const bool is_option = word.starts_with("-");
    std::string text =
        (is_option ? "no such option: " : "no such command: ") + Quoted(word);
    const std::optional<std::string> meant =
        Suggest(word, is_option ? OptionNames(app) : CommandNames(app));
    if (meant) text += "; did you mean " + Quoted(*meant) + "?";
    return text;
  }
  const CLI::App& command = *chosen.front();
  const std::vector<std::string> known = OptionNames(command);
  for (std::string word : words) {
    word = word.substr(0, word.find('='));
    if (!word.starts_with("--") || word == "--" ||
        std::ranges::find(known, word) != known.end()) {
      continue;
    }
    std::string text = "no such option: " + Quoted(word);
    if (const std::optional<std::string> meant = Suggest(word, known)) {
      text += "; did you mean " + Quoted(*meant) + "?";
    }
    return text;
  }
  return error.what();
}

/// Parses and does what the words ask for; only parses with `only_check`.
int Run(int argc, char** argv, bool only_check);

/// The program as a part of itself, for the jobs of a batch.
int RunWords(const std::vector<std::string>& words, bool only_check) {
  std::vector<std::string> copies = {"limber"};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(copies.size());
  if (!only_check) SetCommandLine(argc, argv.data());
  return Run(argc, argv.data(), only_check);
}

int Run(int argc, char** argv, bool only_check) {
  CLI::App app("Human motion: mocap files in, mocap files out.", "limber");
  app.set_version_flag("--version", "limber " LIMBER_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 the input is bad, 2 the call is wrong, 3 a scene "
      "fails its criteria.\n"
      "`limber COMMAND --help` explains a command with an example.");
  app.failure_message(CLI::FailureMessage::simple);
  Job job;
  const batch::Program program{
      .run = [](const auto& words) { return RunWords(words, false); },
      .check = [](const auto& words) { return RunWords(words, true); }};
  AddBatch(app, job, program);
  AddInfo(app, job);
  AddConvert(app, job);
  AddEdit(app, job);
  AddFigure(app, job);
  AddMarkerSet(app, job);
  AddMarkers(app, job);
  AddMeasure(app, job);
  AddPage(app, job);
  AddRetarget(app, job, program);
  AddSimulate(app, job);
  AddSolve(app, job);
  AddCombine(app, job);
#ifdef LIMBER_HAS_VIEWER
  AddView(app, job);
#endif
  try {
    app.parse(argc, argv);
    if (only_check) return kDone;
    const std::string name = app.get_subcommands().front()->get_name();
    std::optional<Working> working;
    // A batch tells its own progress, and copies its process: no other thread.
    if (name != "view" && name != "batch") working.emplace(name);
    return job();
  } catch (const CLI::Success& success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::cerr << "limber: " << Explain(app, error, words) << "\n";
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    std::cerr << "Try: limber "
              << (chosen.empty() ? "" : chosen.front()->get_name() + " ")
              << "--help\n";
    return kBadCall;
  } catch (const BadCall& error) {
    std::cerr << "limber: " << error.what() << "\n";
    return kBadCall;
  }
}

}  // namespace

}  // namespace limber::app

int main(int argc, char** argv) {
  // A file that reaches the user's limit is an error with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    limber::app::SetCommandLine(argc, argv);
    const int code = limber::app::Run(argc, argv, false);
    // A full disk or a closed pipe must not look like success.
    std::cout.flush();
    if (!std::cout) {
      std::cerr << "limber: cannot write to standard output\n";
      return limber::app::kBadInput;
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << "limber: " << limber::app::WordsOf(error) << "\n";
    return limber::app::kBadInput;
  }
}
