// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/mass_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace limber::dynamics {
namespace {

using ::testing::HasSubstr;
using ::testing::Throws;
using ::testing::ThrowsMessage;

using Triangle = std::array<int, 3>;

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<Triangle> triangles;
};

// The solid over a polygon (x, z), anticlockwise seen from +Y, between y = 0
// and y = height. `ears` cuts the polygon into triangles.
Mesh Prism(const std::vector<Vector2>& polygon,
           const std::vector<Triangle>& ears, double height) {
  Mesh mesh;
  const int n = static_cast<int>(polygon.size());
  for (const double y : {0.0, height}) {
    for (const Vector2& point : polygon) {
      mesh.vertices.emplace_back(point.x(), y, -point.y());
    }
  }
  for (const Triangle& ear : ears) {
    mesh.triangles.push_back({ear[0] + n, ear[1] + n, ear[2] + n});
    mesh.triangles.push_back({ear[0], ear[2], ear[1]});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, j, j + n});
    mesh.triangles.push_back({i, j + n, i + n});
  }
  return mesh;
}

Mesh UnitCube() {
  return Prism({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}, 1.0);
}

Vector3 RandomVector(std::mt19937& random, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  return {normal(random), normal(random), normal(random)};
}

Vector3 Sorted(Vector3 v) {
  std::sort(v.data(), v.data() + 3);
  return v;
}

void ExpectEqual(const MassProperties& a, const MassProperties& b,
                 double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.p_BC - b.p_BC).norm(), tolerance);
  EXPECT_LT((a.I_BC - b.I_BC).norm(), tolerance * b.I_BC.norm())
      << a.I_BC << "\n\n"
      << b.I_BC;
}

// B-5
TEST(MassOfPrimitives, B5_SphereRodAndTorusMatchClosedForms) {
  const Material steel = Material::WithDensity(7800.0);
  const double r = 0.3;
  const MassProperties sphere = MassOfSphere(r, steel);
  const double m_sphere = 7800.0 * 4.0 / 3.0 * kPi * r * r * r;
  EXPECT_NEAR(sphere.mass / m_sphere, 1.0, 1e-12);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sphere.I_BC(i, i) / (0.4 * m_sphere * r * r), 1.0, 1e-12);
  }
  // Rod of length 1 and radius .05.
  const MassProperties rod = MassOfCylinder(0.05, 1.0, steel);
  const double m_rod = 7800.0 * kPi * 0.0025;
  EXPECT_NEAR(rod.mass / m_rod, 1.0, 1e-12);
  EXPECT_NEAR(rod.I_BC(1, 1) / (m_rod * 0.00125), 1.0, 1e-12);
  EXPECT_NEAR(rod.I_BC(0, 0) / (m_rod * (0.0025 / 4 + 1.0 / 12)), 1.0, 1e-12);
  const double a = 0.5, c = 0.2;
  const MassProperties torus = MassOfTorus(a, c, steel);
  const double m_torus = 7800.0 * 2.0 * kPi * kPi * a * c * c;
  EXPECT_NEAR(torus.mass / m_torus, 1.0, 1e-12);
  EXPECT_NEAR(torus.I_BC(1, 1) / (m_torus * (a * a + 0.75 * c * c)), 1.0,
              1e-12);
}

// Independent of the closed forms: rays through the implicit shape.
TEST(MassOfPrimitives, AgreeWithRayCasting) {
  // Sums over u of the stretch |y| < f(x, z) suit every shape here.
  const auto solid = [](auto height) {
    return [height](const Vector3& origin, const Vector3&,
                    std::vector<double>& distances) {
      const double y = height(std::hypot(origin.x(), origin.z()));
      if (y > 0.0) {
        distances.push_back(-y - origin.y());
        distances.push_back(y - origin.y());
      }
    };
  };
  RayGrid grid;
  grid.axis = 1;
  grid.num_u = grid.num_v = 1500;
  const Material unit = Material::WithMass(2.0);
  ExpectEqual(MassByRays(solid([](double x) {
                           return std::sqrt(std::max(0.0, 1.0 - x * x));
                         }),
                         grid, unit),
              MassOfSphere(1.0, unit), 1e-4);
  ExpectEqual(MassByRays(solid([](double x) {
                           return x < 0.3 ? 0.5 + std::sqrt(0.09 - x * x) : 0.0;
                         }),
                         grid, unit),
              MassOfCapsule(0.3, 1.0, unit), 1e-3);
  ExpectEqual(MassByRays(solid([](double x) {
                           return std::sqrt(
                               std::max(0.0, 0.04 - (x - 0.7) * (x - 0.7)));
                         }),
                         grid, unit),
              MassOfTorus(0.7, 0.2, unit), 1e-4);
  const SolidHits cone = [](const Vector3& origin, const Vector3&,
                            std::vector<double>& distances) {
    const double x = std::hypot(origin.x(), origin.z());
    if (x < 0.8) {
      distances.push_back(-0.5 - origin.y());
      distances.push_back(-0.5 + 1.0 * (1.0 - x / 0.8) - origin.y());
    }
  };
  ExpectEqual(MassByRays(cone, grid, unit), MassOfCone(0.8, 1.0, unit), 1e-4);
}

