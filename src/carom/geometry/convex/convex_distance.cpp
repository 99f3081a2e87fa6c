#include "carom/geometry/convex/convex_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/convex/ascent.h"
#include "carom/geometry/convex/polytope.h"
#include "carom/geometry/convex/simplex.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kFlatCertificate = 1e-14;   // of the scale, for polyhedra
constexpr double kRoundCertificate = 1e-13;  // of the scale, for the others by their witnesses
constexpr double kRoundPolytope = 1e-11;     // of the scale, for the others by the polytope
constexpr double kNearlyNearest = 1e-6;      // relative: the search is over, the rest is the ascent's
constexpr double kTouching = 1e-13;          // of the scale: too short for a direction
// Of the scale: overlaps in which what is nearest nearby is nearest, where both have edges and where one has none.
constexpr double kShallow = 1e-9;
constexpr double kShallowRound = 1e-6;
constexpr int kMostSearches = 100;
constexpr int kMostAscents = 8;
constexpr int kRoundSteps = 6;        // of the search, after which an ascent is tried
constexpr double kKinksNear = 0.01;   // [rad]: of a direction that is nearly the normal
constexpr double kKinksAround = 0.3;  // [rad]: of one that may be far from it

class DistanceSearch {
 public:
  explicit DistanceSearch(const ConvexGap& gap)
      : gap_(gap), room_((gap.is_polyhedral() ? kFlatCertificate : kRoundPolytope) * gap.scale) {}

  struct Answer {
    Ascent place;
    Witness witness;
    double residual;
  };

  /// Takes the place as it is; whether it is certified.
  bool take(const Ascent& place) {
    const Witness found = witness(gap_, place.at, place.vertices);
    apart_ = found.a - found.b;
    mismatch_ = found.mismatch;
    const double residual = uncertainty(place.at.value, found.mismatch);
    const double room = (gap_.is_polyhedral() ? kFlatCertificate : kRoundCertificate) * gap_.scale;
    if (residual > room) return false;
    answer_ = {place, found, std::max(residual, found.mismatch)};
    return true;
  }

  void run(const Vector3d& n, const ConvexGap::Vertices& vertices) {
    vertices_ = vertices;
    best_.at = gap_.at(n, vertices_);
    best_.vertices = vertices_;
    if (!search(best_.at)) expand();
  }

  /// Goes up from n, which is near the normal, and stays near it; false where that leads to no answer.
  /// Overlaps up to `shallow` [m] are no reason against it; `deep`: they press, and the first place of rest is theirs.
  bool follow(const Vector3d& n, double shallow, bool deep) {
    best_.at = gap_.at(n, vertices_);
    best_.vertices = vertices_;
    if (deep) {
      const double exact = kRoundCertificate * gap_.scale;
      const std::optional<Ascent> rest = nearest_rest(gap_, best_, kKinksNear, exact);
      if (rest && rest->at.value > -shallow) {
        const Witness found = witness(gap_, rest->at, rest->vertices);
        answer_ = {*rest, found, found.mismatch};
        return true;
      }
    }
    if (ascend_from(best_.at)) return true;
    if (!(best_.at.value > -shallow)) return false;
    const Witness found = witness(gap_, best_.at, best_.vertices);
    answer_ = {best_, found, found.mismatch};
    return found.mismatch <= kRoundCertificate * gap_.scale;
  }

  [[nodiscard]] const Answer& answer() const { return answer_; }

 private:
  /// From here to the best place near it; whether that is certified.
  bool ascend_from(ConvexGap::At at) {
    for (int count = 0; count < kMostAscents; ++count) {
      const double before = best_.at.value;
      for (const double angle : {kKinksNear, kKinksAround}) {
        const Ascent place = ascend(gap_, {at, vertices_, {}}, angle);
        if (!(place.at.value >= best_.at.value)) continue;
        best_ = place;
        if (take(place)) return true;
        // In overlap the witnesses prove no more than that nothing near is better.
        if (mismatch_ <= kRoundCertificate * gap_.scale) return false;
      }
      // On a face or edge whose nearest points are not above each other s grows along their difference (it is the
      // shortest of the gradients that meet there).
      const double length = apart_.norm();
      if (!(best_.at.value > before && best_.at.value > 0.0 && length > 0.0)) return false;
      at = gap_.at(apart_ / length, vertices_);
    }
    return false;
  }

