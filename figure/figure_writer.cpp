// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "figure/internal/figure_words.h"

namespace limber::figure {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[static_cast<std::size_t>(c) >> 4];
      out += kDigits[static_cast<std::size_t>(c) & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// The shortest digits that read back as the same double.
std::string Text(double value) {
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  // -0 reads back as such, but is nothing a person would write.
  if (value == 0.0) return "0";
  return {buffer.data(), end.ptr};
}

/// Degrees that read back as the same radians, where there are such.
std::string DegreesText(double radians) {
  const double near = Degrees(radians);
  double best = near;
  for (const double candidate :
       {std::round(near * 10.0) / 10.0, std::round(near * 1e6) / 1e6, near,
        std::nextafter(near, -1e9), std::nextafter(near, 1e9)}) {
    if (candidate * kRadiansPerDegree == radians) {
      best = candidate;
      break;
    }
  }
  return Text(best);
}

template <typename Values>
std::string List(const Values& values) {
  std::string out = "[";
  for (const double value : values) {
    if (out.size() > 1) out += ", ";
    out += Text(value);
  }
  return out + "]";
}

std::string List(const Quaternion& q) {
  return List(std::array<double, 4>{q.w(), q.x(), q.y(), q.z()});
}

class Writer {
 public:
  explicit Writer(const FigureModel& figure) : figure_(figure) {
    for (const Joint& joint : figure.skeleton->joints()) ++names_[joint.name];
  }

  std::string Write() {
    text_ = "{\n  \"limber_figure\": " + std::to_string(kFigureFileVersion) +
            ",\n  \"name\": " + Quoted(figure_.name) + ",\n";
    Block("joints", figure_.skeleton->num_joints(), [&](int j) {
      const Joint& joint = figure_.skeleton->joint(j);
      return "{\"name\": " + Quoted(joint.name) +
             (joint.parent < 0 ? "" : ", \"parent\": " + Name(joint.parent)) +
             ", \"offset\": " + List(joint.offset) +
             ", \"role\": " + Quoted(ToString(figure_.roles[At(j)])) + "}";
    });
    const std::vector<Site>& sites = figure_.skeleton->sites();
    Block("sites", static_cast<int>(sites.size()), [&](int i) {
      return SiteText(sites[At(i)].name, sites[At(i)].joint,
                      sites[At(i)].offset);
    });
    Block("segments", figure_.num_segments(),
          [&](int s) { return SegmentText(figure_.segments[At(s)]); });
    for (const auto& [word, list] : {std::pair("contacts", &figure_.contacts),
                                     std::pair("markers", &figure_.markers)}) {
      Block(word, static_cast<int>(list->size()), [&, list = list](int i) {
        const FigureSite& site = (*list)[At(i)];
        return SiteText(site.name, site.joint, site.offset);
      });
    }
    text_.erase(text_.size() - 2, 1);  // the last comma
    return text_ + "}\n";
  }

 private:
  template <typename ItemText>
  void Block(const std::string& word, int count, ItemText item_text) {
    text_ += "  " + Quoted(word) + ": [";
    for (int i = 0; i < count; ++i) {
      text_ += (i == 0 ? "\n    " : ",\n    ") + item_text(i);
    }
    text_ += count == 0 ? "],\n" : "\n  ],\n";
  }

  /// A joint by its name where that is one joint's only, else by its index.
  std::string Name(int joint) const {
    const std::string& name = figure_.skeleton->joint(joint).name;
    if (!name.empty() && names_.at(name) == 1) return Quoted(name);
    return std::to_string(joint);
  }

  std::string SiteText(const std::string& name, int joint,
                       const Vector3& offset) const {
    return "{\"name\": " + Quoted(name) + ", \"joint\": " + Name(joint) +
           ", \"offset\": " + List(offset) + "}";
  }

  std::string SegmentText(const FigureSegment& segment) const {
    std::string out = "{\n      \"name\": " + Quoted(segment.name) +
                      ", \"joint\": " + Name(segment.joint);
    if (segment.joints.size() > 1) {
      out += ", \"welded\": [";
      for (std::size_t i = 1; i < segment.joints.size(); ++i) {
        out += (i == 1 ? "" : ", ") + Name(segment.joints[i]);
      }
      out += "]";
    }
    const Matrix3& I = segment.I_JC;
    out += ",\n      \"mass\": " + Text(segment.mass) +
           ", \"centre\": " + List(segment.p_JC) + ",\n      \"inertia\": " +
           List(std::array<double, 6>{I(0, 0), I(1, 1), I(2, 2), I(0, 1),
                                      I(0, 2), I(1, 2)});
    out += ",\n      " + AnchorText(segment.anchor);
    out += ",\n      \"shapes\": [";
    for (std::size_t i = 0; i < segment.shapes.size(); ++i) {
      out += (i == 0 ? "\n        " : ",\n        ") +
             ShapeText(segment.shapes[i]);
    }
    return out + "]\n    }";
  }

  static std::string AnchorText(const Anchor& anchor) {
    std::string out =
        "\"anchor\": {\"kind\": " +
        Quoted(internal::kAnchorWords[static_cast<std::size_t>(anchor.kind)]);
    if (anchor.num_axes() == 0) return out + "}";
    out += ",\n        \"frame_in_parent\": " + List(anchor.R_PF) +
           ",\n        \"frame_in_joint\": " + List(anchor.R_JM) +
           ",\n        \"axes\": [";
    for (int k = 0; k < anchor.num_axes(); ++k) {
      const AnchorAxis& axis = anchor.axes[At(k)];
      out += k == 0 ? "{" : ", {";
      if (std::isfinite(axis.lower)) {
        out += "\"lower_deg\": " + DegreesText(axis.lower) + ", ";
      }
      if (std::isfinite(axis.upper)) {
        out += "\"upper_deg\": " + DegreesText(axis.upper) + ", ";
      }
      out += "\"torque\": " + Text(axis.max_torque) + "}";
    }
    return out + "]}";
  }

  static std::string ShapeText(const SegmentShape& shape) {
    std::string out =
        "{\"kind\": " +
        Quoted(internal::kShapeWords[static_cast<std::size_t>(shape.kind)]) +
        ", \"centre\": " + List(shape.X_JS.p) +
        ", \"rotation\": " + List(shape.X_JS.R);
    if (shape.kind == SegmentShape::Kind::kCapsule) {
      out += ", \"radius\": " + Text(shape.radius) +
             ", \"length\": " + Text(shape.length);
    } else {
      out += ", \"size\": " + List(shape.size);
    }
    return out + "}";
  }

  const FigureModel& figure_;
  std::map<std::string, int> names_;
  std::string text_;
};

}  // namespace

std::string FormatFigure(const FigureModel& figure) {
  CheckFigure(figure);
  return Writer(figure).Write();
}

Diagnostics WriteFigureFile(const std::filesystem::path& path,
                            const FigureModel& figure) {
  const std::string text = FormatFigure(figure);
  // What the reader refuses is not written.
  const Result<FigureModel> again = ReadFigure(text, PathText(path));
  if (!again.ok()) return again.diagnostics();
  return WriteWholeFile(path, text);
}

}  // namespace limber::figure
