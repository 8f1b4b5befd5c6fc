// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"
#include "mocap/io/internal/zip_archive.h"

namespace limber::mocap::internal {

/// What the header of a .npy says about the numbers or texts behind it.
struct NpyHeader {
  char kind = 'f';  ///< f float, i u integer, b bool, U S text.
  bool is_big_endian = false;
  std::size_t item_size = 0;  ///< [bytes]
  bool is_fortran_order = false;
  std::vector<std::uint64_t> shape;  ///< Empty for a single value.
  std::size_t num_items = 1;         ///< Product of the shape.
};

/// Reads the text of a header: a Python dictionary with the keys descr,
/// fortran_order and shape. Nothing after an error; `problem` then says what
/// was expected at which byte of the text.
std::optional<NpyHeader> ParseNpyHeader(std::string_view text,
                                        std::string& problem);

/// "(100, 24, 4)", for messages.
std::string ShapeText(std::span<const std::uint64_t> shape);

/// An array of numbers, the last index running fastest.
struct NumberArray {
  std::string name;  ///< Of the member, without .npy.
  std::vector<std::uint64_t> shape;
  std::vector<double> numbers;
};

/// Reads the arrays of an archive, each with a share of a common allowance of
/// memory: sizes are compared with it and with what the archive holds before
/// anything is allocated. Errors name the member:
///
///     "npy" (no .npy, or a header that is none), "shape" (the shape does not
///     fit the bytes), "dtype" (a kind of item that is not asked for),
///     "too-large", "member" (libzip cannot unpack it)
class NpyReader {
 public:
  NpyReader(const ZipReader& zip, std::size_t allowance,
            Diagnostics& diagnostics)
      : zip_(zip), allowance_(allowance), diagnostics_(diagnostics) {}

  bool Has(std::string_view name) const { return Member(name) != nullptr; }
  /// Takes memory from the allowance; an error for `name` if there is too
  /// little.
  bool Claim(std::string_view name, std::uint64_t items,
             std::size_t bytes_per_item);

  /// The array of that name; the member must be there.
  std::optional<NumberArray> Numbers(std::string_view name);
  /// A list of texts as UTF-8, likewise; a name that is none is taken as
  /// Latin-1 with the warning "name-encoding".
  std::optional<std::vector<std::string>> Texts(std::string_view name);

 private:
  const ZipMember* Member(std::string_view name) const;
  void Fail(std::string_view name, std::string_view kind,
            const std::string& message);
  std::optional<NpyHeader> ReadHeader(std::string_view name, ZipStream& stream,
                                      std::uint64_t member_size);
  bool ReadBytes(std::string_view name, ZipStream& stream, std::span<char> out);

  const ZipReader& zip_;
  std::size_t allowance_;  ///< [bytes]
  Diagnostics& diagnostics_;
};

/// The bytes of a .npy with these items (float64, int32, UTF-32), as numpy
/// writes them on a machine of little endian.
std::string FormatNpy(std::span<const double> numbers,
                      std::span<const std::uint64_t> shape);
std::string FormatNpy(std::span<const std::int32_t> numbers);
std::string FormatNpy(std::span<const std::string> texts);

}  // namespace limber::mocap::internal
