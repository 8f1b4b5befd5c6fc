// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/angle.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/internal/bvh_format.h"
#include "mocap/io/internal/channel_rows.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap {

namespace {

using figure::Channel;
using figure::ChannelKind;
using figure::ChannelLayout;

constexpr int kDecimals = 6;
// Deeper joints are not indented further, or a long chain would make a file of
// quadratic size.
constexpr int kDeepestIndent = 32;

// Whether BVH can hold these channels: plain angles in the file's axes.
bool IsBvhLayout(const ChannelLayout& layout, figure::UpAxis up) {
  return layout.order() == figure::RotationOrder::kFirstIsOutermost &&
         layout.R_FA().empty() &&
         AngleBetween(layout.R_WF(), figure::FileToWorld(up)) < 1e-12 &&
         std::none_of(layout.channels().begin(), layout.channels().end(),
                      [](const Channel& channel) {
                        return channel.kind == ChannelKind::kQuaternion;
                      });
}

// Positions where the motion has them and on every root; Z X Y rotations.
std::shared_ptr<const ChannelLayout> DefaultLayout(
    const figure::Motion& motion) {
  const figure::Skeleton& skeleton = motion.skeleton();
  const int num_joints = skeleton.num_joints();
  std::vector<bool> moves(static_cast<std::size_t>(num_joints), false);
  for (const Channel& channel : motion.layout()->channels()) {
    if (channel.kind == ChannelKind::kTranslation) {
      moves[static_cast<std::size_t>(channel.joint)] = true;
    }
  }
  std::vector<Channel> channels;
  for (int joint = 0; joint < num_joints; ++joint) {
    const auto add = [&](ChannelKind kind, int axis) {
      channels.push_back({joint, kind, static_cast<std::uint8_t>(axis)});
    };
    if (skeleton.is_root(joint) || moves[static_cast<std::size_t>(joint)]) {
      for (const int axis : {0, 1, 2}) add(ChannelKind::kTranslation, axis);
    }
    for (const int axis : {2, 0, 1}) add(ChannelKind::kRotation, axis);
  }
  return std::make_shared<const ChannelLayout>(
      num_joints, std::move(channels), figure::RotationOrder::kFirstIsOutermost,
      figure::FileToWorld(motion.source().up));
}

class BvhWriter {
 public:
  BvhWriter(const figure::Motion& motion, const BvhWriteOptions& options)
      : motion_(motion), diagnostics_(options.file, options.strict) {
    const figure::MotionSource& source = motion.source();
    layout_ = source.channels && IsBvhLayout(*source.channels, source.up)
                  ? source.channels
                  : DefaultLayout(motion);
  }

  Result<std::string> Write() && {
    WriteHierarchy();
    WriteRows();
    if (diagnostics_.has_errors()) {
      return Result<std::string>(std::move(diagnostics_));
    }
    return Result<std::string>(std::move(text_), std::move(diagnostics_));
  }

 private:
  void Line(int depth, std::string_view line) {
    text_.append(static_cast<std::size_t>(std::min(depth, kDeepestIndent)),
                 '\t');
    text_ += line;
    text_ += '\n';
  }

  void WriteOffset(int depth, const Vector3& p) {
    const figure::MotionSource& source = motion_.source();
    const Vector3 offset =
        figure::FileToWorld(source.up).conjugate() * p / source.metres_per_unit;
    std::string line = "OFFSET";
    for (int axis = 0; axis < 3; ++axis) {
      line += ' ';
      internal::AppendFixed(line, offset[axis], kDecimals);
    }
    if (!internal::IsWritable(offset)) {
      Refuse(line + " is beyond what BVH files hold");
    }
    Line(depth, line);
  }

  // One error is enough.
  void Refuse(std::string message) {
    if (diagnostics_.has_errors()) return;
    diagnostics_.Error("too-large", {},
                       std::move(message) +
                           ": at most 1000000000 of the "
                           "file's unit, or degrees");
  }

  // A name must stay on its line, not be cut at a brace or at its ends, and be
  // there.
  std::string SafeName(int joint) {
    const std::string& name = motion_.skeleton().joint(joint).name;
    return SafeText(name,
                    name.empty() ? "joint" + std::to_string(joint) : name);
  }

  std::string SafeText(const std::string& name, std::string safe) {
    for (std::size_t i = 0; i < safe.size(); ++i) {
      const bool at_edge = i == 0 || i + 1 == safe.size();
      const bool is_blank = internal::Trim(safe.substr(i, 1)).empty();
      const bool breaks = safe[i] == '\n' || safe[i] == '\r' || safe[i] == '{';
      if (breaks || (at_edge && is_blank)) safe[i] = '_';
    }
    if (safe != name) {
      diagnostics_.Warning("name-changed", {},
                           "BVH cannot hold the joint name \"" +
                               internal::Excerpt(name) + "\"; writing \"" +
                               internal::Excerpt(safe) + "\"");
    }
    return safe;
  }

