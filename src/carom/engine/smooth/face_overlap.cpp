#include "carom/engine/smooth/face_overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/mechanics/indices.h"

namespace carom::smooth {

namespace {

using Eigen::Vector2d;

/// Faces whose areas differ by less than this part are alike: that of a is the smaller one.
constexpr double kEqualAreas = 1e-6;

/// A face seen along the normal, counter-clockwise; side k goes from vertex k to the next one. A line has two vertices.
struct Outline {
  std::vector<Vector2d> points;
  std::vector<int> vertices, edges;
  int face = kNone;                    ///< kNone: a line
  double mass = 1.0;                   ///< share of each vertex
  const Facets::Face* disc = nullptr;  ///< that the polygon stands for
  Vector2d middle = Vector2d::Zero();  ///< of that

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

/// How a body is seen: along `direction`, unit and out of it, on the plane across it.
struct View {
  const PlacedFacets& body;
  Vector3d direction;
  Vector3d across[2];
  bool reversed;  ///< the plane's axes are left-handed with the direction

  [[nodiscard]] Vector3d local_direction() const { return body.pose.orientation.conjugate() * direction; }
  [[nodiscard]] Vector2d seen(const Vector3d& local) const {
    const Vector3d x = body.pose.to_world(local);
    return {across[0].dot(x), across[1].dot(x)};
  }
};

/// The face that looks most along the direction, among those at the farthest vertex that way; kNone: there is none.
int facing(const Facets& facets, const Vector3d& direction) {
  if (facets.faces.empty()) return kNone;
  double most = -std::numeric_limits<double>::infinity();
  const std::vector<int>* at = nullptr;
  for (std::size_t i = 0; i < facets.vertices.size(); ++i) {
    const double reach = direction.dot(facets.vertices[i].at);
    if (facets.faces_at[i].empty() || reach <= most) continue;
    most = reach;
    at = &facets.faces_at[i];
  }
  int best = at->front();
  for (const int face : *at) {
    const auto along = [&](int k) { return direction.dot(facets.faces[static_cast<std::size_t>(k)].normal); };
    if (along(face) > along(best)) best = face;
  }
  return best;
}

/// The line that looks most along the direction, more than `than`; null: there is none.
const Facets::Line* facing_line(const Facets& facets, const Vector3d& direction, double than) {
  const Facets::Line* best = nullptr;
  for (const Facets::Line& line : facets.lines) {
    if (line.half && direction.y() > 0.0) continue;
    const double along = line.radial * direction.head<2>().norm() + line.axial * direction.z();
    if (along <= than) continue;
    than = along;
    best = &line;
  }
  return best;
}

Outline outline_of_line(const View& view, const Facets::Line& line) {
  const Facets& facets = view.body.facets;
  Outline result;
  for (const int vertex : line.vertices) {
    result.points.push_back(
        view.seen(facets.vertices[static_cast<std::size_t>(vertex)].surface(view.local_direction())));
    result.vertices.push_back(vertex);
    result.edges.push_back(line.edge);
  }
  return result;
}

Outline outline_of_face(const View& view, int face) {
  const Facets& facets = view.body.facets;
  const Facets::Face& of = facets.faces[static_cast<std::size_t>(face)];
  const std::size_t n = of.vertices.size();
  Outline result;
  result.face = face;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t at = view.reversed ? n - 1 - k : k;
    const std::size_t edge = view.reversed ? (2 * n - 2 - k) % n : k;
    result.points.push_back(view.seen(facets.vertices[static_cast<std::size_t>(of.vertices[at])].at));
    result.vertices.push_back(of.vertices[at]);
    result.edges.push_back(of.edges[edge]);
  }
  if (of.disc_radius > 0.0) {
    result.disc = &of;
    result.mass = 2.0 / kDiscVertices;
    result.middle = view.seen(facets.vertices[static_cast<std::size_t>(of.near)].at);
  }
  return result;
}

Outline outline(const View& view) {
  const Facets& facets = view.body.facets;
  const Vector3d direction = view.local_direction();
  const int face = facing(facets, direction);
  const double along = face == kNone ? 0.0 : direction.dot(facets.faces[static_cast<std::size_t>(face)].normal);
  const Facets::Line* const line = facing_line(facets, direction, along);
  return line != nullptr ? outline_of_line(view, *line) : outline_of_face(view, face);
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
    if (small_.face == kNone) {
      clip_line(margin);
      return;
    }
    if (small_.disc != nullptr && covers_disc(margin)) {
      for (const int vertex : {small_.disc->near, small_.disc->far}) add(on_large(vertex), 1.0);
      return;
    }
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
        add(on_large(small_.vertices[k]), small_.mass);
      } else if (i > 0) {
        ++cut_off;
      }
      if (part.any && part.enters != kNone) {
        if (i > 0) add_between(left_through, part.enters);
        add(crossing(k, part.enters), small_.mass);
        if (i > 0) share_out(cut_begins, cut_off);
      }
      if (part.any && part.leaves != kNone) {
        cut_begins = corners_.size();
        cut_off = 0;
        left_through = part.leaves;
        add(crossing(k, part.leaves), small_.mass);
      }
    }
    const Inside& first = parts[begin];
    if (!first.any || first.enters == kNone) return;  // nothing is cut, or nothing is covered
    // The last cut ends with the corner that the round began with.
    add_between(left_through, first.enters);
    ++cut_off;
    const double share = small_.mass * cut_off / static_cast<double>(corners_.size() - cut_begins + 1);
    for (std::size_t c = cut_begins; c < corners_.size(); ++c) corners_[c].share = share;
    corners_.front().share = share;
  }

 private:
  void add(const Feature& feature, double share) { corners_.push_back({feature, share}); }
  /// The vertices of the larger outline from one of its sides to another.
  void add_between(int from, int to) {
    if (from == kNone) return;
    for (auto j = static_cast<std::size_t>(from); j != static_cast<std::size_t>(to);) {
      j = large_.next(j);
      add(on_small(large_.vertices[j]), small_.mass);
    }
  }
  void share_out(std::size_t from, int vertices) {
    for (std::size_t c = from; c < corners_.size(); ++c)
      corners_[c].share = small_.mass * vertices / static_cast<double>(corners_.size() - from);
  }
  /// The ends of what the larger outline covers of a line.
  void clip_line(double margin) {
    const Inside part = part_inside(small_, 0, large_, margin);
    if (!part.any) return;
    for (const int end : {part.enters, part.leaves}) {
      const bool first = corners_.empty();
      add(end == kNone ? on_large(small_.vertices[first ? 0 : 1]) : crossing(0, end), 1.0);
    }
  }
  [[nodiscard]] bool covers_disc(double margin) const {
    for (std::size_t j = 0; j < large_.size(); ++j)
      if (large_.within(j, small_.middle) < small_.disc->disc_radius - margin) return false;
    return true;
  }
  [[nodiscard]] Feature on_large(int vertex) const {
    return small_is_a_ ? Feature{Feature::Kind::vertex_face, vertex, large_.face}
                       : Feature{Feature::Kind::face_vertex, large_.face, vertex};
  }
  [[nodiscard]] Feature on_small(int vertex) const {
    return small_is_a_ ? Feature{Feature::Kind::face_vertex, small_.face, vertex}
                       : Feature{Feature::Kind::vertex_face, vertex, small_.face};
  }
  [[nodiscard]] Feature crossing(std::size_t k, int j) const {
    const int of_small = small_.edges[k], of_large = large_.edges[static_cast<std::size_t>(j)];
    return small_is_a_ ? Feature{Feature::Kind::edge_edge, of_small, of_large}
                       : Feature{Feature::Kind::edge_edge, of_large, of_small};
  }

  const Outline &small_, &large_;
  bool small_is_a_;
  std::vector<FaceCorner>& corners_;
};

