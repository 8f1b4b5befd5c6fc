// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/job_files.h"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/file.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

/// What tells a file from others.
struct Identity {
  bool exists = false;
  bool is_stream = false;  ///< A device, a pipe or a socket.
  dev_t device = 0;
  ino_t inode = 0;
  fs::path path;  ///< Resolved.
};

Identity IdentityOf(const fs::path& path) {
  Identity identity;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    identity.exists = true;
    identity.is_stream = !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    identity.device = status.st_dev;
    identity.inode = status.st_ino;
  }
  identity.path = ResolvedPath(path);
  return identity;
}

bool IsSame(const Identity& a, const Identity& b) {
  if (a.is_stream || b.is_stream) return false;
  const bool same_inode =
      a.exists && b.exists && a.device == b.device && a.inode == b.inode;
  return same_inode || a.path == b.path;
}

/// Files under the names that their user knows, found by `IsSame`.
class FileSet {
 public:
  void Add(const fs::path& name, const Identity& identity) {
    if (identity.is_stream) return;
    by_path_.emplace(identity.path, name);
    if (identity.exists) {
      by_inode_.emplace(std::pair(identity.device, identity.inode), name);
    }
  }
  void Add(std::span<const fs::path> names) {
    for (const fs::path& name : names) {
      if (!name.empty()) Add(name, IdentityOf(name));
    }
  }
  /// The name of the same file, or nothing.
  const fs::path* Find(const Identity& identity) const {
    if (identity.is_stream) return nullptr;
    const auto path = by_path_.find(identity.path);
    if (path != by_path_.end()) return &path->second;
    if (!identity.exists) return nullptr;
    const auto inode = by_inode_.find({identity.device, identity.inode});
    return inode == by_inode_.end() ? nullptr : &inode->second;
  }

 private:
  std::map<fs::path, fs::path> by_path_;
  std::map<std::pair<dev_t, ino_t>, fs::path> by_inode_;
};

Diagnostics IsInput(const fs::path& output, const fs::path& input) {
  Diagnostics found(PathText(output));
  found.Error("output-is-input", {},
              output == input ? "this output is the input itself"
                              : "this output is the input \"" +
                                    PathText(input) + "\" itself");
  return found;
}

Diagnostics IsTwice(const fs::path& output, const fs::path& other) {
  Diagnostics found(PathText(output));
  found.Error("output-twice", {},
              output == other
                  ? "two outputs have this name"
                  : "this output and \"" + PathText(other) + "\" are one file");
  return found;
}

/// What the living guard knows.
struct GuardState {
  FileSet outputs;
  FileSet read;
  /// Resolved paths only: a file that was replaced has given its inode away.
  std::map<fs::path, fs::path> written;
};

std::mutex guard_mutex;
std::optional<GuardState> guard_state;  // NOLINT: behind `FileGuard`.

}  // namespace

fs::path ResolvedPath(const fs::path& path) {
  constexpr int kMostLinks = 40;  // As Linux follows.
  std::error_code ignored;
  fs::path now = fs::absolute(path, ignored);
  for (int i = 0; i < kMostLinks; ++i) {
    const fs::path folder = fs::weakly_canonical(now.parent_path(), ignored);
    if (!folder.empty()) now = folder / now.filename();
    std::error_code no_link;
    const fs::path target = fs::read_symlink(now, no_link);
    if (no_link) break;
    // An absolute target replaces the folder.
    now = now.parent_path() / target;
  }
  return now.lexically_normal();
}

bool IsSameFile(const fs::path& a, const fs::path& b) {
  if (a.empty() || b.empty()) return false;
  return IsSame(IdentityOf(a), IdentityOf(b));
}

Diagnostics CheckOutputs(std::span<const fs::path> inputs,
                         std::span<const fs::path> outputs) {
  Diagnostics all;
  FileSet read;
  read.Add(inputs);
  FileSet written;
  for (const fs::path& output : outputs) {
    if (output.empty()) continue;
    const Identity identity = IdentityOf(output);
    if (const fs::path* input = read.Find(identity)) {
      all.Append(IsInput(output, *input));
    } else if (const fs::path* other = written.Find(identity)) {
      all.Append(IsTwice(output, *other));
    }
    written.Add(output, identity);
  }
  return all;
}

FileGuard::FileGuard(std::span<const fs::path> outputs) {
  const std::lock_guard<std::mutex> lock(guard_mutex);
  guard_state.emplace();
  guard_state->outputs.Add(outputs);
}

FileGuard::~FileGuard() {
  const std::lock_guard<std::mutex> lock(guard_mutex);
  guard_state.reset();
}

Diagnostics FileGuard::AddOutputs(std::span<const fs::path> outputs) {
  const std::lock_guard<std::mutex> lock(guard_mutex);
  Diagnostics all;
  for (const fs::path& output : outputs) {
    if (output.empty()) continue;
    if (const fs::path* input = guard_state->read.Find(IdentityOf(output))) {
      all.Append(IsInput(output, *input));
    }
  }
  guard_state->outputs.Add(outputs);
  return all;
}

Diagnostics FileGuard::NoteRead(const fs::path& path) {
  const std::lock_guard<std::mutex> lock(guard_mutex);
  if (!guard_state) return {};
  const Identity identity = IdentityOf(path);
  if (const fs::path* output = guard_state->outputs.Find(identity)) {
    return IsInput(*output, path);
  }
  guard_state->read.Add(path, identity);
  return {};
}

Diagnostics FileGuard::NoteWrite(const fs::path& path) {
  const std::lock_guard<std::mutex> lock(guard_mutex);
  if (!guard_state) return {};
  const Identity identity = IdentityOf(path);
  if (identity.is_stream) return {};
  if (const fs::path* input = guard_state->read.Find(identity)) {
    return IsInput(path, *input);
  }
  const auto [place, is_new] =
      guard_state->written.emplace(identity.path, path);
  return is_new ? Diagnostics() : IsTwice(path, place->second);
}

}  // namespace limber
