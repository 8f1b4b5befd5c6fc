// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/math.h"
#include "core/result.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/body_clip.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/sto.h"
#include "mocap/marker_take.h"

namespace limber::python {

namespace py = pybind11;

/// What Python holds of each kind of content. All of them share their content,
/// so that arrays and results may outlive the object they came from.
struct TakeHandle {
  std::shared_ptr<mocap::MarkerTake> take;
  std::string file;
};
struct ClipHandle {
  std::shared_ptr<const figure::Motion> motion;
  jobs::ClipOrigin origin;
};
struct FigureHandle {
  std::shared_ptr<const figure::FigureModel> model;
  std::string file;
};
struct SkeletonHandle {
  std::shared_ptr<const mocap::AsfSkeleton> skeleton;
};
struct TableHandle {
  std::shared_ptr<mocap::StoTable> table;
};

/// A finding as Python's tuple (severity, kind, file, line, column, byte,
/// message, count), of which the package makes a `Finding`.
py::list FindingsOf(const Diagnostics& diagnostics);

/// Raises limber.InputError with the findings.
[[noreturn]] void RaiseFindings(const Diagnostics& diagnostics);

/// The value, or the exception.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) RaiseFindings(result.diagnostics());
  return std::move(result).value();
}

/// Calls Python's progress function, and looks for Ctrl-C, some 50 times a
/// second. What they raise ends the job and comes out of `Rethrow`.
class PythonProgress {
 public:
  explicit PythonProgress(py::object function)
      : function_(std::move(function)) {}

  bool operator()(double share);
  /// To be called with the interpreter's lock.
  void Rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  py::object function_;
  std::exception_ptr error_;
  std::chrono::steady_clock::time_point last_;
};

/// For loops of many steps that keep the interpreter's lock: some 50 times a
/// second it lets other threads go on, and looks for Ctrl-C.
class Pause {
 public:
  /// To be called between two steps. @throws KeyboardInterrupt.
  void BetweenSteps();

 private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

/// Runs a job without the interpreter's lock; `job` gets the callback.
template <typename Job>
auto RunJob(const py::object& function, Job&& job) {
  PythonProgress progress(function);
  const auto tell = [&progress](double share) { return progress(share); };
  auto result = [&] {
    const py::gil_scoped_release unlocked;
    return job(tell);
  }();
  progress.Rethrow();
  return result;
}

/// Text of a file, which may be no UTF-8.
py::str TextOf(const std::string& text);
py::list TextsOf(const std::vector<std::string>& texts);

/// Three numbers of a sequence. @throws py::type_error naming the argument.
Vector3 VectorOf(const py::handle& value, const char* name);
/// Four numbers w, x, y, z of a sequence, made of unit length.
Quaternion RotationOf(const py::handle& value, const char* name);

py::array_t<double> ArrayOf(const Vector3& vector);
py::array_t<double> ArrayOf(const Quaternion& rotation);

void BindData(py::module_& module);
void BindJobs(py::module_& module);
void BindWorld(py::module_& module);

}  // namespace limber::python
