#pragma once
/// In which values the scenes of several records differ, settings included.

#include <string>
#include <vector>

#include "carom/record/record_info.h"

namespace carom::app {

/// One text for each record, such as `pair.0.restitution = 0.5, run.law = newton`. Empty where the scenes are the same,
/// differ in more than three values (the title not counted), or one cannot be read.
std::vector<std::string> scene_differences(const std::vector<const RecordInfo*>& records);

}  // namespace carom::app
