// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a batch: hashes, names, shards, manifest, log, summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "app/batch/batch_command.h"
#include "app/batch/batch_progress.h"
#include "app/batch/job_source.h"
#include "app/batch/log.h"
#include "app/batch/log_line.h"
#include "app/batch/sha256.h"
#include "app/batch/slurm.h"
#include "app/batch/summary.h"
#include "app/batch/worker.h"
#include "core/file.h"

namespace limber::app::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class BatchParts : public testing::Test {
 protected:
  BatchParts()
      : folder_(std::filesystem::temp_directory_path() /
                ("limber_batch_parts_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~BatchParts() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path Make(const std::string& name,
                             std::string_view bytes) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_FALSE(WriteWholeFile(path, bytes).has_errors());
    return path;
  }
  /// The names of the jobs of a manifest, or its findings.
  std::vector<std::string> NamesOf(const std::string& text) {
    Manifest manifest(Make("jobs.jsonl", text), table_);
    const Result<JobPlan> plan = JobPlan::Make(manifest, "jobs.jsonl");
    if (!plan.ok()) return {plan.diagnostics().ToString()};
    std::vector<std::string> names;
    Diagnostics findings;
    manifest.Rewind();
    while (auto job = manifest.Next(findings)) {
      plan->Settle(*job);
      names.push_back(job->name);
    }
    return names;
  }

  const std::filesystem::path folder_;
  const CommandTable table_ = {
      {"retarget",
       {{"to", {}}, {"lock-feet", {}}, {"copy-only", {true}}, {"output", {}}}},
      {"solve", {{"csv", {}}, {"up", {}}}},
      {"edit", {{"push", {}}, {"sweep", {}}}},
      {"convert", {}}};
};

// The examples of FIPS 180-2, and one longer than a block by hand of sha256sum.
TEST(Sha256, AgreesWithTheStandard) {
  EXPECT_EQ(Sha256Of(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheHashOfTheWhole) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1U, 7U, 63U, 64U, 65U, 999U}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      hash.Add(std::string_view(text).substr(at, piece));
    }
    EXPECT_EQ(hash.Finish(), Sha256Of(text)) << piece;
  }
}

TEST(Shard, EveryJobIsInExactlyOneAndTheyAreOfASize) {
  constexpr int kShards = 8;
  std::vector<int> counts(kShards);
  for (int job = 0; job < 4000; ++job) {
    const std::string name = "clips/" + std::to_string(job);
    int owners = 0;
    for (int i = 1; i <= kShards; ++i) {
      if (!Shard{i, kShards}.Has(name)) continue;
      ++owners;
      ++counts[i - 1];
    }
    EXPECT_EQ(owners, 1);
  }
  // Binomial: mean 500, deviation 21; five deviations.
  for (const int count : counts) EXPECT_NEAR(count, 500, 105);
}

TEST(Shard, OtherTextsAreNone) {
  EXPECT_EQ(ParseShard("3/40")->index, 3);
  EXPECT_EQ(ParseShard("3/40")->count, 40);
  for (const char* text :
       {"", "3", "/", "0/4", "5/4", "-1/4", "1/0", "1/4x", "a/b", "1/4/2"}) {
    EXPECT_FALSE(ParseShard(text)) << text;
  }
}

TEST(SplitWords, KnowsQuotesAndBackslash) {
  EXPECT_THAT(*SplitWords("retarget --to 'a b' \"c'd\" e\\ f ''"),
              ElementsAre("retarget", "--to", "a b", "c'd", "e f", ""));
  EXPECT_FALSE(SplitWords("retarget 'a"));
  EXPECT_TRUE(SplitWords("  ")->empty());
}

TEST(NameFor, KeepsTheTreeAndLeavesTheBatchsOwnFilesAlone) {
  EXPECT_EQ(NameFor("clips/a/walk.bvh", "clips"), "a/walk");
  EXPECT_EQ(NameFor("clips/a/walk.bvh", ""), "clips/a/walk");
  EXPECT_EQ(NameFor("/data/walk.bvh", ""), "data/walk");
  EXPECT_EQ(NameFor("./a/../walk.2.bvh", ""), "walk.2");
  EXPECT_EQ(NameFor("../walk.bvh", ""), "_up/walk");
  EXPECT_EQ(NameFor("log.bvh", ""), "_log");
  EXPECT_EQ(NameFor("summary.bvh", ""), "_summary");
  EXPECT_EQ(NameFor("index.bvh", ""), "_index");
  EXPECT_EQ(NameFor(".work/a.bvh", ""), "_.work/a");
  EXPECT_EQ(NameFor("a.sweep/b.bvh", ""), "a.sweep_/b");
}

