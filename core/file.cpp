// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace limber {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string Reason(int error) { return std::generic_category().message(error); }

constexpr int kUsualMode = 0666;  // Less what the umask takes away.

/// A descriptor that `GiveName` can name, or -1 where that does not work.
int OpenNameless(const std::filesystem::path& path) {
#ifdef O_TMPFILE
  // Naming goes through /proc.
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kUsualMode);
#else
  static_cast<void>(path);
  return -1;
#endif
}

/// Names the file of a descriptor, in place of one that a killed program with
/// the same number left behind.
bool GiveName(int descriptor, const std::filesystem::path& name) {
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  ::unlink(name.c_str());
  return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

std::string PathText(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  Diagnostics diagnostics(PathText(path));
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

Diagnostics WriteWholeFile(const std::filesystem::path& path,
                           std::string_view bytes) {
  Diagnostics diagnostics(PathText(path));
  std::filesystem::path temporary = path;
  temporary += ".part" + std::to_string(::getpid());
  // Where the system can, the file has no name until it is whole.
  int descriptor = OpenNameless(path);
  const bool is_nameless = descriptor >= 0;
  if (!is_nameless) {
    descriptor = ::open(temporary.c_str(),
                        O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kUsualMode);
  }
  File file(descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb"));
  if (!file) {
    diagnostics.Error("cannot-write", {}, "cannot write: " + Reason(errno));
    return diagnostics;
  }
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
      std::fflush(file.get()) == 0 &&
      (!is_nameless || GiveName(descriptor, temporary));
  const int write_error = errno;
  file.reset();
  std::error_code error;
  if (!written) {
    std::filesystem::remove(temporary, error);
    diagnostics.Error("cannot-write", {},
                      "cannot write: " + Reason(write_error));
    return diagnostics;
  }
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    diagnostics.Error("cannot-write", {}, "cannot write: " + error.message());
  }
  return diagnostics;
}

Diagnostics CheckWritable(std::span<const std::filesystem::path> paths) {
  Diagnostics all;
  for (const std::filesystem::path& path : paths) {
    if (path.empty()) continue;
    Diagnostics found(PathText(path));
    std::filesystem::path folder = path.parent_path();
    if (folder.empty()) folder = ".";
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      found.Error("cannot-write", {}, "cannot write: " + Reason(EISDIR));
    } else if (!std::filesystem::is_directory(folder, ignored)) {
      found.Error(
          "cannot-write", {},
          "cannot write: there is no folder \"" + PathText(folder) + "\"");
    } else if (::access(folder.c_str(), W_OK) != 0) {
      found.Error("cannot-write", {}, "cannot write: " + Reason(errno));
    }
    all.Append(found);
  }
  return all;
}

}  // namespace limber
