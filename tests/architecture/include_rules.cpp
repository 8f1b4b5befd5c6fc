// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/include_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <regex>
#include <sstream>

namespace limber::test {

namespace {

enum class Role { kLibrary, kProgram };

/// One row: the files of `name` may include those of `name` and of `allowed`.
struct Layer {
  std::string_view name;
  Role role;
  std::vector<std::string_view> allowed;
};

/// The whole layering, in one place. A file belongs to the row with the
/// longest name that begins its path, so "mocap/io" does not get the rights of
/// "mocap". A source folder without a row is refused.
const std::vector<Layer>& Layers() {
  static const std::vector<Layer> layers = {
      {"core", Role::kLibrary, {}},
      {"dynamics", Role::kLibrary, {"dynamics/solve", "core"}},
      {"dynamics/solve", Role::kLibrary, {"dynamics", "core"}},
      {"figure", Role::kLibrary, {"core"}},
      {"figure/dynamic", Role::kLibrary, {"figure", "dynamics", "core"}},
      {"mocap", Role::kLibrary, {"figure", "core"}},
      {"mocap/io", Role::kLibrary, {"mocap", "figure", "core"}},
      {"mocap/solve", Role::kLibrary, {"mocap", "figure", "core"}},
      {"mocap/retarget", Role::kLibrary, {"mocap", "figure", "core"}},
      {"mocap/physical",
       Role::kLibrary,
       {"mocap", "mocap/solve", "figure/dynamic", "figure", "dynamics",
        "core"}},
      // Each job in one call; what the program and other languages offer.
      {"jobs",
       Role::kLibrary,
       {"mocap", "mocap/io", "mocap/solve", "mocap/retarget", "mocap/physical",
        "figure/dynamic", "figure", "dynamics", "core"}},
      // Shows what the libraries make, and lets people work on it: the desk of
      // its window changes a workbench of the jobs.
      {"viewer",
       Role::kLibrary,
       {"jobs", "mocap", "mocap/io", "figure/dynamic", "figure", "dynamics",
        "core"}},
      // The program joins the libraries; it alone opens the viewer. Its
      // commands know everything, and nothing knows them.
      {"app/commands",
       Role::kProgram,
       {"app", "app/reports", "jobs", "viewer", "mocap", "mocap/io",
        "mocap/solve", "mocap/retarget", "mocap/physical", "figure/dynamic",
        "figure", "dynamics", "core"}},
      {"app/reports",
       Role::kProgram,
       {"app", "jobs", "viewer", "mocap", "mocap/io", "mocap/solve",
        "mocap/retarget", "mocap/physical", "figure/dynamic", "figure",
        "dynamics", "core"}},
      {"app",
       Role::kProgram,
       {"app/reports", "jobs", "viewer", "mocap", "mocap/io", "mocap/solve",
        "mocap/retarget", "mocap/physical", "figure/dynamic", "figure",
        "dynamics", "core"}},
      // The Python package offers the jobs with the program's reports.
      {"python",
       Role::kProgram,
       {"app", "app/reports", "jobs", "viewer", "mocap", "mocap/io",
        "mocap/solve", "mocap/retarget", "mocap/physical", "figure/dynamic",
        "figure", "dynamics", "core"}},
      {"tools",
       Role::kProgram,
       {"mocap", "mocap/io", "mocap/solve", "mocap/retarget", "mocap/physical",
        "figure/dynamic", "figure", "dynamics", "core"}},
      {"bench",
       Role::kProgram,
       {"tests/scenes", "jobs", "mocap", "mocap/io", "mocap/solve",
        "mocap/retarget", "mocap/physical", "figure/dynamic", "figure",
        "dynamics", "core"}},
      {"samples",
       Role::kProgram,
       {"jobs", "mocap", "mocap/io", "mocap/solve", "mocap/retarget",
        "mocap/physical", "figure/dynamic", "figure", "dynamics", "core"}},
      // Worlds and figures shared by tests and benchmarks.
      {"tests/scenes",
       Role::kProgram,
       {"mocap", "mocap/io", "figure/dynamic", "figure", "dynamics", "core"}},
      {"tests",
       Role::kProgram,
       {"tests/scenes", "dynamics/solve", "app", "app/reports", "jobs",
        "viewer", "tools", "mocap", "mocap/io", "mocap/solve", "mocap/retarget",
        "mocap/physical", "figure/dynamic", "figure", "dynamics", "core"}},
  };
  return layers;
}

bool IsUnder(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() &&
         path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
}

const Layer* LayerOf(std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : Layers()) {
    if (IsUnder(path, layer.name) &&
        (best == nullptr || layer.name.size() > best->name.size())) {
      best = &layer;
    }
  }
  return best;
}

/// The folder that owns an `internal/` header: "mocap/io" for
/// "mocap/io/internal/text.h"; nothing for other headers.
std::optional<std::string_view> InternalOwner(std::string_view path) {
  const std::size_t at = path.find("/internal/");
  if (at == std::string_view::npos) return std::nullopt;
  return path.substr(0, at);
}

struct ForbiddenWord {
  std::string_view word;
  std::string_view reason;
};

/// What a library may not say: printing and ending belong to the program.
constexpr std::array kForbiddenInLibraries = {
    ForbiddenWord{"cout", "prints"},      ForbiddenWord{"cerr", "prints"},
    ForbiddenWord{"clog", "prints"},      ForbiddenWord{"stdout", "prints"},
    ForbiddenWord{"stderr", "prints"},    ForbiddenWord{"printf", "prints"},
    ForbiddenWord{"vprintf", "prints"},   ForbiddenWord{"puts", "prints"},
    ForbiddenWord{"putchar", "prints"},   ForbiddenWord{"perror", "prints"},
    ForbiddenWord{"exit", "exits"},       ForbiddenWord{"_exit", "exits"},
    ForbiddenWord{"quick_exit", "exits"}, ForbiddenWord{"abort", "exits"},
    ForbiddenWord{"terminate", "exits"},
};

/// The one file that may say one of these: a copy of the process that reads a
/// foreign format ends there, and must not do what the program does at its end.
struct Exemption {
  std::string_view file;
  std::string_view word;
};
constexpr std::array kExemptions = {
    Exemption{"mocap/io/internal/apart.cpp", "_exit"},
};

bool IsExempt(std::string_view file, std::string_view word) {
  return std::ranges::any_of(kExemptions, [&](const Exemption& exemption) {
    return exemption.file == file && exemption.word == word;
  });
}

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool HasWord(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsWordCharacter(line[at - 1])) &&
        (end == line.size() || !IsWordCharacter(line[end]))) {
      return true;
    }
  }
  return false;
}

