// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/internal/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace limber::figure::internal {

namespace {

/// What the words of a name, without side, number and name space, mean. Parts
/// that come in pairs are given as the left one.
const std::unordered_map<std::string_view, Role>& Vocabulary() {
  static const std::unordered_map<std::string_view, Role> words = {
      {"hips", Role::kPelvis},
      {"hip", Role::kPelvis},
      {"pelvis", Role::kPelvis},
      {"spine", Role::kSpine},
      {"abdomen", Role::kSpine},
      {"abdomenlower", Role::kSpine},
      {"abdomenupper", Role::kSpine},
      {"abdomencenter", Role::kSpine},
      {"belly", Role::kSpine},
      {"waist", Role::kSpine},
      {"back", Role::kSpine},
      {"lowerback", Role::kSpine},
      {"upperback", Role::kSpine},
      {"lowerspine", Role::kSpine},
      {"upperspine", Role::kSpine},
      {"lumbar", Role::kSpine},
      {"upperbody", Role::kSpine},
      {"torso", Role::kChest},
      {"chest", Role::kChest},
      {"chestlower", Role::kChest},
      {"chestupper", Role::kChest},
      {"upperchest", Role::kChest},
      {"thorax", Role::kChest},
      {"ribcage", Role::kChest},
      {"ribs", Role::kChest},
      {"neck", Role::kNeck},
      {"lowerneck", Role::kNeck},
      {"upperneck", Role::kNeck},
      {"necklower", Role::kNeck},
      {"neckupper", Role::kNeck},
      {"cervical", Role::kNeck},
      {"head", Role::kHead},
      {"skull", Role::kHead},
      {"clavicle", Role::kLeftClavicle},
      {"collar", Role::kLeftClavicle},
      {"clav", Role::kLeftClavicle},
      {"collarbone", Role::kLeftClavicle},
      {"scapula", Role::kLeftClavicle},
      {"shoulder", Role::kLeftClavicle},
      {"upperarm", Role::kLeftUpperArm},
      {"uparm", Role::kLeftUpperArm},
      {"arm", Role::kLeftUpperArm},
      {"humerus", Role::kLeftUpperArm},
      {"shldr", Role::kLeftUpperArm},
      {"shldrbend", Role::kLeftUpperArm},
      {"acromial", Role::kLeftUpperArm},
      {"glenohumeral", Role::kLeftUpperArm},
      {"forearm", Role::kLeftForearm},
      {"forearmbend", Role::kLeftForearm},
      {"lowerarm", Role::kLeftForearm},
      {"lowarm", Role::kLeftForearm},
      {"elbow", Role::kLeftForearm},
      {"ulna", Role::kLeftForearm},
      {"radius", Role::kLeftForearm},
      {"hand", Role::kLeftHand},
      {"wrist", Role::kLeftHand},
      {"radiushand", Role::kLeftHand},
      {"palm", Role::kLeftHand},
      {"thumb", Role::kLeftThumb},
      {"handthumb", Role::kLeftThumb},
      {"thumbfinger", Role::kLeftThumb},
      {"thumbproximal", Role::kLeftThumb},
      {"thumbmetacarpal", Role::kLeftThumb},
      {"index", Role::kLeftIndex},
      {"indexproximal", Role::kLeftIndex},
      {"fore", Role::kLeftIndex},
      {"forefinger", Role::kLeftIndex},
      {"handindex", Role::kLeftIndex},
      {"indexfinger", Role::kLeftIndex},
      {"findex", Role::kLeftIndex},
      {"middle", Role::kLeftMiddle},
      {"handmiddle", Role::kLeftMiddle},
      {"middlefinger", Role::kLeftMiddle},
      {"middleproximal", Role::kLeftMiddle},
      {"mid", Role::kLeftMiddle},
      {"fmiddle", Role::kLeftMiddle},
      {"ring", Role::kLeftRing},
      {"handring", Role::kLeftRing},
      {"ringfinger", Role::kLeftRing},
      {"ringproximal", Role::kLeftRing},
      {"fring", Role::kLeftRing},
      {"pinky", Role::kLeftPinky},
      {"handpinky", Role::kLeftPinky},
      {"little", Role::kLeftPinky},
      {"littlefinger", Role::kLeftPinky},
      {"littleproximal", Role::kLeftPinky},
      {"pinkyproximal", Role::kLeftPinky},
      {"pinkyfinger", Role::kLeftPinky},
      {"upleg", Role::kLeftUpperLeg},
      {"upperleg", Role::kLeftUpperLeg},
      {"hipjoint", Role::kLeftUpperLeg},
      {"thigh", Role::kLeftUpperLeg},
      {"thighbend", Role::kLeftUpperLeg},
      {"femur", Role::kLeftUpperLeg},
      {"lowleg", Role::kLeftLowerLeg},
      {"lowerleg", Role::kLeftLowerLeg},
      {"leg", Role::kLeftLowerLeg},
      {"shin", Role::kLeftLowerLeg},
      {"shank", Role::kLeftLowerLeg},
      {"calf", Role::kLeftLowerLeg},
      {"knee", Role::kLeftLowerLeg},
      {"tibia", Role::kLeftLowerLeg},
      {"foot", Role::kLeftFoot},
      {"ankle", Role::kLeftFoot},
      {"talus", Role::kLeftFoot},
      {"calcn", Role::kLeftFoot},
      {"subtalar", Role::kLeftFoot},
      {"toe", Role::kLeftToes},
      {"toes", Role::kLeftToes},
      {"toebase", Role::kLeftToes},
      {"forefoot", Role::kLeftToes},
      {"ball", Role::kLeftToes},
      {"metatarsals", Role::kLeftToes},
      {"mtp", Role::kLeftToes},
  };
  return words;
}

char Lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}
bool IsUpper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool IsLower(char c) {
  return std::islower(static_cast<unsigned char>(c)) != 0;
}
bool IsLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Words that programs put before every joint's name.
bool IsDecoration(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"bip", "biped", "mixamorig", "character", "cc",   "base",
       "j",   "jnt",   "joint",     "jt",        "bone", "def",
       "org", "b",     "rig",       "sk",        "skel", "valve",
       "c",   "robot", "actor",     "avatar",    "m"});
  return std::ranges::find(kWords, word) != kWords.end();
}

