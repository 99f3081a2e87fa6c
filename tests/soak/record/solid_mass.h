#pragma once
/// Volume, centroid and inertia of the solids that the check of records knows.

#include "soak/record/solids.h"

namespace carom::soak {

struct SolidMass {
  double volume = 0.0;                                 ///< [m³]
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  ///< in the object's frame [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< per mass, about the centroid, in the object's axes [m²]
};

/// Of a homogeneous solid.
SolidMass homogeneous(const Solid& solid);

/// Where the origin of a solid's own coordinates is in the frame of its shape as a scene gives it: the centroid of a
/// cone and of a half cylinder, else the same.
Eigen::Vector3d origin_of(const Solid& solid);

/// Inertia of a point of unit mass about the origin.
Eigen::Matrix3d unit_inertia_of_point(const Eigen::Vector3d& point);

}  // namespace carom::soak
