// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace limber::app {

/// The figure file that `named` means: itself where there is such a file, else,
/// for a plain word such as "fat_man", the figure of that name that comes with
/// the program (installed beside it, or in the source tree it was built in).
/// A name that means nothing is returned as it is.
std::filesystem::path FigurePath(const std::filesystem::path& named);

}  // namespace limber::app
