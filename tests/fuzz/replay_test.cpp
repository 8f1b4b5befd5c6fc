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
      {"trc", {"takes/march.trc"}}};
  return seeds;
}

/// Texts of the kinds of which no file is bundled.
std::vector<std::string> TextSeeds(const std::string& target) {
  if (target == "events") {
    return {R"({"limber_events": 1, "events": [
  {"kind": "push", "at": 1.2, "segment": "left-forearm", "impulse": [9, 0, 0]},
  {"kind": "point", "at": 2.5, "duration": 1.0, "segment": "right-hand",
   "path": [[2.5, -0.3, 1.3, 3.4], [3.5, -0.3, 1.3, 4.6]]}]})",
            "chest@1.2s:10Ns:+x"};
  }
  if (target == "gltf") {
    return {R"({"asset": {"version": "2.0"}, "scene": 0,
 "scenes": [{"nodes": [0]}], "skins": [{"joints": [0, 1]}],
 "nodes": [{"name": "a", "children": [1], "translation": [0, 1, 0]},
  {"name": "b", "translation": [0, 0.5, 0], "scale": [1, 1, 1]}],
 "buffers": [{"byteLength": 40, "uri": "data:application/octet-stream;base64,)"
            R"(AAAAAAAAAD8AAAAAAAAAAAAAAAAAAIA/FO/DPgAAAAAAAAAAXoNsPw=="}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8},
  {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2,
   "type": "SCALAR", "min": [0], "max": [0.5]},
  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "animations": [{"name": "nod", "samplers": [{"input": 0, "output": 1}],
  "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}]})"};
  }
  if (target == "manifest") {
    return {R"({"command": "edit", "input": "c.bvh", "push": ["a", "b"]}
{"command": "retarget", "input": "a/b.bvh", "copy-only": true, "name": "x/y"})"};
  }
  if (target == "map") {
    return {R"({"source_roles": {"Bone.007": "left-foot"},
 "pairs": {"hat": "Head", "thumb": null}})"};
  }
  if (target == "npz") {
    // An archive, and two arrays that the target puts into one.
    figure::Motion motion(
        figure::Skeleton::Make(
            {{"a", -1, Vector3::UnitY()}, {"b", 0, Vector3::UnitX()}},
            {{"end", 1, Vector3::UnitX()}}),
        30.0);
    motion.Append(figure::RestPose(motion.skeleton()));
    std::string poses(72 * 4, '\0');
    const std::string header =
        "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 72)}";
    const std::string start("\x93NUMPY\x01\x00", 8);
    return {mocap::WriteNpz(motion, {}).value(),
            "\x06" + start + char(header.size()) + std::string(1, '\0') +
                header + poses,
            "\x03" + start + char(header.size()) + std::string(1, '\0') +
                header + poses};
  }
  if (target == "osim") {
    return {R"(<OpenSimDocument Version="20302"><Model name="m"><BodySet>
<objects><Body name="ground"/><Body name="pelvis"><Joint><CustomJoint name="p">
<parent_body>ground</parent_body><location_in_parent>0 1 0</location_in_parent>
<orientation_in_parent>0 0 0</orientation_in_parent><location>0 0 0</location>
<CoordinateSet><objects><Coordinate name="tilt"><range>-1 1</range>
</Coordinate></objects></CoordinateSet></CustomJoint></Joint></Body></objects>
</BodySet><MarkerSet><objects><Marker name="A"><body>pelvis</body>
<location>0 0 1</location></Marker></objects></MarkerSet></Model>
</OpenSimDocument>)"};
  }
  if (target == "sto") {
    return {
        "Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n"
        "endheader\ntime\ta\tb\n0\t1\tnan\n0.5\t-2\t1e-3\n"};
  }
  return {};
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
    const std::vector<std::string> texts = TextSeeds(target.name);
    EXPECT_FALSE(files.empty() && texts.empty()) << target.name;
    for (const fs::path& file : files) {
      Try(target, ReadWholeFile(file).value(), file.string(), random);
    }
    for (const std::string& text : texts) Try(target, text, "text", random);
  }
}

}  // namespace
}  // namespace limber::fuzz
