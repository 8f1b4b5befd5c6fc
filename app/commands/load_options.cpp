// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commands/load_options.h"

#include "app/reports/describe.h"
#include "core/clip_time.h"

namespace limber::app {

using mocap::SignedAxis;

void AddUnitOption(CLI::App& command, const std::string& name,
                   std::optional<Unit>& unit, const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&unit, name](const std::string& text) {
            unit = ParseUnit(text);
            if (!unit) {
              throw CLI::ValidationError(
                  name, "expected one of " + UnitNames() +
                            " or a length in metres, found \"" + text + "\"");
            }
          },
          help)
      ->type_name("UNIT");
}

void AddAxisOption(CLI::App& command, const std::string& name,
                   std::optional<SignedAxis>& axis, const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&axis, name](const std::string& text) {
            axis = mocap::ParseSignedAxis(text);
            if (!axis) {
              throw CLI::ValidationError(
                  name,
                  "expected x, y, z, -x, -y or -z, found \"" + text + "\"");
            }
          },
          help)
      ->type_name("AXIS");
}

CLI::Validator PositiveNumber(double most) {
  return CLI::Validator(
      [most](const std::string& text) {
        double number = 0.0;
        const bool good = CLI::detail::lexical_cast(text, number) &&
                          number > 0.0 && number <= most;
        if (good) return std::string();
        std::string expected = "expected a positive number";
        if (most < std::numeric_limits<double>::max()) {
          expected += " up to " + Rounded(most, 3);
        }
        return expected + ", found \"" + text + "\"";
      },
      "");
}

void AddForceOption(CLI::App& command, bool& force) {
  command.add_flag("--force", force,
                   "let an output overwrite an input or another output");
}

void AddLoadOptions(CLI::App& command, LoadOptions& options) {
  AddUnitOption(command, "--unit", options.unit,
                "length unit of the file, instead of what it says or of a "
                "guess: " +
                    UnitNames() + " (cmu = inch/0.45), or a number of metres");
  AddAxisOption(command, "--up", options.up,
                "axis of the file that points up: x, y or z");
  command
      .add_option(
          "--rate", options.rate_hz,
          "frames per second, instead of what a BVH or NPZ says; of an AMC, "
          "which does not say; at which a glTF is sampled")
      ->type_name("HZ")
      ->check(PositiveNumber(kFastestRate))
      ->check(CLI::Range(kSlowestRate, kFastestRate).description(""));
  command.add_option("--asf", options.asf, "skeleton of an AMC file")
      ->type_name("FILE");
  command
      .add_option("--offsets", options.offsets,
                  "bones of an NPZ with poses of a body model, which does not "
                  "hold them: an NPZ with J or offsets, or a clip with the "
                  "model's joint names")
      ->type_name("FILE");
  command
      .add_option("--animation", options.animation,
                  "which animation of a glTF file: its name, or its number "
                  "from 0; without it the first")
      ->type_name("NAME");
  command.add_flag("--strict", options.strict,
                   "refuse what would be repaired with a warning");
}

}  // namespace limber::app