TEST_F(BatchParts, ManifestLineBecomesWords) {
  Diagnostics findings;
  const auto job = ParseJob(
      R"({"command": "retarget", "input": "a/b.bvh", "to": "fat_man",
          "lock_feet": 0.25, "copy-only": true})",
      1, table_, findings);
  ASSERT_TRUE(job) << findings.ToString();
  EXPECT_THAT(WordsOf(*job, "w"),
              ElementsAre("retarget", "a/b.bvh", "--to=fat_man",
                          "--lock-feet=0.25", "--copy-only", "--output=w/b.bvh",
                          "--report=w/b.report.json"));
  EXPECT_EQ(FolderOf(*job), "a");
}

TEST_F(BatchParts, SidesSweepsAndFormatsGetNamesOfTheirOwn) {
  Diagnostics findings;
  auto job = ParseJob(R"({"command": "solve", "input": "t.c3d", "csv": true,
      "up": "-z", "format": "amc"})",
                      1, table_, findings);
  ASSERT_TRUE(job) << findings.ToString();
  EXPECT_THAT(WordsOf(*job, "w"),
              ElementsAre("solve", "t.c3d", "--csv=w/t.csv", "--up=-z",
                          "--output=w/t.amc", "--report=w/t.report.json"));
  job = ParseJob(R"({"command": "edit", "input": "c/w.bvh",
      "push": ["a", "b"], "sweep": "push.x=0..1:1"})",
                 1, table_, findings);
  ASSERT_TRUE(job) << findings.ToString();
  EXPECT_EQ(FolderOf(*job), "c/w.sweep");
  EXPECT_THAT(WordsOf(*job, "w"),
              ElementsAre("edit", "c/w.bvh", "--push=a", "--push=b",
                          "--sweep=push.x=0..1:1", "--threads=1",
                          "--output=w/w.bvh", "--report=w/w.report.json"));
  job = ParseJob(R"({"command": "convert", "input": "t.c3d", "format": "trc"})",
                 1, table_, findings);
  ASSERT_TRUE(job) << findings.ToString();
  EXPECT_THAT(WordsOf(*job, "w"),
              ElementsAre("convert", "t.c3d", "w/t.trc", "--json"));
}

TEST_F(BatchParts, BadLinesAreRefusedWithTheirPlace) {
  const auto refusal = [this](const std::string& line) {
    const std::vector<std::string> found = NamesOf("\n" + line + "\n");
    return found.empty() ? std::string() : found[0];
  };
  EXPECT_THAT(refusal(R"({"command": "retarget", "input": "a.bvh", "too": 1})"),
              HasSubstr("jobs.jsonl:2:43: error: limber retarget has no option "
                        "\"too\"; did you mean \"to\"?"));
  EXPECT_THAT(refusal(R"({"command": "retarget", "input": "a.bvh")"),
              HasSubstr("jobs.jsonl:2:"));
  EXPECT_THAT(refusal(R"({"command": "dance", "input": "a.bvh"})"),
              HasSubstr("jobs.jsonl:2:13: error: no command for a batch: "
                        "\"dance\""));
  EXPECT_THAT(refusal(R"({"input": "a.bvh"})"),
              HasSubstr("2:1: error: \"command\" is missing"));
  EXPECT_THAT(refusal(R"([1])"), HasSubstr("2:1: error: expected an object"));
  EXPECT_THAT(
      refusal(R"({"command": "retarget", "input": "a.bvh", "to": null})"),
      HasSubstr("\"to\": expected a text or a number, found null"));
  EXPECT_THAT(
      refusal(R"({"command": "retarget", "input": "a.bvh", "copy_only": 1})"),
      HasSubstr("expected true or false, found a number"));
  EXPECT_THAT(
      refusal(R"({"command": "retarget", "input": "a.bvh", "output": "x"})"),
      HasSubstr("the batch itself names outputs"));
  for (const char* name : {"../x", "/x", "log", "a/../x", "a//b", ".x", ""}) {
    EXPECT_THAT(
        refusal(R"({"command": "retarget", "input": "a.bvh", "name": ")" +
                std::string(name) + "\"}"),
        HasSubstr("jobs.jsonl:2:51: error: \"name\""))
        << name;
  }
  EXPECT_THAT(refusal(R"({"command": "convert", "input": "a.c3d"})"),
              HasSubstr("convert needs \"format\""));
  EXPECT_THAT(refusal(std::string(3 << 20, 'x')), HasSubstr("2: error"));
  EXPECT_THAT(refusal(std::string("\0\0", 2)), HasSubstr("jobs.jsonl:2:"));
}

