// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/plot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

namespace limber::app {

namespace {

// The drawing's own units; the page scales them.
constexpr double kWidth = 760.0;
constexpr double kHeight = 260.0;
constexpr double kLeft = 62.0;
constexpr double kRight = 14.0;
constexpr double kTop = 12.0;
constexpr double kBottom = 44.0;
constexpr int kNumColours = 8;

std::string Number(double value, const char* format = "%.1f") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

struct Range {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    if (!std::isfinite(value)) return;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  bool empty() const { return lo > hi; }
  /// A range that can be divided: never empty, never of width zero.
  Range Drawable() const {
    if (empty()) return {0.0, 1.0};
    if (lo == hi) {
      const double half = lo == 0.0 ? 0.5 : 0.1 * std::abs(lo);
      return {lo - half, hi + half};
    }
    return *this;
  }
};

/// From the plot's numbers to the drawing's.
struct Scale {
  Range x;
  Range y;

  double X(double value) const {
    return kLeft + (value - x.lo) / (x.hi - x.lo) * (kWidth - kLeft - kRight);
  }
  double Y(double value) const {
    return kHeight - kBottom -
           (value - y.lo) / (y.hi - y.lo) * (kHeight - kTop - kBottom);
  }
};

Scale ScaleOf(const Plot& plot) {
  Range x;
  Range y;
  for (const Curve& curve : plot.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.y[i])) continue;
      x.Include(curve.x[i]);
      y.Include(curve.y[i]);
    }
  }
  if (plot.y_from_zero && !y.empty()) y.Include(0.0);
  Scale scale{x.Drawable(), y.Drawable()};
  // Room above and below, ending on round numbers.
  const std::vector<double> ticks = Ticks(scale.y.lo, scale.y.hi, 5);
  if (ticks.size() >= 2) {
    const double step = ticks[1] - ticks[0];
    scale.y.lo = std::floor(scale.y.lo / step + 1e-9) * step;
    scale.y.hi = std::ceil(scale.y.hi / step - 1e-9) * step;
  }
  return scale;
}

/// Draws a stretch of a curve without breaks. Points that fall into one column
/// of the drawing become its first, lowest, highest and last.
class Stroke {
 public:
  explicit Stroke(std::string& path) : path_(path) {}

  void To(double x, double y) {
    const double column = std::floor(x);
    if (count_ > 0 && column != column_) Flush();
    if (count_ == 0) {
      column_ = column;
      first_ = lowest_ = highest_ = {x, y};
    }
    last_ = {x, y};
    if (y < lowest_.y) lowest_ = last_;
    if (y > highest_.y) highest_ = last_;
    ++count_;
  }
  void Break() {
    Flush();
    begun_ = false;
  }

 private:
  struct Point {
    double x = 0.0;
    double y = 0.0;
  };

  void Flush() {
    if (count_ == 0) return;
    std::vector<Point> points = {first_};
    if (count_ > 3) {
      points.push_back(lowest_.x < highest_.x ? lowest_ : highest_);
      points.push_back(lowest_.x < highest_.x ? highest_ : lowest_);
    }
    if (count_ > 1) points.push_back(last_);
    for (const Point& point : points) {
      path_ += begun_ ? "L" : "M";
      path_ += Number(point.x) + " " + Number(point.y);
      begun_ = true;
    }
    // A lone point is drawn as a dot by the round cap.
    if (points.size() == 1) path_ += "h0";
    count_ = 0;
  }

  std::string& path_;
  bool begun_ = false;
  int count_ = 0;
  double column_ = 0.0;
  Point first_, lowest_, highest_, last_;
};

std::string PathOf(const Curve& curve, const Scale& scale) {
  std::string path;
  Stroke stroke(path);
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i])) {
      stroke.To(scale.X(curve.x[i]), scale.Y(curve.y[i]));
    } else {
      stroke.Break();
    }
  }
  stroke.Break();
  return path;
}

