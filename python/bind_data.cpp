// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes, clips, figures and tables, to and from files and arrays.
#include <cmath>
#include <cstring>

#include "core/file.h"
#include "figure/clip_tracks.h"
#include "figure/figure_file.h"
#include "jobs/data_path.h"
#include "jobs/save.h"
#include "python/handles.h"

namespace limber::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// An array on memory that `owner` keeps alive.
template <typename Owner>
py::array_t<double> Share(double* data, std::vector<py::ssize_t> shape,
                          const std::shared_ptr<Owner>& owner) {
  const py::capsule keeper(
      new std::shared_ptr<Owner>(owner), [](void* pointer) {
        delete static_cast<std::shared_ptr<Owner>*>(pointer);
      });
  return py::array_t<double>(std::move(shape), data, keeper);
}

jobs::LoadOptions LoadOptionsOf(const py::dict& words) {
  jobs::LoadOptions options;
  for (const auto& [key, value] : words) {
    const auto name = key.cast<std::string>();
    if (value.is_none()) continue;
    const auto text = [&, value = value] {
      return py::str(value).cast<std::string>();
    };
    if (name == "strict") {
      options.strict = value.cast<bool>();
    } else if (name == "unit") {
      options.unit = jobs::ParseUnit(text());
      if (!options.unit) {
        throw py::value_error("unit: expected one of " + jobs::UnitNames() +
                              " or a length in metres, found \"" + text() +
                              "\"");
      }
    } else if (name == "up") {
      options.up = mocap::ParseSignedAxis(text());
      if (!options.up) {
        throw py::value_error("up: expected x, y, z, -x, -y or -z, found \"" +
                              text() + "\"");
      }
    } else if (name == "rate") {
      options.rate_hz = value.cast<double>();
      if (!(*options.rate_hz > 0.0 && std::isfinite(*options.rate_hz))) {
        throw py::value_error("rate: expected a positive number [Hz]");
      }
    } else if (name == "asf") {
      options.asf = text();
    } else if (name == "offsets") {
      options.offsets = text();
    } else {
      options.animation = text();
    }
  }
  return options;
}

py::list GuessesOf(const std::vector<jobs::Guess>& guesses) {
  py::list list;
  for (const jobs::Guess& guess : guesses) {
    list.append(py::make_tuple(guess.what, TextOf(guess.value),
                               TextOf(guess.reason), guess.sure));
  }
  return list;
}

/// (content, findings, guesses, format).
py::tuple Read(const std::string& path, const py::dict& words) {
  const jobs::LoadOptions options = LoadOptionsOf(words);
  Result<jobs::LoadedFile> result = [&] {
    const py::gil_scoped_release unlocked;
    return jobs::Load(jobs::FigurePath(path), options);
  }();
  const py::list findings = FindingsOf(result.diagnostics());
  jobs::LoadedFile file = Must(std::move(result));
  py::object content = std::visit(
      [&](auto& held) -> py::object {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, mocap::MarkerTake>) {
          return py::cast(TakeHandle{
              std::make_shared<mocap::MarkerTake>(std::move(held)), path});
        } else if constexpr (std::is_same_v<T, figure::Motion>) {
          return py::cast(ClipHandle{
              std::make_shared<const figure::Motion>(std::move(held)),
              jobs::OriginOf(file, options)});
        } else if constexpr (std::is_same_v<T, figure::FigureModel>) {
          return py::cast(FigureHandle{
              std::make_shared<const figure::FigureModel>(std::move(held)),
              path});
        } else if constexpr (std::is_same_v<T, mocap::AsfSkeleton>) {
          return py::cast(SkeletonHandle{
              std::make_shared<const mocap::AsfSkeleton>(std::move(held))});
        } else {
          return py::cast(
              TableHandle{std::make_shared<mocap::StoTable>(std::move(held))});
        }
      },
      file.content);
  return py::make_tuple(content, findings, GuessesOf(file.guesses),
                        std::string(jobs::Name(file.format)));
}

