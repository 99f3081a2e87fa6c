#include "carom/contact/accumulation.h"

#include <gtest/gtest.h>

namespace carom::contact {
namespace {

constexpr double kPull = 10.0;

TEST(Accumulation, OfANumberIsTheGeometricSeries) {
  EXPECT_DOUBLE_EQ(*end_of_bounces(2.0, kPull, 0.5), 2.0 * 2.0 / (kPull * 0.5));
  EXPECT_EQ(end_of_bounces(2.0, kPull, 1.0), std::nullopt);
  EXPECT_EQ(end_of_bounces(2.0, kPull, 0.0), std::nullopt);
}

TEST(Accumulation, BelowTheSpeedOfAPowerLawIsThatOfItsNumber) {
  const Restitution e(PowerRestitution{0.8, 3.0, 0.2});
  EXPECT_EQ(*end_of_bounces(2.0, kPull, e), *end_of_bounces(2.0, kPull, 0.8));
}

TEST(Accumulation, AboveItFlightsAreAddedOneByOne) {
  const Restitution e(PowerRestitution{0.8, 1e-3, 0.2});
  double sum = 0.0;
  for (double rate = 2.0; rate > 1e-18; rate *= e.at(rate)) sum += 2.0 * rate / kPull;
  EXPECT_NEAR(*end_of_bounces(2.0, kPull, e), sum, 1e-14);
}

TEST(Accumulation, NeverEndsWhereSlowBouncesLoseNothing) {
  EXPECT_EQ(end_of_bounces(2.0, kPull, Restitution(RestitutionTable{{0.1, 1.0}, {1.0, 0.5}})), std::nullopt);
  // A hump of elastic speeds holds the bounces up before they are slow.
  EXPECT_EQ(end_of_bounces(2.0, kPull, Restitution(RestitutionTable{{0.1, 1.0, 3.0}, {0.5, 1.0, 1.0}})), std::nullopt);
}

}  // namespace
}  // namespace carom::contact
