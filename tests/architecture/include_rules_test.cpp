// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/include_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/file.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Messages(std::string_view file,
                                  std::string_view text) {
  std::vector<std::string> messages;
  for (const Violation& violation : CheckSource(file, text)) {
    messages.push_back(ToString(violation));
  }
  return messages;
}

bool IsSource(const std::filesystem::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

/// Every C++ file of the tree, relative to its root, except what is built and
/// the project that uses the installed package from outside.
std::vector<std::string> SourceFiles() {
  std::vector<std::string> files;
  for (const auto& folder : std::filesystem::directory_iterator(SourceDir())) {
    const std::string name = folder.path().filename().string();
    if (!folder.is_directory() || name.starts_with(".") || name == "build" ||
        name == "out") {
      continue;
    }
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      const std::string file =
          entry.path().lexically_relative(SourceDir()).generic_string();
      if (entry.is_regular_file() && IsSource(entry.path()) &&
          !file.starts_with("tests/install/project/")) {
        files.push_back(file);
      }
    }
  }
  return files;
}

TEST(Architecture, EveryFileOfTheTreeObeysTheLayers) {
  const std::vector<std::string> files = SourceFiles();
  EXPECT_THAT(files, testing::Contains("core/math.h"));
  for (const std::string& file : files) {
    const std::string text = ReadWholeFile(SourceDir() / file).value();
    EXPECT_THAT(Messages(file, text), IsEmpty());
  }
}

TEST(CheckSource, AllowedIncludesPass) {
  EXPECT_THAT(Messages("mocap/io/bvh.cpp",
                       "#include \"mocap/io/bvh.h\"\n"
                       "#include <vector>\n"
                       "#include <Eigen/Core>\n"
                       "#include \"core/result.h\"\n"
                       "#include \"figure/motion.h\"\n"
                       "#include \"mocap/io/internal/text.h\"\n"),
              IsEmpty());
}

TEST(CheckSource, OnlyTheCopyOfTheProcessMayEnd) {
  const std::string text = "void F() { ::_exit(1); }\n";
  EXPECT_THAT(Messages("mocap/io/internal/apart.cpp", text), IsEmpty());
  EXPECT_THAT(Messages("mocap/io/internal/text.cpp", text),
              ElementsAre(HasSubstr("a library never exits: _exit")));
  EXPECT_THAT(Messages("mocap/io/internal/apart.cpp", "void F() { abort(); }"),
              ElementsAre(HasSubstr("a library never exits: abort")));
}

TEST(CheckSource, UpwardIncludeIsNamedWithItsLine) {
  EXPECT_THAT(Messages("core/math.h", "\n#include \"figure/pose.h\"\n"),
              ElementsAre("core/math.h:2: core/ may not include figure/: "
                          "\"figure/pose.h\""));
}

TEST(CheckSource, EveryForbiddenArrowIsRefused) {
  const std::vector<std::pair<std::string, std::string>> arrows = {
      {"core/a.h", "dynamics/b.h"},
      {"core/a.h", "mocap/b.h"},
      {"dynamics/a.h", "figure/b.h"},
      {"dynamics/a.h", "mocap/b.h"},
      {"dynamics/a.h", "figure/dynamic/b.h"},
      {"figure/a.h", "dynamics/b.h"},
      {"figure/a.h", "figure/dynamic/b.h"},
      {"figure/a.h", "mocap/b.h"},
      {"figure/dynamic/a.h", "mocap/b.h"},
      {"mocap/a.h", "dynamics/b.h"},
      {"mocap/a.h", "mocap/io/b.h"},
      {"mocap/io/a.h", "mocap/solve/b.h"},
      {"mocap/solve/a.h", "mocap/io/b.h"},
      {"mocap/io/a.h", "figure/dynamic/b.h"},
      {"mocap/retarget/a.h", "mocap/io/b.h"},
      {"mocap/io/a.h", "viewer/b.h"},
      {"figure/a.h", "app/b.h"},
      {"viewer/a.h", "app/b.h"},
      {"bench/a.cpp", "viewer/b.h"},
      {"bench/a.cpp", "app/b.h"},
      {"core/a.cpp", "tests/support/test_data.h"},
  };
  for (const auto& [file, target] : arrows) {
    EXPECT_THAT(Messages(file, "#include \"" + target + "\"\n"),
                ElementsAre(HasSubstr("may not include")))
        << file << " -> " << target;
  }
}

