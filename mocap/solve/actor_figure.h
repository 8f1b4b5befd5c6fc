// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/result.h"
#include "figure/figure_model.h"
#include "mocap/solve/actor.h"

namespace limber::mocap {

/// The actor with a body, for other takes and for physics: masses and shapes
/// from height and mass, marker sites where calibration found the markers.
Result<figure::FigureModel> FigureFromActor(const Actor& actor);

/// The actor of a figure whose skeleton has the joints of `MakeSkeleton`, as
/// `FigureFromActor` makes it. Error "not-an-actor" naming the joint that is
/// missing or the marker that sits on another one.
Result<Actor> ActorFromFigure(const figure::FigureModel& figure,
                              const std::string& file);

}  // namespace limber::mocap
