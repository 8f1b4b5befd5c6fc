// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// glTF and OpenSim files made to cost much more than their size: huge counts,
// nodes in circles, indices that lead nowhere, many small things. Each is read,
// or refused with a message that has a place, within ten seconds and 20 times
// the file and 64 MB.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <new>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/io/gltf.h"
#include "mocap/io/internal/base64.h"
#include "mocap/io/osim.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

using testing::HasSubstr;

constexpr std::size_t kSmallConstant = std::size_t{64} << 20;
constexpr double kLongest = 10.0;  // [s]

double ProcessorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// What `read` finds in a file, "" where it is accepted; checks memory and
/// time.
template <typename Read>
std::string Survive(const std::string& bytes, Read read) {
  const double begin = ProcessorSeconds();
  const limber::test::PeakMemory meter;
  const auto result = read(bytes);
  EXPECT_LE(meter.peak_bytes(), 20 * bytes.size() + kSmallConstant)
      << double(meter.peak_bytes()) / double(bytes.size()) << " a byte";
  EXPECT_LT(ProcessorSeconds() - begin, kLongest);
  return result.ok() ? "" : result.diagnostics().ToString();
}

std::string OfGltf(const std::string& bytes) {
  return Survive(bytes, [](const std::string& text) {
    return ReadGltf(text, {.file = "h.gltf"});
  });
}

std::string Repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// A list of `count` things, without the comma behind the last one.
std::string ListOf(std::string_view text, std::size_t count) {
  std::string all = Repeated(std::string(text) + ",", count);
  all.pop_back();
  return "[" + all + "]";
}

std::string Gltf(const std::string& parts) {
  return R"({"asset":{"version":"2.0"},)" + parts + "}";
}

/// A file with one buffer of zeros and these parts behind it.
std::string WithBuffer(std::size_t size, const std::string& parts) {
  return Gltf(R"("buffers":[{"byteLength":)" + std::to_string(size) +
              R"(,"uri":"data:application/octet-stream;base64,)" +
              internal::EncodeBase64(std::string(size, '\0')) +
              R"("}],"bufferViews":[{"buffer":0,"byteLength":)" +
              std::to_string(size) + "}]," + parts);
}

// Large enough that the constant of 64 MB does not hide what a byte costs.
constexpr std::size_t kMany = 6'000'000;

class SmallValues : public testing::TestWithParam<const char*> {};

TEST_P(SmallValues, OfGltfAreRefusedWhereThereAreMany) {
  EXPECT_THAT(OfGltf(Gltf("\"extras\":" + ListOf(GetParam(), kMany))),
              HasSubstr("h.gltf: byte 0: error: the JSON has more than"));
}

INSTANTIATE_TEST_SUITE_P(All, SmallValues,
                         testing::Values("0", "[]", "{}", "\"\"", "{\"\":0}"));

