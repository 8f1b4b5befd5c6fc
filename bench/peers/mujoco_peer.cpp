// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// MuJoCo: reduced coordinates, Newton solver, Euler integrator; tracking by
// computed torque (as its users do it for precision) or by PD servos.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>

#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

constexpr double kServoFrequency = 100.0;           // of the PD servos [rad/s]
constexpr double kComputedTorqueFrequency = 150.0;  // [rad/s]

struct MujocoSettings {
  std::string integrator = "Euler";
  bool computed_torque = false;
};

// Outboard inertia about the worst axis of a joint, for the servo gains.
double OutboardInertia(const PeerScene& scene, std::size_t joint) {
  double largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double inertia = 0.0;
    for (std::size_t j = joint; j < scene.segments.size(); ++j) {
      std::size_t a = j;
      while (a > joint) {
        a = static_cast<std::size_t>(scene.segments[a].parent);
      }
      if (a != joint) continue;
      Vector3 r = scene.segments[j].com - scene.segments[joint].joint;
      r[axis] = 0.0;
      inertia += scene.segments[j].inertia[axis] +
                 scene.segments[j].mass * r.squaredNorm();
    }
    largest = std::max(largest, inertia);
  }
  return largest;
}

// Writes the scene as MuJoCo's XML. Its parser takes 100 nested elements a
// file, so a long chain goes on in included files.
class XmlWriter {
 public:
  XmlWriter(const PeerScene& scene, const MujocoSettings& settings)
      : scene_(scene), settings_(settings), children_(scene.segments.size()) {
    for (std::size_t i = 0; i < scene.segments.size(); ++i) {
      if (scene.segments[i].parent >= 0) {
        children_[static_cast<std::size_t>(scene.segments[i].parent)].push_back(
            i);
      }
    }
    Put("<mujoco><compiler angle='radian'/><size njmax='10' nconmax='10' "
        "nstack='40000000'/><option timestep='%.17g' gravity='0 0 -9.81' "
        "solver='Newton' integrator='%s'/><worldbody>",
        scene.step, settings.integrator.c_str());
    for (std::size_t i = 0; i < scene.segments.size(); ++i) {
      if (scene.segments[i].parent < 0) Body(i, 1);
    }
    Put("</worldbody>");
    if (scene.drive == Drive::kTrack) Actuators();
    Put("</mujoco>");
  }

  const std::string& main() const { return text_; }
  const std::vector<std::string>& included() const { return included_; }

 private:
  void Put(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    text_ += buffer;
  }

  void Body(std::size_t i, int depth) {
    const Segment& s = scene_.segments[i];
    Vector3 p = s.com;
    if (s.parent >= 0) {
      p -= scene_.segments[static_cast<std::size_t>(s.parent)].com;
    }
    Put("<body name='b%zu' pos='%.17g %.17g %.17g'>", i, p.x(), p.y(), p.z());
    Put("<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g "
        "%.17g'/>",
        s.mass, s.inertia.x(), s.inertia.y(), s.inertia.z());
    if (s.parent >= 0 || scene_.root == Root::kBall) Joint(i);
    constexpr int kDepthOfAFile = 60;
    if (depth % kDepthOfAFile == 0 && !children_[i].empty()) {
      const std::size_t file = included_.size();
      included_.emplace_back();
      std::string outer;
      outer.swap(text_);
      text_ = "<mujoco>";
      for (const std::size_t child : children_[i]) Body(child, depth + 1);
      text_ += "</mujoco>";
      included_[file] = text_;
      text_.swap(outer);
      Put("<include file='p%zu.xml'/>", file);
    } else {
      for (const std::size_t child : children_[i]) Body(child, depth + 1);
    }
    Put("</body>");
  }

