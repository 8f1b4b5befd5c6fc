// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

extern char** environ;

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
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY,
                                     0);
  }
  pid_t server = -1;
  const int failed = posix_spawnp(&server, "Xvfb", &actions, nullptr,
                                  const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const std::string number = failed == 0 ? ReadDisplayNumber(ends[0]) : "";
  close(ends[0]);
  if (failed == 0) server_ = server;
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
