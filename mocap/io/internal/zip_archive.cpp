// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/zip_archive.h"

#include <zip.h>

#include <algorithm>
#include <utility>

#include "mocap/io/internal/quoted.h"

namespace limber::mocap::internal {

namespace {

/// libzip's words for an error, in its own buffer.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string Text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_;
};

}  // namespace

ZipStream::~ZipStream() {
  if (file_ != nullptr) zip_fclose(file_);
}

std::size_t ZipStream::Read(std::span<char> out) {
  std::size_t have = 0;
  while (file_ != nullptr && have < out.size()) {
    const zip_int64_t got =
        zip_fread(file_, out.data() + have, out.size() - have);
    if (got <= 0) break;
    have += std::size_t(got);
  }
  return have;
}

bool ZipStream::AtEnd() {
  char more = 0;
  return file_ != nullptr && zip_fread(file_, &more, 1) == 0;
}

std::string ZipStream::problem() const {
  if (file_ == nullptr) return "it cannot be opened";
  zip_error_t* error = zip_file_get_error(file_);
  return zip_error_code_zip(error) == ZIP_ER_OK ? std::string()
                                                : zip_error_strerror(error);
}

ZipReader::~ZipReader() {
  if (archive_ != nullptr) zip_discard(archive_);
}

std::unique_ptr<ZipReader> ZipReader::Open(std::string_view bytes,
                                           Diagnostics& diagnostics) {
  ZipError error;
  // To libzip nothing at all is an archive without members.
  zip_source_t* source = bytes.empty()
                             ? nullptr
                             : zip_source_buffer_create(
                                   bytes.data(), bytes.size(), 0, error.get());
  zip_t* archive = source == nullptr
                       ? nullptr
                       : zip_open_from_source(source, ZIP_RDONLY, error.get());
  if (archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    // The list of members stands at the end of an archive.
    diagnostics.Error("container", Place::AtByte(std::int64_t(bytes.size())),
                      "expected a whole ZIP archive, found " +
                          std::to_string(bytes.size()) +
                          " bytes that are none" +
                          (source == nullptr ? "" : ": " + error.Text()));
    return nullptr;
  }
  auto reader = std::make_unique<ZipReader>(archive);
  if (!reader->ListMembers(diagnostics)) return nullptr;
  return reader;
}

bool ZipReader::ListMembers(Diagnostics& diagnostics) {
  const zip_int64_t count = zip_get_num_entries(archive_, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive_, zip_uint64_t(i), 0, &stat) != 0 ||
        (stat.valid & ZIP_STAT_NAME) == 0 ||
        (stat.valid & ZIP_STAT_SIZE) == 0) {
      diagnostics.Error("container", {},
                        "member " + std::to_string(i) +
                            " of the archive has no name or no size");
      return false;
    }
    members_.push_back({stat.name, zip_uint64_t(i), stat.size});
  }
  std::ranges::sort(members_, {}, &ZipMember::name);
  const auto twice = std::ranges::adjacent_find(members_, {}, &ZipMember::name);
  if (twice == members_.end()) return true;
  diagnostics.Error(
      "duplicate-member", {},
      "expected every name once, found two members " + Quoted(twice->name));
  return false;
}

const ZipMember* ZipReader::Find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(members_, name, {}, &ZipMember::name);
  return found != members_.end() && found->name == name ? &*found : nullptr;
}

std::unique_ptr<ZipStream> ZipReader::OpenMember(
    const ZipMember& member) const {
  return std::make_unique<ZipStream>(
      zip_fopen_index(archive_, member.index, 0));
}

std::string ZipReader::problem() const { return zip_strerror(archive_); }

std::string WriteZip(std::span<const ZipEntry> entries) {
  ZipError error;
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, error.get());
  if (target == nullptr) return {};
  zip_t* archive =
      zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, error.get());
  if (archive == nullptr) {
    zip_source_free(target);
    return {};
  }
  zip_source_keep(target);
  bool good = true;
  for (const ZipEntry& entry : entries) {
    zip_source_t* source =
        zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
    const zip_int64_t index = source == nullptr
                                  ? -1
                                  : zip_file_add(archive, entry.name.c_str(),
                                                 source, ZIP_FL_ENC_UTF_8);
    if (index < 0 && source != nullptr) zip_source_free(source);
    // The first day that ZIP knows, 1 January 1980.
    constexpr zip_uint16_t kFirstDay = 0x21;
    good = good && index >= 0 &&
           zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE,
                                    0) == 0 &&
           zip_file_set_dostime(archive, zip_uint64_t(index), 0, kFirstDay,
                                0) == 0;
  }
  std::string bytes;
  if (good && zip_close(archive) == 0) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    good = zip_source_open(target) == 0 && zip_source_stat(target, &stat) == 0;
    if (good) {
      bytes.resize(stat.size);
      good = zip_source_read(target, bytes.data(), bytes.size()) ==
             zip_int64_t(bytes.size());
      zip_source_close(target);
    }
  } else {
    zip_discard(archive);
    good = false;
  }
  zip_source_free(target);
  return good ? bytes : std::string();
}

}  // namespace limber::mocap::internal
