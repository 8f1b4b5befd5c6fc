// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/job.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "app/batch/sha256.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportEnding = ".report.json";
constexpr std::string_view kSweepEnding = ".sweep";

const std::array<CommandForm, 6>& Forms() {
  static const std::array<CommandForm, 6> forms = {{
      {.name = "convert", .ending = "", .output_is_word = true, .sides = {}},
      {.name = "edit", .ending = "bvh", .has_report = true, .sides = {}},
      {.name = "markers", .ending = "c3d", .sides = {}},
      {.name = "measure",
       .ending = "",
       .has_output = false,
       .has_report = true,
       .sides = {}},
      {.name = "retarget", .ending = "bvh", .has_report = true, .sides = {}},
      {.name = "solve",
       .ending = "bvh",
       .has_report = true,
       .sides = {{"csv", ".csv"}, {"figure-out", ".figure.json"}}},
  }};
  return forms;
}

/// The option's name in "--name=value" or "--name"; empty for other words.
std::string_view OptionName(std::string_view word) {
  if (!word.starts_with("--") || word.size() == 2) return {};
  return word.substr(2, word.find('=') - 2);
}

bool IsSweep(const BatchJob& job) {
  return std::ranges::any_of(job.options, [](const std::string& word) {
    return OptionName(word) == "sweep";
  });
}

std::string Ending(const BatchJob& job, const CommandForm& form) {
  return "." + (job.format.empty() ? std::string(form.ending) : job.format);
}

/// The last part of a job's name.
std::string StemOf(const BatchJob& job) {
  return PathText(fs::path(job.name).filename());
}

/// Names in the results' folder that are the batch's own: the log and its
/// shards, the summary and its page, the folder of Slurm, hidden ones.
bool IsTaken(std::string_view first) {
  const std::string_view stem = first.substr(0, first.find('.'));
  return first.starts_with('.') || stem == "log" || stem == "summary" ||
         stem == "index" || stem == "slurm";
}

}  // namespace

std::span<const CommandForm> CommandForms() { return Forms(); }

const CommandForm* FindForm(std::string_view command) {
  const auto found = std::ranges::find(Forms(), command, &CommandForm::name);
  return found == Forms().end() ? nullptr : &*found;
}

std::string FormNames() {
  std::string names;
  for (const CommandForm& form : Forms()) {
    names += (names.empty() ? "" : ", ") + std::string(form.name);
  }
  return names;
}

std::string WhyNotAllowed(std::string_view option) {
  if (option == "output" || option == "report") {
    return "the batch itself names outputs and reports";
  }
  if (option == "json") return "the batch itself reads the reports";
  if (option == "force") return "a batch never replaces its inputs";
  if (option == "jobs" || option == "threads") {
    return "the batch itself shares out the cores";
  }
  if (option == "help") return "it does no work";
  return "";
}

std::vector<std::string> WordsOf(const BatchJob& job, const fs::path& folder) {
  const CommandForm& form = *FindForm(job.command);
  const std::string stem = PathText(folder / StemOf(job));
  std::vector<std::string> words = {job.command, PathText(job.input)};
  if (form.has_output && form.output_is_word) {
    words.push_back(stem + Ending(job, form));
  }
  for (const std::string& word : job.options) {
    const auto side = std::ranges::find(form.sides, OptionName(word),
                                        &CommandForm::Side::option);
    words.push_back(side == form.sides.end()
                        ? word
                        : "--" + std::string(side->option) + "=" + stem +
                              std::string(side->ending));
  }
  if (IsSweep(job)) words.emplace_back("--threads=1");
  if (form.has_output && !form.output_is_word) {
    words.push_back("--output=" + stem + Ending(job, form));
  }
  if (form.has_report) {
    words.push_back("--report=" + PathText(ReportOf(job, folder)));
  } else {
    words.emplace_back("--json");
  }
  return words;
}

fs::path ReportOf(const BatchJob& job, const fs::path& folder) {
  if (!FindForm(job.command)->has_report) return {};
  return folder / (StemOf(job) + std::string(kReportEnding));
}

fs::path FolderOf(const BatchJob& job) {
  if (IsSweep(job)) return job.name + std::string(kSweepEnding);
  return fs::path(job.name).parent_path();
}

std::string NameFor(const fs::path& input, const fs::path& root) {
  fs::path below = input.lexically_normal();
  if (!root.empty()) {
    const fs::path relative = below.lexically_relative(root.lexically_normal());
    if (!relative.empty() && *relative.begin() != "..") below = relative;
  }
  below = below.relative_path();
  below.replace_extension();
  std::string name;
  for (const fs::path& part : below) {
    std::string text = PathText(part);
    if (text.empty() || text == ".") continue;
    if (text == "..") text = "_up";
    // A folder that looks like that of a sweep is none.
    if (text.ends_with(kSweepEnding)) text += "_";
    if (name.empty() && IsTaken(text)) text.insert(0, 1, '_');
    name += (name.empty() ? "" : "/") + text;
  }
  return name.empty() ? "_" : name;
}

std::uint64_t HashOf(const BatchJob& job) {
  // No word holds a zero byte, so different jobs give different texts.
  std::string text =
      job.command + '\0' + job.input.native() + '\0' + job.format;
  for (const std::string& word : job.options) text += '\0' + word;
  return StableHash(text);
}

bool Shard::Has(std::string_view job_name) const {
  return StableHash(job_name) % static_cast<std::uint64_t>(count) ==
         static_cast<std::uint64_t>(index - 1);
}

std::optional<Shard> ParseShard(std::string_view text) {
  Shard shard;
  const auto number = [](std::string_view part, int& value) {
    const auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size();
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos ||
      !number(text.substr(0, slash), shard.index) ||
      !number(text.substr(slash + 1), shard.count) || shard.index < 1 ||
      shard.index > shard.count) {
    return std::nullopt;
  }
  return shard;
}

std::optional<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // Of a word, which may be empty: ''.
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
      inside = true;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != '\0') return std::nullopt;
  if (inside) words.push_back(std::move(word));
  return words;
}

}  // namespace limber::app::batch
