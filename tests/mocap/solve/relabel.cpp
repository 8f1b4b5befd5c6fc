// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/solve/relabel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <random>

#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "mocap/solve/landmarks.h"
#include "tests/support/test_data.h"

namespace limber::test {

using namespace mocap;

namespace {

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// The names of one landmark: plain English, anatomical letters, Qualisys and
/// what fits beside it. "%" is the side, "left" or "right" in English.
struct NamesOf {
  const char* landmark;
  std::array<const char*, 3> names;
};
constexpr NamesOf kNames[] = {
    {"anterior superior iliac spine", {"%_asis", "%_IAS", "Waist%Front"}},
    {"posterior superior iliac spine", {"%_psis", "%_IPS", "Waist%Back"}},
    {"sacrum", {"sacrum", "SACR", "WaistBack"}},
    {"seventh cervical vertebra", {"c7", "CV7", "SpineTop"}},
    {"tenth thoracic vertebra", {"t10", "TV10", "T10"}},
    {"jugular notch", {"suprasternal_notch", "SJN", "Jugular"}},
    {"sternum", {"sternum", "STER", "Chest"}},
    {"xiphoid process", {"xiphoid", "SXS", "Xiphoid"}},
    {"on the back", {"%_back", "%_BAK", "Back%"}},
    {"front of the head", {"%_head_front", "%AH", "%FHead"}},
    {"back of the head", {"%_head_back", "%PH", "%BHead"}},
    {"temple", {"%_temple", "%_TRA", "Head%Side"}},
    {"top of the head", {"top_of_head", "VERTEX", "HeadTop"}},
    {"acromion", {"%_acromion", "%_SAE", "%ShoulderTop"}},
    {"front of the shoulder", {"%_front_shoulder", "%_ASH", "%ShoulderFront"}},
    {"back of the shoulder", {"%_back_shoulder", "%_SAA", "%ShoulderBack"}},
    {"scapula", {"%_scapula", "%_SIA", "%Scapula"}},
    {"on the upper arm", {"%_upper_arm", "%_UA", "%Arm"}},
    {"biceps", {"%_biceps", "%_BIC", "%Biceps"}},
    {"elbow", {"%_elbow", "%_ELB", "%Elbow"}},
    {"lateral epicondyle of the elbow",
     {"%_elbow_lateral", "%_HLE", "%ElbowOut"}},
    {"medial epicondyle of the elbow", {"%_elbow_medial", "%_HME", "%ElbowIn"}},
    {"olecranon", {"%_olecranon", "%_UOA", "%Olecranon"}},
    {"on the forearm", {"%_forearm", "%_FA", "%ForeArm"}},
    {"radial styloid", {"%_radial_styloid", "%_RSP", "%WristRadius"}},
    {"ulnar styloid", {"%_ulnar_styloid", "%_USP", "%WristUlna"}},
    {"wrist", {"%_wrist", "%_WRI", "%Wrist"}},
    {"knuckle of the middle finger", {"%_knuckle", "%_HM3", "%Knuckle"}},
    {"knuckle of the index finger", {"%_index_knuckle", "%_HM2", "%HandIn"}},
    {"knuckle of the little finger",
     {"%_fifth_metacarpal", "%_HM5", "%HandOut"}},
    {"thumb", {"%_thumb", "%_THM", "%Thumb"}},
    {"on the hand", {"%_hand", "%_HAN", "%Hand"}},
    {"greater trochanter", {"%_trochanter", "%_FTC", "%Trochanter"}},
    {"on the thigh", {"%_thigh", "%_TH", "%Thigh"}},
    {"lateral epicondyle of the knee", {"%_knee_lateral", "%_FLE", "%KneeOut"}},
    {"medial epicondyle of the knee", {"%_knee_medial", "%_FME", "%KneeIn"}},
    {"on the shank", {"%_shank", "%_SK", "%Shin"}},
    {"tibial tuberosity", {"%_tibial_tuberosity", "%_TTC", "%TibTub"}},
    {"head of the fibula", {"%_fibula_head", "%_FAX", "%FibHead"}},
    {"lateral malleolus", {"%_lateral_malleolus", "%_FAL", "%AnkleOut"}},
    {"medial malleolus", {"%_medial_malleolus", "%_TAM", "%AnkleIn"}},
    {"heel", {"%_heel", "%_FCC", "%HeelBack"}},
    {"ball of the foot", {"%_toe", "%_FM2", "%Forefoot2"}},
    {"first metatarsal head", {"%_first_metatarsal", "%_FM1", "%ForefootIn"}},
    {"fifth metatarsal head", {"%_fifth_metatarsal", "%_FM5", "%ForefootOut"}},
    {"instep", {"%_instep", "%_MFS", "%Midfoot"}},
    {"outer midfoot", {"%_outer_midfoot", "%_CUB", "%MidfootOut"}},
    {"tip of the toes", {"%_toe_tip", "%_DP1", "%ToeTip"}},
    {"hip joint centre", {"%_hip_center", "%HJC", "%HipCenter"}},
    {"knee joint centre", {"%_knee_center", "%KJC", "%KneeCenter"}},
    {"ankle joint centre", {"%_ankle_center", "%AJC", "%AnkleCenter"}},
    {"shoulder joint centre", {"%_shoulder_center", "%SJC", "%ShoulderCenter"}},
    {"elbow joint centre", {"%_elbow_center", "%EJC", "%ElbowCenter"}},
    {"on the pelvis", {"pelvis", "PV", "Pelvis"}},
    {"side of the pelvis", {"%_hip", "%_PV", "Hips%"}},
};

MarkerTake Copy(const MarkerTake& take, const std::vector<int>& columns,
                std::vector<std::string> labels) {
  MarkerTake copy(std::move(labels), take.num_frames(), take.rate_hz());
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (take.IsVisible(t, columns[i])) {
        copy.SetPosition(t, static_cast<int>(i), take.Position(t, columns[i]));
      }
    }
  }
  copy.origin = take.origin;
  return copy;
}

}  // namespace