template <typename T>
py::list Write(const T& content, const std::string& path) {
  const Diagnostics written = [&] {
    const py::gil_scoped_release unlocked;
    return jobs::Save(content, path);
  }();
  if (written.has_errors()) RaiseFindings(written);
  return FindingsOf(written);
}

TakeHandle TakeFromArray(const Array& points,
                         const std::vector<std::string>& labels, double rate) {
  if (points.ndim() != 3 || points.shape(2) != 3 ||
      points.shape(1) != static_cast<py::ssize_t>(labels.size())) {
    throw py::value_error("points: expected an array (frames, " +
                          std::to_string(labels.size()) +
                          " markers, 3) for as many labels, found shape " +
                          py::str(points.attr("shape")).cast<std::string>());
  }
  std::vector<double> values(points.data(), points.data() + points.size());
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const bool seen = std::isfinite(values[i]) &&
                      std::isfinite(values[i + 1]) &&
                      std::isfinite(values[i + 2]);
    // A sample is seen whole or not at all.
    if (!seen) std::fill_n(&values[i], 3, std::nan(""));
  }
  auto take = std::make_shared<mocap::MarkerTake>(labels, points.shape(0), rate,
                                                  std::move(values));
  return {std::move(take), ""};
}

std::shared_ptr<const figure::Skeleton> SkeletonFromArrays(
    const std::vector<std::string>& names, const std::vector<int>& parents,
    const Array& offsets) {
  const auto count = static_cast<py::ssize_t>(names.size());
  if (static_cast<py::ssize_t>(parents.size()) != count) {
    throw py::value_error("parents: expected one for each of the " +
                          std::to_string(count) + " joint names, found " +
                          std::to_string(parents.size()));
  }
  if (offsets.ndim() != 2 || offsets.shape(0) != count ||
      offsets.shape(1) != 3) {
    throw py::value_error("offsets: expected an array (" +
                          std::to_string(count) + " joints, 3), found shape " +
                          py::str(offsets.attr("shape")).cast<std::string>());
  }
  std::vector<figure::Joint> joints;
  for (py::ssize_t j = 0; j < count; ++j) {
    joints.push_back(
        {names[std::size_t(j)], parents[std::size_t(j)],
         Vector3(offsets.at(j, 0), offsets.at(j, 1), offsets.at(j, 2))});
  }
  return figure::Skeleton::Make(std::move(joints));
}

/// Root joints are at `root`, the others at their offsets.
ClipHandle ClipFromArrays(const Array& rotations, const Array& root,
                          const std::vector<std::string>& names,
                          const std::vector<int>& parents, const Array& offsets,
                          double rate) {
  const auto skeleton = SkeletonFromArrays(names, parents, offsets);
  const int joints = skeleton->num_joints();
  if (rotations.ndim() != 3 || rotations.shape(1) != joints ||
      rotations.shape(2) != 4) {
    throw py::value_error("rotations: expected an array (frames, " +
                          std::to_string(joints) +
                          " joints, 4: w x y z), found shape " +
                          py::str(rotations.attr("shape")).cast<std::string>());
  }
  if (root.ndim() != 2 || root.shape(0) != rotations.shape(0) ||
      root.shape(1) != 3) {
    throw py::value_error("root_positions: expected an array (" +
                          std::to_string(rotations.shape(0)) +
                          " frames, 3), found shape " +
                          py::str(root.attr("shape")).cast<std::string>());
  }
  figure::MotionSource source;
  source.metres_per_unit = 0.01;
  figure::Motion motion(skeleton, rate, source);
  figure::Pose pose = figure::RestPose(*skeleton);
  const double* q = rotations.data();
  for (py::ssize_t f = 0; f < rotations.shape(0); ++f) {
    for (int j = 0; j < joints; ++j, q += 4) {
      const Quaternion rotation(q[0], q[1], q[2], q[3]);
      const double length = rotation.norm();
      if (!(length > 1e-9 && std::isfinite(length))) {
        throw py::value_error("rotations: frame " + std::to_string(f) +
                              ", joint " + std::to_string(j) +
                              ": a rotation (w, x, y, z) is finite and not "
                              "zero");
      }
      Transform& X_PJ = pose.X_PJ[std::size_t(j)];
      X_PJ.R = rotation.normalized();
      if (skeleton->is_root(j)) {
        X_PJ.p = Vector3(root.at(f, 0), root.at(f, 1), root.at(f, 2));
      }
    }
    motion.Append(pose);
  }
  return {std::make_shared<const figure::Motion>(std::move(motion)), {}};
}

