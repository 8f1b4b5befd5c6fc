// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong calls end with 2 and say what was meant; help and version end with 0.
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class CallTest : public ProgramTest {
 protected:
  /// The call must be refused: exit code 2, nothing on standard output.
  static std::string Refusal(const std::vector<std::string>& arguments) {
    const Outcome outcome = RunLimber(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    return outcome.err;
  }
};

TEST_F(CallTest, NoArgumentsAsksForACommand) {
  EXPECT_THAT(Refusal({}), AllOf(HasSubstr("a command is missing"),
                                 HasSubstr("limber --help")));
}

TEST_F(CallTest, MistypedCommandGetsASuggestion) {
  EXPECT_THAT(Refusal({"inof", "a.bvh"}),
              AllOf(HasSubstr("no such command: \"inof\""),
                    HasSubstr("did you mean \"info\"?")));
  EXPECT_THAT(Refusal({"banana"}), Not(HasSubstr("did you mean")));
}

TEST_F(CallTest, MistypedOptionGetsASuggestion) {
  EXPECT_THAT(Refusal({"info", "a.bvh", "--jsno"}),
              AllOf(HasSubstr("no such option: \"--jsno\""),
                    HasSubstr("did you mean \"--json\"?"),
                    HasSubstr("limber info --help")));
  EXPECT_THAT(Refusal({"convert", "a.c3d", "b.trc", "--to-unti=mm"}),
              HasSubstr("did you mean \"--to-unit\"?"));
  EXPECT_THAT(Refusal({"--versoin"}), HasSubstr("did you mean \"--version\"?"));
}

TEST_F(CallTest, MissingFileNameIsNamed) {
  EXPECT_THAT(Refusal({"info"}), HasSubstr("FILE"));
  EXPECT_THAT(Refusal({"convert", "a.bvh"}), HasSubstr("OUT"));
}

TEST_F(CallTest, TooManyFileNamesAreRefused) {
  EXPECT_THAT(Refusal({"convert", "a.bvh", "b.bvh", "c.bvh"}),
              HasSubstr("c.bvh"));
}

TEST_F(CallTest, BadOptionValuesAreNamed) {
  const std::string bvh = Make("a.bvh", kSmallBvh);
  EXPECT_THAT(
      Refusal({"info", bvh, "--unit", "parsec"}),
      AllOf(HasSubstr("--unit"), HasSubstr("mm, cm, m"), HasSubstr("parsec")));
  EXPECT_THAT(Refusal({"info", bvh, "--up", "north"}),
              AllOf(HasSubstr("--up"), HasSubstr("north")));
  for (const std::string rate : {"0", "-5", "nan", "inf", "fast"}) {
    EXPECT_THAT(Refusal({"info", bvh, "--rate", rate}),
                AllOf(HasSubstr("--rate"), HasSubstr(rate)));
  }
  EXPECT_THAT(Refusal({"convert", bvh, In("b.c3d"), "--c3d-order", "vax"}),
              HasSubstr("--c3d-order"));
}

TEST_F(CallTest, OptionThatDoesNotApplyIsRefused) {
  const std::string bvh = Make("a.bvh", kSmallBvh);
  EXPECT_THAT(Refusal({"info", Bundled("takes/march.c3d"), "--rate", "60"}),
              HasSubstr("--rate does not apply"));
  EXPECT_THAT(Refusal({"info", bvh, "--up", "-y"}),
              HasSubstr("--up -Y: the up axis of a BVH file is x, y or z"));
  EXPECT_THAT(Refusal({"convert", bvh, In("b.bvh"), "--c3d-numbers", "int16"}),
              HasSubstr("C3D output only"));
  EXPECT_THAT(Refusal({"convert", Bundled("takes/march.c3d"), In("b.trc"),
                       "--to-unit", "cmu"}),
              HasSubstr("--to-unit cmu: C3D and TRC have no word"));
}

// Found before the work is done, not after: no command says anything of
// results.
TEST_F(CallTest, UnwritableOutputIsRefusedBeforeTheWork) {
  const std::string walk = Bundled("clips/walk.bvh");
  const std::string take = In("take.c3d");
  ASSERT_EQ(RunLimber({"markers", walk, "-o", take}).code, 0);
  const std::string nowhere = In("no/such/folder/a.bvh");
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"solve", take, "-o", nowhere},
        {"retarget", walk, "--to", Bundled("figures/child.json"), "-o",
         nowhere},
        {"edit", walk, "--push", "left-forearm@1s:10Ns:+x", "-o", nowhere},
        {"combine", walk, walk, "-o", nowhere},
        {"simulate", Bundled("scenes/umbrella.json"), "-o", nowhere}}) {
    const Outcome outcome = RunLimber(call);
    EXPECT_EQ(outcome.code, 1) << call[0];
    EXPECT_EQ(outcome.err, nowhere +
                               ": error: cannot write: there is no folder "
                               "\"" +
                               In("no/such/folder") + "\"\n")
        << call[0];
    EXPECT_THAT(outcome.out, IsEmpty()) << call[0];
  }
}

TEST_F(CallTest, VersionIsPrinted) {
  const Outcome outcome = RunLimber({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("limber 0."));
}

TEST_F(CallTest, HelpHasAnExampleForEachCommand) {
  const Outcome all = RunLimber({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.err, IsEmpty());
  for (const std::string command : {"info", "convert"}) {
    EXPECT_THAT(all.out, HasSubstr(command));
    const Outcome outcome = RunLimber({command, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Example:\n"), HasSubstr("limber " + command)));
  }
}

TEST_F(CallTest, FullDiskBehindStandardOutputIsAFailure) {
  ASSERT_TRUE(std::filesystem::exists("/dev/full"));
  const Outcome outcome =
      RunLimberInto("/dev/full", {"info", Make("a.bvh", kSmallBvh)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to standard output"));
}

}  // namespace
}  // namespace limber::test
