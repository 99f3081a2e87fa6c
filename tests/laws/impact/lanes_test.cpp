/// The code of each instruction set against that without vectors, bit by bit: which one a batch takes is decided by the
/// processor it runs on.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/lanes/lane_job.h"

namespace carom {
namespace {

constexpr std::size_t kProblems = 1009;

/// Disks in corners of their own, in columns, and what lanes have answered. Every tenth corner is narrow.
struct Corners {
  std::vector<double> normals, velocity, restitution, offsets, metric{2.0, 0.0, 0.0, 0.5}, unit{1.0, 0.0, 0.0, 1.0};
  std::vector<double> inverse{0.5, 0.0, 0.0, 2.0};

  Corners() : normals(4 * kProblems), velocity(2 * kProblems), restitution(2 * kProblems), offsets(2 * kProblems) {
    Random random(3);
    for (std::size_t i = 0; i < kProblems; ++i) {
      const double opening = i % 10 == 0 ? random.uniform(0.01, 0.1) : random.uniform(0.1, 1.5);
      const double direction = random.uniform(-1.5, 1.5);
      const double stretch = random.uniform(0.5, 2.0);
      velocity[i] = std::cos(direction);
      velocity[kProblems + i] = std::sin(direction);
      normals[i] = -std::sin(opening);
      normals[kProblems + i] = std::cos(opening);
      normals[2 * kProblems + i] = -stretch * std::sin(opening);
      normals[3 * kProblems + i] = -stretch * std::cos(opening);
      for (std::size_t r = 0; r < 2; ++r) {
        restitution[r * kProblems + i] = random.uniform(0.0, 1.0);
        offsets[r * kProblems + i] = 0.1 * random.uniform(-1.0, 1.0);
      }
    }
  }
};

struct CornerAnswers {
  std::vector<double> velocity = std::vector<double>(2 * kProblems);
  std::vector<double> impulses = std::vector<double>(2 * kProblems);
  std::vector<std::int32_t> steps = std::vector<std::int32_t>(kProblems), stop = steps;
  std::vector<std::size_t> left;  ///< to the law itself
};

struct Layout {
  bool unit_metric, one_restitution, no_offsets, by_problem;  ///< velocities after, one problem after the other
};

CornerAnswers answers_of(void (*kernel)(const lanes::Job&), const Corners& corners, const Layout& layout) {
  constexpr auto kColumn = static_cast<std::ptrdiff_t>(kProblems);
  static const double kShared[2] = {0.9, 0.9};
  CornerAnswers answers;
  lanes::Job job{};
  job.size = kProblems;
  job.coordinates = job.contacts = 2;
  job.tolerance = 1e-13;
  job.rest = 1e-12;
  job.diagonal = true;
  job.metric = {layout.unit_metric ? corners.unit.data() : corners.metric.data(), 0, 1};
  job.inverse = layout.unit_metric ? corners.unit.data() : corners.inverse.data();
  job.has_offsets = !layout.no_offsets;
  job.velocity = {corners.velocity.data(), 1, kColumn};
  job.normals = {corners.normals.data(), 1, kColumn};
  job.offsets = {corners.offsets.data(), 1, kColumn};
  job.restitution =
      layout.one_restitution ? lanes::Input{kShared, 0, 1} : lanes::Input{corners.restitution.data(), 1, kColumn};
  job.velocity_after = {answers.velocity.data(), layout.by_problem ? 2 : 1, layout.by_problem ? 1 : kColumn};
  if (layout.by_problem) job.impulses = {answers.impulses.data(), 1, kColumn};
  job.steps = answers.steps.data();
  job.stop = answers.stop.data();
  job.solver = &answers;
  job.solve_one = [](void* to, std::size_t i) {
    CornerAnswers& all = *static_cast<CornerAnswers*>(to);
    if (all.left.empty() || all.left.back() < i) all.left.push_back(i);
    all.steps[i] = -1;
  };
  kernel(job);
  return answers;
}

void expect_same(const CornerAnswers& expected, const CornerAnswers& answers) {
  EXPECT_EQ(expected.velocity, answers.velocity);
  EXPECT_EQ(expected.impulses, answers.impulses);
  EXPECT_EQ(expected.steps, answers.steps);
  EXPECT_EQ(expected.stop, answers.stop);
  EXPECT_EQ(expected.left, answers.left);
}

TEST(Lanes, EveryInstructionSetHasTheSameBits) {
  const Corners corners;
  for (const Layout& layout :
       {Layout{true, true, true, false}, Layout{true, true, true, true}, Layout{true, false, true, true},
        Layout{false, true, true, false}, Layout{false, false, false, false}, Layout{true, true, false, true}}) {
    const CornerAnswers expected = answers_of(&lanes::solve_geometric_portable, corners, layout);
    EXPECT_LT(expected.left.size(), kProblems / 10) << "lanes leave nearly nothing to the law";
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
      expect_same(expected, answers_of(&lanes::solve_geometric_avx2, corners, layout));
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0)
      expect_same(expected, answers_of(&lanes::solve_geometric_avx512, corners, layout));
#endif
  }
}

}  // namespace
}  // namespace carom
