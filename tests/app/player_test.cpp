// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What a page carries of a motion is unpacked here as the browser does it, and
// compared with the show that it was made from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/jobs.h"
#include "app/player/packing.h"
#include "app/player/player_html.h"
#include "app/player/record.h"
#include "app/player/record_scene.h"
#include "app/player/strip.h"
#include "app/player/tracks.h"
#include "app/view_shows.h"
#include "figure/dynamic/scene/simulate.h"
#include "mocap/marker_take.h"
#include "tests/app/player_page.h"
#include "tests/support/test_data.h"

namespace limber::app {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Player, ChannelsComeBackExactly) {
  const std::vector<std::int16_t> smooth = {0, 5, 11, 18, 26};
  const std::vector<std::int16_t> wild = {-32768, 32767, 0, -1, 32767};
  PackedChannels packed(5);
  packed.Add(smooth);
  packed.Add(wild);
  EXPECT_THAT(Channels(packed.ToBase64(), 2, 5),
              testing::ElementsAre(smooth, wild));
  EXPECT_THROW(packed.Add({1, 2}), std::invalid_argument);
}

TEST(Player, PartsAreWhereTheShowHasThem) {
  for (const char* name : {"walk.bvh", "jump.bvh", "turn.bvh", "chain.bvh"}) {
    EXPECT_LT(FarthestPart(RecordingOf(Clip(name))), 5e-4) << name;
  }
}

TEST(Player, ScenesMoveToo) {
  for (const char* name : {"chain_of_cubes.json", "pool.json"}) {
    auto shows =
        MakeEachShow({test::BundledData(std::string("scenes/") + name)}, {});
    ASSERT_TRUE(shows.ok()) << shows.diagnostics().ToString();
    std::vector<PlayedShow> played;
    played.push_back({"Scene", std::move(shows.value()[0].show)});
    const auto recording = RecordShows(name, 60.0, std::move(played), 1.0);
    ASSERT_TRUE(recording.has_value());
    EXPECT_LT(FarthestPart(*recording), 5e-4) << name;
    // The cannon's balls are not on the page: nobody fires.
    EXPECT_EQ(std::ranges::count(recording->actors[0].samples.parts, "ball",
                                 &viewer::Part::name),
              0);
  }
}

/// A scene with a rope that is cut, and one with a figure.
std::vector<std::filesystem::path> WatchedScenes() {
  const std::filesystem::path cut =
      std::filesystem::temp_directory_path() /
      ("limber_cut_" + std::to_string(getpid()) + ".json");
  std::ofstream(cut) << R"({"limber_scene": 1, "duration": 1,
    "bodies": [{"name": "ball", "mass": 1, "position": [0, 1, 0],
                "shapes": [{"kind": "sphere", "radius": 0.1}]}],
    "links": [{"name": "rope", "kind": "rope", "points": [
        {"position": [0.5, 2, 0]}, {"body": "ball", "position": [0, 1, 0]}]}],
    "events": [{"at": 0.5, "do": "disable", "constraint": "rope"}]})";
  return {cut, test::BundledData("scenes/umbrella.json")};
}

TEST(Player, OnePlayServesJudgesAndPage) {
  for (const std::filesystem::path& file : WatchedScenes()) {
    figure::FigureSceneOptions reading;
    reading.read_clip = LoadClip;
    auto scene = figure::ReadFigureScene(file, reading);
    ASSERT_TRUE(scene.ok()) << scene.diagnostics().ToString();
    SceneWatcher watcher(scene.value(), 1.0);
    figure::SimulateScene(scene.value(), 1.0,
                          [&watcher](double) { watcher.AfterStep(); });
    const auto watched = watcher.Record("Scene");
    ASSERT_TRUE(watched.has_value());
    // The same show, played by itself.
    auto shows = MakeEachShow({file}, {});
    ASSERT_TRUE(shows.ok()) << shows.diagnostics().ToString();
    std::vector<PlayedShow> played;
    played.push_back({"Scene", std::move(shows.value()[0].show)});
    const auto recording = RecordShows("Scene", 60.0, std::move(played), 1.0);
    ASSERT_TRUE(recording.has_value());
    EXPECT_EQ(ToJson(*watched), ToJson(*recording)) << file;
    EXPECT_EQ(watched->actors[0].samples.num_frames, 61U);
  }
}

TEST(Player, RopesAreGoneOnceTheyAreCut) {
  auto shows = MakeEachShow({WatchedScenes()[0]}, {});
  ASSERT_TRUE(shows.ok());
  viewer::Show& show = *shows.value()[0].show;
  viewer::Picture late;
  show.Draw(1.0, late);
  EXPECT_EQ(late.lines.size(), 0U);
  // Looking back: what was there is still seen.
  viewer::Picture early;
  show.Draw(0.2, early);
  EXPECT_EQ(early.lines.size(), 1U);
}

