// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/data_path.h"
#include "jobs/formats.h"
#include "jobs/load.h"
#include "jobs/save.h"
#include "jobs/units.h"
#include "jobs/words.h"

namespace limber::app {

/// The words of the jobs, which the commands use without their namespace.
using jobs::AsfPathOf;
using jobs::AxesWithUp;
using jobs::CheckClipPath;
using jobs::CheckTime;
using jobs::Count;
using jobs::FigurePath;
using jobs::Format;
using jobs::FormatFromContent;
using jobs::FormatFromName;
using jobs::Guess;
using jobs::Join;
using jobs::Kind;
using jobs::KindOf;
using jobs::KnownExtensions;
using jobs::Load;
using jobs::LoadAsf;
using jobs::LoadClip;
using jobs::LoadedFile;
using jobs::LoadOptions;
using jobs::LoadTake;
using jobs::Name;
using jobs::OtherUse;
using jobs::ParseUnit;
using jobs::PositiveAxis;
using jobs::Rounded;
using jobs::Save;
using jobs::Unit;
using jobs::UnitNames;
using jobs::UnitOf;
using jobs::WarnOfTrcLoss;
using jobs::WriteClip;

}  // namespace limber::app
