// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "core/diagnostics.h"

namespace limber {

/// The file that `path` names after all symbolic links, as an absolute path
/// without dots. The file, and the last of the links' targets, need not exist.
std::filesystem::path ResolvedPath(const std::filesystem::path& path);

/// Whether two names mean one file: by device and inode where both exist, so
/// that hard links and bind mounts count, and else by `ResolvedPath`. Devices
/// and pipes are never one file: many jobs may write to /dev/null.
bool IsSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// What a job would lose if it ran: an error "output-is-input" for each output
/// that is also read, and "output-twice" for each that is written under two
/// names. Empty paths are no files. For asking before any work.
Diagnostics CheckOutputs(std::span<const std::filesystem::path> inputs,
                         std::span<const std::filesystem::path> outputs);

/// Keeps the files of a running job apart, also those that only turn up on the
/// way: the clips of a scene, the skeleton beside an AMC file. While it lives,
/// `ReadWholeFile` refuses what is one of `outputs`, and `WriteWholeFile`
/// what has been read or written since, in the words of `CheckOutputs`. One
/// guard at a time; threads of the job share it.
class FileGuard {
 public:
  explicit FileGuard(std::span<const std::filesystem::path> outputs);
  ~FileGuard();
  FileGuard(const FileGuard&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;

  /// Further outputs, with an error for each that has been read already.
  Diagnostics AddOutputs(std::span<const std::filesystem::path> outputs);

  /// What the readers and writers of core/file.h ask; both note the file.
  /// Without a living guard there is nothing to say.
  static Diagnostics NoteRead(const std::filesystem::path& path);
  static Diagnostics NoteWrite(const std::filesystem::path& path);
};

}  // namespace limber
