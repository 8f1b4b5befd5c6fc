// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/hostile_scenes.h"

#include <cmath>
#include <sstream>

#include "tests/app/program_test.h"

namespace limber::test {

namespace {

std::string Box(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "contact": {}, )" + more + "}";
}

std::string Scene(const std::string& rest) {
  return "{\"limber_scene\": 1, " + rest + "}\n";
}

}  // namespace

std::string SceneOfBoxes(int count, double apart, double duration,
                         double height) {
  std::ostringstream more;
  more << R"("position": [0, )" << height << R"(, 0], "shapes": [{"kind": )"
       << R"("box", "size": [1, 1, 1], "mass": 1}], "repeat": {"count": )"
       << count << R"(, "shift": [)" << apart << ", 0, 0]}";
  std::ostringstream scene;
  scene << R"("floor": {}, "duration": )" << duration << R"(, "bodies": [)"
        << Box("b{i}", more.str()) << "]";
  return Scene(scene.str());
}

std::string SceneOfStack(double top) {
  constexpr int kHigh = 10;
  std::ostringstream bodies;
  for (int i = 0; i < kHigh; ++i) {
    std::ostringstream more;
    more << R"("position": [0, )" << i + 0.5
         << R"(, 0], "shapes": [{"kind": "box", "size": [1, 1, 1], "mass": )"
         << std::pow(top, i / (kHigh - 1.0)) << "}]";
    bodies << (i == 0 ? "" : ", ") << Box("b" + std::to_string(i), more.str());
  }
  return Scene(R"("floor": {}, "duration": 2, "bodies": [)" + bodies.str() +
               "]");
}

std::string SceneOfDrag(double drag) {
  std::ostringstream scene;
  scene << R"("duration": 2, "bodies": [{"name": "a", "position": [0, 2, 0],)"
        << R"( "velocity": [1, 0, 0], "shapes": [{"kind": "sphere",)"
        << R"( "radius": 0.1, "mass": 1}]}], "forces": [{"kind": "drag",)"
        << R"( "point": {"body": "a", "position": [0, 2, 0]}, "linear": )"
        << drag << "}]";
  return Scene(scene.str());
}

std::string SceneOfWalk(const std::string& until) {
  return Scene(
      R"("step": 0.0020833333, "duration": 2, "floor": {}, "figures": [)"
      R"({"name": "w", "clips": [{"file": ")" +
      Bundled("clips/walk.bvh") + R"(", "until": )" + until +
      R"(}], "on_floor": true, "root": "helping", "contact": {}}], )"
      R"("bodies": [)" +
      Box("b{i}", R"("position": [0.1, 0.08, 1.2], "shapes": [{"kind": "box", )"
                  R"("size": [0.25, 0.15, 0.2], "density": 200}], )"
                  R"("repeat": {"count": 6, "shift": [0.05, 0, 3.5]})") +
      "]");
}

std::string SceneOfPool(int boxes) {
  const auto wall = [](const std::string& name, const std::string& position,
                       const std::string& size) {
    return R"({"name": ")" + name + R"(", "kind": "fixed", "contact": {}, )" +
           R"("position": )" + position +
           R"(, "shapes": [{"kind": "box", "size": )" + size + "}]}, ";
  };
  const std::string turned =
      R"("rotation": {"axis": [1, 2, 3], "angle_deg": 35}, )";
  return Scene(
      R"("duration": 8, "floor": {}, "bodies": [)" +
      wall("north", "[0, 0.5, -1.5]", "[3.1, 1, 0.1]") +
      wall("south", "[0, 0.5, 1.5]", "[3.1, 1, 0.1]") +
      wall("west", "[-1.5, 0.5, 0]", "[0.1, 1, 3.1]") +
      wall("east", "[1.5, 0.5, 0]", "[0.1, 1, 3.1]") +
      Box("ball {i}",
          R"("position": [-0.4, 1, 0.1], "shapes": [{"kind": "sphere", )"
          R"("radius": 0.17, "density": 300}], )"
          R"("repeat": {"count": 12, "shift": [0.03, 0.45, 0.02]})") +
      ", " +
      Box("capsule {i}",
          turned + R"("position": [0.1, 1.2, -0.5], "shapes": [{"kind": )"
                   R"("capsule", "radius": 0.1, "length": 0.3, )"
                   R"("density": 300}], )"
                   R"("repeat": {"count": 12, "shift": [-0.03, 0.45, 0.01]})") +
      ", " +
      Box("box {i}", turned +
                         R"("position": [0.3, 1.1, 0.4], "shapes": [)"
                         R"({"kind": "box", "size": [0.3, 0.24, 0.34], )"
                         R"("density": 300}], "repeat": {"count": )" +
                         std::to_string(boxes) +
                         R"(, "shift": [0.02, 0.45, -0.03]})") +
      "]");
}

std::vector<HostileScene> HostileScenes() {
  const std::string box = SceneOfBoxes(1, 2.0, 0.02);
  const auto with = [&box](const std::string& from, const std::string& to) {
    std::string text = box;
    return text.replace(text.find(from), from.size(), to);
  };
  return {{"until_1e9", SceneOfWalk("1e9")},
          {"until_int64", SceneOfWalk("9223372036854775807")},
          {"duration_1e18", with("0.02", "1e18")},
          {"step_denormal", with("0.02", "0.02, \"step\": 1e-310")},
          {"boxes", SceneOfBoxes(2000, 2.0, 0.02)},
          {"pool", SceneOfPool(500)},
          {"drag", SceneOfDrag(1000.0)},
          {"stack_1", SceneOfStack(1.0)},
          {"stack_100", SceneOfStack(100.0)},
          {"stack_1000", SceneOfStack(1000.0)}};
}

}  // namespace limber::test
