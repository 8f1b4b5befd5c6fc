// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/c3d_parameters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "mocap/io/internal/c3d_codec.h"
#include "mocap/io/internal/quoted.h"

namespace limber::mocap::internal {

namespace {

constexpr int kMaxGroups = 127;
constexpr std::size_t kMaxNameLength = 127;
constexpr std::size_t kMaxDescriptionLength = 255;

/// A repair that the walker made on one record.
struct Repair {
  const char* kind = nullptr;
  std::size_t byte = 0;
  std::string message;
};

/// One record of the chain. A parameter that had to be dropped has
/// `kept` false.
struct Record {
  bool kept = true;
  bool is_group = false;
  bool locked = false;
  int id = 0;  // 1..127
  std::size_t begin = 0;
  std::string_view name;
  std::string_view description;
  int type = 0;
  std::uint8_t num_dimensions = 0;
  std::array<std::uint8_t, MetadataParameter::kMaxDimensions> dimensions{};
  std::string_view data;
  std::optional<Repair> repair;
};

/// Walks the chain. Layout of a record, one byte each unless said otherwise:
///
///     name length (negative: locked), id (negative: group), name,
///     offset from here to the next record (2 bytes, 0 = last record),
///     parameters only: type, number of dimensions, dimensions, data,
///     description length, description
///
/// The offset and the sizes say the same thing twice, and files exist in which
/// either is wrong: the next record is where something looks like a record.
class ChainWalker {
 public:
  ChainWalker(std::string_view file, std::size_t begin, std::size_t end,
              C3dByteOrder order)
      : file_(file), position_(begin), end_(end), order_(order) {}

  bool Next(Record& record);
  std::size_t position() const { return position_; }

 private:
  int Byte(std::size_t at) const {
    return static_cast<unsigned char>(file_[at]);
  }
  int SignedByte(std::size_t at) const {
    return static_cast<signed char>(file_[at]);
  }
  bool IsChainEnd(std::size_t at) const { return at < end_ && file_[at] == 0; }
  bool LooksLikeRecord(std::size_t at) const;
  bool LeadsOn(std::size_t at) const {
    return LooksLikeRecord(at) || IsChainEnd(at);
  }
  bool IsConsistentRecord(std::size_t at) const;
  bool ReadParameterHead(Record& record, std::size_t& at);
  void Stop() { done_ = true; }

