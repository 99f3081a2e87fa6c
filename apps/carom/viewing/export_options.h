#pragma once
/// The options of `carom export` as what they mean. All functions throw InputError that names the option.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/analysis/sample_choice.h"
#include "carom/record/record_reader.h"
#include "common/command_line.h"
#include "viewing/filming.h"

namespace carom::app {

/// --from, --to, --every.
SampleChoice read_choice(const Arguments& arguments);

/// --limit [MB].
double read_limit(const Arguments& arguments);

/// How pictures are made.
struct FilmingPlan {
  PictureSize size;
  Shot shot;
  FrameTimes times;
  double at = 0.0;                    ///< time of a single picture [s]
  std::optional<std::int64_t> event;  ///< or its event, counted from 0
  VideoFile video{};
  SampleChoice choice;  ///< what the film needs to hold: samples on both sides of the first and the last frame
};

/// --fps, --speed, --size, --view, --compare, --theme, --at, --event, --video: everything about pictures that can be
/// wrong, before anything is drawn.
FilmingPlan read_filming_plan(const Arguments& arguments, const std::vector<std::unique_ptr<RecordReader>>& records,
                              const SampleChoice& choice);

/// A file that is about to be replaced must be a plain one: no folder, no device.
void require_plain_target(const std::string& path);

}  // namespace carom::app
