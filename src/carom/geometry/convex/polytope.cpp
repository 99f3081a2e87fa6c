#include "carom/geometry/convex/polytope.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace carom {

using Eigen::Vector3d;

namespace {

struct Higher {
  const Polytope::Facet* facets;
  bool operator()(std::int16_t i, std::int16_t j) const {
    return facets[i].height != facets[j].height ? facets[i].height > facets[j].height : i > j;
  }
};

}  // namespace

bool Polytope::make(int a, int b, int c) {
  if (facet_count_ == kMostFacets) return false;
  const Vector3d& origin = points_[static_cast<std::size_t>(a)];
  const Vector3d ab = points_[static_cast<std::size_t>(b)] - origin;
  const Vector3d ac = points_[static_cast<std::size_t>(c)] - origin;
  const Vector3d across = ab.cross(ac);
  const double area = across.norm();
  // The height of the triangle over its longer side is at the level of round-off: its normal is not known.
  if (!(area > 1e-13 * std::max(ab.squaredNorm(), ac.squaredNorm()))) return false;
  Facet& facet = facets_[static_cast<std::size_t>(facet_count_)];
  facet.normal = across / area;
  facet.height = facet.normal.dot(origin);
  facet.corners = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b), static_cast<std::int16_t>(c)};
  facet.alive = true;
  facet.seen = false;
  push(facet_count_++);
  return true;
}

void Polytope::push(int facet) {
  heap_[static_cast<std::size_t>(heap_size_++)] = static_cast<std::int16_t>(facet);
  std::push_heap(heap_.begin(), heap_.begin() + heap_size_, Higher{facets_.data()});
}

void Polytope::pop() {
  std::pop_heap(heap_.begin(), heap_.begin() + heap_size_--, Higher{facets_.data()});
}

int Polytope::lowest() {
  while (heap_size_ > 0) {
    const int first = heap_[0];
    if (facets_[static_cast<std::size_t>(first)].alive) return first;
    pop();
  }
  return -1;
}

void Polytope::settle(int number) {
  settled_height_ = std::min(settled_height_, facets_[static_cast<std::size_t>(number)].height);
  pop();
}

bool Polytope::begin(const std::array<Vector3d, 4>& points, double room) {
  point_count_ = 4;
  facet_count_ = heap_size_ = 0;
  settled_height_ = std::numeric_limits<double>::infinity();
  std::copy(points.begin(), points.end(), points_.begin());
  const Vector3d across = (points[1] - points[0]).cross(points[2] - points[0]);
  const double above = across.normalized().dot(points[3] - points[0]);
  if (!(std::abs(above) > room)) return false;
  if (above > 0.0) std::swap(points_[1], points_[2]);
  // Corner 3 is below the first triangle.
  if (!make(0, 1, 2) || !make(1, 0, 3) || !make(2, 1, 3) || !make(0, 2, 3)) return false;
  facets_[0].neighbours = {1, 2, 3};
  facets_[1].neighbours = {0, 3, 2};
  facets_[2].neighbours = {0, 1, 3};
  facets_[3].neighbours = {0, 2, 1};
  return true;
}

bool Polytope::add(const Vector3d& point, int from, double room) {
  if (point_count_ == kMostPoints) return false;
  const int eye = point_count_++;
  points_[static_cast<std::size_t>(eye)] = point;
  struct Side {
    std::int16_t begin, end, beyond;
  };
  std::array<Side, kMostPoints> border;
  int sides = 0;
  std::array<std::int16_t, kMostPoints> seen;
  int count = 0;
  seen[0] = static_cast<std::int16_t>(from);
  count = 1;
  facets_[static_cast<std::size_t>(from)].seen = true;
  for (int i = 0; i < count; ++i) {
    Facet& facet = facets_[static_cast<std::size_t>(seen[static_cast<std::size_t>(i)])];
    facet.alive = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int16_t other = facet.neighbours[k];
      Facet& neighbour = facets_[static_cast<std::size_t>(other)];
      if (neighbour.seen) continue;
      // A facet whose plane holds the point goes as well: its new neighbour would have no corner of its own.
      if (neighbour.normal.dot(point) - neighbour.height > -room) {
        if (count == kMostPoints) return false;
        neighbour.seen = true;
        seen[static_cast<std::size_t>(count++)] = other;
      }
    }
  }
  for (int i = 0; i < count; ++i) {
    const Facet& facet = facets_[static_cast<std::size_t>(seen[static_cast<std::size_t>(i)])];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int16_t other = facet.neighbours[k];
      if (facets_[static_cast<std::size_t>(other)].seen) continue;
      if (sides == kMostPoints) return false;
      border[static_cast<std::size_t>(sides++)] = {facet.corners[k], facet.corners[(k + 1) % 3], other};
    }
  }
  if (sides < 3) return false;
  for (int i = 0; i + 1 < sides; ++i) {
    const std::int16_t end = border[static_cast<std::size_t>(i)].end;
    int next = i + 1;
    while (next < sides && border[static_cast<std::size_t>(next)].begin != end) ++next;
    if (next == sides) return false;
    std::swap(border[static_cast<std::size_t>(i) + 1], border[static_cast<std::size_t>(next)]);
  }
  if (border[static_cast<std::size_t>(sides) - 1].end != border[0].begin) return false;
  const int first = facet_count_;
  for (int i = 0; i < sides; ++i) {
    const Side& side = border[static_cast<std::size_t>(i)];
    if (!make(side.begin, side.end, eye)) return false;
    facets_[static_cast<std::size_t>(first + i)].neighbours = {
        side.beyond, static_cast<std::int16_t>(first + (i + 1) % sides),
        static_cast<std::int16_t>(first + (i + sides - 1) % sides)};
    Facet& stays = facets_[static_cast<std::size_t>(side.beyond)];
    for (std::size_t k = 0; k < 3; ++k)
      if (stays.corners[k] == side.end) stays.neighbours[k] = static_cast<std::int16_t>(first + i);
  }
  return true;
}

}  // namespace carom
