// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verdict.h"
#include "figure/clip_tracks.h"
#include "mocap/retarget/retarget.h"

namespace limber::mocap {

/// What the user has said and is not doubted again.
struct JudgeOptions {
  bool up_is_said = false;
  bool rate_is_said = false;
  bool is_played = false;  ///< By a physical figure, after retargeting.
};

/// What a clip shows of itself: a body of a person's size that stands, walks or
/// lies as bodies do. Kinds of doubt:
///
///     lies             the body is straight and lies or hangs upside down in
///                      most frames: perhaps another axis points up
///     size             legs shorter or longer than people's and figures'
///     rate             bodies in flight fall faster or slower than with g
Verdict JudgeClip(const figure::Motion& motion, const figure::BodyPlan& plan,
                  const figure::ClipTracks& tracks,
                  const JudgeOptions& options = {});

/// What to think of a clip that was carried over, by looking at the result
/// alone and at the source beside it. Kinds of doubt beside those of the
/// result as a clip (see JudgeClip):
///
///     foot-off         a standing foot is more than 1 mm off its place
///     slides           standing feet are faster or drift farther than the
///                      source's
///     root-shift       the root is shifted by more than a tenth of a leg
///     limits           a limit of the figure is passed by more than 1 degree
///     floor            a sole is more than 5 mm deeper in the floor than the
///                      source's, or than the floor on figures; or a palm of
///                      a figure
///     hands            point more than 5 degrees away from the source's while
///                      no limit of the arm says so
///     head             points elsewhere than the source's most of the time
///     wrists           hands are bent off the forearms most of the time
///     not-followed     an arm, a leg or the head of the target follows nothing
///     not-used         joints of the source that move are used by nobody while
///                      the target has joints there that follow nothing
///     rest-pose        a rest pose is none that a body can take
Verdict JudgeRetarget(const figure::Motion& source_motion,
                      const HumanBody& source, const HumanBody& target,
                      const JointMap& map, const Retargeted& result,
                      const JudgeOptions& options = {});

}  // namespace limber::mocap
