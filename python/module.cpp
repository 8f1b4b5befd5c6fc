// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the package `limber` that is written in C++: handles on takes,
// clips and figures, the jobs, and worlds. What people call is in limber/.
#include <algorithm>
#include <cmath>

#include "jobs/bad_call.h"
#include "jobs/data_path.h"
#include "mocap/solve/marker_set.h"
#include "python/handles.h"

namespace limber::python {

namespace {

/// Between two looks for Ctrl-C: a tenth of the 0.2 s in which a job is to
/// stop, and rare enough to cost nothing.
constexpr std::chrono::milliseconds kBetween(20);

/// What `kind` ("figures", "marker_sets", "scenes") comes with Limber, by name;
/// some marker sets are in no file.
std::vector<std::string> NamesOfData(const std::string& kind) {
  std::vector<std::string> names = jobs::DataNames(kind);
  if (kind == "marker_sets") {
    for (const mocap::MarkerSet& set : mocap::BuiltInMarkerSets()) {
      names.push_back(set.name);
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// limber.InputError, which the package gives.
py::object& InputError() {
  static py::object* type = new py::object();
  return *type;
}

}  // namespace

py::list FindingsOf(const Diagnostics& diagnostics) {
  py::list list;
  for (const Diagnostic& finding : diagnostics.all()) {
    list.append(py::make_tuple(
        finding.severity == Severity::kError ? "error" : "warning",
        finding.kind, TextOf(finding.file), finding.place.line,
        finding.place.column, finding.place.byte, TextOf(finding.message),
        finding.count));
  }
  return list;
}

void RaiseFindings(const Diagnostics& diagnostics) {
  std::string text = diagnostics.ToString();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const py::object error = InputError()(TextOf(text), FindingsOf(diagnostics));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())),
                  error.ptr());
  throw py::error_already_set();
}

bool PythonProgress::operator()(double share) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kBetween && share < 1.0) return true;
  last_ = now;
  const py::gil_scoped_acquire locked;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (function_.is_none()) return true;
    const py::object answer = function_(share);
    return !(py::isinstance<py::bool_>(answer) && !answer.cast<bool>());
  } catch (const py::error_already_set&) {
    error_ = std::current_exception();
    return false;
  }
}

void Pause::BetweenSteps() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kBetween) return;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  { const py::gil_scoped_release unlocked; }
  last_ = std::chrono::steady_clock::now();
}

namespace {

/// The numbers of a sequence of `count`.
std::vector<double> NumbersOf(const py::handle& value, std::size_t count,
                              const char* name) {
  const auto refuse = [&] {
    throw py::type_error(std::string(name) + ": expected " +
                         std::to_string(count) + " numbers, found " +
                         py::repr(value).cast<std::string>());
  };
  if (!py::isinstance<py::sequence>(value) &&
      !py::isinstance<py::array>(value)) {
    refuse();
  }
  std::vector<double> numbers;
  try {
    for (const py::handle& item : value) {
      numbers.push_back(item.cast<double>());
      if (numbers.size() > count) break;
    }
  } catch (const py::cast_error&) {
    refuse();
  }
  if (numbers.size() != count) refuse();
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      throw py::value_error(std::string(name) + ": " +
                            py::repr(value).cast<std::string>() +
                            " is not finite");
    }
  }
  return numbers;
}

}  // namespace

py::str TextOf(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(
      text.data(), static_cast<py::ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::list TextsOf(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts) list.append(TextOf(text));
  return list;
}

Vector3 VectorOf(const py::handle& value, const char* name) {
  const std::vector<double> numbers = NumbersOf(value, 3, name);
  return {numbers[0], numbers[1], numbers[2]};
}

Quaternion RotationOf(const py::handle& value, const char* name) {
  const std::vector<double> parts = NumbersOf(value, 4, name);
  const Quaternion rotation(parts[0], parts[1], parts[2], parts[3]);
  if (!(rotation.norm() > 1e-9)) {
    throw py::value_error(std::string(name) +
                          ": a rotation (w, x, y, z) is not zero");
  }
  return rotation.normalized();
}

py::array_t<double> ArrayOf(const Vector3& vector) {
  return py::array_t<double>(3, vector.data());
}

py::array_t<double> ArrayOf(const Quaternion& rotation) {
  const double parts[] = {rotation.w(), rotation.x(), rotation.y(),
                          rotation.z()};
  return py::array_t<double>(4, parts);
}

}  // namespace limber::python

PYBIND11_MODULE(_limber, module) {
  using namespace limber::python;
  module.doc() = "The compiled part of limber.";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const limber::jobs::BadCall& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  module.def("set_input_error",
             [](py::object type) { InputError() = std::move(type); });
  module.def("set_data_folder", [](const std::string& folder) {
    limber::jobs::SetDataFolder(folder);
  });
  module.def("data_names", &NamesOfData);
  module.attr("version") = LIMBER_VERSION;
  BindData(module);
  BindJobs(module);
  BindWorld(module);
}
