// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// limber view from outside: pictures, films, and what it says of bad input.
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A variable of the environment that has another value for a while.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Setting() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class View : public ProgramTest {
 protected:
  Setting no_display_{"DISPLAY", nullptr};
};

TEST_F(View, SnapshotStripAndFramesAreWrittenWithoutADisplay) {
  const Outcome outcome = RunLimber({"view",         Bundled("clips/march.bvh"),
                                     "--snapshot",   In("a.png"),
                                     "--at",         "0.5",
                                     "--strip",      In("strip.png"),
                                     "--poses",      "3",
                                     "--frames",     In("all"),
                                     "--frame-rate", "5",
                                     "--from",       "0.5",
                                     "--to",         "1.5",
                                     "--size",       "96x80"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(Exists("a.png"));
  EXPECT_TRUE(Exists("strip.png"));
  EXPECT_TRUE(Exists("all/frame00005.png"));
  EXPECT_FALSE(Exists("all/frame00006.png"));
  EXPECT_THAT(outcome.out, HasSubstr("6 pictures in"));
}

TEST_F(View, FilmWithoutFfmpegSaysWhatToInstall) {
  const Setting no_programs("PATH", In("empty").c_str());
  const Outcome outcome =
      RunLimber({"view", Bundled("clips/march.bvh"), "--record", In("a.mp4")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("install the Debian package ffmpeg"));
}

TEST_F(View, MissingFileIsNamed) {
  const Outcome outcome =
      RunLimber({"view", In("none.bvh"), "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("none.bvh: error:"), HasSubstr("No such file")));
}

TEST_F(View, WrongFormatIsRefusedWithTheReason) {
  const std::string text = Make("a.bvh", "not a clip\n");
  const Outcome outcome = RunLimber({"view", text, "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("a.bvh"));
  EXPECT_THAT(outcome.err, HasSubstr("error:"));
  const Outcome json = RunLimber({"view",
                                  Make("a.json",
                                       "{\"limber_scene\": 1, "
                                       "\"bodys\": []}"),
                                  "--snapshot", In("a.png")});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.err, HasSubstr("did you mean \"bodies\"?"));
}

TEST_F(View, ClipWithANumberThatIsNoneIsRefusedAtItsLine) {
  std::string text(kSmallBvh);
  text.replace(text.find("0.5 1.25"), 3, "nan");
  const Outcome outcome =
      RunLimber({"view", Make("nan.bvh", text), "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("nan.bvh:20"), HasSubstr("nan")));
}

TEST_F(View, UnwritablePictureSaysWhy) {
  const Outcome outcome =
      RunLimber({"view", Bundled("clips/march.bvh"), "--size", "64x64",
                 "--snapshot", In("no/such/a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("there is no folder"));
  const Outcome other = RunLimber({"view", Bundled("clips/march.bvh"), "--size",
                                   "64x64", "--snapshot", In("a.xyz")});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("the name must end in .png"));
  const Outcome frames = RunLimber({"view", Bundled("clips/march.bvh"),
                                    "--frames", Make("file", "a") + "/folder"});
  EXPECT_EQ(frames.code, 1);
  EXPECT_THAT(frames.err, HasSubstr("the folder cannot be made"));
}

TEST_F(View, WithoutAScreenAWindowIsRefusedWithTheWayOut) {
  const Outcome outcome = RunLimber({"view", Bundled("clips/march.bvh")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("write pictures with --snapshot"));
}

TEST_F(View, WithoutXvfbItSaysWhatToInstall) {
  const Setting no_programs("PATH", In("empty").c_str());
  const Outcome outcome = RunLimber(
      {"view", Bundled("clips/march.bvh"), "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("install the Debian package xvfb"));
}

TEST_F(View, DisplayThatIsNotThereIsSaid) {
  const Setting wrong("DISPLAY", ":9876");
  const Outcome outcome = RunLimber(
      {"view", Bundled("clips/march.bvh"), "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("DISPLAY"));
}

/// A virtual display that cannot draw: without OpenGL.
class DisplayWithoutGl {
 public:
  DisplayWithoutGl() {
    const std::string name = ":" + std::to_string(52'000 + ::getpid() % 9'000);
    pipe_ = ::popen(("Xvfb " + name +
                     " -extension GLX -displayfd 1 -nolisten tcp 2>/dev/null & "
                     "echo $!; wait")
                        .c_str(),
                    "r");
    char line[32] = "";
    if (std::fgets(line, sizeof line, pipe_) != nullptr) {
      server_ = std::atoi(line);
    }
    // Its number comes when it is ready.
    if (std::fgets(line, sizeof line, pipe_) != nullptr) {
      number_ = ":" + std::to_string(std::atoi(line));
    }
  }
  ~DisplayWithoutGl() {
    if (server_ > 0) ::kill(server_, SIGTERM);
    ::pclose(pipe_);
  }
  const std::string& number() const { return number_; }

 private:
  std::FILE* pipe_ = nullptr;
  pid_t server_ = 0;
  std::string number_;
};

TEST_F(View, DisplayWithoutOpenGlSaysWhatToInstall) {
  const DisplayWithoutGl display;
  ASSERT_FALSE(display.number().empty());
  const Setting used("DISPLAY", display.number().c_str());
  const Outcome outcome = RunLimber(
      {"view", Bundled("clips/march.bvh"), "--snapshot", In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no OpenGL on the display"),
                                 HasSubstr("libgl1-mesa-dri")));
  const Outcome window = RunLimber({"view", Bundled("clips/march.bvh")});
  EXPECT_EQ(window.code, 1);
  EXPECT_THAT(window.err, HasSubstr("libgl1-mesa-dri"));
}

TEST_F(View, TimesOutsideTheShowAreABadCall) {
  const Outcome outcome = RunLimber({"view", Bundled("clips/march.bvh"),
                                     "--snapshot", In("a.png"), "--at", "9"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("from 0 to 2 s"));
  const Outcome order =
      RunLimber({"view", Bundled("clips/march.bvh"), "--strip", In("a.png"),
                 "--from", "1.5", "--to", "1"});
  EXPECT_EQ(order.code, 2);
}

TEST_F(View, ModeNeedsABody) {
  // One joint without any extent.
  const Outcome outcome =
      RunLimber({"view",
                 Make("dot.bvh",
                      "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 3 "
                      "Xposition Yposition Zposition\n}\nMOTION\nFrames: 1\n"
                      "Frame Time: 0.01\n0 1 0\n"),
                 "--unit", "m", "--up", "y", "--mode", "rag-doll", "--snapshot",
                 In("a.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("or leave --mode out"));
}

TEST_F(View, BenchmarkSaysHowFastAndByWhom) {
  const Outcome outcome =
      RunLimber({"view", Bundled("clips/march.bvh"), "--mode", "dynamic",
                 "--benchmark", "5", "--size", "160x120", "--no-shadows"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("pictures/s"), HasSubstr("step ")));
}

TEST_F(View, EmptyFolderIsSaid) {
  std::filesystem::create_directory(In("empty"));
  const Outcome outcome = RunLimber({"view", In("empty")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("there is no scene"));
}

// Of all listed scenes the first is opened; without a screen that is said.
TEST_F(View, FolderOfScenesIsAListForAWindow) {
  const Outcome picture =
      RunLimber({"view", Bundled("scenes"), "--snapshot", In("a.png")});
  EXPECT_EQ(picture.code, 2);
  EXPECT_THAT(picture.err, HasSubstr("in a window only"));
}

}  // namespace
}  // namespace limber::test
