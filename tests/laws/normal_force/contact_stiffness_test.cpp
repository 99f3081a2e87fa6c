#include "carom/laws/normal_force/contact_stiffness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/numerics/elliptic.h"
#include "support/property_cases.h"

namespace carom {
namespace {

constexpr ElasticMaterial kPool{5.84e9, 0.34};
constexpr ElasticMaterial kSteel{207e9, 0.3};

double stiffness(double radius_x, double radius_y, double modulus) {
  return hertz_stiffness({1.0 / radius_y, 1.0 / radius_x}, modulus, "the bodies");
}

TEST(ContactStiffness, SpheresAgreeWithReferenceValues) {
  const double pool = effective_modulus(kPool, kPool), steel = effective_modulus(kSteel, kSteel);
  const auto expect = [](double value, double expected) { EXPECT_NEAR(value / expected, 1.0, 1e-14) << expected; };
  expect(stiffness(0.028575 / 2, 0.028575 / 2, pool), 526200160.0575186);
  expect(stiffness(0.028575, 0.028575, pool), 744159402.8762362);
  expect(stiffness(0.01, 0.01, steel), 15164835164.835165);
  expect(stiffness(0.02, 0.02, steel), 21446315561.26232);
  const double inside = 0.02 * -0.05 / (0.02 - 0.05);
  expect(stiffness(inside, inside, steel), 27687074335.42598);
}

TEST(ContactStiffness, EllipticalContactsAgreeWithReferenceValues) {
  struct Row {
    const char* name;
    double radius_x, radius_y, stiffness, ratio;
  };
  constexpr Row kRows[] = {
      {"steel sphere .01 inside cylinder .05", 0.01, 0.0125, 16051491897.01113, 1.1603574976990294},
      {"steel sphere .01 outside cylinder .05", 0.008333333333333333, 0.01, 14499165369.173689, 1.1292221410146064},
      {"steel sphere .01 inside cylinder .0105 (conforming)", 0.01, 0.21, 38624555120.5117, 7.139607199028472},
      {"steel sphere .01 outside cylinder .01", 0.005, 0.01, 12879490589.423088, 1.585802119702555},
      {"ER10K ball/inner groove f=.52 (assumed)", 0.0030284661675511752, 0.1031875, 25295945777.373657,
       9.587393138177745},
      {"ER10K ball/outer groove f=.52 (assumed)", 0.004909033832448825, 0.1031875, 27071188392.23365,
       7.143765501338976},
  };
  const double steel = effective_modulus(kSteel, kSteel);
  for (const Row& row : kRows) {
    EXPECT_NEAR(stiffness(row.radius_x, row.radius_y, steel) / row.stiffness, 1.0, 1e-13) << row.name;
    EXPECT_NEAR(contact_ellipse({1.0 / row.radius_y, 1.0 / row.radius_x}).ratio / row.ratio, 1.0, 1e-13) << row.name;
  }
}

TEST(ContactStiffness, ShapesInContactGiveTheSame) {
  // A ball of 10 mm inside a bore of 10.5 mm, by the curvatures of the shapes.
  const Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
  const auto ball = local_curvature(Sphere{0.01}, 0.01 * normal);
  const auto bore = local_curvature(Bore{0.0105, 0.1}, 0.0105 * normal);
  const double k = hertz_stiffness(relative_curvatures(*ball, *bore, normal), effective_modulus(kSteel, kSteel), "it");
  EXPECT_NEAR(k / 38624555120.5117, 1.0, 1e-13);
}

TEST(ContactStiffness, TheEllipseSolvesItsEquation) {
  // R_y/R_x = (k²E − K)/(K − E) from k = 1 + 1e-3 to 1e6; E and K here from K and Carlson's R_J apart from the ratio.
  Random random(3);
  for (int i = 0; i < test::property_cases(500); ++i) {
    const double ratio = std::exp(random.uniform(1e-3, 18.0));  // R_y/R_x
    const ContactEllipse ellipse = contact_ellipse({1.0, ratio});
    const double k2 = ellipse.ratio * ellipse.ratio;
    const double found = (k2 * ellipse.second_kind - ellipse.first_kind) / (ellipse.first_kind - ellipse.second_kind);
    // The differences lose digits as k → 1: about ε/(k − 1).
    EXPECT_NEAR(found / ratio, 1.0, 1e-14 + 2e-15 / (ellipse.ratio - 1.0)) << ratio;
  }
}

TEST(ContactStiffness, GoesOverIntoTheCircleSmoothly) {
  // K depends on ln(R_y/R_x) = 2t at fixed mean curvature as 1 + a t² + …: even, so the quotient stays bounded.
  const double modulus = 1.0;
  const double circle = stiffness(1.0, 1.0, modulus);
  EXPECT_NEAR(circle, 2.0 / 3.0, 1e-15);
  double previous = 0.0;
  for (const double t : {0.1, 0.05, 0.025}) {
    const double change = (stiffness(std::exp(-t), std::exp(t), modulus) / circle - 1.0) / (t * t);
    if (previous != 0.0) {
      EXPECT_NEAR(change, previous, 0.01 * std::abs(previous)) << t;
    }
    previous = change;
  }
  for (const double t : {1e-4, 1e-8, 1e-12, 1e-16})
    EXPECT_NEAR(stiffness(std::exp(-t), std::exp(t), modulus), circle, 2e-15 + t * t) << t;
}

TEST(ContactStiffness, ARigidBodyLeavesTheComplianceOfTheOther) {
  const ElasticMaterial rigid{std::numeric_limits<double>::infinity(), 0.3};
  EXPECT_DOUBLE_EQ(effective_modulus(kSteel, rigid), 2.0 * effective_modulus(kSteel, kSteel));
}

TEST(ContactStiffness, LinesAndFacesAreRefusedByName) {
  for (const double smaller : {0.0, -1.0}) {
    try {
      hertz_stiffness({smaller, 2.0}, 1.0, "'rod' and 'floor'");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::unsupported);
      EXPECT_NE(std::string(error.what()).find("'rod' and 'floor'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace carom
