// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/model_motion.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "mocap/solve/marker_set.h"

namespace limber::mocap {

ModelPose::ModelPose(const OsimModel& model)
    : model_(model), X_GB_(model.bodies.size()), moves_(model.bodies.size()) {}

void ModelPose::Update(const VectorX& q) {
  for (std::size_t b = 0; b < X_GB_.size(); ++b) {
    const OsimJoint& joint = model_.joints[b];
    const int parent = model_.bodies[b].parent;
    const Transform X_GF =
        (parent < 0 ? Transform() : X_GB_[std::size_t(parent)]) * joint.X_PF;
    const Transform moved = joint.Moved(q);
    const Vector3 origin = X_GF * moved.p;
    std::vector<Move>& moves = moves_[b];
    moves.clear();
    Quaternion R = X_GF.R;
    for (const OsimAxis& axis : joint.axes) {
      const double x = axis.coordinate < 0 ? 0.0 : q[axis.coordinate];
      if (axis.coordinate >= 0) {
        moves.push_back(
            {axis.is_turn, axis.coordinate,
             axis.function.Slope(x) * ((axis.is_turn ? R : X_GF.R) * axis.axis),
             origin});
      }
      if (axis.is_turn) {
        R = R * ExpRotation(axis.function.Value(x) * axis.axis);
      }
    }
    X_GB_[b] = X_GF * moved * joint.X_BF.Inverse();
  }
}

void ModelPose::AddJacobian(int body, const Vector3& p_G,
                            Eigen::Ref<Eigen::Matrix3Xd> J) const {
  for (int b = body; b >= 0; b = model_.bodies[std::size_t(b)].parent) {
    for (const Move& move : moves_[std::size_t(b)]) {
      if (move.is_turn) {
        J.col(move.coordinate) += move.axis.cross(p_G - move.origin);
      } else {
        J.col(move.coordinate) += move.axis;
      }
    }
  }
}

namespace {

constexpr int kFewestMarkers = 3;  ///< That place a body.

/// A marker that is heeded.
struct Target {
  int column = 0;
  int body = 0;
  Vector3 p_BM = Vector3::Zero();
  double weight = 1.0;
};

/// A coordinate that should be somewhere.
struct Wish {
  int coordinate = 0;
  double weight = 0.0;
  double value = 0.0;
};

/// The cost of one frame, its gradient and its Gauss-Newton matrix over the
/// coordinates that are free.
class FrameProblem {
 public:
  FrameProblem(const OsimModel& model, std::vector<Target> targets,
               std::vector<Wish> wishes)
      : model_(model),
        targets_(std::move(targets)),
        wishes_(std::move(wishes)),
        pose_(model) {
    for (const OsimCoordinate& coordinate : model.coordinates) {
      is_free_.push_back(!coordinate.is_locked);
    }
    for (const OsimCoupling& coupling : model.couplings) {
      is_free_[std::size_t(coupling.dependent)] = false;
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].parent >= 0) continue;
      for (const OsimAxis& axis : model.joints[b].axes) {
        if (axis.coordinate >= 0) base_.push_back(axis);
      }
    }
  }

  std::size_t num_coordinates() const { return is_free_.size(); }
  const std::vector<Target>& targets() const { return targets_; }
  /// What moves the whole model.
  const std::vector<OsimAxis>& base() const { return base_; }
  bool is_free(std::size_t c) const { return is_free_[c]; }
  bool IsBase(int c) const {
    return std::ranges::find(base_, c, &OsimAxis::coordinate) != base_.end();
  }

  /// Default values, coupled ones following.
  VectorX Start() const {
    VectorX q(std::ssize(model_.coordinates));
    for (std::size_t c = 0; c < num_coordinates(); ++c) {
      q[Eigen::Index(c)] = model_.coordinates[c].default_value;
    }
    Keep(q);
    return q;
  }

  /// Takes q back into its ranges and lets coupled coordinates follow.
  void Keep(VectorX& q) const {
    for (std::size_t c = 0; c < num_coordinates(); ++c) {
      const OsimCoordinate& coordinate = model_.coordinates[c];
      if (!coordinate.is_clamped || !is_free_[c] || IsBase(int(c))) continue;
      double& value = q[Eigen::Index(c)];
      value = std::clamp(value, coordinate.lower, coordinate.upper);
    }
    for (const OsimCoupling& coupling : model_.couplings) {
      q[coupling.dependent] = coupling.function.Value(q[coupling.independent]);
    }
  }

