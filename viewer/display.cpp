// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace limber::viewer {

namespace {

/// Reads the number of the display that the server writes when it is ready.
std::string ReadDisplayNumber(int from) {
  constexpr int kPatience = 10'000;  // [ms]
  std::string number;
  pollfd ready{from, POLLIN, 0};
  while (poll(&ready, 1, kPatience) > 0) {
    char c = 0;
    if (read(from, &c, 1) != 1 || c == '\n') break;
    number += c;
  }
  return number;
}

/// The child's part: the server ends with its parent, however that ends.
/// Between fork and exec only such calls are made as signal handlers may make.
[[noreturn]] void BecomeServer(pid_t parent, char* const* arguments) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have ended before that.
  if (getppid() != parent) raise(SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execvp(arguments[0], arguments);
  // There is no such program: nothing of the parent may run here.
  for (;;) raise(SIGKILL);
}

}  // namespace

Display::Display() {
  const char* display = std::getenv("DISPLAY");
  if (display == nullptr || *display == '\0') StartServer();
}

void Display::StartServer() {
  int ends[2];
  if (pipe(ends) != 0) {
    problem_ = std::string("cannot make a pipe: ") + std::strerror(errno);
    return;
  }
  const std::string write_end = std::to_string(ends[1]);
  // A number of its own, so that servers that start together do not meet; and
  // no reset when one window closes before the next one opens.
  const std::string name = ":" + std::to_string(100 + getpid() % 50'000);
  const char* const arguments[] = {
      "Xvfb",    name.c_str(), "-displayfd",   write_end.c_str(),
      "-screen", "0",          "1920x1200x24", "-nolisten",
      "tcp",     "-noreset",   nullptr};
  const pid_t parent = getpid();
  const pid_t server = fork();
  if (server == 0) {
    close(ends[0]);
    BecomeServer(parent, const_cast<char* const*>(arguments));
  }
  close(ends[1]);
  const std::string number = server > 0 ? ReadDisplayNumber(ends[0]) : "";
  close(ends[0]);
  if (server > 0) server_ = server;
  if (number.empty()) {
    problem_ =
        "there is no display, and no virtual one could be started; install "
        "the Debian package xvfb, or set DISPLAY";
    return;
  }
  setenv("DISPLAY", (":" + number).c_str(), 1);
}

Display::~Display() {
  if (server_ < 0) return;
  unsetenv("DISPLAY");
  kill(server_, SIGTERM);
  waitpid(server_, nullptr, 0);
}

std::string NoOpenGl() {
  const char* display = std::getenv("DISPLAY");
  return "no OpenGL on the display \"" +
         std::string(display == nullptr ? "" : display) +
         "\": check that DISPLAY names one that is there, or unset it and "
         "install the Debian packages xvfb and libgl1-mesa-dri";
}

}  // namespace limber::viewer
