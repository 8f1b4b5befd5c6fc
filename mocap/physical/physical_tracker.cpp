// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/physical/physical_tracker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamics/constraints/point_on_surface.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/surface.h"
#include "dynamics/world.h"
#include "mocap/solve/sole.h"
#include "mocap/solve/tracker.h"
#include "mocap/solve/unseen.h"

namespace limber::mocap {

namespace {

using dynamics::BallJoint;
using dynamics::BodyId;
using dynamics::PointNail;
using dynamics::PoweredAxis;
using dynamics::World;

/// Lightest segment: clavicles and toes would otherwise be feathers [kg].
constexpr double kLightest = 0.5;
/// How fast free turning dies away; a twist that no marker sees comes to rest
/// in a tenth of a second [1/s].
constexpr double kAngularDamping = 10.0;

/// How far a segment reaches from its joint, in the rest pose [m].
Vector3 EndOf(const Actor& actor, int j) {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (int child = 0; child < kNumSegments; ++child) {
    if (Body()[child].parent != j) continue;
    sum += actor.p_PJ[child];
    ++count;
  }
  if (count == 0) return actor.scale * Body()[j].end;
  return sum / count;
}

dynamics::MassProperties MassOf(const Actor& actor, int j, double body_mass) {
  const Vector3 end = EndOf(actor, j);
  dynamics::MassProperties mass;
  mass.mass = std::max(kLightest, body_mass * Body()[j].mass_share);
  mass.p_BC = 0.5 * end;
  // A ball of the segment's size: its shape matters little beside the markers.
  constexpr double kShortest = 0.15;  // [m]
  const double radius = 0.3 * std::max(kShortest, end.norm());
  mass.I_BC = mass.mass * radius * radius * Matrix3::Identity();
  return mass;
}

PoweredAxis SpringOf(double sigma, double stiffness_at_one_radian, double h) {
  PoweredAxis axis;
  if (std::isinf(sigma)) return axis;
  axis.drive = PoweredAxis::Drive::kSpring;
  axis.stiffness = stiffness_at_one_radian / (sigma * sigma);
  // As much damping as the spring gives in two steps.
  axis.damping = 2 * h * axis.stiffness;
  return axis;
}

/// Gives a joint the springs of its prior. Rotation vectors of an elbow mix
/// bending and turning, so its prior is left to the markers.
void SetPrior(int j, double stiffness_at_one_radian, double h,
              BallJoint& joint) {
  const JointModel& model = Body()[j].model;
  Vector3 sigma = Vector3::Constant(dynamics::kInfinity);
  if (model.prior == JointPrior::kBall) sigma = model.sigma;
  const bool is_knee = j == kLeftLowerLeg || j == kRightLowerLeg;
  if (is_knee) {
    sigma.y() = model.sigma_twist;
    sigma.z() = model.sigma_side;
  }
  for (int k = 0; k < 3; ++k) {
    joint.axis(k) = SpringOf(sigma[k], stiffness_at_one_radian, h);
  }
}

}  // namespace

struct PhysicalTracker::State {
  State(Actor the_actor, double rate_hz, const PhysicalOptions& the_options)
      : actor(std::move(the_actor)),
        h(1 / rate_hz),
        options(the_options),
        starter(actor, rate_hz) {
    frame.pose = BodyPose::Rest();
    frame.used.assign(actor.markers.size(), false);
  }

  /// Puts the figure into the world in a pose.
  void Build(const BodyPose& pose) {
    dynamics::WorldSettings settings;
    if (!options.gravity) settings.gravity.setZero();
    world = std::make_unique<World>(settings);
    BodyKinematics kinematics;
    kinematics.Update(actor.p_PJ, pose);
    const double body_mass =
        actor.mass > 0 ? actor.mass : EstimateMass(kReferenceHeight);
    for (int j = 0; j < kNumSegments; ++j) {
      if (!actor.moves[j]) continue;
      dynamics::BodySpec spec;
      spec.mass = MassOf(actor, j, body_mass);
      spec.X_WB = {Quaternion(kinematics.R_WJ[j]).normalized(),
                   kinematics.p_WJ[j]};
      spec.angular_damping = kAngularDamping;
      spec.name = std::string(Body()[j].name);
      bodies[j] = world->AddBody(spec);
    }
    if (options.floor_contact) AddFloor();
    // In the energy of a marker k σ² / 2, k = 1 / (s h²).
    const double unit = options.sigma_marker * options.sigma_marker /
                        (options.marker_softness * h * h);
    for (int j = 1; j < kNumSegments; ++j) {
      if (!actor.moves[j]) continue;
      BallJoint& joint = world->Add(BallJoint(
          bodies[Body()[j].parent], actor.p_PJ[j], bodies[j], Vector3::Zero()));
      SetPrior(j, unit, h, joint);
    }
    nails.clear();
    dynamics::RowSettings soft;
    soft.softness = options.marker_softness;
    soft.stabilisation = dynamics::Stabilisation::Implicit();
    for (const ActorMarker& marker : actor.markers) {
      PointNail& nail = world->Add(
          PointNail({bodies[marker.segment], marker.p_JM}, Vector3::Zero()));
      nail.set_settings(soft);
      nails.push_back(&nail);
    }
  }

