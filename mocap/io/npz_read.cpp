// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "mocap/io/internal/npy.h"
#include "mocap/io/internal/npz_need.h"
#include "mocap/io/internal/npz_poses.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/smpl_body.h"
#include "mocap/io/npz.h"

namespace limber::mocap {

namespace {

using figure::Joint;
using figure::Site;
using figure::Skeleton;
using internal::kAny;
using internal::NpyReader;
using internal::NumberArray;

/// Memory that reading may take: with what stands around it less than 20 times
/// the file and 64 MB [bytes].
constexpr std::size_t kBytesPerByte = 16;
constexpr std::size_t kBytesAtLeast = std::size_t{32} << 20;
/// What a joint takes besides its numbers: names, channels [bytes].
constexpr std::size_t kBytesPerJoint = 256;
/// Quaternions whose length differs from 1 by more were not meant to be
/// rotations; half-precision floats are within 0.001.
constexpr double kSameLength = 0.01;
/// Shorter ones have no direction.
constexpr double kNoLength = 1e-6;
/// A body at rest that is larger is rather one in centimetres [m].
constexpr double kLargestBody = 10.0;

std::string JointText(const Skeleton& skeleton, std::size_t j) {
  return "joint " + std::to_string(j) + " (" +
         internal::Quoted(skeleton.joint(int(j)).name) + ")";
}

/// Whole numbers from -1 up to, not with, `end`.
std::optional<std::vector<int>> NeedIndices(std::string_view name,
                                            std::uint64_t count, int least,
                                            std::uint64_t end,
                                            NpyReader& reader,
                                            Diagnostics& diagnostics) {
  const std::optional<NumberArray> array =
      internal::NeedNumbers(name, {count}, reader, diagnostics);
  if (!array) return std::nullopt;
  std::vector<int> indices;
  for (const double number : array->numbers) {
    if (number != std::floor(number) || number < least ||
        number >= double(end)) {
      diagnostics.Error("parents", {},
                        std::string(name) + ".npy: expected whole numbers " +
                            "from " + std::to_string(least) + " to " +
                            std::to_string(std::int64_t(end) - 1) + ", found " +
                            std::to_string(number) + " at " +
                            std::to_string(indices.size()));
      return std::nullopt;
    }
    indices.push_back(int(number));
  }
  return indices;
}

/// Sites of the members `sites`, `site_joints`, `site_names`, or none.
std::optional<std::vector<Site>> ReadSites(std::size_t num_joints,
                                           const Eigen::Matrix3d& R_scaled,
                                           NpyReader& reader,
                                           Diagnostics& diagnostics) {
  std::vector<Site> sites;
  if (!reader.Has("sites")) return sites;
  const std::optional<NumberArray> places =
      internal::NeedNumbers("sites", {kAny, 3}, reader, diagnostics);
  if (!places) return std::nullopt;
  const std::uint64_t count = places->shape[0];
  const auto joints =
      NeedIndices("site_joints", count, 0, num_joints, reader, diagnostics);
  if (!joints || !reader.Claim("sites", count, kBytesPerJoint)) {
    return std::nullopt;
  }
  std::vector<std::string> names(count);
  if (reader.Has("site_names")) {
    auto read = reader.Texts("site_names");
    if (!read) return std::nullopt;
    if (read->size() != count) {
      diagnostics.Error("shape", {},
                        "site_names.npy: expected " + std::to_string(count) +
                            " names, found " + std::to_string(read->size()));
      return std::nullopt;
    }
    names = std::move(*read);
  }
  for (std::size_t s = 0; s < count; ++s) {
    const Eigen::Map<const Vector3> p(places->numbers.data() + 3 * s);
    sites.push_back({std::move(names[s]), (*joints)[s], R_scaled * p});
  }
  return sites;
}

/// The skeleton of the arrays.
std::shared_ptr<const Skeleton> ReadSkeleton(const NpzReadOptions& options,
                                             NpyReader& reader,
                                             Diagnostics& diagnostics) {
  const std::optional<NumberArray> offsets =
      internal::NeedNumbers("offsets", {kAny, 3}, reader, diagnostics);
  if (!offsets) return nullptr;
  const std::uint64_t count = offsets->shape[0];
  const auto parents =
      NeedIndices("parents", count, -1, count, reader, diagnostics);
  if (!reader.Has("joint_names")) {
    diagnostics.Error("missing-member", {},
                      "expected the member joint_names.npy");
  }
  if (diagnostics.has_errors() ||
      !reader.Claim("joint_names", count, kBytesPerJoint)) {
    return nullptr;
  }
  auto names = reader.Texts("joint_names");
  if (!names) return nullptr;
  if (names->size() != count || count == 0) {
    diagnostics.Error("shape", {},
                      "joint_names.npy: expected as many names as offsets, " +
                          std::to_string(count) + " and at least one, found " +
                          std::to_string(names->size()));
    return nullptr;
  }
  const Matrix3 R_scaled =
      options.metres_per_unit *
      figure::FileToWorld(options.up.value_or(figure::UpAxis::kY))
          .toRotationMatrix();
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < count; ++j) {
    if ((*parents)[j] >= int(j)) {
      diagnostics.Error("parents", {},
                        "parents.npy: expected parents before their children, "
                        "found joint " +
                            std::to_string(j) + " below joint " +
                            std::to_string((*parents)[j]));
      return nullptr;
    }
    const Eigen::Map<const Vector3> p(offsets->numbers.data() + 3 * j);
    joints.push_back({std::move((*names)[j]), (*parents)[j], R_scaled * p});
  }
  auto sites = ReadSites(count, R_scaled, reader, diagnostics);
  if (!sites) return nullptr;
  return Skeleton::Make(std::move(joints), std::move(*sites));
}

/// Quaternions that are not of length 1, or seem to have their parts in another
/// order.
class QuaternionCheck {
 public:
  /// Writes the rotation of length 1 to `out`; false if there is none.
  bool Scale(const double* from, double* out) {
    const double length = std::sqrt(from[0] * from[0] + from[1] * from[1] +
                                    from[2] * from[2] + from[3] * from[3]);
    if (!(length > kNoLength)) return false;
    worst_ = std::max(worst_, std::abs(length - 1.0));
    last_is_larger_ += std::abs(from[3]) > std::abs(from[0]) ? 1 : 0;
    ++count_;
    for (int k = 0; k < 4; ++k) out[k] = from[k] / length;
    return true;
  }
  void Report(Diagnostics& diagnostics) const {
    if (worst_ > kSameLength) {
      diagnostics.Warning("quaternion-length", {},
                          "rotations.npy: expected quaternions of length 1, "
                          "found lengths that differ by " +
                              std::to_string(worst_) + "; scaled");
    }
    // Joints turn by less than 90 degrees most of the time: w is the larger.
    if (2 * last_is_larger_ > count_) {
      diagnostics.Warning(
          "quaternion-order", {},
          "rotations.npy: expected w x y z; in most rotations the fourth part "
          "is larger than the first, as if they were x y z w");
    }
  }

