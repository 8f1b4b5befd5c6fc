// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// The walk of the bundled clip with a push at the forearm, played on the floor
// by Limber and by MuJoCo: what a step costs and what comes of it. Same body,
// clip, step (1/240 s), servo time constants and root help; the remarks of the
// table say what is not alike.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "figure/dynamic/colliders.h"
#include "tests/scenes/figure_scenes.h"

namespace limber::bench {
namespace {

using figure::FigureModel;
using figure::FigureSegment;
using figure::Role;
using figure::SegmentPose;

constexpr double kStep = 1.0 / 240.0;
constexpr double kPushTime = 1.2;
constexpr double kImpulse = 10.0;   // [N s], to +x.
constexpr double kJointTau = 0.03;  // As Strength::Powered.
constexpr double kGive = 0.05;      // [rad]
constexpr double kRootTau = 0.1;    // As RootServo::Helping.
constexpr double kRootMass = 0.05;
constexpr double kRootTurn = 0.27;

struct Outcome {
  double us_per_step = 0.0;
  double rms_deg = 0.0;         // Before the push.
  double deflection_deg = 0.0;  // Of the forearm in the world, by the push.
  double return_s = 0.0;        // Joints within 2 deg of the unpushed playing.
  double help = 0.0;            // Root force / weight, mean.
};

double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// A playing: a step, and the pose by segments after it.
class Player {
 public:
  virtual ~Player() = default;
  virtual void Step(bool push) = 0;
  virtual const SegmentPose& pose() const = 0;
  virtual const SegmentPose& wanted() const = 0;
  virtual double RootForce() const = 0;
};

class LimberPlayer : public Player {
 public:
  LimberPlayer(const figure::Motion& clip,
               const std::shared_ptr<const FigureModel>& model)
      : played_(scenes::Play(clip, model, Options())),
        forearm_(model->SegmentOf(Role::kLeftForearm)) {}

  void Step(bool push) override {
    if (push) {
      played_.stage->Push(played_.performer->figure().body(forearm_),
                          played_.model->segments[std::size_t(forearm_)].p_JC,
                          Vector3(kImpulse, 0.0, 0.0));
    }
    played_.stage->Step();
  }
  const SegmentPose& pose() const override {
    return played_.performer->actual();
  }
  const SegmentPose& wanted() const override {
    return played_.performer->demand().after;
  }
  double RootForce() const override {
    return played_.recorder().steps().back().root_force.norm();
  }

 private:
  static scenes::PlayOptions Options() {
    scenes::PlayOptions options;
    options.ground = true;
    return options;
  }
  scenes::PlayedClip played_;
  int forearm_;
};

// The figure as MuJoCo's XML: ball joints, the same masses and shapes, which
// touch the floor alone.
class FigureXml {
 public:
  FigureXml(const FigureModel& model, const SegmentPose& pose, double floor)
      : model_(model), pose_(pose) {
    Put("<mujoco><compiler angle='radian' balanceinertia='true'/>"
        "<size njmax='400' nconmax='100'/>"
        "<option timestep='%.17g' gravity='0 -9.81 0' solver='Newton' "
        "integrator='Euler'/><worldbody>"
        "<geom type='plane' size='0 0 1' pos='0 %.17g 0' zaxis='0 1 0' "
        "contype='2' conaffinity='1' friction='0.8 0 0' condim='3'/>",
        kStep, floor);
    Body(0);
    Put("</worldbody></mujoco>");
  }
  const std::string& text() const { return text_; }

