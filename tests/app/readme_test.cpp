// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The examples of README.md print what README.md says they print.
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

/// The fenced blocks whose first line is "$ limber ...".
std::vector<Example> ExamplesOf(const std::string& text) {
  std::vector<Example> examples;
  std::istringstream lines(text);
  std::string line;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("$ limber ")) {
      std::istringstream words(line.substr(9));
      Example& example = examples.emplace_back();
      for (std::string word; words >> word;) example.arguments.push_back(word);
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

 private:
  const std::filesystem::path old_folder_;
};

TEST_F(Readme, ExamplesPrintWhatItSays) {
  const std::vector<Example> examples =
      ExamplesOf(ReadWholeFile(SourceDir() / "README.md").value());
  EXPECT_GE(examples.size(), 4u);
  for (const Example& example : examples) {
    const Outcome outcome = RunLimber(example.arguments);
    EXPECT_EQ(outcome.err + outcome.out, example.output);
  }
}

}  // namespace
}  // namespace limber::test
