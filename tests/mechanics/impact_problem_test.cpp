/// Every refusal of the theory page's section 3, with its kind and its field.

#include "carom/mechanics/impact_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "carom/base/error.h"
#include "carom/mechanics/contact_space.h"
#include "support/chain.h"

namespace carom::impact_problem_test {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

struct Refusal {
  const char* what;
  std::function<void(ImpactProblem&)> spoil;
  Kind kind;
  const char* field;
};

TEST(ImpactProblem, RefusesEachBadInputWithItsKindAndField) {
  const Refusal refusals[] = {
      {"asymmetric metric", [](ImpactProblem& p) { p.metric(0, 1) = 0.1; }, Kind::metric_not_symmetric, "metric.0.1"},
      {"asymmetry just above 1e-12", [](ImpactProblem& p) { p.metric(2, 0) = 2e-12; }, Kind::metric_not_symmetric,
       "metric.0.2"},
      {"indefinite metric",
       [](ImpactProblem& p) {
         p.metric(0, 1) = 2.0;
         p.metric(1, 0) = 2.0;
       },
       Kind::metric_not_positive_definite, "metric"},
      {"singular metric", [](ImpactProblem& p) { p.metric.setOnes(); }, Kind::metric_not_positive_definite, "metric"},
      {"negative metric", [](ImpactProblem& p) { p.metric *= -1.0; }, Kind::metric_not_positive_definite, "metric"},
      {"metric of another size", [](ImpactProblem& p) { p.metric = Matrix::Identity(2, 2); }, Kind::size_mismatch,
       "metric"},
      {"no velocity", [](ImpactProblem& p) { p.velocity = Vector(); }, Kind::size_mismatch, "velocity"},
      {"normal of another size", [](ImpactProblem& p) { p.contacts[1].normal = Vector::Ones(2); }, Kind::size_mismatch,
       "contacts.1.normal"},
      {"tangent of another size", [](ImpactProblem& p) { p.contacts[0].tangents = Matrix::Ones(1, 2); },
       Kind::size_mismatch, "contacts.0.tangents.0"},
      {"persistent row of another size", [](ImpactProblem& p) { p.persistent = Matrix::Ones(1, 2); },
       Kind::size_mismatch, "persistent.0"},
      {"NaN in the metric", [](ImpactProblem& p) { p.metric(1, 1) = kNan; }, Kind::not_finite, "metric.1.1"},
      {"infinite velocity", [](ImpactProblem& p) { p.velocity[2] = kInfinity; }, Kind::not_finite, "velocity.2"},
      {"NaN in a normal", [](ImpactProblem& p) { p.contacts[0].normal[1] = kNan; }, Kind::not_finite,
       "contacts.0.normal.1"},
      {"NaN offset", [](ImpactProblem& p) { p.contacts[1].offset = kNan; }, Kind::not_finite, "contacts.1.offset"},
      {"NaN restitution", [](ImpactProblem& p) { p.restitution = kNan; }, Kind::not_finite, "restitution"},
      {"restitution above 1", [](ImpactProblem& p) { p.restitution = 1.2; }, Kind::out_of_range, "restitution"},
      {"restitution below 0", [](ImpactProblem& p) { p.contacts[1].restitution = -0.1; }, Kind::out_of_range,
       "contacts.1.restitution"},
      {"tangential restitution below −1", [](ImpactProblem& p) { p.contacts[0].tangential_restitution = -1.5; },
       Kind::out_of_range, "contacts.0.tangential_restitution"},
      {"no stiffness", [](ImpactProblem& p) { p.contacts[0].stiffness = 0.0; }, Kind::out_of_range,
       "contacts.0.stiffness"},
      {"zero normal", [](ImpactProblem& p) { p.contacts[1].normal.setZero(); }, Kind::zero_normal, "contacts.1.normal"},
      {"zero tangent", [](ImpactProblem& p) { p.contacts[0].tangents = Matrix::Zero(1, 3); }, Kind::zero_normal,
       "contacts.0.tangents.0"},
      {"violated constraint",
       [](ImpactProblem& p) {
         p.persistent = Matrix{{1.0, 0.0, 0.0}};
       },
       Kind::constraint_violated, "persistent.0"},
      {"support that is not there", [](ImpactProblem& p) { p.supports = {0}; }, Kind::out_of_range, "supports.0"},
      {"negative tolerance", [](ImpactProblem& p) { p.options.tolerance = -1.0; }, Kind::out_of_range,
       "options.tolerance"},
      {"negative step limit", [](ImpactProblem& p) { p.options.max_steps = -1; }, Kind::out_of_range,
       "options.max_steps"},
      {"offsets without tangents", [](ImpactProblem& p) { p.contacts[0].tangent_offsets = Vector::Ones(1); },
       Kind::size_mismatch, "contacts.0.tangent_offsets"},
  };
  for (const Refusal& refusal : refusals) {
    ImpactProblem problem = test::touching_chain(3, 0.5);
    refusal.spoil(problem);
    ContactSpace space;
    try {
      space.prepare(problem);
      ADD_FAILURE() << refusal.what << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(kind_name(error.kind()), kind_name(refusal.kind)) << refusal.what << ": " << error.what();
      EXPECT_EQ(error.place().field, refusal.field) << refusal.what;
      const std::string message = error.what();
      EXPECT_NE(message.find(std::string(refusal.field).substr(0, 6)), std::string::npos) << message;
    }
  }
}

TEST(ImpactProblem, AcceptsWhatIsWithinRoundOff) {
  ImpactProblem problem = test::touching_chain(3, 0.5);
  problem.metric(0, 1) = 5e-13;  // asymmetric by less than 1e-12
  problem.persistent = Matrix{{0.0, 0.0, 1.0}};
  problem.velocity[2] = 5e-10;  // A v = 5e-10, relative to ‖v‖ = 1
  ContactSpace space;
  EXPECT_NO_THROW(space.prepare(problem));
}

TEST(ImpactProblem, AcceptsAMetricOfVeryDifferentInertias) {
  ImpactProblem problem = test::touching_chain(3, 0.5);
  problem.metric = Vector{{1e8, 1.0, 1e-8}}.asDiagonal();
  ContactSpace space;
  EXPECT_NO_THROW(space.prepare(problem));
}

}  // namespace
}  // namespace carom::impact_problem_test