py::array_t<double> RotationsOf(const figure::Motion& motion) {
  const int joints = motion.skeleton().num_joints();
  py::array_t<double> array(
      {motion.num_frames(), std::int64_t(joints), std::int64_t(4)});
  double* out = array.mutable_data();
  const py::gil_scoped_release unlocked;
  figure::Pose pose;
  for (std::int64_t f = 0; f < motion.num_frames(); ++f) {
    motion.GetPose(f, pose);
    for (int j = 0; j < joints; ++j) {
      const Quaternion& R = pose.X_PJ[std::size_t(j)].R;
      *out++ = R.w();
      *out++ = R.x();
      *out++ = R.y();
      *out++ = R.z();
    }
  }
  return array;
}

/// World positions of all joints, or of the translations in their parents.
py::array_t<double> PositionsOf(const figure::Motion& motion, bool world) {
  const int joints = motion.skeleton().num_joints();
  py::array_t<double> array(
      {motion.num_frames(), std::int64_t(joints), std::int64_t(3)});
  double* out = array.mutable_data();
  const py::gil_scoped_release unlocked;
  figure::Pose pose;
  std::vector<Transform> X_WJ;
  for (std::int64_t f = 0; f < motion.num_frames(); ++f) {
    motion.GetPose(f, pose);
    if (world) figure::WorldTransforms(motion.skeleton(), pose, X_WJ);
    for (int j = 0; j < joints; ++j) {
      const Vector3& p =
          world ? X_WJ[std::size_t(j)].p : pose.X_PJ[std::size_t(j)].p;
      out = std::copy_n(p.data(), 3, out);
    }
  }
  return array;
}

py::list NamesOf(const figure::Skeleton& skeleton) {
  py::list names;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.append(TextOf(joint.name));
  }
  return names;
}

std::vector<int> ParentsOf(const figure::Skeleton& skeleton) {
  std::vector<int> parents;
  for (const figure::Joint& joint : skeleton.joints()) {
    parents.push_back(joint.parent);
  }
  return parents;
}

py::array_t<double> OffsetsOf(const figure::Skeleton& skeleton) {
  py::array_t<double> array(
      {std::int64_t(skeleton.num_joints()), std::int64_t(3)});
  double* out = array.mutable_data();
  for (const figure::Joint& joint : skeleton.joints()) {
    out = std::copy_n(joint.offset.data(), 3, out);
  }
  return array;
}

py::dict MetadataOf(const mocap::Metadata& metadata) {
  py::dict groups;
  for (const mocap::MetadataGroup& group : metadata.groups) {
    py::dict values;
    for (const mocap::MetadataParameter& parameter : group.parameters) {
      py::object value;
      if (parameter.is_text()) {
        py::list strings;
        for (const std::string& text : parameter.Strings()) {
          strings.append(TextOf(text));
        }
        value = strings;
      } else {
        std::vector<double> numbers;
        for (std::size_t i = 0; i < parameter.size(); ++i) {
          numbers.push_back(parameter.Number(i).value_or(0.0));
        }
        value = py::cast(numbers);
      }
      values[TextOf(parameter.name)] = value;
    }
    groups[TextOf(group.name)] = values;
  }
  return groups;
}

