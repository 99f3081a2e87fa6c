#pragma once
/// What a contact that lasts does to its two objects at one moment.

#include <Eigen/Core>
#include <string_view>

#include "carom/mechanics/model.h"

namespace carom {

/// What friction does at a contact.
enum class SlipMode {
  smooth,  ///< there is none
  stick,   ///< the two do not move against each other at the point, nor turn
  roll,    ///< they do not slip, and one turns on the other: rolls or pivots
  slide,   ///< they slip
};

inline constexpr SlipMode kLastSlipMode = SlipMode::slide;

/// `smooth`, `stick`, `roll`, `slide`.
std::string_view slip_mode_name(SlipMode mode);

/// On a, in the world frame; on b the opposite acts. Not of limits of joints.
struct ContactLoad {
  ObjectIndex a;
  ObjectIndex b;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();    ///< unit, from b to a
  double force = 0.0;                                  ///< along the normal [N]
  Eigen::Vector3d friction = Eigen::Vector3d::Zero();  ///< across it [N]
  Eigen::Vector3d couple = Eigen::Vector3d::Zero();    ///< against rolling and spinning [N m]
  SlipMode mode = SlipMode::smooth;
};

}  // namespace carom
