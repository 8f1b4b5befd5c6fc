// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the bundled figures, clips and takes of data/:
//
//     limber_make_data FOLDER
//
// The same program gives the same bytes everywhere: angles are rounded to a
// thousandth of a degree and positions to a hundredth of a millimetre, so that
// the last bit of a sine does not show.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "figure/motion.h"
#include "figure/pose.h"
#include "figure/skeleton.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "mocap/marker_take.h"
#include "tools/bundled_clips.h"
#include "tools/bundled_figures.h"
#include "tools/puppet.h"

namespace limber {
namespace {

using figure::Motion;
using figure::Pose;
using figure::Skeleton;
using mocap::MarkerTake;

double Rounded(double value, double step) {
  return std::round(value / step) * step;
}

/// Rotation by a rounded angle about axis 0..2.
Quaternion Turn(int axis, double angle_deg) {
  const double angle = Radians(Rounded(angle_deg, 0.001));
  return Quaternion(Eigen::AngleAxisd(angle, Vector3::Unit(axis)));
}

// ---- march: a puppet that lifts its knees on the spot ----

constexpr double kMarchRate = 60.0;     // [Hz]
constexpr int kMarchFrames = 121;       // two seconds and the last frame
constexpr double kLeg = 0.42;           // thigh and shin, each [m]
constexpr double kAnkle = 0.08;         // height of a standing ankle [m]
constexpr double kKneeLift_deg = 40.0;  // largest hip angle
constexpr double kArmSwing_deg = 25.0;

std::shared_ptr<const Skeleton> MarchSkeleton() {
  std::vector<figure::Joint> joints = {
      {"Hips", -1, {0.0, 2 * kLeg + kAnkle, 0.0}},
      {"Spine", 0, {0.0, 0.12, 0.0}},
      {"Chest", 1, {0.0, 0.2, 0.0}},
      {"Head", 2, {0.0, 0.22, 0.0}},
  };
  std::vector<figure::Site> sites = {{"", 3, {0.0, 0.25, 0.0}}};
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int first = static_cast<int>(joints.size());
    joints.push_back({name + "Arm", 2, {side * 0.18, 0.15, 0.0}});
    joints.push_back({name + "ForeArm", first, {0.0, -0.28, 0.0}});
    joints.push_back({name + "UpLeg", 0, {side * 0.09, 0.0, 0.0}});
    joints.push_back({name + "Leg", first + 2, {0.0, -kLeg, 0.0}});
    joints.push_back({name + "Foot", first + 3, {0.0, -kLeg, 0.0}});
    sites.push_back({"", first + 1, {0.0, -0.42, 0.0}});
    sites.push_back({"", first + 4, {0.0, -kAnkle, 0.16}});
  }
  return Skeleton::Make(std::move(joints), std::move(sites));
}

/// Hip angle of a leg at `time`, one lift a second; the right leg half a second
/// later:
///
///     θ(t) = θmax sin²(π t)
double HipAngle(double time, bool left) {
  const double s = std::sin(kPi * (time + (left ? 0.0 : 0.5)));
  return Rounded(kKneeLift_deg * s * s, 0.001);
}

/// Thigh forward by θ, knee bent by 2θ, foot raised by θ: the ankle moves
/// straight up, by 2 L (1 − cos θ), and the sole stays level. The root sinks so
/// far that the lower foot stands on the floor.
Pose MarchPose(const Skeleton& skeleton, double time) {
  Pose pose = figure::RestPose(skeleton);
  const auto set = [&](const std::string& name, int axis, double angle_deg) {
    pose.X_PJ[static_cast<std::size_t>(skeleton.Find(name))].R =
        Turn(axis, angle_deg);
  };
  const double swing = kArmSwing_deg * std::sin(2 * kPi * time);
  for (const bool left : {true, false}) {
    const std::string name = left ? "Left" : "Right";
    const double theta = HipAngle(time, left);
    set(name + "UpLeg", 0, -theta);
    set(name + "Leg", 0, 2 * theta);
    set(name + "Foot", 0, -theta);
    set(name + "Arm", 0, left ? swing : -swing);
  }
  set("Head", 1, 10.0 * std::sin(kPi * time));
  const double standing =
      Radians(std::min(HipAngle(time, true), HipAngle(time, false)));
  pose.X_PJ[0].p.y() = Rounded(kAnkle + 2 * kLeg * std::cos(standing), 0.00001);
  return pose;
}

Motion March() {
  figure::MotionSource source;
  source.metres_per_unit = 0.01;
  Motion motion(MarchSkeleton(), kMarchRate, source);
  for (int frame = 0; frame < kMarchFrames; ++frame) {
    motion.Append(MarchPose(motion.skeleton(), frame / kMarchRate));
  }
  return motion;
}

/// A marker's place on a joint.
struct MarkerSite {
  const char* label;
  const char* joint;
  Vector3 offset;  // p_JM [m]
};

std::vector<MarkerSite> MarchMarkers() {
  return {
      {"LFHD", "Head", {0.07, 0.14, 0.09}},
      {"RFHD", "Head", {-0.07, 0.14, 0.09}},
      {"C7", "Chest", {0.0, 0.2, -0.06}},
      {"CLAV", "Chest", {0.0, 0.14, 0.08}},
      {"LSHO", "LeftArm", {0.0, 0.05, 0.0}},
      {"LELB", "LeftForeArm", {0.05, 0.0, 0.0}},
      {"LWRA", "LeftForeArm", {0.03, -0.25, 0.03}},
      {"RSHO", "RightArm", {0.0, 0.05, 0.0}},
      {"RELB", "RightForeArm", {-0.05, 0.0, 0.0}},
      {"RWRA", "RightForeArm", {-0.03, -0.25, 0.03}},
      {"LASI", "Hips", {0.12, 0.04, 0.1}},
      {"RASI", "Hips", {-0.12, 0.04, 0.1}},
      {"SACR", "Hips", {0.0, 0.04, -0.1}},
      {"LKNE", "LeftLeg", {0.06, 0.0, 0.0}},
      {"LANK", "LeftFoot", {0.05, 0.0, 0.0}},
      {"LTOE", "LeftFoot", {0.0, -0.05, 0.15}},
      {"RKNE", "RightLeg", {-0.06, 0.0, 0.0}},
      {"RANK", "RightFoot", {-0.05, 0.0, 0.0}},
      {"RTOE", "RightFoot", {0.0, -0.05, 0.15}},
  };
}

/// The virtual markers of the march with four seeded gaps, foot-strike events
/// and one analog channel (a sine of 2 V, 5 Hz).
MarkerTake MarchTake(const Motion& motion) {
  const std::vector<MarkerSite> sites = MarchMarkers();
  std::vector<std::string> labels;
  for (const MarkerSite& site : sites) labels.emplace_back(site.label);
  MarkerTake take(labels, motion.num_frames(), motion.rate_hz());
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    const std::vector<Transform> X_WJ =
        figure::WorldTransforms(motion.skeleton(), motion.pose(frame));
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      const MarkerSite& site = sites[static_cast<std::size_t>(marker)];
      const int joint = motion.skeleton().Find(site.joint);
      Vector3 p_WM = X_WJ[static_cast<std::size_t>(joint)] * site.offset;
      for (double& coordinate : p_WM) coordinate = Rounded(coordinate, 0.00001);
      take.SetPosition(frame, marker, p_WM);
    }
  }
  std::mt19937 random(2026);
  for (const char* label : {"LANK", "RTOE", "LWRA", "LWRA"}) {
    const std::int64_t first = random() % 100;
    const std::int64_t length = 3 + random() % 12;
    for (std::int64_t frame = first; frame < first + length; ++frame) {
      take.SetMissing(frame, take.FindMarker(label).value());
    }
  }
  for (int step = 0; step <= 3; ++step) {
    mocap::TakeEvent event;
    event.label = "Foot Strike";
    event.context = step % 2 == 0 ? "Left" : "Right";
    event.time_s = 0.5 * step;
    take.events.push_back(event);
  }
  take.origin.unit = "mm";
  take.origin.metres_per_unit = 0.001;
  take.origin.axes = mocap::AxisConvention::ZUp();
  take.analog.samples_per_frame = 4;
  take.analog.rate_hz = 4 * motion.rate_hz();
  mocap::AnalogChannel& channel = take.analog.channels.emplace_back();
  channel.label = "SYNC";
  channel.unit = "V";
  for (std::int64_t sample = 0; sample < 4 * motion.num_frames(); ++sample) {
    const double time = static_cast<double>(sample) / take.analog.rate_hz;
    take.analog.samples.push_back(
        Rounded(2.0 * std::sin(2 * kPi * 5.0 * time), 0.001));
  }
  return take;
}