  void Joint(std::size_t i) {
    const Segment& s = scene_.segments[i];
    const Vector3 p = s.joint - s.com;
    if (scene_.drive != Drive::kTrack) {
      Put("<joint type='ball' pos='%.17g %.17g %.17g' stiffness='%.17g' "
          "damping='%.17g'/>",
          p.x(), p.y(), p.z(), s.stiffness, s.damping);
      return;
    }
    const double damping =
        settings_.computed_torque
            ? 0.0
            : 2.0 * kServoFrequency * OutboardInertia(scene_, i);
    for (int a = 0; a < 3; ++a) {
      Put("<joint name='j%zu_%d' type='hinge' pos='%.17g %.17g %.17g' "
          "axis='%d %d %d' damping='%.17g'/>",
          i, a, p.x(), p.y(), p.z(), a == 0, a == 1, a == 2, damping);
    }
  }

  void Actuators() {
    Put("<actuator>");
    for (std::size_t i = 1; i < scene_.segments.size(); ++i) {
      const double stiffness =
          settings_.computed_torque
              ? 0.0
              : kServoFrequency * kServoFrequency * OutboardInertia(scene_, i);
      for (int a = 0; a < 3; ++a) {
        Put("<general joint='j%zu_%d' forcelimited='true' "
            "forcerange='-%.17g %.17g' gainprm='%.17g' biastype='affine' "
            "biasprm='0 %.17g 0'/>",
            i, a, scene_.max_torque, scene_.max_torque,
            settings_.computed_torque ? 1.0 : stiffness, -stiffness);
      }
    }
    Put("</actuator>");
  }

  const PeerScene& scene_;
  const MujocoSettings& settings_;
  std::vector<std::vector<std::size_t>> children_;
  std::string text_;
  std::vector<std::string> included_;
};

class MujocoEngine : public Engine {
 public:
  MujocoEngine(const PeerScene& scene, const MujocoSettings& settings)
      : scene_(scene), settings_(settings) {
    const XmlWriter xml(scene, settings);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const auto add = [&files](const std::string& name,
                              const std::string& text) {
      mj_makeEmptyFileVFS(files.get(), name.c_str(),
                          static_cast<int>(text.size()));
      std::memcpy(files->filedata[mj_findFileVFS(files.get(), name.c_str())],
                  text.data(), text.size());
    };
    add("m.xml", xml.main());
    for (std::size_t i = 0; i < xml.included().size(); ++i) {
      add("p" + std::to_string(i) + ".xml", xml.included()[i]);
    }
    char error[500] = "";
    model_ = mj_loadXML("m.xml", files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (model_ == nullptr) {
      std::fprintf(stderr, "mujoco: %s: %s\n", scene.name.c_str(), error);
      return;
    }
    data_ = mj_makeData(model_);
    reading_ = mj_makeData(model_);
    acceleration_.resize(static_cast<std::size_t>(model_->nv));
    torque_.resize(static_cast<std::size_t>(model_->nv));
    for (std::size_t i = 0; i < scene.segments.size(); ++i) {
      const std::string name = "b" + std::to_string(i);
      const int id = mj_name2id(model_, mjOBJ_BODY, name.c_str());
      ids_.push_back(id);
      first_dof_.push_back(model_->body_jntnum[id] > 0
                               ? model_->jnt_dofadr[model_->body_jntadr[id]]
                               : -1);
    }
    mj_forward(model_, data_);
  }
  ~MujocoEngine() override {
    if (data_ != nullptr) mj_deleteData(data_);
    if (reading_ != nullptr) mj_deleteData(reading_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }
  bool ok() const { return model_ != nullptr; }

  void Step(const StepTargets& step) override {
    const std::span<const JointTarget> targets = step.joints;
    if (targets.empty()) {
      mj_step(model_, data_);
    } else if (settings_.computed_torque) {
      ComputedTorqueStep(targets);
    } else {
      ServoStep(targets);
    }
  }

  void Read(std::vector<SegmentState>& states) override {
    mju_copy(reading_->qpos, data_->qpos, model_->nq);
    mju_copy(reading_->qvel, data_->qvel, model_->nv);
    mj_kinematics(model_, reading_);
    mj_comPos(model_, reading_);
    mj_comVel(model_, reading_);
    // It resets itself when it diverges: the warnings tell.
    const bool diverged = data_->warning[mjWARN_BADQACC].number > 0 ||
                          data_->warning[mjWARN_BADQPOS].number > 0 ||
                          data_->warning[mjWARN_BADQVEL].number > 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const mjtNum* p = reading_->xipos + 3 * ids_[i];
      const mjtNum* R = reading_->xmat + 9 * ids_[i];
      mjtNum velocity[6];
      mj_objectVelocity(model_, reading_, mjOBJ_BODY, ids_[i], velocity, 0);
      states[i].p = Vector3(p[0], p[1], p[2]);
      if (diverged) {
        states[i].p.setConstant(std::numeric_limits<double>::quiet_NaN());
      }
      states[i].R << R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8];
      states[i].w = Vector3(velocity[0], velocity[1], velocity[2]);
      states[i].v = Vector3(velocity[3], velocity[4], velocity[5]);
    }
  }