  /// The nearest points of shapes that are apart. False where they overlap, or the search comes to no end.
  bool search(ConvexGap::At at) {
    Simplex simplex;
    simplex.add(at.a - at.b);
    Vector3d nearest = simplex.reduce();
    double before = std::numeric_limits<double>::infinity();
    for (int count = 1; count <= kMostSearches; ++count) {
      const double length = nearest.norm();
      if (!(length > kTouching * gap_.scale)) return ascend_from(at);
      at = gap_.at(nearest / length, vertices_);
      const Vector3d point = at.a - at.b;
      const bool no_better = simplex.holds(point) || !(length < before);
      if (length - at.value <= kNearlyNearest * length || no_better) {
        if (ascend_from(at)) return true;
        if (no_better) return false;
      } else if (!gap_.is_polyhedral() && count % kRoundSteps == 0) {
        if (ascend_from(at)) return true;
      }
      before = length;
      simplex.add(point);
      nearest = simplex.reduce();
      if (simplex.size() == 4) return false;
    }
    return false;
  }

  Vector3d difference(const Vector3d& n) {
    const ConvexGap::At at = gap_.at(n, vertices_);
    return at.a - at.b;
  }

  /// A tetrahedron of points of the difference that are far apart.
  std::array<Vector3d, 4> far_points() {
    const Vector3d first = Vector3d::UnitX();
    const Vector3d p = difference(first), q = difference(-first);
    const auto farther = [&](const Vector3d& direction) {
      const Vector3d x = difference(direction), y = difference(-direction);
      return std::abs(direction.dot(x - p)) >= std::abs(direction.dot(y - p)) ? x : y;
    };
    const Vector3d along = (q - p).normalized();
    int smallest = 0;
    along.cwiseAbs().minCoeff(&smallest);
    const Vector3d side = along.cross(Vector3d::Unit(smallest)).normalized();
    const Vector3d r = farther(side);
    return {p, q, r, farther((q - p).cross(r - p).normalized())};
  }

  /// Shapes that overlap or touch.
  void expand() {
    Polytope polytope;
    const double noise = kFlatCertificate * gap_.scale;
    double above = std::numeric_limits<double>::infinity();
    double room = room_;
    Witness found = witness(gap_, best_.at, best_.vertices);
    if (polytope.begin(far_points(), noise)) {
      for (;;) {
        const int lowest = polytope.lowest();
        const double height =
            std::min(lowest < 0 ? std::numeric_limits<double>::infinity() : polytope.facet(lowest).height,
                     polytope.settled_height());
        if (height >= 0.0) above = -height;
        if (lowest < 0) break;
        if (-height <= best_.at.value + room) {
          // Near enough; but where the witnesses are not above each other, there is more to gain.
          found = witness(gap_, best_.at, best_.vertices);
          if (found.mismatch <= room || room <= noise) break;
          room = std::max(noise, 0.1 * room);
          continue;
        }
        const Vector3d normal = polytope.facet(lowest).normal;
        const double facet_height = polytope.facet(lowest).height;
        const ConvexGap::At at = gap_.at(-normal, vertices_);
        const bool on_border = -at.value - facet_height <= noise;
        // A face of the difference of two polyhedra is the answer itself; near round shapes the ascent goes ahead.
        if (at.value > best_.at.value + noise && (on_border || !gap_.is_polyhedral()) && ascend_from(at)) return;
        if (on_border) {
          polytope.settle(lowest);
        } else if (!polytope.add(at.a - at.b, lowest, noise)) {
          break;
        }
      }
    }
    found = witness(gap_, best_.at, best_.vertices);
    const double by_witness = uncertainty(best_.at.value, found.mismatch);
    const double residual = std::min(by_witness, std::max(0.0, above - best_.at.value));
    answer_ = {best_, found, std::max(residual, found.mismatch)};
  }

  const ConvexGap& gap_;
  double room_;  // between the bounds of shapes that overlap
  ConvexGap::Vertices vertices_;
  Ascent best_;
  Vector3d apart_ = Vector3d::Zero();  // between the last witnesses
  double mismatch_ = 0.0;              // of the last witnesses
  Answer answer_;
};

Vector3d start_direction(const ConvexGap& gap) {
  const double length = gap.a.position().norm();
  return length > 0.0 ? Vector3d(gap.a.position() / length) : Vector3d(Vector3d::UnitX());
}

