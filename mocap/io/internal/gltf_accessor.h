// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"
#include "mocap/io/internal/gltf_document.h"
#include "mocap/io/internal/json_walker.h"

namespace limber::mocap::internal {

/// Reads accessors as floats, each with a share of a common allowance, so that
/// a small file whose accessors all show the same bytes takes no large memory.
class AccessorReader {
 public:
  AccessorReader(const GltfDocument& document, Diagnostics& diagnostics);

  /// The accessor's numbers, `components` per element; nothing after an error.
  std::optional<std::vector<float>> Read(const Walker& index_json,
                                         std::size_t components);

 private:
  /// A piece of a buffer.
  struct View {
    std::string_view bytes;
    std::optional<std::size_t> stride;  ///< None: packed [bytes].
  };
  /// The piece that the accessor shows; nothing after an error.
  std::optional<View> ViewOf(const Walker& accessor) const;
  std::optional<std::vector<float>> Decode(const Walker& accessor,
                                           std::size_t components);

  const GltfDocument& document_;
  Diagnostics& diagnostics_;
  std::size_t allowance_ = 0;  ///< Numbers that may still be read.
};

}  // namespace limber::mocap::internal
