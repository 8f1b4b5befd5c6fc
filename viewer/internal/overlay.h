// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <osg/Camera>
#include <osg/Geometry>
#include <osg/ref_ptr>
#include <osgText/Text>

#include <optional>
#include <string>
#include <vector>

#include "viewer/edit_desk.h"
#include "viewer/time_line.h"

namespace limber::viewer::internal {

/// What the time line shows of one moment.
struct TimeLineView {
  double time = 0.0;    ///< [s]
  std::string reading;  ///< In words, over its left end.
  std::vector<EventMark> marks;
  std::vector<std::string> list;   ///< The events in words.
  std::optional<double> progress;  ///< Of what is being computed, 0 to 1.
};

/// Text and time line in front of the picture, in pixels.
class Overlay {
 public:
  Overlay();

  osg::Camera* camera() const { return camera_; }
  void Resize(int width, int height);
  /// @param notes   lines in the upper left corner.
  /// @param help    lines of the help page; empty hides it.
  void Set(const std::vector<std::string>& notes,
           const std::vector<std::string>& help, const TimeLine& line,
           const TimeLineView& view);

 private:
  static void PlaceBar(osg::Geometry& bar, double left, double right,
                       double bottom, double top);
  void SetHelp(const std::vector<std::string>& help);
  void SetTimeLine(const TimeLine& line, const TimeLineView& view);
  void SetMarks(const TimeLine& line, const std::vector<EventMark>& marks);
  /// Ticks and their numbers, which change only with the window and the show.
  void SetTicks(const TimeLine& line);
  void Add(osg::Drawable* drawable);

  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osgText::Text> notes_;
  osg::ref_ptr<osgText::Text> help_;
  osg::ref_ptr<osgText::Text> more_help_;  ///< Its second column.
  osg::ref_ptr<osg::Geometry> help_back_;
  osg::ref_ptr<osg::Geometry> bar_back_;
  osg::ref_ptr<osg::Geometry> bar_;
  osg::ref_ptr<osg::Geometry> band_;  ///< Behind bar, ticks and numbers.
  /// A rectangle for each event: those that happen, those that are switched
  /// off, the selected one.
  osg::ref_ptr<osg::Geometry> events_;
  osg::ref_ptr<osg::Geometry> events_off_;
  osg::ref_ptr<osg::Geometry> selected_;
  osg::ref_ptr<osg::Geometry> progress_;
  osg::ref_ptr<osgText::Text> list_;
  osg::ref_ptr<osg::Geometry> cursor_;
  osg::ref_ptr<osg::Geometry> ticks_;
  osg::ref_ptr<osgText::Text> reading_;
  std::vector<osg::ref_ptr<osgText::Text>> labels_;
  std::vector<TimeLine::Tick> shown_ticks_;
  int order_ = 0;
  int width_ = 1280;
  int height_ = 720;
};

}  // namespace limber::viewer::internal
