// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/batch/job.h"
#include "core/result.h"

namespace limber::app::batch {

/// More findings than that help nobody: reading ends with them.
inline constexpr std::size_t kMostFindings = 20;

/// Where jobs come from, one after another, as often as wanted: a batch reads
/// its jobs two or three times and holds none of them, so that a million fit.
class JobSource {
 public:
  virtual ~JobSource() = default;
  /// Begins again with the first job.
  virtual void Rewind() = 0;
  /// The next job, or nothing at the end. What cannot be made a job becomes an
  /// error in `findings`, and the one after it is returned; nothing once there
  /// are `kMostFindings`.
  virtual std::optional<BatchJob> Next(Diagnostics& findings) = 0;
  /// Passes over the next job without taking it apart, which is far quicker.
  /// Only where a first reading had no errors.
  virtual void Skip() = 0;
};

/// Jobs of a file with one JSON object a line:
///
///     {"command": "retarget", "input": "a.bvh", "to": "fat_man"}
///
/// Beside "command" and "input" a line may have "name" (where the outputs go,
/// without an ending), "format" (ending of the output) and the long options of
/// its command, with "_" or "-": a text or number for an option with a value,
/// true or false for one without, an array for one that is given repeatedly.
/// Empty lines are skipped.
class Manifest : public JobSource {
 public:
  /// @param commands  must outlive this object.
  /// Opening fails as in `ReadWholeFile`; `open_findings` tells.
  Manifest(std::filesystem::path path, const CommandTable& commands);

  const Diagnostics& open_findings() const { return open_findings_; }
  void Rewind() override;
  std::optional<BatchJob> Next(Diagnostics& findings) override;
  void Skip() override;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  /// The next line without its newline; false at the end of the file.
  bool ReadLine(Diagnostics& findings);

  std::filesystem::path path_;
  const CommandTable& commands_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  Diagnostics open_findings_;
  std::string line_;
  std::int64_t line_number_ = 0;
};

/// The job of one line of a manifest, or the reasons why it is none, at
/// `line`. For `Manifest`.
std::optional<BatchJob> ParseJob(std::string_view text, std::int64_t line,
                                 const CommandTable& commands,
                                 Diagnostics& findings);

/// The same command on many files.
class FileJobs : public JobSource {
 public:
  /// @param job   command, options and format of every job.
  /// @param root  names of jobs are paths below it; without it they are the
  ///              names of the files alone.
  FileJobs(std::vector<std::filesystem::path> files,
           std::optional<std::filesystem::path> root, BatchJob job);
  void Rewind() override { next_ = 0; }
  std::optional<BatchJob> Next(Diagnostics& findings) override;
  void Skip() override { next_ = std::min(next_ + 1, files_.size()); }

 private:
  std::vector<std::filesystem::path> files_;
  std::optional<std::filesystem::path> root_;
  BatchJob job_;
  std::size_t next_ = 0;
};

/// The files a pattern stands for, sorted: `*` and `?` within a name, `[abc]`,
/// and `**` for any number of folders. A plain name stands for itself.
std::vector<std::filesystem::path> FilesOf(const std::string& pattern);
/// The folders of a pattern in front of its first sign: "clips" of
/// "clips/**/*.bvh".
std::filesystem::path RootOf(const std::string& pattern);

/// What the first reading of a source found out.
class JobPlan {
 public:
  /// Reads all jobs once. Errors beside those of the source: "same-job" for one
  /// that is there twice, "same-name" for a name given to two jobs.
  static Result<JobPlan> Make(JobSource& source, const std::string& file);

  std::int64_t num_jobs() const { return std::int64_t(names_.size()); }
  /// By job, in the order of the source: `StableHash` of its settled name, or
  /// nothing where `Settle` has to see the job to say it.
  std::optional<std::uint64_t> NameHash(std::size_t i) const {
    return names_[i] != 0 ? std::optional(names_[i]) : std::nullopt;
  }
  /// Gives a job its own name where others would have the same: its hash is
  /// put behind it.
  void Settle(BatchJob& job) const;

 private:
  std::vector<std::uint64_t> names_;      ///< 0: see `NameHash`.
  std::vector<std::uint64_t> ambiguous_;  ///< Hashes of names, sorted.
};

}  // namespace limber::app::batch
