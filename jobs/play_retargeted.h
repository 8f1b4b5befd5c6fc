// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "figure/dynamic/play.h"
#include "mocap/retarget/retarget.h"

namespace limber::jobs {

/// Plays a retargeted clip on the physical figure of its body (made from the
/// skeleton where there is none): while a foot of the source stands, toe and
/// heel of the target are held on the path that retargeting gave them, each as
/// far as it is near the floor. Errors: what `figure::MakeFigure` finds.
/// @param strength  share of the figure's own strength, positive.
Result<figure::PlayResult> PlayRetargeted(const figure::Motion& source_clip,
                                          const mocap::HumanBody& source,
                                          const mocap::Retargeted& retargeted,
                                          const mocap::HumanBody& target,
                                          double strength = 2.0);

}  // namespace limber::jobs
