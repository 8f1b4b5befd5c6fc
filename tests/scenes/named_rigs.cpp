// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/named_rigs.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace limber::test {

namespace {

using figure::Joint;

/// Where the joint of a part is in the rest pose of a body of 1.75 m [m].
Vector3 PlaceOf(const std::string& part) {
  static const std::map<std::string, Vector3> places = {
      {"pelvis", {0, 0.95, 0}},       {"spine", {0, 1.06, -0.02}},
      {"chest", {0, 1.20, -0.02}},    {"neck", {0, 1.45, 0}},
      {"head", {0, 1.54, 0.01}},      {"clavicle", {0.03, 1.42, 0}},
      {"upper-arm", {0.18, 1.43, 0}}, {"forearm", {0.46, 1.43, 0}},
      {"hand", {0.71, 1.43, 0}},      {"thumb", {0.74, 1.42, 0.04}},
      {"index", {0.80, 1.43, 0.03}},  {"middle", {0.80, 1.43, 0.01}},
      {"ring", {0.80, 1.43, -0.01}},  {"pinky", {0.79, 1.43, -0.03}},
      {"upper-leg", {0.09, 0.92, 0}}, {"lower-leg", {0.09, 0.50, 0}},
      {"foot", {0.09, 0.09, -0.02}},  {"toes", {0.09, 0.02, 0.12}}};
  return places.at(part);
}

std::string Replaced(std::string text, char what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, 1, with);
  }
  return text;
}

int Find(const BuiltRig& built, const std::string& name) {
  for (std::size_t i = 0; i < built.joints.size(); ++i) {
    if (built.joints[i].name == name) return int(i);
  }
  throw std::invalid_argument("no joint " + name);
}

void Add(const std::string& text, const std::string& side_word, int sign,
         BuiltRig& built) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  int parent = -1;
  int num_spines = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word =
        Replaced(Replaced(words[i], '%', side_word), '~', " ");
    if (word.front() == '^') {
      parent = Find(built, word.substr(1));
      continue;
    }
    const std::size_t equals = word.rfind('=');
    const std::string part = word.substr(equals + 1);
    Vector3 place = parent < 0 ? Vector3(0, 0, 0)
                               : built.places[std::size_t(parent)] +
                                     Vector3(0.01 * sign, 0.01, 0.01);
    const bool has_side = sign != 0 && part != "-";
    if (part != "-") place = PlaceOf(part);
    // A bone between two parts is in line with them.
    const std::string next =
        i + 1 < words.size() ? words[i + 1].substr(words[i + 1].rfind('=') + 1)
                             : "-";
    if (part == "-" && sign != 0 && next != "-" && next.front() != '^') {
      Vector3 end = PlaceOf(next);
      end.x() *= sign;
      place = 0.5 * (built.places[std::size_t(parent)] + end);
    }
    if (part == "spine") place.y() += 0.04 * num_spines++;
    if (has_side) place.x() *= sign;
    Joint joint;
    joint.name = word.substr(0, equals);
    joint.parent = parent;
    joint.offset =
        parent < 0 ? place : Vector3(place - built.places[std::size_t(parent)]);
    parent = int(built.joints.size());
    built.joints.push_back(joint);
    built.places.push_back(place);
    built.parts.push_back(has_side      ? (sign > 0 ? "left-" : "right-") + part
                          : part == "-" ? "other"
                                        : part);
  }
}

}  // namespace

BuiltRig Build(const NamedRig& rig, double arms_down) {
  BuiltRig built;
  Add(rig.trunk, "", 0, built);
  Add(rig.limbs, rig.left, 1, built);
  Add(rig.limbs, rig.right, -1, built);
  for (std::size_t i = 0; i < built.joints.size(); ++i) {
    Joint& joint = built.joints[i];
    if (joint.parent < 0) continue;
    // What hangs on an upper arm goes down with it.
    int above = joint.parent;
    while (above >= 0 && built.parts[std::size_t(above)].find("upper-arm") ==
                             std::string::npos) {
      above = built.joints[std::size_t(above)].parent;
    }
    if (above < 0) continue;
    const double side =
        built.parts[std::size_t(above)].starts_with("left") ? 1.0 : -1.0;
    joint.offset = ExpRotation({0, 0, -side * arms_down}) * joint.offset;
  }
  return built;
}