/// Bones that share out the twist of a limb, inverse-kinematics handles and
/// ends: never a part of their own.
bool IsHelper(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"twist", "roll", "ik", "pole", "target", "end", "nub", "site", "helper",
       "aux", "eff", "hipjoint", "dummy"});
  return std::ranges::find(kWords, word) != kWords.end();
}

Role Look(const std::string& text) {
  const auto found = Vocabulary().find(text);
  return found == Vocabulary().end() ? Role::kOther : found->second;
}

/// The vertebrae that Xsens and others use as names: L5, L3, T12, T8, C7.
Role Vertebra(std::string_view name) {
  if (name.size() < 2 || name.size() > 3) return Role::kOther;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return Role::kOther;
  }
  const char region = Lower(name[0]);
  const int number = std::stoi(std::string(name.substr(1)));
  if (region == 'l' && number >= 1 && number <= 5) return Role::kSpine;
  if (region == 't' && number >= 1 && number <= 12) {
    return number <= 8 ? Role::kChest : Role::kSpine;
  }
  if (region == 'c' && number >= 1 && number <= 7) return Role::kNeck;
  return Role::kOther;
}

/// Others count from the thumb as 1 and say which bone of the finger it is:
/// "Finger1Metacarpal", "Finger2Proximal", "finger1-1".
Role CountedFinger(std::string_view name, std::string_view text) {
  static constexpr std::array<Role, 5> kFingers = {
      Role::kLeftThumb, Role::kLeftIndex, Role::kLeftMiddle, Role::kLeftRing,
      Role::kLeftPinky};
  std::string digits;
  for (const char c : name) {
    if (c >= '0' && c <= '9') digits += c;
  }
  if (digits.empty() || digits[0] < '1' || digits[0] > '5') return Role::kOther;
  const bool is_thumb = digits[0] == '1';
  const bool is_first =
      (text == "finger" && digits.size() == 2 && digits[1] == '1' &&
       name.find('-') != std::string_view::npos) ||
      (digits.size() == 1 && text == "fingermetacarpal" && is_thumb) ||
      (digits.size() == 1 && text == "fingerproximal" && !is_thumb);
  return is_first ? kFingers[static_cast<std::size_t>(digits[0] - '1')]
                  : Role::kOther;
}

