/// Two boxes. For an axis n, unit and from b to a, the gap is φ(n) = n·(c_a − c_b) − Σ |n·a_i| h_ai − Σ |n·b_j| h_bj.
///
/// Overlapping boxes (φ ≤ 0 on all axes): the signed distance is the largest φ over the normals of the faces of the
/// difference of the boxes, which are the three normals of each and the nine cross products of their edges (separating
/// axes). Boxes apart: the nearest points are a vertex of one and a point of the other, or inner points of two edges;
/// the first are the eight vertices of each against the other box, the second can only be edges that support the boxes
/// along their cross product. Between equal axes: faces of b, faces of a, edges, each in order. Axes of edges whose
/// directions differ by less than 1e-10 rad are left out, which costs at most that part of the sizes.
/// Source: Gottschalk, Lin & Manocha, OBBTree, 1996; the supporting edges from the optimality of the nearest points.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/pairs/box_features.h"
#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double kParallelEdges = 1e-10;    // sine of the angle
constexpr double kFlatOn = 1e-9;            // an edge this little inclined to an axis may be supporting on both sides
constexpr double kMiddleTolerance = 1e-12;  // of the sizes: for the middle of a face or edge that is equally near
constexpr double kRoundOff = std::numeric_limits<double>::epsilon();

struct Boxes {
  PlacedBox a;
  PlacedBox b;
  Vector3d c;    // centre of a less centre of b
  double scale;  // lengths whose round-off is in the gaps

  Boxes(const Box& box_a, const Pose& pose_a, const Box& box_b, const Pose& pose_b)
      : a(box_a, pose_a),
        b(box_b, pose_b),
        c(pose_a.position - pose_b.position),
        scale(c.norm() + box_a.half_sizes.norm() + box_b.half_sizes.norm()) {}

  /// The same axis, from b to a.
  [[nodiscard]] Vector3d towards_a(const Vector3d& n) const { return n.dot(c) < 0.0 ? Vector3d(-n) : n; }
  [[nodiscard]] double gap(const Vector3d& n) const { return n.dot(c) - a.reach(n) - b.reach(n); }
};

/// An edge direction of each box and their cross product.
struct EdgeAxis {
  int i;  // of a
  int j;  // of b
  Vector3d normal;
};

/// Calls `visit` with every usable pair of edge directions.
template <class Visit>
void for_each_edge_axis(const Boxes& boxes, const Visit& visit) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector3d along = boxes.a.axes.col(i);
      Vector3d n = along.cross(boxes.b.axes.col(j));
      const double sine = n.norm();
      if (sine < kParallelEdges) continue;
      n /= sine;
      // The round-off of a short cross product, made harmless: an axis turned along the edge would reach its end.
      n = (n - n.dot(along) * along).normalized();
      visit(EdgeAxis{i, j, boxes.towards_a(n)});
    }
  }
}

/// The edges along axis i that are lowest along n: a middle point each. Two where the box lies flat, four never.
struct Edges {
  std::array<Vector3d, 4> middles;
  int count = 0;
};

Edges lowest_edges(const PlacedBox& box, int i, const Vector3d& n) {
  const Vector3d slope = box.axes.transpose() * n;
  Edges edges;
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  for (int code = 0; code < 4; ++code) {
    const double sign_j = (code & 1) != 0 ? 1.0 : -1.0;
    const double sign_k = (code & 2) != 0 ? 1.0 : -1.0;
    if (sign_j * slope[j] > kFlatOn || sign_k * slope[k] > kFlatOn) continue;
    edges.middles[static_cast<std::size_t>(edges.count++)] =
        box.centre + sign_j * box.half_sizes[j] * box.axes.col(j) + sign_k * box.half_sizes[k] * box.axes.col(k);
  }
  return edges;
}

