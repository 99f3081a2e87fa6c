#include "carom/engine/smooth/face_overlap.h"

#include <algorithm>
#include <limits>

namespace carom::smooth {

namespace {

using Eigen::Vector2d;

/// A face seen along the normal, counter-clockwise; side k goes from vertex k to the next one.
struct Outline {
  std::vector<Vector2d> points;
  std::vector<int> vertices, edges;
  int face = 0;

  [[nodiscard]] std::size_t size() const { return points.size(); }
  [[nodiscard]] std::size_t next(std::size_t k) const { return k + 1 == size() ? 0 : k + 1; }
  [[nodiscard]] double area() const {
    double twice = 0.0;
    for (std::size_t k = 0; k < size(); ++k)
      twice += points[k].x() * points[next(k)].y() - points[k].y() * points[next(k)].x();
    return 0.5 * twice;
  }
  /// How far a point is on the inner side of side k.
  [[nodiscard]] double within(std::size_t k, const Vector2d& x) const {
    const Vector2d along = points[next(k)] - points[k], to = x - points[k];
    const double length = along.norm();
    return length > 0.0 ? (along.x() * to.y() - along.y() * to.x()) / length : std::numeric_limits<double>::infinity();
  }
};

/// The face of the body that looks most along `direction` among those at its farthest vertex that way.
int facing(const PlacedFacets& body, const Vector3d& direction) {
  const Vector3d local = body.pose.orientation.conjugate() * direction;
  std::size_t farthest = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < body.facets.vertices.size(); ++i) {
    const double reach = local.dot(body.facets.vertices[i]);
    if (reach <= most) continue;
    most = reach;
    farthest = i;
  }
  int best = body.facets.faces_at[farthest].front();
  for (const int face : body.facets.faces_at[farthest]) {
    const auto& faces = body.facets.faces;
    if (local.dot(faces[static_cast<std::size_t>(face)].normal) >
        local.dot(faces[static_cast<std::size_t>(best)].normal))
      best = face;
  }
  return best;
}

/// `reversed`: the face looks against the normal, and runs the other way round.
Outline outline(const PlacedFacets& body, int face, const Vector3d (&across)[2], bool reversed) {
  const Facets::Face& of = body.facets.faces[static_cast<std::size_t>(face)];
  const std::size_t n = of.vertices.size();
  Outline result;
  result.face = face;
  result.points.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t at = reversed ? n - 1 - k : k;
    const std::size_t edge = reversed ? (2 * n - 2 - k) % n : k;
    const Vector3d x = body.pose.to_world(body.facets.vertices[static_cast<std::size_t>(of.vertices[at])]);
    result.points.emplace_back(across[0].dot(x), across[1].dot(x));
    result.vertices.push_back(of.vertices[at]);
    result.edges.push_back(of.edges[edge]);
  }
  return result;
}

/// The part of a side of the smaller outline that lies inside the larger one.
struct Inside {
  bool any = true;
  int enters = kNone, leaves = kNone;  ///< sides of the larger one; kNone: its end is inside
  double first = 0.0, last = 1.0;      ///< of its length
};

Inside part_inside(const Outline& small, std::size_t side, const Outline& large, double margin) {
  const Vector2d &p = small.points[side], &q = small.points[small.next(side)];
  Inside part;
  for (std::size_t j = 0; j < large.size(); ++j) {
    const double at_p = large.within(j, p), at_q = large.within(j, q);
    const bool p_out = at_p < -margin, q_out = at_q < -margin;
    if (p_out && q_out) return {false};
    if (!p_out && !q_out) continue;
    const double t = std::clamp(at_p / (at_p - at_q), 0.0, 1.0);
    if (p_out && t >= part.first) {
      part.first = t;
      part.enters = static_cast<int>(j);
    } else if (q_out && t <= part.last) {
      part.last = t;
      part.leaves = static_cast<int>(j);
    }
  }
  part.any = part.first <= part.last;
  return part;
}

/// Makes the corners of two outlines in order, with their shares.
class Clipping {
 public:
  Clipping(const Outline& small, const Outline& large, bool small_is_a, std::vector<FaceCorner>& corners)
      : small_(small), large_(large), small_is_a_(small_is_a), corners_(corners) {}