TEST_F(BatchParts, JobsOfOneNameGetTheirHashAndTheSameJobTwiceIsRefused) {
  const std::string line = R"({"command": "retarget", "input": "a/w.bvh")";
  const std::vector<std::string> names =
      NamesOf(line + R"(, "to": "x"})" + "\n" + line + R"(, "to": "y"})" +
              "\n" + R"({"command": "retarget", "input": "a/w.amc"})" + "\n" +
              R"({"command": "retarget", "input": "b/w.bvh"})" + "\n");
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 4U);
  EXPECT_THAT(names[0], testing::MatchesRegex("a/w~[0-9a-f]*"));
  EXPECT_EQ(names[3], "b/w");
  EXPECT_THAT(NamesOf(line + "}\n\n" + line + "}\n")[0],
              HasSubstr("jobs.jsonl:3: error: this is the job of line 1"));
  EXPECT_THAT(
      NamesOf(line + "}\n" + line + R"(, "to": "x", "name": "a/w"})")[0],
      HasSubstr("its outputs would have the name of those of line 1"));
}

TEST_F(BatchParts, PassingOverAJobLeadsToTheNext) {
  const auto line = [](const std::string& name) {
    return R"({"command": "retarget", "input": ")" + name + R"(.bvh"})";
  };
  Manifest manifest(Make("jobs.jsonl", "\n" + line("a") + "\r\n \t\n\r\n" +
                                           line("b") + "\n\n" + line("c")),
                    table_);
  const Result<JobPlan> plan = JobPlan::Make(manifest, "jobs.jsonl");
  ASSERT_TRUE(plan.ok()) << plan.diagnostics().ToString();
  EXPECT_EQ(plan->num_jobs(), 3);
  Diagnostics findings;
  constexpr std::array<std::int64_t, 3> kLines = {2, 5, 7};
  for (std::size_t wanted = 0; wanted < kLines.size(); ++wanted) {
    manifest.Rewind();
    for (std::size_t i = 0; i < wanted; ++i) manifest.Skip();
    const auto job = manifest.Next(findings);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->name, std::string(1, "abc"[wanted]));
    EXPECT_EQ(job->line, kLines[wanted]);
    EXPECT_EQ(plan->NameHash(wanted), StableHash(job->name));
  }
  manifest.Skip();
  EXPECT_FALSE(manifest.Next(findings));
  EXPECT_FALSE(findings.has_errors());
}

TEST_F(BatchParts, PatternsFindFilesInFolders) {
  for (const char* name : {"c/a.bvh", "c/d/b.bvh", "c/d/e/b.bvh", "c/x.txt",
                           "c/.h/c.bvh", "z.bvh"}) {
    Make(name, "");
  }
  const auto found = [this](const std::string& pattern) {
    std::vector<std::string> names;
    for (const auto& path : FilesOf((folder_ / pattern).string())) {
      names.push_back(path.lexically_relative(folder_).string());
    }
    return names;
  };
  EXPECT_THAT(found("c/*.bvh"), ElementsAre("c/a.bvh"));
  EXPECT_THAT(found("c/**/*.bvh"),
              ElementsAre("c/.h/c.bvh", "c/a.bvh", "c/d/b.bvh", "c/d/e/b.bvh"));
  EXPECT_THAT(found("*/d/[a-c].bvh"), ElementsAre("c/d/b.bvh"));
  EXPECT_THAT(found("**/e/*"), ElementsAre("c/d/e/b.bvh"));
  EXPECT_THAT(found("no/*"), ElementsAre());
  EXPECT_EQ(RootOf("clips/a/**/*.bvh"), "clips/a");
  EXPECT_EQ(RootOf("*.bvh"), "");
  EXPECT_EQ(RootOf("clips/a.bvh"), "clips");
  EXPECT_EQ(RootOf("/x/*.bvh"), "/x");
}

