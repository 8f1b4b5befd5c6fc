// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace limber {

/// The file's path as UTF-8 text, for messages.
std::string PathText(const std::filesystem::path& path);

/// Reads a whole file into memory. Errors: "cannot-open" (with the system's
/// reason), "is-directory", "cannot-read".
Result<std::string> ReadWholeFile(const std::filesystem::path& path);

/// Writes `bytes` beside `path` and renames the result over it, so that a stop
/// at any moment leaves the old file or the new one, never half of it; both the
/// bytes and the name are on the disk before this returns (but see
/// `LeaveDiskToCaller`). A file that was
/// there keeps its mode, a symbolic link is written through, and what a killed
/// writer of the same file left behind is removed. Devices and pipes get the
/// bytes directly. The returned diagnostics are empty, or hold one error that
/// says why: "cannot-write", or what a `FileGuard` of core/job_files.h refuses.
Diagnostics WriteWholeFile(const std::filesystem::path& path,
                           std::string_view bytes);

/// From now on files that this process writes take their place as ever, but may
/// reach the disk later. For a process whose caller puts the results of many on
/// the disk together, and only then reports success: a job of a batch.
void LeaveDiskToCaller();

/// A file that another program fills and that gets its name when it is whole,
/// by the rules of `WriteWholeFile`. Without `Commit` nothing remains.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Why there is none; else empty.
  const Diagnostics& findings() const { return findings_; }
  /// Open for writing, or -1.
  int descriptor() const { return descriptor_; }
  /// A name under which other processes of this user can open the file now.
  std::filesystem::path WorkingName() const;
  /// Puts the file on the disk and in its place.
  Diagnostics Commit();

 private:
  bool OpenTemporary();
  bool PutInPlace();
  Diagnostics Failure(int error);

  std::filesystem::path path_;       ///< As the caller named it.
  std::filesystem::path target_;     ///< Where the links lead.
  std::filesystem::path temporary_;  ///< Beside the target; empty: no name.
  Diagnostics findings_;
  int descriptor_ = -1;
  bool is_stream_ = false;  ///< A device or a pipe, written directly.
};

/// What would stop `WriteWholeFile` now: a folder that is not there or may not
/// be written to, or a folder of that name. For asking before long work; empty
/// paths are nothing to write. "cannot-write" for each that fails.
Diagnostics CheckWritable(std::span<const std::filesystem::path> paths);

}  // namespace limber
