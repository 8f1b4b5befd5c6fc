// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every target on bundled files, on what the fuzzer has found (findings/NAME)
// and on some mutations: without clang, on every run of the tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "core/file.h"
#include "figure/motion.h"
#include "mocap/io/npz.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text_seeds.h"
#include "tests/support/test_data.h"

namespace limber::fuzz {
namespace {

namespace fs = std::filesystem;

/// Larger files are read whole but not changed: each change costs a reading
/// [bytes].
constexpr std::size_t kMostToChange = 30000;
constexpr int kChanges = 400;

/// Bundled files that are of a target's kind.
const std::map<std::string, std::vector<std::string>>& Seeds() {
  static const std::map<std::string, std::vector<std::string>> seeds = {
      {"amc", {"clips/chain.amc"}},
      {"asf", {"clips/chain.asf"}},
      {"bvh", {"clips/chain.bvh", "clips/march.bvh"}},
      {"c3d", {"takes/march.c3d"}},
      {"events", {}},
      {"fbx", {}},
      {"figure", {"figures/adult12.json"}},
      {"gltf", {}},
      {"manifest", {}},
      {"map", {}},
      {"marker_set", {"marker_sets/cmu-41.json"}},
      {"npz", {}},
      {"osim", {}},
      {"scene", {"scenes/obstacles.json", "scenes/pool.json"}},
      {"scene_play", {"scenes/tree.json", "scenes/coupled_pendula.json"}},
      {"sto", {}},
      {"tasks", {}},
      {"trc", {"takes/march.trc"}}};
  return seeds;
}

/// What no file is bundled of: texts, and archives made here.
std::vector<std::string> MoreSeeds(const std::string& target) {
  if (target != "npz") {
    const auto texts = kTextSeeds.find(target);
    return texts == kTextSeeds.end() ? std::vector<std::string>()
                                     : texts->second;
  }
  // An archive, and two arrays that the target puts into one.
  figure::Motion motion(figure::Skeleton::Make({{"a", -1, Vector3::UnitY()},
                                                {"b", 0, Vector3::UnitX()}},
                                               {{"end", 1, Vector3::UnitX()}}),
                        30.0);
  motion.Append(figure::RestPose(motion.skeleton()));
  const std::string poses(72 * 4, '\0');
  const std::string header =
      "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 72)}";
  const std::string start("\x93NUMPY\x01\x00", 8);
  const std::string array =
      start + char(header.size()) + std::string(1, '\0') + header + poses;
  return {mocap::WriteNpz(motion, {}).value(), "\x06" + array, "\x03" + array};
}

/// Changes of every file: more of them, and of one target alone, by
/// LIMBER_FUZZ_CHANGES and LIMBER_FUZZ_TARGET.
int NumChanges() {
  const char* text = std::getenv("LIMBER_FUZZ_CHANGES");
  return text == nullptr ? kChanges : std::atoi(text);
}
bool IsAsked(const std::string& target) {
  const char* text = std::getenv("LIMBER_FUZZ_TARGET");
  return text == nullptr || target == text;
}

std::string Changed(std::string bytes, std::mt19937& random) {
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  for (std::size_t i = 0, n = 1 + below(4); i < n && !bytes.empty(); ++i) {
    const std::size_t at = below(bytes.size());
    switch (below(4)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, 1 + below(20));
        break;
      case 2:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(20)));
        break;
      default:
        bytes[at] = "0-9e.,{}[]\" \n"[below(13)];
    }
  }
  return bytes;
}

/// A seed and some changes of it.
void Try(const Target& target, const std::string& bytes,
         const std::string& name, std::mt19937& random) {
  EXPECT_NO_THROW(target.run(bytes)) << target.name << ": " << name;
  if (bytes.size() > kMostToChange) return;
  for (int i = 0, n = NumChanges(); i < n; ++i) {
    const std::string changed = Changed(bytes, random);
    EXPECT_NO_THROW(target.run(changed))
        << target.name << ": " << name << ", change " << i << ":\n"
        << changed;
  }
}

TEST(FuzzTargets, HoldOnBundledFilesFindingsAndChanges) {
  std::mt19937 random(1);
  EXPECT_EQ(Targets().size(), Seeds().size());
  for (const Target& target : Targets()) {
    if (!IsAsked(target.name)) continue;
    std::vector<fs::path> files;
    for (const std::string& name : Seeds().at(target.name)) {
      files.push_back(test::BundledData(name));
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(
             test::SourceDir() / "tests/fuzz/findings" / target.name, error)) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    const std::vector<std::string> texts = MoreSeeds(target.name);
    EXPECT_FALSE(files.empty() && texts.empty()) << target.name;
    for (const fs::path& file : files) {
      Try(target, ReadWholeFile(file).value(), file.string(), random);
    }
    for (const std::string& text : texts) Try(target, text, "text", random);
  }
}

}  // namespace
}  // namespace limber::fuzz
