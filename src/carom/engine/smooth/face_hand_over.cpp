/// Contact points that leave their face or edge, or have come to lie flat, and who takes over what they bear.

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/face_points.h"
#include "carom/engine/smooth/facet_contact.h"
#include "carom/engine/smooth/step_end.h"

namespace carom::smooth {

namespace {

/// Points of one pair that are nearer to each other, in hand-over distances, may take over from each other.
constexpr double kNeighbour = 20.0;
/// The stiffness of a point grows at most by this factor where it is handed over, and is divided by no more where it is
/// not added to another one.
constexpr double kMostChange = 2.0;
/// Overlap that counts as none where a point is handed over, of the smaller body's size.
constexpr double kMostLate = 0.05;

}  // namespace

std::optional<double> FacePoints::leaving_time(const Group& group, const Contact& contact) const {
  const PairGeometry& g = contact.geometry;
  const double beyond = margin(g);
  // The normal of edges that all but lie along each other turns quickly, and what it turns to beyond a face of either
  // is no place to touch: it may turn right over.
  const bool turns = g.form == ContactForm::edge_edge;
  const auto outside = [&](double time) {
    const Pose a = pose(g.a, time), b = pose(g.b, time);
    const double beside =
        std::max(-inside_facets(g, a, b) - beyond, beyond * (crossing_sine(g, a, b) / kAlongEachOther - 1.0));
    return turns ? std::max(beside, beyond * (-least_rise(g, a, b) / kLostSupport - 1.0)) : beside;
  };
  if (!(outside(group.end) > 0.0)) return std::nullopt;
  return first_crossing(outside, {group.start, group.end});
}

bool FacePoints::lies_flat(const Group& group, const Contact& contact) const {
  const PairGeometry& g = contact.geometry;
  if (g.form != ContactForm::general || g.facets_b == nullptr || !contact.pressed) return false;
  const Poses at{pose(g.a, group.end), pose(g.b, group.end)};
  const Touch touch = g.touch(at.a, at.b);
  std::vector<FaceCorner> found;
  corners_along(g, at, touch.normal, found);
  int pressed = 0;
  bool can_bear = false;
  for (const FaceCorner& corner : found) {
    const PairGeometry there = motions_.environment().geometry(g.a, g.b, corner.feature.code());
    if (!can_take(there, at)) continue;
    ++pressed;
    can_bear = can_bear || !group.has_contact(g.a, g.b, there.feature) ||
               (there.touch(at.a, at.b).point - touch.point).norm() < kNeighbour * margin(g);
  }
  return pressed > 1 && can_bear;
}

/// Whether two contacts are the two points of one rim on the same face.
bool FacePoints::same_rim(const PairGeometry& g, const PairGeometry& other) {
  if (g.form != other.form || !g.is_of_parts(other.a, other.b, other.feature)) return false;
  const auto same = [](const Facets& facets, int first, int second) {
    const Facets::Vertex& x = facets.vertices[static_cast<std::size_t>(first)];
    const Facets::Vertex& y = facets.vertices[static_cast<std::size_t>(second)];
    return x.rim_radius > 0.0 && y.rim_radius > 0.0 && x.at == y.at;
  };
  if (g.form == ContactForm::vertex_face)
    return g.facet_b == other.facet_b && same(*g.facets_a, g.facet_a, other.facet_a);
  return g.form == ContactForm::face_vertex && g.facet_a == other.facet_a &&
         same(*g.facets_b, g.facet_b, other.facet_b);
}

bool FacePoints::hand_over(std::vector<Contact>& contacts, std::size_t which, double now) const {
  const PairGeometry leaving = contacts[which].geometry;
  const Poses at{motions_.paths.pose(leaving.a, now), motions_.paths.pose(leaving.b, now)};
  Contact left = contacts[which];
  double stored = left.normal.stored(leaving.touch(at.a, at.b).depth);
  std::vector<Contact> staying;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (k == which) continue;
    if (same_rim(leaving, contacts[k].geometry)) {  // the two stand for one disc
      stored += contacts[k].normal.stored(contacts[k].geometry.touch(at.a, at.b).depth);
      left.add(contacts[k]);
    } else {
      staying.push_back(contacts[k]);
    }
  }
  std::vector<PairGeometry> taking = newcomers(staying, leaving, at);
  Contact* neighbour = nullptr;
  if (taking.empty()) {
    neighbour = nearest(staying, leaving, at);
    // Else the nearest points: a round end goes on over an edge.
    taking.push_back(neighbour != nullptr
                         ? neighbour->geometry
                         : motions_.environment().geometry(leaving.a, leaving.b, Feature::parts_of(leaving.feature)));
    const Touch touch = taking.front().touch(at.a, at.b);
    if (!(touch.depth > 0.0)) return false;
    if (taking.front().follows_normal())
      taking.front().follow(touch.normal, motions_.environment().smaller_size(leaving.a, leaving.b));
  }
  const double part = 1.0 / static_cast<double>(taking.size());
  const auto energy_of_taking = [&] {
    double sum = 0.0;
    for (const PairGeometry& g : taking) sum += part * left.normal.stored(g.touch(at.a, at.b).depth);
    return sum;
  };
  double would_be = energy_of_taking();
  if (neighbour == nullptr && would_be > kMostChange * stored) {
    // Much deeper than the one that leaves: as stiff, and where it can be with the depth at which as much is stored.
    const double depth_part = std::pow(stored / would_be, 1.0 / (left.normal.exponent + 1.0));  // K δ^(p+1)
    const double most = kMostLate * std::min(leaving.facets_a->size, leaving.facets_b->size);
    for (PairGeometry& g : taking)
      g.late += std::min((1.0 - depth_part) * g.touch(at.a, at.b).depth, std::max(most - g.late, 0.0));
    would_be = energy_of_taking();
  }
  const double least = neighbour == nullptr ? 1.0 / kMostChange : 0.0;
  const double change = would_be > 0.0 ? std::clamp(stored / would_be, least, kMostChange) : 1.0;
  left.damping_work += stored - change * would_be;
  left.scale(change, part);
  if (neighbour != nullptr) {
    neighbour->add(left);
  } else {
    for (const PairGeometry& geometry : taking) {
      left.geometry = geometry;
      staying.push_back(left);
      left.forget_works();
    }
  }
  contacts = std::move(staying);
  return true;
}

