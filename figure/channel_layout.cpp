// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/channel_layout.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::figure {

namespace {

// Below this, cos of the middle angle gives the outer one no meaning; the
// rotation changes by less than this when the outer angle is the hint's [rad].
constexpr double kGimbalLock = 1e-9;

[[noreturn]] void RefuseChannel(std::size_t index, const std::string& why) {
  throw std::invalid_argument("channels[" + std::to_string(index) + "] " + why);
}

// The rotation channels of a run, outermost first, at most three.
struct RotationChannels {
  int count = 0;
  std::array<int, 3> axis = {};
  std::array<std::size_t, 3> index = {};  // In the row.
};

RotationChannels RotationsOf(const ChannelLayout& layout,
                             const ChannelRun& run) {
  RotationChannels result;
  const std::vector<Channel>& channels = layout.channels();
  const bool first_outermost =
      layout.order() == RotationOrder::kFirstIsOutermost;
  for (std::size_t k = run.begin; k < run.end; ++k) {
    const std::size_t i = first_outermost ? k : run.begin + run.end - 1 - k;
    if (channels[i].kind != ChannelKind::kRotation) continue;
    result.axis[result.count] = channels[i].axis;
    result.index[result.count] = i;
    ++result.count;
  }
  return result;
}

// q * (rotation by `angle` about coordinate axis `axis`).
Quaternion TurnedAbout(const Quaternion& q, int axis, double angle) {
  const double c = std::cos(0.5 * angle);
  const double s = std::sin(0.5 * angle);
  switch (axis) {
    case 0:
      return {q.w() * c - q.x() * s, q.x() * c + q.w() * s,
              q.y() * c + q.z() * s, q.z() * c - q.y() * s};
    case 1:
      return {q.w() * c - q.y() * s, q.x() * c - q.z() * s,
              q.y() * c + q.w() * s, q.z() * c + q.x() * s};
    default:
      return {q.w() * c - q.z() * s, q.x() * c + q.y() * s,
              q.y() * c - q.x() * s, q.z() * c + q.w() * s};
  }
}

// E, the product of a joint's rotation channels.
Quaternion RotationOfRow(const RotationChannels& rotations,
                         std::span<const double> row) {
  Quaternion E = Quaternion::Identity();
  for (int k = 0; k < rotations.count; ++k) {
    E = TurnedAbout(E, rotations.axis[k], row[rotations.index[k]]);
  }
  return E;
}

// The rotation R_WA of a joint's channel axes.
Quaternion ChannelAxes(const ChannelLayout& layout, int joint) {
  if (layout.R_FA().empty()) return layout.R_WF();
  return layout.R_WF() * layout.R_FA()[joint];
}

// `angle` plus the whole turns that bring it nearest to `hint`.
double Unwrapped(double angle, double hint) {
  return angle + 2.0 * kPi * std::round((hint - angle) / (2.0 * kPi));
}

// +1 when the axes a, b follow each other as x y z x.
double Handedness(int a, int b) { return (a + 1) % 3 == b ? 1.0 : -1.0; }

using Angles = std::array<double, 3>;

// One axis: the angle whose rotation is nearest to E, the twist of E about it.
void FitOne(const Quaternion& E, int a, Angles& angles) {
  angles[0] = 2.0 * std::atan2(E.vec()[a], E.w());
}

// Two axes. With half angles α, β and h the handedness, the quaternion of
// Ra(2α) Rb(2β) is (cα cβ, sα cβ, cα sβ, h sα sβ) in the parts w, a, b, c, so
// its product with E is
//
//     f = (cα sα) M (cβ sβ)ᵀ,   M = [w_E  b_E ; a_E  h c_E]
//
// and the nearest rotation has the largest f: the first singular vectors of M.
void FitTwo(const Quaternion& E, int a, int b, Angles& angles) {
  const double h = Handedness(a, b);
  const int c = 3 - a - b;
  const double w = E.w();
  const double x = E.vec()[a];
  const double y = E.vec()[b];
  const double z = h * E.vec()[c];
  // For the 2x2 matrix [w y; x z]: α + β and α - β have closed forms.
  const double sum = std::atan2(x + y, w - z);
  const double difference = std::atan2(x - y, w + z);
  angles[0] = sum + difference;
  angles[1] = sum - difference;
}

// Three axes, E = Ra(α) Rb(β) Rc(γ), h the handedness of a, b:
//
//     E(b,c) = -h sα cβ,  E(c,c) = cα cβ
//
// gives α up to half a turn (two branches). Then F = Ra(-α) E = Rb(β) Rc(γ) and
//
//     F(a,c) = h sβ, F(c,c) = cβ,   F(b,a) = h sγ, F(b,b) = cγ
//
// which is well conditioned whatever β is. In gimbal lock (cβ = 0) any α will
// do and the hint's is taken.
void FitThree(const Quaternion& E, int a, int b, int c, const Angles& hint,
              Angles& angles) {
  const double h = Handedness(a, b);
  const Matrix3 E_matrix = E.toRotationMatrix();
  const double sine = -h * E_matrix(b, c);
  const double cosine = E_matrix(c, c);
  const bool locked = std::hypot(sine, cosine) < kGimbalLock;
  const double alpha = locked ? hint[0] : std::atan2(sine, cosine);
  double best = std::numeric_limits<double>::infinity();
  for (const double branch : {alpha, alpha + kPi}) {
    const Quaternion back = TurnedAbout(Quaternion::Identity(), a, -branch);
    const Matrix3 F = (back * E).toRotationMatrix();
    const Angles trial = {Unwrapped(branch, hint[0]),
                          Unwrapped(std::atan2(h * F(a, c), F(c, c)), hint[1]),
                          Unwrapped(std::atan2(h * F(b, a), F(b, b)), hint[2])};
    double distance = 0.0;
    for (int k = 0; k < 3; ++k) {
      distance += (trial[k] - hint[k]) * (trial[k] - hint[k]);
    }
    if (distance < best) {
      best = distance;
      angles = trial;
    }
    if (locked) break;
  }
}

void WriteRotation(const RotationChannels& rotations, const Quaternion& E,
                   std::span<const double> hint_row, std::span<double> row) {
  Angles hint = {};
  for (int k = 0; k < rotations.count; ++k) {
    hint[k] = hint_row[rotations.index[k]];
  }
  Angles angles = {};
  const std::array<int, 3>& axis = rotations.axis;
  if (rotations.count == 1) FitOne(E, axis[0], angles);
  if (rotations.count == 2) FitTwo(E, axis[0], axis[1], angles);
  if (rotations.count == 3) {
    FitThree(E, axis[0], axis[1], axis[2], hint, angles);
  }
  for (int k = 0; k < rotations.count; ++k) {
    row[rotations.index[k]] = Unwrapped(angles[k], hint[k]);
  }
}

}  // namespace

