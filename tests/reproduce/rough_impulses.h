#pragma once
/// The rough ball by Newton and Euler alone, for checks that share nothing with projectors: at each touching point an
/// impulse of three components acts, and together they turn the velocity of every touching point into −μ times itself.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/decompositions.h"

namespace carom::test {

struct Struck {
  Vector after;             ///< (v, ω)
  Eigen::VectorXd impulse;  ///< three components per point, of least norm
  Eigen::MatrixXd free;     ///< columns: impulses that change nothing
};

/// `levers` run from the centre to the touching points.
inline Struck strike_by_impulses(const reproduce::RoughBall& ball, const Vector& before,
                                 const std::vector<Eigen::Vector3d>& levers, double restitution) {
  const auto size = 3 * static_cast<Eigen::Index>(levers.size());
  // Columns: what a unit impulse does to (v, ω); rows: the velocities of the touching points.
  Eigen::MatrixXd effect(6, size), velocity_of_point(size, 6);
  for (std::size_t k = 0; k < levers.size(); ++k) {
    Eigen::Matrix3d cross;
    const Eigen::Vector3d& a = levers[k];
    cross << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    const auto at = 3 * static_cast<Eigen::Index>(k);
    effect.block<3, 3>(0, at) = Eigen::Matrix3d::Identity() / ball.mass;
    effect.block<3, 3>(3, at) = cross / ball.inertia;
    velocity_of_point.block<3, 3>(at, 0) = Eigen::Matrix3d::Identity();
    velocity_of_point.block<3, 3>(at, 3) = -cross;  // ω × a
  }
  const Eigen::MatrixXd mobility = velocity_of_point * effect;
  Struck result;
  result.impulse = solve_least_squares(mobility, -(1.0 + restitution) * (velocity_of_point * before));
  result.after = before + effect * result.impulse;
  result.free = null_space(mobility, 1e-10);
  return result;
}

/// Every item stands as the report says it does, and every figure can be drawn.
inline void expect_sound(const reproduce::Chapter& chapter) {
  std::set<std::string> figures;
  for (const reproduce::Section& section : chapter.sections) {
    EXPECT_FALSE(section.items.empty()) << section.heading;
    for (const reproduce::Item& item : section.items) {
      EXPECT_NE(item.verdict, reproduce::Verdict::differs) << item.where << ": " << item.claim;
      EXPECT_NE(item.verdict, reproduce::Verdict::not_reproducible) << item.where << ": " << item.claim;
      ASSERT_TRUE(item.difference.has_value()) << item.where;
      EXPECT_LE(*item.difference, item.tolerance) << item.where << ": " << item.claim;
      EXPECT_FALSE(item.verdict == reproduce::Verdict::corrected && item.note.empty()) << item.where;
    }
    for (const reproduce::Figure& figure : section.figures) {
      EXPECT_TRUE(figures.insert(figure.name).second) << figure.name;
      for (const Panel& panel : figure.picture.panels)
        for (const Curve& curve : panel.curves) {
          ASSERT_EQ(curve.x.size(), curve.y.size());
          EXPECT_GT(curve.x.size(), 1u) << figure.name << ", " << curve.label;
        }
    }
  }
}

/// Where the corrected items stand.
inline std::vector<std::string> corrected_places(const reproduce::Chapter& chapter) {
  std::vector<std::string> places;
  for (const reproduce::Section& section : chapter.sections)
    for (const reproduce::Item& item : section.items)
      if (item.verdict == reproduce::Verdict::corrected) places.push_back(item.where);
  return places;
}

inline Vector random_throw(Random& random) {
  Vector velocity(6);
  for (double& speed : velocity) speed = random.uniform(-3.0, 3.0);
  velocity[2] = -random.uniform(0.1, 3.0);
  return velocity;
}

}  // namespace carom::test