 private:
  void ServoStep(std::span<const JointTarget> targets) {
    for (int u = 0; u < model_->nu; ++u) {
      const std::size_t i = static_cast<std::size_t>(u / 3 + 1);
      const int dof = first_dof_[i] + u % 3;
      data_->ctrl[u] = targets[i].angles[u % 3];
      data_->qfrc_applied[dof] =
          model_->dof_damping[dof] * targets[i].rates[u % 3];
    }
    mj_step(model_, data_);
  }

  // tau = M qdd + bias, clamped by the actuators.
  void ComputedTorqueStep(std::span<const JointTarget> targets) {
    mj_step1(model_, data_);
    constexpr double w = kComputedTorqueFrequency;
    for (int u = 0; u < model_->nu; ++u) {
      const std::size_t i = static_cast<std::size_t>(u / 3 + 1);
      const int a = u % 3;
      const int dof = first_dof_[i] + a;
      acceleration_[static_cast<std::size_t>(dof)] =
          targets[i].accelerations[a] +
          2.0 * w * (targets[i].rates[a] - data_->qvel[dof]) +
          w * w *
              (targets[i].angles[a] - data_->qpos[dof] -
               scene_.step * targets[i].rates[a]);
    }
    mj_mulM(model_, data_, torque_.data(), acceleration_.data());
    for (int u = 0; u < model_->nu; ++u) {
      const int dof = first_dof_[static_cast<std::size_t>(u / 3 + 1)] + u % 3;
      data_->ctrl[u] =
          torque_[static_cast<std::size_t>(dof)] + data_->qfrc_bias[dof];
    }
    mj_step2(model_, data_);
  }

  const PeerScene& scene_;
  MujocoSettings settings_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  mjData* reading_ = nullptr;
  std::vector<int> ids_;
  std::vector<int> first_dof_;
  std::vector<mjtNum> acceleration_;
  std::vector<mjtNum> torque_;
};

Contender Make(std::string name, std::string remark,
               const MujocoSettings& settings,
               std::function<bool(const PeerScene&)> plays) {
  return {std::move(name), std::move(remark), std::move(plays),
          [settings](const PeerScene& scene) -> std::unique_ptr<Engine> {
            auto engine = std::make_unique<MujocoEngine>(scene, settings);
            if (!engine->ok()) return nullptr;
            return engine;
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  using limber::scenes::Drive;
  using limber::scenes::PeerScene;
  mju_user_warning = [](const char*) {};
  const auto tracks = [](const PeerScene& scene) {
    return scene.drive == Drive::kTrack;
  };
  return limber::bench::RunContenders(
      argc, argv,
      {Make("mujoco-euler", "PD servos in S3", {"Euler", false},
            limber::bench::HasNoMarkers),
       Make("mujoco-computed-torque", "torques clamped, not solved for bounds",
            {"Euler", true}, tracks),
       Make("mujoco-implicit", "", {"implicit", true},
            [](const PeerScene& scene) {
              return scene.segments.size() <= 20 &&
                     scene.drive == Drive::kNone &&
                     limber::bench::HasNoMarkers(scene);
            })});
}
