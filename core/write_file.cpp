// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// How a file is written so that no moment of a stop loses anything:
//
//     open a file without a name in the target's folder        (O_TMPFILE)
//     write, give it the old file's mode, fsync
//     link it as ".NAME.limber-part0", rename that over NAME, fsync the folder
//
// Where files without a name do not exist, the temporary name is there from
// the beginning. Its writer holds a lock on it, which ends with its process,
// so that the next writer of NAME knows a leftover from a file in the making.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "core/file.h"
#include "core/job_files.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kUsualMode = 0666;  // Less what the umask takes away.

/// So many programs may write one file at the same moment.
constexpr int kMostWriters = 16;

/// Whether this process leaves it to another one to sync.
std::atomic<bool> leaves_disk_to_caller = false;  // NOLINT

/// A file that grows past the user's limit raises a signal, which would end
/// the program, before the call fails; and Ctrl-C between two names would
/// leave the first behind. While this lives, neither reaches this thread.
class WithoutSignals {
 public:
  explicit WithoutSignals(std::initializer_list<int> signals) {
    sigemptyset(&blocked_);
    for (const int signal : signals) sigaddset(&blocked_, signal);
    pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
  }
  ~WithoutSignals() {
    // What the limit raised was answered by an error already.
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (sigismember(&blocked_, SIGXFSZ) == 1 &&
        sigismember(&before_, SIGXFSZ) == 0) {
      const timespec at_once{};
      while (sigtimedwait(&limit, nullptr, &at_once) == SIGXFSZ) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t blocked_;
  sigset_t before_;
};

fs::path FolderOf(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// ".NAME.limber-partN"; long names are cut, as names have a longest length.
fs::path TemporaryName(const fs::path& target, int number) {
  constexpr std::size_t kLongest = 200;  // Of 255 bytes.
  std::string name = target.filename().string();
  if (name.size() > kLongest) {
    const std::size_t hash = std::hash<std::string>()(name);
    name = name.substr(0, kLongest) + "-" + std::to_string(hash);
  }
  return FolderOf(target) /
         ("." + name + ".limber-part" + std::to_string(number));
}

/// Removes what killed writers left, and returns the first free name; an empty
/// one with EBUSY where too many programs write this file now.
fs::path FreeTemporaryName(const fs::path& target) {
  fs::path free;
  for (int number = 0; number < kMostWriters; ++number) {
    const fs::path name = TemporaryName(target, number);
    const int found = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (found < 0) {
      if (errno == ENOENT && free.empty()) free = name;
      continue;
    }
    if (::flock(found, LOCK_EX | LOCK_NB) == 0) {
      ::unlink(name.c_str());
      if (free.empty()) free = name;
    }
    ::close(found);
  }
  if (free.empty()) errno = EBUSY;
  return free;
}

/// A descriptor of a file without a name, or -1 where there is no such thing.
int OpenNameless(const fs::path& folder) {
#ifdef O_TMPFILE
  // Naming goes through /proc.
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kUsualMode);
#else
  static_cast<void>(folder);
  return -1;
#endif
}

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The folder's entry is on the disk. Some file systems cannot sync a folder;
/// they say EINVAL, and there is nothing to be done about it.
bool SyncFolder(const fs::path& folder) {
  if (leaves_disk_to_caller) return true;
  const int descriptor =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  const bool good = ::fsync(descriptor) == 0 || errno == EINVAL;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return good;
}

std::string Reason(int error) {
  std::string reason = std::generic_category().message(error);
  if (error == EFBIG) reason += " (longer than this user's files may be)";
  return reason;
}

}  // namespace

PendingFile::PendingFile(fs::path path)
    : path_(std::move(path)), findings_(FileGuard::NoteWrite(path_)) {
  if (findings_.has_errors()) return;
  struct stat old {};
  const bool is_there = ::stat(path_.c_str(), &old) == 0;
  if (is_there && S_ISDIR(old.st_mode)) {
    findings_ = Failure(EISDIR);
    return;
  }
  is_stream_ = is_there && !S_ISREG(old.st_mode);
  if (is_stream_) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    target_ = ResolvedPath(path_);
    // Who may not write the file may not replace it.
    const bool allowed = !is_there || ::access(target_.c_str(), W_OK) == 0;
    if (allowed && OpenTemporary() && is_there) {
      // The owner too, where this user may give files away.
      static_cast<void>(!::fchown(descriptor_, old.st_uid, old.st_gid));
      ::fchmod(descriptor_, old.st_mode & 07777);
    }
  }
  if (descriptor_ < 0) findings_ = Failure(errno);
}

bool PendingFile::OpenTemporary() {
  const fs::path folder = FolderOf(target_);
  fs::path name = FreeTemporaryName(target_);
  descriptor_ = OpenNameless(folder);
  if (descriptor_ >= 0) {
    ::flock(descriptor_, LOCK_EX | LOCK_NB);
    return true;
  }
  while (!name.empty()) {
    descriptor_ =
        ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kUsualMode);
    if (descriptor_ < 0 && errno != EEXIST) return false;
    if (descriptor_ >= 0) {
      // Another writer may have taken the name for a leftover before the lock
      // was there; then the file has no name any more.
      struct stat now {};
      if (::flock(descriptor_, LOCK_EX) == 0 &&
          ::fstat(descriptor_, &now) == 0 && now.st_nlink > 0) {
        temporary_ = name;
        return true;
      }
      ::close(std::exchange(descriptor_, -1));
    }
    name = FreeTemporaryName(target_);
  }
  return false;
}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

fs::path PendingFile::WorkingName() const {
  return is_stream_ ? path_
                    : fs::path("/proc/" + std::to_string(::getpid()) + "/fd/" +
                               std::to_string(descriptor_));
}

bool PendingFile::PutInPlace() {
  if (!leaves_disk_to_caller && ::fsync(descriptor_) != 0) return false;
  const WithoutSignals unbroken({SIGINT, SIGTERM, SIGHUP});
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor_);
  while (temporary_.empty()) {
    const fs::path name = FreeTemporaryName(target_);
    if (name.empty()) return false;
    if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
    } else if (errno != EEXIST) {
      return false;
    }
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return false;
  temporary_.clear();
  return SyncFolder(FolderOf(target_));
}

Diagnostics PendingFile::Commit() {
  if (findings_.has_errors()) return findings_;
  const bool good = is_stream_ || PutInPlace();
  const int error = errno;
  // Some file systems tell of a full disk at the end only.
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!good) return Failure(error);
  if (!closed) return Failure(errno);
  return {};
}

Diagnostics PendingFile::Failure(int error) {
  Diagnostics diagnostics(PathText(path_));
  diagnostics.Error("cannot-write", {}, "cannot write: " + Reason(error));
  return diagnostics;
}

void LeaveDiskToCaller() { leaves_disk_to_caller = true; }

Diagnostics WriteWholeFile(const fs::path& path, std::string_view bytes) {
  const WithoutSignals unlimited({SIGXFSZ});
  PendingFile file(path);
  if (file.findings().has_errors()) return file.findings();
  if (!WriteAll(file.descriptor(), bytes)) {
    Diagnostics diagnostics(PathText(path));
    diagnostics.Error("cannot-write", {}, "cannot write: " + Reason(errno));
    return diagnostics;
  }
  return file.Commit();
}

}  // namespace limber
