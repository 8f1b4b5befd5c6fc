// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/result.h"
#include "mocap/osim_model.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

/// The marker set of an OpenSim model: each marker with its label, on the
/// segment that its body is here, at its place on the reference body (the
/// model is scaled by its legs). A marker set without a model is laid on the
/// bodies of [Rajagopal 2016].
///
/// Error "no-markers" without any marker on a body that people have. Warning
/// "unknown-body" for markers on others, which are left out.
Result<MarkerSet> MarkerSetFromModel(const OsimModel& model,
                                     const std::string& file);

}  // namespace limber::mocap