py::list PlatesOf(const mocap::MarkerTake& take) {
  py::list plates;
  for (const mocap::ForcePlate& plate : mocap::ForcePlates(take)) {
    py::array_t<double> corners(
        {std::int64_t(plate.corners.size()), std::int64_t(3)});
    double* out = corners.mutable_data();
    for (const Vector3& corner : plate.corners) {
      out = std::copy_n(corner.data(), 3, out);
    }
    plates.append(py::make_tuple(plate.type, corners, ArrayOf(plate.origin),
                                 plate.channels));
  }
  return plates;
}

py::list EventsOf(const mocap::MarkerTake& take) {
  py::list list;
  for (const mocap::TakeEvent& event : take.events) {
    list.append(py::make_tuple(TextOf(event.label), TextOf(event.context),
                               event.time_s, TextOf(event.subject)));
  }
  return list;
}

py::list ChannelsOf(const mocap::MarkerTake& take) {
  py::list list;
  for (const mocap::AnalogChannel& channel : take.analog.channels) {
    list.append(py::make_tuple(TextOf(channel.label), TextOf(channel.unit)));
  }
  return list;
}

py::array_t<double> AnalogOf(const TakeHandle& self) {
  mocap::AnalogData& analog = self.take->analog;
  const auto channels = static_cast<py::ssize_t>(analog.channels.size());
  return Share(analog.samples.data(),
               {channels == 0 ? 0 : analog.num_samples(), channels}, self.take);
}

void BindTake(py::module_& module) {
  py::class_<TakeHandle>(module, "TakeHandle")
      .def_property_readonly(
          "points",
          [](const TakeHandle& self) {
            mocap::MarkerTake& take = *self.take;
            return Share(take.positions().data(),
                         {take.num_frames(), take.num_markers(), 3}, self.take);
          })
      .def_property_readonly(
          "labels",
          [](const TakeHandle& self) { return TextsOf(self.take->labels()); })
      .def_property_readonly(
          "rate", [](const TakeHandle& self) { return self.take->rate_hz(); })
      .def_property_readonly(
          "first_frame",
          [](const TakeHandle& self) { return self.take->first_frame; })
      .def_property_readonly("file",
                             [](const TakeHandle& self) { return self.file; })
      .def_property_readonly(
          "unit",
          [](const TakeHandle& self) { return TextOf(self.take->origin.unit); })
      .def_property_readonly(
          "up",
          [](const TakeHandle& self) {
            return std::string(mocap::ToString(self.take->origin.axes.up));
          })
      .def_property_readonly(
          "gap_fraction",
          [](const TakeHandle& self) { return self.take->gap_fraction(); })
      .def_property_readonly("analog", &AnalogOf)
      .def_property_readonly(
          "analog_rate",
          [](const TakeHandle& self) { return self.take->analog.rate_hz; })
      .def_property_readonly(
          "analog_channels",
          [](const TakeHandle& self) { return ChannelsOf(*self.take); })
      .def_property_readonly(
          "events", [](const TakeHandle& self) { return EventsOf(*self.take); })
      .def_property_readonly(
          "plates", [](const TakeHandle& self) { return PlatesOf(*self.take); })
      .def_property_readonly("metadata",
                             [](const TakeHandle& self) {
                               return MetadataOf(self.take->metadata);
                             })
      .def("write", [](const TakeHandle& self, const std::string& path) {
        return Write(*self.take, path);
      });
  module.def("take_from_array", &TakeFromArray);
}

