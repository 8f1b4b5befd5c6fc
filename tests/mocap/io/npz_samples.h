// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "figure/motion.h"
#include "figure/pose.h"
#include "mocap/io/internal/zip_archive.h"

namespace limber::mocap::test {

using internal::ZipEntry;

/// A .npy of version 1 to 3 with this header text and these bytes behind it.
inline std::string RawNpy(const std::string& header, const std::string& items,
                          int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += char(version);
  bytes += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    bytes += char(header.size() >> 8 * k & 0xFF);
  }
  return bytes + header + items;
}

/// Numbers as bytes of their own type, first byte last for `big_endian`.
template <typename T>
std::string BytesOf(const std::vector<T>& numbers, bool big_endian = false) {
  std::string bytes;
  for (const T& number : numbers) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &number, sizeof(T));
    if (big_endian) one.assign(one.rbegin(), one.rend());
    bytes += one;
  }
  return bytes;
}

inline std::string HeaderText(const std::string& type, const std::string& shape,
                              const char* fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

inline std::string Npy(const std::string& type, const std::string& shape,
                       const std::string& items) {
  return RawNpy(HeaderText(type, shape), items);
}

/// Two joints and three frames, the upper one nods.
inline std::vector<ZipEntry> SmallArrays() {
  std::vector<double> rotations;
  for (int frame = 0; frame < 3; ++frame) {
    const Quaternion R = ExpRotation(Vector3(0.1 * frame, 0, 0));
    rotations.insert(rotations.end(), {1, 0, 0, 0, R.w(), R.x(), R.y(), R.z()});
  }
  return {
      {"joint_names.npy", Npy("|S5", "(2,)", std::string("Hips\0Chest", 10))},
      {"parents.npy", Npy("<i8", "(2,)", BytesOf<std::int64_t>({-1, 0}))},
      {"offsets.npy",
       Npy("<f8", "(2, 3)", BytesOf<double>({0, 1, 0, 0, 0.5, 0}))},
      {"rotations.npy", Npy("<f8", "(3, 2, 4)", BytesOf(rotations))},
      {"root.npy",
       Npy("<f8", "(3, 3)", BytesOf<double>({0, 1, 0, 0, 1.1, 0, 0, 1.2, 0}))},
      {"rate.npy", Npy("<f8", "()", BytesOf<double>({30}))}};
}

/// The entries with one in the place of that of its name, or one more.
inline std::vector<ZipEntry> With(std::vector<ZipEntry> entries,
                                  ZipEntry other) {
  for (ZipEntry& entry : entries) {
    if (entry.name != other.name) continue;
    entry = std::move(other);
    return entries;
  }
  entries.push_back(std::move(other));
  return entries;
}

/// The entries but the one of that name.
inline std::vector<ZipEntry> Without(std::vector<ZipEntry> entries,
                                     const std::string& name) {
  std::erase_if(entries, [&](const ZipEntry& e) { return e.name == name; });
  return entries;
}

inline std::string Zipped(const std::vector<ZipEntry>& entries) {
  return internal::WriteZip(entries);
}

/// A tree of joints with several roots, sites, and joints that leave their
/// offset, in a random motion.
inline figure::Motion RandomMotion(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto vector = [&] {
    return Vector3(number(random), number(random), number(random));
  };
  const int num_joints = 1 + int(random() % 30);
  std::vector<figure::Joint> joints;
  std::vector<figure::Site> sites;
  for (int j = 0; j < num_joints; ++j) {
    const bool is_root = j == 0 || random() % 12 == 0;
    joints.push_back({"j\xC3\xA4 " + std::to_string(j),
                      is_root ? -1 : int(random() % unsigned(j)), vector()});
    if (random() % 4 == 0) sites.push_back({"end", j, vector()});
  }
  figure::Motion motion(figure::Skeleton::Make(joints, sites),
                        1.0 + double(random() % 200));
  const int frames = int(random() % 12);
  for (int f = 0; f < frames; ++f) {
    figure::Pose pose = figure::RestPose(motion.skeleton());
    for (int j = 0; j < num_joints; ++j) {
      pose.X_PJ[std::size_t(j)].R = ExpRotation(3.0 * vector());
      if (j == 0 || j % 5 == 0) pose.X_PJ[std::size_t(j)].p = 5.0 * vector();
    }
    motion.Append(pose);
  }
  return motion;
}

}  // namespace limber::mocap::test