TEST(Player, LimbsHangOnOneAnother) {
  const PlayerRecording recording = RecordingOf(Clip("walk.bvh"));
  const PartTracks found = FindTracks(recording.actors[0].samples);
  std::size_t moving_places = 0;
  for (const PoseTrack& track : found.tracks) moving_places += track.parent < 0;
  // The root alone needs places of its own.
  EXPECT_EQ(moving_places, 1U);
  EXPECT_GT(found.tracks.size(), 10U);
  EXPECT_LT(found.tracks.size(), recording.actors[0].samples.parts.size() / 2);
}

TEST(Player, TenSecondsTakeLessThan400Kilobytes) {
  const figure::Motion walk = Clip("walk.bvh");
  figure::Motion longer(walk.shared_skeleton(), walk.rate_hz());
  const auto frames = static_cast<std::int64_t>(10.0 * walk.rate_hz());
  for (std::int64_t k = 0; k < frames; ++k) {
    longer.Append(walk.pose(k % walk.num_frames()));
  }
  const auto both = RecordClips("Both", {{"A", &longer}, {"B", &longer}});
  ASSERT_TRUE(both.has_value());
  EXPECT_LT(PlayerHtml(*both).size(), 400'000U);
}

TEST(Player, MarkersAreJoinedToWhereTheyWereSeen) {
  const figure::Motion motion = Clip("walk.bvh");
  figure::FigureModel body = *FigureFor(motion);
  body.markers = {{"hip", 0, Vector3(0.1, 0, 0)}, {"gone", 0, Vector3::Zero()}};
  mocap::MarkerTake take({"hip", "gone"}, motion.num_frames(),
                         motion.rate_hz());
  for (std::int64_t k = 0; k < motion.num_frames(); ++k) {
    const Transform X = motion.pose(k).X_PJ[0];
    take.SetPosition(k, 0, X * Vector3(0.1, 0.02, 0));
    if (k % 50 < 25) take.SetPosition(k, 1, X * Vector3(0, 0.01, 0));
  }
  std::vector<PlayedShow> shows;
  shows.push_back(
      {"Markers",
       viewer::ShowMarkerErrors(
           std::make_shared<const mocap::MarkerTake>(take),
           std::make_shared<const figure::Motion>(motion),
           std::make_shared<const figure::FigureModel>(std::move(body)))});
  const auto recording =
      RecordShows("Markers", motion.rate_hz(), std::move(shows));
  ASSERT_TRUE(recording.has_value());
  const ordered_json json = ToJson(*recording);
  EXPECT_EQ(json["actors"][0]["links"].size(), 2U);
  EXPECT_TRUE(json["actors"][0]["lines"]["slots"].empty());
  // The one that comes and goes says when it is not there.
  const ordered_json& part = json["actors"][0]["parts"][1];
  EXPECT_FALSE(
      json["actors"][0]["tracks"][part["track"].get<std::size_t>()]["hidden"]
          .empty());
  EXPECT_LT(FarthestPart(*recording), 5e-4);
}

TEST(Player, LongClipsTakeFewerFramesAndSayWhereTheyEnd) {
  // A clip of 120 Hz is seen at 60, one of 100 at 50, one of 24 as it is.
  EXPECT_EQ(TimesFor(1.0, 120.0, 50)->rate_hz, 60.0);
  EXPECT_EQ(TimesFor(1.0, 100.0, 50)->rate_hz, 50.0);
  EXPECT_EQ(TimesFor(1.0, 24.0, 50)->rate_hz, 24.0);
  EXPECT_EQ(TimesFor(1.0, 120.0, 50)->num_frames, 61U);
  // Two minutes are whole at the full rate, ten at a quarter of it, an hour
  // is not.
  EXPECT_EQ(TimesFor(120.0, 60.0, 50)->rate_hz, 60.0);
  EXPECT_TRUE(TimesFor(120.0, 60.0, 50)->is_whole);
  EXPECT_EQ(TimesFor(520.0, 60.0, 50)->rate_hz, 15.0);
  EXPECT_TRUE(TimesFor(520.0, 60.0, 50)->is_whole);
  EXPECT_EQ(TimesFor(3600.0, 60.0, 50)->rate_hz, 15.0);
  EXPECT_FALSE(TimesFor(3600.0, 60.0, 50)->is_whole);
  // No page moves so many bodies.
  EXPECT_TRUE(TimesFor(1.0, 60.0, 130'000).has_value());
  EXPECT_FALSE(TimesFor(1.0, 60.0, 300'000).has_value());
}

/// Two balls of one body in two frames; in the second one the other has slid
/// along x and turned about y.
ShowSamples TwoBalls(double slide, double turn) {
  ShowSamples samples;
  samples.num_frames = 2;
  samples.parts.resize(2);
  for (viewer::Part& part : samples.parts) part.body = 0;
  samples.layers.assign(2, PartLayer::kBoth);
  samples.poses.resize(4);
  // They stand a metre apart, and both move on by another.
  samples.poses[1].p = Vector3(0, 0, 1);
  samples.poses[2].p = Vector3(0, 1, 0);
  samples.poses[3].p = Vector3(slide, 1, 1);
  samples.poses[3].R = ExpRotation(Vector3(0, turn, 0));
  samples.seen.assign(4, 1);
  samples.lines.resize(2);
  samples.centre.assign(2, Vector3::Zero());
  return samples;
}

TEST(Player, WhatMovesAsOneWithinAHundredthOfAMillimetreIsOne) {
  EXPECT_EQ(FindTracks(TwoBalls(0.5e-5, 0.0)).tracks.size(), 1U);
  EXPECT_EQ(FindTracks(TwoBalls(2e-5, 0.0)).tracks.size(), 2U);
  EXPECT_EQ(FindTracks(TwoBalls(0.0, 0.5e-5)).tracks.size(), 1U);
  EXPECT_EQ(FindTracks(TwoBalls(0.0, 2e-5)).tracks.size(), 2U);
}

TEST(Player, WhatStandsStillTakesNoNumbersAFrame) {
  const auto tracks = [](double slide, double turn) {
    ShowSamples samples = TwoBalls(slide, turn);
    // Each moves by itself, and the first one not at all.
    samples.parts[0].body = samples.parts[1].body = -1;
    samples.poses[2] = samples.poses[0];
    samples.poses[3].p.y() = 0.0;
    PlayerRecording recording;
    recording.actors.push_back({"Balls", false, samples});
    return ToJson(recording)["actors"][0]["tracks"];
  };
  EXPECT_TRUE(tracks(0.5e-6, 0.0)[1]["p"].is_array());
  EXPECT_TRUE(tracks(2e-6, 0.0)[1]["p"].is_object());
  EXPECT_TRUE(tracks(0.0, 1.5e-6)[1]["q"].is_array());
  EXPECT_TRUE(tracks(0.0, 6e-6)[1]["q"].is_string());
}

TEST(Player, WhoGoesIsSeenFromTheFront) {
  ShowSamples samples = TwoBalls(0.0, 0.0);
  samples.centre[1] = Vector3(0.4, 0.3, 0);
  EXPECT_EQ(ForwardOf(samples), Vector3::UnitZ());
  samples.centre[1] = Vector3(0.6, 0.3, 0);
  EXPECT_EQ(ForwardOf(samples), Vector3::UnitX());
}

TEST(Player, CharactersTooLargeForAPageAreLeftOut) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("limber_character_" + std::to_string(::getpid()) + ".glb");
  const auto is_taken = [&file](std::size_t size) {
    std::ofstream(file, std::ios::binary) << "glTF";
    std::filesystem::resize_file(file, size);
    PlayerActor actor;
    AddCharacter(file, -1, actor);
    return !actor.character.empty();
  };
  EXPECT_TRUE(is_taken(6'000'000));
  EXPECT_FALSE(is_taken(10'000'000));
  std::filesystem::remove(file);
}

TEST(Player, NamesCannotEndTheScript) {
  PlayerRecording recording = RecordingOf(Clip("squat.bvh"));
  recording.title = "</script><b>bold</b>";
  recording.actors[0].name = "</script>";
  const std::string html = PlayerHtml(recording);
  // The element of the data ends once, after all of it.
  const std::size_t end = html.find("</script>");
  if (HasPlayer()) {
    EXPECT_THAT(html.substr(end), testing::StartsWith("</script></div>"));
    EXPECT_EQ(html.find("</script>", end + 1), std::string::npos);
  }
  // Outside of it no name is a tag.
  EXPECT_THAT(html.substr(0, html.find("<script")), Not(HasSubstr("<b>")));
  EXPECT_THAT(html.substr(HasPlayer() ? end : 0), Not(HasSubstr("<b>")));
}

TEST(Player, StripHasARowForEachActor) {
  const figure::Motion walk = Clip("walk.bvh");
  const auto both = RecordClips("Both", {{"Result", &walk}, {"Source", &walk}});
  const std::string one = StripSvg(RecordingOf(walk));
  const std::string two = StripSvg(*both);
  EXPECT_THAT(one, HasSubstr("viewBox=\"0 0 880 150\""));
  EXPECT_THAT(two, HasSubstr("viewBox=\"0 0 880 300\""));
  EXPECT_THAT(two, HasSubstr(">Source</text>"));
  EXPECT_THAT(two, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace limber::app