  void WriteHierarchy() {
    const figure::Skeleton& skeleton = motion_.skeleton();
    order_ = skeleton.DepthFirstOrder();
    // Sites by joint: first of each joint, next of the same joint.
    const std::vector<figure::Site>& sites = skeleton.sites();
    std::vector<int> first_site(order_.size(), -1);
    std::vector<int> next_site(sites.size(), -1);
    for (std::size_t i = sites.size(); i-- > 0;) {
      int& head = first_site[static_cast<std::size_t>(sites[i].joint)];
      next_site[i] = head;
      head = static_cast<int>(i);
    }
    Line(0, "HIERARCHY");
    // After a joint and its sites, close all blocks up to the parent of the
    // joint that follows.
    std::vector<int> depths(order_.size(), 0);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const int joint = order_[k];
      const int parent = skeleton.joint(joint).parent;
      const int depth =
          parent < 0 ? 0 : depths[static_cast<std::size_t>(parent)] + 1;
      depths[static_cast<std::size_t>(joint)] = depth;
      WriteJoint(joint, depth);
      for (int s = first_site[static_cast<std::size_t>(joint)]; s >= 0;
           s = next_site[static_cast<std::size_t>(s)]) {
        WriteSite(sites[static_cast<std::size_t>(s)], depth + 1);
      }
      const int next_parent =
          k + 1 < order_.size() ? skeleton.joint(order_[k + 1]).parent : -1;
      for (int open = joint; open != next_parent;
           open = skeleton.joint(open).parent) {
        Line(depths[static_cast<std::size_t>(open)], "}");
      }
    }
  }

  void WriteJoint(int joint, int depth) {
    Line(depth, (depth == 0 ? "ROOT " : "JOINT ") + SafeName(joint));
    Line(depth, "{");
    WriteOffset(depth + 1, motion_.skeleton().joint(joint).offset);
    const figure::ChannelRun& run =
        layout_->runs()[static_cast<std::size_t>(joint)];
    std::string line = "CHANNELS " + std::to_string(run.size());
    for (std::size_t i = run.begin; i < run.end; ++i) {
      line += ' ';
      line += internal::BvhChannelName(layout_->channels()[i]);
    }
    Line(depth + 1, line);
  }

  void WriteSite(const figure::Site& site, int depth) {
    Line(depth, site.name.empty()
                    ? "End Site"
                    : "End Site " + SafeText(site.name, site.name));
    Line(depth, "{");
    WriteOffset(depth + 1, site.offset);
    Line(depth, "}");
  }

  // One number of a written row: the channel it comes from, and the file's
  // unit [m or rad].
  struct Column {
    std::size_t channel;
    double unit;
  };

  std::vector<Column> Columns() const {
    std::vector<Column> columns;
    for (const int joint : order_) {
      const figure::ChannelRun& run =
          layout_->runs()[static_cast<std::size_t>(joint)];
      for (std::size_t i = run.begin; i < run.end; ++i) {
        const bool is_length =
            layout_->channels()[i].kind == ChannelKind::kTranslation;
        columns.push_back({i, is_length ? motion_.source().metres_per_unit
                                        : kRadiansPerDegree});
      }
    }
    return columns;
  }

  void WriteRows() {
    Line(0, "MOTION");
    Line(0, "Frames: " + std::to_string(motion_.num_frames()));
    const std::string period = internal::PeriodText(motion_.rate_hz());
    if (!internal::ReadsAsRate(period)) {
      diagnostics_.Error("rate", {},
                         "BVH cannot hold a frame time of " + period +
                             " s: it is no time, or readers take it for "
                             "milliseconds");
    }
    Line(0, "Frame Time: " + period);
    const std::vector<Column> columns = Columns();
    internal::ChannelRows rows(motion_, layout_);
    for (std::int64_t frame = 0; frame < motion_.num_frames(); ++frame) {
      const std::span<const double> row = rows.Next();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text_ += ' ';
        const double value = row[columns[i].channel] / columns[i].unit;
        if (!internal::IsWritable(value)) {
          const int joint = layout_->channels()[columns[i].channel].joint;
          Refuse("frame " + std::to_string(frame + 1) + ", joint \"" +
                 internal::Excerpt(motion_.skeleton().joint(joint).name) +
                 "\": a value is beyond what BVH files hold");
          return;
        }
        internal::AppendFixed(text_, value, kDecimals);
      }
      text_ += '\n';
    }
    rows.ReportLoss(diagnostics_);
  }

  const figure::Motion& motion_;
  Diagnostics diagnostics_;
  std::shared_ptr<const ChannelLayout> layout_;
  std::vector<int> order_;  // Joints as the file nests them.
  std::string text_;
};

}  // namespace

Result<std::string> WriteBvh(const figure::Motion& motion,
                             const BvhWriteOptions& options) {
  return BvhWriter(motion, options).Write();
}

Diagnostics WriteBvhFile(const std::filesystem::path& path,
                         const figure::Motion& motion,
                         const BvhWriteOptions& options) {
  BvhWriteOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  const Result<std::string> text = WriteBvh(motion, named);
  Diagnostics diagnostics = text.diagnostics();
  if (text) diagnostics.Append(WriteWholeFile(path, *text));
  return diagnostics;
}

}  // namespace limber::mocap