  std::string_view file_;
  std::size_t position_;
  std::size_t end_;
  C3dByteOrder order_;
  bool done_ = false;
};

bool ChainWalker::LooksLikeRecord(std::size_t at) const {
  if (at + 2 > end_) return false;
  const std::size_t length = static_cast<std::size_t>(std::abs(SignedByte(at)));
  if (length == 0 || length > kMaxNameLength) return false;
  const int id = SignedByte(at + 1);
  if (id == 0 || id == -128) return false;
  // Smallest rest of a record: offset and description length.
  if (at + 2 + length + 3 > end_) return false;
  const std::string_view name = file_.substr(at + 2, length);
  return std::none_of(name.begin(), name.end(), [](char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

// A record whose own offset leads on, too.
bool ChainWalker::IsConsistentRecord(std::size_t at) const {
  if (!LooksLikeRecord(at)) return false;
  const std::size_t offset_at =
      at + 2 + static_cast<std::size_t>(std::abs(SignedByte(at)));
  const std::size_t offset = LoadU16(file_.data() + offset_at, order_);
  return offset == 0 || LeadsOn(offset_at + offset);
}

// Reads type and dimensions at `at`, which moves to the data. False when they
// make no sense.
bool ChainWalker::ReadParameterHead(Record& record, std::size_t& at) {
  if (at + 2 > end_) return false;
  record.type = SignedByte(at);
  const int num_dimensions = Byte(at + 1);
  const bool known_type = record.type == -1 || record.type == 1 ||
                          record.type == 2 || record.type == 4;
  if (!known_type || num_dimensions > MetadataParameter::kMaxDimensions ||
      at + 2 + static_cast<std::size_t>(num_dimensions) > end_) {
    return false;
  }
  record.num_dimensions = static_cast<std::uint8_t>(num_dimensions);
  for (std::size_t i = 0; i < record.num_dimensions; ++i) {
    record.dimensions[i] = static_cast<std::uint8_t>(Byte(at + 2 + i));
  }
  at += 2 + record.num_dimensions;
  return true;
}

bool ChainWalker::Next(Record& record) {
  record = Record{};
  if (done_ || position_ >= end_ || IsChainEnd(position_)) return false;
  record.begin = position_;
  if (!LooksLikeRecord(position_)) {
    record.kept = false;
    record.repair = {{"parameter-chain", position_,
                      "expected a parameter record or the end of the chain; "
                      "the parameters after this are lost"}};
    Stop();
    return true;
  }
  const int signed_length = SignedByte(position_);
  const std::size_t length = static_cast<std::size_t>(std::abs(signed_length));
  const int signed_id = SignedByte(position_ + 1);
  record.locked = signed_length < 0;
  record.is_group = signed_id < 0;
  record.id = std::abs(signed_id);
  record.name = file_.substr(position_ + 2, length);
  const std::size_t offset_at = position_ + 2 + length;
  const std::size_t offset = LoadU16(file_.data() + offset_at, order_);
  const bool is_last = offset == 0;
  const std::size_t by_offset = offset_at + offset;
  std::size_t at = offset_at + 2;

  const bool has_head = record.is_group || ReadParameterHead(record, at);
  std::size_t wanted = 0;
  if (!record.is_group) {
    wanted = static_cast<std::size_t>(std::abs(record.type));
    for (std::size_t i = 0; i < record.num_dimensions; ++i) {
      wanted *= record.dimensions[i];  // at most 4 * 255^7, no overflow
    }
  }

  // Where the next record starts, by the sizes in this one.
  std::optional<std::size_t> by_size;
  if (has_head && wanted < end_ - at) {
    const std::size_t description_at = at + wanted;
    const std::size_t next =
        description_at + 1 + static_cast<std::size_t>(Byte(description_at));
    if (next <= end_) by_size = next;
  }
  const bool offset_leads_on =
      !is_last && by_offset >= at && LeadsOn(by_offset);
  const bool size_leads_on = by_size.has_value() && LooksLikeRecord(*by_size);
  // Where both lead on, to different places, one does so by accident.
  const bool size_is_better =
      size_leads_on && *by_size != by_offset &&
      (IsChainEnd(by_offset) || !IsConsistentRecord(by_offset)) &&
      IsConsistentRecord(*by_size);

  std::size_t record_end = end_;
  if (offset_leads_on && !size_is_better) {
    record_end = by_offset;
  } else if (is_last) {
    Stop();
    record_end = by_size.value_or(end_);
  } else if (by_size.has_value() &&
             (size_leads_on || IsChainEnd(*by_size) || *by_size == end_)) {
    record_end = *by_size;
    if (*by_size != by_offset) {
      record.repair = {
          {"parameter-offset", offset_at,
           "offset " + std::to_string(offset) + " of " + Quoted(record.name) +
               " does not lead to a record, its size does: expected " +
               std::to_string(*by_size - offset_at)}};
    }
  } else {
    Stop();
    record.kept = has_head && by_size.has_value();
    record.repair = {
        {"parameter-chain", offset_at,
         "offset " + std::to_string(offset) + " of " + Quoted(record.name) +
             " does not lead to a record" +
             (record.kept ? "" : " and its data are not all there") +
             "; the parameters after this are lost"}};
    if (!record.kept) {
      position_ = end_;
      return true;
    }
    record_end = *by_size;
  }
  position_ = record_end;

  if (!has_head) {
    record.kept = false;
    record.repair = {{"parameter-type", offset_at + 2,
                      Quoted(record.name) +
                          " needs type -1, 1, 2 or 4 and at most 7 "
                          "dimensions, found other bytes; left out"}};
    return true;
  }
  const std::size_t room = record_end - at;
  if (wanted > room) {
    // The chain goes on, so the dimensions are wrong: keep what is there.
    std::size_t slab = static_cast<std::size_t>(std::abs(record.type));
    for (int i = 0; i + 1 < record.num_dimensions; ++i) {
      slab *= record.dimensions[static_cast<std::size_t>(i)];
    }
    const std::size_t slabs = slab > 0 ? room / slab : 0;
    record.repair = {{"parameter-size", offset_at + 2,
                      Quoted(record.name) + " needs " + std::to_string(wanted) +
                          " bytes of data, found " + std::to_string(room) +
                          "; using the first " + std::to_string(slabs * slab)}};
    if (record.num_dimensions == 0) {
      record.kept = false;
      return true;
    }
    record.dimensions[record.num_dimensions - 1u] =
        static_cast<std::uint8_t>(slabs);
    record.data = file_.substr(at, slabs * slab);
    return true;
  }
  record.data = file_.substr(at, wanted);
  at += wanted;
  if (at >= record_end) {
    if (!record.repair) {
      record.repair = {{"no-description", at,
                        Quoted(record.name) +
                            " ends without the length of its description"}};
    }
    return true;
  }
  const std::size_t description_length = static_cast<std::size_t>(Byte(at));
  const std::size_t description_room = record_end - at - 1;
  record.description =
      file_.substr(at + 1, std::min(description_length, description_room));
  if (description_length != description_room && !record.repair && !is_last) {
    record.repair = {{"parameter-slack", at,
                      "description of " + Quoted(record.name) + " needs " +
                          std::to_string(description_length) +
                          " characters, found room for " +
                          std::to_string(description_room)}};
  }
  return true;
}

MetadataParameter MakeParameter(const Record& record, C3dByteOrder order) {
  MetadataParameter parameter;
  parameter.name = record.name;
  parameter.description = record.description;
  parameter.locked = record.locked;
  parameter.num_dimensions = record.num_dimensions;
  parameter.dimensions = record.dimensions;
  const char* p = record.data.data();
  switch (record.type) {
    case -1:
      parameter.data = std::string(record.data);
      break;
    case 1:
      parameter.data =
          std::vector<std::uint8_t>(record.data.begin(), record.data.end());
      break;
    case 2: {
      std::vector<std::int16_t> values(record.data.size() / 2);
      for (std::int16_t& value : values) {
        value = static_cast<std::int16_t>(LoadU16(p, order));
        p += 2;
      }
      parameter.data = std::move(values);
      break;
    }
    default: {
      std::vector<float> values(record.data.size() / 4);
      for (float& value : values) {
        value = LoadFloat(p, order);
        p += 4;
      }
      parameter.data = std::move(values);
    }
  }
  return parameter;
}

}  // namespace

Metadata ParseC3dParameters(std::string_view file, std::size_t begin,
                            std::size_t end, C3dByteOrder order,
                            Diagnostics& diagnostics, std::size_t* chain_end) {
  // First count, then fill: a parameter object is an order of magnitude larger
  // than the smallest record, so vectors must not grow by doubling.
  std::array<std::size_t, kMaxGroups + 1> counts{};
  Record record;
  for (ChainWalker walker(file, begin, end, order); walker.Next(record);) {
    if (record.kept && !record.is_group) {
      ++counts[static_cast<std::size_t>(record.id)];
    }
  }

  Metadata metadata;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::array<std::size_t, kMaxGroups + 1> index_of_id;
  index_of_id.fill(kNone);
  std::array<bool, kMaxGroups + 1> declared{};
  std::array<std::size_t, kMaxGroups + 1> first_byte{};
  const auto group_of = [&](std::size_t id) -> MetadataGroup& {
    if (index_of_id[id] == kNone) {
      index_of_id[id] = metadata.groups.size();
      metadata.groups.emplace_back().id = static_cast<int>(id);
      metadata.groups.back().parameters.reserve(counts[id]);
      first_byte[id] = record.begin;
    }
    return metadata.groups[index_of_id[id]];
  };

  ChainWalker walker(file, begin, end, order);
  while (walker.Next(record)) {
    if (record.repair) {
      diagnostics.Warning(
          record.repair->kind,
          Place::AtByte(static_cast<std::int64_t>(record.repair->byte)),
          std::move(record.repair->message));
    }
    if (!record.kept) continue;
    const std::size_t id = static_cast<std::size_t>(record.id);
    if (!record.is_group) {
      group_of(id).parameters.push_back(MakeParameter(record, order));
      continue;
    }
    if (declared[id]) {
      diagnostics.Warning(
          "duplicate-group",
          Place::AtByte(static_cast<std::int64_t>(record.begin)),
          "group number " + std::to_string(id) + " is declared again as " +
              Quoted(record.name) + "; its parameters stay with " +
              Quoted(group_of(id).name));
      continue;
    }
    declared[id] = true;
    MetadataGroup& group = group_of(id);
    group.name = record.name;
    group.description = record.description;
    group.locked = record.locked;
  }
  for (const MetadataGroup& group : metadata.groups) {
    const std::size_t id = static_cast<std::size_t>(group.id);
    if (declared[id]) continue;
    diagnostics.Warning(
        "group-missing",
        Place::AtByte(static_cast<std::int64_t>(first_byte[id])),
        "parameters of group number " + std::to_string(id) +
            ", which the file does not declare; kept in a group without name");
  }
  if (chain_end != nullptr) *chain_end = walker.position();
  return metadata;
}

namespace {

void AppendParameter(std::string& bytes, const MetadataParameter& parameter,
                     int id, C3dByteOrder order, Diagnostics& diagnostics) {
  std::string body;
  constexpr int kTypes[] = {-1, 1, 2, 4};
  body.push_back(static_cast<char>(kTypes[parameter.data.index()]));
  body.push_back(static_cast<char>(parameter.num_dimensions));
  for (std::size_t i = 0; i < parameter.num_dimensions; ++i) {
    body.push_back(static_cast<char>(parameter.dimensions[i]));
  }
  std::visit(
      [&](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::vector<std::int16_t>>) {
          for (std::int16_t value : values) {
            AppendU16(body, static_cast<std::uint16_t>(value), order);
          }
        } else if constexpr (std::is_same_v<Values, std::vector<float>>) {
          for (float value : values) AppendFloat(body, value, order);
        } else {
          body.append(values.begin(), values.end());
        }
      },
      parameter.data);
  const std::string description =
      parameter.description.substr(0, kMaxDescriptionLength);
  body.push_back(static_cast<char>(description.size()));
  body += description;

  constexpr std::size_t kMaxOffset = 65535;
  if (parameter.name.empty() || parameter.name.size() > kMaxNameLength ||
      parameter.size() != parameter.ExpectedSize() ||
      body.size() + 2 > kMaxOffset) {
    diagnostics.Error("c3d-limit", {},
                      "parameter " + Quoted(parameter.name) +
                          " needs a name of 1 to 127 characters, as many "
                          "values as its dimensions say, and at most 65535 "
                          "bytes");
    return;
  }
  const int length = static_cast<int>(parameter.name.size());
  bytes.push_back(static_cast<char>(parameter.locked ? -length : length));
  bytes.push_back(static_cast<char>(id));
  bytes += parameter.name;
  AppendU16(bytes, static_cast<std::uint16_t>(body.size() + 2), order);
  bytes += body;
}

// Ids in 1..127, all different: the stored ones first, then free numbers.
std::vector<int> ChooseIds(const Metadata& metadata) {
  std::array<bool, kMaxGroups + 1> taken{};
  std::vector<int> ids(metadata.groups.size(), 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const int id = metadata.groups[i].id;
    if (id < 1 || id > kMaxGroups || taken[static_cast<std::size_t>(id)]) {
      continue;
    }
    ids[i] = id;
    taken[static_cast<std::size_t>(id)] = true;
  }
  int next = 1;
  for (int& id : ids) {
    if (id != 0) continue;
    while (taken[static_cast<std::size_t>(next)]) ++next;
    id = next;
    taken[static_cast<std::size_t>(next)] = true;
  }
  return ids;
}

}  // namespace

std::string FormatC3dParameters(const Metadata& metadata, C3dByteOrder order,
                                Diagnostics& diagnostics) {
  std::string bytes;
  if (metadata.groups.size() > static_cast<std::size_t>(kMaxGroups)) {
    diagnostics.Error("c3d-limit", {},
                      std::to_string(metadata.groups.size()) +
                          " parameter groups, C3D holds at most 127");
    return bytes;
  }
  const std::vector<int> ids = ChooseIds(metadata);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const MetadataGroup& group = metadata.groups[i];
    // A group without name was never declared in its file either.
    if (!group.name.empty()) {
      const std::string name = group.name.substr(0, kMaxNameLength);
      const std::string description =
          group.description.substr(0, kMaxDescriptionLength);
      const int length = static_cast<int>(name.size());
      bytes.push_back(static_cast<char>(group.locked ? -length : length));
      bytes.push_back(static_cast<char>(-ids[i]));
      bytes += name;
      AppendU16(bytes, static_cast<std::uint16_t>(3 + description.size()),
                order);
      bytes.push_back(static_cast<char>(description.size()));
      bytes += description;
    }
    for (const MetadataParameter& parameter : group.parameters) {
      AppendParameter(bytes, parameter, ids[i], order, diagnostics);
    }
  }
  bytes.append(2, '\0');
  return bytes;
}

}  // namespace limber::mocap::internal