ChannelLayout::ChannelLayout(int num_joints, std::vector<Channel> channels,
                             RotationOrder order, const Quaternion& R_WF,
                             std::vector<Quaternion> R_FA)
    : num_joints_(num_joints),
      channels_(std::move(channels)),
      order_(order),
      R_WF_(R_WF),
      R_FA_(std::move(R_FA)) {
  if (!R_FA_.empty() && static_cast<int>(R_FA_.size()) != num_joints) {
    throw std::invalid_argument("R_FA has " + std::to_string(R_FA_.size()) +
                                " rotations, expected " +
                                std::to_string(num_joints));
  }
  runs_.resize(static_cast<std::size_t>(num_joints));
  for (std::size_t i = 0; i < channels_.size();) {
    const int joint = channels_[i].joint;
    if (joint < 0 || joint >= num_joints) {
      RefuseChannel(i, "names joint " + std::to_string(joint));
    }
    ChannelRun& run = runs_[static_cast<std::size_t>(joint)];
    if (run.size() > 0) {
      RefuseChannel(i, "stands apart from the others of its joint");
    }
    run = {i, i};
    while (run.end < channels_.size() && channels_[run.end].joint == joint) {
      ++run.end;
    }
    // One bit for each thing a joint can have: 3 + 3 axes, 4 quaternion parts.
    unsigned parts = 0;
    for (std::size_t k = run.begin; k < run.end; ++k) {
      const Channel& channel = channels_[k];
      const int num_axes = channel.kind == ChannelKind::kQuaternion ? 4 : 3;
      if (channel.axis >= num_axes) {
        RefuseChannel(k, "has axis " + std::to_string(channel.axis));
      }
      const unsigned bit =
          1u << (3 * static_cast<int>(channel.kind) + channel.axis);
      if (parts & bit) RefuseChannel(k, "repeats an earlier one");
      parts |= bit;
    }
    const unsigned rotation_parts = (parts >> 3) & 7u;
    const unsigned quaternion_parts = parts >> 6;
    if (quaternion_parts != 0 &&
        (quaternion_parts != 15u || rotation_parts != 0)) {
      RefuseChannel(i, "begins a rotation that is not one whole quaternion");
    }
    i = run.end;
  }
}