// ---- chain: three hinges, as BVH and as ASF/AMC ----

constexpr double kChainRate = 120.0;  // [Hz]
constexpr int kChainFrames = 120;

constexpr const char* kChainAsf = R"(# Made by limber_make_data.
:version 1.10
:name chain
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  Three bones of 10, 8 and 4 units that hang from the root.
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name upper
    direction 0 -1 0
    length 10
    axis 0 0 0 XYZ
    dof rx
    limits (-90.0 90.0)
  end
  begin
    id 2
    name middle
    direction 0 -1 0
    length 8
    axis 0 0 0 XYZ
    dof rx
    limits (-90.0 90.0)
  end
  begin
    id 3
    name lower
    direction 0 -1 0
    length 4
    axis 0 0 0 XYZ
    dof rx
    limits (-90.0 90.0)
  end
:hierarchy
  begin
    root upper
    upper middle
    middle lower
  end
)";

/// The hinges swing by 30°, 20° and 10° at 1, 2 and 3 Hz.
Motion Chain(const mocap::AsfSkeleton& asf) {
  figure::MotionSource source;
  source.metres_per_unit = asf.metres_per_unit;
  source.channels = std::make_shared<figure::ChannelLayout>(
      asf.skeleton->num_joints(), std::vector<figure::Channel>{
                                      {0, figure::ChannelKind::kTranslation, 0},
                                      {0, figure::ChannelKind::kTranslation, 1},
                                      {0, figure::ChannelKind::kTranslation, 2},
                                      {0, figure::ChannelKind::kRotation, 2},
                                      {0, figure::ChannelKind::kRotation, 1},
                                      {0, figure::ChannelKind::kRotation, 0},
                                      {1, figure::ChannelKind::kRotation, 0},
                                      {2, figure::ChannelKind::kRotation, 0},
                                      {3, figure::ChannelKind::kRotation, 0},
                                  });
  std::vector<double> values;
  for (int frame = 0; frame < kChainFrames; ++frame) {
    const double phase = 2 * kPi * frame / kChainRate;
    values.insert(values.end(), {0.0, 25 * asf.metres_per_unit, 0.0, 0, 0, 0});
    for (int hinge = 1; hinge <= 3; ++hinge) {
      const double angle_deg =
          Rounded((40.0 - 10.0 * hinge) * std::sin(hinge * phase), 0.001);
      values.push_back(Radians(angle_deg));
    }
  }
  return Motion(asf.skeleton, kChainRate, source, std::move(values));
}

