#include <gtest/gtest.h>

#include <algorithm>

#include "carom/base/error.h"
#include "laws/corner/corner_cases.h"

namespace carom::corner {
namespace {

/// Half a unit of round-off per step in either form, and never less than 5e-14.
double tolerance(const CornerOutcome& outcome) {
  return std::max(5e-14, 1.1e-16 * static_cast<double>(outcome.steps));
}

TEST(CornerForms, WallSpeedsAndVelocityGiveTheSameImpact) {
  CornerCases random(11);
  for (int i = 0; i < 20000; ++i) {
    CornerProblem p = random.problem();
    const CornerOutcome xy = solve(p);
    p.form = Form::xi_eta;
    const CornerOutcome xi_eta = solve(p);
    EXPECT_LE(distance(xy.velocity, xi_eta.velocity), tolerance(xy));
    EXPECT_EQ(xy.steps, xi_eta.steps);
    EXPECT_EQ(xy.stop, xi_eta.stop);
    EXPECT_EQ(xy.zone, xi_eta.zone);
  }
}

TEST(CornerForms, TheDirectionAloneGivesTheElasticImpact) {
  CornerCases random(12);
  for (int i = 0; i < 20000; ++i) {
    CornerProblem p = random.problem();
    p.restitution = 1.0;
    const CornerOutcome xy = solve(p);
    p.form = Form::phi;
    const CornerOutcome phi = solve(p);
    EXPECT_LE(distance(xy.velocity, phi.velocity), tolerance(xy));
    EXPECT_EQ(xy.steps, phi.steps);
    EXPECT_EQ(xy.zone, phi.zone);
  }
}

TEST(CornerForms, NamesReadBack) {
  for (const Form form : {Form::xy, Form::phi, Form::xi_eta}) EXPECT_EQ(form_from_name(form_name(form)), form);
  EXPECT_THROW(form_from_name("polar"), InputError);
}

}  // namespace
}  // namespace carom::corner
