/// The chapter on smooth contact with fewer cases than the report, item by item.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "carom/base/error.h"
#include "reproduce/chapters/smooth_contact/latch.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce {
namespace {

using smooth::Cases;

constexpr Cases kFew{.drops = 8,
                     .releases = 3,
                     .ball_duration = 0.5,
                     .race_duration = 0.42,
                     .break_duration = 0.4,
                     .random_racks = 1,
                     .cradle_duration = 5.0};

/// The items with a verdict, by place and paper's value.
std::set<std::string> with_verdict(const Section& section, Verdict verdict) {
  std::set<std::string> found;
  for (const Item& item : section.items)
    if (item.verdict == verdict) found.insert(item.where + ": " + item.paper);
  return found;
}

void expect_explained(const Section& section) {
  EXPECT_FALSE(section.heading.empty());
  EXPECT_FALSE(section.items.empty());
  for (const Item& item : section.items) {
    SCOPED_TRACE(item.where + ": " + item.claim);
    EXPECT_FALSE(item.where.empty());
    EXPECT_FALSE(item.claim.empty());
    EXPECT_FALSE(item.paper.empty());
    EXPECT_FALSE(item.ours.empty());
    EXPECT_TRUE(item.verdict == Verdict::reproduced || !item.note.empty());
    EXPECT_TRUE(item.verdict != Verdict::reproduced || item.difference.value_or(0.0) <= item.tolerance);
  }
  for (const Figure& figure : section.figures) {
    SCOPED_TRACE(figure.name);
    EXPECT_FALSE(figure.caption.empty());
    for (const Panel& panel : figure.picture.panels) {
      EXPECT_FALSE(panel.curves.empty());
      for (const Curve& curve : panel.curves) {
        EXPECT_GT(curve.x.size(), 2u) << curve.label;
        EXPECT_EQ(curve.x.size(), curve.y.size()) << curve.label;
      }
    }
  }
}

const Item& item_at(const Section& section, const std::string& where, const std::string& paper) {
  const auto found = std::find_if(section.items.begin(), section.items.end(), [&where, &paper](const Item& item) {
    return item.where == where && item.paper == paper;
  });
  if (found == section.items.end()) throw std::logic_error("no item at " + where);
  return *found;
}

TEST(SmoothContactChapter, ForceLawsGiveTheRestitutionOfTheClosedForm) {
  const Section section = smooth::contact_forces();
  expect_explained(section);
  EXPECT_EQ(with_verdict(section, Verdict::differs),
            (std::set<std::string>{"eq. (10), Table 2, ball–ball: 0.93", "eq. (10), Table 2, ball–cushion: 0.85",
                                   "eq. (10), Fig. 7: 0.7", "eq. (11): 0.7"}));
  EXPECT_EQ(with_verdict(section, Verdict::not_reproducible), std::set<std::string>{});
  // Effective restitutions computed with 40 digits, less the nominal ones.
  const auto difference = [&section](const char* where, const char* paper) {
    return item_at(section, where, paper).difference.value();
  };
  EXPECT_NEAR(difference("eq. (10), Table 2, ball–ball", "0.93"), 0.936698934408347 - 0.93, 1e-12);
  EXPECT_NEAR(difference("eq. (10), Table 2, ball–cushion", "0.85"), 0.877974839997949 - 0.85, 1e-12);
  EXPECT_NEAR(difference("eq. (10), Table 2, ball–cushion", "0.98"), 0.980583696402296 - 0.98, 1e-12);
  EXPECT_NEAR(difference("eq. (10), Fig. 7", "0.7"), 0.795972595365329 - 0.7, 1e-12);
  EXPECT_NEAR(difference("eq. (11)", "0.7"), 0.7 - 0.683184199730684, 1e-12);
}

TEST(SmoothContactChapter, BouncingBallGainsUnderOneIntegratorAndCollapsesWithItsApproachSpeedTakenInAStage) {
  const Section section = smooth::bouncing_ball(kFew);
  expect_explained(section);
  EXPECT_EQ(with_verdict(section, Verdict::differs), std::set<std::string>{});
  EXPECT_EQ(with_verdict(section, Verdict::not_reproducible), std::set<std::string>{});
  EXPECT_EQ(section.figures.size(), 2u);
}

TEST(SmoothContactChapter, BearingShowsItsOrbitAndItsDents) {
  const Section section = smooth::ball_bearing(kFew);
  expect_explained(section);
  EXPECT_EQ(with_verdict(section, Verdict::differs), std::set<std::string>{});
  EXPECT_EQ(with_verdict(section, Verdict::corrected), (std::set<std::string>{"Table 1: 31.438 (mean diameter)"}));
  EXPECT_EQ(with_verdict(section, Verdict::not_reproducible), (std::set<std::string>{"Fig. 8: between 0 and 30 Hz"}));
}

TEST(SmoothContactChapter, TheMeanDiameterOfTableOneIsNotThePitch) {
  // The inner race turns once per second, the outer is fixed. The ball touches them at radii (D ∓ d)/2 without slip, so
  // its centre moves at half the speed of the inner race's surface; the balls pass by as the cage turns against a race.
  const auto passing = [](double pitch, double ball) {
    const double cage = 0.5 * (0.5 * (pitch - ball)) / (0.5 * pitch);
    return std::pair(8.0 * cage, 8.0 * (1.0 - cage));
  };
  // The maker's frequencies of the ER-10K, given to three decimals.
  constexpr double kOuter = 3.052;
  constexpr double kInner = 4.948;
  const auto printed = passing(31.438, 7.938);
  EXPECT_GT(std::abs(printed.first - kOuter), 0.05);
  EXPECT_GT(std::abs(printed.second - kInner), 0.05);
  const auto corrected = passing(1.319 * 25.4, 0.3125 * 25.4);
  EXPECT_NEAR(corrected.first, kOuter, 5e-4);
  EXPECT_NEAR(corrected.second, kInner, 5e-4);
  EXPECT_NEAR(31.438, 0.5 * (15.875 + 47.0), 6e-4);
}

TEST(SmoothContactChapter, PoolBreaksDependOnTheGap) {
  const Section section = smooth::pool_table(kFew);
  expect_explained(section);
  std::set<std::string> differing = with_verdict(section, Verdict::differs);
  // What random gaps do depends on the rack, and here are fewer than in the report.
  differing.erase("Fig. 12, random gaps: hardly move in Z, unlike with even gaps");
  EXPECT_EQ(differing, (std::set<std::string>{"Fig. 12, cue ball: the smaller α, the higher",
                                              "Fig. 12, yellow ball: the smaller α, the higher"}));
  EXPECT_EQ(with_verdict(section, Verdict::not_reproducible),
            (std::set<std::string>{"Fig. 12: curves", "Section 4, end: 15500 s", "Section 4, end: 7700 s",
                                   "Section 4, end: 1730 s", "Section 4, end: 440 s",
                                   "Section 4, end: 9.0, 17.5 of the run time"}));
  // Energies found by an independent program (naive integration of the plane break), to its three digits.
  const std::string& kept = item_at(section, "Section 4, on Fig. 12", "α has a decisive impact on the results").ours;
  EXPECT_EQ(kept.substr(0, 33), "0.722, 0.641, 0.487, 0.358, 0.369");
}

TEST(SmoothContactChapter, CradleKeepsItsStringsByStabilisedMethodsOnly) {
  const Section section = smooth::newtons_cradle(kFew);
  expect_explained(section);
  EXPECT_EQ(with_verdict(section, Verdict::differs),
            (std::set<std::string>{"Fig. 14, ode113 at default tolerances: gains too"}));
  EXPECT_EQ(with_verdict(section, Verdict::not_reproducible),
            (std::set<std::string>{"Fig. 14, standard Lagrange multipliers: fails"}));
}

TEST(LatchedDrop, ReboundsByTheLawWhereTheTolerancesAreTight) {
  const smooth::LatchedDrop drop = smooth::latched_drop({.drop = 0.03, .tolerance = 1e-12, .duration = 0.2}, "adams");
  EXPECT_FALSE(drop.collapsed);
  double top = 0.0;
  bool fell = false;
  for (const double height : drop.height) {
    fell = fell || height < 1e-3;
    if (fell) top = std::max(top, height);
  }
  const double e = 0.795972595365329;
  // Points are a millisecond apart, 1 µm from the top at most; the ball sinks in by 6e-4 of its drop.
  EXPECT_NEAR(top, e * e * 0.03, 3e-5);
}

TEST(LatchedDrop, CollapsesWhereTheApproachSpeedIsTakenFromAStageThatMovesUp) {
  EXPECT_TRUE(
      smooth::latched_drop({.drop = 0.03, .tolerance = 1e-8, .least_approach = 1e-6}, "dormand-prince").collapsed);
}

TEST(SmoothContactScenes, ASettingThatIsNoneIsAnError) {
  EXPECT_THROW(smooth::run_scene("format = 1\n[run]\nengine = \"smooth\"\nduration = 1.0\n", {"run.nonsense=1"}),
               InputError);
}

}  // namespace
}  // namespace carom::reproduce
