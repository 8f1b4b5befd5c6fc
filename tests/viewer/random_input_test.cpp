// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Ten minutes of somebody who does not know what he does, in simulated time:
// under the sanitizers nothing may crash, leak or be undefined.
#include <gtest/gtest.h>
#include <osgGA/EventQueue>
#include <osgGA/GUIEventAdapter>

#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/performance_show.h"
#include "viewer/window.h"

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>

// Leaks inside the software driver of OpenGL, which keeps two small tables for
// the life of the program, are not ours; any other leak is.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:swrast_dri.so\n";
}
#endif

namespace limber::viewer {
namespace {

/// Keeps the driver in memory, so that what it leaks carries its name.
void KeepDriver() {
#ifdef __SANITIZE_ADDRESS__
  static_cast<void>(dlopen("/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so",
                           RTLD_NOW | RTLD_NODELETE));
#endif
}

TEST(RandomInput, OpeningAndClosingAWindowLeaksNothing) {
  KeepDriver();
  const Display display;
  ASSERT_TRUE(display.ok()) << display.problem();
  const auto motion = BundledClip("march.bvh");
  const auto show = ShowPerformance(motion, BodyFor(*motion));
  Controls controls(*show);
  WindowSettings settings;
  settings.width = 64;
  settings.height = 48;
  Window window(controls, settings);
  EXPECT_TRUE(window.Frame(0.1));
}

TEST(RandomInput, TenMinutesOfKeysAndPointerDoNoHarm) {
  // A tenth of a second a picture: ten minutes are 6000 pictures.
  constexpr int kPictures = 6000;
  constexpr double kPictureTime = 0.1;  // [s]
  constexpr int kWidth = 160;
  constexpr int kHeight = 120;
  KeepDriver();
  const Display display;
  ASSERT_TRUE(display.ok()) << display.problem();
  const auto motion = BundledClip("walk.bvh");
  const auto show = ShowPerformance(motion, BodyFor(*motion));
  Controls controls(*show);
  WindowSettings settings;
  settings.width = kWidth;
  settings.height = kHeight;
  Window window(controls, settings);
  std::mt19937 random(11);
  // All keys but those that close the window or write a file.
  const std::string keys = " ,.[]lrhsfvcp12345akecptmbgnN~ZY\t";
  const int special[] = {
      osgGA::GUIEventAdapter::KEY_Left, osgGA::GUIEventAdapter::KEY_Right,
      osgGA::GUIEventAdapter::KEY_Home, osgGA::GUIEventAdapter::KEY_F1};
  double time = 0.0;
  for (int i = 0; i < kPictures; ++i) {
    const auto x = float(int(random() % (kWidth + 40)) - 20);
    const auto y = float(int(random() % (kHeight + 40)) - 20);
    osgGA::EventQueue& events = window.events();
    switch (random() % 8) {
      case 0:
      case 1:
        events.keyPress(keys[random() % keys.size()]);
        break;
      case 2:
        events.keyPress(special[random() % 4]);
        break;
      case 3:
        events.mouseButtonPress(x, y, 1 + random() % 3);
        break;
      case 4:
      case 5:
        events.mouseMotion(x, y);
        break;
      case 6:
        events.mouseButtonRelease(x, y, 1 + random() % 3);
        break;
      default:
        events.mouseScroll(random() % 2 == 0
                               ? osgGA::GUIEventAdapter::SCROLL_UP
                               : osgGA::GUIEventAdapter::SCROLL_DOWN);
    }
    if (random() % 400 == 0) {
      window.Resize(64 + int(random() % 300), 48 + int(random() % 200));
    }
    ASSERT_TRUE(window.Frame(kPictureTime));
    time += kPictureTime;
    ASSERT_TRUE(std::isfinite(controls.player().time()));
    ASSERT_TRUE(controls.camera().Eye().allFinite());
  }
  EXPECT_NEAR(time, 600.0, 1e-6);
}

}  // namespace
}  // namespace limber::viewer