struct Include {
  std::string path;
  bool quoted = false;
};

std::optional<Include> IncludeOf(const std::string& line) {
  static const std::regex pattern(
      R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

/// The reason why `file` of `layer` may not have this include, or nothing.
std::optional<std::string> Refusal(std::string_view file, const Layer& layer,
                                   const Include& include) {
  const std::string_view path = include.path;
  if (path.substr(0, 3) == "osg" && layer.name != "viewer" &&
      !IsUnder(file, "tests/viewer")) {
    return "only viewer/ may include OpenSceneGraph: <" + include.path + ">";
  }
  if (path.substr(0, 5) == "imgui" && layer.name != "viewer" &&
      !IsUnder(file, "tests/viewer")) {
    return "only viewer/ may include Dear ImGui: <" + include.path + ">";
  }
  if (layer.role == Role::kLibrary && path == "iostream") {
    return "a library never prints: <iostream>";
  }
  const Layer* target = LayerOf(path);
  if (target == nullptr) {
    if (!include.quoted && !IsUnder(path, "limber")) return std::nullopt;
    return "name project headers from the root of the tree: \"" + include.path +
           "\"";
  }
  if (path.find("..") != std::string_view::npos) {
    return "name project headers from the root of the tree: \"" + include.path +
           "\"";
  }
  if (target != &layer &&
      std::ranges::find(layer.allowed, target->name) == layer.allowed.end()) {
    return std::string(layer.name) + "/ may not include " +
           std::string(target->name) + "/: \"" + include.path + "\"";
  }
  const std::optional<std::string_view> owner = InternalOwner(path);
  if (owner && !IsUnder(file, *owner) && !IsUnder(file, "tests")) {
    return "internal to " + std::string(*owner) + "/: \"" + include.path + "\"";
  }
  return std::nullopt;
}

}  // namespace

std::string ToString(const Violation& violation) {
  return violation.file + ":" + std::to_string(violation.line) + ": " +
         violation.message;
}

std::string WithoutCommentsAndStrings(std::string_view text) {
  static const std::regex include_line(R"(\s*#\s*include\b.*)");
  std::string result(text);
  const auto blank = [&result](std::size_t begin, std::size_t end) {
    end = std::min(end, result.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (result[i] != '\n') result[i] = ' ';
    }
    return end;
  };
  const auto end_of = [&text](std::string_view what, std::size_t from) {
    const std::size_t at = text.find(what, from);
    return at == std::string_view::npos ? text.size() : at;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '#') {
      // Keep the path of an include; the rest of its line is judged as usual.
      const std::size_t line_end = end_of("\n", i);
      const std::string line(text.substr(i, line_end - i));
      if (std::regex_match(line, include_line)) {
        i = std::min(line_end, end_of("//", i));
        continue;
      }
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = blank(i, end_of("\n", i));
    } else if (text.substr(i, 2) == "/*") {
      i = blank(i, end_of("*/", i + 2) + 2);
    } else if (text.substr(i, 2) == "R\"") {
      const std::size_t open = end_of("(", i);
      std::string close(")");
      close += text.substr(i + 2, open - i - 2);
      close += '"';
      i = blank(i, end_of(close, open) + close.size());
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !IsWordCharacter(text[i - 1])))) {
      const char quote = text[i];
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != quote && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
      }
      i = blank(i, end + 1);
    } else {
      ++i;
    }
  }
  return result;
}

std::vector<Violation> CheckSource(std::string_view file,
                                   std::string_view text) {
  std::vector<Violation> violations;
  const Layer* layer = LayerOf(file);
  if (layer == nullptr) {
    violations.push_back({std::string(file), 1,
                          "this folder has no row in the table of layers"});
    return violations;
  }
  std::istringstream lines(WithoutCommentsAndStrings(text));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto add = [&](std::string message) {
      violations.push_back({std::string(file), number, std::move(message)});
    };
    if (const std::optional<Include> include = IncludeOf(line)) {
      if (std::optional<std::string> why = Refusal(file, *layer, *include)) {
        add(*std::move(why));
      }
    } else if (layer->role == Role::kLibrary) {
      for (const ForbiddenWord& forbidden : kForbiddenInLibraries) {
        if (HasWord(line, forbidden.word) && !IsExempt(file, forbidden.word)) {
          add("a library never " + std::string(forbidden.reason) + ": " +
              std::string(forbidden.word));
        }
      }
    }
  }
  return violations;
}

}  // namespace limber::test
