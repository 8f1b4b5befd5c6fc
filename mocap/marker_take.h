// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "mocap/axis_convention.h"
#include "mocap/metadata.h"

namespace limber::mocap {

/// What the three numbers of a point are. Only markers are positions [m, +Y
/// up]; the others, which gait software stores beside them, keep the numbers
/// and axes of the file.
enum class PointKind { kMarker, kAngle, kForce, kMoment, kPower, kScalar };

/// Who said which unit or axes a file has. kEvidence: the points themselves
/// (`SettleAxesAndUnit`), against the word of the file or its custom.
enum class Decision { kFile, kCaller, kDefault, kEvidence };

/// What the file was like, so that a writer can restore it.
struct TakeOrigin {
  std::string unit = "mm";  ///< As written in the file, without padding.
  double metres_per_unit = 0.001;
  Decision unit_decision = Decision::kDefault;
  AxisConvention axes;
  Decision axes_decision = Decision::kDefault;
  int interpolation_gap = 0;  ///< C3D header word 6 [frames].
  /// C3D's |POINT:SCALE|: what a residual, and an integer coordinate, is
  /// counted in [file units]; 0 = none.
  double point_scale = 0.0;
};

/// A sampled voltage, force, muscle signal. Samples are in physical units:
///
///     sample = (stored - offset) * scale
struct AnalogChannel {
  std::string label;
  std::string description;
  std::string unit;
  double scale = 1.0;   ///< Channel scale times the file's general scale.
  double offset = 0.0;  ///< In stored units.

  bool operator==(const AnalogChannel&) const = default;
};

/// The analog channels of a take; all have the same rate.
struct AnalogData {
  double rate_hz = 0.0;
  int samples_per_frame = 0;  ///< Whole number of samples per marker frame.
  std::vector<AnalogChannel> channels;
  /// Sample-major: value of channel c at sample s is [s * channels.size() + c].
  std::vector<double> samples;

  std::int64_t num_samples() const;
  double Sample(std::int64_t sample, int channel) const;
};

/// Something that happened at a moment of the take.
struct TakeEvent {
  std::string label;    ///< "Foot Strike".
  std::string context;  ///< "Left", "Right", "General", or empty.
  double time_s = 0.0;  ///< After the first stored frame [s].
  std::string subject;  ///< May be empty.
  std::string description;
  int icon_id = 0;
  bool in_header = false;  ///< C3D's short form: 4 letters, no context.
  bool hidden = false;     ///< Display switched off (header events only).

  bool operator==(const TakeEvent&) const = default;
};

/// A force plate. Points are in metres with +Y up; the calibration keeps the
/// file's units.
struct ForcePlate {
  int type = 0;                      ///< C3D plate type, 1 to 4 and beyond.
  std::vector<Vector3> corners;      ///< Four of them [m].
  Vector3 origin = Vector3::Zero();  ///< As stored, plate axes [m].
  std::vector<int> channels;  ///< Analog channel indices, from 0; -1 none.
  MatrixX calibration;        ///< Empty where the file has none.
};

/// A run of missing samples of one marker.
struct Gap {
  int marker = 0;
  std::int64_t first_frame = 0;  ///< Index, from 0.
  std::int64_t num_frames = 0;
};

/// Labelled points over time with everything a C3D file holds beside them.
///
/// Positions are in metres, right-handed, +Y up. A sample that was not seen is
/// missing: its position is NaN and `IsVisible` is false. Frames are counted
/// by index from 0; frame index i has the number first_frame + i in the
/// recording and lies i / rate_hz after the start. Costs 24 bytes a sample, 5
/// more when residuals or camera masks are kept.
class MarkerTake {
 public:
  MarkerTake() = default;
  /// A take of which every sample is missing.
  /// @throws std::invalid_argument if `num_frames` is negative or `rate_hz` is
  ///         not positive and finite.
  MarkerTake(std::vector<std::string> labels, std::int64_t num_frames,
             double rate_hz);