  /// Whether q_c is at an end of its range and `slope`, of the cost, pushes it
  /// out.
  bool IsStopped(std::size_t c, const VectorX& q, double slope) const {
    const OsimCoordinate& coordinate = model_.coordinates[c];
    if (!coordinate.is_clamped || IsBase(int(c))) return false;
    const double value = q[Eigen::Index(c)];
    return (value <= coordinate.lower && slope > 0) ||
           (value >= coordinate.upper && slope < 0);
  }

  double Cost(const VectorX& q, std::span<const Vector3> points) {
    pose_.Update(q);
    double sum = 0.0;
    double weights = 0.0;
    for (const Target& target : targets_) {
      const Vector3& seen = points[std::size_t(target.column)];
      if (!IsSeen(seen)) continue;
      const Vector3 p = pose_.X_GB(target.body) * target.p_BM;
      sum += target.weight * (p - seen).squaredNorm();
      weights += target.weight;
    }
    double cost = weights > 0 ? sum / weights : 0.0;
    for (const Wish& wish : wishes_) {
      const double off = q[wish.coordinate] - wish.value;
      cost += wish.weight * off * off;
    }
    return 0.5 * cost;
  }

  /// H and g at q, after `Cost(q)`.
  void Linearise(const VectorX& q, std::span<const Vector3> points, MatrixX& H,
                 VectorX& g) {
    const Eigen::Index n = q.size();
    H.setZero(n, n);
    g.setZero(n);
    double weights = 0.0;
    Eigen::Matrix3Xd J(3, n);
    for (const Target& target : targets_) {
      const Vector3& seen = points[std::size_t(target.column)];
      if (!IsSeen(seen)) continue;
      const Vector3 p = pose_.X_GB(target.body) * target.p_BM;
      J.setZero();
      pose_.AddJacobian(target.body, p, J);
      FollowCouplings(q, J);
      H.noalias() += target.weight * J.transpose() * J;
      g.noalias() += target.weight * (J.transpose() * (p - seen));
      weights += target.weight;
    }
    if (weights > 0) {
      H /= weights;
      g /= weights;
    }
    for (const Wish& wish : wishes_) {
      H(wish.coordinate, wish.coordinate) += wish.weight;
      g[wish.coordinate] += wish.weight * (q[wish.coordinate] - wish.value);
    }
  }

 private:
  /// What a coupled coordinate moves is moved by the one that it follows.
  void FollowCouplings(const VectorX& q, Eigen::Matrix3Xd& J) const {
    for (auto coupling = model_.couplings.rbegin();
         coupling != model_.couplings.rend(); ++coupling) {
      const double slope = coupling->function.Slope(q[coupling->independent]);
      J.col(coupling->independent) += slope * J.col(coupling->dependent);
      J.col(coupling->dependent).setZero();
    }
  }

  const OsimModel& model_;
  std::vector<Target> targets_;
  std::vector<Wish> wishes_;
  ModelPose pose_;
  std::vector<bool> is_free_;
  std::vector<OsimAxis> base_;
};

/// Half of the digits of a number: what is smaller beside another is rounding.
const double kHalfDigits = std::sqrt(std::numeric_limits<double>::epsilon());

/// H and g at q, with the coordinates that may not move taken out: those that
/// are not free, at an end of their range, or not of the base where only this
/// is asked for.
void LineariseMoving(FrameProblem& problem, std::span<const Vector3> points,
                     bool base_only, const VectorX& q, MatrixX& H, VectorX& g) {
  problem.Cost(q, points);
  problem.Linearise(q, points, H, g);
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    const auto index = std::size_t(c);
    const bool moves = problem.is_free(index) &&
                       (!base_only || problem.IsBase(int(c))) &&
                       !problem.IsStopped(index, q, g[c]);
    if (moves) continue;
    H.row(c).setZero();
    H.col(c).setZero();
    g[c] = 0.0;
  }
}

