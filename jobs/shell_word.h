// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace limber::jobs {

/// A word of a command line as a shell wants it: in quotes where it needs them.
std::string ShellWord(const std::string& word);

}  // namespace limber::jobs
