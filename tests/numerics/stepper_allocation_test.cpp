/// A started stepper does not allocate: counted by replacing operator new in this program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "numerics/stepper_problems.h"

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // both operators are replaced below
#endif

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace carom {
namespace {

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
