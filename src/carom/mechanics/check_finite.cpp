#include "carom/mechanics/check_finite.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"

namespace carom {

void check_finite(double value, const std::string& field) {
  if (!std::isfinite(value))
    throw InputError{Kind::not_finite, field, fmt::format("{} is {}, expected a finite number", field, value)};
}

void check_finite(const Eigen::Vector3d& values, const std::string& field) {
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(values[i])) check_finite(values[i], fmt::format("{}.{}", field, i));
}

}  // namespace carom