ChannelLayout ChannelLayout::Free(const std::vector<bool>& moves) {
  std::vector<Channel> channels;
  for (std::size_t joint = 0; joint < moves.size(); ++joint) {
    const auto add = [&](ChannelKind kind, int count) {
      for (int axis = 0; axis < count; ++axis) {
        channels.push_back({static_cast<std::int32_t>(joint), kind,
                            static_cast<std::uint8_t>(axis)});
      }
    };
    if (moves[joint]) add(ChannelKind::kTranslation, 3);
    add(ChannelKind::kQuaternion, 4);
  }
  return ChannelLayout(static_cast<int>(moves.size()), std::move(channels));
}

void PoseFromChannels(const ChannelLayout& layout, const Skeleton& skeleton,
                      std::span<const double> row, Pose& pose) {
  assert(layout.num_joints() == skeleton.num_joints());
  assert(static_cast<int>(row.size()) == layout.num_channels());
  pose.X_PJ.resize(static_cast<std::size_t>(skeleton.num_joints()));
  const std::vector<Channel>& channels = layout.channels();
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    Transform& X_PJ = pose.X_PJ[joint];
    X_PJ = {Quaternion::Identity(), skeleton.joint(joint).offset};
    const ChannelRun& run = layout.runs()[joint];
    if (run.size() == 0) continue;
    Vector3 t = layout.R_WF().conjugate() * X_PJ.p;
    bool moves = false;
    Vector4 q = Vector4::Zero();
    bool has_quaternion = false;
    for (std::size_t k = run.begin; k < run.end; ++k) {
      if (channels[k].kind == ChannelKind::kTranslation) {
        t[channels[k].axis] = row[k];
        moves = true;
      } else if (channels[k].kind == ChannelKind::kQuaternion) {
        q[channels[k].axis] = row[k];
        has_quaternion = true;
      }
    }
    if (moves) X_PJ.p = layout.R_WF() * t;
    const Quaternion E = has_quaternion
                             ? Quaternion(q[0], q[1], q[2], q[3])
                             : RotationOfRow(RotationsOf(layout, run), row);
    const Quaternion R_WA = ChannelAxes(layout, joint);
    X_PJ.R = R_WA * E * R_WA.conjugate();
  }
}

void ChannelsFromPose(const ChannelLayout& layout, const Skeleton& skeleton,
                      const Pose& pose, std::span<const double> hint,
                      std::span<double> row, std::vector<ChannelLoss>& loss) {
  assert(layout.num_joints() == skeleton.num_joints());
  assert(layout.num_joints() == pose.num_joints());
  assert(static_cast<int>(row.size()) == layout.num_channels());
  assert(hint.size() == row.size());
  loss.resize(pose.X_PJ.size());
  const std::vector<Channel>& channels = layout.channels();
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const Transform& X_PJ = pose.X_PJ[joint];
    const ChannelRun& run = layout.runs()[joint];
    const Quaternion R_FW = layout.R_WF().conjugate();
    const Vector3 t = R_FW * X_PJ.p;
    // The part of the shift that no channel takes stays in `rest`.
    Vector3 rest = t - R_FW * skeleton.joint(joint).offset;
    const Quaternion R_WA = ChannelAxes(layout, joint);
    const Quaternion E = (R_WA.conjugate() * X_PJ.R * R_WA).normalized();
    const Vector4 q(E.w(), E.x(), E.y(), E.z());
    bool has_quaternion = false;
    for (std::size_t k = run.begin; k < run.end; ++k) {
      if (channels[k].kind == ChannelKind::kTranslation) {
        row[k] = t[channels[k].axis];
        rest[channels[k].axis] = 0.0;
      } else if (channels[k].kind == ChannelKind::kQuaternion) {
        row[k] = q[channels[k].axis];
        has_quaternion = true;
      }
    }
    loss[joint] = {0.0, rest.norm()};
    if (!has_quaternion) {
      const RotationChannels rotations = RotationsOf(layout, run);
      WriteRotation(rotations, E, hint, row);
      loss[joint].angle = AngleBetween(E, RotationOfRow(rotations, row));
    }
  }
}

}  // namespace limber::figure
