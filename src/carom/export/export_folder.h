#pragma once
/// The folder of an export, and which samples go into it.

#include <string>
#include <vector>

#include "carom/analysis/sample_choice.h"
#include "carom/record/record_reader.h"

namespace carom {

/// Makes the folder and those above it. Throws InputError (file): "cannot make the folder 'path': …".
void make_folder(const std::string& folder);

/// Indices of the samples that are chosen. Throws InputError (out_of_range) where there are none.
std::vector<std::size_t> chosen_samples(const RecordReader& record, const SampleChoice& choice);

}  // namespace carom