DistanceSearch::Answer from_scratch(const ConvexGap& gap) {
  DistanceSearch search(gap);
  search.run(start_direction(gap), {});
  return search.answer();
}

Proximity as_proximity(const ConvexGap& gap, const DistanceSearch::Answer& answer, const Vector3d& origin) {
  const Vector3d& n = answer.place.at.normal;
  return {.distance = answer.place.at.value - gap.a.radius() - gap.b.radius(),
          .normal = n,
          .point_a = origin + (answer.witness.a - gap.a.radius() * n),
          .point_b = origin + (answer.witness.b + gap.b.radius() * n),
          .residual = answer.residual};
}

using HintPair = std::pair<NormalSource::Kind, ProximityHint::Kind>;
constexpr std::array<HintPair, 6> kHintKinds = {{{NormalSource::Kind::points, ProximityHint::Kind::points},
                                                 {NormalSource::Kind::line_a, ProximityHint::Kind::line_a},
                                                 {NormalSource::Kind::line_b, ProximityHint::Kind::line_b},
                                                 {NormalSource::Kind::face_a, ProximityHint::Kind::face_a},
                                                 {NormalSource::Kind::face_b, ProximityHint::Kind::face_b},
                                                 {NormalSource::Kind::edges, ProximityHint::Kind::edges}}};

ProximityHint::Kind kind_of(NormalSource::Kind kind) {
  for (const auto& [source, hint] : kHintKinds)
    if (source == kind) return hint;
  return ProximityHint::Kind::search;
}

NormalSource::Kind kind_of(ProximityHint::Kind kind) {
  for (const auto& [source, hint] : kHintKinds)
    if (hint == kind) return source;
  return NormalSource::Kind::search;
}

}  // namespace

Proximity convex_proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const ConvexGap gap(a, pose_a, b, pose_b);
  return as_proximity(gap, from_scratch(gap), pose_b.position);
}

Proximity convex_proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           ProximityHint& hint) {
  const ConvexGap gap(a, pose_a, b, pose_b);
  DistanceSearch search(gap);
  const auto remember = [&] {
    const Ascent& place = search.answer().place;
    hint = {.kind = kind_of(place.source.kind),
            .normal = gap.b.to_local(place.at.normal),
            .of_a = gap.a.to_local(place.source.of_a),
            .of_b = gap.b.to_local(place.source.of_b),
            .vertex_a = place.vertices.a,
            .vertex_b = place.vertices.b};
    return as_proximity(gap, search.answer(), pose_b.position);
  };
  Vector3d n = start_direction(gap);
  ConvexGap::Vertices vertices;
  if (hint.kind != ProximityHint::Kind::none) {
    vertices = {gap.a.valid_vertex(hint.vertex_a), gap.b.valid_vertex(hint.vertex_b)};
    n = gap.b.to_world(hint.normal);
    const NormalSource source{kind_of(hint.kind), gap.a.to_world(hint.of_a), gap.b.to_world(hint.of_b)};
    const bool from_points = source.kind == NormalSource::Kind::points || source.kind == NormalSource::Kind::line_a ||
                             source.kind == NormalSource::Kind::line_b;
    if (source.kind != NormalSource::Kind::search && (gap.is_polyhedral() || !from_points)) {
      n = normal_of(source, from_points ? gap.at(n, vertices) : ConvexGap::At{n, n, n, 0.0});
      const ConvexGap::At at = gap.at(n, vertices);
      if (search.take({at, vertices, source})) return remember();
    }
  }
  search.run(n, vertices);
  return remember();
}

Proximity convex_proximity_near(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                const KnownNormal& known) {
  const ConvexGap gap(a, pose_a, b, pose_b);
  DistanceSearch search(gap);
  const bool round = std::holds_alternative<Ellipsoid>(a) || std::holds_alternative<Ellipsoid>(b);
  const double shallow = std::max(known.depth, (round ? kShallowRound : kShallow) * gap.scale);
  const bool found = search.follow(known.normal, shallow, known.depth > 0.0);
  return as_proximity(gap, found ? search.answer() : from_scratch(gap), pose_b.position);
}

TouchingPoints convex_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                               double tolerance) {
  const ConvexGap gap(a, pose_a, b, pose_b);
  const Proximity nearest = as_proximity(gap, from_scratch(gap), pose_b.position);
  return touching_features(gap, nearest, tolerance, pose_b.position);
}

}  // namespace carom
