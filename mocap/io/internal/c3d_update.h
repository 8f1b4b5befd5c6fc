// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.h"
#include "mocap/io/internal/length_unit.h"
#include "mocap/marker_take.h"

namespace limber::mocap::internal {

/// What the writer decided about the numbers of the file.
struct C3dWriteLayout {
  bool is_float = true;
  double scale = 1.0;  ///< Positive.
  WrittenUnit unit;
};

/// The parameters to write with `take`: those it was read with, brought up to
/// date. A parameter that already says the right thing is left alone, whatever
/// its type and shape. A take without POINT group gets the full standard set.
/// POINT:DATA_START is there, its value still to be set.
Metadata MetadataForWriting(const MarkerTake& take,
                            const C3dWriteLayout& layout,
                            Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
