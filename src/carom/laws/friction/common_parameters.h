#pragma once
/// Parameters that several friction laws share.

#include <limits>

#include "carom/mechanics/law_parameters.h"

namespace carom::friction_parameter {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

inline constexpr LawParameter kCoefficient{
    .name = "coefficient", .high = kUnbounded, .help = "coefficient of friction μ", .required = true};
inline constexpr LawParameter kRegularisationSpeed{.name = "vr",
                                                   .default_value = 1e-3,
                                                   .high = kUnbounded,
                                                   .help = "speed v_r below which the friction goes to zero",
                                                   .unit = "m/s",
                                                   .low_excluded = true};

}  // namespace carom::friction_parameter
