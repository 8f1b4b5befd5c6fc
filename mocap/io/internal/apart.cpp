// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/apart.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

namespace limber::mocap::internal {

namespace {

/// Exit codes of the copy.
constexpr int kDone = 0;
constexpr int kThrew = 70;

/// Virtual memory of this process now [bytes]; 0 where nobody says.
std::size_t MemoryNow() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long pages = 0;
  const int read = std::fscanf(file, "%lu", &pages);
  std::fclose(file);
  return read == 1 ? pages * std::size_t(::sysconf(_SC_PAGESIZE)) : 0;
}

void Limit(int seconds, std::size_t bytes) {
  const auto time = static_cast<rlim_t>(seconds);
  const rlimit cpu{time, time + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Sanitizers reserve terabytes that they never use.
  if (bytes > 0) {
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
#else
  static_cast<void>(bytes);
#endif
}

/// Ends the copy with this process, and ends it on a signal as the system does,
/// whatever this process would do then.
void Isolate(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kThrew);
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                           SIGILL, SIGXCPU, SIGALRM}) {
    ::signal(signal, SIG_DFL);
  }
}

bool WriteAll(int file, const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n =
        ::write(file, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += std::size_t(n);
  }
  return true;
}

/// The copy: works, sends the result and ends without any other thing that
/// this process would do at its end.
[[noreturn]] void WorkAndEnd(const std::function<std::string()>& work,
                             int pipe) {
  int code = kThrew;
  try {
    if (WriteAll(pipe, work())) code = kDone;
  } catch (const std::exception& error) {
    WriteAll(pipe, error.what());
  }
  ::_exit(code);
}

std::string WordsOfSignal(int signal, int seconds) {
  if (signal == SIGXCPU || signal == SIGKILL) {
    return "it took longer than " + std::to_string(seconds) + " s";
  }
  return std::string("it ended with \"") + ::strsignal(signal) + "\"";
}

}  // namespace

ApartResult RunApart(const std::function<std::string()>& work, int seconds,
                     std::size_t extra_bytes) {
  ApartResult result;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    result.why = std::string("no pipe: ") + std::strerror(errno);
    return result;
  }
  const std::size_t now = MemoryNow();
  // What waits to be printed would be printed twice.
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t copy = ::fork();
  if (copy < 0) {
    result.why = std::string("no process: ") + std::strerror(errno);
    ::close(ends[0]);
    ::close(ends[1]);
    return result;
  }
  if (copy == 0) {
    ::close(ends[0]);
    Isolate(parent);
    Limit(seconds, now == 0 ? 0 : now + extra_bytes);
    WorkAndEnd(work, ends[1]);
  }
  ::close(ends[1]);
  char part[1 << 16];
  for (;;) {
    const ssize_t n = ::read(ends[0], part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    result.bytes.append(part, std::size_t(n));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) {
    result.is_done = true;
    return result;
  }
  result.why = WIFSIGNALED(status) ? WordsOfSignal(WTERMSIG(status), seconds)
               : result.bytes == "std::bad_alloc" ? "it needs too much memory"
                                                  : result.bytes;
  if (result.why.empty()) result.why = "it gave no answer";
  result.bytes.clear();
  return result;
}

}  // namespace limber::mocap::internal
