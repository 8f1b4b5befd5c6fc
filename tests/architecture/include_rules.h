// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::test {

/// One line of a source file that breaks the layering.
struct Violation {
  std::string file;  ///< Relative to the root of the tree.
  int line = 0;      ///< From 1.
  std::string message;
};

/// "mocap/io/bvh.cpp:7: mocap/io may not include dynamics/ ..."
std::string ToString(const Violation& violation);

/// Judges one source file against the layers of docs/architecture.md:
///
/// - a folder includes only the folders its row in the table allows;
/// - `internal/` is included from its own folder and from tests only;
/// - only viewer/ includes OpenSceneGraph;
/// - project headers are named from the root ("figure/pose.h"), so that no
///   relative path goes around the table;
/// - libraries never print and never end the program.
///
/// @param file  path relative to the root, with '/': "figure/pose.cpp".
std::vector<Violation> CheckSource(std::string_view file,
                                   std::string_view text);

/// `text` with every comment and the inside of every string and character
/// literal replaced by blanks; the lines stay where they are. The paths of
/// #include lines are kept.
std::string WithoutCommentsAndStrings(std::string_view text);

}  // namespace limber::test