LogEntry EntryOf(const std::string& job, const std::string& finished) {
  LogEntry entry;
  entry.job = job;
  entry.finished = finished;
  entry.version = "1";
  entry.metrics["frames"] = 7;
  entry.outputs["a.bvh"] = 12;
  return entry;
}

TEST_F(BatchParts, LogLineReadsBack) {
  LogEntry entry = EntryOf("a \"b\"/ü", "2026-01-31T12:00:00.000Z");
  entry.ending = Ending::kWrong;
  entry.error = "x\ny";
  entry.options = {"--to=fat man"};
  entry.mark = {"ab", 5, 1234567890123456789};
  entry.doubts.push_back({{"kind", "k"}});
  const std::string line = ToLine(entry);
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  const auto read = ParseEntry(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(ToLine(*read), line);
  EXPECT_EQ(read->mark.time_ns, 1234567890123456789);
  for (std::size_t i = 0; i < line.size(); ++i) {
    EXPECT_FALSE(ParseEntry(line.substr(0, i)));
  }
}

TEST_F(BatchParts, BothReadersOfALineAgree) {
  LogEntry entry = EntryOf("a \"b\"/ü\\", "2026-01-31T12:00:00.000Z");
  entry.input = "x,\"y\":{[.bvh";
  entry.mark = {"ab", 5, 1234567890123456789};
  entry.options_hash = "cd";
  entry.ending = Ending::kFailed;
  entry.outputs["b}].bvh"] = 34;
  entry.doubts.push_back({{"kind", "k]"}, {"value", {1, 2}}});
  const std::string line = ToLine(entry);
  ASSERT_TRUE(LogLine::Scan(line));
  const auto known = ParseKnown(line);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->job, entry.job);
  EXPECT_EQ(known->version, entry.version);
  EXPECT_EQ(known->input, entry.input);
  EXPECT_EQ(known->mark.hash, "ab");
  EXPECT_EQ(known->mark.bytes, 5);
  EXPECT_EQ(known->mark.time_ns, 1234567890123456789);
  EXPECT_EQ(known->options_hash, "cd");
  EXPECT_EQ(known->ending, Ending::kFailed);
  EXPECT_EQ(known->outputs, entry.outputs);
  // Cut short, or with a hole that the disk left, a line is none.
  for (std::size_t i = 0; i < line.size(); ++i) {
    EXPECT_FALSE(ParseKnown(line.substr(0, i))) << i;
    std::string hole = line;
    hole[i] = '\0';
    EXPECT_FALSE(ParseKnown(hole)) << i;
  }
  // Written by another hand, with spaces and in another order.
  const auto tree = nlohmann::json::parse(line);
  EXPECT_FALSE(LogLine::Scan(tree.dump(1)));
  const auto other = ParseKnown(tree.dump(1));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->outputs, entry.outputs);
  EXPECT_EQ(other->mark.time_ns, entry.mark.time_ns);
}

TEST_F(BatchParts, HashOfOptionsFollowsEveryPartOfAJob) {
  const std::string figure = Make("figure.json", "1").string();
  const auto job = [&](const std::string& input, const std::string& option) {
    BatchJob made;
    made.command = "retarget";
    made.input = input;
    made.options = {"--to=" + option};
    return made;
  };
  OptionHasher hasher;
  const std::string first = hasher.HashOf(job("a.bvh", figure));
  EXPECT_EQ(hasher.HashOf(job("b.bvh", figure)), first);
  EXPECT_NE(hasher.HashOf(job("b.bvh", "0.5")), first);
  EXPECT_EQ(hasher.HashOf(job("b.bvh", figure)), first);
  BatchJob other = job("b.bvh", figure);
  other.format = "glb";
  EXPECT_NE(hasher.HashOf(other), first);
  other = job("b.bvh", figure);
  other.command = "solve";
  EXPECT_NE(hasher.HashOf(other), first);
  // The skeleton beside an AMC belongs to it.
  Make("x/s.asf", "1");
  Make("y/s.asf", "2");
  const std::string x = hasher.HashOf(job((folder_ / "x/a.amc").string(), "1"));
  const std::string y = hasher.HashOf(job((folder_ / "y/a.amc").string(), "1"));
  EXPECT_NE(x, y);
  EXPECT_NE(hasher.HashOf(job("a.bvh", "1")), y);
  EXPECT_EQ(hasher.HashOf(job((folder_ / "x/b.amc").string(), "1")), x);
  // The content of a file that an option names, in another run.
  Make("figure.json", "2");
  EXPECT_NE(OptionHasher().HashOf(job("a.bvh", figure)), first);
}

