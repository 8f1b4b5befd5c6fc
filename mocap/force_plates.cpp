// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "mocap/marker_take.h"

namespace limber::mocap {

namespace {

constexpr std::size_t kCorners = 4;

std::vector<double> Numbers(const MetadataGroup& group, const char* name) {
  std::vector<double> numbers;
  const MetadataParameter* parameter = group.Find(name);
  if (parameter == nullptr || parameter->is_text()) return numbers;
  numbers.reserve(parameter->size());
  for (std::size_t i = 0; i < parameter->size(); ++i) {
    numbers.push_back(*parameter->Number(i));
  }
  return numbers;
}

Vector3 VectorAt(const std::vector<double>& numbers, std::size_t i) {
  return {numbers[i], numbers[i + 1], numbers[i + 2]};
}

void SetArray(MetadataGroup& group, const char* name,
              MetadataParameter::Data data,
              std::initializer_list<std::size_t> dimensions) {
  MetadataParameter& parameter = group.FindOrAdd(name);
  parameter.data = std::move(data);
  parameter.dimensions = {};
  parameter.num_dimensions = 0;
  for (std::size_t dimension : dimensions) {
    parameter.dimensions[parameter.num_dimensions++] =
        static_cast<std::uint8_t>(dimension);
  }
}

}  // namespace

std::vector<ForcePlate> ForcePlates(const MarkerTake& take) {
  std::vector<ForcePlate> plates;
  const MetadataGroup* group = take.metadata.Find("FORCE_PLATFORM");
  // Old Motion Analysis files spell it this way.
  if (group == nullptr) group = take.metadata.Find("FORCE_PLATEFORM");
  if (group == nullptr) return plates;
  const std::vector<double> used = Numbers(*group, "USED");
  const std::vector<double> types = Numbers(*group, "TYPE");
  if (used.empty() || !(used[0] >= 1.0)) return plates;
  const std::size_t count =
      std::min(static_cast<std::size_t>(used[0]), types.size());
  const std::vector<double> corners = Numbers(*group, "CORNERS");
  const std::vector<double> origins = Numbers(*group, "ORIGIN");
  const std::vector<double> channels = Numbers(*group, "CHANNEL");
  const std::vector<double> calibrations = Numbers(*group, "CAL_MATRIX");
  const MetadataParameter* calibration = group->Find("CAL_MATRIX");
  const double metres = take.origin.metres_per_unit;

  plates.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    ForcePlate& plate = plates[i];
    plate.type = static_cast<int>(types[i]);
    if (corners.size() >= 3 * kCorners * (i + 1)) {
      for (std::size_t k = 0; k < kCorners; ++k) {
        plate.corners.push_back(take.origin.axes.ToInside(
                                    VectorAt(corners, 3 * (kCorners * i + k))) *
                                metres);
      }
    }
    if (origins.size() >= 3 * (i + 1)) {
      plate.origin = VectorAt(origins, 3 * i) * metres;
    }
    const std::size_t per_plate = channels.size() / count;
    for (std::size_t k = 0; k < per_plate; ++k) {
      // Numbered from 1 in the file; 0 stands for none.
      plate.channels.push_back(static_cast<int>(channels[i * per_plate + k]) -
                               1);
    }
    if (calibration != nullptr && calibration->num_dimensions >= 2) {
      const std::size_t rows = calibration->dimensions[0];
      const std::size_t columns = calibration->dimensions[1];
      if (calibrations.size() >= rows * columns * (i + 1)) {
        plate.calibration =
            Eigen::Map<const MatrixX>(calibrations.data() + i * rows * columns,
                                      static_cast<Eigen::Index>(rows),
                                      static_cast<Eigen::Index>(columns));
      }
    }
  }
  return plates;
}

void SetForcePlates(MarkerTake& take, const std::vector<ForcePlate>& plates) {
  MetadataGroup& group = take.metadata.FindOrAdd("FORCE_PLATFORM");
  const std::size_t count = plates.size();
  const double metres = take.origin.metres_per_unit;
  std::size_t per_plate = 6;
  Eigen::Index rows = 0;
  Eigen::Index columns = 0;
  for (const ForcePlate& plate : plates) {
    per_plate = std::max(per_plate, plate.channels.size());
    rows = std::max(rows, plate.calibration.rows());
    columns = std::max(columns, plate.calibration.cols());
  }
  std::vector<std::int16_t> types;
  std::vector<std::int16_t> channels;
  std::vector<float> corners;
  std::vector<float> origins;
  std::vector<float> calibrations;
  for (const ForcePlate& plate : plates) {
    types.push_back(static_cast<std::int16_t>(plate.type));
    for (std::size_t k = 0; k < kCorners; ++k) {
      const Vector3 inside =
          k < plate.corners.size() ? plate.corners[k] : Vector3::Zero();
      const Vector3 p_file = take.origin.axes.FromInside(inside) / metres;
      for (int i = 0; i < 3; ++i) {
        corners.push_back(static_cast<float>(p_file[i]));
      }
    }
    for (int i = 0; i < 3; ++i) {
      origins.push_back(static_cast<float>(plate.origin[i] / metres));
    }
    for (std::size_t k = 0; k < per_plate; ++k) {
      channels.push_back(static_cast<std::int16_t>(
          k < plate.channels.size() ? plate.channels[k] + 1 : 0));
    }
    for (Eigen::Index c = 0; c < columns; ++c) {
      for (Eigen::Index r = 0; r < rows; ++r) {
        const bool inside =
            r < plate.calibration.rows() && c < plate.calibration.cols();
        calibrations.push_back(
            inside ? static_cast<float>(plate.calibration(r, c)) : 0.0f);
      }
    }
  }
  group.FindOrAdd("USED").SetInteger(static_cast<std::int16_t>(count));
  SetArray(group, "TYPE", std::move(types), {count});
  if (group.Find("ZERO") == nullptr)
    group.FindOrAdd("ZERO").SetIntegers({1, 0});
  SetArray(group, "CORNERS", std::move(corners), {3, kCorners, count});
  SetArray(group, "ORIGIN", std::move(origins), {3, count});
  SetArray(group, "CHANNEL", std::move(channels), {per_plate, count});
  if (rows > 0 && columns > 0) {
    SetArray(group, "CAL_MATRIX", std::move(calibrations),
             {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
              count});
  } else {
    group.Remove("CAL_MATRIX");
  }
}

}  // namespace limber::mocap
