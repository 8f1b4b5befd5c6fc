// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/osim_joints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "mocap/io/internal/osim_xml.h"
#include "mocap/io/internal/quoted.h"

namespace limber::mocap::internal {

namespace {

/// OpenSim's orientations: turns about X, then the new Y, then the new Z.
Transform MakeTransform(const Vector3& translation, const Vector3& turns) {
  Transform X;
  X.p = translation;
  for (int axis = 0; axis < 3; ++axis) {
    X.R = X.R * ExpRotation(turns[axis] * Vector3::Unit(axis));
  }
  return X;
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

/// The function of a node such as <SimmSpline>; nothing for an unknown type.
std::optional<OsimFunction> FunctionOf(const pugi::xml_node& node) {
  const std::string_view type = node.name();
  if (type == "function" || type == "coupled_coordinates_function") {
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) return FunctionOf(child);
    }
    return std::nullopt;
  }
  if (type == "Constant") {
    const std::optional<double> value = ParseNumber(TextOf(node, "value"));
    return OsimFunction::Constant(value.value_or(0.0));
  }
  if (type == "MultiplierFunction") {
    std::optional<OsimFunction> inner = FunctionOf(node.child("function"));
    if (inner) {
      inner->scale *= ParseNumber(TextOf(node, "scale")).value_or(1.0);
    }
    return inner;
  }
  if (type == "LinearFunction" || type == "PolynomialFunction") {
    const std::vector<double> numbers = NumbersOf(TextOf(node, "coefficients"));
    if (numbers.empty()) return std::nullopt;
    // More than two are of several coordinates.
    if (type == "LinearFunction" && numbers.size() != 2) return std::nullopt;
    OsimFunction function;
    function.powers = numbers;
    return function;
  }
  const std::vector<double> x = NumbersOf(TextOf(node, "x"));
  const std::vector<double> y = NumbersOf(TextOf(node, "y"));
  if (type == "SimmSpline" || type == "NaturalCubicSpline") {
    return OsimFunction::Spline(x, y);
  }
  if (type == "PiecewiseLinearFunction") return OsimFunction::Lines(x, y);
  return std::nullopt;
}

int IndexOf(const OsimModel& model, std::string_view coordinate) {
  const OsimCoordinate* found = model.FindCoordinate(coordinate);
  return found == nullptr ? -1 : int(found - model.coordinates.data());
}

std::string JointWords(const pugi::xml_node& node) {
  return "joint " + Quoted(node.attribute("name").value());
}

/// The function of a <TransformAxis>; `is_known` becomes false for one that is
/// only approximated, by straight lines or by nothing.
OsimFunction AxisFunction(const pugi::xml_node& node, bool has_coordinate,
                          bool& is_known) {
  for (const pugi::xml_node& child : node.children()) {
    const std::string_view name = child.name();
    if (name.empty() || name == "axis" || name == "coordinates") continue;
    std::optional<OsimFunction> function = FunctionOf(child);
    if (!function) {
      is_known = false;
      function = OsimFunction::Lines(NumbersOf(TextOf(child, "x")),
                                     NumbersOf(TextOf(child, "y")));
    }
    if (function && std::isfinite(function->Value(0))) return *function;
    is_known = false;
    return OsimFunction::Constant(0.0);
  }
  // Without a function it moves with its coordinate.
  return OsimFunction::Linear(has_coordinate ? 1.0 : 0.0, 0.0);
}

void ReadCustomAxes(const pugi::xml_node& node, OsimJoint& joint,
                    OsimModel& model) {
  std::vector<OsimAxis> shifts;
  for (const pugi::xml_node& child :
       node.child("SpatialTransform").children("TransformAxis")) {
    const std::string name = child.attribute("name").value();
    OsimAxis axis;
    axis.is_turn = !name.starts_with("translation");
    const Vector3 along =
        VectorOf(TextOf(child, "axis")).value_or(Vector3::Zero());
    const std::string coordinate = TextOf(child, "coordinates");
    if (!coordinate.empty()) axis.coordinate = IndexOf(model, coordinate);
    bool is_known = along.norm() > 0 && std::isfinite(along.norm()) &&
                    (coordinate.empty() || axis.coordinate >= 0);
    axis.function = AxisFunction(child, axis.coordinate >= 0, is_known);
    if (along.norm() > 0) axis.axis = along.normalized();
    if (!is_known) {
      model.unknown.push_back(JointWords(node) + ", " + Quoted(name));
    }
    if (!axis.axis.allFinite() || !(along.norm() > 0)) continue;
    (axis.is_turn ? joint.axes : shifts).push_back(axis);
  }
  joint.axes.insert(joint.axes.end(), shifts.begin(), shifts.end());
}

/// Turns and shifts of the joint types that need no words of their own.
struct JointType {
  std::string_view name;
  std::string_view turns;   ///< About X, Y, Z of the joint's frame.
  std::string_view shifts;  ///< Along them.
};
constexpr std::array kTypes = {
    JointType{"WeldJoint", "", ""},       JointType{"PinJoint", "z", ""},
    JointType{"SliderJoint", "", "x"},    JointType{"UniversalJoint", "xy", ""},
    JointType{"BallJoint", "xyz", ""},    JointType{"GimbalJoint", "xyz", ""},
    JointType{"FreeJoint", "xyz", "xyz"}, JointType{"PlanarJoint", "z", "xy"}};

void AddPlainAxes(const JointType& type, std::size_t first,
                  const pugi::xml_node& node, OsimJoint& joint,
                  OsimModel& model) {
  std::size_t next = first;
  const auto add = [&](char letter, bool is_turn) {
    if (next == model.coordinates.size()) {
      OsimCoordinate coordinate;
      coordinate.name = std::string(node.attribute("name").value()) +
                        "_coord_" + std::to_string(next - first);
      model.coordinates.push_back(coordinate);
    }
    joint.axes.push_back({is_turn, Vector3::Unit(letter - 'x'),
                          static_cast<int>(next),
                          OsimFunction::Linear(1.0, 0.0)});
    ++next;
  };
  for (const char letter : type.turns) add(letter, true);
  for (const char letter : type.shifts) add(letter, false);
}

void ReadCoordinate(const pugi::xml_node& node, OsimModel& model) {
  OsimCoordinate coordinate;
  coordinate.name = node.attribute("name").value();
  if (coordinate.name.empty()) return;
  const std::vector<double> range = NumbersOf(TextOf(node, "range"));
  if (range.size() == 2) {
    coordinate.lower = range[0];
    coordinate.upper = range[1];
  }
  coordinate.default_value =
      ParseNumber(TextOf(node, "default_value")).value_or(0.0);
  coordinate.is_clamped =
      FlagOf(node, "clamped", false) && coordinate.lower <= coordinate.upper;
  coordinate.is_locked = FlagOf(node, "locked", false);
  if (FlagOf(node, "prescribed", false)) {
    model.unknown.push_back("prescribed coordinate " + Quoted(coordinate.name));
  }
  model.coordinates.push_back(coordinate);
}

/// What the coordinates from `first` on measure: a turn or a shift that one
/// drives one to one, else neither.
void NameMotions(const OsimJoint& joint, std::size_t first, OsimModel& model) {
  for (std::size_t i = first; i < model.coordinates.size(); ++i) {
    OsimCoordinate& coordinate = model.coordinates[i];
    coordinate.motion = OsimMotion::kOther;
    for (const OsimAxis& axis : joint.axes) {
      const OsimFunction& function = axis.function;
      const bool is_plain = axis.coordinate == static_cast<int>(i) &&
                            function.pieces.empty() &&
                            function.powers.size() == 2 &&
                            std::abs(function.scale * function.powers[0]) == 1;
      if (!is_plain) continue;
      coordinate.motion = axis.is_turn ? OsimMotion::kTurn : OsimMotion::kShift;
      break;
    }
  }
}

/// Coordinates and axes of a joint of either form.
void ReadMoves(const pugi::xml_node& node, OsimJoint& joint, OsimModel& model) {
  joint.name = node.attribute("name").value();
  const std::size_t first = model.coordinates.size();
  for (const pugi::xml_node& child : node.child("coordinates").children()) {
    ReadCoordinate(child, model);
  }
  for (const pugi::xml_node& child :
       node.child("CoordinateSet").child("objects").children()) {
    ReadCoordinate(child, model);
  }
  const std::string_view type = node.name();
  const auto plain = std::ranges::find(kTypes, type, &JointType::name);
  if (type == "CustomJoint") {
    ReadCustomAxes(node, joint, model);
  } else if (plain != kTypes.end()) {
    AddPlainAxes(*plain, first, node, joint, model);
  } else {
    model.unknown.push_back(JointWords(node) + " of type " + std::string(type));
  }
  if (FlagOf(node, "reverse", false)) {
    model.unknown.push_back(JointWords(node) + ", which is reversed");
  }
  NameMotions(joint, first, model);
}

}  // namespace

