// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/stage.h"

#include <osg/BlendFunc>
#include <osg/Geode>
#include <osg/Geometry>
#include <osg/LineWidth>
#include <osg/MatrixTransform>
#include <osg/Program>
#include <osg/Shader>
#include <osg/Stencil>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include <memory>
#include <stdexcept>
#include <string>

#include "viewer/internal/glyphs.h"
#include "viewer/internal/mesh.h"
#include "viewer/internal/shaders.h"
#include "viewer/osg_convert.h"

namespace limber::viewer {

const Colour kBackground(0.90, 0.92, 0.94);

namespace {

/// Drawn in this order: solids, floor, shadows, what is seen through, arrows.
enum DrawOrder {
  kSolids = 0,
  kFloor = 1,
  kShadows = 2,
  kGlass = 10,
  kOnTop = 11
};

/// Several lights close to each other make the edge of the shadow soft.
constexpr int kShadowLayers = 8;

osg::ref_ptr<osg::Program> MakeProgram(const char* vertex,
                                       const char* fragment) {
  osg::ref_ptr<osg::Program> program = new osg::Program;
  program->addShader(new osg::Shader(osg::Shader::VERTEX, vertex));
  program->addShader(new osg::Shader(osg::Shader::FRAGMENT, fragment));
  return program;
}

osg::ref_ptr<osg::Geometry> GeometryOf(const internal::Mesh& mesh,
                                       const osg::Vec4& colour) {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    vertices->push_back(ToOsg(mesh.vertices[i]));
    normals->push_back(ToOsg(mesh.normals[i]));
  }
  osg::ref_ptr<osg::DrawElementsUInt> triangles =
      new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES);
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    for (const int corner : triangle) {
      triangles->push_back(static_cast<unsigned>(corner));
    }
  }
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  colours->push_back(colour);
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseVertexBufferObjects(true);
  geometry->setVertexArray(vertices);
  geometry->setNormalArray(normals, osg::Array::BIND_PER_VERTEX);
  geometry->setColorArray(colours, osg::Array::BIND_OVERALL);
  geometry->addPrimitiveSet(triangles);
  return geometry;
}

/// Projects along `light` onto the plane y = height.
osg::Matrixd ShadowMatrix(const Vector3& light, double height) {
  // p' = p - ((p.y - height) / light.y) light, row vectors from the left.
  const double x = light.x() / light.y();
  const double z = light.z() / light.y();
  return osg::Matrixd(1, 0, 0, 0,    //
                      -x, 0, -z, 0,  //
                      0, 0, 1, 0,    //
                      x * height, height, z * height, 1);
}

void MakeSeeThrough(osg::StateSet& state) {
  state.setMode(GL_BLEND, osg::StateAttribute::ON);
  state.setAttributeAndModes(
      new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
  state.setRenderBinDetails(kGlass, "DepthSortedBin");
}

}  // namespace

struct Stage::Nodes {
  osg::ref_ptr<osg::Group> solids = new osg::Group;
  osg::ref_ptr<osg::Group> shadows = new osg::Group;
  osg::ref_ptr<osg::Group> floor = new osg::Group;
  osg::ref_ptr<osg::Geometry> lines = new osg::Geometry;
  osg::ref_ptr<osg::Geometry> lines_on_top = new osg::Geometry;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> parts;
  std::vector<osg::ref_ptr<osg::Geometry>> geometries;
  std::vector<Part> looks;      ///< As the show made them.
  std::vector<Colour> colours;  ///< As they are now.

  void AddPart(const Part& part) {
    osg::ref_ptr<osg::Geometry> geometry = GeometryOf(
        internal::MeshOf(part.shape), ToOsgColour(part.colour, part.opacity));
    osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform;
    node->addChild(geometry);
    if (part.opacity < 1.0) MakeSeeThrough(*node->getOrCreateStateSet());
    solids->addChild(node);
    parts.push_back(node);
    geometries.push_back(geometry);
    looks.push_back(part);
    colours.push_back(part.colour);
  }