/// Levenberg-Marquardt from q, over all free coordinates or those of the joint
/// on the ground alone, until no step promises a gain that the digits of the
/// cost could show. Returns the cost.
double Minimise(FrameProblem& problem, std::span<const Vector3> points,
                bool base_only, VectorX& q) {
  constexpr int kMostSteps = 100;
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  double damping = kHalfDigits;  // Of the largest curvature.
  double cost = problem.Cost(q, points);
  MatrixX H;
  VectorX g;
  for (int step = 0; step < kMostSteps; ++step) {
    LineariseMoving(problem, points, base_only, q, H, g);
    const double curvature = H.diagonal().maxCoeff();
    if (!(curvature > 0)) return cost;
    for (bool is_lower = false; !is_lower;) {
      MatrixX A = H;
      A.diagonal().array() += damping * curvature;
      const VectorX change = A.ldlt().solve(g);
      // (H + d) x = g lowers the quadratic model by ½ (g·x + d x·x).
      const double gain =
          0.5 * (g.dot(change) + damping * curvature * change.squaredNorm());
      if (!(gain > kRounding * cost)) return cost;
      VectorX next = q - change;
      problem.Keep(next);
      const double next_cost = problem.Cost(next, points);
      is_lower = next_cost < cost;
      if (is_lower) {
        q = next;
        cost = next_cost;
      }
      damping = is_lower ? std::max(kHalfDigits, damping / 10) : 10 * damping;
    }
  }
  return cost;
}

/// A way to lay the model into the points.
struct Laid {
  double cost = 0.0;
  double turned = 0.0;  ///< Of the base, how far from where it was [rad²].
  VectorX q;
};

/// Whether `a` fits better than `b`, or as well and with less turning: three
/// turns have two ways to say the same.
bool IsBetter(const Laid& a, const Laid& b) {
  // Distances of some metres are told apart to half of their digits [m²].
  const double nothing = kHalfDigits * kHalfDigits;
  const double of_a = a.cost + nothing;
  const double of_b = b.cost + nothing;
  if (of_a < (1 - kHalfDigits) * of_b) return true;
  if (of_b < (1 - kHalfDigits) * of_a) return false;
  return a.turned < b.turned;
}

/// The coordinates that turn the whole model.
std::vector<int> BaseTurns(const FrameProblem& problem) {
  std::vector<int> turns;
  for (const OsimAxis& axis : problem.base()) {
    if (axis.is_turn && turns.size() < 3) turns.push_back(axis.coordinate);
  }
  return turns;
}

/// Fits `laid`, and takes whole turns out of it that `before` has not.
void Fit(FrameProblem& problem, std::span<const Vector3> points, bool base_only,
         const VectorX& before, Laid& laid) {
  laid.cost = Minimise(problem, points, base_only, laid.q);
  laid.turned = 0.0;
  for (const int c : BaseTurns(problem)) {
    laid.q[c] -= 2 * kPi * std::round((laid.q[c] - before[c]) / (2 * kPi));
    laid.turned += (laid.q[c] - before[c]) * (laid.q[c] - before[c]);
  }
}

/// The model as it stands, turned by quarters about the axes of its joint on
/// the ground and moved into the points: all ways that differ.
std::vector<Laid> LayModel(FrameProblem& problem,
                           std::span<const Vector3> points,
                           const VectorX& before) {
  const std::vector<int> turns = BaseTurns(problem);
  std::vector<Laid> all;
  for (int i = 0; i < 1 << (2 * turns.size()); ++i) {
    Laid laid{0.0, 0.0, problem.Start()};
    for (std::size_t k = 0; k < turns.size(); ++k) {
      laid.q[turns[k]] = kPi / 2 * double((i >> (2 * k)) & 3);
    }
    Fit(problem, points, true, before, laid);
    const auto same = std::ranges::find_if(all, [&laid](const Laid& other) {
      Laid level = other;
      level.turned = laid.turned;
      return !IsBetter(laid, level) && !IsBetter(level, laid);
    });
    if (same == all.end()) {
      all.push_back(std::move(laid));
    } else if (IsBetter(laid, *same)) {
      *same = std::move(laid);
    }
  }
  return all;
}

