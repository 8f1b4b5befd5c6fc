// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::app {

/// One line of a plot. A value that is not finite breaks the line.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;  ///< As many as x.
};

/// A stretch of the x axis that is shaded: a gap, a stance, an event.
struct PlotSpan {
  double begin = 0.0;
  double end = 0.0;
  std::string label;  ///< Shown when the pointer rests on it.
};

struct Plot {
  std::string title;
  std::string x_label = "time [s]";
  std::string y_label;  ///< With the unit.
  std::vector<Curve> curves;
  std::vector<PlotSpan> spans;
  bool y_from_zero = true;  ///< Zero is on the axis.
};

/// The plot as an SVG element for a page: it scales with the page's width and
/// takes its colours from the page's style (classes "curve c0" to "curve c7",
/// "grid", "axis", "span"). A curve of a million points costs no more than one
/// of a thousand: every column of the picture keeps its lowest and highest.
std::string PlotSvg(const Plot& plot);

/// Round numbers that divide lo..hi into about `wanted` parts.
std::vector<double> Ticks(double lo, double hi, int wanted);

/// `text` with the five characters escaped that mean something in a page.
std::string EscapeForPage(std::string_view text);

}  // namespace limber::app
