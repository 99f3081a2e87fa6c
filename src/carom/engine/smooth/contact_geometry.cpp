#include "carom/engine/smooth/contact_geometry.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/support.h"

namespace carom::smooth {

namespace {

/// Towards the lowest point of a disc about the z axis, in the frame of the body, where `up` is the plane's normal
/// there: a disc that lies on the plane is inclined by 1e-7 or so, and a direction that left its plane by round-off
/// over that would reach beside the rim.
Eigen::Vector2d lowest_of_disc(const Vector3d& up) {
  const double length = std::hypot(up.x(), up.y());
  if (!(length > 1e-12)) return {1.0, 0.0};
  return {-up.x() / length, -up.y() / length};
}

double end_towards(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

}  // namespace

double PairGeometry::lower_end(const Pose& a_at, const Pose& b_at) const {
  const Vector3d normal = plane_turns ? half_space_normal(pose_b(b_at)) : plane_normal;
  const Eigen::Vector2d down = lowest_of_disc(pose_a(a_at).orientation.conjugate() * normal);
  return down.y() > 0.0 ? end_towards(down.x()) : 0.0;
}

Touch PairGeometry::part_on_plane(const Pose& a_at, const Vector3d& normal, const Vector3d& plane_at) const {
  Vector3d place = part.centre;
  if (part.disc_radius > 0.0) {
    Eigen::Vector2d down = lowest_of_disc(a_at.orientation.conjugate() * normal);
    const double side = part.side == contact::BodyPart::Side::near ? 1.0 : -1.0;
    // Of half a disc the lowest point may be an end of the arc; the far one is the other end.
    if (part.half && (side < 0.0 || down.y() > 0.0)) down = {arc_end != 0.0 ? arc_end : end_towards(down.x()), 0.0};
    place.head<2>() += side * part.disc_radius * down;
  }
  const Vector3d point = a_at.position + a_at.orientation * place;
  const double gap = normal.dot(point - plane_at) - part.thickness;
  return {-gap, normal, point - (part.thickness + 0.5 * gap) * normal};
}

Touch PairGeometry::general_touch(const Pose& a_at, const Pose& b_at) const {
  if (placement_a == nullptr && placement_b == nullptr) return touch_of_parts(a_at, b_at);
  return touch_of_parts(pose_a(a_at), pose_b(b_at));
}

Touch PairGeometry::touch_of_parts(const Pose& a_at, const Pose& b_at) const {
  Touch touch;
  if (form == ContactForm::part_plane) {
    touch = part_on_plane(a_at, plane_turns ? half_space_normal(b_at) : plane_normal, b_at.position);
  } else if (on_facets()) {
    touch = facet_touch(a_at, b_at);
  } else if (form == ContactForm::bore_rim) {
    touch = rim_touch(a_at, b_at);
  } else {
    const Proximity near = known.depth > 0.0 ? pair->proximity_near(*shape_a, a_at, *shape_b, b_at, known)
                                             : pair->proximity(*shape_a, a_at, *shape_b, b_at);
    touch = {-near.distance, near.normal, 0.5 * (near.point_a + near.point_b)};
  }
  touch.depth -= late;
  return touch;
}

/// Inside the bore the gap is what is left to its ends.
Touch PairGeometry::rim_touch(const Pose& a_at, const Pose& b_at) const {
  const Vector3d axis = b_at.orientation * Vector3d::UnitZ();
  const Vector3d up = a_at.orientation.conjugate() * axis;
  const double height = axis.dot(a_at.position - b_at.position);
  const double above = half_length - height - support(*shape_a, up);
  const double below = half_length + height - support(*shape_a, -up);
  const double inside = std::min(above, below);
  if (inside > 0.0) return {-inside, above < below ? Vector3d(-axis) : axis, a_at.position};
  const Proximity near = convex_bore_rim(*shape_a, a_at, std::get<Bore>(*shape_b), b_at);
  return {-near.distance, near.normal, 0.5 * (near.point_a + near.point_b)};
}

DentAt dent_at(const Model& model, ObjectIndex object, const Pose& at, const Vector3d& towards, bool about_axis) {
  DentAt result;
  const Vector3d axis = at.orientation * Vector3d::UnitZ();
  for (const Dent& dent : model.dents) {
    if (dent.object != object) continue;
    Vector3d centre = at.orientation * dent.direction;
    if (about_axis) centre = (centre - axis.dot(centre) * axis).normalized();
    const double sine = towards.cross(centre).norm();
    const double angle = std::atan2(sine, towards.dot(centre));
    if (angle >= dent.half_width) continue;
    const double s = angle / dent.half_width;
    const double rest = 1.0 - s * s;
    result.depth += dent.depth * rest * rest;
    if (sine > 0.0) {
      const Vector3d along = (centre - towards.dot(centre) * towards) / sine;
      result.pull += (4.0 * dent.depth * s * rest / dent.half_width) * along;
    }
  }
  return result;
}

Touch dented_touch(const Model& model, const PairGeometry& g, const Pose& a, const Pose& b) {
  Touch touch = g.touch(a, b);
  if (!g.dented_a && !g.dented_b) return touch;
  const bool axial = g.axial();
  const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  if (g.dented_b && (axial || g.form == ContactForm::sphere_sphere))
    touch.depth -= dent_at(model, g.b, b, sign * touch.normal, axial).depth;
  if (g.dented_a) touch.depth -= dent_at(model, g.a, a, -touch.normal, false).depth;
  return touch;
}

}  // namespace carom::smooth