void Write(const std::filesystem::path& path, const Result<std::string>& text) {
  if (!text.diagnostics().all().empty()) {
    throw std::runtime_error(text.diagnostics().ToString());
  }
  std::filesystem::create_directories(path.parent_path());
  const Diagnostics written = WriteWholeFile(path, *text);
  if (written.has_errors()) throw std::runtime_error(written.ToString());
}

void MakeData(const std::filesystem::path& folder) {
  const Motion march = March();
  Write(folder / "clips/march.bvh", mocap::WriteBvh(march));
  MarkerTake take = MarchTake(march);
  Write(folder / "takes/march.c3d", mocap::FormatC3d(take));
  take.origin.axes = mocap::AxisConvention::YUp();
  Write(folder / "takes/march.trc",
        {mocap::FormatTrc(take, {.file_name = "march.trc"}), Diagnostics()});

  const mocap::AsfSkeleton asf = mocap::ReadAsf(kChainAsf).value();
  const Motion chain = Chain(asf);
  Write(folder / "clips/chain.asf", {std::string(kChainAsf), Diagnostics()});
  Write(folder / "clips/chain.bvh", mocap::WriteBvh(chain));
  Write(folder / "clips/chain.amc", mocap::WriteAmc(chain, asf));

  for (const Person& person : BundledPeople()) {
    Write(folder / "figures" / (person.name + ".json"),
          {figure::FormatFigure(MakePerson(person)), Diagnostics()});
  }
  const Puppet adult(MakePerson(Person()));
  for (const BundledClip& clip : MakeBundledClips(adult)) {
    Write(folder / "clips" / (clip.name + ".bvh"),
          mocap::WriteBvh(clip.motion));
  }
}

}  // namespace
}  // namespace limber

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: limber_make_data FOLDER\n", stderr);
    return 2;
  }
  try {
    limber::MakeData(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber_make_data: %s\n", error.what());
    return 1;
  }
  return 0;
}