/// Nearest points of the lines of two edges: minimum of |D + s u − t v|² with D between the edges' middles.
struct Crossing {
  Vector3d point_a;
  Vector3d point_b;
  double overrun;  // how far the points lie beyond the ends of the edges; ≤ 0: inside both
};

Crossing cross_edges(const Boxes& boxes, const EdgeAxis& axis, const Vector3d& middle_a, const Vector3d& middle_b) {
  const Vector3d u = boxes.a.axes.col(axis.i);
  const Vector3d v = boxes.b.axes.col(axis.j);
  const Vector3d apart = middle_a - middle_b;
  const double cosine = u.dot(v);
  const double square_sine = u.cross(v).squaredNorm();
  const double s = (cosine * v.dot(apart) - u.dot(apart)) / square_sine;
  const double t = (v.dot(apart) - cosine * u.dot(apart)) / square_sine;
  return {middle_a + s * u, middle_b + t * v,
          std::max(std::abs(s) - boxes.a.half_sizes[axis.i], std::abs(t) - boxes.b.half_sizes[axis.j])};
}

/// Calls `visit` with the crossings of the edges that support the boxes along the axis.
template <class Visit>
void for_each_crossing(const Boxes& boxes, const EdgeAxis& axis, const Visit& visit) {
  const Edges of_a = lowest_edges(boxes.a, axis.i, axis.normal);
  const Edges of_b = lowest_edges(boxes.b, axis.j, -axis.normal);
  for (int m = 0; m < of_a.count; ++m) {
    for (int k = 0; k < of_b.count; ++k) {
      visit(cross_edges(boxes, axis, of_a.middles[static_cast<std::size_t>(m)],
                        of_b.middles[static_cast<std::size_t>(k)]));
    }
  }
}

/// The vertex of `of` that is nearest to `to`, as a Proximity of (of, to).
Proximity nearest_vertex(const PlacedBox& of, const PlacedBox& to) {
  Proximity best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int code = 0; code < 8; ++code) {
    const Vector3d sign((code & 1) != 0 ? 1.0 : -1.0, (code & 2) != 0 ? 1.0 : -1.0, (code & 4) != 0 ? 1.0 : -1.0);
    const Vector3d arm = of.axes * sign.cwiseProduct(of.half_sizes);
    const Vector3d local = to.axes.transpose() * (of.centre - to.centre + arm);
    const NearestPoint nearest = nearest_point(Box{to.half_sizes}, local);
    if (!(nearest.distance < best.distance)) continue;
    best = {.distance = nearest.distance,
            .normal = to.axes * nearest.normal,
            .point_a = of.centre + arm,
            .point_b = to.centre + to.axes * nearest.point};
  }
  return best;
}

/// Boxes whose largest gap along an axis is `largest` > 0, which their distance is never below.
Proximity nearest_apart(const Boxes& boxes, double largest) {
  Proximity best = nearest_vertex(boxes.a, boxes.b);
  const Proximity other = nearest_vertex(boxes.b, boxes.a);
  if (other.distance < best.distance) best = exchanged(other);
  for_each_edge_axis(boxes, [&](const EdgeAxis& axis) {
    // Edges that all but touch may seem to overlap by round-off.
    if (boxes.gap(axis.normal) <= -8.0 * kRoundOff * boxes.scale) return;
    for_each_crossing(boxes, axis, [&](const Crossing& crossing) {
      const double distance = std::max(largest, axis.normal.dot(crossing.point_a - crossing.point_b));
      if (crossing.overrun > 0.0 || distance >= best.distance) return;
      best = {.distance = distance,
              .normal = axis.normal,
              .point_a = crossing.point_a,
              .point_b = crossing.point_a - distance * axis.normal};
    });
  });
  return best;
}

/// The axis with the largest gap. Where it is one of edges, so are the nearest points.
struct Separation {
  double gap = -std::numeric_limits<double>::infinity();
  EdgeAxis axis{-1, -1, Vector3d::Zero()};
  bool of_b = false;  // where it is one of faces: whose
};

