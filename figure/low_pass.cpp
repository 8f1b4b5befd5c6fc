// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/low_pass.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/clip_time.h"

namespace limber::figure {

namespace {

// Rotation and translation of a joint in one frame.
using Numbers = Eigen::Matrix<double, 7, 1>;

// y_n = b (x_n + 2 x_n-1 + x_n-2) - a1 y_n-1 - a2 y_n-2
struct Filter {
  double b = 1.0;
  double a1 = 0.0;
  double a2 = 0.0;

  // Run twice, a filter of cutoff c has 1/2 where one run has sqrt(1/2): at c.
  Filter(double cutoff_hz, double rate_hz) {
    const double w = std::tan(kPi * cutoff_hz / rate_hz);
    const double n = 1.0 + std::sqrt(2.0) * w + w * w;
    b = w * w / n;
    a1 = 2.0 * (w * w - 1.0) / n;
    a2 = (1.0 - std::sqrt(2.0) * w + w * w) / n;
  }

  // In place, from a state of rest at the first value.
  template <typename Iterator>
  void Run(Iterator begin, Iterator end) const {
    Numbers x1 = *begin, x2 = *begin, y1 = *begin, y2 = *begin;
    for (Iterator it = begin; it != end; ++it) {
      const Numbers x = *it;
      const Numbers y = b * (x + 2.0 * x1 + x2) - a1 * y1 - a2 * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      *it = y;
    }
  }
};

}  // namespace

Motion LowPass(const Motion& motion, double cutoff_hz) {
  if (!(cutoff_hz > 0.0)) {
    throw std::invalid_argument("LowPass: cutoff_hz must be positive, is " +
                                std::to_string(cutoff_hz));
  }
  const auto num_frames = static_cast<std::size_t>(motion.num_frames());
  if (num_frames < 3 || cutoff_hz >= 0.5 * motion.rate_hz()) return motion;
  const Filter filter(cutoff_hz, motion.rate_hz());
  // Mirrored stretches long enough for the filter to forget its start.
  const auto wanted = static_cast<std::size_t>(
      FramesIn(4.0 / cutoff_hz, motion.rate_hz(), Frames::kUp));
  const std::size_t pad = std::min(num_frames - 1, wanted);

  std::vector<Pose> poses(num_frames);
  for (std::size_t f = 0; f < num_frames; ++f) {
    motion.GetPose(static_cast<std::int64_t>(f), poses[f]);
  }
  std::vector<Numbers> line(num_frames + 2 * pad);
  for (std::size_t j = 0; j < poses[0].X_PJ.size(); ++j) {
    for (std::size_t f = 0; f < num_frames; ++f) {
      const Transform& X = poses[f].X_PJ[j];
      Numbers& at = line[pad + f];
      at << X.R.w(), X.R.x(), X.R.y(), X.R.z(), X.p;
      // q and -q are one rotation: stay on the side of the frame before.
      if (f > 0 && at.head<4>().dot(line[pad + f - 1].head<4>()) < 0.0) {
        at.head<4>() *= -1.0;
      }
    }
    const std::size_t last = pad + num_frames - 1;
    for (std::size_t i = 1; i <= pad; ++i) {
      line[pad - i] = 2.0 * line[pad] - line[pad + i];
      line[last + i] = 2.0 * line[last] - line[last - i];
    }
    filter.Run(line.begin(), line.end());
    filter.Run(line.rbegin(), line.rend());
    for (std::size_t f = 0; f < num_frames; ++f) {
      const Numbers& at = line[pad + f];
      poses[f].X_PJ[j].R = Quaternion(at[0], at[1], at[2], at[3]).normalized();
      poses[f].X_PJ[j].p = at.tail<3>();
    }
  }
  Motion smooth(motion.shared_skeleton(), motion.rate_hz(), motion.source());
  for (const Pose& pose : poses) smooth.Append(pose);
  return smooth;
}

}  // namespace limber::figure
