// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What a page carries of a motion, unpacked as the browser does it.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/jobs.h"
#include "app/player/record.h"
#include "tests/support/test_data.h"

namespace limber::app {

using nlohmann::ordered_json;

inline std::string FromBase64(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(kLetters.find(letter));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

inline std::string Inflate(std::string_view packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf length = size;
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                 reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  EXPECT_EQ(length, size);
  return bytes;
}

/// The channels of `data`, as web/src/recording.js has them.
inline std::vector<std::vector<std::int16_t>> Channels(const std::string& data,
                                                       std::size_t channels,
                                                       std::size_t frames) {
  const std::size_t count = channels * frames;
  const std::string bytes = Inflate(FromBase64(data), 2 * count);
  std::vector<std::vector<std::int16_t>> all(channels);
  for (std::size_t i = 0; i < count; ++i) {
    const int stored = static_cast<unsigned char>(bytes[i]) |
                       static_cast<unsigned char>(bytes[count + i]) << 8;
    const int difference = (stored >> 1) ^ -(stored & 1);
    std::vector<std::int16_t>& channel = all[i / frames];
    channel.push_back(static_cast<std::int16_t>(
        (channel.empty() ? 0 : channel.back()) + difference));
  }
  return all;
}

inline std::size_t NumChannels(const ordered_json& track) {
  return (track["p"].is_object() ? 3 : 0) + (track["q"].is_string() ? 4 : 0);
}

inline double Number(const ordered_json& json, std::size_t i) {
  return json[i].get<double>();
}

inline Vector3 VectorOf(const ordered_json& json) {
  return {Number(json, 0), Number(json, 1), Number(json, 2)};
}

/// Of four numbers w x y z from `first` on.
inline Quaternion QuaternionOf(const ordered_json& json, std::size_t first) {
  return Quaternion(Number(json, first), Number(json, first + 1),
                    Number(json, first + 2), Number(json, first + 3))
      .normalized();
}

/// An actor of a recording, unpacked.
class Unpacked {
 public:
  Unpacked(const ordered_json& actor, std::size_t frames) : actor_(actor) {
    std::size_t count = 6 * actor["lines"]["slots"].size();
    for (const ordered_json& track : actor["tracks"]) {
      count += NumChannels(track);
    }
    first_mark_ = count;
    for (const ordered_json& slot : actor["marks"]["slots"]) {
      count += slot["kind"] == "arrow" ? 6 : 3;
    }
    count += NumChannels(actor["centre"]);
    channels_ = Channels(actor["data"], count, frames);
  }

  /// X_WT of each track.
  std::vector<Transform> At(std::size_t frame) const {
    std::vector<Transform> poses;
    std::size_t next = 0;
    for (const ordered_json& track : actor_["tracks"]) {
      Transform X = Pose(track, frame, next);
      const int parent = track["parent"].get<int>();
      if (parent >= 0) X = poses[static_cast<std::size_t>(parent)] * X;
      poses.push_back(X);
    }
    return poses;
  }

  /// The signs of a frame: places and arrows.
  std::vector<viewer::Sign> Marks(std::size_t frame) const {
    std::vector<viewer::Sign> signs;
    const ordered_json& marks = actor_["marks"];
    std::size_t next = first_mark_;
    for (const ordered_json& slot : marks["slots"]) {
      viewer::Sign sign;
      sign.kind = slot["kind"] == "arrow"   ? viewer::Sign::Kind::kArrow
                  : slot["kind"] == "touch" ? viewer::Sign::Kind::kTouch
                                            : viewer::Sign::Kind::kTarget;
      for (int axis = 0; axis < 3; ++axis) {
        sign.point[axis] =
            marks["low"][axis].get<double>() +
            marks["step"].get<double>() * (channels_[next++][frame] + 32768.0);
      }
      for (int axis = 0; axis < 3 && slot["kind"] == "arrow"; ++axis) {
        sign.vector[axis] =
            marks["reach"].get<double>() * channels_[next++][frame];
      }
      const bool is_hidden =
          std::ranges::any_of(slot["hidden"], [frame](const auto& span) {
            return span[0].template get<std::size_t>() <= frame &&
                   frame < span[1].template get<std::size_t>();
          });
      if (!is_hidden) signs.push_back(sign);
    }
    return signs;
  }

  static Transform InTrack(const ordered_json& part) {
    const ordered_json& X = part["X"];
    return {QuaternionOf(X, 3), VectorOf(X)};
  }

 private:
  Transform Pose(const ordered_json& track, std::size_t frame,
                 std::size_t& next) const {
    Transform X;
    if (track["p"].is_object()) {
      for (int axis = 0; axis < 3; ++axis) {
        X.p[axis] = track["p"]["low"][axis].get<double>() +
                    track["p"]["step"][axis].get<double>() *
                        (channels_[next++][frame] + 32768.0);
      }
    } else {
      X.p = VectorOf(track["p"]);
    }
    if (track["q"].is_string()) {
      const double w = channels_[next][frame];
      const double x = channels_[next + 1][frame];
      const double y = channels_[next + 2][frame];
      const double z = channels_[next + 3][frame];
      next += 4;
      X.R = Quaternion(w, x, y, z).normalized();
    } else {
      X.R = QuaternionOf(track["q"], 0);
    }
    return X;
  }

  const ordered_json& actor_;
  std::vector<std::vector<std::int16_t>> channels_;
  std::size_t first_mark_ = 0;
};

inline figure::Motion Clip(const std::string& name) {
  Result<figure::Motion> clip = LoadClip(test::BundledData("clips/" + name));
  EXPECT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  return std::move(clip).value();
}

inline PlayerRecording RecordingOf(const figure::Motion& motion) {
  std::vector<PlayedShow> shows;
  shows.push_back({"Result", ShowOf(motion, nullptr, false)});
  std::optional<PlayerRecording> recording =
      RecordShows("A clip", motion.rate_hz(), std::move(shows));
  EXPECT_TRUE(recording.has_value());
  return *recording;
}

/// How far any part of the unpacked recording is from the show [m].
inline double FarthestPart(const PlayerRecording& recording) {
  const ordered_json json = ToJson(recording);
  double farthest = 0.0;
  for (std::size_t a = 0; a < recording.actors.size(); ++a) {
    const ShowSamples& samples = recording.actors[a].samples;
    const ordered_json& actor = json["actors"][a];
    const Unpacked unpacked(actor, samples.num_frames);
    for (std::size_t k = 0; k < samples.num_frames; k += 7) {
      const std::vector<Transform> X_WT = unpacked.At(k);
      for (std::size_t i = 0; i < samples.parts.size(); ++i) {
        if (!samples.is_seen(k, i)) continue;
        const ordered_json& part = actor["parts"][i];
        const Transform X_WS =
            X_WT[part["track"].get<std::size_t>()] * Unpacked::InTrack(part);
        // A point a hand's width off the middle shows turns as well.
        const Vector3 off(0.1, 0.1, 0.1);
        farthest =
            std::max(farthest, (X_WS * off - samples.pose(k, i) * off).norm());
      }
    }
  }
  return farthest;
}

}  // namespace limber::app