 private:
  void Put(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    text_ += buffer;
  }
  void Body(int s) {
    const FigureSegment& segment = model_.segments[std::size_t(s)];
    const Vector3& p = pose_[std::size_t(s)].p;
    Put("<body name='b%d' pos='%.17g %.17g %.17g'>", s, p.x(), p.y(), p.z());
    const Matrix3& I = segment.I_JC;
    Put("<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g "
        "%.17g %.17g %.17g %.17g %.17g'/>",
        segment.p_JC.x(), segment.p_JC.y(), segment.p_JC.z(), segment.mass,
        I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    if (segment.parent < 0) {
      Put("<freejoint/>");
    } else {
      Put("<joint type='ball' damping='%.17g'/>",
          2.0 * kJointTau * Stiffness(s));
    }
    for (const figure::SegmentShape& shape : segment.shapes) Geom(shape);
    for (int child = s + 1; child < model_.num_segments(); ++child) {
      if (model_.segments[std::size_t(child)].parent == s) Body(child);
    }
    Put("</body>");
  }
  void Geom(const figure::SegmentShape& shape) {
    using Kind = figure::SegmentShape::Kind;
    Quaternion q = shape.X_JS.R;
    // MuJoCo's capsules lie along z.
    if (shape.kind == Kind::kCapsule) {
      q = q * ExpRotation(Vector3(-0.5 * kPi, 0.0, 0.0));
    }
    const Vector3& p = shape.X_JS.p;
    Put("<geom contype='1' conaffinity='2' condim='3' friction='0.8 0 0' "
        "pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g' ",
        p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
    if (shape.kind == Kind::kCapsule) {
      Put("type='capsule' size='%.17g %.17g'/>", shape.radius,
          std::max(1e-4, 0.5 * shape.length));
    } else {
      Put("type='%s' size='%.17g %.17g %.17g'/>",
          shape.kind == Kind::kBox ? "box" : "ellipsoid", 0.5 * shape.size.x(),
          0.5 * shape.size.y(), 0.5 * shape.size.z());
    }
  }

 public:
  // Of a servo: fast enough for what hangs on the joint, and so hard that its
  // torque is there at an error of kGive, since nothing feeds the weight
  // forward to a leg that stands.
  double Stiffness(int s) const {
    double most = 0.0;
    for (const figure::AnchorAxis& axis :
         model_.segments[std::size_t(s)].anchor.axes) {
      most = std::max(most, axis.max_torque);
    }
    return std::max(OutboardInertia(s) / (kJointTau * kJointTau), most / kGive);
  }
  // What the joint of a segment turns, about the worst axis, in this pose.
  double OutboardInertia(int s) const {
    std::vector<Transform> X_WB(pose_.size());
    for (std::size_t i = 0; i < pose_.size(); ++i) {
      const int parent = model_.segments[i].parent;
      X_WB[i] = parent < 0 ? pose_[i] : X_WB[std::size_t(parent)] * pose_[i];
    }
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0.0;
      for (int i = s; i < model_.num_segments(); ++i) {
        int a = i;
        while (a > s) a = model_.segments[std::size_t(a)].parent;
        if (a != s) continue;
        const FigureSegment& part = model_.segments[std::size_t(i)];
        Vector3 r = X_WB[std::size_t(i)] * part.p_JC - X_WB[std::size_t(s)].p;
        r[axis] = 0.0;
        sum += part.I_JC(axis, axis) + part.mass * r.squaredNorm();
      }
      largest = std::max(largest, sum);
    }
    return largest;
  }

 private:
  const FigureModel& model_;
  const SegmentPose& pose_;
  std::string text_;
};

class MujocoPlayer : public Player {
 public:
  MujocoPlayer(const figure::Motion& clip,
               const std::shared_ptr<const FigureModel>& model)
      : figure_(world_, model, clip.pose(0)),
        clip_(clip),
        forearm_(model->SegmentOf(Role::kLeftForearm)) {
    Reference(0.0, now_);
    const FigureXml xml(*model, now_, FloorHeight(*model, clip));
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "figure.xml",
                        static_cast<int>(xml.text().size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "figure.xml")],
                xml.text().data(), xml.text().size());
    char error[500] = "";
    model_ = mj_loadXML("figure.xml", files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(error);
    for (int i = 0; i < 3; ++i) {
      const double mass = model->total_mass();
      model_->dof_damping[i] = 2.0 * kRootMass * mass / kRootTau;
      model_->dof_damping[3 + i] = 2.0 * kRootTurn * mass / kRootTau;
    }
    data_ = mj_makeData(model_);
    for (int s = 0; s < model->num_segments(); ++s) {
      const std::string name = "b" + std::to_string(s);
      ids_.push_back(mj_name2id(model_, mjOBJ_BODY, name.c_str()));
      stiffness_.push_back(xml.Stiffness(s));
    }
    // In the clip's pose, moving as it does.
    SegmentPose next;
    Reference(1e-3, next);
    for (std::size_t s = 0; s < now_.size(); ++s) {
      const int joint = model_->body_jntadr[ids_[s]];
      mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
      mjtNum* v = data_->qvel + model_->jnt_dofadr[joint];
      if (s == 0) {
        for (int i = 0; i < 3; ++i) {
          q[i] = now_[s].p[i];
          v[i] = (next[s].p[i] - now_[s].p[i]) / 1e-3;
        }
        q += 3;
        v += 3;
      }
      Put(now_[s].R, q);
      const Vector3 w = LogRotation(now_[s].R.conjugate() * next[s].R) / 1e-3;
      for (int i = 0; i < 3; ++i) v[i] = w[i];
    }
    pose_ = now_;
    mj_forward(model_, data_);
  }
  ~MujocoPlayer() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void Step(bool push) override {
    mju_zero(data_->xfrc_applied, 6 * model_->nbody);
    Reference(data_->time + kStep, after_);
    for (std::size_t s = 1; s < now_.size(); ++s) {
      const int joint = model_->body_jntadr[ids_[s]];
      const int dof = model_->jnt_dofadr[joint];
      const Quaternion R = Get(data_->qpos + model_->jnt_qposadr[joint]);
      const Vector3 e = LogRotation(R.conjugate() * after_[s].R);
      const Vector3 w =
          LogRotation(now_[s].R.conjugate() * after_[s].R) / kStep;
      const auto& axes = figure_.segment(static_cast<int>(s)).anchor.axes;
      const double most = std::max(
          {axes[0].max_torque, axes[1].max_torque, axes[2].max_torque});
      for (int i = 0; i < 3; ++i) {
        const double torque =
            stiffness_[s] * e[i] + model_->dof_damping[dof + i] * w[i];
        data_->qfrc_applied[dof + i] = std::clamp(torque, -most, most);
      }
    }
    HelpRoot();
    if (push) {
      const int body = ids_[std::size_t(forearm_)];
      data_->xfrc_applied[6 * body] += kImpulse / kStep;
    }
    mj_step(model_, data_);
    std::swap(now_, after_);
    for (std::size_t s = 0; s < pose_.size(); ++s) {
      const int joint = model_->body_jntadr[ids_[s]];
      const mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
      if (s == 0) {
        pose_[s].p = Vector3(q[0], q[1], q[2]);
        q += 3;
      }
      pose_[s].R = Get(q);
    }
  }
  const SegmentPose& pose() const override { return pose_; }
  const SegmentPose& wanted() const override { return now_; }
  double RootForce() const override { return root_force_; }

