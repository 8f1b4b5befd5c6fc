// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/reports/report.h"
#include "core/verdict.h"
#include "python/handles.h"

namespace limber::python {

/// What a job gives back: its content as handles, the verdict, the findings,
/// and reports in the words of the program.
struct ResultHandle {
  py::dict contents;
  Verdict verdict;
  Diagnostics findings;
  /// The report; with the moving picture where `page`. Called without the
  /// interpreter's lock.
  std::function<app::Report(bool page)> report;
  /// Files that only this result can write, e.g. joint angles; may be empty.
  std::function<Diagnostics(const std::filesystem::path&)> save;
};

/// Options by name; what is None counts as not given.
class Words {
 public:
  explicit Words(const py::dict& words) : words_(words) {}

  bool Has(const char* name) const {
    return words_.contains(name) && !words_[name].is_none();
  }
  /// @throws py::type_error naming the option.
  template <typename T>
  T Get(const char* name, T otherwise) const {
    if (!Has(name)) return otherwise;
    try {
      return words_[name].cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(name) + ": " +
                           py::repr(words_[name]).cast<std::string>() +
                           " is of the wrong type");
    }
  }
  py::object operator[](const char* name) const { return words_[name]; }
  /// A handle of a kind. @throws py::type_error saying what was expected.
  template <typename Handle>
  const Handle& As(const char* name, const char* expected) const {
    const py::object value = words_[name];
    if (!py::isinstance<Handle>(value)) {
      throw py::type_error(std::string(name) + ": expected " + expected +
                           ", found " + py::repr(value).cast<std::string>());
    }
    return *value.cast<Handle*>();
  }

 private:
  const py::dict& words_;
};

/// A clip that a job made; its up axis is known.
ClipHandle MakeClip(figure::Motion motion, std::string file = {});

/// How a report calls a clip.
std::string NameOf(const ClipHandle& clip);

void BindResult(py::module_& module);
void BindEdit(py::module_& module);
void BindMeasures(py::module_& module);
void BindSimulate(py::module_& module);

}  // namespace limber::python