const std::vector<NamedRig>& NamedRigs() {
  static const std::vector<NamedRig> rigs = {
      {"Unreal Mannequin", "l", "r",
       "root=- pelvis=pelvis spine_01=spine spine_02=spine spine_03=chest "
       "neck_01=neck head=head",
       "^pelvis thigh_%=upper-leg calf_%=lower-leg foot_%=foot ball_%=toes "
       "^calf_% calf_twist_01_%=- ^thigh_% thigh_twist_01_%=- "
       "^spine_03 clavicle_%=clavicle upperarm_%=upper-arm lowerarm_%=forearm "
       "hand_%=hand index_01_%=index index_02_%=- ^hand_% thumb_01_%=thumb "
       "^lowerarm_% lowerarm_twist_01_%=- ^root ik_foot_%=-"},
      {"Unreal 5 Manny", "l", "r",
       "root=- pelvis=pelvis spine_01=spine spine_02=spine spine_03=spine "
       "spine_04=spine spine_05=chest neck_01=neck neck_02=- head=head "
       "^root interaction=- center_of_mass=-",
       "^pelvis thigh_%=upper-leg calf_%=lower-leg foot_%=foot ball_%=toes "
       "^thigh_% thigh_twist_01_%=- thigh_twist_02_%=- "
       "^spine_05 clavicle_%=clavicle upperarm_%=upper-arm lowerarm_%=forearm "
       "hand_%=hand middle_metacarpal_%=- middle_01_%=middle "
       "^upperarm_% upperarm_twist_01_%=-"},
      {"Rigify deform bones", "L", "R",
       "root=- DEF-spine=pelvis DEF-spine.001=spine DEF-spine.002=spine "
       "DEF-spine.003=chest DEF-spine.004=neck DEF-spine.005=- "
       "DEF-spine.006=head",
       "^DEF-spine DEF-thigh.%=upper-leg DEF-thigh.%.001=- "
       "DEF-shin.%=lower-leg DEF-shin.%.001=- DEF-foot.%=foot DEF-toe.%=toes "
       "^DEF-spine DEF-pelvis.%=- ^DEF-spine.003 DEF-shoulder.%=clavicle "
       "DEF-upper_arm.%=upper-arm DEF-upper_arm.%.001=- "
       "DEF-forearm.%=forearm DEF-forearm.%.001=- DEF-hand.%=hand "
       "DEF-thumb.01.%=thumb ^DEF-hand.% DEF-f_index.01.%=index "
       "^DEF-spine.003 DEF-breast.%=-"},
      {"Unity humanoid", "Left", "Right",
       "Armature=- Hips=pelvis Spine=spine Chest=spine UpperChest=chest "
       "Neck=neck Head=head Jaw=-",
       "^Hips %UpperLeg=upper-leg %LowerLeg=lower-leg %Foot=foot %Toes=toes "
       "^UpperChest %Shoulder=clavicle %UpperArm=upper-arm "
       "%LowerArm=forearm %Hand=hand %ThumbProximal=thumb "
       "%ThumbIntermediate=- ^%Hand %IndexProximal=index ^%Hand "
       "%LittleProximal=pinky"},
      {"Character Creator", "L", "R",
       "RL_BoneRoot=- CC_Base_Hip=pelvis CC_Base_Pelvis=- "
       "^CC_Base_Hip CC_Base_Waist=spine CC_Base_Spine01=spine "
       "CC_Base_Spine02=chest CC_Base_NeckTwist01=neck "
       "CC_Base_NeckTwist02=- CC_Base_Head=head CC_Base_FacialBone=-",
       "^CC_Base_Pelvis CC_Base_%_Thigh=upper-leg CC_Base_%_ThighTwist01=- "
       "^CC_Base_%_Thigh CC_Base_%_Calf=lower-leg CC_Base_%_Foot=foot "
       "CC_Base_%_ToeBase=toes CC_Base_%_BigToe1=- ^CC_Base_%_Calf "
       "CC_Base_%_CalfTwist01=- ^CC_Base_Spine02 CC_Base_%_Clavicle=clavicle "
       "CC_Base_%_Upperarm=upper-arm CC_Base_%_Forearm=forearm "
       "CC_Base_%_Hand=hand CC_Base_%_Index1=index ^CC_Base_%_Hand "
       "CC_Base_%_Thumb1=thumb ^CC_Base_%_Upperarm "
       "CC_Base_%_UpperarmTwist01=-"},
      {"VRM", "L", "R",
       "Root=- J_Bip_C_Hips=pelvis J_Bip_C_Spine=spine J_Bip_C_Chest=spine "
       "J_Bip_C_UpperChest=chest J_Bip_C_Neck=neck J_Bip_C_Head=head "
       "J_Adj_L_FaceEye=- ^J_Bip_C_Head J_Sec_Hair1_01=-",
       "^J_Bip_C_Hips J_Bip_%_UpperLeg=upper-leg J_Bip_%_LowerLeg=lower-leg "
       "J_Bip_%_Foot=foot J_Bip_%_ToeBase=toes ^J_Bip_C_Hips "
       "J_Sec_%_SkirtFront=- ^J_Bip_C_UpperChest J_Bip_%_Shoulder=clavicle "
       "J_Bip_%_UpperArm=upper-arm J_Bip_%_LowerArm=forearm "
       "J_Bip_%_Hand=hand J_Bip_%_Index1=index ^J_Bip_%_Hand "
       "J_Bip_%_Little1=pinky"},
      {"Maya HIK", "Left", "Right",
       "Character1_Reference=- Character1_Hips=pelvis Character1_Spine=spine "
       "Character1_Spine1=spine Character1_Spine2=chest Character1_Neck=neck "
       "Character1_Head=head",
       "^Character1_Hips Character1_%UpLeg=upper-leg "
       "Character1_%Leg=lower-leg Character1_%Foot=foot "
       "Character1_%ToeBase=toes ^Character1_%UpLeg Character1_%UpLegRoll=- "
       "^Character1_Spine2 Character1_%Shoulder=clavicle "
       "Character1_%Arm=upper-arm Character1_%ForeArm=forearm "
       "Character1_%Hand=hand Character1_%HandIndex1=index ^Character1_%Hand "
       "Character1_%HandThumb1=thumb ^Character1_%Arm Character1_%ArmRoll=-"},
      {"3ds Max Biped", "L", "R",
       "Bip01=- Bip01~Pelvis=pelvis Bip01~Spine=spine Bip01~Spine1=spine "
       "Bip01~Spine2=spine Bip01~Neck=chest Bip01~Head=head "
       "Bip01~HeadNub=-",
       "^Bip01~Pelvis Bip01~%~Thigh=upper-leg Bip01~%~Calf=lower-leg "
       "Bip01~%~Foot=foot Bip01~%~Toe0=toes Bip01~%~Toe0Nub=- "
       "^Bip01~Neck Bip01~%~Clavicle=clavicle Bip01~%~UpperArm=upper-arm "
       "Bip01~%~Forearm=forearm Bip01~%~Hand=hand Bip01~%~Finger0=thumb "
       "Bip01~%~Finger01=- ^Bip01~%~Hand Bip01~%~Finger1=index "
       "^Bip01~%~UpperArm Bip01~%UpArmTwist=-"},
      {"MakeHuman default", "L", "R",
       "root=pelvis spine05=spine spine04=spine spine03=spine spine02=spine "
       "spine01=chest neck01=neck neck02=- neck03=- head=head jaw=-",
       "^root pelvis.%=- upperleg01.%=upper-leg upperleg02.%=- "
       "lowerleg01.%=lower-leg lowerleg02.%=- foot.%=foot toe1-1.%=toes "
       "^spine01 clavicle.%=clavicle shoulder01.%=- upperarm01.%=upper-arm "
       "upperarm02.%=- lowerarm01.%=forearm lowerarm02.%=- wrist.%=hand "
       "finger1-1.%=thumb finger1-2.%=-"},
      {"Xsens", "Left", "Right",
       "Hips=pelvis Chest=spine Chest2=spine Chest3=spine Chest4=chest "
       "Neck=neck Head=head",
       "^Hips %Hip=upper-leg %Knee=lower-leg %Ankle=foot %Toe=toes "
       "^Chest4 %Collar=clavicle %Shoulder=upper-arm %Elbow=forearm "
       "%Wrist=hand"},
      {"Genesis 8", "l", "r",
       "Genesis8Male=- hip=pelvis pelvis=- ^hip abdomenLower=spine "
       "abdomenUpper=spine chestLower=spine chestUpper=chest "
       "neckLower=neck neckUpper=- head=head",
       "^pelvis %ThighBend=upper-leg %ThighTwist=- %Shin=lower-leg "
       "%Foot=foot %Metatarsals=- %Toe=toes ^chestUpper %Collar=clavicle "
       "%ShldrBend=upper-arm %ShldrTwist=- %ForearmBend=forearm "
       "%ForearmTwist=- %Hand=hand %Thumb1=thumb ^%Hand %Carpal1=- "
       "%Index1=index ^chestUpper %Pectoral=-"},
      {"MMD romanised", "L", "R",
       "master=- center=- groove=pelvis waist=- "
       "^groove upper_body=spine upper_body2=chest neck=neck head=head",
       "^waist leg_%=upper-leg knee_%=lower-leg ankle_%=foot toe_%=toes "
       "^upper_body2 shoulder_%=clavicle arm_%=upper-arm arm_twist_%=- "
       "elbow_%=forearm wrist_twist_%=- wrist_%=hand thumb0_%=thumb "
       "^wrist_% fore1_%=index ^wrist_% little1_%=pinky ^master leg_IK_%=-"},
      {"Rokoko", "Left", "Right",
       "Root=- Hips=pelvis Spine1=spine Spine2=spine Spine3=spine "
       "Spine4=chest Neck=neck Head=head",
       "^Hips %Thigh=upper-leg %Shin=lower-leg %Foot=foot %Toe=toes "
       "%ToeTip=- ^Spine4 %Shoulder=clavicle %Arm=upper-arm "
       "%ForeArm=forearm %Hand=hand %Finger1Metacarpal=thumb ^%Hand "
       "%Finger2Metacarpal=- %Finger2Proximal=index"},
      {"Motion capture suit of a game", "Lf", "Rt",
       "Trajectory=- Root=pelvis Back1=spine Back2=spine Torso=chest "
       "NeckBase=neck Skull=head",
       "^Root %Thigh=upper-leg %Knee=lower-leg %Ankle=foot %Ball=toes "
       "^Torso %Clav=clavicle %UpArm=upper-arm %Elbow=forearm %Wrist=hand"},
      {"Advanced Skeleton", "L", "R",
       "Root_M=pelvis Spine1_M=spine Spine2_M=spine Chest_M=chest Neck_M=neck "
       "Head_M=head HeadEnd_M=-",
       "^Root_M Hip_%=upper-leg HipPart1_%=- ^Hip_% Knee_%=lower-leg "
       "Ankle_%=foot Toes_%=toes ToesEnd_%=- ^Chest_M Scapula_%=clavicle "
       "Shoulder_%=upper-arm ShoulderPart1_%=- ^Shoulder_% Elbow_%=forearm "
       "Wrist_%=hand IndexFinger1_%=index ^Wrist_% ThumbFinger1_%=thumb"},
      {"SMPL", "L", "R",
       "Pelvis=pelvis Spine1=spine Spine2=spine Spine3=chest Neck=neck "
       "Head=head",
       "^Pelvis %_Hip=upper-leg %_Knee=lower-leg %_Ankle=foot %_Foot=toes "
       "^Spine3 %_Collar=clavicle %_Shoulder=upper-arm %_Elbow=forearm "
       "%_Wrist=hand %_Hand=-"},
  };
  return rigs;
}

}  // namespace limber::test
