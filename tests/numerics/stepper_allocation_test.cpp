/// A started stepper does not allocate: counted by replacing operator new in this program.
#include <gtest/gtest.h>

#include "numerics/stepper_problems.h"
#include "support/counted_allocations.h"

namespace carom {
namespace {

using test::allocations;

TEST(StepperAllocation, StepsAndStartsOfTheSameSizeOrLessTakeNoMemory) {
  test::FunctionSystem large = test::general();
  test::FunctionSystem small = test::oscillator();
  const std::vector<double> scale(6, 1e-8);
  const std::vector<double> small_start{1.0, 0.0};
  for (const Integrator& one : integrators()) {
    const auto stepper = make_stepper(one.name, {.step = 0.01});
    stepper->start(large, 0.0, test::kGeneralStart, scale);
    const long before = allocations;
    for (int i = 0; i < 200; ++i) {
      if (i == 100) stepper->start(small, 0.0, small_start, std::span(scale).first(2));
      if (i == 150) stepper->start(large, 0.0, test::kGeneralStart, scale);
      if (stepper->attempt(stepper->proposed_step()) > 1.0) continue;
      stepper->replace_trial(std::span(stepper->trial_y()));
      stepper->accept();
    }
    EXPECT_EQ(allocations - before, 0) << one.name;
  }
}

}  // namespace
}  // namespace carom
