// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of the kinds of which no file is bundled.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace limber::fuzz {

/// By the name of the target.
inline const std::map<std::string, std::vector<std::string>> kTextSeeds = {
    {"events",
     {R"({"limber_events": 1, "events": [
  {"kind": "push", "at": 1.2, "segment": "left-forearm", "impulse": [9, 0, 0]},
  {"kind": "point", "at": 2.5, "duration": 1.0, "segment": "right-hand",
   "path": [[2.5, -0.3, 1.3, 3.4], [3.5, -0.3, 1.3, 4.6]]}]})",
      "chest@1.2s:10Ns:+x"}},
    {"fbx", {R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
 FBXVersion: 7400
}
GlobalSettings:  {
 Properties70:  {
  P: "UpAxis", "int", "", "",1
  P: "UnitScaleFactor", "double", "", "",1
 }
}
Objects:  {
 Model: 1, "Model::Low", "LimbNode" {
  Properties70:  {
   P: "PreRotation", "Vector3D", "Vector", "",0,0,90
   P: "RotationActive", "bool", "", "",1
  }
 }
 Model: 2, "Model::High", "LimbNode" {
  Properties70:  {
   P: "Lcl Translation", "Lcl Translation", "", "A",100,0,0
  }
 }
}
Connections:  {
 C: "OO",1,0
 C: "OO",2,1
}
)"}},
    {"gltf",
     {R"({"asset": {"version": "2.0"}, "scene": 0,
 "scenes": [{"nodes": [0]}], "skins": [{"joints": [0, 1]}],
 "nodes": [{"name": "a", "children": [1], "translation": [0, 1, 0]},
  {"name": "b", "translation": [0, 0.5, 0], "scale": [1, 1, 1]}],
 "buffers": [{"byteLength": 40, "uri": "data:application/octet-stream;base64,)"
      R"(AAAAAAAAAD8AAAAAAAAAAAAAAAAAAIA/FO/DPgAAAAAAAAAAXoNsPw=="}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8},
  {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2,
   "type": "SCALAR", "min": [0], "max": [0.5]},
  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "animations": [{"name": "nod", "samplers": [{"input": 0, "output": 1}],
  "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}]})"}},
    {"manifest", {R"({"command": "edit", "input": "c.bvh", "push": ["a", "b"]}
{"command": "retarget", "input": "a/b.bvh", "copy-only": true, "name": "x/y"})"}},
    {"map", {R"({"source_roles": {"Bone.007": "left-foot"},
 "pairs": {"hat": "Head", "thumb": null}})"}},
    {"osim", {R"(<OpenSimDocument Version="20302"><Model name="m"><BodySet>
<objects><Body name="ground"/><Body name="pelvis"><Joint><CustomJoint name="p">
<parent_body>ground</parent_body><location_in_parent>0 1 0</location_in_parent>
<orientation_in_parent>0 0 0</orientation_in_parent><location>0 0 0</location>
<CoordinateSet><objects><Coordinate name="tilt"><range>-1 1</range>
</Coordinate></objects></CoordinateSet></CustomJoint></Joint></Body></objects>
</BodySet><MarkerSet><objects><Marker name="A"><body>pelvis</body>
<location>0 0 1</location></Marker></objects></MarkerSet></Model>
</OpenSimDocument>)"}},
    {"sto",
     {"Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n"
      "endheader\ntime\ta\tb\n0\t1\tnan\n0.5\t-2\t1e-3\n"}},
    {"tasks",
     {R"(<OpenSimDocument Version="20302"><InverseKinematicsTool name="s">
<model_file> s.osim </model_file><IKTaskSet name="set"><objects>
<IKMarkerTask name="R.ASIS"><apply>true</apply><weight>10</weight>
</IKMarkerTask><IKCoordinateTask name="hip"><weight>2</weight>
<value_type>manual_value</value_type><value>0.25</value></IKCoordinateTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>)",
      R"(<OpenSimDocument><ScaleTool><MarkerPlacer><IKTaskSet><objects>
<IKMarkerTask name="Top"><apply>false</apply><weight>1e3</weight>
</IKMarkerTask><IKCoordinateTask name="mtp"><weight>0.5</weight>
<value_type>from_file</value_type></IKCoordinateTask></objects></IKTaskSet>
</MarkerPlacer></ScaleTool></OpenSimDocument>)"}}};

}  // namespace limber::fuzz
