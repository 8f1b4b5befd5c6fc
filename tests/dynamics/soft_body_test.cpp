// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Deformable bodies: their closed forms, what they keep, and what is refused.
#include "dynamics/soft/soft_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/angle.h"
#include "dynamics/constraints/point_to_point.h"

namespace limber::dynamics {
namespace {

WorldSettings Weightless() {
  WorldSettings settings;
  settings.gravity.setZero();
  return settings;
}

// Kinetic and elastic energy that belong together: v of the last step and the
// places in its middle.
double Total(const World& world, const ElasticForce& net, double h) {
  double sum = net.MeanEnergy(world.motions(), h);
  for (const BodyId node : net.bodies()) {
    const BodyMotion& motion = world.motion(node);
    const double mass = world.mass(node).mass;
    sum += mass *
           (0.5 * motion.v_WC.squaredNorm() -
            world.settings().gravity.dot(motion.p_WC - 0.5 * h * motion.v_WC));
  }
  return sum;
}

FiniteElementBody AddSoftBlock(World& world, double damping = 0.0) {
  FiniteElementSettings settings;
  settings.material.young = 2e4;
  settings.material.damping = damping;
  const SoftMesh mesh =
      MakeBlock(Vector3(-0.2, 1.0, -0.1), Vector3(0.4, 0.2, 0.2), {4, 2, 2});
  return AddFiniteElementBody(world, mesh, settings);
}

void Spin(World& world, std::span<const BodyId> nodes, const Vector3& w) {
  for (const BodyId node : nodes) {
    const Vector3 p = world.motion(node).p_WC - Vector3(0.0, 1.1, 0.0);
    world.SetVelocity(node, w.cross(p) + Vector3(0.3, 0.1, p.x()),
                      Vector3::Zero());
  }
}

TEST(FiniteElementBody, PatchOfUnevenElementsHasTheStrainOfItsRim) {
  // D-37. A field x -> A x of all nodes leaves no force at inner nodes.
  World world(Weightless());
  SoftMesh mesh = MakeBlock(Vector3::Zero(), Vector3::Ones(), {3, 3, 3});
  for (Vector3& p : mesh.nodes) {
    const bool inner = (p.array() > 0.1).all() && (p.array() < 0.9).all();
    if (inner)
      p += 0.05 * Vector3(std::sin(7 * p.y()), std::cos(5 * p.z()), p.x());
  }
  FiniteElementSettings settings;
  settings.material.young = 1.0;
  const FiniteElementBody body = AddFiniteElementBody(world, mesh, settings);
  Matrix3 A;
  A << 1.1, 0.05, 0.0, -0.03, 0.95, 0.02, 0.04, 0.0, 1.02;
  std::vector<Vector3> x;
  for (const Vector3& p : mesh.nodes) x.push_back(A * p);
  std::vector<Vector3> f(x.size(), Vector3::Zero());
  body.net->AddKick(x, x, 1.0, f);
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vector3& p = mesh.nodes[i];
    const bool inner = (p.array() > 0.1).all() && (p.array() < 0.9).all();
    if (inner) {
      EXPECT_LT(f[i].norm(), 1e-10) << "node " << i;
    } else {
      largest = std::max(largest, f[i].norm());
    }
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(FiniteElementBody, StiffnessIsTheDerivativeOfTheForce) {
  World world(Weightless());
  const FiniteElementBody body = AddSoftBlock(world, 0.01);
  std::vector<Vector3> x;
  for (const BodyId node : body.nodes) {
    const Vector3 p = world.motion(node).p_WC;
    x.push_back(p + 0.02 * Vector3(std::sin(9 * p.y()), p.x(), p.z() * p.x()));
  }
  class Sum final : public StiffnessSink {
   public:
    explicit Sum(std::vector<Vector3> d) : d_(std::move(d)), y(d_.size()) {
      for (Vector3& v : y) v.setZero();
    }
    void Add(int i, int j, const Matrix3& block) override {
      y[static_cast<std::size_t>(i)] += block * d_[static_cast<std::size_t>(j)];
      if (i == j) return;
      y[static_cast<std::size_t>(j)] +=
          block.transpose() * d_[static_cast<std::size_t>(i)];
    }
    std::vector<Vector3> d_, y;
  };
  std::vector<Vector3> d, x_plus = x, x_minus = x;
  const double e = 1e-6;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d.emplace_back(std::sin(3.0 * i), std::cos(5.0 * i), std::sin(1.0 + i));
    x_plus[i] += e * d[i];
    x_minus[i] -= e * d[i];
  }
  Sum sum(d);
  body.net->AddStiffness(x, x, 0.01, false, sum);
  std::vector<Vector3> up(x.size(), Vector3::Zero()), down = up;
  body.net->AddKick(x, x_plus, 0.01, up);
  body.net->AddKick(x, x_minus, 0.01, down);
  double size = 0.0, off = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, sum.y[i].norm());
    off = std::max(off, (sum.y[i] + (up[i] - down[i]) / (2.0 * e)).norm());
  }
  EXPECT_LT(off, 1e-6 * size);
}

