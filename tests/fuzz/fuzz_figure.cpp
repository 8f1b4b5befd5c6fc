// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/figure_file.h"
#include "tests/fuzz/fuzz.h"

LIMBER_FUZZ(figure, bytes) {
  using namespace limber;
  const Result<figure::FigureModel> figure = figure::ReadFigure(bytes, "fuzz");
  if (!figure.ok()) return;
  const Result<figure::FigureModel> again =
      figure::ReadFigure(figure::FormatFigure(*figure), "again");
  fuzz::Demand(again.ok(), "a written figure is read", again.diagnostics());
}
