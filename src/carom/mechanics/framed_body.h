#pragma once
/// Bodies from their shapes: mass, centre of mass and inertia of what is given in a frame of its own.
///
/// The frame of a body has its origin at the centre of mass; a shape has a frame whose origin is elsewhere (cone, half
/// cylinder, convex polyhedron, compound). With the masses m_i, the centroids g_i and the inertias J_i of the parts
/// about these, turned into the frame of the whole,
///   m = Σ m_i,   c = Σ m_i g_i / m,   J = Σ J_i + m_i (|d_i|² 1 − d_i d_iᵀ),   d_i = g_i − c
/// (Huygens, Steiner). Parts that overlap count with their whole mass each.

#include <Eigen/Core>
#include <span>
#include <string>

#include "carom/mechanics/model.h"

namespace carom {

/// A body and where its centre of mass is in the frame that its shape was given in.
struct FramedBody {
  Body body;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< [m]
};

/// The body of this shape with this mass, homogeneous. The frame is that of the shape, of a prism the one about its
/// centroid. Throws InputError for a shape that cannot be a body or a mass that is not positive.
FramedBody framed_body(std::string name, const Shape& shape, double mass);

/// The body of homogeneous parts with these masses, placed in the frame of the whole. Throws likewise.
FramedBody compound_body(std::string name, const Parts& parts, std::span<const double> masses);

/// The same body with its centre of mass at another place of that frame; its inertia about the centre stays.
void move_centre(FramedBody& framed, const Eigen::Vector3d& centre);

/// Gives a body a symmetric inertia tensor about its centre of mass, in its axes: its principal moments and axes.
void set_inertia(Body& body, const Eigen::Matrix3d& inertia);

}  // namespace carom
