#pragma once

#include <Eigen/Core>
#include <string>

namespace carom {

/// Throws an InputError with the field's name where a number is infinite or not a number.
void check_finite(double value, const std::string& field);
void check_finite(const Eigen::Vector3d& values, const std::string& field);

}  // namespace carom