  void MakeFloor() {
    constexpr double kHalf = 60.0;
    internal::Mesh quad;
    for (const auto& [x, z] : {std::pair{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}) {
      quad.vertices.emplace_back(kHalf * x, 0.0, kHalf * z);
      quad.normals.push_back(Vector3::UnitY());
    }
    quad.triangles = {{0, 1, 2}, {0, 2, 3}};
    osg::ref_ptr<osg::Geometry> geometry =
        GeometryOf(quad, ToOsgColour(kBackground));
    osg::StateSet& state = *geometry->getOrCreateStateSet();
    state.setAttributeAndModes(
        MakeProgram(internal::kFloorVertex, internal::kFloorFragment));
    state.addUniform(
        new osg::Uniform("background", osg::Vec3(ToOsg(kBackground))));
    state.setRenderBinDetails(kFloor, "RenderBin");
    floor->addChild(geometry);
  }

  void MakeShadows() {
    for (int layer = 0; layer < kShadowLayers; ++layer) {
      // The key light, moved a little on a circle.
      const double angle = 2.0 * kPi * layer / kShadowLayers;
      const Vector3 light =
          internal::kKeyLight +
          0.035 * Vector3(std::cos(angle), 0.0, std::sin(angle));
      osg::ref_ptr<osg::MatrixTransform> flat =
          new osg::MatrixTransform(ShadowMatrix(light, 1e-3 * (1 + layer)));
      flat->addChild(solids);
      osg::StateSet& state = *flat->getOrCreateStateSet();
      const auto wins = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
      state.setAttributeAndModes(
          MakeProgram(internal::kShadowVertex, internal::kShadowFragment),
          wins);
      state.setMode(GL_BLEND, wins);
      state.setAttributeAndModes(
          new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA), wins);
      // Where a layer has been drawn it is not drawn again.
      osg::ref_ptr<osg::Stencil> once = new osg::Stencil;
      once->setFunction(osg::Stencil::NOTEQUAL, layer + 1, ~0U);
      once->setOperation(osg::Stencil::KEEP, osg::Stencil::KEEP,
                         osg::Stencil::REPLACE);
      state.setAttributeAndModes(once, wins);
      state.setRenderBinDetails(kShadows + layer, "RenderBin",
                                osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
      shadows->addChild(flat);
    }
    // Below the floor's edge of seeing, and never in the way of a click.
    shadows->setNodeMask(~kPickMask);
  }

  static void MakeLines(osg::Geometry& lines, bool on_top) {
    lines.setVertexArray(new osg::Vec3Array);
    lines.setColorArray(new osg::Vec4Array, osg::Array::BIND_PER_VERTEX);
    lines.addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 0));
    lines.setDataVariance(osg::Object::DYNAMIC);
    lines.setCullingActive(false);
    lines.setUseDisplayList(false);
    osg::StateSet& state = *lines.getOrCreateStateSet();
    state.setAttributeAndModes(new osg::LineWidth(on_top ? 2.5F : 2.0F));
    state.setAttributeAndModes(
        MakeProgram(internal::kLineVertex, internal::kLineFragment));
    if (!on_top) return;
    state.setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
    state.setRenderBinDetails(kOnTop, "RenderBin");
  }

  static void SetLines(osg::Geometry& geometry, const std::vector<Line>& lines,
                       bool on_top) {
    auto* vertices = static_cast<osg::Vec3Array*>(geometry.getVertexArray());
    auto* colours = static_cast<osg::Vec4Array*>(geometry.getColorArray());
    vertices->clear();
    colours->clear();
    for (const Line& line : lines) {
      if (line.on_top != on_top) continue;
      vertices->push_back(ToOsg(line.begin));
      vertices->push_back(ToOsg(line.end));
      colours->push_back(ToOsgColour(line.colour));
      colours->push_back(ToOsgColour(line.colour));
    }
    static_cast<osg::DrawArrays*>(geometry.getPrimitiveSet(0))
        ->setCount(static_cast<int>(vertices->size()));
    vertices->dirty();
    colours->dirty();
    geometry.dirtyBound();
  }

  void SetColour(std::size_t part, const Colour& colour) {
    if (colours[part] == colour) return;
    colours[part] = colour;
    auto* array =
        static_cast<osg::Vec4Array*>(geometries[part]->getColorArray());
    (*array)[0] = ToOsgColour(colour, looks[part].opacity);
    array->dirty();
  }

  static constexpr unsigned kPickMask = 0x1;
};