/// Whether a contact is pressed where it could stay.
bool FacePoints::can_take(const PairGeometry& g, const Poses& at) {
  if (!(g.touch(at.a, at.b).depth > 0.0)) return false;
  return !g.on_facets() || fits(g, at, kTakesAlong);
}

/// The corners of what the faces cover now that are pressed and bear nothing yet.
std::vector<PairGeometry> FacePoints::newcomers(const std::vector<Contact>& contacts, const PairGeometry& leaving,
                                                const Poses& at) const {
  std::vector<FaceCorner> found;
  corners_along(leaving, at, leaving.touch(at.a, at.b).normal, found);
  std::vector<PairGeometry> pressed;
  for (const FaceCorner& corner : found) {
    const PairGeometry g = motions_.environment().geometry(leaving.a, leaving.b, corner.feature.code());
    const bool known = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
      return contact.geometry.a == g.a && contact.geometry.b == g.b && contact.geometry.feature == g.feature;
    });
    if (!known && g.feature != leaving.feature && can_take(g, at)) pressed.push_back(g);
  }
  return pressed;
}

/// The contact of the pair that is nearest to where one has left, else that of its nearest points; null: there is none.
Contact* FacePoints::nearest(std::vector<Contact>& contacts, const PairGeometry& leaving, const Poses& at) const {
  const Vector3d place = leaving.touch(at.a, at.b).point;
  double least = kNeighbour * margin(leaving);
  Contact *found = nullptr, *of_nearest_points = nullptr;
  for (Contact& contact : contacts) {
    const PairGeometry& g = contact.geometry;
    if (!g.is_of_parts(leaving.a, leaving.b, leaving.feature) || !can_take(g, at)) continue;
    if (!g.on_facets()) of_nearest_points = &contact;
    const double distance = (g.touch(at.a, at.b).point - place).norm();
    if (distance >= least) continue;
    least = distance;
    found = &contact;
  }
  return found != nullptr ? found : of_nearest_points;
}

}  // namespace carom::smooth
