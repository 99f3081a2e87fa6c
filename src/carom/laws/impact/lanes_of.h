#pragma once

namespace carom {

/// W numbers that are computed at once.
template <int W>
struct LanesOf {
  typedef double Type __attribute__((vector_size(W * sizeof(double))));
};

}  // namespace carom