 private:
  double worst_ = 0.0;
  std::int64_t last_is_larger_ = 0;
  std::int64_t count_ = 0;
};

/// Places of joints per frame: those of the root, then those of `translations`.
struct Places {
  NumberArray root;
  NumberArray others;
  std::vector<int> joints;  ///< Per joint: its column in `others`, or -1.
};

std::optional<Places> ReadPlaces(std::uint64_t frames, std::size_t num_joints,
                                 NpyReader& reader, Diagnostics& diagnostics) {
  Places places;
  places.joints.assign(num_joints, -1);
  auto root = internal::NeedNumbers("root", {frames, 3}, reader, diagnostics);
  if (!root) return std::nullopt;
  places.root = std::move(*root);
  if (!reader.Has("translations")) return places;
  auto others = internal::NeedNumbers("translations", {frames, kAny, 3}, reader,
                                      diagnostics);
  if (!others) return std::nullopt;
  const std::uint64_t count = others->shape[1];
  const auto joints =
      NeedIndices("translated", count, 1, num_joints, reader, diagnostics);
  if (!joints) return std::nullopt;
  places.others = std::move(*others);
  for (std::size_t k = 0; k < count; ++k) {
    int& column = places.joints[std::size_t((*joints)[k])];
    if (column >= 0) {
      diagnostics.Error("parents", {},
                        "translated.npy: expected each joint once, found " +
                            std::to_string((*joints)[k]) + " twice");
      return std::nullopt;
    }
    column = int(k);
  }
  return places;
}

/// Rows of the channels of `ChannelLayout::Free`.
std::optional<std::vector<double>> RowsOf(const Skeleton& skeleton,
                                          const NumberArray& rotations,
                                          const Places& places, double scale,
                                          Diagnostics& diagnostics) {
  const auto frames = std::size_t(rotations.shape[0]);
  const auto num_joints = std::size_t(skeleton.num_joints());
  const std::size_t others =
      places.others.shape.empty() ? 0 : places.others.shape[1];
  std::vector<double> rows(frames * (4 * num_joints + 3 * (1 + others)));
  QuaternionCheck check;
  double* out = rows.data();
  const double* turn = rotations.numbers.data();
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t j = 0; j < num_joints; ++j, turn += 4) {
      const int column = places.joints[j];
      const double* place = j == 0 ? places.root.numbers.data() + 3 * f
                            : column >= 0
                                ? places.others.numbers.data() +
                                      3 * (f * others + std::size_t(column))
                                : nullptr;
      for (int k = 0; place != nullptr && k < 3; ++k) *out++ = scale * place[k];
      if (!check.Scale(turn, out)) {
        diagnostics.Error("not-finite", {},
                          "rotations.npy: frame " + std::to_string(f) + ", " +
                              JointText(skeleton, j) +
                              ": expected a quaternion, found one of length 0");
        return std::nullopt;
      }
      out += 4;
    }
  }
  check.Report(diagnostics);
  return rows;
}