TEST(MassOfPrimitives, CapsuleWithoutLengthIsASphere) {
  const Material unit = Material::WithDensity(1.0);
  ExpectEqual(MassOfCapsule(0.4, 0.0, unit), MassOfSphere(0.4, unit), 1e-14);
}

// Dynamo-015: no inertia about the line, and 1/12 m l^2 across it.
TEST(MassOfThinRod, Dynamo015_HasExactlyZeroInertiaAboutItsAxis) {
  const MassProperties rod = MassOfThinRod(1.0, Material::WithMass(1.0));
  EXPECT_EQ(rod.I_BC(1, 1), 0.0);
  EXPECT_NEAR(rod.I_BC(0, 0), 1.0 / 12.0, 1e-16);
  EXPECT_NEAR(rod.I_BC(2, 2), 1.0 / 12.0, 1e-16);
  EXPECT_NO_THROW(CheckMassProperties(rod));
}

// B-6
TEST(MassOfMesh, B6_UnitCubeIsExact) {
  const Mesh cube = UnitCube();
  const MassProperties part =
      MassOfMesh(cube.vertices, cube.triangles, Material::WithDensity(1.0));
  EXPECT_NEAR(part.mass, 1.0, 1e-12);
  EXPECT_LT((part.p_BC - Vector3(0.5, 0.5, -0.5)).norm(), 1e-12);
  EXPECT_LT((part.I_BC - Matrix3::Identity() / 6.0).norm(), 1e-12);
}

// B-6: nonconvex, against the sum of its two boxes, also far from the origin.
TEST(MassOfMesh, B6_LShapedPrismEqualsTheSumOfItsBoxes) {
  const Material material = Material::WithDensity(3.0);
  Mesh prism = Prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}},
                     {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 2.0);
  const std::vector<MassProperties> boxes = {
      Transformed({Quaternion::Identity(), Vector3(1.5, 1.0, -0.5)},
                  MassOfBox({3, 2, 1}, material)),
      Transformed({Quaternion::Identity(), Vector3(0.5, 1.0, -2.5)},
                  MassOfBox({1, 2, 3}, material))};
  ExpectEqual(MassOfMesh(prism.vertices, prism.triangles, material),
              Combined(boxes), 1e-12);
  const Transform X_AB{ExpRotation({0.3, -1.2, 2.0}), Vector3(50, -80, 30)};
  for (Vector3& vertex : prism.vertices) vertex = X_AB * vertex;
  ExpectEqual(MassOfMesh(prism.vertices, prism.triangles, material),
              Transformed(X_AB, Combined(boxes)), 1e-12);
}

TEST(MassOfMesh, TotalMassScalesTheInertia) {
  const Mesh cube = UnitCube();
  const MassProperties part =
      MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(7.0));
  EXPECT_NEAR(part.mass, 7.0, 1e-12);
  EXPECT_NEAR(part.I_BC(1, 1), 7.0 / 6.0, 1e-12);
}

TEST(MassOfMesh, OpenMeshIsRefusedWithTheEdge) {
  Mesh cube = UnitCube();
  cube.triangles.pop_back();
  EXPECT_THAT(
      [&] {
        MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("edge 3-4 walked 0 times up and 1 times down")));
}

TEST(MassOfMesh, OneTurnedTriangleIsRefused) {
  Mesh cube = UnitCube();
  std::swap(cube.triangles[3][0], cube.triangles[3][1]);
  EXPECT_THAT(
      [&] {
        MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("a closed mesh")));
}

TEST(MassOfMesh, InsideOutMeshIsRefusedWithItsVolume) {
  Mesh cube = UnitCube();
  for (Triangle& triangle : cube.triangles) {
    std::swap(triangle[0], triangle[1]);
  }
  EXPECT_THAT(
      [&] {
        MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("found -1")));
}

