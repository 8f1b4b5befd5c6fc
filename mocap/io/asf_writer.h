// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "figure/motion.h"
#include "figure/skeleton.h"
#include "mocap/io/asf_amc.h"

namespace limber::mocap {

/// An ASF skeleton whose joints move like those of `skeleton`.
///
/// The root becomes "root". In an ASF file all children of a bone begin at its
/// end, so a joint whose place is not the end of the bone above it gets a bone
/// without dof before it, called after it with "_base". Every other joint gets
/// dof rx ry rz about the world's axes. A unit is a centimetre. Characters that
/// would end a name in the file become "_", names that repeat get a number.
///
/// @throws std::invalid_argument if the skeleton has several roots.
AsfSkeleton MakeAsf(const figure::Skeleton& skeleton);

/// `motion` on the joints of `MakeAsf(motion.skeleton())`, for `WriteAmc`.
/// Joints other than the root keep their offset.
/// @throws std::invalid_argument as `MakeAsf`.
figure::Motion OnAsf(const figure::Motion& motion);

/// The text of an ASF file, from which `ReadAsf` makes `asf` again but for
/// rounding; joints come out each followed by what hangs on it.
/// @throws std::invalid_argument if the children of a bone begin at different
///         points, or a bone that is not the root has translation channels.
std::string WriteAsf(const AsfSkeleton& asf);
Diagnostics WriteAsfFile(const std::filesystem::path& path,
                         const AsfSkeleton& asf);

}  // namespace limber::mocap