 private:
  static void Put(const Quaternion& R, mjtNum* q) {
    q[0] = R.w();
    q[1] = R.x();
    q[2] = R.y();
    q[3] = R.z();
  }
  static Quaternion Get(const mjtNum* q) {
    return Quaternion(q[0], q[1], q[2], q[3]);
  }
  void Reference(double time, SegmentPose& X_PB) {
    smooth_.Sample(time, sample_);
    figure_.Split(sample_, X_PB);
  }
  // Springs; the dampers are the damping of the free joint, which is implicit.
  // Its turns are in the axes of the body.
  void HelpRoot() {
    const double mass = figure_.model().total_mass();
    const mjtNum* q = data_->qpos;
    const mjtNum* v = data_->qvel;
    const Vector3 v_ref = (after_[0].p - now_[0].p) / kStep;
    const Vector3 pull = kRootMass * mass / (kRootTau * kRootTau) *
                         (after_[0].p - Vector3(q[0], q[1], q[2]));
    const Quaternion R = Get(q + 3);
    const Vector3 e = LogRotation(R.conjugate() * after_[0].R);
    const Vector3 w_ref =
        LogRotation(now_[0].R.conjugate() * after_[0].R) / kStep;
    const double turn = kRootTurn * mass / (kRootTau * kRootTau);
    Vector3 force = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
      const double damping = model_->dof_damping[i];
      data_->qfrc_applied[i] = pull[i] + damping * v_ref[i];
      data_->qfrc_applied[3 + i] =
          turn * e[i] + model_->dof_damping[3 + i] * w_ref[i];
      force[i] = pull[i] + damping * (v_ref[i] - v[i]);
    }
    root_force_ = force.norm();
  }