void BindClip(py::module_& module) {
  py::class_<ClipHandle>(module, "ClipHandle")
      .def_property_readonly(
          "num_frames",
          [](const ClipHandle& self) { return self.motion->num_frames(); })
      .def_property_readonly(
          "rate", [](const ClipHandle& self) { return self.motion->rate_hz(); })
      .def_property_readonly(
          "duration",
          [](const ClipHandle& self) { return self.motion->duration(); })
      .def_property_readonly(
          "file", [](const ClipHandle& self) { return self.origin.file; })
      .def_property_readonly("joint_names",
                             [](const ClipHandle& self) {
                               return NamesOf(self.motion->skeleton());
                             })
      .def_property_readonly("parents",
                             [](const ClipHandle& self) {
                               return ParentsOf(self.motion->skeleton());
                             })
      .def_property_readonly("offsets",
                             [](const ClipHandle& self) {
                               return OffsetsOf(self.motion->skeleton());
                             })
      .def_property_readonly(
          "rotations",
          [](const ClipHandle& self) { return RotationsOf(*self.motion); })
      .def("positions",
           [](const ClipHandle& self) {
             return PositionsOf(*self.motion, true);
           })
      .def("translations",
           [](const ClipHandle& self) {
             return PositionsOf(*self.motion, false);
           })
      .def("write", [](const ClipHandle& self, const std::string& path) {
        return Write(*self.motion, path);
      });
  module.def("clip_from_arrays", &ClipFromArrays);
}

void BindFigure(py::module_& module) {
  py::class_<FigureHandle>(module, "FigureHandle")
      .def_property_readonly(
          "name", [](const FigureHandle& self) { return self.model->name; })
      .def_property_readonly(
          "mass",
          [](const FigureHandle& self) { return self.model->total_mass(); })
      .def_property_readonly(
          "segments",
          [](const FigureHandle& self) {
            py::list names;
            for (const figure::FigureSegment& segment : self.model->segments) {
              names.append(TextOf(segment.name));
            }
            return names;
          })
      .def_property_readonly("joint_names",
                             [](const FigureHandle& self) {
                               return NamesOf(*self.model->skeleton);
                             })
      .def_property_readonly("parents",
                             [](const FigureHandle& self) {
                               return ParentsOf(*self.model->skeleton);
                             })
      .def_property_readonly("offsets",
                             [](const FigureHandle& self) {
                               return OffsetsOf(*self.model->skeleton);
                             })
      .def("write", [](const FigureHandle& self, const std::string& path) {
        return Write(*self.model, path);
      });
  py::class_<SkeletonHandle>(module, "SkeletonHandle")
      .def_property_readonly("joint_names",
                             [](const SkeletonHandle& self) {
                               return NamesOf(*self.skeleton->skeleton);
                             })
      .def_property_readonly("parents",
                             [](const SkeletonHandle& self) {
                               return ParentsOf(*self.skeleton->skeleton);
                             })
      .def_property_readonly("offsets",
                             [](const SkeletonHandle& self) {
                               return OffsetsOf(*self.skeleton->skeleton);
                             })
      .def("write", [](const SkeletonHandle& self, const std::string& path) {
        return Write(*self.skeleton, path);
      });
}

void BindTable(py::module_& module) {
  py::class_<TableHandle>(module, "TableHandle")
      .def_property_readonly(
          "name", [](const TableHandle& self) { return self.table->name; })
      .def_property_readonly(
          "labels",
          [](const TableHandle& self) { return TextsOf(self.table->labels); })
      .def_property_readonly(
          "in_degrees",
          [](const TableHandle& self) { return self.table->in_degrees; })
      .def_property_readonly("times",
                             [](const TableHandle& self) {
                               return Share(self.table->times.data(),
                                            {self.table->num_rows()},
                                            self.table);
                             })
      .def_property_readonly(
          "values",
          [](const TableHandle& self) {
            return Share(self.table->values.data(),
                         {self.table->num_rows(),
                          static_cast<py::ssize_t>(self.table->labels.size())},
                         self.table);
          })
      .def("write", [](const TableHandle& self, const std::string& path) {
        return Write(*self.table, path);
      });
}

}  // namespace

void BindData(py::module_& module) {
  BindTake(module);
  BindClip(module);
  BindFigure(module);
  BindTable(module);
  module.def("read", &Read);
}

}  // namespace limber::python