MarkerTake ReadRealTake(const std::string& name) {
  const std::filesystem::path path = RealData(name);
  if (name.ends_with(".trc")) return ReadTrc(path).value();
  return ReadC3d(path).value();
}

SolvedLabels SolveByLabels(const MarkerTake& take, const std::string& name) {
  SolvedLabels solved;
  const double begin = ThreadSeconds();
  const Result<Identification> found =
      IdentifyMarkers(BuiltInMarkerSets(), take, name);
  solved.identify_s = ThreadSeconds() - begin;
  solved.diagnostics = found.diagnostics().ToString();
  if (!found.ok()) return solved;
  solved.found = *found;
  const Result<PreparedTake> prepared =
      PrepareTake(take, found->set, found->match, name);
  solved.diagnostics += prepared.diagnostics().ToString();
  if (!prepared.ok()) return solved;
  solved.take = *prepared;
  const Result<Calibration> calibration = Calibrate(solved.take, nullptr, name);
  solved.diagnostics += calibration.diagnostics().ToString();
  if (!calibration.ok()) return solved;
  solved.calibration = *calibration;
  solved.solution = SolveTake(solved.take, &take, calibration->actor);
  solved.quality = MeasureFit(calibration->actor, solved.solution.poses,
                              solved.solution.used);
  solved.ok = true;
  return solved;
}

std::vector<int> SegmentOfColumns(const MarkerTake& take,
                                  const Identification& found) {
  std::vector<int> segments(std::size_t(take.num_markers()), -1);
  for (std::size_t i = 0; i < found.set.markers.size(); ++i) {
    const int column = found.match.columns[i];
    if (column >= 0) {
      segments[std::size_t(column)] = found.set.markers[i].segment;
    }
  }
  return segments;
}

MarkerTake Renamed(const MarkerTake& take, Names names) {
  const Identification found =
      IdentifyMarkers(BuiltInMarkerSets(), take, "", {.motion = false}).value();
  MarkerTake renamed = take;
  std::map<std::string, int> count;
  for (std::size_t i = 0; i < found.set.markers.size(); ++i) {
    const int column = found.match.columns[i];
    if (column < 0) continue;
    const std::vector<LabelReading> readings =
        ReadLabel(found.set.markers[i].label);
    if (readings.empty()) continue;
    const LabelReading& reading = readings.front();
    for (const NamesOf& row : kNames) {
      if (reading.landmark != row.landmark) continue;
      std::string label = row.names[std::size_t(names)];
      const bool is_left =
          reading.segment >= kLeftClavicle
              ? Body()[reading.segment].name.starts_with("left")
              : reading.at.x() > 0;
      const std::size_t side = label.find('%');
      if (side != std::string::npos) {
        const std::string word = names == Names::kEnglish
                                     ? (is_left ? "left" : "right")
                                     : (is_left ? "L" : "R");
        label.replace(side, 1, word);
      }
      const int number = ++count[label];
      if (number > 1) label += "_" + std::to_string(number);
      renamed.SetLabel(column, label);
    }
  }
  return renamed;
}

