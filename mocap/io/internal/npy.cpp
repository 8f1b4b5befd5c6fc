// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap::internal {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// numpy refuses longer headers itself unless it is told to trust the file
/// [bytes].
constexpr std::size_t kLongestHeader = 10'000;

/// The integer of `size` bytes at `at`.
std::uint64_t Integer(const char* at, std::size_t size, bool is_big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = is_big_endian ? i : size - 1 - i;
    value = value << 8 | static_cast<unsigned char>(at[from]);
  }
  return value;
}

/// IEEE 754 half precision: 1 sign, 5 exponent (bias 15), 10 fraction bits.
double Half(std::uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = int(bits >> 10 & 0x1F);
  const double fraction = double(bits & 0x3FF) / 1024.0;
  if (exponent == 31) {
    return fraction == 0.0 ? sign * std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -14)
                       : sign * std::ldexp(1.0 + fraction, exponent - 15);
}

double Number(const char* at, const NpyHeader& header) {
  const std::uint64_t bits =
      Integer(at, header.item_size, header.is_big_endian);
  if (header.kind == 'f') {
    if (header.item_size == 2) return Half(bits);
    return header.item_size == 4
               ? double(std::bit_cast<float>(std::uint32_t(bits)))
               : std::bit_cast<double>(bits);
  }
  if (header.kind != 'i') return double(bits);
  const unsigned shift = unsigned(64 - 8 * header.item_size);
  return double(std::int64_t(bits << shift) >> shift);
}

bool IsNumber(const NpyHeader& header) {
  const std::size_t size = header.item_size;
  if (header.kind == 'f') return size == 2 || size == 4 || size == 8;
  if (header.kind == 'b') return size == 1;
  return (header.kind == 'i' || header.kind == 'u') &&
         (size == 1 || size == 2 || size == 4 || size == 8);
}

/// All numbers of an array as they stand in `bytes`.
void DecodeNumbers(const std::string& bytes, const NpyHeader& header,
                   std::span<double> numbers) {
  const bool is_native =
      header.is_big_endian == (std::endian::native == std::endian::big);
  if (header.kind == 'f' && header.item_size == 4 && is_native) {
    // Most pose files: without a branch for each number.
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      float number = 0.0f;
      std::memcpy(&number, bytes.data() + 4 * i, 4);
      numbers[i] = number;
    }
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = Number(bytes.data() + i * header.item_size, header);
  }
}

/// "float32", "object", for messages.
std::string TypeText(const NpyHeader& header) {
  const std::string bits = std::to_string(8 * header.item_size);
  switch (header.kind) {
    case 'f':
      return "float" + bits;
    case 'i':
      return "int" + bits;
    case 'u':
      return "uint" + bits;
    case 'b':
      return "bool";
    case 'O':
      return "object (a pickle, which is not opened: it may run code)";
    default:
      return "text";
  }
}

/// Numbers whose first index runs fastest, in the order of the last.
std::vector<double> LastIndexFastest(const std::vector<double>& numbers,
                                     std::span<const std::uint64_t> shape) {
  std::vector<double> turned(numbers.size());
  std::vector<std::uint64_t> index(shape.size(), 0);
  for (double& to : turned) {
    std::size_t from = 0;
    for (std::size_t k = shape.size(); k-- > 0;) {
      from = from * shape[k] + index[k];
    }
    to = numbers[from];
    for (std::size_t k = shape.size(); k-- > 0;) {
      if (++index[k] < shape[k]) break;
      index[k] = 0;
    }
  }
  return turned;
}