Stage::Stage(const std::vector<Part>& parts)
    : root_(new osg::Group), nodes_(std::make_unique<Nodes>()) {
  osg::StateSet& state = *nodes_->solids->getOrCreateStateSet();
  state.setAttributeAndModes(
      MakeProgram(internal::kSolidVertex, internal::kSolidFragment));
  state.addUniform(
      new osg::Uniform("key_light", osg::Vec3(ToOsg(internal::kKeyLight))));
  for (const Part& part : parts) nodes_->AddPart(part);
  nodes_->MakeFloor();
  nodes_->MakeShadows();
  Nodes::MakeLines(*nodes_->lines, false);
  Nodes::MakeLines(*nodes_->lines_on_top, true);
  root_->addChild(nodes_->solids);
  root_->addChild(nodes_->floor);
  root_->addChild(nodes_->shadows);
  root_->addChild(nodes_->lines);
  root_->addChild(nodes_->lines_on_top);
}

Stage::~Stage() = default;

osg::Group* Stage::root() const { return root_; }

void Stage::Set(const Picture& picture) {
  if (picture.poses.size() != nodes_->parts.size()) {
    throw std::invalid_argument("picture.poses must have one pose per part: " +
                                std::to_string(nodes_->parts.size()) +
                                ", found " +
                                std::to_string(picture.poses.size()));
  }
  for (std::size_t i = 0; i < picture.poses.size(); ++i) {
    const bool hidden = IsHidden(picture.poses[i]);
    nodes_->parts[i]->setNodeMask(hidden ? 0U : ~0U);
    if (!hidden) nodes_->parts[i]->setMatrix(ToOsg(picture.poses[i]));
  }
  std::vector<Colour> colours;
  for (const Part& part : nodes_->looks) colours.push_back(part.colour);
  for (const PartColour& changed : picture.colours) {
    colours.at(static_cast<std::size_t>(changed.part)) = changed.colour;
  }
  for (std::size_t i = 0; i < colours.size(); ++i) {
    nodes_->SetColour(i, colours[i]);
  }
  std::vector<Line> lines = picture.lines;
  for (const Sign& sign : picture.signs) internal::AddSign(sign, lines);
  Nodes::SetLines(*nodes_->lines, lines, false);
  Nodes::SetLines(*nodes_->lines_on_top, lines, true);
}

void Stage::SetShadows(bool on) {
  nodes_->shadows->setNodeMask(on ? ~Nodes::kPickMask : 0U);
}

void Stage::SetFloor(bool on) { nodes_->floor->setNodeMask(on ? ~0U : 0U); }

int Stage::Pick(const Vector3& eye, const Vector3& direction,
                Vector3* p_W) const {
  constexpr double kFar = 1000.0;
  osg::ref_ptr<osgUtil::LineSegmentIntersector> ray =
      new osgUtil::LineSegmentIntersector(ToOsg(eye),
                                          ToOsg(eye + kFar * direction));
  osgUtil::IntersectionVisitor visitor(ray);
  visitor.setTraversalMask(Nodes::kPickMask);
  nodes_->solids->accept(visitor);
  if (!ray->containsIntersections()) return -1;
  *p_W = FromOsg(ray->getFirstIntersection().getWorldIntersectPoint());
  const osg::NodePath& path = ray->getFirstIntersection().nodePath;
  for (std::size_t i = 0; i < nodes_->parts.size(); ++i) {
    for (const osg::Node* node : path) {
      if (node == nodes_->parts[i]) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace limber::viewer