std::string Line(std::string_view css, double x1, double y1, double x2,
                 double y2) {
  return "<line class=\"" + std::string(css) + "\" x1=\"" + Number(x1) +
         "\" y1=\"" + Number(y1) + "\" x2=\"" + Number(x2) + "\" y2=\"" +
         Number(y2) + "\"/>";
}

std::string Text(double x, double y, std::string_view anchor,
                 std::string_view text, std::string_view more = "") {
  return "<text x=\"" + Number(x) + "\" y=\"" + Number(y) +
         "\" text-anchor=\"" + std::string(anchor) + "\"" + std::string(more) +
         ">" + EscapeForPage(text) + "</text>";
}

/// A tick's number without the noise of its computation.
std::string TickText(double value, double step) {
  if (std::abs(value) < 1e-9 * step) value = 0.0;
  return Number(value, "%.6g");
}

std::string Frame(const Plot& plot, const Scale& scale) {
  std::string svg;
  const double bottom = kHeight - kBottom;
  const std::vector<double> y_ticks = Ticks(scale.y.lo, scale.y.hi, 5);
  for (const double tick : y_ticks) {
    const double y = scale.Y(tick);
    svg += Line("grid", kLeft, y, kWidth - kRight, y);
    svg += Text(kLeft - 8, y + 4, "end",
                TickText(tick, y_ticks.back() - y_ticks.front()));
  }
  const std::vector<double> x_ticks = Ticks(scale.x.lo, scale.x.hi, 8);
  for (const double tick : x_ticks) {
    const double x = scale.X(tick);
    svg += Line("axis", x, bottom, x, bottom + 4);
    svg += Text(x, bottom + 18, "middle",
                TickText(tick, x_ticks.back() - x_ticks.front()));
  }
  svg += Line("axis", kLeft, bottom, kWidth - kRight, bottom);
  svg +=
      Text((kLeft + kWidth - kRight) / 2, kHeight - 6, "middle", plot.x_label);
  svg +=
      Text(14, (kTop + bottom) / 2, "middle", plot.y_label,
           " transform=\"rotate(-90 14 " + Number((kTop + bottom) / 2) + ")\"");
  return svg;
}

}  // namespace

std::string EscapeForPage(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::vector<double> Ticks(double lo, double hi, int wanted) {
  const double rough = (hi - lo) / std::max(1, wanted);
  if (!(rough > 0.0) || !std::isfinite(rough)) return {lo};
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(lo / step - 1e-9);
  const double last = std::floor(hi / step + 1e-9);
  for (double k = first; k <= last; k += 1.0) ticks.push_back(k * step);
  return ticks;
}

std::string PlotSvg(const Plot& plot) {
  const Scale scale = ScaleOf(plot);
  std::string svg = "<svg viewBox=\"0 0 " + Number(kWidth, "%.0f") + " " +
                    Number(kHeight, "%.0f") + "\" role=\"img\" aria-label=\"" +
                    EscapeForPage(plot.title) + "\">";
  for (const PlotSpan& span : plot.spans) {
    const double begin = scale.X(std::max(span.begin, scale.x.lo));
    const double end = scale.X(std::min(span.end, scale.x.hi));
    if (!(end >= begin)) continue;
    svg += "<rect class=\"span\" x=\"" + Number(begin) + "\" y=\"" +
           Number(kTop) + "\" width=\"" + Number(std::max(1.0, end - begin)) +
           "\" height=\"" + Number(kHeight - kTop - kBottom) + "\"><title>" +
           EscapeForPage(span.label) + "</title></rect>";
  }
  svg += Frame(plot, scale);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    svg += "<path class=\"curve c" + std::to_string(i % kNumColours) +
           "\" d=\"" + PathOf(plot.curves[i], scale) + "\"><title>" +
           EscapeForPage(plot.curves[i].name) + "</title></path>";
  }
  return svg + "</svg>";
}

}  // namespace limber::app