TEST(FiniteElementBody, FreeBlockKeepsMomentaAndEnergyForTenSeconds) {
  World world(Weightless());
  const FiniteElementBody body = AddSoftBlock(world);
  Spin(world, body.nodes, Vector3(1.0, 3.0, 2.0));
  constexpr double h = 1.0 / 120.0;
  world.Step(h);
  const double energy = Total(world, *body.net, h);
  const Vector3 P = world.LinearMomentum();
  const Vector3 L = world.AngularMomentum();
  double lowest = energy, highest = energy;
  for (int i = 0; i < 1200; ++i) {
    const Vector3 P_before = world.LinearMomentum();
    const Vector3 L_before = world.AngularMomentum();
    ASSERT_EQ(world.Step(h).status, LcpStatus::kSolved) << "step " << i;
    ASSERT_LT((world.LinearMomentum() - P_before).norm(), 1e-10 * P.norm());
    ASSERT_LT((world.AngularMomentum() - L_before).norm(), 1e-10 * L.norm());
    const double now = Total(world, *body.net, h);
    lowest = std::min(lowest, now);
    highest = std::max(highest, now);
  }
  EXPECT_LT(highest - lowest, 1e-6 * energy);
  EXPECT_GT(body.net->Energy(world.motions()), 1e-3 * energy);
}

TEST(FiniteElementBody, DampedBlockOnlyLosesEnergy) {
  World world(Weightless());
  const FiniteElementBody body = AddSoftBlock(world, 0.02);
  Spin(world, body.nodes, Vector3(1.0, 3.0, 2.0));
  constexpr double h = 1.0 / 60.0;
  world.Step(h);
  const double start = Total(world, *body.net, h);
  double last = start;
  for (int i = 0; i < 300; ++i) {
    world.Step(h);
    const double now = Total(world, *body.net, h);
    ASSERT_LT(now, last + 1e-10 * start) << "step " << i;
    last = now;
  }
}

