// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/exit_code.h"

#include <new>

namespace limber::app {

std::string WordsOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "there is not enough memory for this input with these options";
  }
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return "the input asks for more of something than can be held";
  }
  return error.what();
}

}  // namespace limber::app