TEST(MassOfMesh, BadIndexAndRepeatedCornerAreRefused) {
  Mesh cube = UnitCube();
  cube.triangles[2][1] = 8;
  EXPECT_THAT(
      [&] {
        MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("triangles[2] must be an index below 8, found 8")));
  cube.triangles[2] = {1, 1, 2};
  EXPECT_THAT(
      [&] {
        MassOfMesh(cube.vertices, cube.triangles, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("corner 1 twice")));
}

// Dynamo-014
TEST(MassOfPoints, Dynamo014_EightUnitMassesInAnyRotation) {
  std::mt19937 random(14);
  for (int trial = 0; trial < 50; ++trial) {
    const Transform X_AB{ExpRotation(RandomVector(random, 2.0)),
                         RandomVector(random, 1.0)};
    std::vector<Vector3> points;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-2.0, 2.0}) {
        for (const double z : {-3.0, 3.0}) {
          points.push_back(X_AB * Vector3(x, y, z));
        }
      }
    }
    const MassProperties cloud = MassOfPoints(points);
    EXPECT_NEAR(cloud.mass, 8.0, 1e-12);
    EXPECT_LT((cloud.p_BC - X_AB.p).norm(), 1e-12);
    const PrincipalAxes axes = FindPrincipalAxes(cloud.I_BC);
    EXPECT_LT((Sorted(axes.inertia) - Vector3(40, 80, 104)).norm(), 1e-9);
  }
}

TEST(MassOfPoints, WrongMassesAreRefused) {
  const std::vector<Vector3> points(2, Vector3::Zero());
  const std::vector<double> one = {1.0};
  const std::vector<double> negative = {1.0, -2.0};
  EXPECT_THAT([&] { MassOfPoints(points, one); },
              ThrowsMessage<std::invalid_argument>(
                  "masses must be 2 numbers, found 1"));
  EXPECT_THAT([&] { MassOfPoints(points, negative); },
              ThrowsMessage<std::invalid_argument>(
                  "masses must be finite and positive, found -2"));
  EXPECT_THAT([&] { MassOfPoints({}); }, Throws<std::invalid_argument>());
}

TEST(Combined, HalvesOfABoxMakeTheBox) {
  const Material material = Material::WithDensity(2.0);
  const MassProperties half = MassOfBox({1, 2, 3}, material);
  const std::vector<MassProperties> halves = {
      Transformed({Quaternion::Identity(), Vector3(-0.5, 0, 0)}, half),
      Transformed({Quaternion::Identity(), Vector3(0.5, 0, 0)}, half)};
  ExpectEqual(Combined(halves), MassOfBox({2, 2, 3}, material), 1e-14);
}

TEST(InertiaAboutOrigin, AddsTheParallelAxisTerm) {
  const MassProperties rod =
      Transformed({Quaternion::Identity(), Vector3(0, 0.5, 0)},
                  MassOfThinRod(1.0, Material::WithMass(3.0)));
  EXPECT_NEAR(InertiaAboutOrigin(rod)(0, 0), 1.0, 1e-15);  // m l^2 / 3
}

// D-29
TEST(FindPrincipalAxes, D29_RotatedBoxReturnsItsAxes) {
  const MassProperties box =
      MassOfBox({1.0, 2.0, 4.0}, Material::WithMass(12.0));
  std::mt19937 random(29);
  for (int trial = 0; trial < 200; ++trial) {
    const Transform X_AB{ExpRotation(RandomVector(random, 2.0)),
                         Vector3::Zero()};
    const MassProperties turned = Transformed(X_AB, box);
    const PrincipalAxes axes = FindPrincipalAxes(turned.I_BC);
    const Matrix3 R = axes.R_BP.toRotationMatrix();
    EXPECT_LT(
        (R * axes.inertia.asDiagonal() * R.transpose() - turned.I_BC).norm(),
        1e-12);
    EXPECT_LT((Sorted(axes.inertia) - Vector3(5, 17, 20)).norm(), 1e-12);
    // Every edge of the box is an axis, up to sign and order.
    const Matrix3 match =
        (X_AB.R.toRotationMatrix().transpose() * R).cwiseAbs();
    EXPECT_LT(
        (match.cwiseAbs2().colwise().maxCoeff() - Eigen::RowVector3d::Ones())
            .norm(),
        1e-12);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-12);
    // No frame is further than 62.8 degrees from the nearest of the 24.
    EXPECT_LT(AngleBetween(axes.R_BP, Quaternion::Identity()), 1.1);
  }
}

TEST(FindPrincipalAxes, DiagonalInertiaKeepsItsAxesAndOrder) {
  for (const Vector3& inertia : {Vector3(3, 1, 2), Vector3(2, 2, 1),
                                 Vector3(1, 1, 1), Vector3(0, 1, 1)}) {
    const PrincipalAxes axes = FindPrincipalAxes(inertia.asDiagonal());
    EXPECT_EQ(AngleBetween(axes.R_BP, Quaternion::Identity()), 0.0);
    EXPECT_EQ(axes.inertia, inertia);
  }
}

