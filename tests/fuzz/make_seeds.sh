#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# make_seeds.sh LIMBER DATA OUT: what the fuzz targets begin with, a folder a
# target, all of it small and made by the program from the bundled data.
set -euo pipefail
limber=$1 data=$2 out=$3
for target in amc asf bvh c3d events fbx figure gltf manifest map marker_set \
    npz osim scene scene_play sto tasks trc; do
  mkdir -p "$out/$target"
done

# The header and the first rows of a clip.
cut_clip() {
  awk -v rows="$3" '/^Frames:/ { print "Frames: " rows; next }
    { print } /^Frame Time:/ { inside = 1; next }
    inside && ++n == rows { exit }' "$1" >"$2"
}

cp "$data"/clips/chain.asf "$out/asf/"
cp "$data"/clips/chain.bvh "$out/bvh/"
head -n 40 "$data/clips/chain.amc" >"$out/amc/chain.amc"
for clip in march walk jump; do
  cut_clip "$data/clips/$clip.bvh" "$out/bvh/$clip.bvh" 5
done
"$limber" solve "$data/takes/march.c3d" -o "$out/asf/take.amc" >/dev/null || true
mv "$out"/asf/*.amc "$out/amc/" 2>/dev/null || true

"$limber" markers "$out/bvh/march.bvh" -o "$out/c3d/small.c3d" --gaps 20%:0.02s \
  >/dev/null
for order in pc dec sgi; do
  for numbers in float int16; do
    "$limber" convert "$out/c3d/small.c3d" "$out/c3d/$order-$numbers.c3d" \
      --c3d-order "$order" --c3d-numbers "$numbers" >/dev/null
  done
done
"$limber" convert "$data/takes/march.c3d" "$out/c3d/analog.c3d" >/dev/null
"$limber" convert "$out/c3d/small.c3d" "$out/trc/small.trc" >/dev/null 2>&1
"$limber" convert "$out/c3d/small.c3d" "$out/trc/up.trc" --to-up y --to-unit m \
  >/dev/null 2>&1
head -c 6000 "$data/takes/march.trc" >"$out/trc/cut.trc"

cp "$data"/figures/adult12.json "$out/figure/"
"$limber" figure "$data/clips/chain.bvh" -o "$out/figure/chain.json" \
  >/dev/null 2>&1 || true
cp "$data"/marker_sets/*.json "$out/marker_set/"
cp "$data"/scenes/*.json "$out/scene/"
cp "$data"/scenes/*.json "$out/scene_play/"

# FBX as text, with one turning joint; the same two joints in the binary form.
cat >"$out/fbx/nod.fbx" <<'FBX'
; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "", "",1
		P: "UpAxisSign", "int", "", "",1
		P: "CoordAxis", "int", "", "",0
		P: "UnitScaleFactor", "double", "", "",1
		P: "TimeMode", "enum", "", "",11
	}
}
Objects:  {
	Model: 1, "Model::Low", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "PreRotation", "Vector3D", "Vector", "",0,0,90
			P: "RotationActive", "bool", "", "",1
		}
	}
	Model: 2, "Model::High", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",100,0,0
		}
	}
	AnimationStack: 3, "AnimStack::Nod", "" {
	}
	AnimationLayer: 4, "AnimLayer::Base", "" {
	}
	AnimationCurveNode: 5, "AnimCurveNode::R", "" {
		Properties70:  {
			P: "d|X", "Number", "", "A",0
			P: "d|Y", "Number", "", "A",0
			P: "d|Z", "Number", "", "A",0
		}
	}
	AnimationCurve: 6, "AnimCurve::", "" {
		Default: 0
		KeyVer: 4008
		KeyTime: *2 {
			a: 0,4618615800
		}
		KeyValueFloat: *2 {
			a: 0,30
		}
		KeyAttrFlags: *1 {
			a: 24840
		}
		KeyAttrDataFloat: *4 {
			a: 0,0,0,0
		}
		KeyAttrRefCount: *1 {
			a: 2
		}
	}
}
Connections:  {
	C: "OO",1,0
	C: "OO",2,1
	C: "OO",4,3
	C: "OO",5,4
	C: "OP",5,2, "Lcl Rotation"
	C: "OP",6,5, "d|Z"
}
FBX
perl -e '
  # A node: where it ends, properties (count, bytes), name, what is inside.
  sub node { my ($at, $name, $properties, @inside) = @_;
    my $all = join "", @$properties;
    my $body = "";
    my $begin = $at + 13 + length($name) + length $all;
    $body .= node($begin + length $body, @$_) for @inside;
    $body .= "\0" x 13 if @inside;
    return pack("V3 C", $begin + length $body, scalar @$properties, length $all,
      length $name) . $name . $all . $body; }
  sub text { return "S" . pack "V/a", $_[0]; }
  sub int32 { return "I" . pack "l<", $_[0]; }
  sub int64 { return "L" . pack "q<", $_[0]; }
  sub real { return "D" . pack "d<", $_[0]; }
  sub model { my ($id, $name, @place) = @_;
    return ["Model", [int64($id), text("$name\0\1Model"), text("LimbNode")],
      ["Version", [int32(232)]], ["Properties70", [], ["P",
        [text("Lcl Translation"), text("Lcl Translation"), text(""), text("A"),
          map { real($_) } @place]]]]; }
  my $file = "Kaydara FBX Binary  \0\x1a\0" . pack "V", 7400;
  $file .= node(length $file, @$_) for
    ["FBXHeaderExtension", [], ["FBXVersion", [int32(7400)]]],
    ["Objects", [], model(1, "Low", 0, 0, 0), model(2, "High", 0, 100, 0)],
    ["Connections", [], ["C", [text("OO"), int64(1), int64(0)]],
      ["C", [text("OO"), int64(2), int64(1)]]];
  binmode STDOUT;
  print $file, "\0" x 13;' >"$out/fbx/two.fbx"

# A GLB of two joints, and a text with its buffer inside.
cat >"$out/gltf/two.bvh" <<'BVH'
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0.4 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 1 0 0 0 0 10 0 0
0 1.1 0 5 0 0 20 0 0
BVH
"$limber" convert "$out/gltf/two.bvh" "$out/gltf/two.glb" >/dev/null
"$limber" convert "$out/gltf/two.bvh" "$out/npz/two.npz" >/dev/null
# An array alone, which the target puts into an archive.
{ printf '\003\223NUMPY\001\000\073\000'
  printf '%s' "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 4)}"
  printf '\000\000\200\077%.0s' 1 2 3 4 5 6 7 8
} >"$out/npz/rotations"
rm "$out/gltf/two.bvh"
cat >"$out/gltf/two.gltf" <<'JSON'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"name": "a", "children": [1], "translation": [0, 1, 0]},
  {"name": "b", "translation": [0, 0.5, 0], "scale": [1, 1, 1]}],
 "skins": [{"joints": [0, 1]}],
 "buffers": [{"byteLength": 40, "uri": "data:application/octet-stream;base64,AAAAAAAAAD8AAAAAAAAAAAAAAAAAAIA/FO/DPgAAAAAAAAAAXoNsPw=="}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8},
  {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2,
   "type": "SCALAR", "min": [0], "max": [0.5]},
  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "animations": [{"name": "nod", "samplers": [{"input": 0, "output": 1}],
  "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}]}
JSON
"$limber" solve "$data/takes/march.c3d" -o "$out/sto/march.mot" >/dev/null || true
head -n 20 "$out/sto/march.mot" >"$out/sto/head.mot"
rm "$out/sto/march.mot"
cat >"$out/osim/model.osim" <<'XML'
<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="m"><BodySet><objects>
<Body name="pelvis"><mass>10</mass></Body><Body name="femur_r"><mass>8</mass></Body>
</objects></BodySet><JointSet><objects>
<CustomJoint name="hip_r"><socket_parent_frame>pelvis_offset</socket_parent_frame>
<socket_child_frame>femur_r_offset</socket_child_frame><coordinates>
<Coordinate name="hip_flexion_r"><range>-2 2</range></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="pelvis_offset">
<socket_parent>/bodyset/pelvis</socket_parent>
<translation>-0.07 -0.06 0.08</translation><orientation>0 0 0</orientation>
</PhysicalOffsetFrame><PhysicalOffsetFrame name="femur_r_offset">
<socket_parent>/bodyset/femur_r</socket_parent>
<translation>0 0.17 0</translation><orientation>0 0.1 0</orientation>
</PhysicalOffsetFrame></frames></CustomJoint></objects></JointSet>
<MarkerSet><objects><Marker name="RASI">
<socket_parent_frame>/bodyset/pelvis</socket_parent_frame>
<location>0.01 0.02 0.12</location></Marker></objects></MarkerSet>
</Model></OpenSimDocument>
XML
cat >"$out/osim/old.osim" <<'XML'
<OpenSimDocument Version="20302"><Model name="m"><BodySet><objects>
<Body name="ground"/><Body name="pelvis"><Joint><CustomJoint name="p">
<parent_body>ground</parent_body><location_in_parent>0 0.9 0</location_in_parent>
<orientation_in_parent>0 0 0</orientation_in_parent><location>0 0 0</location>
<orientation>0 0 0</orientation><CoordinateSet><objects>
<Coordinate name="tilt"><range>-1 1</range></Coordinate></objects></CoordinateSet>
</CustomJoint></Joint></Body></objects></BodySet>
<MarkerSet><objects><Marker name="A"><body>pelvis</body><location>0 0 1</location>
</Marker></objects></MarkerSet></Model></OpenSimDocument>
XML

cat >"$out/tasks/setup.xml" <<'XML'
<?xml version="1.0"?>
<OpenSimDocument Version="20302"><InverseKinematicsTool name="s">
<model_file> s.osim </model_file><IKTaskSet name="set"><objects>
<IKMarkerTask name="R.ASIS"><apply>true</apply><weight>10</weight></IKMarkerTask>
<IKCoordinateTask name="hip"><weight>2</weight>
<value_type>manual_value</value_type><value>0.25</value></IKCoordinateTask>
<IKCoordinateTask name="mtp"><apply>true</apply><weight>1000</weight>
<value_type>default_value</value_type></IKCoordinateTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>
XML

cat >"$out/events/all.json" <<'JSON'
{"limber_events": 1, "events": [
  {"kind": "push", "at": 1.2, "segment": "left-forearm", "impulse": [10, 0, 0]},
  {"kind": "push", "at": 2.0, "segment": "chest", "force": [0, 0, 200],
   "duration": 0.3, "axes": "body", "point": [0, 0.1, 0.1]},
  {"kind": "point", "at": 2.5, "duration": 1.0, "segment": "right-hand",
   "path": [[2.5, -0.3, 1.3, 3.4], [3.5, -0.3, 1.3, 4.6]]}]}
JSON
"$limber" edit --help | sed -n 's/.*e\.g\. \([^ ]*\).*/\1/p' |
  while read -r example; do
    printf '%s\n' "$example" >"$out/events/$(printf %s "$example" | cksum |
      cut -d ' ' -f 1).txt"
  done
cat >"$out/map/map.json" <<'JSON'
{"source_roles": {"Bone.007": "left-foot"}, "target_roles": {"spine": "chest"},
 "pairs": {"hat": "Head", "thumb": null}}
JSON
cat >"$out/manifest/jobs.jsonl" <<'JSON'
{"command": "retarget", "input": "a/b.bvh", "to": "fat_man", "lock_feet": 0.5}
{"command": "retarget", "input": "a/b.bvh", "copy-only": true, "name": "x/y"}
{"command": "edit", "input": "c.bvh", "push": ["a", "b"], "sweep": "x=0..1:1"}
{"command": "convert", "input": "../t.c3d", "format": "trc"}
JSON
"$limber" batch --from "$out/bvh/march.bvh" --command measure \
  --out "$out/.batch" >/dev/null || true
cp "$out/.batch/log.jsonl" "$out/manifest/log.jsonl"
rm -rf "$out/.batch"
