// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace limber {

/// The file's path as UTF-8 text, for messages.
std::string PathText(const std::filesystem::path& path);

/// Reads a whole file into memory. Errors: "cannot-open" (with the system's
/// reason), "is-directory", "cannot-read".
Result<std::string> ReadWholeFile(const std::filesystem::path& path);

/// Writes `bytes` beside `path` and renames the result over it, so that a stop
/// at any moment leaves the old file or the new one, never half of it. The
/// returned diagnostics are empty, or hold one error that says why.
Diagnostics WriteWholeFile(const std::filesystem::path& path,
                           std::string_view bytes);

/// What would stop `WriteWholeFile` now: a folder that is not there or may not
/// be written to, or a folder of that name. For asking before long work; empty
/// paths are nothing to write. "cannot-write" for each that fails.
Diagnostics CheckWritable(std::span<const std::filesystem::path> paths);

}  // namespace limber