TEST(FindPrincipalAxes, SmallTurnGivesTheSmallTurnBack) {
  const Quaternion R_AB = ExpRotation({0.2, -0.1, 0.3});
  const MassProperties box =
      Transformed({R_AB, Vector3::Zero()},
                  MassOfBox({1.0, 2.0, 4.0}, Material::WithMass(1.0)));
  EXPECT_LT(AngleBetween(FindPrincipalAxes(box.I_BC).R_BP, R_AB), 1e-12);
}

// Dynamo-002, the masses: what is refused.
TEST(CheckMassProperties, Dynamo002_NamesFieldAndValue) {
  MassProperties part;
  EXPECT_NO_THROW(CheckMassProperties(part));
  part.mass = 0.0;
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(
                  "mass must be finite and positive, found 0"));
  part.mass = -1.5;
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("found -1.5")));
  part = {};
  part.I_BC(1, 1) = -1.0;
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("I_BC must be positive semidefinite")));
  part = {};
  part.I_BC(2, 2) = 2.1;
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("exceeds the sum of the other two, found (1, 1, "
                            "2.1)")));
  part = {};
  part.I_BC(0, 1) = 0.1;
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("symmetric")));
  part = {};
  part.p_BC.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { CheckMassProperties(part); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("p_BC")));
}

TEST(CheckMassProperties, AcceptsEveryPrimitiveInEveryFrame) {
  const Material material = Material::WithDensity(1000.0);
  const std::vector<MassProperties> parts = {
      MassOfSphere(0.1, material),         MassOfBox({1, 2, 3}, material),
      MassOfCylinder(1.0, 1e-6, material), MassOfCapsule(0.05, 0.3, material),
      MassOfCone(1.0, 2.0, material),      MassOfTorus(1.0, 1.0, material),
      MassOfThinRod(1.0, material)};
  std::mt19937 random(3);
  for (const MassProperties& part : parts) {
    const Transform X_AB{ExpRotation(RandomVector(random, 2.0)),
                         RandomVector(random, 1.0)};
    EXPECT_NO_THROW(CheckMassProperties(Transformed(X_AB, part)));
  }
}

TEST(Material, RefusesWhatIsNotPositive) {
  EXPECT_THAT([] { Material::WithDensity(0.0); },
              ThrowsMessage<std::invalid_argument>(
                  "density must be finite and positive, found 0"));
  EXPECT_THAT([] { Material::WithMass(INFINITY); },
              ThrowsMessage<std::invalid_argument>(
                  "mass must be finite and positive, found inf"));
  EXPECT_THAT(
      [] {
        MassOfBox({1, -2, 3}, Material::WithMass(1.0));
      },
      ThrowsMessage<std::invalid_argument>(
          "size.y must be finite and positive, found -2"));
}

// The cylinder r = 1, h = 1 of the gyroscope (axis Y), met by rays along x.
void UnitCylinder(const Vector3& origin, const Vector3&,
                  std::vector<double>& distances) {
  if (std::abs(origin.z()) >= 1.0) return;
  const double half = std::sqrt(1.0 - origin.z() * origin.z());
  distances.push_back(half - origin.x());
  distances.push_back(-half - origin.x());
}

double WorstError(const MassProperties& found, const MassProperties& exact) {
  return std::max(std::abs(found.mass / exact.mass - 1.0),
                  (found.I_BC.diagonal().cwiseQuotient(exact.I_BC.diagonal()) -
                   Vector3::Ones())
                      .cwiseAbs()
                      .maxCoeff());
}

