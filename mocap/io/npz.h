// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "figure/motion.h"
#include "figure/skeleton.h"

namespace limber::mocap {

/// What an NPZ file of numpy holds: arrays as Limber writes them, or the poses
/// of a body model as AMASS has them.
enum class NpzKind { kArrays, kSmpl, kSmplH, kSmplX };

/// "arrays", "SMPL", "SMPL-H", "SMPL-X".
std::string_view ToString(NpzKind kind);

/// How an NPZ file is read.
struct NpzReadOptions {
  std::string file = {};         ///< For messages.
  bool strict = false;           ///< Warnings become errors.
  double metres_per_unit = 1.0;  ///< Of offsets and places [m].
  /// The file's axis that points up. Without it +Y for arrays; for poses the
  /// one along which the bodies stand.
  std::optional<figure::UpAxis> up = {};
  /// Frames per second, instead of what the file says [Hz].
  std::optional<double> rate_hz = {};
  /// Poses only: a skeleton whose joints have the names of the body model, for
  /// the lengths of the bones. Without it those of Limber's own figure.
  std::shared_ptr<const figure::Skeleton> rest = {};
};

/// What was read, and for poses what the file left open.
struct NpzClip {
  figure::Motion motion;
  NpzKind kind = NpzKind::kArrays;
  std::string up_reason = {};  ///< "the bodies stand along it", ...
  bool up_sure = true;         ///< The file or the caller says so.
  /// The height of Limber's own figure where its bones were taken, else 0 [m].
  double figure_height = 0.0;
  std::string height_reason = {};
};

/// Reads a clip from the bytes of an NPZ file, stored or packed.
///
/// Arrays, all local to the parent joint, J joints and F frames:
///
///     joint_names  (J)       texts
///     parents      (J)       whole numbers, -1 for a root, before children
///     offsets      (J, 3)    p_PJ in the rest pose, in which all joint frames
///                            are parallel to the world [m]
///     rotations    (F, J, 4) R_PJ, quaternions w x y z
///     root         (F, 3)    p_WJ of joint 0 [m]
///     rate         one       frames per second; also fps, mocap_framerate or
///                            mocap_frame_rate [Hz]
///     sites        (S, 3), site_joints (S), site_names (S): may be missing
///     translations (F, K, 3), translated (K): places p_PJ of other joints that
///                            leave their offset; may be missing
///
/// Poses: `poses` (F, 66, 72, 156 or 165) or (F, J, 3), axis times angle [rad];
/// `trans` (F, 3) [m]; a rate as above. Other members are not opened.
///
/// Numbers may be of any size and byte order, in C or Fortran order.
///
/// Warning kinds: "quaternion-length" (not 1; scaled), "quaternion-order"
/// (looks like x y z w), "unit-doubt" (a body of more than 10 m), "up-doubt",
/// "shape-ignored" (betas or gender, where Limber's own bones are taken),
/// "rate-doubt", "name-encoding". Errors name the member and in it the byte, or
/// frame and joint: "container", "duplicate-member", "member", "npy", "dtype",
/// "shape", "too-large" (more than 16 times the file and 32 MB in memory),
/// "missing-member", "parents", "not-finite", "no-rate", "rest".
/// @throws std::invalid_argument if `metres_per_unit` or `rate_hz` is not
///         positive and finite.
Result<NpzClip> ReadNpz(std::string_view bytes, const NpzReadOptions& options);

/// The skeleton in an NPZ file without its motion: that of the arrays above, or
/// of `J` (24, 52 or 55 joints of a body model at rest, 3) [m]. Errors as those
/// of `ReadNpz`.
Result<std::shared_ptr<const figure::Skeleton>> ReadNpzSkeleton(
    std::string_view bytes, const NpzReadOptions& options);

struct NpzWriteOptions {
  std::string file = {};  ///< For messages.
  bool strict = false;    ///< Warnings become errors.
};

/// The motion as an NPZ file of the arrays above, stored, float64, metres, +Y
/// up: nothing is rounded. The same motion gives the same bytes. Error kinds:
/// "too-large" (a name of more than 1000 bytes, or libzip refuses), "too-far"
/// (a joint beyond 1e9 m).
Result<std::string> WriteNpz(const figure::Motion& motion,
                             const NpzWriteOptions& options);

}  // namespace limber::mocap
