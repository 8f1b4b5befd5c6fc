// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/clip_report.h"

namespace limber::app {

/// Source and target side by side for a page: a row of poses each, at the same
/// times, seen from the front left of the source's first pose, as an SVG
/// element in the page's colours. Each row has its own scale: proportions
/// within a body are right.
std::string PoseStripSvg(const BodyClip& source, const BodyClip& target);

}  // namespace limber::app