TEST_F(BatchParts, IndexHasTheLastLineOfEachJobInAllLogs) {
  LogEntry late = EntryOf("a", "2026-01-31T12:00:02.000Z");
  late.version = "2";
  Make("log.jsonl", ToLine(late) + "\n" +
                        ToLine(EntryOf("b", "2026-01-31T12:00:00.000Z")) +
                        "\n" + R"({"job":"c","finis)");
  Make("log.1-of-2.jsonl",
       ToLine(EntryOf("a", "2026-01-31T12:00:01.000Z")) + "\n");
  const LogIndex index = LogIndex::Read(folder_);
  EXPECT_EQ(index.size(), 2U);
  EXPECT_EQ(index.num_damaged(), 1);
  EXPECT_EQ(index.Find("a")->version, "2");
  EXPECT_FALSE(index.Find("c"));
}

TEST_F(BatchParts, LogIsAppendedToAfterACutLineAndByOneBatchOnly) {
  const auto path = Make("log.jsonl", R"({"job":"c","finis)");
  LogWriter writer;
  EXPECT_FALSE(writer.Open(path).has_errors());
  EXPECT_FALSE(
      writer.Append(EntryOf("a", "2026-01-31T12:00:01.000Z")).has_errors());
  LogWriter second;
  EXPECT_THAT(second.Open(path).ToString(), HasSubstr("another batch"));
  const LogIndex index = LogIndex::Read(folder_);
  EXPECT_TRUE(index.Find("a"));
}

TEST_F(BatchParts, SummaryHasTheWorstFirstAndCountsEverything) {
  std::string log;
  const auto add = [&log](const std::string& job, Ending ending, double value) {
    LogEntry entry = EntryOf(job, "2026-01-31T12:00:00.000Z");
    entry.ending = ending;
    if (ending == Ending::kWrong) {
      entry.doubts.push_back({{"kind", "tilted"},
                              {"message", "it <leans>"},
                              {"value", value},
                              {"bound", 1.0}});
    }
    log += ToLine(entry) + "\n";
  };
  add("a", Ending::kRight, 0.0);
  add("b", Ending::kWrong, 2.0);
  add("c", Ending::kWrong, 5.0);
  add("d", Ending::kFailed, 0.0);
  add("e", Ending::kBroken, 0.0);
  Make("log.jsonl", log);
  const Result<Summary> summary = WriteSummary(folder_, false);
  ASSERT_TRUE(summary.ok());
  std::vector<std::string> order;
  for (const LogEntry& entry : summary->worst) order.push_back(entry.job);
  EXPECT_THAT(order, ElementsAre("e", "d", "c", "b", "a"));
  EXPECT_EQ(summary->counts.wrong, 2);
  EXPECT_EQ(summary->counts.failed, 2);
  EXPECT_EQ(ExitCodeOf(summary->counts), 1);
  const std::string page = ReadWholeFile(folder_ / "index.html").value();
  EXPECT_THAT(page, HasSubstr("href=\"a.bvh\""));
  EXPECT_THAT(page, HasSubstr("it &lt;leans&gt;"));
  const std::string table = ReadWholeFile(folder_ / "summary.csv").value();
  EXPECT_THAT(table, HasSubstr("\nc,looks wrong,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6);
}

TEST_F(BatchParts, HistogramCountsAllAndAWildValueDoesNotHideTheOthers) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(i % 100));
  values.push_back(1e9F);
  const Histogram histogram = MakeHistogram(values);
  EXPECT_LE(histogram.hi, 100.0);
  std::int64_t sum = 0;
  for (const std::int64_t count : histogram.counts) sum += count;
  EXPECT_EQ(sum, 1001);
  EXPECT_TRUE(MakeHistogram({}).counts.empty());
  EXPECT_THAT(MakeHistogram({3, 3}).counts, ElementsAre(2));
}