  dynamics::World world_;
  figure::ArticulatedFigure figure_;
  figure::Motion clip_;
  figure::SmoothMotion smooth_{clip_};
  int forearm_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> ids_;
  std::vector<double> stiffness_;
  figure::Pose sample_;
  SegmentPose now_, after_, pose_;
  double root_force_ = 0.0;
};

Quaternion InWorld(const FigureModel& model, const SegmentPose& X_PB, int s) {
  Quaternion R = X_PB[std::size_t(s)].R;
  for (int p = model.segments[std::size_t(s)].parent; p >= 0;
       p = model.segments[std::size_t(p)].parent) {
    R = X_PB[std::size_t(p)].R * R;
  }
  return R;
}

template <typename T>
Outcome Play(const figure::Motion& clip,
             const std::shared_ptr<const FigureModel>& model) {
  Outcome outcome;
  outcome.us_per_step = 1e9;
  const auto count = static_cast<int>(clip.duration() / kStep);
  const int push_step = static_cast<int>(std::lround(kPushTime / kStep));
  const int forearm = model->SegmentOf(Role::kLeftForearm);
  for (int repeat = 0; repeat < 5; ++repeat) {
    T plain(clip, model);
    T pushed(clip, model);
    double time = 0.0;
    double squares = 0.0;
    double joints = 0.0;
    double force = 0.0;
    double last_away = kPushTime;
    outcome.deflection_deg = 0.0;
    for (int i = 0; i < count; ++i) {
      plain.Step(false);
      const double begin = Seconds();
      pushed.Step(i == push_step);
      time += Seconds() - begin;
      force += pushed.RootForce();
      double away = 0.0;
      for (std::size_t s = 1; s < pushed.pose().size(); ++s) {
        away =
            std::max(away, AngleBetween(plain.pose()[s].R, pushed.pose()[s].R));
        if (i >= push_step) continue;
        squares +=
            std::pow(AngleBetween(pushed.pose()[s].R, pushed.wanted()[s].R), 2);
        joints += 1.0;
      }
      if (away > 2.0 * kPi / 180.0) last_away = (i + 1) * kStep;
      outcome.deflection_deg =
          std::max(outcome.deflection_deg,
                   180.0 / kPi *
                       AngleBetween(InWorld(*model, plain.pose(), forearm),
                                    InWorld(*model, pushed.pose(), forearm)));
    }
    outcome.us_per_step = std::min(outcome.us_per_step, 1e6 * time / count);
    outcome.rms_deg = 180.0 / kPi * std::sqrt(squares / joints);
    outcome.return_s = last_away - kPushTime;
    outcome.help = force / count / (model->total_mass() * kGravity);
  }
  return outcome;
}

void Print(const char* name, const Outcome& outcome, const char* remark) {
  std::printf("%-8s %10.1f %10.2f %14.1f %10.2f %10.3f   %s\n", name,
              outcome.us_per_step, outcome.rms_deg, outcome.deflection_deg,
              outcome.return_s, outcome.help, remark);
}

}  // namespace
}  // namespace limber::bench

int main() {
  using namespace limber;
  const figure::Motion clip = scenes::LoadClip(
      std::filesystem::path(LIMBER_SOURCE_DIR) / "data/clips/walk.bvh");
  const auto model = scenes::BodyFor(clip);
  std::printf(
      "Walk on the floor at 240 Hz, 10 N s at the left forearm at 1.2 s, %d "
      "segments\n%-8s %10s %10s %14s %10s %10s\n",
      model->num_segments(), "engine", "us/step", "rms [deg]", "forearm [deg]",
      "back [s]", "root help");
  bench::Print("limber", bench::Play<bench::LimberPlayer>(clip, model),
               "hinges and limits as in the model; motors are rows of the "
               "step; records every step");
  bench::Print("mujoco", bench::Play<bench::MujocoPlayer>(clip, model),
               "ball joints without limits; torques of springs and dampers "
               "(damping implicit), clamped; records nothing");
  return 0;
}
