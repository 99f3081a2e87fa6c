#pragma once
/// Parameters that several normal force laws share, as keys of a scene's [[pair]].

#include <limits>

#include "carom/mechanics/law_parameters.h"

namespace carom::normal_parameter {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();
/// Restitutions below this are as good as none, and the damping that they need is beyond sense.
inline constexpr double kLeastRestitution = 1e-6;

inline constexpr LawParameter kRestitution{
    .name = "restitution", .default_value = 1.0, .help = "nominal restitution c, of which the law makes its λ"};
inline constexpr LawParameter kPositiveRestitution{
    .name = "restitution",
    .default_value = 1.0,
    .low = kLeastRestitution,
    .help = "nominal restitution c, of which the law makes its λ",
    .advice = "the damping of this law is infinite at 0: take a small value such as 0.01"};
inline constexpr LawParameter kTrueRestitution{
    .name = "restitution",
    .default_value = 1.0,
    .low = kLeastRestitution,
    .help = "restitution e of two colliding bodies",
    .advice = "a collision without rebound needs infinite damping: take a small value such as 0.01"};
inline constexpr LawParameter kExponent{.name = "exponent",
                                        .default_value = 1.5,
                                        .low = 1.0,
                                        .high = 10.0,
                                        .help = "n of K δⁿ; other than 3/2 only with a stiffness"};
inline constexpr LawParameter kStiffness{.name = "stiffness",
                                         .low = 0.0,
                                         .high = kUnbounded,
                                         .help = "K; otherwise Hertz's from the materials",
                                         .unit = "N/mⁿ",
                                         .optional = true,
                                         .low_excluded = true};
inline constexpr LawParameter kReferenceSpeed{.name = "reference_speed",
                                              .low = 0.0,
                                              .high = kUnbounded,
                                              .help = "impact speed at which the restitution holds",
                                              .unit = "m/s",
                                              .required = true,
                                              .low_excluded = true};

/// Refuses an exponent other than 3/2 without a stiffness: Hertz's K belongs to 3/2.
void check_exponent(const LawPlace& place, const LawParameters& given);

}  // namespace carom::normal_parameter
