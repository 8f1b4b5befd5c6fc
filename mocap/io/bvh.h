// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "figure/motion.h"
#include "figure/skeleton.h"

namespace limber::mocap {

/// A BVH file as it stands, in its own length unit and axes and in degrees.
/// Made by `ParseBvh`; `MakeMotion` gives it its unit.
struct BvhDocument {
  std::string file;                       ///< As the caller named it.
  std::vector<figure::Joint> joints;      ///< Offsets in file units and axes.
  std::vector<figure::Site> sites;        ///< End sites, likewise.
  std::vector<figure::Channel> channels;  ///< In the order of the rows.
  double rate_hz = 0.0;                   ///< See `ParseBvh` [Hz].
  std::int64_t num_frames = 0;
  std::vector<double> values;  ///< Rows of file units and degrees.
};

/// What a BVH file does not say about itself. There is no default: BVH files
/// in metres, centimetres, inches and other units are all common.
struct BvhUnits {
  double metres_per_unit;  ///< [m], positive.
  figure::UpAxis up;       ///< The file's axis that points up.
};

struct BvhReadOptions {
  std::string file = {};  ///< Name for messages and for the motion's source.
  bool strict = false;    ///< Warnings become errors.
};

/// Reads the text of a BVH file: docs/formats.md says what is read, repaired
/// with a warning, and refused. `Frame Time` is usually printed with few
/// digits: when exactly one whole rate has the period that the file prints,
/// that is the rate (0.008333 is 120 Hz), otherwise 1 / Frame Time.
///
/// Warning kinds: "frame-count", "no-channels", "duplicate-name",
/// "name-encoding". Time and memory are linear in the size of the text.
Result<BvhDocument> ParseBvh(std::string_view text,
                             const BvhReadOptions& options = {});

/// The document in metres, radians and +Y up. Its source restores the file.
/// @throws std::invalid_argument if `metres_per_unit` is not positive and
///         finite.
figure::Motion MakeMotion(BvhDocument document, const BvhUnits& units);

/// `ParseBvh`, then `MakeMotion`. The second form reads a file, whose path
/// stands in the messages unless the options name it.
Result<figure::Motion> ReadBvh(std::string_view text, const BvhUnits& units,
                               const BvhReadOptions& options = {});
Result<figure::Motion> ReadBvhFile(const std::filesystem::path& path,
                                   const BvhUnits& units,
                                   const BvhReadOptions& options = {});

/// A guess about what BVH leaves open, with the reason in words for people.
struct BvhUnitsGuess {
  BvhUnits units;
  std::string unit_name;    ///< "cm", "inch/0.45 (CMU)", ...
  std::string unit_reason;  ///< "the rest pose measures 31.2 units: ..."
  bool unit_sure = false;   ///< The size fits a person in that unit.
  std::string up_reason;    ///< "Z: the lowest joint stays near 0 in ..."
  bool up_sure = false;     ///< The frames say so.
};

/// Guesses the unit from the size of the rest pose (a standing person, or one
/// with spread arms, measures 1.7 m) and the up axis from the frames (the
/// lowest joint is near the floor, the root about half a body above).
BvhUnitsGuess GuessBvhUnits(const BvhDocument& document);

/// Reads a file with guessed units, for programs whose user is not asked.
Result<figure::Motion> ReadBvhFileGuessed(const std::filesystem::path& path,
                                          const BvhReadOptions& options = {});

struct BvhWriteOptions {
  std::string file = {};  ///< Name for messages.
  bool strict = false;    ///< Warnings become errors.
};

/// The motion as the text of a BVH file in the unit, up axis, hierarchy and
/// channel order of `motion.source()`; where the source has no channels that
/// BVH can hold, roots get six channels and the other joints Zrotation
/// Xrotation Yrotation (and positions where they leave their offset).
/// Numbers have six decimals: none differs by more than 0.5e-6 file units or
/// degrees, and reading and writing again gives the same text. A motion as
/// read gives back the angles of its file; another one continuous angles.
///
/// Warning kinds: "lost-rotation", "lost-translation" (the channels cannot
/// express a pose; with the size of the loss), "name-changed" (a name that
/// BVH cannot hold). Blanks in names are kept: BVH names run to the end of the
/// line (Blender shows them as underscores).
Result<std::string> WriteBvh(const figure::Motion& motion,
                             const BvhWriteOptions& options = {});
/// Writes a file; the returned diagnostics hold the warnings or the errors.
Diagnostics WriteBvhFile(const std::filesystem::path& path,
                         const figure::Motion& motion,
                         const BvhWriteOptions& options = {});

}  // namespace limber::mocap
