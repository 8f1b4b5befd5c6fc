// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/job_files.h"

#include <iostream>
#include <optional>

#include "app/exit_code.h"
#include "core/file.h"
#include "core/job_files.h"

namespace limber::app {

namespace {

/// Of the call that runs; it guards until the program ends, or until
/// `ReleaseJobFiles`.
std::optional<FileGuard>& Guard() {
  static std::optional<FileGuard> guard;
  return guard;
}

}  // namespace

void ReleaseJobFiles() { Guard().reset(); }

bool CheckJobFiles(const JobFiles& files) {
  std::optional<FileGuard>& guard = Guard();
  if (!files.force) {
    Diagnostics lost = CheckOutputs(files.inputs, files.outputs);
    if (guard) {
      lost.Append(guard->AddOutputs(files.outputs));
    } else {
      guard.emplace(files.outputs);
    }
    if (lost.has_errors()) {
      std::string text;
      for (const Diagnostic& one : lost.all()) {
        text += (text.empty() ? "" : "\n") + one.file + ": " + one.message;
      }
      throw BadCall(text + "; --force overwrites it");
    }
  }
  const Diagnostics found = CheckWritable(files.outputs);
  std::cerr << found.ToString();
  return !found.has_errors();
}

}  // namespace limber::app
