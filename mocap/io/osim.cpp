// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/osim.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "core/file.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

const OsimBody* OsimModel::FindBody(std::string_view body) const {
  const auto found = std::ranges::find(bodies, body, &OsimBody::name);
  return found == bodies.end() ? nullptr : &*found;
}

const OsimCoordinate* OsimModel::FindCoordinate(
    std::string_view coordinate) const {
  const auto found =
      std::ranges::find(coordinates, coordinate, &OsimCoordinate::name);
  return found == coordinates.end() ? nullptr : &*found;
}

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

Place PlaceOf(std::string_view text, std::ptrdiff_t offset) {
  const auto end = std::min<std::size_t>(
      std::size_t(std::max<std::ptrdiff_t>(offset, 0)), text.size());
  const std::string_view before = text.substr(0, end);
  const std::size_t line_begin = before.rfind('\n');
  return Place::AtLine(
      1 + std::ranges::count(before, '\n'),
      static_cast<std::int64_t>(
          line_begin == std::string_view::npos ? end + 1 : end - line_begin));
}

std::string TextOf(const pugi::xml_node& node, const char* child) {
  return std::string(Trim(node.child_value(child)));
}

/// Three finite numbers.
std::optional<Vector3> VectorOf(const std::string& text) {
  std::istringstream words(text);
  Vector3 vector;
  std::string word;
  for (int i = 0; i < 3; ++i) {
    if (!(words >> word)) return std::nullopt;
    const std::optional<double> value = ParseNumber(word);
    if (!value) return std::nullopt;
    vector[i] = *value;
  }
  return vector;
}