/// Two lines that lie along each other: the ends of what they share.
void find_shared_ends(const Outline& a, const Outline& b, double margin, std::vector<FaceCorner>& corners) {
  const Vector2d along_a = a.points[1] - a.points[0], along_b = b.points[1] - b.points[0];
  const double length_a = along_a.norm(), length_b = along_b.norm();
  const double cross = along_a.x() * along_b.y() - along_a.y() * along_b.x();
  if (std::abs(cross) > kAlongEachOther * length_a * length_b) return;  // they touch in their nearest point
  const auto inside = [margin](const Outline& line, double length, const Vector2d& x) {
    const double at = (line.points[1] - line.points[0]).dot(x - line.points[0]) / length;
    return at >= -margin && at <= length + margin;
  };
  for (std::size_t k = 0; k < 2; ++k)
    if (inside(b, length_b, a.points[k])) corners.push_back({{Feature::Kind::vertex_edge, a.vertices[k], b.edges[0]}});
  for (std::size_t k = 0; k < 2 && corners.size() < 2; ++k)
    if (inside(a, length_a, b.points[k])) corners.push_back({{Feature::Kind::edge_vertex, a.edges[0], b.vertices[k]}});
}

}  // namespace

void find_corners(const PlacedFacets& a, const PlacedFacets& b, const Vector3d& normal,
                  std::vector<FaceCorner>& corners) {
  corners.clear();
  const Vector3d first = normal.unitOrthogonal(), second = normal.cross(first);
  const Outline of_a = outline({a, -normal, {first, second}, true});
  const Outline of_b = outline({b, normal, {first, second}, false});
  const double margin = kFaceMargin * std::min(a.facets.size, b.facets.size);
  if (of_a.face == kNone && of_b.face == kNone) {
    find_shared_ends(of_a, of_b, margin, corners);
    return;
  }
  const bool small_is_a =
      of_a.face == kNone || (of_b.face != kNone && of_a.area() <= (1.0 + kEqualAreas) * of_b.area());
  Clipping(small_is_a ? of_a : of_b, small_is_a ? of_b : of_a, small_is_a, corners).run(margin);
}

}  // namespace carom::smooth