Separation largest_gap(const Boxes& boxes) {
  Separation best;
  const auto consider = [&](const EdgeAxis& axis, double advantage) {
    const double gap = boxes.gap(axis.normal);
    if (gap > best.gap + advantage) best = {gap, axis};
  };
  for (int i = 0; i < 3; ++i) consider({-1, -1, boxes.towards_a(boxes.b.axes.col(i))}, 0.0);
  const double on_face_of_b = best.gap;
  for (int i = 0; i < 3; ++i) consider({-1, -1, boxes.towards_a(boxes.a.axes.col(i))}, 0.0);
  best.of_b = best.gap == on_face_of_b;
  // Faces before edges where round-off alone makes the difference: their points are better known.
  for_each_edge_axis(boxes, [&](const EdgeAxis& axis) { consider(axis, 4.0 * kRoundOff * boxes.scale); });
  return best;
}

/// Nearest points of overlapping boxes, given the axis.
Proximity nearest_inside(const Boxes& boxes, const Separation& separation) {
  const Vector3d& n = separation.axis.normal;
  Proximity result{.distance = separation.gap, .normal = n, .point_a = {}, .point_b = {}};
  if (separation.axis.i < 0) {
    // A vertex; where a face or edge lies parallel, touching_features finds the part that is covered.
    const auto farthest = [](const PlacedBox& box, const Vector3d& direction) {
      const Vector3d slope = box.axes.transpose() * direction;
      return Vector3d(box.centre + box.axes * Vector3d(slope.array().sign()).cwiseProduct(box.half_sizes));
    };
    if (separation.of_b) {
      result.point_a = farthest(boxes.a, -n);
      result.point_b = result.point_a - separation.gap * n;
    } else {
      result.point_b = farthest(boxes.b, n);
      result.point_a = result.point_b + separation.gap * n;
    }
    return result;
  }
  // Of edges that lie flat both may seem to be supporting; those that are have the gap of the axis between them.
  double worst = std::numeric_limits<double>::infinity();
  for_each_crossing(boxes, separation.axis, [&](const Crossing& crossing) {
    const double higher = std::abs(n.dot(crossing.point_a - crossing.point_b) - separation.gap);
    const double amiss = std::max(crossing.overrun, 0.0) + higher;
    if (amiss >= worst) return;
    worst = amiss;
    result.point_a = crossing.point_a;
    result.point_b = crossing.point_a - separation.gap * n;
  });
  return result;
}

/// The middle of the face or edge that is equally near, where there is one.
Proximity in_the_middle(const Boxes& boxes, const Proximity& nearest) {
  const TouchingPoints all = touching_features(boxes.a, boxes.b, nearest, kMiddleTolerance * boxes.scale);
  Proximity result = nearest;
  result.point_a.setZero();
  result.point_b.setZero();
  for (const TouchingPoint& point : all) {
    result.point_a += point.point_a / all.size();
    result.point_b += point.point_b / all.size();
  }
  return result;
}

Proximity nearest_of(const Boxes& boxes) {
  const Separation separation = largest_gap(boxes);
  if (!(separation.gap > 0.0)) return in_the_middle(boxes, nearest_inside(boxes, separation));
  const Proximity nearest = nearest_apart(boxes, separation.gap);
  // The direction between points that all but coincide is one of round-off, and shows where it separates less.
  const bool known = boxes.gap(nearest.normal) >= separation.gap - 8.0 * kRoundOff * boxes.scale;
  return in_the_middle(boxes, known ? nearest : nearest_inside(boxes, separation));
}

}  // namespace

Proximity box_box(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b) {
  return nearest_of(Boxes(a, pose_a, b, pose_b));
}

TouchingPoints box_box_touching(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b, double tolerance) {
  const Boxes boxes(a, pose_a, b, pose_b);
  return touching_features(boxes.a, boxes.b, nearest_of(boxes), tolerance);
}

}  // namespace carom