/// A character that is none becomes the replacement character.
void AppendUtf8(std::string& text, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
  const auto tail = [&](int shift) {
    text += char(0x80 | (c >> shift & 0x3F));
  };
  if (c < 0x80) {
    text += char(c);
  } else if (c < 0x800) {
    text += char(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    text += char(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    text += char(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

const ZipMember* NpyReader::Member(std::string_view name) const {
  return zip_.Find(std::string(name) + ".npy");
}

void NpyReader::Fail(std::string_view name, std::string_view kind,
                     const std::string& message) {
  diagnostics_.Error(kind, {}, std::string(name) + ".npy: " + message);
}

bool NpyReader::Claim(std::string_view name, std::uint64_t items,
                      std::size_t bytes_per_item) {
  if (bytes_per_item > 0 && items > allowance_ / bytes_per_item) {
    Fail(name, "too-large",
         "expected what fits into 16 times the file and 32 MB, found " +
             std::to_string(items) + " items of " +
             std::to_string(bytes_per_item) + " bytes in memory");
    return false;
  }
  allowance_ -= std::size_t(items) * bytes_per_item;
  return true;
}

bool NpyReader::ReadBytes(std::string_view name, ZipStream& stream,
                          std::span<char> out) {
  const std::size_t got = stream.Read(out);
  if (got == out.size()) return true;
  const std::string problem = stream.problem();
  Fail(name, "member",
       "expected " + std::to_string(out.size()) + " bytes, found " +
           std::to_string(got) + (problem.empty() ? "" : ": " + problem));
  return false;
}

std::optional<NpyHeader> NpyReader::ReadHeader(std::string_view name,
                                               ZipStream& stream,
                                               std::uint64_t member_size) {
  std::array<char, 8> start{};
  std::array<char, 4> length{};
  if (!ReadBytes(name, stream, start)) return std::nullopt;
  if (!std::string_view(start.data(), start.size()).starts_with(kMagic)) {
    Fail(name, "npy",
         "byte 0: expected \\x93NUMPY, found " +
             Quoted({start.data(), kMagic.size()}));
    return std::nullopt;
  }
  const int version = start[kMagic.size()];
  if (version < 1 || version > 3) {
    Fail(
        name, "npy",
        "byte 6: expected version 1, 2 or 3, found " + std::to_string(version));
    return std::nullopt;
  }
  const std::size_t width = version == 1 ? 2 : 4;
  if (!ReadBytes(name, stream, {length.data(), width})) return std::nullopt;
  const std::size_t size = Integer(length.data(), width, false);
  if (size > kLongestHeader) {
    Fail(name, "npy",
         "byte 8: expected a header of at most 10000 bytes, found " +
             std::to_string(size));
    return std::nullopt;
  }
  std::string text(size, '\0');
  if (!ReadBytes(name, stream, text)) return std::nullopt;
  std::string problem;
  std::optional<NpyHeader> header = ParseNpyHeader(text, problem);
  if (!header) {
    Fail(name, "npy", problem);
    return std::nullopt;
  }
  const std::uint64_t before = start.size() + width + size;
  if (member_size < before) {
    Fail(name, "member",
         "the archive says " + std::to_string(member_size) +
             " bytes, its header alone has " + std::to_string(before));
    return std::nullopt;
  }
  // A pickle has a size of its own; every other array that of its shape.
  const std::uint64_t rest = member_size - before;
  const bool fits = header->item_size == 0
                        ? rest == 0
                        : rest % header->item_size == 0 &&
                              rest / header->item_size == header->num_items;
  if (header->kind != 'O' && !fits) {
    Fail(name, "shape",
         "the shape " + ShapeText(header->shape) + " of " + TypeText(*header) +
             " does not fit the " + std::to_string(rest) +
             " bytes that are there");
    return std::nullopt;
  }
  return header;
}

std::optional<NumberArray> NpyReader::Numbers(std::string_view name) {
  const ZipMember& member = *Member(name);
  const std::unique_ptr<ZipStream> stream = zip_.OpenMember(member);
  const std::optional<NpyHeader> header =
      ReadHeader(name, *stream, member.size);
  if (!header) return std::nullopt;
  if (!IsNumber(*header)) {
    Fail(name, "dtype", "expected numbers, found " + TypeText(*header));
    return std::nullopt;
  }
  // The bytes and the numbers, which the turning of a Fortran array doubles.
  const bool is_turned = header->is_fortran_order && header->shape.size() > 1;
  if (!Claim(name, header->num_items,
             header->item_size + sizeof(double) * (is_turned ? 2 : 1))) {
    return std::nullopt;
  }
  NumberArray array{std::string(name), header->shape, {}};
  array.numbers.resize(header->num_items);
  const bool is_plain = header->kind == 'f' && header->item_size == 8 &&
                        !header->is_big_endian &&
                        std::endian::native == std::endian::little;
  if (is_plain) {
    const std::span<double> all(array.numbers);
    if (!ReadBytes(name, *stream,
                   {reinterpret_cast<char*>(all.data()), all.size_bytes()})) {
      return std::nullopt;
    }
  } else {
    std::string bytes(header->num_items * header->item_size, '\0');
    if (!ReadBytes(name, *stream, bytes)) return std::nullopt;
    DecodeNumbers(bytes, *header, array.numbers);
  }
  if (!stream->AtEnd()) {
    Fail(name, "member", "its checksum is wrong: " + stream->problem());
    return std::nullopt;
  }
  if (is_turned) array.numbers = LastIndexFastest(array.numbers, array.shape);
  return array;
}

std::optional<std::vector<std::string>> NpyReader::Texts(
    std::string_view name) {
  const ZipMember& member = *Member(name);
  const std::unique_ptr<ZipStream> stream = zip_.OpenMember(member);
  const std::optional<NpyHeader> header =
      ReadHeader(name, *stream, member.size);
  if (!header) return std::nullopt;
  if (header->kind != 'U' && header->kind != 'S') {
    Fail(name, "dtype", "expected texts, found " + TypeText(*header));
    return std::nullopt;
  }
  if (!Claim(name, header->num_items,
             2 * header->item_size + sizeof(std::string))) {
    return std::nullopt;
  }
  std::string bytes(header->num_items * header->item_size, '\0');
  if (!ReadBytes(name, *stream, bytes)) return std::nullopt;
  if (!stream->AtEnd()) {
    Fail(name, "member", "its checksum is wrong: " + stream->problem());
    return std::nullopt;
  }
  std::vector<std::string> texts;
  texts.reserve(header->num_items);
  for (std::size_t i = 0; i < header->num_items; ++i) {
    const char* at = bytes.data() + i * header->item_size;
    std::string text;
    if (header->kind == 'U') {
      for (std::size_t k = 0; k < header->item_size; k += 4) {
        AppendUtf8(text,
                   std::uint32_t(Integer(at + k, 4, header->is_big_endian)));
      }
    } else {
      text.assign(at, header->item_size);
    }
    text.erase(text.find_last_not_of('\0') + 1);
    bool changed = false;
    texts.push_back(ToUtf8(text, changed));
    if (changed) {
      diagnostics_.Warning("name-encoding", {},
                           std::string(name) + ".npy: " + Quoted(texts.back()) +
                               " is not UTF-8; reading it as Latin-1");
    }
  }
  return texts;
}

}  // namespace limber::mocap::internal
