// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/overlay.h"

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Program>

#include <algorithm>

namespace limber::viewer::internal {

namespace {

const osg::Vec4 kInk(0.13, 0.16, 0.20, 1.0);
const osg::Vec4 kPaper(0.98, 0.98, 0.99, 0.88);
const osg::Vec4 kBarBack(0.55, 0.59, 0.65, 0.45);
const osg::Vec4 kBar(0.20, 0.42, 0.70, 0.95);
const osg::Vec4 kBand(0.98, 0.98, 0.99, 0.75);
const osg::Vec4 kTick(0.30, 0.34, 0.40, 0.90);
const osg::Vec4 kEventMark(0.76, 0.09, 0.36, 0.85);
const osg::Vec4 kMarkOff(0.45, 0.45, 0.48, 0.85);
const osg::Vec4 kMarkSelected(0.98, 0.72, 0.10, 1.0);
const osg::Vec4 kProgress(0.10, 0.58, 0.42, 0.95);

/// An event is seen even if it is over at once [px].
constexpr double kNarrowestMark = 5.0;
/// Of the bar of what is being computed [px].
constexpr double kProgressHeight = 4.0;
/// Of the line that stands where the clock is [px].
constexpr double kCursorWidth = 3.0;

osg::ref_ptr<osgText::Text> MakeText(float size = 16.0F) {
  static const osg::ref_ptr<osgText::Font> font = [] {
    osg::ref_ptr<osgText::Font> found = osgText::readRefFontFile(
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    return found.valid() ? found : osgText::Font::getDefaultFont();
  }();
  osg::ref_ptr<osgText::Text> text = new osgText::Text;
  text->setFont(font);
  text->setCharacterSize(size);
  text->setColor(kInk);
  text->setAxisAlignment(osgText::TextBase::SCREEN);
  text->setAlignment(osgText::TextBase::LEFT_TOP);
  text->setDataVariance(osg::Object::DYNAMIC);
  return text;
}

osg::ref_ptr<osg::Geometry> MakeRectangle(const osg::Vec4& colour) {
  osg::ref_ptr<osg::Geometry> rectangle = new osg::Geometry;
  rectangle->setVertexArray(new osg::Vec3Array(4));
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  colours->push_back(colour);
  rectangle->setColorArray(colours, osg::Array::BIND_OVERALL);
  rectangle->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLE_FAN, 0, 4));
  rectangle->setDataVariance(osg::Object::DYNAMIC);
  rectangle->setUseDisplayList(false);
  return rectangle;
}

/// Lines or rectangles whose corners change.
osg::ref_ptr<osg::Geometry> MakeStrokes(const osg::Vec4& colour, GLenum mode) {
  osg::ref_ptr<osg::Geometry> strokes = MakeRectangle(colour);
  strokes->setVertexArray(new osg::Vec3Array);
  strokes->setPrimitiveSet(0, new osg::DrawArrays(mode, 0, 0));
  return strokes;
}

osg::Vec3 Pixel(double x, double y) { return {float(x), float(y), 0.0F}; }

void SetCorners(osg::Geometry& strokes, osg::ref_ptr<osg::Vec3Array> corners) {
  const auto count = GLsizei(corners->size());
  strokes.setVertexArray(corners);
  static_cast<osg::DrawArrays*>(strokes.getPrimitiveSet(0))->setCount(count);
  strokes.dirtyBound();
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

Overlay::Overlay()
    : camera_(new osg::Camera),
      notes_(MakeText()),
      help_(MakeText()),
      more_help_(MakeText()),
      help_back_(MakeRectangle(kPaper)),
      bar_back_(MakeRectangle(kBarBack)),
      bar_(MakeRectangle(kBar)),
      band_(MakeRectangle(kBand)),
      events_(MakeStrokes(kEventMark, GL_QUADS)),
      events_off_(MakeStrokes(kMarkOff, GL_QUADS)),
      selected_(MakeStrokes(kMarkSelected, GL_QUADS)),
      progress_(MakeRectangle(kProgress)),
      list_(MakeText()),
      cursor_(MakeRectangle(kInk)),
      ticks_(MakeStrokes(kTick, GL_LINES)),
      reading_(MakeText()) {
  camera_->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera_->setViewMatrix(osg::Matrix::identity());
  camera_->setClearMask(0);
  camera_->setRenderOrder(osg::Camera::POST_RENDER);
  camera_->setAllowEventFocus(false);
  osg::StateSet& state = *camera_->getOrCreateStateSet();
  state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state.setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state.setMode(GL_BLEND, osg::StateAttribute::ON);
  state.setAttributeAndModes(
      new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
  reading_->setAlignment(osgText::TextBase::LEFT_BOTTOM);
  list_->setAlignment(osgText::TextBase::RIGHT_TOP);
  // Drawn in the order in which they stand here.
  Add(band_);
  Add(bar_back_);
  Add(bar_);
  Add(events_off_);
  Add(events_);
  Add(selected_);
  Add(ticks_);
  Add(cursor_);
  Add(progress_);
  Add(reading_);
  Add(notes_);
  Add(list_);
  Add(help_back_);
  Add(help_);
  Add(more_help_);
  Resize(width_, height_);
}

void Overlay::Add(osg::Drawable* drawable) {
  drawable->getOrCreateStateSet()->setRenderBinDetails(order_++, "RenderBin");
  drawable->setCullingActive(false);
  camera_->addChild(drawable);
}

void Overlay::Resize(int width, int height) {
  width_ = width;
  height_ = height;
  camera_->setViewport(0, 0, width, height);
  camera_->setProjectionMatrixAsOrtho2D(0, width, 0, height);
}

void Overlay::PlaceBar(osg::Geometry& bar, double left, double right,
                       double bottom, double top) {
  auto& corners = *static_cast<osg::Vec3Array*>(bar.getVertexArray());
  corners[0] = osg::Vec3(float(left), float(bottom), 0.0F);
  corners[1] = osg::Vec3(float(right), float(bottom), 0.0F);
  corners[2] = osg::Vec3(float(right), float(top), 0.0F);
  corners[3] = osg::Vec3(float(left), float(top), 0.0F);
  corners.dirty();
  bar.dirtyBound();
}

void Overlay::SetTicks(const TimeLine& line) {
  const std::vector<TimeLine::Tick> ticks = line.Ticks();
  const auto is_same = [](const TimeLine::Tick& a, const TimeLine::Tick& b) {
    return a.x == b.x && a.label == b.label;
  };
  if (std::ranges::equal(ticks, shown_ticks_, is_same)) return;
  shown_ticks_ = ticks;
  osg::ref_ptr<osg::Vec3Array> ends = new osg::Vec3Array;
  std::size_t used = 0;
  for (const TimeLine::Tick& tick : ticks) {
    const bool is_labelled = !tick.label.empty();
    const double top = is_labelled ? TimeLine::kTicks
                                   : 0.5 * (TimeLine::kBar + TimeLine::kTicks);
    ends->push_back(Pixel(tick.x, TimeLine::kBar));
    ends->push_back(Pixel(tick.x, top));
    if (!is_labelled) continue;
    if (used == labels_.size()) {
      labels_.push_back(MakeText(13.0F));
      labels_.back()->setAlignment(osgText::TextBase::LEFT_BOTTOM);
      Add(labels_.back());
    }
    osgText::Text& label = *labels_[used++];
    label.setNodeMask(~0U);
    label.setText(tick.label);
    // To the right of its tick; the last one to the left, where it has room.
    const bool is_last = tick.x > width_ - 30.0;
    label.setAlignment(is_last ? osgText::TextBase::RIGHT_BOTTOM
                               : osgText::TextBase::LEFT_BOTTOM);
    label.setPosition(
        Pixel(tick.x + (is_last ? -3.0 : 3.0), TimeLine::kBar + 1.0));
  }
  for (; used < labels_.size(); ++used) labels_[used]->setNodeMask(0U);
  SetCorners(*ticks_, ends);
}

void Overlay::SetTimeLine(const TimeLine& line, const TimeLineView& view) {
  SetTicks(line);
  const double now = line.XOf(view.time);
  PlaceBar(*band_, 0.0, width_, 0.0, TimeLine::kHeight);
  PlaceBar(*bar_back_, 0.0, width_, 0.0, TimeLine::kBar);
  PlaceBar(*bar_, 0.0, now, 0.0, TimeLine::kBar);
  // Half of it may not lie outside at either end.
  const double middle =
      std::clamp(now, 0.5 * kCursorWidth, width_ - 0.5 * kCursorWidth);
  PlaceBar(*cursor_, middle - 0.5 * kCursorWidth, middle + 0.5 * kCursorWidth,
           0.0, TimeLine::kTicks);
  SetMarks(line, view.marks);
  progress_->setNodeMask(view.progress ? ~0U : 0U);
  PlaceBar(*progress_, 0.0, width_ * view.progress.value_or(0.0),
           TimeLine::kHeight, TimeLine::kHeight + kProgressHeight);
  reading_->setText(view.reading, osgText::String::ENCODING_UTF8);
  reading_->setPosition(Pixel(14.0, TimeLine::kTicks + 2.0));
}

void Overlay::SetMarks(const TimeLine& line,
                       const std::vector<EventMark>& marks) {
  const osg::ref_ptr<osg::Vec3Array> on = new osg::Vec3Array;
  const osg::ref_ptr<osg::Vec3Array> off = new osg::Vec3Array;
  const osg::ref_ptr<osg::Vec3Array> selected = new osg::Vec3Array;
  for (const EventMark& mark : marks) {
    osg::Vec3Array& corners =
        *(mark.is_selected ? selected : (mark.is_on ? on : off));
    const double left = std::min(line.XOf(mark.from), width_ - kNarrowestMark);
    const double right = std::max(line.XOf(mark.to), left + kNarrowestMark);
    const auto add = [&corners](double x_0, double x_1, double y_0,
                                double y_1) {
      corners.push_back(Pixel(x_0, y_0));
      corners.push_back(Pixel(x_1, y_0));
      corners.push_back(Pixel(x_1, y_1));
      corners.push_back(Pixel(x_0, y_1));
    };
    // Where it begins it can be taken: there it is as high as the bar.
    add(left, left + kNarrowestMark, 0.0, TimeLine::kBar);
    add(left, right, 0.3 * TimeLine::kBar, 0.7 * TimeLine::kBar);
  }
  SetCorners(*events_, on);
  SetCorners(*events_off_, off);
  SetCorners(*selected_, selected);
}

void Overlay::Set(const std::vector<std::string>& notes,
                  const std::vector<std::string>& help, const TimeLine& line,
                  const TimeLineView& view) {
  constexpr double kMargin = 14.0;
  notes_->setText(Joined(notes), osgText::String::ENCODING_UTF8);
  notes_->setPosition(Pixel(kMargin, height_ - kMargin));
  notes_->setMaximumWidth(float(width_ - 2.0 * kMargin));
  list_->setText(Joined(view.list), osgText::String::ENCODING_UTF8);
  list_->setPosition(Pixel(width_ - kMargin, height_ - kMargin));
  SetTimeLine(line, view);
  SetHelp(help);
}

void Overlay::SetHelp(const std::vector<std::string>& help) {
  const unsigned shown = help.empty() ? 0U : ~0U;
  // The page would lie over half of these.
  notes_->setNodeMask(~shown);
  list_->setNodeMask(~shown);
  help_->setNodeMask(shown);
  more_help_->setNodeMask(shown);
  help_back_->setNodeMask(shown);
  if (help.empty()) return;
  // Two columns where there is much to say; lines come closer where the window
  // is low.
  constexpr double kColumn = 490.0;
  constexpr double kFrameAround = 40.0;
  constexpr std::size_t kMostInOne = 28;
  const std::size_t columns = help.size() > kMostInOne ? 2 : 1;
  const std::size_t rows = (help.size() + columns - 1) / columns;
  const double room = height_ - TimeLine::kHeight - kFrameAround;
  const double line = std::min(21.0, room / static_cast<double>(rows));
  const double height = line * static_cast<double>(rows) + kFrameAround;
  const double width = std::min(double(width_), kColumn * double(columns));
  const double left = 0.5 * (width_ - width);
  const double upper = TimeLine::kHeight + 0.5 * (room + kFrameAround + height);
  PlaceBar(*help_back_, left, left + width, upper - height, upper);
  const auto middle = help.begin() + static_cast<std::ptrdiff_t>(rows);
  const auto place = [&](osgText::Text& text, std::vector<std::string> lines,
                         double x) {
    text.setCharacterSize(float(15.0 / 21.0 * line));
    text.setLineSpacing(0.25F);
    text.setText(Joined(lines), osgText::String::ENCODING_UTF8);
    text.setPosition(Pixel(x, upper - 0.5 * kFrameAround));
  };
  place(*help_, {help.begin(), middle}, left + 20.0);
  place(*more_help_, {middle, help.end()},
        left + 20.0 + width / static_cast<double>(columns));
}

}  // namespace limber::viewer::internal