TEST(CheckSource, InternalHeaderIsForItsFolderAndTestsOnly) {
  const std::string text = "#include \"mocap/io/internal/text.h\"\n";
  EXPECT_THAT(Messages("app/main.cpp", text),
              ElementsAre(HasSubstr("internal to mocap/io/")));
  EXPECT_THAT(Messages("mocap/io/c3d.cpp", text), IsEmpty());
  EXPECT_THAT(Messages("tests/mocap/io/text_test.cpp", text), IsEmpty());
}

TEST(CheckSource, OpenSceneGraphIsForTheViewerOnly) {
  EXPECT_THAT(Messages("app/view.cpp", "#include <osgDB/ReadFile>\n"),
              ElementsAre(HasSubstr("only viewer/")));
  EXPECT_THAT(Messages("viewer/scene.cpp", "#include <osg/Node>\n"), IsEmpty());
}

TEST(CheckSource, RelativeAndInstalledPathsAreRefused) {
  for (const std::string line :
       {"#include \"pose.h\"", "#include \"../core/math.h\"",
        "#include \"figure/../dynamics/world.h\"",
        "#include <limber/core/math.h>"}) {
    EXPECT_THAT(Messages("figure/pose.cpp", line),
                ElementsAre(HasSubstr("from the root of the tree")))
        << line;
  }
}

TEST(CheckSource, AngleBracketsDoNotGoAroundTheTable) {
  EXPECT_THAT(Messages("core/a.h", "#  include <figure/pose.h>\n"),
              ElementsAre(HasSubstr("may not include figure/")));
}

TEST(CheckSource, LibraryThatPrintsOrExitsIsRefused) {
  EXPECT_THAT(Messages("mocap/io/bad.cpp",
                       "#include <iostream>\n"
                       "void F() { std::cout << 1; }\n"
                       "void G() { std::printf(\"x\"); }\n"
                       "void H() { std::fputs(\"x\", stderr); }\n"
                       "void I() { std::exit(1); }\n"),
              ElementsAre(HasSubstr(":1: a library never prints"),
                          HasSubstr(":2: a library never prints: cout"),
                          HasSubstr(":3: a library never prints: printf"),
                          HasSubstr(":4: a library never prints: stderr"),
                          HasSubstr(":5: a library never exits: exit")));
}

TEST(CheckSource, ProgramsMayPrint) {
  EXPECT_THAT(Messages("app/main.cpp",
                       "#include <iostream>\nvoid F() { std::cout << 1; }\n"),
              IsEmpty());
}

TEST(CheckSource, CommentsStringsAndLongerWordsAreNotJudged) {
  EXPECT_THAT(Messages("core/a.cpp",
                       "// exit(1) and #include \"figure/pose.h\"\n"
                       "/* std::cout\n exit(1) */\n"
                       "const char* a = \"exit \\\" abort\";\n"
                       "const char* b = R\"x(stdout)\" stderr)x\";\n"
                       "char c = '\"'; int exits = 1'000; // cerr\n"
                       "int d = std::snprintf(nullptr, 0, \"\");\n"),
              IsEmpty());
}

TEST(CheckSource, CodeAfterACommentOrStringIsJudged) {
  EXPECT_THAT(Messages("core/a.cpp",
                       "/* a */ void F() { exit(1); }\n"
                       "const char* a = R\"(x)\"; int b = stdout;\n"),
              ElementsAre(HasSubstr(":1:"), HasSubstr(":2:")));
}

TEST(CheckSource, FolderOutsideTheTableIsRefused) {
  EXPECT_THAT(Messages("helpers/a.cpp", ""),
              ElementsAre(HasSubstr("no row in the table")));
}

}  // namespace
}  // namespace limber::test
