// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/figure_path.h"

#include <system_error>

namespace limber::app {

std::filesystem::path FigurePath(const std::filesystem::path& named) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (named.empty() || named.has_parent_path() || named.has_extension() ||
      fs::exists(named, error)) {
    return named;
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path();
  fs::path file = named;
  file += ".json";
  // prefix/bin/limber and prefix/share/limber; build/release/limber and data.
  for (const fs::path& data :
       {folder / "../share/limber", folder / "../../data"}) {
    const fs::path found = data / "figures" / file;
    if (fs::is_regular_file(found, error)) return found.lexically_normal();
  }
  return named;
}

}  // namespace limber::app
