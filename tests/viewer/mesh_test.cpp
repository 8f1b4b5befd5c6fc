// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/mesh.h"

#include <gtest/gtest.h>

#include <vector>

#include "viewer/osg_convert.h"

namespace limber::viewer {
namespace {

std::vector<PartShape> Shapes() {
  return {{PartShape::Kind::kSphere, 0.3, 0.0, Vector3::Zero()},
          {PartShape::Kind::kBox, 0.0, 0.0, Vector3(0.2, 0.4, 0.6)},
          {PartShape::Kind::kCapsule, 0.1, 0.5, Vector3::Zero()},
          {PartShape::Kind::kCylinder, 0.1, 0.5, Vector3::Zero()},
          {PartShape::Kind::kEllipsoid, 0.0, 0.0, Vector3(0.2, 0.4, 0.6)}};
}

double VolumeOf(const internal::Mesh& mesh) {
  double volume = 0.0;
  for (const std::array<int, 3>& t : mesh.triangles) {
    volume += mesh.vertices[std::size_t(t[0])].dot(
                  mesh.vertices[std::size_t(t[1])].cross(
                      mesh.vertices[std::size_t(t[2])])) /
              6.0;
  }
  return volume;
}

// Corners anticlockwise from outside: the enclosed volume is positive, and that
// of the solid up to the facets.
TEST(MeshOf, EnclosesTheVolumeOfItsShape) {
  const std::vector<double> exact = {4.0 / 3.0 * kPi * 0.027, 0.2 * 0.4 * 0.6,
                                     kPi * 0.01 * 0.5 + 4.0 / 3.0 * kPi * 0.001,
                                     kPi * 0.01 * 0.5,
                                     4.0 / 3.0 * kPi * 0.1 * 0.2 * 0.3};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double volume = VolumeOf(internal::MeshOf(Shapes()[i]));
    EXPECT_LT(volume, exact[i] * 1.0001) << i;
    EXPECT_GT(volume, exact[i] * 0.96) << i;
  }
}

TEST(MeshOf, NormalsAreUnitAndPointOutwards) {
  for (const PartShape& shape : Shapes()) {
    const internal::Mesh mesh = internal::MeshOf(shape);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      EXPECT_NEAR(mesh.normals[i].norm(), 1.0, 1e-9);
      EXPECT_GE(mesh.normals[i].dot(mesh.vertices[i]), -1e-9);
    }
  }
}

TEST(ToOsg, MovesPointsAsTheTransformDoes) {
  Transform X;
  X.R = ExpRotation(Vector3(0.3, -0.7, 1.1));
  X.p = Vector3(1, 2, 3);
  const Vector3 point(0.4, -0.5, 0.6);
  EXPECT_LT((FromOsg(ToOsg(point) * ToOsg(X)) - X * point).norm(), 1e-12);
}

}  // namespace
}  // namespace limber::viewer
