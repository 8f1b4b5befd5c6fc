// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "figure/figure_file.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FigureCommand : public ProgramTest {};
class MarkersCommand : public ProgramTest {};

// V-40: the skeleton that was imported from a BVH and exported as a figure file
// gives back the same BVH.
TEST_F(FigureCommand, BvhToFigureToBvhIsIdentity) {
  for (const char* name : {"clips/walk.bvh", "clips/march.bvh"}) {
    const Outcome outcome =
        RunLimber({"figure", Bundled(name), "-o", In("f.json"), "--unit", "cm",
                   "--up", "y", "--weight", "70"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const figure::FigureModel figure =
        figure::ReadFigureFile(In("f.json")).value();
    EXPECT_NEAR(figure.total_mass(), 70.0, 1e-9);
    const figure::Motion clip =
        mocap::ReadBvhFile(Bundled(name), {0.01, figure::UpAxis::kY}).value();
    std::vector<double> values;
    for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
      const std::span<const double> row = clip.row(f);
      values.insert(values.end(), row.begin(), row.end());
    }
    const figure::Motion again(figure.skeleton, clip.rate_hz(), clip.source(),
                               values);
    EXPECT_EQ(mocap::WriteBvh(again).value(),
              ReadWholeFile(Bundled(name)).value());
  }
}

TEST_F(FigureCommand, InfoUnderstandsFigureFiles) {
  const Outcome text = RunLimber({"info", Bundled("figures/adult18.json")});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("figure"), HasSubstr("18: Hips"),
                              HasSubstr("human, 1.75 m, 75 kg"),
                              HasSubstr("41 marker sites")));
  const Outcome machine =
      RunLimber({"info", "--json", Bundled("figures/child.json")});
  const nlohmann::json json = nlohmann::json::parse(machine.out);
  EXPECT_EQ(json["format"], "figure");
  EXPECT_NEAR(json["mass_kg"].get<double>(), 20.0, 1e-9);
}

// V-39
TEST_F(FigureCommand, WrongWordInAFigureFileIsShownWithItsPlace) {
  const std::string file = Make("bad.json",
                                "{\"limber_figure\": 1,\n"
                                " \"joints\": [{\"name\": \"a\",\n"
                                "   \"offset\": [0, 1, 0],\n"
                                "   \"role\": \"pelvus\"}]}\n");
  const Outcome outcome = RunLimber({"info", file});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(file + ":4:12: error: "),
                                 HasSubstr("pelvus"), HasSubstr("pelvis, ")));
}

TEST_F(FigureCommand, SkeletonWithoutSizeIsRefused) {
  const std::string file = Make("dot.bvh",
                                "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n"
                                "CHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
                                "MOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n");
  const Outcome outcome =
      RunLimber({"figure", file, "-o", In("f.json"), "--unit", "m"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("no bone of the skeleton has a length"));
  EXPECT_FALSE(Exists("f.json"));
}

// Every skeleton of the zoo gets a body or a reason.
TEST_F(FigureCommand, ZooWorks) {
  LIMBER_NEEDS_REAL_DATA();
  int made = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RealData("bvh-zoo"))) {
    if (entry.path().extension() != ".bvh") continue;
    const Outcome outcome =
        RunLimber({"figure", entry.path().string(), "-o", In("f.json")});
    EXPECT_LE(outcome.code, 1) << entry.path() << outcome.err;
    if (outcome.code == 1) {
      EXPECT_THAT(outcome.err, HasSubstr("error: ")) << entry.path();
      continue;
    }
    ++made;
    const Result<figure::FigureModel> figure =
        figure::ReadFigureFile(In("f.json"));
    ASSERT_TRUE(figure.ok()) << figure.diagnostics().ToString();
  }
  EXPECT_GE(made, 12);
}

TEST_F(FigureCommand, CmuSkeletonsAreRecognisedWhole) {
  LIMBER_NEEDS_REAL_DATA();
  const Outcome outcome =
      RunLimber({"figure", RealData("cmu/02/02_01.bvh").string(), "-o",
                 In("f.json"), "--fit-clip"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const figure::FigureModel figure =
      figure::ReadFigureFile(In("f.json")).value();
  EXPECT_TRUE(figure::IsHumanoid(figure.roles));
  EXPECT_EQ(figure.num_segments(), 23);
  EXPECT_EQ(figure.markers.size(), 41u);
}

TEST_F(MarkersCommand, WritesC3dAndTrcOfTheSameMarkers) {
  for (const char* name : {"a.c3d", "a.trc"}) {
    const Outcome outcome =
        RunLimber({"markers", Bundled("clips/bow.bvh"), "-o", In(name),
                   "--noise", "1mm", "--gaps", "20%:0.2s", "--seed", "5"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("41 markers, 211 frames"));
  }
  const mocap::MarkerTake c3d = mocap::ReadC3d(In("a.c3d")).value();
  const mocap::MarkerTake trc = mocap::ReadTrc(In("a.trc")).value();
  ASSERT_EQ(c3d.labels(), trc.labels());
  EXPECT_NEAR(c3d.gap_fraction(), 0.2, 0.001);
  for (int marker = 0; marker < c3d.num_markers(); ++marker) {
    ASSERT_EQ(c3d.IsVisible(7, marker), trc.IsVisible(7, marker));
    if (!c3d.IsVisible(7, marker)) continue;
    EXPECT_LT((c3d.Position(7, marker) - trc.Position(7, marker)).norm(), 2e-7);
  }
}

TEST_F(MarkersCommand, BadCallsAreExplained) {
  const auto refuse = [&](std::vector<std::string> more,
                          const std::string& words) {
    std::vector<std::string> call = {"markers", Bundled("clips/bow.bvh")};
    call.insert(call.end(), more.begin(), more.end());
    const Outcome outcome = RunLimber(call);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(words));
  };
  refuse({"-o", In("a.bvh")}, "must end in .c3d or .trc");
  refuse({"-o", In("a.c3d"), "--noise", "1"}, "such as 1mm");
  refuse({"-o", In("a.c3d"), "--gaps", "20"}, "such as 20%:0.5s");
  refuse({"-o", In("a.c3d"), "--marker-set", "cmu"}, "cmu41");
}

TEST_F(MarkersCommand, ClipWithoutABodyIsRefused) {
  const Outcome outcome = RunLimber({"markers", Bundled("clips/chain.bvh"),
                                     "-o", In("a.c3d"), "--unit", "cmu"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no human body was recognised"));
}

}  // namespace
}  // namespace limber::test
