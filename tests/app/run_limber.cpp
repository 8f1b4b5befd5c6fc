// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/run_limber.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/file.h"

namespace limber::test {

namespace {

/// A file of this process that goes away with the object.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_((std::filesystem::temp_directory_path() / "limber_run_XXXXXX")
                  .string()) {
    const int file = ::mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("cannot make a temporary file");
    ::close(file);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string Read() const { return ReadWholeFile(path_).value(); }

 private:
  std::string path_;
};

[[noreturn]] void Become(const std::string& program,
                         const std::vector<std::string>& arguments,
                         const std::string& out, const std::string& err) {
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(program.c_str()));
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  // A sanitizer's finding must not look like the program's exit code 1.
  ::setenv("ASAN_OPTIONS", "exitcode=99", 1);
  ::setenv("UBSAN_OPTIONS", "exitcode=99", 1);
  ::dup2(::open(out.c_str(), O_WRONLY | O_TRUNC), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), O_WRONLY | O_TRUNC), STDERR_FILENO);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * double(time.tv_usec);
}

/// What a process that runs has used of processors so far [s]: the 14th and the
/// 15th word of its state, behind its name in brackets.
double CpuSecondsOf(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0.0;
  std::istringstream words(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) words >> skipped;
  double user = 0.0;
  double system = 0.0;
  words >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// @param signal_s  sends the signal after so long; not if negative.
Outcome Run(const std::string& program,
            const std::vector<std::string>& arguments, const std::string& out,
            const std::string& err, double signal_s = -1.0, int signal = SIGINT,
            unsigned most_s = 0) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  double used_before = 0.0;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start " + program);
  if (child == 0) {
    ::alarm(most_s);
    Become(program, arguments, out, err);
  }
  if (signal_s >= 0) {
    ::usleep(static_cast<useconds_t>(1e6 * signal_s));
    begin = Clock::now();
    used_before = CpuSecondsOf(child);
    ::kill(child, signal);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  Outcome outcome;
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  outcome.cpu_seconds =
      Seconds(used.ru_utime) + Seconds(used.ru_stime) - used_before;
  outcome.peak_megabytes = static_cast<double>(used.ru_maxrss) / 1024.0;
  outcome.code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return outcome;
}

Outcome RunAndRead(const std::string& program,
                   const std::vector<std::string>& arguments) {
  const TemporaryFile out;
  const TemporaryFile err;
  Outcome outcome = Run(program, arguments, out.path(), err.path());
  outcome.out = out.Read();
  outcome.err = err.Read();
  return outcome;
}

}  // namespace

Outcome RunLimber(const std::vector<std::string>& arguments) {
  return RunAndRead(LIMBER_PROGRAM, arguments);
}

Outcome RunLimberFor(int seconds, const std::vector<std::string>& arguments) {
  const TemporaryFile out;
  const TemporaryFile err;
  Outcome outcome = Run(LIMBER_PROGRAM, arguments, out.path(), err.path(), -1.0,
                        SIGINT, static_cast<unsigned>(seconds));
  outcome.out = out.Read();
  outcome.err = err.Read();
  return outcome;
}

Outcome SignalLimber(int signal, double seconds,
                     const std::vector<std::string>& arguments) {
  const TemporaryFile out;
  const TemporaryFile err;
  return Run(LIMBER_PROGRAM, arguments, out.path(), err.path(), seconds,
             signal);
}

Outcome InterruptLimber(double seconds,
                        const std::vector<std::string>& arguments) {
  return SignalLimber(SIGINT, seconds, arguments);
}

Outcome RunLimberInto(const std::filesystem::path& out_path,
                      const std::vector<std::string>& arguments) {
  const TemporaryFile err;
  Outcome outcome = Run(LIMBER_PROGRAM, arguments, out_path, err.path());
  outcome.err = err.Read();
  return outcome;
}

Outcome RunMakeData(const std::vector<std::string>& arguments) {
  return RunAndRead(LIMBER_MAKE_DATA, arguments);
}

}  // namespace limber::test
