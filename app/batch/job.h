// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::app::batch {

/// One call of the program on one file.
struct BatchJob {
  std::string command;               ///< "retarget".
  std::filesystem::path input;       ///< As the caller wrote it.
  std::vector<std::string> options;  ///< Words: "--to=fat_man", "--copy-only".
  /// Ending of the output without its dot; empty: the command's usual one.
  std::string format;
  /// Where the outputs go below the results' folder, without an ending:
  /// "clips/walk" gives clips/walk.bvh and clips/walk.report.json. No two jobs
  /// of a batch have the same.
  std::string name;
  bool named_by_user = false;
  std::int64_t line = 0;  ///< In the manifest, from 1; 0: there is none.
};

/// How a command that may run in a batch takes its output.
struct CommandForm {
  std::string_view name;
  std::string_view ending;  ///< Of its output; empty: the user must say.
  bool has_output = true;
  bool output_is_word = false;  ///< The word after the input, not -o.
  bool has_report = false;      ///< Else --json prints what was done.
  /// Options that name further outputs, and the ending the batch gives these.
  struct Side {
    std::string_view option;
    std::string_view ending;
  };
  std::vector<Side> sides;
};

/// The commands a batch can run, in alphabetical order.
std::span<const CommandForm> CommandForms();
const CommandForm* FindForm(std::string_view command);
/// "convert, edit, ..."; for messages.
std::string FormNames();

/// What the batch needs to know of an option of a command.
struct OptionForm {
  bool is_flag = false;
};
/// The long options of a command by their name without dashes ("lock-feet").
using OptionTable = std::map<std::string, OptionForm, std::less<>>;
/// Those of every command.
using CommandTable = std::map<std::string, OptionTable, std::less<>>;

/// Why an option may not stand in a job: the batch itself gives it
/// ("--output"), or one job must not change what others see. Empty: it may.
std::string WhyNotAllowed(std::string_view option);

/// The words that run `job` with its outputs in `folder`: command, input,
/// options, outputs.
std::vector<std::string> WordsOf(const BatchJob& job,
                                 const std::filesystem::path& folder);
/// The report that these words make, or an empty path.
std::filesystem::path ReportOf(const BatchJob& job,
                               const std::filesystem::path& folder);

/// Below the results' folder: where the outputs of a job go. A sweep, which
/// writes many files, has a folder of its own.
std::filesystem::path FolderOf(const BatchJob& job);

/// The name of a job on `input`: the file's path below `root` without its
/// ending. A path outside of the root keeps all its folders, ".." becomes
/// "_up", and names that the batch itself uses get an underscore in front.
std::string NameFor(const std::filesystem::path& input,
                    const std::filesystem::path& root);

/// A number for command, input, options and format, and for nothing else.
std::uint64_t HashOf(const BatchJob& job);

/// One of several parts of a batch; together they do every job once.
struct Shard {
  int index = 1;  ///< 1 to count.
  int count = 1;
  bool Has(std::string_view job_name) const;
};
/// "3/40"; nothing for a text of another form or an index out of range.
std::optional<Shard> ParseShard(std::string_view text);

/// The words of a command line, with the quotes and the backslash of a shell
/// and none of its other signs. Nothing if a quote is not closed.
std::optional<std::vector<std::string>> SplitWords(std::string_view text);

}  // namespace limber::app::batch
