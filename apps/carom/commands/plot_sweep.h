#pragma once
/// `carom plot` of the table of a sweep.

#include "common/command_line.h"

namespace carom::app {

Report plot_sweep(const Arguments& arguments);

}  // namespace carom::app
