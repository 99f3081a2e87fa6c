#pragma once
/// The pairs of shapes, one function and one source file each. The table over them (pair_table.h) adds the exchanged
/// order; engines that know their shapes call these directly.
///
/// Closed forms are exact to round-off of the sizes and of the distance between the frames, also deep inside, on edges
/// and at vertices. Choices where the nearest point is not unique: for spheres see nearest_point.h (the normal is that
/// of the partner's surface); where a whole face or edge is equally near, its middle.
///
/// Pairs without a function of their own are met by the general ones, which take any shape: bounded convex ones with
/// each other (convex/convex_distance.h), with a half-space, and inside a bore or a shell.
///
/// The `_touching` functions give all points of the touching face or edge whose distance is within `tolerance` [m] of
/// the least one; pairs without one touch in a single point.

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

/// Concentric: the normal is +x.
Proximity sphere_sphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b);
Proximity sphere_half_space(const Sphere& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b);
Proximity sphere_box(const Sphere& a, const Pose& pose_a, const Box& b, const Pose& pose_b);
Proximity sphere_ellipsoid(const Sphere& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b);
Proximity sphere_cylinder(const Sphere& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b);
Proximity sphere_prism(const Sphere& a, const Pose& pose_a, const Prism& b, const Pose& pose_b);
Proximity sphere_bore(const Sphere& a, const Pose& pose_a, const Bore& b, const Pose& pose_b);
Proximity sphere_shell(const Sphere& a, const Pose& pose_a, const Shell& b, const Pose& pose_b);

/// Where the segment goes through the centre: the normal is +x of the segment's frame.
Proximity sphere_capsule(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b);
Proximity sphere_rod(const Sphere& a, const Pose& pose_a, const Rod& b, const Pose& pose_b);

Proximity ellipsoid_half_space(const Ellipsoid& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b);
Proximity ellipsoid_ellipsoid(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b);

Proximity box_half_space(const Box& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b);
Proximity cylinder_half_space(const Cylinder& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b);
Proximity prism_half_space(const Prism& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b);
Proximity box_box(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b);

/// Parallel: the middle of what lies side by side. Segments that cross each other: across both. Rods have no inside:
/// the distance of two is never negative.
Proximity capsule_capsule(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b);
Proximity capsule_rod(const Capsule& a, const Pose& pose_a, const Rod& b, const Pose& pose_b);
Proximity rod_rod(const Rod& a, const Pose& pose_a, const Rod& b, const Pose& pose_b);

/// Any bounded convex shape a. Where a whole face, edge or line is equally near, its middle.
Proximity convex_half_space(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);
/// Any bounded convex shape a, the hollow b. Of several points that are equally near, the first in the order of the
/// vertices or along the rims of a, then along the rims of b.
Proximity convex_bore(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);
/// The rims of a bore alone, of a body that sticks out of it; elsewhere they are infinitely far.
Proximity convex_bore_rim(const Shape& a, const Pose& pose_a, const Bore& bore, const Pose& pose_b);
Proximity convex_shell(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// The vertices of the face, edge or vertex that lies on the plane.
TouchingPoints box_half_space_touching(const Box& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b,
                                       double tolerance);
/// Lying: the two ends of the line. Standing: eight points of the rim, 45° apart, the lowest first (a regular octagon
/// in place of the disk: it holds what a disk of 0.92 radii holds in every direction). Otherwise the lowest point.
TouchingPoints cylinder_half_space_touching(const Cylinder& a, const Pose& pose_a, const HalfSpace& b,
                                            const Pose& pose_b, double tolerance);
/// The vertices of the face, edge or vertex that lies on the plane.
TouchingPoints prism_half_space_touching(const Prism& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b,
                                         double tolerance);
/// The corners of the region in which the touching face or edge of a covers that of b.
TouchingPoints box_box_touching(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b, double tolerance);

/// Parallel: the two ends of what lies side by side.
TouchingPoints capsule_capsule_touching(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                                        double tolerance);
TouchingPoints capsule_rod_touching(const Capsule& a, const Pose& pose_a, const Rod& b, const Pose& pose_b,
                                    double tolerance);
TouchingPoints rod_rod_touching(const Rod& a, const Pose& pose_a, const Rod& b, const Pose& pose_b, double tolerance);
/// The corners of the face, edge or line that lies on the plane, in an order that is fixed in the body; of a disc an
/// octagon that is fixed in the body.
TouchingPoints convex_half_space_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          double tolerance);
/// All vertices and rim points of a at the wall, and points of b's rims, each with its own normal.
TouchingPoints convex_bore_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                    double tolerance);
TouchingPoints convex_shell_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     double tolerance);

}  // namespace carom
