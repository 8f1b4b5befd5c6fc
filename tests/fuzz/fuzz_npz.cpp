// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/npz.h"

#include "mocap/io/internal/npy.h"
#include "tests/fuzz/fuzz.h"

namespace {

using limber::mocap::internal::ZipEntry;

/// Bytes that are no archive as an array of one: the checksums of an archive
/// let few changes through.
std::string AsMember(std::string_view bytes) {
  using limber::mocap::internal::FormatNpy;
  const char which = bytes.front();
  const std::string changed(bytes.substr(1));
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<std::int32_t> parents = {-1, 0};
  const std::vector<double> numbers = {1, 0, 0, 0, 1, 0, 0, 0, 0.5};
  const auto shaped = [&](std::size_t count, std::vector<std::uint64_t> shape) {
    return FormatNpy(std::span<const double>(numbers).first(count), shape);
  };
  std::vector<ZipEntry> entries = {{"joint_names.npy", FormatNpy(names)},
                                   {"parents.npy", FormatNpy(parents)},
                                   {"offsets.npy", shaped(6, {2, 3})},
                                   {"rotations.npy", shaped(8, {1, 2, 4})},
                                   {"root.npy", shaped(3, {1, 3})},
                                   {"rate.npy", shaped(1, {})}};
  if (which % 8 == 6) {
    entries = {{"poses.npy", changed},
               {"trans.npy", shaped(3, {1, 3})},
               {"fps.npy", shaped(1, {})}};
  } else if (which % 8 == 7) {
    entries.push_back({"translations.npy", changed});
    entries.push_back({"translated.npy", FormatNpy(parents)});
  } else {
    entries[std::size_t(which) % 8 % entries.size()].bytes = changed;
  }
  return limber::mocap::internal::WriteZip(entries);
}

}  // namespace

// A clip that is read can be written, and is the same when it is read again.
LIMBER_FUZZ(npz, bytes) {
  using namespace limber;
  const bool is_member = !bytes.empty() && !bytes.starts_with("PK");
  const std::string made = is_member ? AsMember(bytes) : std::string();
  const std::string_view file = is_member ? std::string_view(made) : bytes;
  (void)mocap::ReadNpzSkeleton(file, {.file = "fuzz"});
  const Result<mocap::NpzClip> clip = mocap::ReadNpz(file, {.file = "fuzz"});
  if (!clip.ok()) return;
  const Result<std::string> written =
      mocap::WriteNpz(clip->motion, {.file = "again"});
  if (!written.ok()) return;
  const Result<mocap::NpzClip> again =
      mocap::ReadNpz(*written, {.file = "again"});
  fuzz::Demand(again.ok(), "a written NPZ is read", again.diagnostics());
  fuzz::Demand(again->motion.num_frames() == clip->motion.num_frames() &&
                   again->motion.rate_hz() == clip->motion.rate_hz() &&
                   again->motion.skeleton().num_joints() ==
                       clip->motion.skeleton().num_joints(),
               "frames, rate and joints stay");
}
