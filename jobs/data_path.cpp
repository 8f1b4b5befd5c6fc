// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/data_path.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/file.h"

namespace limber::jobs {

namespace {

namespace fs = std::filesystem;

/// prefix/bin/limber is two folders above prefix/share, and a test in
/// build/release/tests/jobs four below the source tree.
constexpr int kMostFoldersUp = 6;

fs::path& GivenFolder() {
  static fs::path folder;
  return folder;
}

/// The folders in which data may lie, the likeliest first.
std::vector<fs::path> DataFolders() {
  std::vector<fs::path> folders;
  if (!GivenFolder().empty()) folders.push_back(GivenFolder());
  if (const char* variable = std::getenv("LIMBER_DATA");
      variable != nullptr && *variable != '\0') {
    folders.emplace_back(variable);
  }
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int up = 0; up < kMostFoldersUp && !folder.empty(); ++up) {
    folders.push_back(folder / "share/limber");
    folders.push_back(folder / "data");
    if (!folder.has_relative_path()) break;
    folder = folder.parent_path();
  }
  return folders;
}

}  // namespace

void SetDataFolder(fs::path folder) { GivenFolder() = std::move(folder); }

fs::path DataPath(std::string_view kind, const fs::path& named) {
  std::error_code error;
  if (named.empty() || named.has_parent_path() || named.has_extension() ||
      fs::exists(named, error)) {
    return named;
  }
  fs::path file = named;
  file += ".json";
  for (const fs::path& folder : DataFolders()) {
    const fs::path found = folder / kind / file;
    if (fs::is_regular_file(found, error)) return found.lexically_normal();
  }
  return named;
}

fs::path FigurePath(const fs::path& named) { return DataPath(kFigures, named); }

std::vector<std::string> DataNames(std::string_view kind) {
  std::vector<std::string> names;
  for (const fs::path& folder : DataFolders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / kind, error)) {
      if (entry.path().extension() == ".json") {
        names.push_back(PathText(entry.path().stem()));
      }
    }
    if (!names.empty()) break;
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace limber::jobs
