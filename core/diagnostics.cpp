// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics.h"

#include <utility>

namespace limber {

std::string ToString(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) text += diagnostic.file + ":";
  const Place& place = diagnostic.place;
  if (place.line > 0) {
    if (text.empty()) text += "line ";
    text += std::to_string(place.line) + ":";
    if (place.column > 0) text += std::to_string(place.column) + ":";
  } else if (place.byte >= 0) {
    if (!text.empty()) text += " ";
    text += "byte " + std::to_string(place.byte) + ":";
  }
  if (!text.empty()) text += " ";
  text += diagnostic.severity == Severity::kError ? "error: " : "warning: ";
  text += diagnostic.message;
  if (diagnostic.count > 1) {
    text += " (" + std::to_string(diagnostic.count) + " times)";
  }
  return text;
}

void Diagnostics::Error(std::string_view kind, Place place,
                        std::string message) {
  Add(Severity::kError, kind, place, std::move(message));
}

void Diagnostics::Warning(std::string_view kind, Place place,
                          std::string message) {
  const Severity severity = strict_ ? Severity::kError : Severity::kWarning;
  for (Diagnostic& known : all_) {
    if (known.kind == kind && known.severity == severity) {
      ++known.count;
      return;
    }
  }
  Add(severity, kind, place, std::move(message));
}

void Diagnostics::Append(const Diagnostics& other) {
  for (const Diagnostic& diagnostic : other.all_) {
    if (diagnostic.severity == Severity::kError) ++num_errors_;
    all_.push_back(diagnostic);
  }
}

std::vector<Diagnostic> Diagnostics::warnings() const {
  std::vector<Diagnostic> result;
  for (const Diagnostic& diagnostic : all_) {
    if (diagnostic.severity == Severity::kWarning) result.push_back(diagnostic);
  }
  return result;
}

std::int64_t Diagnostics::CountOf(std::string_view kind) const {
  for (const Diagnostic& diagnostic : all_) {
    if (diagnostic.kind == kind) return diagnostic.count;
  }
  return 0;
}

std::string Diagnostics::ToString() const {
  std::string text;
  for (const Diagnostic& diagnostic : all_) {
    text += limber::ToString(diagnostic) + "\n";
  }
  return text;
}

void Diagnostics::Add(Severity severity, std::string_view kind, Place place,
                      std::string message) {
  if (severity == Severity::kError) ++num_errors_;
  all_.push_back(
      {severity, std::string(kind), file_, place, std::move(message), 1});
}

}  // namespace limber