/// "/bodyset/femur_r" is "femur_r".
std::string LastPart(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// OpenSim's orientations: turns about X, then the new Y, then the new Z.
Transform MakeTransform(const Vector3& translation, const Vector3& turns) {
  Transform X;
  X.p = translation;
  for (int axis = 0; axis < 3; ++axis) {
    X.R = X.R * ExpRotation(turns[axis] * Vector3::Unit(axis));
  }
  return X;
}

/// A joint between two bodies: where its frames are on them.
struct Joint {
  std::string parent;
  std::string child;
  Transform X_PF;  ///< Frame of the joint on the parent.
  Transform X_BF;  ///< The same frame on the child, at coordinates 0.
  /// How far the frames are apart at coordinates 0: knees slide [m].
  Vector3 slide = Vector3::Zero();
};

std::vector<double> NumbersOf(const std::string& text) {
  std::istringstream words(text);
  std::vector<double> numbers;
  std::string word;
  while (words >> word) {
    numbers.push_back(ParseNumber(word).value_or(0.0));
  }
  return numbers;
}

/// What a function of the model is at 0; splines as straight pieces.
double ValueAtZero(const pugi::xml_node& function) {
  const std::string_view type = function.name();
  if (type == "function") return ValueAtZero(function.first_child());
  if (type == "Constant") {
    return ParseNumber(TextOf(function, "value")).value_or(0.0);
  }
  if (type == "MultiplierFunction") {
    return ParseNumber(TextOf(function, "scale")).value_or(1.0) *
           ValueAtZero(function.child("function").first_child());
  }
  const std::vector<double> x = NumbersOf(TextOf(function, "x"));
  const std::vector<double> y = NumbersOf(TextOf(function, "y"));
  for (std::size_t i = 1; i < std::min(x.size(), y.size()); ++i) {
    if (x[i - 1] > 0 || x[i] < 0 || x[i] == x[i - 1]) continue;
    return y[i - 1] - x[i - 1] * (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
  }
  return 0.0;
}

/// The shift of a joint whose translations depend on its angle.
Vector3 SlideOf(const pugi::xml_node& joint) {
  Vector3 slide = Vector3::Zero();
  const auto add = [&slide](const pugi::xml_node& axis) {
    if (!std::string_view(axis.attribute("name").value())
             .starts_with("translation")) {
      return;
    }
    const std::optional<Vector3> along = VectorOf(TextOf(axis, "axis"));
    // A coordinate of its own is 0.
    const std::string_view coordinate = Trim(axis.child_value("coordinates"));
    if (!along || coordinate.ends_with("_tx") || coordinate.ends_with("_ty") ||
        coordinate.ends_with("_tz")) {
      return;
    }
    for (const pugi::xml_node& child : axis.children()) {
      const std::string_view name = child.name();
      if (name == "axis" || name == "coordinates") continue;
      slide += ValueAtZero(child) * *along;
    }
  };
  for (const pugi::xml_node& axis :
       joint.child("SpatialTransform").children()) {
    add(axis);
  }
  return slide;
}

/// The end of a joint of version 4: a body, or a frame that lies in the joint.
std::pair<std::string, Transform> FrameOf(const pugi::xml_node& joint,
                                          const char* socket) {
  const std::string name = LastPart(TextOf(joint, socket));
  for (const pugi::xml_node& frame : joint.child("frames").children()) {
    if (name != frame.attribute("name").value()) continue;
    const Vector3 at =
        VectorOf(TextOf(frame, "translation")).value_or(Vector3::Zero());
    const Vector3 turns =
        VectorOf(TextOf(frame, "orientation")).value_or(Vector3::Zero());
    return {LastPart(TextOf(frame, "socket_parent")), MakeTransform(at, turns)};
  }
  return {name, Transform::Identity()};
}

void ReadCoordinates(const pugi::xml_node& joint, OsimModel& model) {
  const auto add = [&model](const pugi::xml_node& node) {
    OsimCoordinate coordinate;
    coordinate.name = node.attribute("name").value();
    std::istringstream range(TextOf(node, "range"));
    range >> coordinate.lower >> coordinate.upper;
    if (!coordinate.name.empty()) model.coordinates.push_back(coordinate);
  };
  for (const pugi::xml_node& node : joint.child("coordinates").children()) {
    add(node);
  }
  for (const pugi::xml_node& node :
       joint.child("CoordinateSet").child("objects").children()) {
    add(node);
  }
}

std::vector<Joint> ReadJoints(const pugi::xml_node& document,
                              OsimModel& model) {
  std::vector<Joint> joints;
  for (const pugi::xml_node& node :
       document.child("JointSet").child("objects").children()) {
    Joint joint;
    std::tie(joint.parent, joint.X_PF) = FrameOf(node, "socket_parent_frame");
    std::tie(joint.child, joint.X_BF) = FrameOf(node, "socket_child_frame");
    joint.slide = SlideOf(node);
    ReadCoordinates(node, model);
    joints.push_back(std::move(joint));
  }
  // Versions before 4: each body holds the joint that it hangs on.
  for (const pugi::xml_node& body :
       document.child("BodySet").child("objects").children()) {
    for (const pugi::xml_node& node : body.child("Joint").children()) {
      const auto frame = [&node](const char* at, const char* turns) {
        return MakeTransform(
            VectorOf(TextOf(node, at)).value_or(Vector3::Zero()),
            VectorOf(TextOf(node, turns)).value_or(Vector3::Zero()));
      };
      ReadCoordinates(node, model);
      joints.push_back({TextOf(node, "parent_body"),
                        body.attribute("name").value(),
                        frame("location_in_parent", "orientation_in_parent"),
                        frame("location", "orientation"), SlideOf(node)});
    }
  }
  return joints;
}

/// Places the bodies from the ground outwards.
void PlaceBodies(const std::vector<Joint>& joints, OsimModel& model,
                 Diagnostics& diagnostics) {
  std::vector<bool> is_placed(joints.size(), false);
  bool has_news = true;
  while (has_news) {
    has_news = false;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (is_placed[i]) continue;
      const Joint& joint = joints[i];
      const OsimBody* parent = model.FindBody(joint.parent);
      if (parent == nullptr && joint.parent != "ground") continue;
      OsimBody body;
      body.name = joint.child;
      Transform X_GP = Transform::Identity();
      if (parent != nullptr) {
        X_GP = parent->X_GB;
        body.parent = static_cast<int>(parent - model.bodies.data());
      }
      const Transform slid{Quaternion::Identity(), joint.slide};
      body.X_GB = X_GP * joint.X_PF * slid * joint.X_BF.Inverse();
      is_placed[i] = true;
      has_news = true;
      if (model.FindBody(body.name) == nullptr) model.bodies.push_back(body);
    }
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (is_placed[i]) continue;
    diagnostics.Warning("joint", {},
                        "expected a joint between known bodies, found one "
                        "between " +
                            Quoted(joints[i].parent) + " and " +
                            Quoted(joints[i].child) + "; left out");
  }
}

void ReadMarkers(const pugi::xml_node& set, OsimModel& model,
                 Diagnostics& diagnostics) {
  for (const pugi::xml_node& node : set.child("objects").children("Marker")) {
    OsimMarker marker;
    marker.name = Trim(node.attribute("name").value());
    marker.body = LastPart(TextOf(node, "socket_parent_frame"));
    if (marker.body.empty()) marker.body = LastPart(TextOf(node, "body"));
    const std::optional<Vector3> at = VectorOf(TextOf(node, "location"));
    if (marker.name.empty() || marker.body.empty() || !at) {
      diagnostics.Warning("marker", {},
                          "expected a marker with body and location, found " +
                              Quoted(marker.name) + "; left out");
      continue;
    }
    marker.p_BM = *at;
    model.markers.push_back(std::move(marker));
  }
}

}  // namespace

Result<OsimModel> ReadOsim(std::string_view text, std::string name) {
  Diagnostics diagnostics(std::move(name));
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size());
  if (!parsed) {
    diagnostics.Error(
        "xml", PlaceOf(text, parsed.offset),
        std::string("expected XML, found: ") + parsed.description());
    return Result<OsimModel>(std::move(diagnostics));
  }
  const pugi::xml_node root = document.child("OpenSimDocument");
  const pugi::xml_node model_node = root.child("Model");
  const pugi::xml_node marker_set =
      model_node ? model_node.child("MarkerSet") : root.child("MarkerSet");
  if (!model_node && !marker_set) {
    diagnostics.Error("not-osim", Place::AtLine(1),
                      "expected <OpenSimDocument> with a <Model> or a "
                      "<MarkerSet>, found " +
                          Quoted(document.first_child().name()));
    return Result<OsimModel>(std::move(diagnostics));
  }
  OsimModel model;
  model.name = (model_node ? model_node : marker_set).attribute("name").value();
  PlaceBodies(ReadJoints(model_node, model), model, diagnostics);
  ReadMarkers(marker_set, model, diagnostics);
  return {std::move(model), std::move(diagnostics)};
}

Result<OsimModel> ReadOsimFile(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<OsimModel>(text.diagnostics());
  return ReadOsim(*text, PathText(path));
}

}  // namespace limber::mocap
