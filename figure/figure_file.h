// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"
#include "figure/figure_model.h"

namespace limber::figure {

/// The version that is written; a file of a later one is refused.
inline constexpr int kFigureFileVersion = 1;

/// Reads the text of a figure file: JSON with comments, metres, kilograms and
/// degrees. docs/figures.md has the schema. A file holds a skeleton and either
/// the whole body ("segments", as the writer writes it) or none of it, in which
/// case `MakeFigure` makes the body from "height", "mass" and "sex"; "changes"
/// then overrides single numbers of single segments.
///
/// Errors name file, line and column, what was expected and what was found; an
/// unknown word gets the list of the known ones. Warnings are those of
/// `MakeFigure`.
Result<FigureModel> ReadFigure(std::string_view text, const std::string& file);
Result<FigureModel> ReadFigureFile(const std::filesystem::path& path);

/// The figure as the text of a figure file with everything spelled out. Reading
/// it gives the same model, number for number (limits to the last bit of a
/// double where they do not come from a file or from `MakeFigure`).
std::string FormatFigure(const FigureModel& figure);
/// Writes `FormatFigure` to a file; the diagnostics hold the reason if it could
/// not be done.
Diagnostics WriteFigureFile(const std::filesystem::path& path,
                            const FigureModel& figure);

}  // namespace limber::figure
