// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"

struct zip;
struct zip_file;

namespace limber::mocap::internal {

/// A file in a ZIP archive.
struct ZipMember {
  std::string name;
  std::uint64_t index = 0;
  std::uint64_t size = 0;  ///< Unpacked, as the archive says it [bytes].
};

/// Unpacks one member from its beginning on.
class ZipStream {
 public:
  /// @param file  of libzip; owned from now on, may be null.
  explicit ZipStream(zip_file* file) : file_(file) {}
  ~ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;

  /// Fills `out` and returns how many bytes there were: fewer at the end of
  /// the member, and where it is broken.
  std::size_t Read(std::span<char> out);
  /// Whether the member ends here and its checksum is right.
  bool AtEnd();
  /// What libzip says is wrong; empty: nothing.
  std::string problem() const;

 private:
  zip_file* file_;
};

/// A ZIP archive in memory, by libzip.
class ZipReader {
 public:
  /// Opens the archive; its bytes must outlive the reader. Errors: "container",
  /// "duplicate-member" (two of one name: which one is meant?).
  static std::unique_ptr<ZipReader> Open(std::string_view bytes,
                                         Diagnostics& diagnostics);
  explicit ZipReader(zip* archive) : archive_(archive) {}
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  const std::vector<ZipMember>& members() const { return members_; }
  /// The member of that name, or null.
  const ZipMember* Find(std::string_view name) const;
  std::unique_ptr<ZipStream> OpenMember(const ZipMember& member) const;
  /// What libzip says is wrong with the member that could not be opened.
  std::string problem() const;

 private:
  bool ListMembers(Diagnostics& diagnostics);

  zip* archive_;
  std::vector<ZipMember> members_;
};

/// A member to write.
struct ZipEntry {
  std::string name;
  std::string bytes;
};

/// The entries as an archive, stored and not packed. Entries of the same bytes
/// give the same archive: no time of day is in it. Empty where libzip refuses.
std::string WriteZip(std::span<const ZipEntry> entries);

}  // namespace limber::mocap::internal
