// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/osim.h"

#include <iterator>
#include <optional>
#include <pugixml.hpp>
#include <utility>

#include "core/file.h"
#include "mocap/io/internal/osim_joints.h"
#include "mocap/io/internal/osim_xml.h"
#include "mocap/io/internal/quoted.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

/// Places the bodies from the ground outwards.
void PlaceBodies(const std::vector<NamedJoint>& joints, OsimModel& model,
                 Diagnostics& diagnostics) {
  const VectorX q = VectorX::Zero(std::ssize(model.coordinates));
  std::vector<bool> is_placed(joints.size(), false);
  bool has_news = true;
  while (has_news) {
    has_news = false;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (is_placed[i]) continue;
      const NamedJoint& joint = joints[i];
      const OsimBody* parent = model.FindBody(joint.parent);
      if (parent == nullptr && joint.parent != "ground") continue;
      OsimBody body;
      body.name = joint.child;
      Transform X_GP = Transform::Identity();
      if (parent != nullptr) {
        X_GP = parent->X_GB;
        body.parent = static_cast<int>(parent - model.bodies.data());
      }
      body.X_GB = X_GP * joint.joint.X_PF * joint.joint.Moved(q) *
                  joint.joint.X_BF.Inverse();
      if (!body.X_GB.p.allFinite() || !body.X_GB.R.coeffs().allFinite()) {
        continue;
      }
      is_placed[i] = true;
      has_news = true;
      if (model.FindBody(body.name) != nullptr) {
        model.unknown.push_back("second joint of body " + Quoted(body.name));
        continue;
      }
      model.bodies.push_back(body);
      model.joints.push_back(joint.joint);
    }
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (is_placed[i]) continue;
    model.unknown.push_back("joint " + Quoted(joints[i].joint.name));
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

/// The weight of a task and whether it is applied; false for one that is no
/// number.
bool ReadTask(const pugi::xml_node& node, OsimTask& task,
              Diagnostics& diagnostics) {
  task.name = Trim(node.attribute("name").value());
  task.is_applied = FlagOf(node, "apply", true);
  const std::string text = TextOf(node, "weight");
  const std::optional<double> weight =
      text.empty() ? std::optional(1.0) : ParseNumber(text);
  if (weight && *weight >= 0 && !task.name.empty()) {
    task.weight = *weight;
    return true;
  }
  diagnostics.Warning("task", {},
                      "expected a task with a name and a weight of 0 or more, "
                      "found " +
                          Quoted(task.name) + " with weight " + Quoted(text) +
                          "; left out");
  return false;
}

void ReadCoordinateTask(const pugi::xml_node& node, OsimTasks& tasks,
                        Diagnostics& diagnostics) {
  OsimCoordinateTask task;
  if (!ReadTask(node, task, diagnostics)) return;
  const std::string type = TextOf(node, "value_type");
  if (type == "from_file" && task.is_applied) {
    diagnostics.Warning("task", {},
                        "expected a coordinate task with a value of its own, "
                        "found " +
                            Quoted(task.name) +
                            " with values from a file; left out");
    return;
  }
  if (type == "manual_value") {
    const std::string text = TextOf(node, "value");
    const std::optional<double> value = ParseNumber(text);
    if (!value) {
      diagnostics.Warning("task", {},
                          "expected a coordinate task with a number as value, "
                          "found " +
                              Quoted(task.name) + " with value " +
                              Quoted(text) + "; left out");
      return;
    }
    task.has_value = true;
    task.value = *value;
  }
  tasks.coordinates.push_back(task);
}

/// The task set of a document: alone, of inverse kinematics, or of the marker
/// placer of a scaling set-up.
pugi::xml_node FindTaskSet(const pugi::xml_node& root, OsimTasks& tasks) {
  if (const pugi::xml_node set = root.child("IKTaskSet")) return set;
  if (const pugi::xml_node tool = root.child("InverseKinematicsTool")) {
    tasks.model_file = TextOf(tool, "model_file");
    return tool.child("IKTaskSet");
  }
  return root.child("ScaleTool").child("MarkerPlacer").child("IKTaskSet");
}

}  // namespace

Result<OsimTasks> ReadOsimTasks(std::string_view text, std::string name) {
  Diagnostics diagnostics(std::move(name));
  pugi::xml_document document;
  if (!ParseXml(text, document, diagnostics)) {
    return Result<OsimTasks>(std::move(diagnostics));
  }
  OsimTasks tasks;
  const pugi::xml_node set =
      FindTaskSet(document.child("OpenSimDocument"), tasks);
  if (!set) {
    diagnostics.Error(
        "not-tasks", Place::AtLine(1),
        "expected <OpenSimDocument> with an <IKTaskSet>, alone "
        "or in an <InverseKinematicsTool> or <ScaleTool>, found " +
            Quoted(document.first_child().name()));
    return Result<OsimTasks>(std::move(diagnostics));
  }
  tasks.name = set.attribute("name").value();
  for (const pugi::xml_node& node : set.child("objects").children()) {
    const std::string_view type = node.name();
    OsimTask task;
    if (type == "IKMarkerTask" && ReadTask(node, task, diagnostics)) {
      tasks.markers.push_back(task);
    } else if (type == "IKCoordinateTask") {
      ReadCoordinateTask(node, tasks, diagnostics);
    }
  }
  return {std::move(tasks), std::move(diagnostics)};
}

Result<OsimTasks> ReadOsimTasksFile(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<OsimTasks>(text.diagnostics());
  return ReadOsimTasks(*text, PathText(path));
}

Result<OsimModel> ReadOsim(std::string_view text, std::string name) {
  Diagnostics diagnostics(std::move(name));
  pugi::xml_document document;
  if (!ParseXml(text, document, diagnostics)) {
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
  const std::vector<NamedJoint> joints = ReadOsimJoints(model_node, model);
  ReadOsimConstraints(model_node, model);
  PlaceBodies(joints, model, diagnostics);
  ReadMarkers(marker_set, model, diagnostics);
  return {std::move(model), std::move(diagnostics)};
}

Result<OsimModel> ReadOsimFile(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<OsimModel>(text.diagnostics());
  return ReadOsim(*text, PathText(path));
}

}  // namespace limber::mocap