  /// A take with these samples, as `positions` lays them out. `residuals` [m]
  /// and `camera_masks` are empty or hold one value per sample.
  /// @throws std::invalid_argument as above, or if the sizes do not agree.
  MarkerTake(std::vector<std::string> labels, std::int64_t num_frames,
             double rate_hz, std::vector<double> positions,
             std::vector<float> residuals = {},
             std::vector<std::uint8_t> camera_masks = {});

  int num_markers() const { return static_cast<int>(labels_.size()); }
  std::int64_t num_frames() const { return num_frames_; }
  double rate_hz() const { return rate_hz_; }
  /// Frames divided by rate [s].
  double duration_s() const { return double(num_frames_) / rate_hz_; }
  const std::vector<std::string>& labels() const { return labels_; }
  /// The first marker of that label.
  std::optional<int> FindMarker(std::string_view label) const;

  /// @pre for all accessors: 0 <= frame < num_frames, 0 <= marker <
  /// num_markers.
  bool IsVisible(std::int64_t frame, int marker) const {
    const double x = positions_[3 * Index(frame, marker)];
    return x == x;
  }
  /// [m]; NaN when missing.
  Vector3 Position(std::int64_t frame, int marker) const {
    const double* p = &positions_[3 * Index(frame, marker)];
    return {p[0], p[1], p[2]};
  }
  /// @throws std::invalid_argument if `position` is not finite.
  void SetPosition(std::int64_t frame, int marker, const Vector3& position);
  void SetMissing(std::int64_t frame, int marker);

  /// Mean distance of the camera rays from the point [m]; 0 where unknown or
  /// missing.
  double Residual(std::int64_t frame, int marker) const;
  /// Bit i = camera i + 1 saw the point; 0 where unknown or missing.
  std::uint8_t CameraMask(std::int64_t frame, int marker) const;
  bool has_residuals() const { return !residuals_.empty(); }
  bool has_camera_masks() const { return !camera_masks_.empty(); }
  void SetResidual(std::int64_t frame, int marker, double residual);
  void SetCameraMask(std::int64_t frame, int marker, std::uint8_t mask);

  PointKind kind(int marker) const { return kinds_[std::size_t(marker)]; }
  void SetKind(int marker, PointKind kind) {
    kinds_[std::size_t(marker)] = kind;
  }
  void SetLabel(int marker, std::string label);
  void SetRate(double rate_hz);

  /// Missing samples over all samples, in [0, 1]; 0 for a take without points.
  double gap_fraction() const;
  /// Missing samples of each marker.
  std::vector<std::int64_t> MissingPerMarker() const;
  /// Every gap, by marker and then by time.
  std::vector<Gap> Gaps() const;

  /// Raw samples for solvers: frame-major, x y z per sample [m]. Missing
  /// samples have NaN in all three.
  std::span<double> positions() { return positions_; }
  std::span<const double> positions() const { return positions_; }

  std::int64_t first_frame = 1;  ///< Number of frame index 0; may be 0.
  /// Time of frame index 0 on the clock of the recording [s].
  double start_time_s = 0.0;
  TakeOrigin origin;
  AnalogData analog;
  std::vector<TakeEvent> events;
  Metadata metadata;

 private:
  std::size_t Index(std::int64_t frame, int marker) const {
    return std::size_t(frame) * labels_.size() + std::size_t(marker);
  }

  std::int64_t num_frames_ = 0;
  double rate_hz_ = 1.0;
  std::vector<std::string> labels_;
  std::vector<PointKind> kinds_;
  std::vector<double> positions_;
  std::vector<float> residuals_;
  std::vector<std::uint8_t> camera_masks_;
};

/// The force plates that the metadata group FORCE_PLATFORM describes; fields
/// the file lacks stay empty.
std::vector<ForcePlate> ForcePlates(const MarkerTake& take);

/// Describes `plates` in the metadata, replacing what was there.
void SetForcePlates(MarkerTake& take, const std::vector<ForcePlate>& plates);

}  // namespace limber::mocap