TEST_F(BatchParts, BoundsOfWhatIsShownAndRead) {
  // Twenty findings are enough to see what is wrong.
  std::string bad;
  for (int i = 0; i < 100; ++i) bad += "[]\n";
  const std::string findings = NamesOf(bad)[0];
  EXPECT_EQ(std::count(findings.begin(), findings.end(), '\n'), 20);
  // A line of a mebibyte may be a job, a longer one is another kind of file.
  const std::string begin = R"({"command": "retarget", "input": ")";
  const std::string longest = std::string((1 << 20) - begin.size() - 2, 'a');
  EXPECT_EQ(NamesOf(begin + longest + "\"}\n")[0], longest);
  EXPECT_THAT(NamesOf(begin + longest + "a\"}\n")[0],
              HasSubstr("a line of more than 1048576 bytes"));
  EXPECT_EQ(MakeHistogram({0, 1, 2, 3}).counts.size(), 30U);
  // The page lists five hundred jobs, and six files of each.
  std::string log;
  for (int i = 0; i < 501; ++i) {
    LogEntry entry = EntryOf(std::to_string(i), "2026-01-31T12:00:00.000Z");
    for (int k = 0; k < 7; ++k) entry.outputs[std::to_string(k) + ".x"] = 1;
    log += ToLine(entry) + "\n";
  }
  Make("log.jsonl", log);
  const Result<Summary> summary = WriteSummary(folder_, false);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->worst.size(), 500U);
  const std::string page = ReadWholeFile(folder_ / "index.html").value();
  EXPECT_THAT(page, HasSubstr("5.x</a> and 2 more"));
  EXPECT_THAT(page, HasSubstr("<p class=\"soft\">1 more are in"));
}

TEST_F(BatchParts, OfWhatAFailedJobSaidTheBeginningIsKept) {
  Make("stderr", std::string(5000, 'x'));
  const WorkResult result =
      ReadResult(folder_, /*status=*/1 << 8, /*timed_out=*/false, {});
  EXPECT_EQ(result.ending, Ending::kFailed);
  EXPECT_EQ(result.error, std::string(2000, 'x') + "...");
}

// As docs/batch.md says.
TEST(BatchProgress, IntervalsAreThoseThatAreWrittenDown) {
  EXPECT_EQ(BatchProgress::Interval(/*on_terminal=*/true), 0.2);
  EXPECT_EQ(BatchProgress::Interval(/*on_terminal=*/false), 60.0);
  EXPECT_EQ(BatchSettings().sync_every_s, 2.0);
  EXPECT_EQ(kUsualTimeout, 3600.0);
  const BatchProgress progress(3);
  EXPECT_GT(progress.DueIn(), 0.0);
}

TEST(BatchProgress, LineHasRateAndTimeLeft) {
  BatchCounts counts;
  counts.right = 55;
  counts.wrong = 3;
  counts.failed = 2;
  counts.skipped = 10;
  EXPECT_EQ(BatchProgressLine(counts, 160, 10.0),
            "60 of 160 jobs, 5/s, 10 known, 3 wrong, 2 failed, 20 s left");
  EXPECT_EQ(BatchProgressLine({}, 160, 0.0), "0 of 160 jobs, 0/s");
  EXPECT_EQ(CountsLine(counts),
            "60 jobs: 55 look right, 3 look wrong, 2 failed (10 known from the "
            "log)");
}

TEST(Slurm, ScriptIsAnArrayOfShardsThatMayBeRequeued) {
  SlurmSettings settings;
  settings.num_nodes = 4;
  settings.num_tasks = 40;
  settings.num_cpus = 16;
  settings.options = {"--mem=8G"};
  const SlurmScripts scripts = MakeScripts(
      settings, "/opt/limber", {"it's.jsonl", "--out", "r"}, "r", "/home/me");
  for (const char* line :
       {"#SBATCH --array=1-40%4\n", "#SBATCH --cpus-per-task=16\n",
        "#SBATCH --requeue\n", "#SBATCH --open-mode=append\n",
        "#SBATCH --mem=8G\n", "#SBATCH --chdir=/home/me\n",
        "exec /opt/limber batch 'it'\\''s.jsonl' --out r --jobs 16 --shard "
        "\"$SLURM_ARRAY_TASK_ID/40\"\n"}) {
    EXPECT_THAT(scripts.array, HasSubstr(line));
  }
  EXPECT_THAT(scripts.merge, HasSubstr("exec /opt/limber batch --merge r\n"));
  settings.num_cpus = 0;
  EXPECT_THAT(MakeScripts(settings, "l", {}, "r", "/").array,
              HasSubstr("#SBATCH --exclusive\n"));
}

}  // namespace
}  // namespace limber::app::batch
