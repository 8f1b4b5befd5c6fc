// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure_model.h"
#include "figure/motion.h"
#include "mocap/marker_take.h"
#include "viewer/part.h"

namespace limber::viewer {

/// What is drawn beside the bodies, as far as a show has it.
struct Layers {
  bool forces = false;     ///< Arrows, as long as the forces are large.
  bool reactions = false;  ///< And the forces on the other body.
  /// Where bodies touch, green sticks, orange slides; where feet stand.
  bool contacts = false;
  bool effort = false;  ///< Segments redder the harder their motors work.
  bool trails = false;  ///< Where hands and feet have just been.
  bool mass_centre = false;
  bool bones = false;    ///< Instead of bodies.
  bool beside = false;   ///< The ghost of a comparison beside the figure.
  bool details = false;  ///< How fast it is computed and drawn, in words.
};

/// Something that happens while a show goes on, for its time line.
struct ShownEvent {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s], not before `from`.
  std::string text;   ///< "disable link 7".
};

/// Something with a time line that can be shown: a clip, a take, a scene. Knows
/// nothing of drawing, so that what is shown can be tested without a screen.
class Show {
 public:
  virtual ~Show() = default;

  /// The parts never change; their poses do.
  virtual const std::vector<Part>& parts() const = 0;
  virtual double duration() const = 0;  ///< [s], zero or positive.
  /// Frames a second, for the time line [Hz].
  virtual double rate_hz() const { return 60.0; }
  /// Sets what is seen at `time`, which is brought into [0, duration].
  virtual void Draw(double time, Picture& picture) = 0;
  /// Where the camera should look: a point in the middle of what is seen.
  virtual Vector3 Centre(double time) = 0;
  /// A sphere about the centre that holds all that is seen [m].
  virtual double Radius() = 0;

  /// What happens, as far as it is known: of what is simulated, so far.
  virtual std::vector<ShownEvent> events() const { return {}; }
  /// How long the arrow of a newton is [m]; 0 where no force is known.
  virtual double force_scale() const { return 0.0; }

  const Layers& layers() const { return layers_; }
  virtual void SetLayers(const Layers& layers) { layers_ = layers; }

  /// Shows that are simulated compute what `Draw(time)` needs, for about
  /// `budget` seconds of wall time, at least one frame. Returns the time that
  /// can be drawn at once: `time`, or less.
  virtual double Prepare(double time, double /*budget*/) { return time; }
  /// The time at which pointer and keys act on bodies: the end of what has been
  /// computed. Negative where nothing is simulated.
  virtual double live_time() const { return -1.0; }
  /// The clock has begun anew: what is simulated is simulated again.
  virtual void Rewind() {}

  /// How the figure moves, by the words of `--mode`; empty where there is only
  /// one way.
  virtual std::vector<std::string> modes() const { return {}; }
  /// @throws std::invalid_argument for a word that is not in `modes`.
  virtual void SetMode(std::string_view mode);

  /// What the pointer does to bodies that are moved by forces; nothing
  /// elsewhere. Pulls the point of `part` now at `p_W`, towards the places
  /// that follow, with a bounded force.
  virtual bool Grab(int part, const Vector3& p_W);
  virtual void Pull(const Vector3& target_W);
  virtual void Release() {}
  /// Where the point is that is being pulled; nothing where none is.
  virtual std::optional<Vector3> grabbed_point() const { return std::nullopt; }
  /// Fires a ball from the eye.
  virtual void Fire(const Vector3& eye, const Vector3& direction);
  /// An impulse on `part` [N s].
  virtual void Push(int part, const Vector3& impulse_W);
  /// Back to the start, with everything as it was.
  virtual void Restart() {}
  /// What is known of the body of `part`, one line each.
  virtual std::vector<std::string> Describe(int part) const;

 private:
  Layers layers_;
};

struct ClipLook {
  bool ghost = false;               ///< See-through, in the ghost's colour.
  Vector3 shift = Vector3::Zero();  ///< Moves everything, for side by side.
};

/// A clip on a figure: solids of the figure's segments, or bones.
std::unique_ptr<Show> ShowClip(
    std::shared_ptr<const figure::Motion> motion,
    std::shared_ptr<const figure::FigureModel> figure,
    const ClipLook& look = {});

/// The markers of a take.
std::unique_ptr<Show> ShowTake(std::shared_ptr<const mocap::MarkerTake> take);

/// The markers of a take, those that the figure wears while it plays `motion`,
/// and a line from each to where it was captured. Labels are compared without
/// what stands before a colon.
std::unique_ptr<Show> ShowMarkerErrors(
    std::shared_ptr<const mocap::MarkerTake> take,
    std::shared_ptr<const figure::Motion> motion,
    std::shared_ptr<const figure::FigureModel> figure);

/// Several shows on one stage and one clock; it lasts as long as the longest.
std::unique_ptr<Show> ShowTogether(std::vector<std::unique_ptr<Show>> shows);

}  // namespace limber::viewer