/// 3ds Max Biped counts its fingers from the thumb, the first joint of each
/// with one digit: Finger0, Finger01, Finger02, Finger1, Finger11, ...
Role NumberedFinger(std::string_view name) {
  static constexpr std::array<Role, 5> kFingers = {
      Role::kLeftThumb, Role::kLeftIndex, Role::kLeftMiddle, Role::kLeftRing,
      Role::kLeftPinky};
  std::string digits;
  for (const char c : name.substr(name.find_last_of(" _.") + 1)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  if (digits.size() != 1 || digits[0] > '4') return Role::kOther;
  return kFingers[static_cast<std::size_t>(digits[0] - '0')];
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool starts =
        IsUpper(c) && i > 0 &&
        (IsLower(name[i - 1]) ||
         (IsUpper(name[i - 1]) && i + 1 < name.size() && IsLower(name[i + 1])));
    if ((!IsLetter(c) || starts) && !word.empty()) {
      words.push_back(word);
      word.clear();
    }
    if (IsLetter(c)) word += Lower(c);
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

Side SideOfWord(std::string_view word) {
  if (word == "left" || word == "l" || word == "lft" || word == "lt" ||
      word == "lf") {
    return Side::kLeft;
  }
  if (word == "right" || word == "r" || word == "rgt" || word == "rt") {
    return Side::kRight;
  }
  return Side::kMiddle;
}

std::string_view WithoutSpace(std::string_view name) {
  const std::size_t space = name.find_last_of(":|");
  if (space != std::string_view::npos) name.remove_prefix(space + 1);
  return name;
}

ReadName ReadJointName(std::string_view name) {
  ReadName read;
  name = WithoutSpace(name);
  if (const Role vertebra = Vertebra(name); vertebra != Role::kOther) {
    read.part = vertebra;
    return read;
  }
  std::vector<std::string> words = WordsOf(name);
  bool is_helper = false;
  std::vector<std::string> kept;
  for (const std::string& word : words) {
    const Side side = SideOfWord(word);
    is_helper = is_helper || IsHelper(word);
    if (side != Side::kMiddle && read.side == Side::kMiddle) {
      read.side = side;
    } else if (!IsDecoration(word)) {
      kept.push_back(word);
    }
  }
  for (const std::string& word : kept) read.text += word;
  // The decoration in "LHipJoint" tells it from the hip of the leg.
  if (read.text == "hip" && words.back() == "joint") read.text = "hipjoint";
  if (is_helper) return read;
  read.part = Look(read.text);
  if (read.text == "finger") read.part = NumberedFinger(name);
  if (read.part == Role::kOther && read.text.starts_with("finger")) {
    read.part = CountedFinger(name, read.text);
  }
  if (read.part == Role::kOther && read.side == Side::kMiddle) {
    // "lfemur", "rThigh", "leftarm", "ArmLeft" in small letters.
    static constexpr std::array<std::pair<std::string_view, Side>, 4> kSides = {
        {{"left", Side::kLeft},
         {"right", Side::kRight},
         {"l", Side::kLeft},
         {"r", Side::kRight}}};
    for (const auto& [word, side] : kSides) {
      if (read.text.size() <= word.size()) continue;
      Role part = Role::kOther;
      std::string rest;
      if (read.text.starts_with(word)) {
        rest = read.text.substr(word.size());
        part = Look(rest);
      }
      if (part == Role::kOther && word.size() > 1 &&
          read.text.ends_with(word)) {
        rest = read.text.substr(0, read.text.size() - word.size());
        part = Look(rest);
      }
      if (part == Role::kOther && rest != "hip") continue;
      read.part = part;
      read.side = side;
      read.text = rest;
      break;
    }
  }
  // A hip with a side is where the leg begins.
  if (read.part == Role::kPelvis && read.side != Side::kMiddle) {
    read.part = read.text == "hip" ? Role::kLeftUpperLeg : Role::kOther;
  }
  if (SideOf(read.part) != Side::kMiddle && read.side == Side::kMiddle) {
    read.part = Role::kOther;
  }
  return read;
}

}  // namespace limber::figure::internal