std::optional<NpzClip> ReadArrays(const NpzReadOptions& options,
                                  NpyReader& reader, Diagnostics& diagnostics) {
  const std::shared_ptr<const Skeleton> skeleton =
      ReadSkeleton(options, reader, diagnostics);
  if (skeleton == nullptr) return std::nullopt;
  const auto num_joints = std::uint64_t(skeleton->num_joints());
  const std::optional<NumberArray> rotations = internal::NeedNumbers(
      "rotations", {kAny, num_joints, 4}, reader, diagnostics);
  if (!rotations) return std::nullopt;
  const std::uint64_t frames = rotations->shape[0];
  const std::optional<Places> places =
      ReadPlaces(frames, num_joints, reader, diagnostics);
  const std::optional<double> rate =
      internal::NeedRate(options, reader, diagnostics);
  if (!places || !rate) return std::nullopt;
  const std::uint64_t numbers = rotations->numbers.size() +
                                places->root.numbers.size() +
                                places->others.numbers.size();
  if (!reader.Claim("rotations", numbers, sizeof(double))) return std::nullopt;
  std::optional<std::vector<double>> rows = RowsOf(
      *skeleton, *rotations, *places, options.metres_per_unit, diagnostics);
  if (!rows) return std::nullopt;
  const double size = figure::RestExtent(*skeleton).maxCoeff();
  if (size > kLargestBody) {
    diagnostics.Warning("unit-doubt", {},
                        "offsets.npy: the rest pose measures " +
                            std::to_string(size) +
                            " m; if the numbers are no metres, --unit says "
                            "what they are");
  }
  std::vector<bool> moves(num_joints, false);
  for (std::size_t j = 0; j < num_joints; ++j) {
    moves[j] = j == 0 || places->joints[j] >= 0;
  }
  figure::MotionSource source;
  source.file = options.file;
  source.format = "NPZ";
  source.metres_per_unit = options.metres_per_unit;
  source.up = options.up.value_or(figure::UpAxis::kY);
  const figure::ChannelLayout free = figure::ChannelLayout::Free(moves);
  source.channels = std::make_shared<const figure::ChannelLayout>(
      int(num_joints), free.channels(), free.order(),
      figure::FileToWorld(source.up));
  return NpzClip{
      figure::Motion(skeleton, *rate, std::move(source), std::move(*rows)),
      NpzKind::kArrays};
}