// Deflection of the end of a cantilever under a force at its end, as a share of
// F L^3/(3 E I) + F L/(5/6 G A), Timoshenko's beam.
double Deflection(int layers) {
  World world(Weightless());
  constexpr double kLength = 0.5, kHeight = 0.1, kYoung = 1e6;
  const SoftMesh mesh =
      MakeBlock(Vector3::Zero(), Vector3(kLength, kHeight, kHeight / layers),
                {5 * layers, layers, 1});
  FiniteElementSettings settings;
  settings.material.young = kYoung;
  settings.material.poisson = 0.0;
  settings.material.damping = 0.5;
  const FiniteElementBody body = AddFiniteElementBody(world, mesh, settings);
  std::vector<BodyId> end;
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    const Vector3& p = mesh.nodes[i];
    if (p.x() == kLength) end.push_back(body.nodes[i]);
    if (p.x() == 0.0) world.SetEnabled(body.nodes[i], false);
  }
  const double I = kHeight / layers * std::pow(kHeight, 3) / 12.0;
  const double wanted = 1e-3;
  const double force = wanted * 3.0 * kYoung * I / std::pow(kLength, 3);
  double last = 0.0, y = 1.0;
  for (int i = 0; i < 2000 && std::abs(y - last) > 1e-5 * wanted; ++i) {
    for (const BodyId node : end) {
      world.ApplyForce(
          node, Vector3::Zero(),
          Vector3(0.0, force / static_cast<double>(end.size()), 0.0));
    }
    last = y;
    world.Step(0.02);
    y = world.motion(end.front()).p_WC.y() -
        mesh.nodes[static_cast<std::size_t>(5 * layers)].y();
  }
  // With G = E/2 the second part is 0.6 (height/length)^2 of the first.
  return y / (wanted * (1.0 + 0.6 * std::pow(kHeight / kLength, 2)));
}

TEST(FiniteElementBody, CantileverBendsAsTheBeamDoes) {
  // D-37. Linear elements are too stiff by a share of the square of their
  // size: two meshes tell what a fine one would say.
  const double coarse = Deflection(4);
  const double fine = Deflection(8);
  EXPECT_LT(coarse, fine);
  EXPECT_NEAR((4.0 * fine - coarse) / 3.0, 1.0, 0.01)
      << coarse << " and " << fine;
}

TEST(MassSpringBody, SettlesInItsRestShapeLosingEnergyAllTheWay) {
  // D-38.
  World world(Weightless());
  const SoftMesh mesh =
      MakeBlock(Vector3(0.0, 1.0, 0.0), Vector3::Constant(0.2), {2, 2, 2});
  MassSpringSettings settings;
  settings.stiffness = 300.0;
  settings.damping = 3.0;
  const MassSpringBody body = AddMassSpringBody(world, mesh, settings);
  for (const BodyId node : body.nodes) {
    const Vector3 p = world.motion(node).p_WC;
    world.SetVelocity(node, Vector3(4.0 * (p.x() - 0.1), 4.4 - 4.0 * p.y(), 0),
                      Vector3::Zero());
  }
  constexpr double h = 1.0 / 120.0;
  world.Step(h);
  const double start = Total(world, *body.net, h);
  double last = start;
  for (int i = 0; i < 2400; ++i) {
    world.Step(h);
    const double now = Total(world, *body.net, h);
    ASSERT_LT(now, last + 1e-10 * start) << "step " << i;
    last = now;
  }
  for (const SpringNet::Spring& spring : body.net->springs()) {
    const Vector3 d =
        world.motion(body.nodes[static_cast<std::size_t>(spring.b)]).p_WC -
        world.motion(body.nodes[static_cast<std::size_t>(spring.a)]).p_WC;
    EXPECT_NEAR(d.norm(), spring.rest_length, 1e-6 * spring.rest_length);
  }
}

TEST(MassSpringBody, CornerHeldByAJointFallsWhenItIsReleased) {
  // D-40, Dynamo-117: a nail knows nothing of what its node belongs to.
  World world;
  const SoftMesh mesh =
      MakeBlock(Vector3(0.0, 2.0, 0.0), Vector3::Constant(0.2), {2, 2, 2});
  MassSpringSettings settings;
  settings.stiffness = 500.0;
  settings.damping = 1.0;
  const MassSpringBody body = AddMassSpringBody(world, mesh, settings);
  PointToPoint& nail = world.Add(
      PointToPoint({kGround, mesh.nodes.back()}, {body.nodes.back(), {}}));
  for (int i = 0; i < 240; ++i) {
    world.Step(1.0 / 240.0);
    ASSERT_LT(world.Error(nail), 1e-6) << "step " << i;
  }
  nail.set_enabled(false);
  const auto centre_speed = [&] {
    return world.LinearMomentum().y() / settings.mass;
  };
  world.Step(1.0 / 240.0);
  const double before = centre_speed();
  for (int i = 0; i < 60; ++i) world.Step(1.0 / 240.0);
  EXPECT_NEAR(centre_speed() - before, -kGravity / 4.0, 1e-9);
}

