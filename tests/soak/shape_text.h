#pragma once
/// Shapes as the scene format writes them, and random numbers of the kinds that layouts need.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>

#include "carom/base/random.h"

namespace carom::test {

constexpr double kUsualDensity = 1000.0;  ///< [kg/m³]

/// A shape as the scene format writes it, and what a layout has to know of it.
struct ShapeText {
  std::string toml;
  double volume = 0.0;           ///< [m³]
  double size = 0.0;             ///< a typical half width [m]
  bool weighs_by_parts = false;  ///< its parts have their densities
};

ShapeText ball(double radius);
ShapeText brick(const Eigen::Vector3d& half_sizes);
ShapeText egg(const Eigen::Vector3d& semi_axes);
ShapeText drum(double radius, double half_length);
ShapeText pill(double radius, double half_length);
ShapeText hat(double radius, double height);                        ///< a cone
ShapeText trough(double radius, double half_length);                ///< a half cylinder
ShapeText wedge(double reach, double half_length, Random& random);  ///< a prism
ShapeText rock(double reach, int corners, Random& random);          ///< the hull of four corners or more
/// Compounds that fit into a sphere of radius `reach`.
ShapeText hammer(double reach);
ShapeText dumbbell(double reach);
ShapeText cross(double reach);
ShapeText angle_iron(double reach);

/// [x, y, z]
std::string vector_text(const Eigen::Vector3d& vector);
bool chance(Random& random, double probability);
Eigen::Vector3d random_vector(Random& random, double size);
Eigen::Quaterniond random_turn(Random& random);

}  // namespace carom::test