  /// Corners of the soles stay above the floor. One-sided rows and not shapes
  /// that collide: markers press like heavy bodies, and these rows take back in
  /// one step what they press in.
  void AddFloor() {
    const auto floor = std::make_shared<const dynamics::Plane>(
        Vector3(0, options.floor_height, 0), Vector3::UnitY());
    const Sole sole = SoleOf(actor);
    dynamics::RowSettings one_sided;
    one_sided.lo = 0.0;
    one_sided.stabilisation = dynamics::Stabilisation::Implicit();
    for (const Segment foot : {kLeftFoot, kRightFoot}) {
      if (!actor.moves[foot]) continue;
      for (const double x : {-sole.half_width, sole.half_width}) {
        for (const double z : {sole.heel, sole.ball}) {
          dynamics::PointOnSurface& corner = world->Add(
              dynamics::PointOnSurface({bodies[foot], {x, sole.height, z}},
                                       dynamics::kGround, floor));
          corner.set_settings(one_sided);
        }
      }
    }
  }

  void ReadPose() {
    std::array<Quaternion, kNumSegments> R_WJ;
    for (int j = 0; j < kNumSegments; ++j) {
      const int parent = Body()[j].parent;
      if (!actor.moves[j]) {
        R_WJ[j] = parent < 0 ? Quaternion::Identity() : R_WJ[parent];
        frame.pose.R_PJ[j] = Quaternion::Identity();
        continue;
      }
      const Transform X_WB = world->X_WB(bodies[j]);
      R_WJ[j] = X_WB.R;
      if (parent < 0) {
        frame.pose.p_WR = X_WB.p;
        frame.pose.R_PJ[j] = X_WB.R;
      } else {
        frame.pose.R_PJ[j] = (R_WJ[parent].conjugate() * X_WB.R).normalized();
      }
    }
  }

  void Measure(std::span<const Vector3> observed) {
    kinematics.Update(actor.p_PJ, frame.pose);
    double sum = 0.0;
    frame.num_used = 0;
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      if (!frame.used[m]) continue;
      const ActorMarker& marker = actor.markers[m];
      sum += (kinematics.p_WJ[marker.segment] +
              kinematics.R_WJ[marker.segment] * marker.p_JM - observed[m])
                 .squaredNorm();
      ++frame.num_used;
    }
    frame.rms = frame.num_used > 0 ? std::sqrt(sum / frame.num_used) : 0.0;
  }

  Actor actor;
  double h;
  PhysicalOptions options;
  MarkerTracker starter;
  std::unique_ptr<World> world;
  std::array<BodyId, kNumSegments> bodies{};
  std::vector<PointNail*> nails;
  BodyKinematics kinematics;
  Frame frame;
};

PhysicalTracker::PhysicalTracker(Actor actor, double rate_hz,
                                 const PhysicalOptions& options) {
  const auto check = [](const char* name, double value) {
    if (!(value > 0) || std::isinf(value)) {
      throw std::invalid_argument(std::string(name) +
                                  " must be positive and finite, is " +
                                  std::to_string(value));
    }
  };
  check("rate_hz", rate_hz);
  check("marker_softness", options.marker_softness);
  check("sigma_marker", options.sigma_marker);
  check("gate", options.gate);
  if (!std::isfinite(options.floor_height)) {
    throw std::invalid_argument("floor_height must be finite, is " +
                                std::to_string(options.floor_height));
  }
  state_ = std::make_unique<State>(std::move(actor), rate_hz, options);
}

PhysicalTracker::~PhysicalTracker() = default;
PhysicalTracker::PhysicalTracker(PhysicalTracker&&) noexcept = default;
PhysicalTracker& PhysicalTracker::operator=(PhysicalTracker&&) noexcept =
    default;

const PhysicalTracker::Frame& PhysicalTracker::Push(
    std::span<const Vector3> observed) {
  State& s = *state_;
  if (observed.size() != s.actor.markers.size()) {
    throw std::invalid_argument(
        "observed must have " + std::to_string(s.actor.markers.size()) +
        " points, has " + std::to_string(observed.size()));
  }
  if (!s.world) {
    // Placed by the kinematic tracker, once it finds the body.
    const MarkerTracker::Frame& found = s.starter.Push(observed);
    if (!found.restarted) return s.frame;
    s.frame.pose = found.pose;
    for (std::size_t m = 0; m < observed.size(); ++m) {
      s.frame.used[m] = found.fates[m] == MarkerFate::kUsed;
    }
    s.Build(found.pose);
    s.Measure(observed);
    return s.frame;
  }
  for (std::size_t m = 0; m < observed.size(); ++m) {
    const dynamics::BodyMotion& motion =
        MotionOf(s.world->motions(), s.bodies[s.actor.markers[m].segment]);
    const Vector3 place = motion.Point(s.actor.markers[m].p_JM);
    const Vector3 expected = place + s.h * motion.PointVelocity(place);
    const bool used =
        IsSeen(observed[m]) && (observed[m] - expected).norm() < s.options.gate;
    s.frame.used[m] = used;
    s.nails[m]->set_enabled(used);
    if (used) s.nails[m]->set_p_WN(observed[m]);
  }
  s.world->Step(s.h);
  s.ReadPose();
  s.Measure(observed);
  return s.frame;
}

TakeSolution SolvePhysically(const Observations& observed, const Actor& actor,
                             double rate_hz, const PhysicalOptions& options) {
  TakeSolution solution;
  solution.used = observed;
  PhysicalTracker tracker(actor, rate_hz, options);
  for (std::int64_t t = 0; t < observed.num_frames(); ++t) {
    const PhysicalTracker::Frame& frame = tracker.Push(observed.frame(t));
    solution.poses.push_back(frame.pose);
    if (frame.num_used < 3) ++solution.num_empty;
    for (int m = 0; m < observed.num_markers; ++m) {
      if (!frame.used[m]) solution.used.frame(t)[m] = Unseen();
    }
  }
  solution.repairs = FindRepairs(observed, solution.used);
  PoseUnseen(actor, solution.poses);
  return solution;
}

}  // namespace limber::mocap
