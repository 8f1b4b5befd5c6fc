// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <ccd/ccd.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <limits>

#include "bench/peers/distance_engine.h"

namespace limber::bench {
namespace {

using dynamics::Shape;
using dynamics::ShapeKind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// --- libccd: support functions, depth by EPA, no distance.

struct CcdObject {
  const Shape* shape;
  Matrix3 R;
  Vector3 p;
};

void CcdSupport(const void* object, const ccd_vec3_t* direction,
                ccd_vec3_t* result) {
  const CcdObject& o = *static_cast<const CcdObject*>(object);
  const Vector3 d_W(direction->v[0], direction->v[1], direction->v[2]);
  const Vector3 d = o.R.transpose() * d_W;
  Vector3 s = Vector3::Zero();
  switch (o.shape->kind()) {
    case ShapeKind::kCapsule:
      s.y() = d.y() < 0.0 ? -o.shape->half_length() : o.shape->half_length();
      break;
    case ShapeKind::kBox:
      s = d.unaryExpr([](double x) {
             return x < 0.0 ? -1.0 : 1.0;
           }).cwiseProduct(o.shape->half_extents());
      break;
    case ShapeKind::kConvexHull: {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vector3& v : o.shape->vertices()) {
        if (d.dot(v) > most) {
          most = d.dot(v);
          s = v;
        }
      }
      break;
    }
    default:
      break;
  }
  s = o.R * s + o.p;
  if (o.shape->radius() > 0.0) s += o.shape->radius() * d_W.normalized();
  ccdVec3Set(result, s.x(), s.y(), s.z());
}

void CcdCentre(const void* object, ccd_vec3_t* centre) {
  const CcdObject& o = *static_cast<const CcdObject*>(object);
  ccdVec3Set(centre, o.p.x(), o.p.y(), o.p.z());
}

class Libccd : public DistanceEngine {
 public:
  explicit Libccd(bool mpr) : mpr_(mpr) {
    CCD_INIT(&ccd_);
    ccd_.support1 = CcdSupport;
    ccd_.support2 = CcdSupport;
    ccd_.center1 = CcdCentre;
    ccd_.center2 = CcdCentre;
    ccd_.max_iterations = 500;
    ccd_.epa_tolerance = 1e-9;
    ccd_.mpr_tolerance = 1e-9;
    ccd_.dist_tolerance = 1e-9;
  }
  std::string name() const override {
    return mpr_ ? "libccd MPR" : "libccd GJK+EPA";
  }
  void Prepare(const std::vector<CollisionPair>& pairs) override {
    a_.clear();
    b_.clear();
    for (const CollisionPair& p : pairs) {
      a_.push_back({p.a.get(), p.X_WA.R.toRotationMatrix(), p.X_WA.p});
      b_.push_back({p.b.get(), p.X_WB.R.toRotationMatrix(), p.X_WB.p});
    }
  }
  double SignedDistance(int i) override {
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    const int result = mpr_ ? ccdMPRPenetration(&a_[i], &b_[i], &ccd_, &depth,
                                                &direction, &position)
                            : ccdGJKPenetration(&a_[i], &b_[i], &ccd_, &depth,
                                                &direction, &position);
    return result == 0 ? -depth : kNan;
  }

 private:
  bool mpr_;
  ccd_t ccd_;
  std::vector<CcdObject> a_;
  std::vector<CcdObject> b_;
};

// --- FCL: its shapes (capsules along Z), its solver over libccd or its own.

class Fcl : public DistanceEngine {
 public:
  explicit Fcl(fcl::GJKSolverType solver)
      : request_(true, solver == fcl::GST_LIBCCD, 0.0, 0.0, 1e-6, solver) {}
  std::string name() const override {
    return request_.gjk_solver_type == fcl::GST_LIBCCD ? "FCL (libccd)"
                                                       : "FCL (own)";
  }
  void Prepare(const std::vector<CollisionPair>& pairs) override {
    a_.clear();
    b_.clear();
    for (const CollisionPair& p : pairs) {
      a_.push_back(Object(*p.a, p.X_WA));
      b_.push_back(Object(*p.b, p.X_WB));
    }
  }
  double SignedDistance(int i) override {
    try {
      fcl::DistanceResultd result;
      fcl::distance(a_[i].get(), b_[i].get(), request_, result);
      if (request_.enable_signed_distance || result.min_distance > 0.0) {
        return result.min_distance;
      }
      // Its own solver has no signed distance for all pairs (it ends the
      // program by an assertion): the depth of its contact.
      fcl::CollisionRequestd contact_request(4, true);
      contact_request.gjk_solver_type = request_.gjk_solver_type;
      fcl::CollisionResultd contacts;
      fcl::collide(a_[i].get(), b_[i].get(), contact_request, contacts);
      double depth = kNan;
      for (std::size_t k = 0; k < contacts.numContacts(); ++k) {
        depth = std::fmax(depth, contacts.getContact(k).penetration_depth);
      }
      return -depth;
    } catch (const std::exception&) {
      return kNan;
    }
  }

