// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/motion.h"

namespace limber::figure {

/// The motion without what is faster than `cutoff_hz`: a Butterworth filter of
/// second order run forwards and backwards over every joint, so that nothing is
/// delayed; at the cutoff half of the amplitude is left. Ends are mirrored
/// about their first and last frame, which keeps them where they are to second
/// order. A motion of fewer than three frames, or a cutoff at or above half the
/// frame rate, is returned as it is.
///
/// Movement scientists filter gait at 6 Hz; the movement of a walk ends below
/// 10 Hz. What optical capture leaves above is noise, whose acceleration no
/// muscle could follow.
/// @throws std::invalid_argument if `cutoff_hz` is not positive.
Motion LowPass(const Motion& motion, double cutoff_hz);

}  // namespace limber::figure