  void run(double margin) {
    const std::size_t n = small_.size();
    // Begins with a side that enters, so that every cut is whole.
    std::vector<Inside> parts(n);
    std::size_t begin = 0;
    for (std::size_t k = 0; k < n; ++k) {
      parts[k] = part_inside(small_, k, large_, margin);
      if (parts[k].any && parts[k].enters != kNone) begin = k;
    }
    int left_through = kNone;    // the side of the larger outline that the last corner lies on
    std::size_t cut_begins = 0;  // corners of the cut that is open
    int cut_off = 0;             // vertices of the smaller outline in it
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = (begin + i) % n;
      const Inside& part = parts[k];
      const bool vertex_in = part.any && part.enters == kNone;
      if (vertex_in) {
        add(vertex_of_small(k));
      } else if (i > 0) {
        ++cut_off;
      }
      if (part.any && part.enters != kNone) {
        if (i > 0) add_between(left_through, part.enters);
        add(crossing(k, static_cast<std::size_t>(part.enters)));
        if (i > 0) share_out(cut_begins, cut_off);
      }
      if (part.any && part.leaves != kNone) {
        cut_begins = corners_.size();
        cut_off = 0;
        left_through = part.leaves;
        add(crossing(k, static_cast<std::size_t>(part.leaves)));
      }
    }
    const Inside& first = parts[begin];
    if (!first.any || first.enters == kNone) return;  // nothing is cut, or nothing is covered
    // The last cut ends with the corner that the round began with.
    const std::size_t before = corners_.size();
    add_between(left_through, first.enters);
    ++cut_off;
    const auto count = static_cast<double>(corners_.size() - std::min(cut_begins, before) + 1);
    for (std::size_t c = cut_begins; c < corners_.size(); ++c) corners_[c].share = cut_off / count;
    corners_.front().share = cut_off / count;
  }

 private:
  void add(const Feature& feature) { corners_.push_back({feature, 1.0}); }
  /// The vertices of the larger outline from one of its sides to another.
  void add_between(int from, int to) {
    if (from == kNone) return;
    for (auto j = static_cast<std::size_t>(from); j != static_cast<std::size_t>(to);) {
      j = large_.next(j);
      add(vertex_of_large(j));
    }
  }
  void share_out(std::size_t from, int vertices) {
    for (std::size_t c = from; c < corners_.size(); ++c)
      corners_[c].share = vertices / static_cast<double>(corners_.size() - from);
  }
  [[nodiscard]] Feature vertex_of_small(std::size_t k) const {
    return small_is_a_ ? Feature{Feature::Kind::vertex_face, small_.vertices[k], large_.face}
                       : Feature{Feature::Kind::face_vertex, large_.face, small_.vertices[k]};
  }
  [[nodiscard]] Feature vertex_of_large(std::size_t j) const {
    return small_is_a_ ? Feature{Feature::Kind::face_vertex, small_.face, large_.vertices[j]}
                       : Feature{Feature::Kind::vertex_face, large_.vertices[j], small_.face};
  }
  [[nodiscard]] Feature crossing(std::size_t k, std::size_t j) const {
    const int of_small = small_.edges[k], of_large = large_.edges[j];
    return small_is_a_ ? Feature{Feature::Kind::edge_edge, of_small, of_large}
                       : Feature{Feature::Kind::edge_edge, of_large, of_small};
  }

  const Outline &small_, &large_;
  bool small_is_a_;
  std::vector<FaceCorner>& corners_;
};

}  // namespace

void find_corners(const PlacedFacets& a, const PlacedFacets& b, const Vector3d& normal,
                  std::vector<FaceCorner>& corners) {
  corners.clear();
  Vector3d across[2];
  across[0] = normal.unitOrthogonal();
  across[1] = normal.cross(across[0]);
  const Outline of_a = outline(a, facing(a, -normal), across, true);
  const Outline of_b = outline(b, facing(b, normal), across, false);
  const bool small_is_a = of_a.area() <= of_b.area();
  const double margin = kFaceMargin * std::min(a.facets.size, b.facets.size);
  Clipping(small_is_a ? of_a : of_b, small_is_a ? of_b : of_a, small_is_a, corners).run(margin);
}

}  // namespace carom::smooth
