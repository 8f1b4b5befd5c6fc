// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "core/job_files.h"

namespace limber {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string Reason(int error) { return std::generic_category().message(error); }

}  // namespace

std::string PathText(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  Diagnostics diagnostics(PathText(path));
  if (const Diagnostics refused = FileGuard::NoteRead(path);
      refused.has_errors()) {
    return Result<std::string>(refused);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    diagnostics.Error("is-directory", {}, "expected a file, found a directory");
    return Result<std::string>(std::move(diagnostics));
  }
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    diagnostics.Error("cannot-open", {}, "cannot open: " + Reason(errno));
    return Result<std::string>(std::move(diagnostics));
  }
  // The size is only a hint: pipes have none, and files may grow.
  std::string bytes;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored) bytes.reserve(static_cast<std::size_t>(size) + 1);
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  while (true) {
    const std::size_t old_size = bytes.size();
    const std::size_t room = std::max(kChunk, bytes.capacity() - old_size);
    bytes.resize(old_size + room);
    const std::size_t got =
        std::fread(bytes.data() + old_size, 1, room, file.get());
    bytes.resize(old_size + got);
    if (got < room) break;
  }
  if (std::ferror(file.get())) {
    diagnostics.Error("cannot-read", {}, "cannot read: " + Reason(errno));
    return Result<std::string>(std::move(diagnostics));
  }
  return Result<std::string>(std::move(bytes), std::move(diagnostics));
}

Diagnostics CheckWritable(std::span<const std::filesystem::path> paths) {
  Diagnostics all;
  for (const std::filesystem::path& path : paths) {
    if (path.empty()) continue;
    Diagnostics found(PathText(path));
    const std::filesystem::path target = ResolvedPath(path);
    std::filesystem::path folder = path.parent_path();
    if (folder.empty()) folder = ".";
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored)) {
      folder = target.parent_path();
    }
    if (std::filesystem::is_directory(path, ignored)) {
      found.Error("cannot-write", {}, "cannot write: " + Reason(EISDIR));
    } else if (!std::filesystem::is_directory(folder, ignored)) {
      found.Error(
          "cannot-write", {},
          "cannot write: there is no folder \"" + PathText(folder) + "\"");
    } else if (std::filesystem::is_other(path, ignored)) {
      // A device or a pipe needs no place in its folder.
      if (::access(path.c_str(), W_OK) == 0) continue;
      found.Error("cannot-write", {}, "cannot write: " + Reason(errno));
    } else if (::access(folder.c_str(), W_OK) != 0 ||
               (std::filesystem::exists(target, ignored) &&
                ::access(target.c_str(), W_OK) != 0)) {
      found.Error("cannot-write", {}, "cannot write: " + Reason(errno));
    }
    all.Append(found);
  }
  return all;
}

}  // namespace limber
