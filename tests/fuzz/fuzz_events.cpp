// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/make_figure.h"
#include "jobs/bad_call.h"
#include "jobs/event_words.h"
#include "mocap/io/bvh.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_data.h"

// An events file, and each of its lines as the text of every flag.
LIMBER_FUZZ(events, bytes) {
  using namespace limber;
  static const figure::Motion clip =
      mocap::ReadBvhFileGuessed(test::BundledData("clips/march.bvh")).value();
  static const figure::FigureModel model =
      figure::MakeFigure(clip.shared_skeleton()).value();
  const jobs::EditContext context{&model, &clip};
  const fuzz::MemoryFile file(bytes);
  (void)jobs::ReadEvents(file.path(), context);
  const std::string text(bytes.substr(0, bytes.find('\n')));
  for (const jobs::EventFlag& flag : jobs::EventFlags()) {
    try {
      (void)jobs::ParseEvents(flag.name, text, context);
    } catch (const jobs::BadCall&) {
    }
  }
}