std::vector<NamedJoint> ReadOsimJoints(const pugi::xml_node& model_node,
                                       OsimModel& model) {
  std::vector<NamedJoint> joints;
  for (const pugi::xml_node& node :
       model_node.child("JointSet").child("objects").children()) {
    NamedJoint named;
    std::tie(named.parent, named.joint.X_PF) =
        FrameOf(node, "socket_parent_frame");
    std::tie(named.child, named.joint.X_BF) =
        FrameOf(node, "socket_child_frame");
    ReadMoves(node, named.joint, model);
    joints.push_back(std::move(named));
  }
  // Versions before 4: each body holds the joint that it hangs on.
  for (const pugi::xml_node& body :
       model_node.child("BodySet").child("objects").children()) {
    for (const pugi::xml_node& node : body.child("Joint").children()) {
      const auto frame = [&node](const char* at, const char* turns) {
        return MakeTransform(
            VectorOf(TextOf(node, at)).value_or(Vector3::Zero()),
            VectorOf(TextOf(node, turns)).value_or(Vector3::Zero()));
      };
      NamedJoint named{
          TextOf(node, "parent_body"), body.attribute("name").value(), {}};
      named.joint.X_PF = frame("location_in_parent", "orientation_in_parent");
      named.joint.X_BF = frame("location", "orientation");
      ReadMoves(node, named.joint, model);
      joints.push_back(std::move(named));
    }
  }
  return joints;
}

void ReadOsimConstraints(const pugi::xml_node& model_node, OsimModel& model) {
  for (const pugi::xml_node& node :
       model_node.child("ConstraintSet").child("objects").children()) {
    if (std::string_view(node.name()).empty()) continue;
    if (FlagOf(node, "isDisabled", false) ||
        !FlagOf(node, "isEnforced", true)) {
      continue;
    }
    const std::string words =
        "constraint " + Quoted(node.attribute("name").value());
    if (std::string_view(node.name()) != "CoordinateCouplerConstraint") {
      model.unknown.push_back(words + " of type " + node.name());
      continue;
    }
    std::optional<OsimFunction> function =
        FunctionOf(node.child("coupled_coordinates_function"));
    const int dependent =
        IndexOf(model, TextOf(node, "dependent_coordinate_name"));
    const int independent =
        IndexOf(model, TextOf(node, "independent_coordinate_names"));
    if (!function || dependent < 0 || independent < 0 ||
        dependent == independent) {
      model.unknown.push_back(words);
      continue;
    }
    function->scale *= ParseNumber(TextOf(node, "scale_factor")).value_or(1.0);
    model.couplings.push_back({dependent, independent, *function});
  }
}

}  // namespace limber::mocap::internal
