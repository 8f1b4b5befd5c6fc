// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The examples of README.md and docs/tutorial.md print what these say.
// tools/update_examples.sh writes them anew.
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

struct Example {
  std::vector<std::string> arguments;
  std::string output;
};

/// The words of a command; double quotes hold some together.
std::vector<std::string> Words(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream parts(command);
  for (std::string word; parts >> word;) {
    if (word.starts_with('"')) {
      std::string rest;
      std::getline(parts, rest, '"');
      word = word.substr(1) + rest;
    }
    words.push_back(word);
  }
  return words;
}

/// Without the lines that say how fast it went on this machine.
std::string WithoutSpeeds(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool speed = line.find("frames per second") != std::string::npos ||
                       line.find("frames_per_second") != std::string::npos;
    if (!speed) kept += line + "\n";
  }
  return kept;
}

/// The fenced blocks whose first line is "$ limber ...".
std::vector<Example> ExamplesOf(const std::string& text) {
  std::vector<Example> examples;
  std::istringstream lines(text);
  std::string line;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("$ limber ")) {
      Example& example = examples.emplace_back();
      example.arguments = Words(line.substr(9));
      inside = true;
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

class Readme : public ProgramTest {
 protected:
  /// The examples name files as seen from the root of the tree and write to
  /// out/; they run in a folder that looks like it.
  Readme() : old_folder_(std::filesystem::current_path()) {
    std::filesystem::create_directory_symlink(SourceDir() / "data",
                                              folder_ / "data");
    std::filesystem::create_directory(folder_ / "out");
    constexpr std::size_t kCut = 700;
    Make("out/cut.bvh",
         ReadWholeFile(Bundled("clips/march.bvh")).value().substr(0, kCut));
    std::filesystem::current_path(folder_);
  }
  ~Readme() override { std::filesystem::current_path(old_folder_); }

  static void ExpectExamplesHold(const std::string& page,
                                 std::size_t at_least) {
    const std::vector<Example> examples =
        ExamplesOf(ReadWholeFile(SourceDir() / page).value());
    EXPECT_GE(examples.size(), at_least);
    for (const Example& example : examples) {
      const Outcome outcome = RunLimber(example.arguments);
      EXPECT_EQ(WithoutSpeeds(outcome.err + outcome.out),
                WithoutSpeeds(example.output));
    }
  }

 private:
  const std::filesystem::path old_folder_;
};

TEST_F(Readme, ExamplesPrintWhatItSays) { ExpectExamplesHold("README.md", 6); }

#ifdef LIMBER_HAS_VIEWER
TEST_F(Readme, TutorialPrintsWhatItSays) {
  ExpectExamplesHold("docs/tutorial.md", 11);
}
#endif

}  // namespace
}  // namespace limber::test
