#pragma once

namespace carom::app {

/// Thrown where a signal ends a task early.
struct Interrupted {};

}  // namespace carom::app