TEST(Cloth, HangsSymmetricallyFromTwoCorners) {
  // D-39, H-16.
  World world;
  ClothSettings settings;
  settings.columns = settings.rows = 9;
  settings.corner = Vector3(-0.5, 2.0, 0.0);
  settings.stretch = 100.0;
  settings.shear = 10.0;
  settings.bend = 0.5;
  settings.damping = 0.02;
  const Cloth cloth = AddCloth(world, settings);
  world.Add(
      PointToPoint({kGround, Vector3(-0.5, 2.0, 0.0)}, {cloth.Node(0, 0), {}}));
  world.Add(
      PointToPoint({kGround, Vector3(0.5, 2.0, 0.0)}, {cloth.Node(9, 0), {}}));
  for (int i = 0; i < 1200; ++i) {
    ASSERT_EQ(world.Step(1.0 / 120.0).status, LcpStatus::kSolved);
  }
  for (int j = 0; j <= 9; ++j) {
    for (int i = 0; i <= 4; ++i) {
      Vector3 p = world.motion(cloth.Node(9 - i, j)).p_WC;
      p.x() = -p.x();
      EXPECT_LT((p - world.motion(cloth.Node(i, j)).p_WC).norm(), 1e-9);
    }
  }
  EXPECT_LT(world.motion(cloth.Node(4, 9)).p_WC.y(), 1.2);
}

TEST(Cloth, TautSheetSagsAsAMembrane) {
  // Square membrane under its weight: u = 0.0736713 q a^2/T in the middle.
  World world;
  ClothSettings settings;
  settings.columns = settings.rows = 20;
  settings.stretch = 1e3;
  settings.shear = settings.bend = 0.0;
  settings.rest_share = 0.9;
  settings.damping = 0.01;
  settings.area_density = 0.05;
  const Cloth cloth = AddCloth(world, settings);
  for (int k = 0; k <= 20; ++k) {
    for (const BodyId node : {cloth.Node(k, 0), cloth.Node(k, 20),
                              cloth.Node(0, k), cloth.Node(20, k)}) {
      world.SetEnabled(node, false);
    }
  }
  // Springs do not damp what moves across them: drag does.
  for (int i = 0; i < 600; ++i) {
    for (const BodyId node : cloth.nodes) {
      world.ApplyForce(node, Vector3::Zero(), -5e-3 * world.motion(node).v_WC);
    }
    world.Step(1.0 / 120.0);
  }
  // Springs of 0.05 m that pull 1e3 * 0.005 N each: a tension of 100 N/m.
  const double sag = 0.0736713 * settings.area_density * kGravity / 100.0;
  EXPECT_NEAR(-world.motion(cloth.Node(10, 10)).p_WC.y(), sag, 0.01 * sag);
}