/// The coordinates without a frame before; turns near those of q.
void FindFirst(FrameProblem& problem, std::span<const Vector3> points,
               VectorX& q) {
  std::optional<Laid> best;
  for (Laid& laid : LayModel(problem, points, q)) {
    Fit(problem, points, false, q, laid);
    if (!best || IsBetter(laid, *best)) best = std::move(laid);
  }
  if (best) q = best->q;
}

/// Follows the frames from `begin` on, forwards or backwards.
class Follower {
 public:
  Follower(FrameProblem& problem, const Observations& observed,
           ModelMotion& motion)
      : problem_(problem), observed_(observed), motion_(motion) {}

  void Run() {
    const std::int64_t frames = observed_.num_frames();
    motion_.values.assign(std::size_t(frames) * motion_.coordinates.size(),
                          0.0);
    std::int64_t first = 0;
    for (std::int64_t t = 0; t < frames; ++t) {
      if (NumSeen(t) < kFewestMarkers) ++motion_.num_empty;
      if (NumSeen(t) > NumSeen(first)) first = t;
    }
    if (frames == 0 || NumSeen(first) < kFewestMarkers) return;
    q_ = problem_.Start();
    is_lost_ = true;
    for (std::int64_t t = first; t < frames; ++t) Solve(t);
    Load(first);
    for (std::int64_t t = first - 1; t >= 0; --t) Solve(t);
  }

 private:
  int NumSeen(std::int64_t frame) const {
    const std::span<const Vector3> points = observed_.frame(frame);
    return int(std::ranges::count_if(
        problem_.targets(), [&points](const Target& target) {
          return target.weight > 0 &&
                 IsSeen(points[std::size_t(target.column)]);
        }));
  }

  void Load(std::int64_t frame) {
    for (Eigen::Index c = 0; c < q_.size(); ++c) {
      q_[c] = motion_.values[std::size_t(frame * q_.size() + c)];
    }
    is_lost_ = false;
  }

  void Solve(std::int64_t frame) {
    if (NumSeen(frame) < kFewestMarkers) {
      is_lost_ = true;
    } else if (is_lost_) {
      FindFirst(problem_, observed_.frame(frame), q_);
      is_lost_ = false;
    } else {
      Minimise(problem_, observed_.frame(frame), false, q_);
    }
    for (Eigen::Index c = 0; c < q_.size(); ++c) {
      motion_.values[std::size_t(frame * q_.size() + c)] = q_[c];
    }
  }

  FrameProblem& problem_;
  const Observations& observed_;
  ModelMotion& motion_;
  VectorX q_;
  bool is_lost_ = true;
};

/// "A, B and 3 more".
std::string Listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) {
    text += " and " + std::to_string(names.size() - kShown) + " more";
  }
  return text;
}

/// The tasks that have a marker both on the model and in the take; names the
/// others.
std::vector<Target> FindTargets(const OsimModel& model, const OsimTasks& tasks,
                                std::span<const std::string> labels,
                                ModelMotion& motion, Diagnostics& findings) {
  std::vector<Target> targets;
  std::vector<std::string> lacking;
  for (const OsimTask& task : tasks.markers) {
    if (!task.is_applied || !(task.weight > 0)) continue;
    const std::string plain = PlainLabel(task.name);
    const auto is_named = [&plain](const std::string& name) {
      return PlainLabel(name) == plain;
    };
    const auto marker =
        std::ranges::find_if(model.markers, is_named, &OsimMarker::name);
    const auto label = std::ranges::find_if(labels, is_named);
    const OsimBody* body =
        marker == model.markers.end() ? nullptr : model.FindBody(marker->body);
    if (body == nullptr || label == labels.end()) {
      lacking.push_back(task.name);
      continue;
    }
    targets.push_back({int(label - labels.begin()),
                       int(body - model.bodies.data()), marker->p_BM,
                       task.weight});
    motion.markers.push_back(task.name);
    motion.weights.push_back(task.weight);
  }
  // Without a set-up nobody asked for them.
  if (!lacking.empty() && !tasks.is_default) {
    findings.Warning("task-markers", {},
                     "expected markers that both the model and the take have, "
                     "found tasks for others, which are left out: " +
                         Listed(lacking));
  }
  return targets;
}