TEST(HostileGltf, ManyNamesOfAnObjectAreRefused) {
  std::string names;
  for (int i = 0; i < 400'000; ++i) names += "\"" + std::to_string(i) + "\":0,";
  EXPECT_THAT(OfGltf(Gltf("\"extras\":{" + names + "\"a\":0}")),
              HasSubstr("more than 1000 names"));
  // As many as there may be, in many objects.
  std::string fewer;
  for (int i = 0; i < 1000; ++i)
    fewer += "\"name" + std::to_string(i) + "\":0,";
  fewer.pop_back();
  OfGltf(Gltf("\"extras\":" + ListOf("{" + fewer + "}", 500)));
}

TEST(HostileGltf, MoreNodesThanSkinsCanCountAreRefused) {
  EXPECT_THAT(OfGltf(Gltf("\"nodes\":" + ListOf("{}", 65'536))),
              HasSubstr("/nodes: expected at most 65535 nodes, found 65536"));
  // Those that may be, each a joint.
  EXPECT_EQ(OfGltf(Gltf("\"nodes\":" + ListOf("{}", 65'535))), "");
}

TEST(HostileGltf, LongChainsAndCirclesOfNodes) {
  std::string chain;
  constexpr int kLength = 30'000;
  for (int i = 0; i + 1 < kLength; ++i) {
    chain += "{\"children\":[" + std::to_string(i + 1) + "]},";
  }
  EXPECT_EQ(OfGltf(Gltf("\"nodes\":[" + chain + "{}]")), "");
  EXPECT_THAT(OfGltf(Gltf("\"nodes\":[" + chain + "{\"children\":[0]}]")),
              HasSubstr("/nodes: some nodes are their own ancestors"));
  EXPECT_THAT(OfGltf(Gltf(R"("nodes":[{"children":[0]}])")),
              HasSubstr("/nodes/0/children/0: "));
}

TEST(HostileGltf, ManyIndicesThatLeadNowhereAreAFewMessages) {
  const std::string found =
      OfGltf(Gltf("\"nodes\":[{\"children\":" + ListOf("7", 200'000) + "}]"));
  EXPECT_THAT(found, HasSubstr("/nodes/0/children/0: expected the index of"));
  EXPECT_LE(std::ranges::count(found, '\n'), 100);
}

TEST(HostileGltf, IndicesOutOfRangeAreNamedWithTheirPlace) {
  const std::string parts =
      R"("nodes":[{"children":[1]},{}],"skins":[{"joints":[0,1],)"
      R"("inverseBindMatrices":2}],"accessors":[)"
      R"({"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},)"
      R"({"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},)"
      R"({"bufferView":0,"componentType":5126,"count":2,"type":"MAT4"}],)"
      R"("animations":[{"samplers":[{"input":0,"output":1}],)"
      R"("channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}]}])";
  struct Change {
    std::string from;
    std::string to;  // Without the number.
    const char* place;
  };
  const std::vector<Change> changes = {
      {"\"children\":[1]", "\"children\":[#]", "/nodes/0/children/0: "},
      {"\"joints\":[0,1]", "\"joints\":[0,#]", "/skins/0/joints/1: "},
      {"inverseBindMatrices\":2", "inverseBindMatrices\":#", "/skins/0/"},
      {"\"sampler\":0", "\"sampler\":#", "/animations/0/channels/0/sampler: "},
      {"\"node\":1", "\"node\":#", "/animations/0/channels/0/target/node: "},
      {"\"input\":0", "\"input\":#", "/animations/0/samplers/0/input: "},
      {"\"output\":1", "\"output\":#", "/animations/0/samplers/0/output: "},
      {"\"bufferView\":0", "\"bufferView\":#", "/accessors/"},
      {"\"count\":2", "\"count\":#", "/accessors/"},
  };
  for (const Change& change : changes) {
    for (const std::string number :
         {"-1", "99", "2147483648", "18446744073709551615", "1e300", "0.5",
          "\"1\"", "[]"}) {
      std::string bad = parts;
      std::string to = change.to;
      to.replace(to.find('#'), 1, number);
      bad.replace(bad.find(change.from), change.from.size(), to);
      EXPECT_THAT(OfGltf(WithBuffer(128, bad)), HasSubstr(change.place))
          << change.from << " " << number;
    }
  }
}

TEST(HostileGltf, ViewsAndBuffersBeyondTheFileAreRefused) {
  for (const std::string number :
       {"129", "2147483648", "18446744073709551615", "-1", "1e18"}) {
    for (const char* name : {"byteOffset", "byteLength"}) {
      const std::string bad = Gltf(
          R"("buffers":[{"byteLength":16,"uri":"data:;base64,)" +
          internal::EncodeBase64(std::string(16, '\0')) +
          R"("}],"bufferViews":[{"buffer":0,"byteLength":16,")" +
          std::string(name) + "\":" + number +
          R"(}],"nodes":[{}],"skins":[{"joints":[0],"inverseBindMatrices":0}],)"
          R"("accessors":[{"bufferView":0,"componentType":5126,"count":1,)"
          R"("type":"MAT4"}])");
      EXPECT_THAT(OfGltf(bad), HasSubstr("h.gltf: error: /")) << name << number;
    }
  }
}

TEST(HostileGltf, ChannelsThatShareBytesDoNotMultiplyThem) {
  constexpr std::size_t kSize = 600'000;
  const std::string count = std::to_string(kSize / 12);
  std::string samplers;
  std::string channels;
  for (int i = 0; i < 5'000; ++i) {
    samplers += R"({"input":0,"output":1},)";
    channels += R"({"sampler":)" + std::to_string(i) +
                R"(,"target":{"node":0,"path":"translation"}},)";
  }
  samplers.pop_back();
  channels.pop_back();
  EXPECT_THAT(
      OfGltf(WithBuffer(
          kSize,
          R"("nodes":[{}],"accessors":[)"
          R"({"bufferView":0,"componentType":5126,"count":)" +
              count +
              R"(,"type":"SCALAR"},{"bufferView":0,"componentType":5126,)"
              R"("count":)" +
              count + R"(,"type":"VEC3"}],"animations":[{"samplers":[)" +
              samplers + R"(],"channels":[)" + channels + "]}]")),
      HasSubstr("h.gltf: error: /"));
}

/// One time a byte step: `keys` keys for one of `joints` joints.
std::string ManyKeysAndJoints(std::size_t keys, std::size_t joints) {
  std::string times;
  for (std::size_t i = 0; i < keys; ++i) {
    const float time = float(i) / 30.0f;
    times.append(reinterpret_cast<const char*>(&time), sizeof time);
  }
  times += std::string(12 * keys, '\0');
  const std::string n = std::to_string(keys);
  return Gltf(
      R"("buffers":[{"byteLength":)" + std::to_string(times.size()) +
      R"(,"uri":"data:;base64,)" + internal::EncodeBase64(times) +
      R"("}],"bufferViews":[{"buffer":0,"byteLength":)" +
      std::to_string(4 * keys) + R"(},{"buffer":0,"byteOffset":)" +
      std::to_string(4 * keys) + R"(,"byteLength":)" +
      std::to_string(12 * keys) +
      R"(}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" + n +
      R"(,"type":"SCALAR"},{"bufferView":1,"componentType":5126,)" +
      R"("count":)" + n +
      R"(,"type":"VEC3"}],"animations":[{"samplers":[{"input":0,)"
      R"("output":1}],"channels":[{"sampler":0,"target":{"node":0,)"
      R"("path":"translation"}}]}],"nodes":)" +
      ListOf("{}", joints));
}

