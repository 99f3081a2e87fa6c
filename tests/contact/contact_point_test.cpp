#include "carom/contact/contact_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "carom/mechanics/attitude.h"
#include "contact/heavy_cases.h"
#include "geometry/random_shapes.h"

namespace carom::contact {
namespace {

using namespace test;

/// Whether that is what touches.
template <class Kind>
bool is(const ContactPoint& contact) {
  return std::holds_alternative<Kind>(contact.feature);
}

/// Two objects that touch.
struct Touching {
  Shape a, b;
  BodyState state_a, state_b;

  [[nodiscard]] const PairFunction& pair() const { return *find_pair(shape_kind(a), shape_kind(b)); }
  [[nodiscard]] PlacedPair placed() const { return {a, state_a.pose(), b, state_b.pose()}; }
  [[nodiscard]] std::vector<ContactPoint> closed(double tolerance = 1e-10) const {
    std::vector<ContactPoint> found;
    append_closed_contacts(pair(), placed(), tolerance, found);
    return found;
  }
  [[nodiscard]] Proximity near() const { return pair().proximity(a, state_a.pose(), b, state_b.pose()); }
  [[nodiscard]] ContactPoint follow(const ContactPoint& contact) const { return followed(contact, pair(), placed()); }
  /// Velocities in the world and spins in the body frames kept for a while.
  [[nodiscard]] Touching moved(double time) const {
    Touching later = *this;
    for (BodyState* state : {&later.state_a, &later.state_b}) {
      const Vector3d in_body = state->orientation.conjugate() * state->angular_velocity;
      state->position += time * state->velocity;
      state->orientation = state->orientation * rotation_by(time * in_body);
      state->angular_velocity = state->orientation * in_body;
    }
    return later;
  }
};

Touching on_plane(const Shape& shape, const Quaterniond& attitude = Quaterniond::Identity()) {
  Touching scene{shape, HalfSpace{}, {}, {}};
  scene.state_a.orientation = attitude;
  scene.state_a.position = {0.3, -0.2, 5.0};
  scene.state_a.position.z() -= scene.near().distance;
  return scene;
}

Touching ball_at(const Shape& shape, const Vector3d& point, const Vector3d& outwards) {
  Touching scene{Sphere{0.25}, shape, {}, {}};
  scene.state_a.position = point + 0.25 * outwards.normalized();
  return scene;
}

TEST(ContactPoint, RecognisesWhatTouchesAPlane) {
  EXPECT_TRUE(is<NearestPoints>(on_plane(Sphere{0.5}).closed().at(0)));
  EXPECT_TRUE(is<NearestPoints>(on_plane(Ellipsoid{{1.0, 2.0, 3.0}}).closed().at(0)));

  const std::vector<ContactPoint> face = on_plane(Box{{1.0, 2.0, 3.0}}).closed();
  ASSERT_EQ(face.size(), 4u);
  for (const ContactPoint& contact : face) {
    ASSERT_TRUE(is<PointOnFace>(contact));
    EXPECT_NEAR(std::get<PointOnFace>(contact.feature).point.z(), -3.0, 1e-15);
    EXPECT_EQ(contact.normal, Vector3d::UnitZ());
  }
  const Quaterniond tipped(Eigen::AngleAxisd(0.3, Vector3d::UnitX()));
  EXPECT_EQ(on_plane(Box{{1.0, 2.0, 3.0}}, tipped).closed().size(), 2u);  // an edge
  const Quaterniond askew = tipped * Quaterniond(Eigen::AngleAxisd(0.4, Vector3d::UnitY()));
  const std::vector<ContactPoint> corner = on_plane(Box{{1.0, 2.0, 3.0}}, askew).closed();
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_NEAR((std::get<PointOnFace>(corner[0].feature).point.cwiseAbs() - Vector3d(1.0, 2.0, 3.0)).norm(), 0.0, 1e-12);

  const std::vector<ContactPoint> tilted = on_plane(Cylinder{0.5, 1.0}, askew).closed();
  ASSERT_EQ(tilted.size(), 1u);
  ASSERT_TRUE(is<RimOnFace>(tilted[0]));
  EXPECT_EQ(std::get<RimOnFace>(tilted[0].feature).height, -1.0);
  const Quaterniond lying(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()));
  const std::vector<ContactPoint> side = on_plane(Cylinder{0.5, 1.0}, lying).closed();
  ASSERT_EQ(side.size(), 2u);
  ASSERT_TRUE(is<RimOnFace>(side[0]) && is<RimOnFace>(side[1]));
  EXPECT_EQ(std::get<RimOnFace>(side[0].feature).height * std::get<RimOnFace>(side[1].feature).height, -1.0);
  const std::vector<ContactPoint> standing = on_plane(Cylinder{0.5, 1.0}).closed();
  EXPECT_GT(standing.size(), 2u);
  for (const ContactPoint& contact : standing) EXPECT_TRUE(is<PointOnFace>(contact));
}

TEST(ContactPoint, ADiscThatLiesOnAFaceDoesNotRollWhicheverIsNamedFirst) {
  Touching disc_second{Box{{2.0, 2.0, 1.0}}, Cylinder{0.5, 1.0}, {}, {}};
  disc_second.state_b.position = {0.1, 0.2, 2.0};
  const Touching disc_first{disc_second.b, disc_second.a, disc_second.state_b, disc_second.state_a};
  for (const Touching& scene : {disc_first, disc_second}) {
    const std::vector<ContactPoint> lying = scene.closed();
    EXPECT_GT(lying.size(), 2u);
    // Points of their own: none follows the lowest point of the rim.
    for (const ContactPoint& contact : lying) EXPECT_FALSE(is<RimOnFace>(contact));
  }
}

TEST(ContactPoint, CornersThatMeetAreHeldInPlace) {
  // Corner on corner along z, the cubes standing on their diagonals.
  const Quaterniond diagonal = Quaterniond::FromTwoVectors(Vector3d(1.0, 1.0, 1.0), Vector3d::UnitZ());
  Touching scene{Box{{1.0, 1.0, 1.0}}, Box{{1.0, 1.0, 1.0}}, {}, {}};
  scene.state_a.orientation = scene.state_b.orientation = diagonal;
  scene.state_a.position.z() = 2.0 * std::sqrt(3.0) + 1e-4;
  const ContactPoint contact = scene.closed(1e-3).at(0);
  ASSERT_TRUE(is<NearestPoints>(contact));
  const TouchingPlace place{contact.point_a, contact.point_b, contact.normal};
  const Feature held = held_in_place(contact.feature, scene.placed(), place);
  ASSERT_TRUE(std::holds_alternative<PointOnFace>(held));
  EXPECT_NEAR((std::get<PointOnFace>(held).point - Vector3d(-1.0, -1.0, -1.0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((diagonal * std::get<PointOnFace>(held).normal - contact.normal).norm(), 0.0, 1e-12);

  // What has a feature of its own, and what is round, stays as it is.
  const Touching ball = ball_at(Box{{1.0, 1.0, 1.0}}, {1.0, 0.0, 0.0}, Vector3d::UnitX());
  const ContactPoint on_face = ball.closed().at(0);
  EXPECT_TRUE(std::holds_alternative<BallOnFace>(
      held_in_place(on_face.feature, ball.placed(), {on_face.point_a, on_face.point_b, on_face.normal})));
  const Touching egg = on_plane(Ellipsoid{{1.0, 2.0, 3.0}});
  const ContactPoint round = egg.closed().at(0);
  EXPECT_TRUE(std::holds_alternative<NearestPoints>(
      held_in_place(round.feature, egg.placed(), {round.point_a, round.point_b, round.normal})));
}

TEST(ContactPoint, RecognisesWhereABallTouchesABoxAPrismAndACylinder) {
  const Box box{{1.0, 2.0, 3.0}};
  const auto contact = [](const Touching& scene) { return scene.closed().at(0); };
  EXPECT_TRUE(is<BallOnFace>(contact(ball_at(box, {1.0, 0.5, 0.5}, Vector3d::UnitX()))));
  EXPECT_TRUE(is<BallOnLine>(contact(ball_at(box, {1.0, 2.0, 0.5}, {1.0, 1.0, 0.0}))));
  EXPECT_TRUE(is<BallOnVertex>(contact(ball_at(box, {1.0, 2.0, -3.0}, {1.0, 1.0, -1.0}))));
  const Cylinder cylinder{1.0, 2.0};
  EXPECT_TRUE(is<BallOnLine>(contact(ball_at(cylinder, {0.6, 0.8, 0.3}, {0.6, 0.8, 0.0}))));
  EXPECT_TRUE(is<BallOnFace>(contact(ball_at(cylinder, {0.1, 0.2, 2.0}, Vector3d::UnitZ()))));
  EXPECT_TRUE(is<BallOnRim>(contact(ball_at(cylinder, {0.6, 0.8, 2.0}, {0.6, 0.8, 1.0}))));
  Prism prism;
  prism.vertices = {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(2.0, 0.0), Eigen::Vector2d(0.0, 2.0)};
  prism.half_length = 1.0;
  EXPECT_TRUE(is<BallOnFace>(contact(ball_at(prism, {1.0, 1.0, 0.2}, {1.0, 1.0, 0.0}))));
  EXPECT_TRUE(is<BallOnLine>(contact(ball_at(prism, {2.0, 0.0, 0.2}, {1.0, -0.2, 0.0}))));
  EXPECT_TRUE(is<BallOnLine>(contact(ball_at(prism, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}))));
  EXPECT_TRUE(is<BallOnVertex>(contact(ball_at(prism, {2.0, 0.0, 1.0}, {1.0, -0.2, 1.0}))));
}

/// A random pair of these kinds that touches, and moves.
Touching random_touching(const PairFunction& kinds, Random& random) {
  for (;;) {
    Touching scene{random_shape(kinds.kind_a, random), random_shape(kinds.kind_b, random), {}, {}};
    const bool hollow = kinds.kind_b == ShapeKind::shell || kinds.kind_b == ShapeKind::bore;
    if (hollow) scene.a = Sphere{random.uniform(0.1, 0.8) * size_of(scene.b)};
    if (kinds.kind_b == ShapeKind::bore) scene.a = Sphere{random.uniform(0.1, 0.8) * std::get<Bore>(scene.b).radius};
    const double reach = size_of(scene.a) + size_of(scene.b);
    scene.state_b.position = random_direction(random);
    scene.state_b.orientation = random_rotation(random);
    scene.state_a.position = scene.state_b.position + (hollow ? 0.1 : 2.0) * reach * random_direction(random);
    scene.state_a.orientation = random_rotation(random);
    // Straight on until they touch: the gap is convex along the way (or, inside a hollow, no faster than the way).
    const Vector3d way =
        hollow
            ? random_direction(random)
            : Vector3d((scene.state_b.position - scene.state_a.position).normalized() + 0.3 * random_direction(random))
                  .normalized();
    double gap = scene.near().distance;
    if (gap <= 0.0) continue;
    for (int k = 0; k < 400 && gap > 1e-15; ++k) {
      const double slope = hollow ? 1.0 : -scene.near().normal.dot(way);
      if (slope <= 0.0) break;
      scene.state_a.position += way * (gap / slope);
      gap = scene.near().distance;
    }
    if (std::abs(gap) > 1e-13) continue;
    scene.state_a.velocity = random_direction(random);
    scene.state_a.angular_velocity = 2.0 * random_direction(random);
    scene.state_b.velocity = 0.5 * random_direction(random);
    if (is_solid(kinds.kind_b)) scene.state_b.angular_velocity = 2.0 * random_direction(random);
    return scene;
  }
}

TEST(ContactPoint, AContactThatIsFollowedIsTheNearestPointAfterASmallMotion) {
  Random random(61);
  for (const PairFunction& kinds : all_pairs()) {
    if (!is_solid(kinds.kind_a)) continue;
    for (int k = 0; k < heavy_cases(200); ++k) {
      const Touching scene = random_touching(kinds, random);
      const std::vector<ContactPoint> closed = scene.closed(1e-12);
      if (closed.size() != 1) continue;
      // The way on which they part: the shortest way out of an overlap may be another one.
      const bool parting = gap_rate(closed[0], scene.state_a, scene.state_b) > 0.0;
      const Touching later = scene.moved(parting ? 1e-6 : -1e-6);
      if (!same_feature(closed[0], later.pair(), later.placed())) continue;
      const ContactPoint contact = later.follow(closed[0]);
      const Proximity near = later.near();
      const double size = std::min(size_of(scene.a), size_of(scene.b));
      EXPECT_NEAR(contact.gap, near.distance, 1e-11 * size)
          << shape_name(kinds.kind_a) << " " << shape_name(kinds.kind_b) << " " << k;
      EXPECT_NEAR((contact.point_a - contact.point_b - contact.gap * contact.normal).norm(), 0.0, 1e-13 * (2.0 + size));
    }
  }
}

TEST(ContactPoint, RatesAgreeWithDifferences) {
  Random random(62);
  int known = 0, unknown = 0;
  for (const PairFunction& kinds : all_pairs()) {
    if (!is_solid(kinds.kind_a)) continue;
    for (int k = 0; k < heavy_cases(200); ++k) {
      Touching scene = random_touching(kinds, random);
      // Every other time b does not turn, where more is known.
      if (k % 2 == 0) scene.state_b.angular_velocity.setZero();
      const std::vector<ContactPoint> closed = scene.closed(1e-12);
      if (closed.size() != 1) continue;
      const std::optional<ContactRates> rates =
          contact_rates(closed[0], {scene.a}, scene.state_a, {scene.b}, scene.state_b);
      ++(rates ? known : unknown);
      if (!rates) continue;
      const double h = 1e-5 * std::min(size_of(scene.a), size_of(scene.b));
      const auto slip = [&](const Touching& at) -> Vector3d {
        const ContactPoint contact = at.follow(closed[0]);
        return point_velocity(at.state_a, contact.point_a) - point_velocity(at.state_b, contact.point_b);
      };
      const Touching before = scene.moved(-h), after = scene.moved(h);
      const Vector3d normal_rate = (after.follow(closed[0]).normal - before.follow(closed[0]).normal) / (2.0 * h);
      const Vector3d velocity_rate = (slip(after) - slip(before)) / (2.0 * h);
      // Second-order differences; a flat ellipsoid's point runs fast.
      const double scale = 1.0 + rates->velocity_rate.norm() + rates->normal_rate.norm();
      EXPECT_LT((rates->normal_rate - normal_rate).norm(), 1e-4 * scale)
          << shape_name(kinds.kind_a) << " " << shape_name(kinds.kind_b) << " " << k;
      EXPECT_LT((rates->velocity_rate - velocity_rate).norm(), 1e-4 * scale)
          << shape_name(kinds.kind_a) << " " << shape_name(kinds.kind_b) << " " << k << " feature "
          << closed[0].feature.index();
    }
  }
  EXPECT_LT(unknown, 1e-3 * known);  // points between two kinds of places
}

TEST(ContactPoint, ARimKnowsHowItsPointRuns) {
  Random random(63);
  for (int k = 0; k < heavy_cases(100); ++k) {
    Touching scene = on_plane(Cylinder{random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)}, random_rotation(random));
    scene.state_a.velocity = random_direction(random);
    scene.state_a.angular_velocity = random_direction(random);
    const std::vector<ContactPoint> closed = scene.closed(1e-12);
    if (closed.size() != 1 || !is<RimOnFace>(closed[0])) continue;
    const double tilt = (scene.state_a.orientation * Vector3d::UnitZ()).head<2>().norm();
    const std::optional<ContactRates> rates =
        contact_rates(closed[0], {scene.a}, scene.state_a, {scene.b}, scene.state_b);
    ASSERT_TRUE(rates.has_value());
    const double h = 1e-4 * tilt;
    const auto slip = [&](const Touching& at) -> Vector3d {
      return point_velocity(at.state_a, at.follow(closed[0]).point_a);
    };
    const Vector3d numeric = (slip(scene.moved(h)) - slip(scene.moved(-h))) / (2.0 * h);
    EXPECT_LT((rates->velocity_rate - numeric).norm(), 1e-6 * (1.0 + rates->velocity_rate.norm())) << k;
  }
}

TEST(ContactPoint, ARimKnowsItAllButUpright) {
  // Turning about the vertical with Ω the point goes round with the cylinder, ρ̇ = Ωn × ρ, whatever the tilt. A cosine
  // of 1 − 1e-16 does not tell the tilt of 1.5e-8 any more; the point is found all the same.
  for (const double tilt : {1.0, 1e-3, 1e-6, 1.5e-8, 3e-9}) {
    Touching scene = on_plane(Cylinder{0.5, 0.4}, Quaterniond(Eigen::AngleAxisd(tilt, Vector3d(0.6, 0.8, 0.0))));
    const Vector3d turning(0.0, 0.0, 3.0);
    scene.state_a.angular_velocity = turning;
    ContactPoint contact = scene.closed(1e-12).at(0);
    contact.feature = RimOnFace{.height = -0.4, .radius = 0.5};  // as it goes on when it tips over its face's border
    contact = scene.follow(contact);
    const std::optional<ContactRates> rates =
        contact_rates(contact, {scene.a}, scene.state_a, {scene.b}, scene.state_b);
    ASSERT_TRUE(rates.has_value());
    const Vector3d lever = contact.point_a - scene.state_a.position;
    EXPECT_LT((rates->velocity_rate - turning.cross(turning.cross(lever))).norm(), 1e-14 / tilt + 1e-13) << tilt;
  }
}

TEST(ContactPoint, AFeatureEndsAtItsBorder) {
  // A ball that rolls over the edge of a box.
  const Box box{{1.0, 1.0, 1.0}};
  Touching scene = ball_at(box, {0.9, 0.0, 1.0}, Vector3d::UnitZ());
  const ContactPoint on_face = scene.closed().at(0);
  const auto same = [&] { return same_feature(on_face, scene.pair(), scene.placed()); };
  EXPECT_TRUE(same());
  scene.state_a.position.x() = 1.0 - 1e-9;
  EXPECT_TRUE(same());
  scene.state_a.position.x() = 1.0 + 1e-9;
  EXPECT_FALSE(same());

  // A vertex of a small box that slides off a large one; planes have no border.
  const Quaterniond askew =
      Quaterniond(Eigen::AngleAxisd(0.5, Vector3d::UnitX())) * Quaterniond(Eigen::AngleAxisd(0.6, Vector3d::UnitY()));
  Touching boxes{Box{{0.1, 0.1, 0.1}}, box, {}, {}};
  boxes.state_a.orientation = askew;
  boxes.state_a.position = {0.5, 0.0, 5.0};
  boxes.state_a.position.z() -= boxes.near().distance;
  const ContactPoint vertex = boxes.closed().at(0);
  ASSERT_TRUE(is<PointOnFace>(vertex));
  const double from_edge = 1.0 - vertex.point_a.x();
  boxes.state_a.position.x() += from_edge - 1e-9;
  EXPECT_TRUE(same_feature(vertex, boxes.pair(), boxes.placed()));
  boxes.state_a.position.x() += 2e-9;
  EXPECT_FALSE(same_feature(vertex, boxes.pair(), boxes.placed()));
  boxes.b = HalfSpace{};
  EXPECT_TRUE(same_feature(vertex, boxes.pair(), boxes.placed()));
}

TEST(ContactPoint, HalfACylinderOnItsEndMayLeanOverItsRoundSideByAsMuchAsThereIsRoom) {
  Touching scene{HalfCylinder{0.1, 0.2}, HalfSpace{}, {}, {}};
  scene.state_a.position = {0.0, 0.0, 0.2};
  const std::vector<ContactPoint> points = scene.closed();
  ASSERT_EQ(points.size(), 5u);
  for (const auto& [lean, room, same] : {std::tuple(1e-6, 1e-9, false), {1e-6, 1e-4, true}, {2e-4, 1e-4, false}}) {
    scene.state_a.orientation = Eigen::AngleAxisd(lean, Vector3d::UnitX());
    for (const ContactPoint& point : points) EXPECT_EQ(same_feature(point, scene.pair(), scene.placed(), room), same);
  }
}

TEST(ContactPoint, RowsGiveTheGapRate) {
  Random random(64);
  for (const PairFunction& kinds : all_pairs()) {
    if (!is_solid(kinds.kind_a)) continue;
    const Touching scene = random_touching(kinds, random);
    for (const ContactPoint& contact : scene.closed(1e-12)) {
      const Quaterniond principal = random_rotation(random);  // any frame fixed in the body
      const Vector6d row = velocity_row(scene.state_a.position, principal, contact.point_a, contact.normal);
      Vector6d velocity;
      velocity.head<3>() = scene.state_a.velocity;
      velocity.tail<3>() = principal.conjugate() * scene.state_a.angular_velocity;
      const double other = contact.normal.dot(point_velocity(scene.state_b, contact.point_b));
      EXPECT_NEAR(row.dot(velocity) - other, gap_rate(contact, scene.state_a, scene.state_b), 1e-13 * 30.0);
      // And that is how the gap changes.
      const double h = 1e-6;
      const double change = (scene.moved(h).follow(contact).gap - scene.moved(-h).follow(contact).gap) / (2.0 * h);
      EXPECT_NEAR(change, gap_rate(contact, scene.state_a, scene.state_b), 1e-6)
          << shape_name(kinds.kind_a) << " " << shape_name(kinds.kind_b);
    }
  }
}

TEST(ContactPoint, TangentsMakeAFrameWithTheNormal) {
  Random random(65);
  for (int k = 0; k < heavy_cases(100); ++k) {
    const Vector3d normal = k < 6 ? Vector3d((k < 3 ? 1.0 : -1.0) * Vector3d::Unit(k % 3)) : random_direction(random);
    const std::array<Vector3d, 2> tangents = tangents_of(normal);
    EXPECT_NEAR(tangents[0].norm(), 1.0, 1e-15);
    EXPECT_NEAR(tangents[0].dot(normal), 0.0, 1e-15);
    EXPECT_NEAR((normal.cross(tangents[0]) - tangents[1]).norm(), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace carom::contact
