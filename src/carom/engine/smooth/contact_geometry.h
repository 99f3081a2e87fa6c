#pragma once
/// How two objects stand to each other where they may press on each other.
///
/// Round shapes have closed forms of their own here, as a bearing asks for them some million times a second; bodies
/// with vertices and rims meet a plane at each of them separately (contact::BodyPart), and those with vertices alone
/// the wall of a shell or bore likewise, a bore's rim also as a whole; two bodies with faces or lines meet at the
/// corners of the region in which these cover each other (face_overlap.h); every other pair touches at the nearest
/// points of its shapes (geometry/pair_table.h).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "carom/contact/time_of_impact.h"
#include "carom/engine/smooth/face_overlap.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/model.h"

namespace carom::smooth {

using Eigen::Quaterniond;
using Eigen::Vector3d;

enum class ContactForm {
  sphere_sphere,
  sphere_plane,     ///< the plane does not turn
  sphere_cylinder,  ///< the side of a cylinder
  sphere_bore,
  part_plane,   ///< a vertex or a rim of a
  bore_rim,     ///< a, which sticks out of the bore b, on its rim
  vertex_face,  ///< a vertex of a on a flat face of b
  face_vertex,
  edge_edge,
  vertex_edge,  ///< the end of a line of a along a line of b
  edge_vertex,
  general,  ///< nearest points of the two shapes
};

/// How a and b stand to each other at a contact.
struct Touch {
  double depth = 0.0;                  ///< > 0: they overlap [m]
  Vector3d normal = Vector3d::Zero();  ///< unit, from b to a
  Vector3d point = Vector3d::Zero();   ///< where the force acts, half way between the two surfaces [m]
};

/// Overlap, relative to the smaller body, up to which a contact is followed from step to step.
inline constexpr double kFollowed = 0.1;

/// What is known of a pair that may touch, whether it does or not.
struct PairGeometry {
  ObjectIndex a;  ///< a body
  ObjectIndex b;  ///< a body or an obstacle
  FeatureCode feature = 0;
  ContactForm form = ContactForm::general;
  double radius_a = 0.0;  ///< of a sphere
  double radius_b = 0.0;  ///< of a sphere, a cylinder, a bore
  double half_length = 0.0;
  contact::BodyPart part{};
  double arc_end =
      0.0;  ///< of a half disc that lies flat: its near point stays at this end of its x axis; 0: the lower
  const Pose* placement_a = nullptr;  ///< of the part that touches; null: it stands where the body does
  const Pose* placement_b = nullptr;
  const Shape* shape_a = nullptr;  ///< of a vertex that meets a wall by itself a ball without radius
  const Shape* shape_b = nullptr;
  const PairFunction* pair = nullptr;
  Vector3d plane_normal = Vector3d::Zero(), plane_point = Vector3d::Zero();  ///< of a plane that does not turn
  bool plane_turns = true;
  bool dented_a = false, dented_b = false;
  const DrivenMotion* drive = nullptr;  ///< of b, where a motion drives it
  int facet_a = 0, facet_b = 0;         ///< vertex, edge or face that touches
  const Facets* facets_a = nullptr;
  const Facets* facets_b = nullptr;  ///< null: not both have faces
  /// Overlap that was there when the contact began, and counts as none [m]: faces that are pressed deeply may lose one
  /// point before they get the next. Of shapes that are not round.
  double late = 0.0;
  /// Where the group's present step began, from b to a, and how deep the two may be for the contact to be sought near
  /// it; no depth: anywhere. Of pairs that touch at their nearest points.
  KnownNormal known{Vector3d::Zero()};

  /// Whether it is found from where it was at the beginning of a step.
  [[nodiscard]] bool follows_normal() const { return form == ContactForm::general && pair != nullptr; }
  /// From here on it is; of a pair whose smaller body has this size [m].
  void follow(const Vector3d& normal, double size) { known = {normal, kFollowed * size}; }
  /// Whether it is one of the same two parts.
  [[nodiscard]] bool is_of_parts(ObjectIndex one, ObjectIndex other, FeatureCode code) const {
    return a == one && b == other && Feature::parts_of(feature) == Feature::parts_of(code);
  }
  /// Where the parts stand when the objects do here.
  [[nodiscard]] Pose pose_a(const Pose& at) const { return placement_a == nullptr ? at : placed_in(at, *placement_a); }
  [[nodiscard]] Pose pose_b(const Pose& at) const { return placement_b == nullptr ? at : placed_in(at, *placement_b); }

  /// A ball inside a bore or beside the side of a cylinder: what counts is its distance from the axis.
  [[nodiscard]] bool axial() const { return form == ContactForm::sphere_bore || form == ContactForm::sphere_cylinder; }

  /// A ball on anything round or flat.
  [[nodiscard]] bool is_round() const {
    return form == ContactForm::sphere_sphere || form == ContactForm::sphere_plane || axial();
  }
  /// Faces and edges, which have ends.
  [[nodiscard]] bool on_facets() const { return form >= ContactForm::vertex_face && form <= ContactForm::edge_vertex; }