TEST(HostileGltf, FramesTimesJointsAreBoundedByTheFile) {
  EXPECT_THAT(OfGltf(ManyKeysAndJoints(100'000, 10'000)),
              HasSubstr("too many frames"));
  // As many as there may be: about twelve times the file.
  OfGltf(ManyKeysAndJoints(400'000, 3));
  OfGltf(ManyKeysAndJoints(400'000, 4));
}

TEST(HostileGltf, DeepNestingIsRefused) {
  const std::string deep = Repeated("[", 3'000'000);
  EXPECT_THAT(OfGltf(Gltf("\"extras\":" + deep)), HasSubstr("h.gltf: byte "));
  EXPECT_THAT(
      OfGltf(Gltf("\"extras\":" + Repeated("[", 100) + Repeated("]", 100))),
      HasSubstr("deeper than 64 levels"));
}

// pugixml asks for its memory by itself: here by the operators that are
// counted.
class HostileOsim : public testing::Test {
 protected:
  void SetUp() override {
    pugi::set_memory_management_functions(
        [](std::size_t size) { return ::operator new(size, std::nothrow); },
        [](void* block) { ::operator delete(block); });
  }
  void TearDown() override {
    pugi::set_memory_management_functions(std::malloc, std::free);
  }

  static std::string OfModel(const std::string& bytes) {
    return Survive(bytes, [](const std::string& text) {
      return ReadOsim(text, "h.osim");
    });
  }
  static std::string OfTasks(const std::string& bytes) {
    return Survive(bytes, [](const std::string& text) {
      return ReadOsimTasks(text, "h.xml");
    });
  }
};

class SmallElements : public HostileOsim,
                      public testing::WithParamInterface<const char*> {};

// Whether they are refused for their number or for what they are.
TEST_P(SmallElements, OfModelsStayInBounds) {
  const std::string many =
      "<OpenSimDocument>" + Repeated(GetParam(), kMany) + "</OpenSimDocument>";
  EXPECT_THAT(OfModel(many), HasSubstr("h.osim:1: error: expected"));
}

INSTANTIATE_TEST_SUITE_P(All, SmallElements,
                         testing::Values("<a>", "<a/>", "<a/>x", "<a>x</a>"));

TEST_F(HostileOsim, TasksAreReadByTheSameBounds) {
  EXPECT_THAT(OfTasks("<OpenSimDocument>" + Repeated("<a>", kMany)),
              HasSubstr("h.xml:1: error: expected a document with something"));
}

TEST_F(HostileOsim, ManyAttributesAndEntitiesStayInBounds) {
  OfModel("<OpenSimDocument" + Repeated(" a=\"\"", kMany) + "/>");
  // Entities are not replaced by what the file itself says they are.
  std::string bomb = "<!DOCTYPE a [<!ENTITY a0 \"ha\">";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" + before + before + "\">";
  }
  EXPECT_THAT(OfModel(bomb + "]><OpenSimDocument>&a39;</OpenSimDocument>"),
              HasSubstr("h.osim:1: error: "));
}

TEST_F(HostileOsim, ManyTasksAndMarkersStayInBounds) {
  const std::string task =
      "<IKMarkerTask name=\"R.ASIS\"><weight>10</weight></IKMarkerTask>";
  EXPECT_EQ(OfTasks("<OpenSimDocument><IKTaskSet><objects>" +
                    Repeated(task, 200'000) +
                    "</objects></IKTaskSet></OpenSimDocument>"),
            "");
  OfTasks("<OpenSimDocument><IKTaskSet><objects>" +
          Repeated("<IKMarkerTask name=\"a\"/>", 1'000'000) +
          "</objects></IKTaskSet></OpenSimDocument>");
  OfModel("<OpenSimDocument><Model><MarkerSet><objects>" +
          Repeated("<Marker/>", 1'000'000) +
          "</objects></MarkerSet></Model></OpenSimDocument>");
}

}  // namespace
}  // namespace limber::mocap