std::vector<Wish> FindWishes(const OsimModel& model, const OsimTasks& tasks) {
  std::vector<Wish> wishes;
  for (const OsimCoordinateTask& task : tasks.coordinates) {
    const OsimCoordinate* coordinate = model.FindCoordinate(task.name);
    if (!task.is_applied || coordinate == nullptr) continue;
    wishes.push_back({int(coordinate - model.coordinates.data()), task.weight,
                      task.has_value ? task.value : coordinate->default_value});
  }
  return wishes;
}

void MeasureModel(const OsimModel& model, const std::vector<Target>& targets,
                  const Observations& observed, ModelMotion& motion) {
  ModelPose pose(model);
  motion.per_marker.resize(targets.size());
  const auto n = Eigen::Index(motion.coordinates.size());
  for (std::int64_t t = 0; t < observed.num_frames(); ++t) {
    pose.Update(Eigen::Map<const VectorX>(motion.values.data() + t * n, n));
    for (std::size_t m = 0; m < targets.size(); ++m) {
      const Target& target = targets[m];
      const Vector3& seen = observed.frame(t)[std::size_t(target.column)];
      if (!IsSeen(seen)) continue;
      const double off = (pose.X_GB(target.body) * target.p_BM - seen).norm();
      MarkerError& error = motion.per_marker[m];
      error.rms += off * off;
      error.max = std::max(error.max, off);
      ++error.count;
    }
  }
  double sum = 0.0;
  double count = 0.0;
  double weighted = 0.0;
  double weights = 0.0;
  for (std::size_t m = 0; m < targets.size(); ++m) {
    MarkerError& error = motion.per_marker[m];
    sum += error.rms;
    count += double(error.count);
    weighted += targets[m].weight * error.rms;
    weights += targets[m].weight * double(error.count);
    if (error.count > 0) error.rms = std::sqrt(error.rms / double(error.count));
  }
  motion.rms = count > 0 ? std::sqrt(sum / count) : 0.0;
  motion.weighted_rms = weights > 0 ? std::sqrt(weighted / weights) : 0.0;
}

}  // namespace

Result<ModelMotion> FollowMarkers(const OsimModel& model,
                                  const OsimTasks& tasks,
                                  std::span<const std::string> labels,
                                  const Observations& observed,
                                  const std::string& file) {
  Diagnostics findings(file);
  if (!model.unknown.empty() || model.bodies.empty()) {
    findings.Error("unknown-joint", {},
                   "expected a model whose joints are known (custom, pin, "
                   "universal, ball, free, planar, slider, weld), found " +
                       (model.unknown.empty() ? std::string("no bodies")
                                              : model.unknown.front()));
    return Result<ModelMotion>(std::move(findings));
  }
  ModelMotion motion;
  motion.coordinates = model.coordinates;
  std::vector<Target> targets =
      FindTargets(model, tasks, labels, motion, findings);
  if (std::ssize(targets) < kFewestMarkers) {
    findings.Error("no-tasks", {},
                   "expected tasks for three or more markers of the model and "
                   "the take, found " +
                       std::to_string(targets.size()));
    return Result<ModelMotion>(std::move(findings));
  }
  FrameProblem problem(model, targets, FindWishes(model, tasks));
  Follower(problem, observed, motion).Run();
  MeasureModel(model, targets, observed, motion);
  return {std::move(motion), std::move(findings)};
}

Verdict JudgeModelMotion(const ModelMotion& motion) {
  // Scaled models leave the markers that they heed by 0 to 12 mm, with equal
  // weights by 19; models that were not scaled by 37 and more.
  constexpr double kModelOff = 0.03;  // [m]
  constexpr double kMm = 1000.0;
  Verdict verdict;
  if (motion.weighted_rms <= kModelOff) return verdict;
  std::array<char, 96> words;
  std::snprintf(words.data(), words.size(),
                "the model misses the markers by %.0f mm RMS, weighted as its "
                "tasks have it",
                kMm * motion.weighted_rms);
  verdict.Add({"model-off", words.data(),
               "is it scaled to this person, with its markers moved?",
               kMm * motion.weighted_rms, kMm * kModelOff, "mm"});
  return verdict;
}

}  // namespace limber::mocap
