#pragma once
/// Whether a run that was repeated from its record gave the same bits, for programs and for people.

#include <string>

#include "carom/base/json.h"
#include "carom/record/record_check.h"

namespace carom::app {

/// The entry `verification`: `identical`, `samples`, `events`, `whole`, `versions`, `first_difference`.
Json verification_json(const RecordCheck& check, const RecordInfo& info);

/// The same in a few labelled lines.
std::string verification_text(const RecordCheck& check, const RecordInfo& info);

}  // namespace carom::app