MarkerTake WithNonsense(const MarkerTake& take, double share, unsigned seed) {
  std::mt19937 random(seed);
  const Identification found =
      IdentifyMarkers(BuiltInMarkerSets(), take, "", {.motion = false}).value();
  std::vector<int> columns = found.match.columns;
  std::erase(columns, -1);
  std::ranges::shuffle(columns, random);
  MarkerTake changed = take;
  const auto count =
      static_cast<std::size_t>(std::lround(share * double(columns.size())));
  for (std::size_t i = 0; i < count; ++i) {
    std::string label;
    for (int k = 0; k < 6; ++k) {
      label += "qxzvjw"[std::uniform_int_distribution<int>(0, 5)(random)];
    }
    const std::string subject = SubjectOf(take.labels()[columns[i]]);
    changed.SetLabel(columns[i],
                     subject.empty() ? label : subject + ":" + label);
  }
  return changed;
}

MarkerTake WithExchangedSides(const MarkerTake& take) {
  const Identification found =
      IdentifyMarkers(BuiltInMarkerSets(), take, "", {.motion = false}).value();
  MarkerTake changed = take;
  std::vector<std::string> plain;
  for (const std::string& label : take.labels()) {
    plain.push_back(PlainLabel(label));
  }
  for (const int column : found.match.columns) {
    if (column < 0) continue;
    std::string other = plain[std::size_t(column)];
    for (std::size_t k = 0; k < other.size(); ++k) {
      if (other[k] != 'L' && other[k] != 'R') continue;
      std::string exchanged = other;
      exchanged[k] = other[k] == 'L' ? 'R' : 'L';
      const auto partner = std::ranges::find(plain, exchanged);
      if (partner == plain.end()) continue;
      changed.SetLabel(column, take.labels()[partner - plain.begin()]);
      break;
    }
  }
  return changed;
}

MarkerTake WithoutLabels(const MarkerTake& take, const Identification& found,
                         std::vector<int>& columns) {
  columns = found.match.columns;
  std::erase(columns, -1);
  std::mt19937 random(7);
  std::ranges::shuffle(columns, random);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    labels.push_back("*" + std::to_string(i + 1));
  }
  return Copy(take, columns, labels);
}

double FlexionDifference(const TakeSolution& a, const TakeSolution& b,
                         int segment) {
  std::vector<double> differences;
  double mean = 0.0;
  const std::size_t count = std::min(a.poses.size(), b.poses.size());
  for (std::size_t t = 0; t < count; ++t) {
    const double d = MeasureJoint(segment, a.poses[t].R_PJ[segment]).flexion -
                     MeasureJoint(segment, b.poses[t].R_PJ[segment]).flexion;
    differences.push_back(std::remainder(d, 2 * kPi));
    mean += differences.back() / double(count);
  }
  double sum = 0.0;
  for (const double d : differences) sum += (d - mean) * (d - mean);
  return std::sqrt(sum / std::max<double>(1, double(count))) * 180 / kPi;
}

std::vector<int> ComparedJoints(const Actor& a, const Actor& b,
                                bool with_ankles) {
  std::vector<int> joints;
  for (const int j :
       {int(kLeftUpperLeg), int(kRightUpperLeg), int(kLeftLowerLeg),
        int(kRightLowerLeg), int(kLeftForearm), int(kRightForearm),
        int(kLeftFoot), int(kRightFoot)}) {
    const bool is_ankle = j == kLeftFoot || j == kRightFoot;
    if (a.moves[j] && b.moves[j] && (with_ankles || !is_ankle)) {
      joints.push_back(j);
    }
  }
  return joints;
}

}  // namespace limber::test