// D-28: the printed values are off by up to 1.31 %.
TEST(MassByRays, D28_UnitCylinderConvergesFromACoarseGrid) {
  const MassProperties exact =
      MassOfCylinder(1.0, 1.0, Material::WithDensity(1.0));
  RayGrid grid;
  grid.box_min = Vector3(-1, -0.5, -1);
  grid.box_max = Vector3(1, 0.5, 1);
  double last = 1.0;
  for (const int n : {32, 128, 1024}) {
    grid.num_u = grid.num_v = n;
    const double error = WorstError(
        MassByRays(UnitCylinder, grid, Material::WithDensity(1.0)), exact);
    RecordProperty("error_" + std::to_string(n), std::to_string(error));
    if (n == 32) {
      EXPECT_LT(error, 0.014);
    }
    EXPECT_LT(error, last / 4.0);
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

// D-28: O1, O2 are 1x1x4 bars and O3, O4 are 1x2x2 boxes.
TEST(MassByRays, D28_BoxesOfTheGyroscopeAreExact) {
  const Material one = Material::WithDensity(1.0);
  for (const Vector3& size : {Vector3(4, 1, 1), Vector3(1, 2, 2)}) {
    const SolidHits box = [&](const Vector3&, const Vector3&,
                              std::vector<double>& distances) {
      distances.push_back(0.0);
      distances.push_back(size.x());
    };
    RayGrid grid;
    grid.box_min = -size / 2.0;
    grid.box_max = size / 2.0;
    grid.num_u = 7;
    grid.num_v = 10;
    ExpectEqual(MassByRays(box, grid, one), MassOfBox(size, one), 1e-12);
  }
  // Table 5 prints 4.0; .666667 5.666636 and 4.0; 2.666668 1.666639.
  const MassProperties bar = MassOfBox({4, 1, 1}, one);
  EXPECT_NEAR(bar.I_BC(0, 0) / 0.666667, 1.0, 1e-4);
  EXPECT_NEAR(bar.I_BC(1, 1) / 5.666636, 1.0, 1e-4);
  const MassProperties plate = MassOfBox({1, 2, 2}, one);
  EXPECT_NEAR(plate.I_BC(0, 0) / 2.666668, 1.0, 1e-4);
  EXPECT_NEAR(plate.I_BC(1, 1) / 1.666639, 1.0, 1e-4);
}

TEST(MassByRays, OddNumberOfHitsIsRefused) {
  const SolidHits broken = [](const Vector3&, const Vector3&,
                              std::vector<double>& distances) {
    distances.push_back(1.0);
  };
  EXPECT_THAT([&] { MassByRays(broken, RayGrid{}, Material::WithMass(1.0)); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("must be an even number, found 1")));
  const SolidHits nothing = [](const Vector3&, const Vector3&,
                               std::vector<double>&) {};
  EXPECT_THAT([&] { MassByRays(nothing, RayGrid{}, Material::WithMass(1.0)); },
              Throws<std::invalid_argument>());
}

// Rays through both tips and along eight edges of an octahedron, each counted
// once: the same sum as from the closed form 4.5 - |u| - |v| of its height.
// Cells of exactly 1 m put the rays exactly onto the edges.
TEST(MassOfMeshByRays, RaysThroughCornersAndEdgesCountOnce) {
  const double r = 4.5;
  const std::vector<Vector3> vertices = {{r, 0, 0},  {-r, 0, 0}, {0, r, 0},
                                         {0, -r, 0}, {0, 0, r},  {0, 0, -r}};
  std::vector<Triangle> triangles;
  for (const int x : {0, 1}) {
    for (const int y : {2, 3}) {
      for (const int z : {4, 5}) {
        const bool right_handed = (x + y + z) % 2 == 0;
        triangles.push_back(right_handed ? Triangle{x, y, z}
                                         : Triangle{x, z, y});
      }
    }
  }
  RayGrid grid;
  grid.box_min = Vector3::Constant(-r);
  grid.box_max = Vector3::Constant(r);
  grid.num_u = grid.num_v = 9;
  const Material one = Material::WithDensity(1.0);
  for (grid.axis = 0; grid.axis < 3; ++grid.axis) {
    const SolidHits octahedron = [&](const Vector3& origin, const Vector3&,
                                     std::vector<double>& distances) {
      const double height =
          r - origin.cwiseAbs().sum() + std::abs(origin[grid.axis]);
      if (height > 0.0) {
        distances.push_back(r - height);
        distances.push_back(r + height);
      }
    };
    ExpectEqual(MassOfMeshByRays(vertices, triangles, grid, one),
                MassByRays(octahedron, grid, one), 1e-12);
  }
  EXPECT_NEAR(MassOfMesh(vertices, triangles, one).mass, 4.0 / 3.0 * r * r * r,
              1e-12);
}

// Nonconvex, hit along all three axes.
TEST(MassOfMeshByRays, D28_LShapedPrismAlongEveryAxis) {
  const Material one = Material::WithDensity(1.0);
  const Mesh prism = Prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}},
                           {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 2.0);
  const MassProperties exact = MassOfMesh(prism.vertices, prism.triangles, one);
  RayGrid grid;
  grid.num_u = 24;
  grid.num_v = 24;
  for (grid.axis = 0; grid.axis < 3; ++grid.axis) {
    ExpectEqual(MassOfMeshByRays(prism.vertices, prism.triangles, grid, one),
                exact, 1e-12);
  }
}

}  // namespace
}  // namespace limber::dynamics