/// The names of the members, for a message.
std::string MemberList(const internal::ZipReader& zip) {
  constexpr std::size_t kShown = 12;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, zip.members().size()); ++i) {
    list += (i == 0 ? "" : ", ") + internal::Excerpt(zip.members()[i].name);
  }
  if (zip.members().size() > kShown) list += ", ...";
  return list.empty() ? "nothing" : list;
}

void CheckOptions(const NpzReadOptions& options) {
  const auto check = [](const char* field, double value) {
    if (value > 0.0 && std::isfinite(value)) return;
    throw std::invalid_argument(std::string("NpzReadOptions: ") + field +
                                " must be positive and finite, is " +
                                std::to_string(value));
  };
  check("metres_per_unit", options.metres_per_unit);
  check("rate_hz", options.rate_hz.value_or(1.0));
}

std::size_t AllowanceOf(std::string_view bytes) {
  return kBytesPerByte * bytes.size() + kBytesAtLeast;
}

}  // namespace

std::string_view ToString(NpzKind kind) {
  constexpr std::array<std::string_view, 4> kWords = {"arrays", "SMPL",
                                                      "SMPL-H", "SMPL-X"};
  return kWords[std::size_t(kind)];
}

Result<NpzClip> ReadNpz(std::string_view bytes, const NpzReadOptions& options) {
  CheckOptions(options);
  Diagnostics diagnostics(options.file, options.strict);
  const std::unique_ptr<internal::ZipReader> zip =
      internal::ZipReader::Open(bytes, diagnostics);
  if (zip == nullptr) return Result<NpzClip>(std::move(diagnostics));
  NpyReader reader(*zip, AllowanceOf(bytes), diagnostics);
  std::optional<NpzClip> clip;
  if (reader.Has("rotations")) {
    clip = ReadArrays(options, reader, diagnostics);
  } else if (reader.Has("poses")) {
    clip = internal::ReadPoses(options, reader, diagnostics);
  } else {
    diagnostics.Error("missing-member", {},
                      "expected rotations.npy (arrays of a clip) or poses.npy "
                      "(poses of a body model), found " +
                          MemberList(*zip));
  }
  if (!clip || diagnostics.has_errors()) {
    return Result<NpzClip>(std::move(diagnostics));
  }
  return {std::move(*clip), std::move(diagnostics)};
}

Result<std::shared_ptr<const Skeleton>> ReadNpzSkeleton(
    std::string_view bytes, const NpzReadOptions& options) {
  using Read = Result<std::shared_ptr<const Skeleton>>;
  CheckOptions(options);
  Diagnostics diagnostics(options.file, options.strict);
  const std::unique_ptr<internal::ZipReader> zip =
      internal::ZipReader::Open(bytes, diagnostics);
  if (zip == nullptr) return Read(std::move(diagnostics));
  NpyReader reader(*zip, AllowanceOf(bytes), diagnostics);
  if (!reader.Has("J")) {
    auto skeleton = ReadSkeleton(options, reader, diagnostics);
    if (skeleton == nullptr) return Read(std::move(diagnostics));
    return {std::move(skeleton), std::move(diagnostics)};
  }
  const std::optional<NumberArray> places =
      internal::NeedNumbers("J", {kAny, 3}, reader, diagnostics);
  if (!places) return Read(std::move(diagnostics));
  const std::optional<NpzKind> kind = internal::SmplKindOf(places->shape[0]);
  if (!kind) {
    diagnostics.Error("shape", {},
                      "J.npy: expected the 24, 52 or 55 joints of SMPL, SMPL-H "
                      "or SMPL-X, found " +
                          std::to_string(places->shape[0]));
    return Read(std::move(diagnostics));
  }
  std::vector<Vector3> points;
  for (std::size_t j = 0; j < places->shape[0]; ++j) {
    points.emplace_back(
        options.metres_per_unit *
        Eigen::Map<const Vector3>(places->numbers.data() + 3 * j));
  }
  return {internal::SmplSkeletonAt(*kind, points), std::move(diagnostics)};
}

}  // namespace limber::mocap
