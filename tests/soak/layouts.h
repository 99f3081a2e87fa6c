#pragma once
/// The layouts of random scenes, one function per kind. Each adds bodies and walls to a scene that has its surfaces and
/// its law already; nothing overlaps, and touching bodies touch to round-off.

#include "soak/scene_text.h"

namespace carom::test {

/// Layouts of many bodies (piles.cpp).
void lay_ball_pile(SceneText& scene, Random& random);
void lay_box_pile(SceneText& scene, Random& random);
void lay_mixed_pile(SceneText& scene, Random& random);
void lay_odd_shapes(SceneText& scene, Random& random);
void lay_full_floor(SceneText& scene, Random& random);
void lay_pyramid(SceneText& scene, Random& random);
void lay_ball_pyramid(SceneText& scene, Random& random);

/// Bodies that stand or lie on a floor and on each other (stands.cpp).
void lay_box_stack(SceneText& scene, Random& random);
void lay_cylinders(SceneText& scene, Random& random);
void lay_standing_ellipsoids(SceneText& scene, Random& random);
void lay_lying_ellipsoids(SceneText& scene, Random& random);
void lay_corner(SceneText& scene, Random& random);
void lay_line(SceneText& scene, Random& random);
void lay_dominoes(SceneText& scene, Random& random);

/// Bodies that are held, pulled, driven, shut in, or of unusual size (special.cpp).
void lay_constraints(SceneText& scene, Random& random);
void lay_driven_walls(SceneText& scene, Random& random);
void lay_springs(SceneText& scene, Random& random);
void lay_hollow(SceneText& scene, Random& random);
void lay_extreme_scales(SceneText& scene, Random& random);

/// Mechanisms of joints, open and closed (mechanisms.cpp).
void lay_joint_tree(SceneText& scene, Random& random);
void lay_joint_loop(SceneText& scene, Random& random);

/// Bodies of several parts, obstacles to fall through, surfaces that differ (mixtures.cpp).
void lay_compounds(SceneText& scene, Random& random);
void lay_course(SceneText& scene, Random& random);
void lay_mixed_surfaces(SceneText& scene, Random& random);

/// Throws a ball at what stands about the origin up to `height`, from one side.
void throw_ball(SceneText& scene, double radius, double height, Random& random);

}  // namespace carom::test
