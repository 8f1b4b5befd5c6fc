// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/internal/seen_row.h"

#include "dynamics/constraints/internal/entry_sum.h"

namespace limber::dynamics {

void AddSeenRow(BodyMotions bodies, BodyId frame, BodyId body,
                const SeenPoint& seen, double error, const Vector3& gradient_B,
                double curvature, const RowSettings& settings,
                RowBuffer& rows) {
  rows.Add(error, 0.0, gradient_B.dot(seen.drift) + curvature, settings);
  const Vector3 gradient_W = MotionOf(bodies, frame).R_WB * gradient_B;
  EntrySum entries(bodies);
  entries.AtPoint(frame, seen.p_WA, -gradient_W);
  entries.AtPoint(body, seen.p_WA, gradient_W);
  entries.MoveInto(rows);
}

}  // namespace limber::dynamics
