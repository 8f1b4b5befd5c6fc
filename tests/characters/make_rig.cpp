// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// make_rig CLIP.bvh STYLE OUT.glb: a character as another program would export
// it (mixamo, bandai, neuron, daz), with a plain body skinned to its bones,
// that plays CLIP, which is on the bundled adult.
#include <cstdio>
#include <map>
#include <string>

#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/gltf.h"
#include "tests/scenes/foreign_rigs.h"

int main(int argc, char** argv) {
  using namespace limber;
  const std::map<std::string, test::RigStyle (*)()> styles = {
      {"mixamo", test::MixamoLike},
      {"bandai", test::BandaiLike},
      {"neuron", test::NeuronLike},
      {"daz", test::DazLike}};
  if (argc != 4 || !styles.contains(argv[2])) {
    std::fputs("make_rig CLIP.bvh mixamo|bandai|neuron|daz OUT.glb\n", stderr);
    return 2;
  }
  const Result<figure::Motion> clip =
      mocap::ReadBvhFile(argv[1], {0.01, figure::UpAxis::kY});
  std::fputs(clip.diagnostics().ToString().c_str(), stderr);
  if (!clip.ok()) return 1;
  const Result<std::string> bytes = mocap::WriteGlb(
      test::OnRig(*clip, styles.at(argv[2])()), {.file = argv[3]});
  std::fputs(bytes.diagnostics().ToString().c_str(), stderr);
  if (!bytes.ok()) return 1;
  const Diagnostics written = WriteWholeFile(argv[3], *bytes);
  std::fputs(written.ToString().c_str(), stderr);
  return written.has_errors() ? 1 : 0;
}