  /// Of half a disc on a plane: the lower end of its x axis, −1 or 1; 0 where it does not lie flat.
  [[nodiscard]] double lower_end(const Pose& a_at, const Pose& b_at) const;

  [[nodiscard]] Touch touch(const Pose& a_at, const Pose& b_at) const {
    switch (form) {
      case ContactForm::sphere_sphere: return sphere_touch(a_at, b_at);
      case ContactForm::sphere_plane: return plane_touch(a_at, b_at);
      case ContactForm::sphere_cylinder:
      case ContactForm::sphere_bore: {
        const Vector3d axis = b_at.orientation * Vector3d::UnitZ();
        const Vector3d d = a_at.position - b_at.position;
        const double along = axis.dot(d);
        if (std::abs(along) <= half_length) return side_touch(a_at, d - along * axis);
        break;  // caps and rims
      }
      case ContactForm::part_plane:
      case ContactForm::bore_rim:
      case ContactForm::vertex_face:
      case ContactForm::face_vertex:
      case ContactForm::edge_edge:
      case ContactForm::vertex_edge:
      case ContactForm::edge_vertex:
      case ContactForm::general: break;
    }
    return general_touch(a_at, b_at);
  }

 private:
  /// The gap of nearly touching spheres, without cancellation.
  [[nodiscard]] Touch sphere_touch(const Pose& a_at, const Pose& b_at) const {
    const Vector3d d = a_at.position - b_at.position;
    const double squared = d.squaredNorm(), length = std::sqrt(squared), reach = radius_a + radius_b;
    const Vector3d normal = length > 0.0 ? Vector3d(d * (1.0 / length)) : Vector3d(Vector3d::UnitZ());
    const double gap = (squared - reach * reach) / (length + reach);
    return {-gap, normal, b_at.position + (radius_b + 0.5 * gap) * normal};
  }
  [[nodiscard]] Touch plane_touch(const Pose& a_at, const Pose& b_at) const {
    const double gap = plane_normal.dot(a_at.position - b_at.position) - radius_a;
    return {-gap, plane_normal, a_at.position - (radius_a + 0.5 * gap) * plane_normal};
  }
  /// A ball inside a bore or beside a cylinder, `out` from its axis.
  [[nodiscard]] Touch side_touch(const Pose& a_at, const Vector3d& out) const {
    const double distance = out.norm();
    const double sign = form == ContactForm::sphere_bore ? -1.0 : 1.0;
    const Vector3d normal = distance > 0.0 ? Vector3d((sign / distance) * out) : Vector3d(Vector3d::UnitX());
    const double gap = sign * (distance - radius_b) - radius_a;
    return {-gap, normal, a_at.position - (radius_a + 0.5 * gap) * normal};
  }
  [[nodiscard]] Touch general_touch(const Pose& a_at, const Pose& b_at) const;
  [[nodiscard]] Touch touch_of_parts(const Pose& a_at, const Pose& b_at) const;
  [[nodiscard]] Touch part_on_plane(const Pose& a_at, const Vector3d& normal, const Vector3d& plane_at) const;
  [[nodiscard]] Touch rim_touch(const Pose& a_at, const Pose& b_at) const;
  [[nodiscard]] Touch facet_touch(const Pose& a_at, const Pose& b_at) const;  // facet_contact.cpp
};

/// What the dents of an object do to a contact in the direction `towards` (unit) from its centre or axis.
struct DentAt {
  double depth = 0.0;                ///< f: by so much the gap is wider [m]
  Vector3d pull = Vector3d::Zero();  ///< −df/dθ times the unit tangent towards the dent's middle, θ the angle from it
};
DentAt dent_at(const Model& model, ObjectIndex object, const Pose& at, const Vector3d& towards, bool about_axis);

/// The touch of a pair with what its dents take from the depth.
Touch dented_touch(const Model& model, const PairGeometry& g, const Pose& a, const Pose& b);

/// Gap and normal of a ball (its centre at `d` from b's) with anything round or flat; false beyond the ends of a bore
/// or cylinder with that axis.
inline bool round_gap(const PairGeometry& g, const Vector3d& d, const Vector3d& axis, double& gap, Vector3d& normal) {
  if (g.form == ContactForm::sphere_plane) {
    gap = g.plane_normal.dot(d) - g.radius_a;
    normal = g.plane_normal;
    return true;
  }
  if (g.form == ContactForm::sphere_sphere) {
    const double squared = d.squaredNorm(), length = std::sqrt(squared), reach = g.radius_a + g.radius_b;
    gap = (squared - reach * reach) / (length + reach);
    normal = (1.0 / length) * d;
    return true;
  }
  const double along = axis.dot(d);
  if (std::abs(along) > g.half_length) return false;
  const Vector3d out = d - along * axis;
  const double distance = out.norm(), sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  gap = sign * (distance - g.radius_b) - g.radius_a;
  normal = distance > 0.0 ? Vector3d((sign / distance) * out) : axis.unitOrthogonal();  // in the middle: any
  return true;
}

}  // namespace carom::smooth
