// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "core/json_document.h"
#include "figure/figure_file.h"
#include "figure/internal/figure_words.h"
#include "figure/make_figure.h"

namespace limber::figure {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

class Reader {
 public:
  Reader(const JsonValue& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  /// Nothing when there was an error, which is then in the diagnostics.
  std::optional<FigureModel> Read() {
    JsonObject object(root_, "a figure", diagnostics_);
    const std::int64_t version = object.Integer("limber_figure", 1, 1 << 30);
    if (!diagnostics_.has_errors() && version > kFigureFileVersion) {
      object.Error("limber_figure", "version",
                   "expected version 1, the latest that this program knows; "
                   "found " +
                       std::to_string(version));
      return std::nullopt;
    }
    FigureOptions options;
    options.name = object.Text("name", "figure");
    const bool has_segments = object.Has("segments");
    options.height = object.Number("height", NumberRange::Positive(), 0.0);
    options.mass = object.Number("mass", NumberRange::Positive(), 0.0);
    options.sex = static_cast<Sex>(object.Word("sex", internal::kSexWords, 0));
    ReadSkeleton(object);
    const JsonValue* segments = object.Array("segments");
    const JsonValue* changes = object.Array("changes");
    const JsonValue* contacts = object.Array("contacts");
    const JsonValue* markers = object.Array("markers");
    object.Finish();
    if (has_segments) {
      for (const char* word : {"height", "mass", "sex", "changes"}) {
        if (root_.Find(word) != nullptr) {
          object.Error(word, "no-use",
                       "expected no \"" + std::string(word) +
                           "\" beside \"segments\", which already say "
                           "everything");
        }
      }
    }
    if (diagnostics_.has_errors()) return std::nullopt;

    FigureModel figure;
    if (has_segments) {
      figure.name = options.name;
      figure.skeleton = skeleton_;
      figure.roles = roles_;
      ReadSegments(*segments, figure);
    } else {
      options.roles = roles_;
      const Result<FigureModel> made = MakeFigure(skeleton_, options);
      diagnostics_.Append(made.diagnostics());
      if (!made.ok()) return std::nullopt;
      figure = *made;
      if (changes != nullptr) Change(*changes, figure);
    }
    if (contacts != nullptr)
      figure.contacts = ReadSites(*contacts, "a contact");
    if (markers != nullptr) figure.markers = ReadSites(*markers, "a marker");
    if (diagnostics_.has_errors()) return std::nullopt;
    try {
      CheckFigure(figure);
    } catch (const std::invalid_argument& error) {
      diagnostics_.Error("bad-figure", root_.place, error.what());
      return std::nullopt;
    }
    return figure;
  }

 private:
  void ReadSkeleton(JsonObject& object) {
    const JsonValue* list = object.Array("joints", true);
    if (list == nullptr) return;
    std::vector<Joint> joints;
    std::vector<Role> roles;
    const std::vector<std::string_view> words = RoleWords();
    for (const JsonValue& item : list->items) {
      JsonObject one(item, "a joint", diagnostics_);
      Joint joint;
      joint.name = one.Text("name");
      joint.offset = one.Vector("offset");
      const JsonValue* parent = one.Value("parent");
      if (parent != nullptr) joint.parent = JointOf(*parent, "parent");
      const int role = one.Word("role", words, -1);
      has_roles_ = has_roles_ || role >= 0;
      roles.push_back(static_cast<Role>(std::max(role, 0)));
      one.Finish();
      AddName(joint.name);
      joints.push_back(std::move(joint));
    }
    if (joints.empty()) {
      object.Error("joints", "no-joint", "expected at least one joint");
    }
    std::vector<Site> sites;
    if (const JsonValue* site_list = object.Array("sites")) {
      for (const FigureSite& site : ReadSites(*site_list, "a site")) {
        sites.push_back({site.name, site.joint, site.offset});
      }
    }
    if (diagnostics_.has_errors()) return;
    skeleton_ = Skeleton::Make(std::move(joints), std::move(sites));
    roles_ = has_roles_ ? roles : RecogniseRoles(*skeleton_);
  }

  static std::vector<std::string_view> RoleWords() {
    std::vector<std::string_view> words;
    for (int i = 0; i < kNumRoles; ++i) {
      words.push_back(ToString(static_cast<Role>(i)));
    }
    return words;
  }

  void AddName(const std::string& name) {
    ++num_of_name_[name];
    joint_of_name_.emplace(name, num_joints_);
    ++num_joints_;
  }

  /// A joint read so far, by name or by index.
  int JointOf(const JsonValue& value, std::string_view field) {
    if (value.kind == JsonValue::Kind::kText) {
      const auto found = joint_of_name_.find(value.text);
      if (found != joint_of_name_.end() && num_of_name_[value.text] == 1) {
        return found->second;
      }
      diagnostics_.Error(
          "no-such-joint", value.place,
          std::string(field) +
              (found == joint_of_name_.end()
                   ? ": expected the name of a joint listed before, found \""
                   : ": more than one joint has the name (use its index) \"") +
              value.text + "\"");
      return 0;
    }
    if (value.kind == JsonValue::Kind::kNumber &&
        value.number == std::floor(value.number) && value.number >= 0 &&
        value.number < num_joints_) {
      return static_cast<int>(value.number);
    }
    diagnostics_.Error("no-such-joint", value.place,
                       std::string(field) +
                           ": expected the name or the index of a joint "
                           "listed before");
    return 0;
  }

  int RequiredJoint(JsonObject& object) {
    const JsonValue* value = object.Value("joint");
    if (value != nullptr) return JointOf(*value, "joint");
    object.Error("joint", "missing", "expected a \"joint\"");
    return 0;
  }

  std::vector<FigureSite> ReadSites(const JsonValue& list,
                                    std::string_view what) {
    std::vector<FigureSite> sites;
    for (const JsonValue& item : list.items) {
      JsonObject one(item, what, diagnostics_);
      FigureSite site;
      site.name = one.Text("name", "");
      site.joint = RequiredJoint(one);
      site.offset = one.Vector("offset");
      one.Finish();
      sites.push_back(std::move(site));
    }
    return sites;
  }

  void ReadSegments(const JsonValue& list, FigureModel& figure) {
    figure.segment_of_joint.assign(At(num_joints_), -1);
    for (const JsonValue& item : list.items) {
      JsonObject one(item, "a segment", diagnostics_);
      FigureSegment segment;
      segment.name = one.Text("name");
      segment.joint = RequiredJoint(one);
      segment.joints = {segment.joint};
      if (const JsonValue* welded = one.Array("welded")) {
        for (const JsonValue& joint : welded->items) {
          segment.joints.push_back(JointOf(joint, "welded"));
        }
      }
      for (const char* word : {"mass", "centre", "inertia", "anchor"}) {
        if (!one.Has(word)) {
          one.Error(word, "missing",
                    "expected \"" + std::string(word) + "\" in a segment");
        }
      }
      ReadBody(one, segment);
      one.Finish();
      for (const int joint : segment.joints) {
        int& owner = figure.segment_of_joint[At(joint)];
        if (owner >= 0) {
          // A segment may also name one of its joints twice.
          const FigureSegment& first = owner < figure.num_segments()
                                           ? figure.segments[At(owner)]
                                           : segment;
          one.Error("joint", "joint-twice",
                    "joint \"" + skeleton_->joint(joint).name +
                        "\" already belongs to segment \"" + first.name + "\"");
        }
        owner = figure.num_segments();
      }
      int above = skeleton_->joint(segment.joint).parent;
      while (above >= 0 &&
             figure.segment_of_joint[At(above)] == figure.num_segments()) {
        above = skeleton_->joint(above).parent;
      }
      segment.parent = above < 0 ? -1 : figure.segment_of_joint[At(above)];
      figure.segments.push_back(std::move(segment));
    }
  }

  void Change(const JsonValue& list, FigureModel& figure) {
    std::vector<std::string_view> names;
    for (const FigureSegment& segment : figure.segments) {
      names.push_back(segment.name);
    }
    for (const JsonValue& item : list.items) {
      JsonObject one(item, "a change", diagnostics_);
      ReadBody(one, figure.segments[At(one.Word("segment", names))]);
      one.Finish();
    }
  }

  /// The members that are there replace what `segment` has.
  void ReadBody(JsonObject& one, FigureSegment& segment) {
    const double old_mass = segment.mass;
    segment.mass = one.Number("mass", NumberRange::Positive(), segment.mass);
    segment.p_JC = one.Vector("centre", segment.p_JC);
    if (one.Has("inertia")) {
      const std::vector<double> I = one.Numbers("inertia", 6);
      if (I.size() == 6) {
        segment.I_JC << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
      }
    } else if (old_mass > 0.0) {
      segment.I_JC *= segment.mass / old_mass;
    }
    if (const JsonValue* anchor = one.Object("anchor")) {
      ReadAnchor(*anchor, segment.anchor);
    }
    if (const JsonValue* shapes = one.Array("shapes")) {
      segment.shapes.clear();
      for (const JsonValue& shape : shapes->items) {
        segment.shapes.push_back(ReadShape(shape));
      }
    }
  }

  void ReadAnchor(const JsonValue& value, Anchor& anchor) {
    JsonObject object(value, "an anchor", diagnostics_);
    const std::size_t findings = diagnostics_.all().size();
    const AnchorKind kind = static_cast<AnchorKind>(object.Word(
        "kind", internal::kAnchorWords, static_cast<int>(anchor.kind)));
    if (kind != anchor.kind) anchor.axes.fill(AnchorAxis{});
    anchor.kind = kind;
    anchor.R_PF = ReadRotation(object, "frame_in_parent", anchor.R_PF);
    anchor.R_JM = ReadRotation(object, "frame_in_joint", anchor.R_JM);
    const JsonValue* axes = object.Array("axes");
    // Without a known kind nothing can be said about the axes.
    if (axes != nullptr && diagnostics_.all().size() == findings) {
      if (axes->items.size() != At(anchor.num_axes())) {
        object.Error(
            "axes", "axis-count",
            "a " +
                std::string(
                    internal::kAnchorWords[static_cast<std::size_t>(kind)]) +
                " joint has " + std::to_string(anchor.num_axes()) +
                " axes, found " + std::to_string(axes->items.size()));
      } else {
        for (std::size_t k = 0; k < axes->items.size(); ++k) {
          JsonObject axis(axes->items[k], "an axis", diagnostics_);
          AnchorAxis read;
          read.lower = Limit(axis, "lower_deg", read.lower);
          read.upper = Limit(axis, "upper_deg", read.upper);
          read.max_torque =
              axis.Number("torque", NumberRange::NotNegative(), 0.0);
          if (!(read.lower <= read.upper)) {
            axis.Error("lower_deg", "bad-limits",
                       "lower_deg must be at most upper_deg");
          }
          axis.Finish();
          anchor.axes[k] = read;
        }
      }
    }
    object.Finish();
  }

  static double Limit(JsonObject& axis, std::string_view name,
                      double fallback) {
    if (!axis.Has(name)) return fallback;
    return axis.Number(name) * kRadiansPerDegree;
  }

  Quaternion ReadRotation(JsonObject& object, std::string_view name,
                          const Quaternion& fallback) {
    if (!object.Has(name)) return fallback;
    const std::vector<double> q = object.Numbers(name, 4);
    if (q.size() != 4) return fallback;
    const Quaternion rotation(q[0], q[1], q[2], q[3]);
    if (!(std::abs(rotation.norm() - 1.0) <= 1e-6)) {
      object.Error(name, "not-unit",
                   "expected a unit quaternion w, x, y, z, found one of "
                   "length " +
                       std::to_string(rotation.norm()));
      return fallback;
    }
    return rotation;
  }

  SegmentShape ReadShape(const JsonValue& value) {
    JsonObject object(value, "a shape", diagnostics_);
    SegmentShape shape;
    shape.kind = static_cast<SegmentShape::Kind>(
        object.Word("kind", internal::kShapeWords));
    shape.X_JS.p = object.Vector("centre", Vector3::Zero());
    shape.X_JS.R = ReadRotation(object, "rotation", Quaternion::Identity());
    if (shape.kind == SegmentShape::Kind::kCapsule) {
      shape.radius = object.Number("radius", NumberRange::Positive());
      shape.length = object.Number("length", NumberRange::NotNegative(), 0.0);
    } else {
      const std::vector<double> size =
          object.Numbers("size", 3, NumberRange::Positive());
      if (size.size() == 3) shape.size = {size[0], size[1], size[2]};
    }
    object.Finish();
    return shape;
  }

  const JsonValue& root_;
  Diagnostics& diagnostics_;
  std::map<std::string, int, std::less<>> joint_of_name_;
  std::map<std::string, int, std::less<>> num_of_name_;
  int num_joints_ = 0;
  bool has_roles_ = false;
  std::shared_ptr<const Skeleton> skeleton_;
  std::vector<Role> roles_;
};

}  // namespace

Result<FigureModel> ReadFigure(std::string_view text, const std::string& file) {
  const Result<JsonValue> json = ParseJson(text, file);
  if (!json.ok()) return Result<FigureModel>(json.diagnostics());
  Diagnostics diagnostics(file);
  diagnostics.Append(json.diagnostics());
  std::optional<FigureModel> figure = Reader(*json, diagnostics).Read();
  if (!figure) return Result<FigureModel>(diagnostics);
  return Result<FigureModel>(*std::move(figure), diagnostics);
}

Result<FigureModel> ReadFigureFile(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<FigureModel>(text.diagnostics());
  return ReadFigure(*text, PathText(path));
}

}  // namespace limber::figure
