// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "dynamics/internal/island_pool.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/world.h"

namespace limber::dynamics {

struct World::Implementation {
  internal::Shared shared;
  internal::Data data{shared};
  std::unique_ptr<internal::IslandPool> pool;  ///< Ends first.
};

namespace internal {

/// @throws std::invalid_argument naming `function` if there is no such body.
void CheckBody(const Data& data, BodyId body, const char* function);
void CheckCollider(const Data& data, ColliderId collider, const char* function);

/// The body was moved from outside.
void MarkColliders(Data& data, int body);
void RemoveCollidersOf(World& world, Data& data, BodyId body);

}  // namespace internal
}  // namespace limber::dynamics
