// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <tuple>

#include "app/batch/job_source.h"
#include "app/batch/sha256.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSigns = "*?[";

bool HasSigns(std::string_view text) {
  return text.find_first_of(kSigns) != std::string_view::npos;
}

/// What is remembered of each job between the two readings.
struct Seen {
  std::uint64_t name = 0;
  std::uint64_t job = 0;
  std::int64_t line : 63 = 0;
  bool named_by_user : 1 = false;
};

std::string Where(std::int64_t line) {
  return line > 0 ? " of line " + std::to_string(line) : "";
}

/// Adds to `files` what matches the parts from `part` on, below `folder`.
void Match(const fs::path& folder, std::span<const std::string> parts,
           std::vector<fs::path>& files) {
  std::error_code error;
  const std::string& part = parts.front();
  const bool is_last = parts.size() == 1;
  if (part == "**") {
    // No folder at all, or one more. Links to folders are not followed: they
    // may lead in a circle.
    if (!is_last) Match(folder, parts.subspan(1), files);
    for (const auto& entry : fs::directory_iterator(
             folder.empty() ? fs::path(".") : folder, error)) {
      const fs::path path = folder / entry.path().filename();
      if (entry.is_directory(error) && !entry.is_symlink(error)) {
        Match(path, parts, files);
      } else if (is_last && entry.is_regular_file(error)) {
        files.push_back(path);
      }
    }
    return;
  }
  if (!HasSigns(part)) {
    const fs::path path = folder / part;
    if (!is_last) {
      Match(path, parts.subspan(1), files);
    } else if (fs::is_regular_file(path, error)) {
      files.push_back(path);
    }
    return;
  }
  for (const auto& entry :
       fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error)) {
    const fs::path name = entry.path().filename();
    if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
    if (!is_last) {
      if (entry.is_directory(error)) {
        Match(folder / name, parts.subspan(1), files);
      }
    } else if (entry.is_regular_file(error)) {
      files.push_back(folder / name);
    }
  }
}

}  // namespace

fs::path RootOf(const std::string& pattern) {
  fs::path root;
  const fs::path path = pattern;
  for (auto part = path.begin(); part != path.end(); ++part) {
    if (HasSigns(part->native()) || std::next(part) == path.end()) break;
    root /= *part;
  }
  return root;
}

std::vector<fs::path> FilesOf(const std::string& pattern) {
  std::error_code ignored;
  if (!HasSigns(pattern) || fs::exists(pattern, ignored)) return {pattern};
  const fs::path root = RootOf(pattern);
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(pattern)) parts.push_back(part.native());
  parts.erase(parts.begin(),
              parts.begin() + std::distance(root.begin(), root.end()));
  std::vector<fs::path> files;
  Match(root, parts, files);
  std::ranges::sort(files);
  // A pattern with "**" twice meets some files twice.
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

FileJobs::FileJobs(std::vector<fs::path> files, std::optional<fs::path> root,
                   BatchJob job)
    : files_(std::move(files)), root_(std::move(root)), job_(std::move(job)) {}

std::optional<BatchJob> FileJobs::Next(Diagnostics&) {
  if (next_ == files_.size()) return std::nullopt;
  BatchJob job = job_;
  job.input = files_[next_++];
  job.name = NameFor(job.input, root_.value_or(job.input.parent_path()));
  return job;
}

Result<JobPlan> JobPlan::Make(JobSource& source, const std::string& file) {
  Diagnostics findings(file);
  JobPlan plan;
  std::vector<Seen> all;
  source.Rewind();
  while (findings.all().size() < kMostFindings) {
    const std::optional<BatchJob> job = source.Next(findings);
    if (!job) break;
    Seen seen;
    seen.name = StableHash(job->name);
    seen.job = HashOf(*job);
    seen.line = job->line;
    seen.named_by_user = job->named_by_user;
    all.push_back(seen);
    plan.names_.push_back(seen.name);
  }
  std::ranges::sort(all, [](const Seen& a, const Seen& b) {
    const std::int64_t line_a = a.line;
    const std::int64_t line_b = b.line;
    return std::tie(a.name, a.job, line_a) < std::tie(b.name, b.job, line_b);
  });
  for (std::size_t i = 1;
       i < all.size() && findings.all().size() < kMostFindings; ++i) {
    const Seen& first = all[i - 1];
    const Seen& second = all[i];
    if (first.name != second.name) continue;
    const Place place =
        Place::AtLine(std::max<std::int64_t>(first.line, second.line));
    const std::int64_t other = std::min<std::int64_t>(first.line, second.line);
    if (first.job == second.job) {
      findings.Error("same-job", place,
                     "this is the job" + Where(other) + " once more");
    } else if (first.named_by_user || second.named_by_user) {
      findings.Error("same-name", place,
                     "its outputs would have the name of those" + Where(other));
    } else if (plan.ambiguous_.empty() ||
               plan.ambiguous_.back() != first.name) {
      plan.ambiguous_.push_back(first.name);
    }
  }
  for (std::uint64_t& name : plan.names_) {
    if (std::ranges::binary_search(plan.ambiguous_, name)) name = 0;
  }
  return {std::move(plan), std::move(findings)};
}

void JobPlan::Settle(BatchJob& job) const {
  if (ambiguous_.empty() || job.named_by_user) return;
  if (!std::ranges::binary_search(ambiguous_, StableHash(job.name))) return;
  // 48 bits: ten thousand variations of one file meet with a chance of 2e-7.
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "~%012llx",
                static_cast<unsigned long long>(HashOf(job) >> 16));
  job.name += digits.data();
}

}  // namespace limber::app::batch