TEST(Cloth, ChainOfNodesHangsAsACatenary) {
  World world;
  constexpr int kLinks = 40;
  constexpr double kLength = 1.25, kSpan = 1.0;
  std::vector<BodyId> nodes;
  std::vector<SpringNet::Spring> springs;
  for (int i = 0; i <= kLinks; ++i) {
    BodySpec spec;
    spec.point_mass = true;
    spec.mass.mass = 0.01;
    // Two straight halves.
    const double s = static_cast<double>(i) / kLinks;
    const double deep =
        std::sqrt(kLength * kLength - kSpan * kSpan) * std::min(s, 1.0 - s);
    spec.X_WB.p = Vector3(kSpan * s, -deep, 0.0);
    if (i == 0 || i == kLinks) spec.kind = BodyKind::kFixed;
    nodes.push_back(world.AddBody(spec));
    if (i > 0) springs.push_back({i - 1, i, kLength / kLinks, 1e5, 10.0});
  }
  const SpringNet& net = world.Add(SpringNet(nodes, springs));
  for (const BodyId node : net.bodies()) EXPECT_GE(node.value, 1);
  // Drag against swinging.
  for (int i = 0; i < 4000; ++i) {
    for (int k = 1; k < kLinks; ++k) {
      const BodyId node = nodes[static_cast<std::size_t>(k)];
      world.ApplyForce(node, Vector3::Zero(), -0.03 * world.motion(node).v_WC);
    }
    ASSERT_EQ(world.Step(1.0 / 240.0).status, LcpStatus::kSolved) << i;
  }
  // 2 a sinh(span/2a) = length, sag = a (cosh(span/2a) - 1).
  double low = 0.1, high = 10.0;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2.0 * a * std::sinh(kSpan / (2.0 * a)) > kLength ? low : high) = a;
  }
  const double sag = low * (std::cosh(kSpan / (2.0 * low)) - 1.0);
  EXPECT_NEAR(-world.motion(nodes[kLinks / 2]).p_WC.y(), sag, 0.01 * sag);
}

TEST(SoftMesh, HostileMeshesAreRefusedWithAPlace) {
  const SoftMesh good = MakeBlock(Vector3::Zero(), Vector3::Ones(), {2, 1, 1});
  EXPECT_EQ(WrongMesh(good), "");
  SoftMesh mesh = good;
  std::swap(mesh.tetrahedra[3][0], mesh.tetrahedra[3][1]);
  EXPECT_EQ(WrongMesh(mesh), "tetrahedron 3: it is inverted");
  mesh = good;
  mesh.nodes[4] = mesh.nodes[1];
  EXPECT_EQ(WrongMesh(mesh), "node 4: at the place of node 1");
  mesh = good;
  mesh.tetrahedra[2][1] = 99;
  EXPECT_EQ(WrongMesh(mesh), "tetrahedron 2: no node 99, there are 12");
  mesh = good;
  mesh.tetrahedra[2][1] = mesh.tetrahedra[2][0];
  EXPECT_NE(WrongMesh(mesh).find("is there twice"), std::string::npos);
  mesh = good;
  mesh.nodes[7].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(WrongMesh(mesh), "node 7: its place is not finite");
  mesh = good;
  mesh.nodes.emplace_back(5.0, 5.0, 5.0);
  EXPECT_EQ(WrongMesh(mesh), "node 12: it belongs to no element");
  mesh = {{{0, 0, 0},
           {1, 0, 0},
           {0, 1, 0},
           {0, 0, 1},
           {5, 0, 0},
           {6, 0, 0},
           {5, 1, 0},
           {5, 0, 1}},
          {{0, 1, 2, 3}, {4, 5, 6, 7}},
          {}};
  EXPECT_EQ(WrongMesh(mesh),
            "node 4: no elements join it to node 0; a body is one piece");
  mesh.tetrahedra[1] = {0, 1, 2, 4};
  EXPECT_EQ(WrongMesh(mesh), "tetrahedron 1: it is flat");
  mesh = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {}, {{0, 1, 2}}};
  EXPECT_EQ(WrongMesh(mesh), "triangle 0: it is flat");
  EXPECT_EQ(WrongMesh({}), "mesh: it has no elements");
  EXPECT_THROW(MakeBlock(Vector3::Zero(), Vector3::Ones(), {300, 200, 100}),
               std::invalid_argument);
  World world;
  const int before = world.num_bodies();
  EXPECT_THROW(AddMassSpringBody(world, mesh, {}), std::invalid_argument);
  ClothSettings cloth;
  cloth.columns = cloth.rows = 10'000;
  EXPECT_THROW(AddCloth(world, cloth), std::invalid_argument);
  EXPECT_EQ(world.num_bodies(), before);
}

}  // namespace
}  // namespace limber::dynamics