 private:
  using ObjectPointer = std::unique_ptr<fcl::CollisionObjectd>;
  static ObjectPointer Object(const Shape& shape, const Transform& X) {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
    Quaternion R = X.R;
    switch (shape.kind()) {
      case ShapeKind::kSphere:
        geometry = std::make_shared<fcl::Sphered>(shape.radius());
        break;
      case ShapeKind::kCapsule:
        geometry = std::make_shared<fcl::Capsuled>(shape.radius(),
                                                   2.0 * shape.half_length());
        R = R * ExpRotation(0.5 * kPi * Vector3::UnitX());
        break;
      case ShapeKind::kBox:
        geometry = std::make_shared<fcl::Boxd>(2.0 * shape.half_extents());
        break;
      default: {
        auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(
            shape.vertices().begin(), shape.vertices().end());
        auto faces = std::make_shared<std::vector<int>>();
        int count = 0;
        for (const std::vector<int>& face : shape.Faces()) {
          faces->push_back(static_cast<int>(face.size()));
          faces->insert(faces->end(), face.begin(), face.end());
          ++count;
        }
        geometry = std::make_shared<fcl::Convexd>(vertices, count, faces);
      }
    }
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = R.toRotationMatrix();
    pose.translation() = X.p;
    return std::make_unique<fcl::CollisionObjectd>(geometry, pose);
  }

  fcl::DistanceRequestd request_;
  std::vector<ObjectPointer> a_;
  std::vector<ObjectPointer> b_;
};

// --- Bullet, double precision, shapes without collision margin.

class Bullet : public DistanceEngine {
 public:
  std::string name() const override { return "Bullet GJK+EPA"; }
  void Prepare(const std::vector<CollisionPair>& pairs) override {
    a_.clear();
    b_.clear();
    for (const CollisionPair& p : pairs) {
      a_.push_back(Object(*p.a, p.X_WA));
      b_.push_back(Object(*p.b, p.X_WB));
    }
  }
  double SignedDistance(int i) override {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    btGjkPairDetector detector(a_[i].shape.get(), b_[i].shape.get(), &simplex,
                               &epa);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = a_[i].pose;
    input.m_transformB = b_[i].pose;
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    return result.m_hasResult ? result.m_distance : kNan;
  }

 private:
  struct Placed {
    std::unique_ptr<btConvexShape> shape;
    btTransform pose;
  };
  static btVector3 Convert(const Vector3& v) {
    return btVector3(v.x(), v.y(), v.z());
  }
  static Placed Object(const Shape& shape, const Transform& X) {
    Placed placed;
    placed.pose = btTransform(btQuaternion(X.R.x(), X.R.y(), X.R.z(), X.R.w()),
                              Convert(X.p));
    switch (shape.kind()) {
      case ShapeKind::kSphere:
        placed.shape = std::make_unique<btSphereShape>(shape.radius());
        return placed;  // Its margin is its radius.
      case ShapeKind::kCapsule:
        placed.shape = std::make_unique<btCapsuleShape>(
            shape.radius(), 2.0 * shape.half_length());
        return placed;
      case ShapeKind::kBox:
        placed.shape =
            std::make_unique<btBoxShape>(Convert(shape.half_extents()));
        break;
      default: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vector3& v : shape.vertices()) {
          hull->addPoint(Convert(v), false);
        }
        hull->recalcLocalAabb();
        placed.shape = std::move(hull);
      }
    }
    placed.shape->setMargin(0.0);
    return placed;
  }

  std::vector<Placed> a_;
  std::vector<Placed> b_;
};

}  // namespace

std::vector<std::unique_ptr<DistanceEngine>> PeerDistanceEngines() {
  std::vector<std::unique_ptr<DistanceEngine>> engines;
  engines.push_back(std::make_unique<Libccd>(false));
  engines.push_back(std::make_unique<Libccd>(true));
  engines.push_back(std::make_unique<Fcl>(fcl::GST_LIBCCD));
  engines.push_back(std::make_unique<Fcl>(fcl::GST_INDEP));
  engines.push_back(std::make_unique<Bullet>());
  return engines;
}

}  // namespace limber::bench
