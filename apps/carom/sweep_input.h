#pragma once
/// The arguments of `carom sweep` as a sweep: the scene or impact problem with its settings, and what is asked of it.

#include "carom/analysis/sweep/run_sweep.h"
#include "carom/analysis/sweep/sweep.h"
#include "common/command_line.h"

namespace carom::app {

/// Throws InputError with its place.
Sweep read_sweep(const Arguments& arguments);

/// What `--shard` says; the whole sweep where it is absent.
sweep::Shard read_shard(const Arguments& arguments);

/// A whole number of an option. Throws InputError.
std::size_t whole_number(const Arguments& arguments, std::string_view option, std::size_t absent);

/// The points that `--keep` names: `0,5,10-12` or `all`, in their order. Throws InputError.
std::vector<std::size_t> kept_points(const Arguments& arguments, std::size_t points);

}  // namespace carom::app
