// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "figure/motion.h"
#include "figure/skeleton.h"

namespace limber::mocap {

/// Range of one rotation channel of a bone [rad]; may be infinite.
struct AsfLimit {
  double low = 0.0;
  double high = 0.0;
};

/// An Acclaim skeleton file.
///
/// The root becomes joint 0, "root". Every bone becomes a joint at the START of
/// the bone: it hangs at the end of its parent bone (offset = direction ×
/// length of the parent; zero below the root), and turning it moves the bone's
/// end. The end of a bone without children is a site without name.
/// Joint frames are parallel to the world in the rest pose, so with A the
/// bone's `axis` frame and M its dof rotation, R_PJ = A M Aᵀ.
struct AsfSkeleton {
  std::string file;
  std::string name;  ///< Of ":name".
  std::shared_ptr<const figure::Skeleton> skeleton;
  /// Joint after joint, each with its channels in the order of `order` or
  /// `dof`. The first one turns innermost: it is about fixed axes.
  std::shared_ptr<const figure::ChannelLayout> channels;
  /// One per channel of `channels`; infinite where the file has none.
  std::vector<AsfLimit> limits;
  double metres_per_unit = 0.0254;      ///< Inch / (length of ":units") [m].
  double radians_per_unit = kPi / 180;  ///< Angle unit of the ASF file [rad].
  double mass_unit = 1.0;               ///< Mass of ":units", as it stands.
  Vector3 root_position = Vector3::Zero();  ///< Added to TX TY TZ [m].
};

struct AsfReadOptions {
  std::string file = {};  ///< Name for messages.
  bool strict = false;
};

/// Reads the text of an ASF file. The length unit follows the CMU convention:
/// ":units length L" means that a file unit is an inch divided by L. +Y is up.
///
/// Warning kinds: "no-units", "direction-length", "limits", "name-encoding",
/// "unknown-keyword".
Result<AsfSkeleton> ReadAsf(std::string_view text,
                            const AsfReadOptions& options = {});
Result<AsfSkeleton> ReadAsfFile(const std::filesystem::path& path,
                                const AsfReadOptions& options = {});

struct AmcReadOptions {
  /// An AMC file does not say its rate: the caller does (CMU: 120) [Hz].
  double rate_hz;
  std::string file = {};  ///< Name for messages.
  bool strict = false;
};

/// Reads the text of an AMC file that belongs to `asf`. The motion's channels
/// have the order of the file's first frame.
///
/// Warning kinds: "no-angle-unit", "frame-number", "unknown-keyword".
Result<figure::Motion> ReadAmc(std::string_view text, const AsfSkeleton& asf,
                               const AmcReadOptions& options);
Result<figure::Motion> ReadAmcFile(const std::filesystem::path& path,
                                   const AsfSkeleton& asf,
                                   const AmcReadOptions& options);

struct AmcWriteOptions {
  std::string file = {};  ///< Name for messages.
  bool strict = false;
};

/// The motion as the text of an AMC file for `asf`, in the motion's own order
/// and angle unit when it was read from AMC, otherwise in the ASF's order and
/// in degrees. Numbers have nine decimals.
///
/// Error kinds: "wrong-skeleton" (the motion's joints are not the ASF's, by
/// name and parent).
/// Warning kinds: "lost-rotation", "lost-translation" (with the size of the
/// loss), "other-offsets" (the bones have other lengths).
Result<std::string> WriteAmc(const figure::Motion& motion,
                             const AsfSkeleton& asf,
                             const AmcWriteOptions& options = {});
Diagnostics WriteAmcFile(const std::filesystem::path& path,
                         const figure::Motion& motion, const AsfSkeleton& asf,
                         const AmcWriteOptions& options = {});

}  // namespace limber::mocap
