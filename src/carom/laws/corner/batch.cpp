#include "carom/laws/corner/batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/corner/batch_job.h"
#include "carom/laws/corner/iteration.h"

namespace carom::corner {
namespace {

/// Throws unless `value` is finite and `in_range`; the field is named as in `slope.17`.
void require(bool in_range, const char* name, std::size_t i, double value) {
  if (in_range && std::isfinite(value)) return;
  const std::string field = std::string(name) + "." + std::to_string(i);
  if (!std::isfinite(value)) {
    throw InputError(Kind::not_finite, field, field + " is " + format_number(value) + ", not a finite number");
  }
  const bool slope = std::string_view(name) == "slope";
  throw InputError(Kind::out_of_range, field,
                   field + " = " + format_number(value) +
                       (slope ? " is not the tangent of an angle between 0 and pi/2" : " is not between 0 and 1"));
}

/// One problem, checked, by the scalar algorithm.
void solve_one(const BatchJob& job, std::size_t i) {
  const double e = job.restitution[i];
  const double k = job.slope[i];
  const Velocity v{job.x[i], job.y[i]};
  const std::size_t index = job.offset + i;
  require(e >= 0.0 && e <= 1.0, "restitution", index, e);
  require(k > 0.0 && k <= kMaxSlope, "slope", index, k);
  require(true, "x", index, v.x);
  require(true, "y", index, v.y);
  if (!std::isfinite(std::hypot(v.x, v.y))) {
    const std::string field = "x." + std::to_string(index);
    throw InputError(Kind::not_finite, field, field + ": the norm of the velocity is beyond the largest double");
  }
  const SlopeOutcome out = iterate({k, e, v, {job.approach, job.rest, job.max_steps}});
  job.out_x[i] = out.velocity.x;
  job.out_y[i] = out.velocity.y;
  job.steps[i] = static_cast<std::int32_t>(out.steps);
  job.stop[i] = static_cast<std::uint8_t>(out.stop);
}

void check_thresholds(const Thresholds& thresholds) {
  CornerProblem problem;
  problem.alpha = 1.0;
  problem.thresholds = thresholds;
  check(problem);
  if (thresholds.max_steps > std::numeric_limits<std::int32_t>::max()) {
    throw InputError(Kind::out_of_range, "max_steps",
                     "max_steps = " + std::to_string(thresholds.max_steps) + " is above 2147483647");
  }
}

void check_sizes(const BatchInput& input, const BatchOutput& output) {
  const std::size_t n = input.x.size();
  const auto same = [n](std::size_t size, const char* name) {
    if (size == n) return;
    throw InputError(Kind::size_mismatch, name,
                     std::string(name) + " has " + std::to_string(size) + " entries, x has " + std::to_string(n));
  };
  same(input.restitution.size(), "restitution");
  same(input.slope.size(), "slope");
  same(input.y.size(), "y");
  same(output.x.size(), "output.x");
  same(output.y.size(), "output.y");
  same(output.steps.size(), "output.steps");
  same(output.stop.size(), "output.stop");
}

Path best_path() {
  if (available(Path::avx512)) return Path::avx512;
  return available(Path::avx2) ? Path::avx2 : Path::portable;
}

void run(const BatchJob& job, Path path) {
  switch (path) {
#if defined(__x86_64__)
    case Path::avx512: return solve_avx512(job);
    case Path::avx2: return solve_avx2(job);
#endif
    default: return solve_portable(job);
  }
}

}  // namespace

void solve_portable(const BatchJob& job) {
  for (std::size_t i = 0; i < job.size; ++i) solve_one(job, i);
}

std::string_view path_name(Path path) {
  switch (path) {
    case Path::automatic: return "automatic";
    case Path::portable: return "portable";
    case Path::avx2: return "avx2";
    case Path::avx512: break;
  }
  return "avx512";
}

bool available(Path path) {
  if (path == Path::automatic || path == Path::portable) return true;
#if defined(__x86_64__)
  if (path == Path::avx2) return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

void solve_batch(const BatchInput& input, const BatchOutput& output, const Thresholds& thresholds, Path path) {
  check_sizes(input, output);
  check_thresholds(thresholds);
  if (!available(path)) {
    throw InputError(Kind::unsupported, "path",
                     "path " + std::string(path_name(path)) + " is not available on this processor");
  }
  if (path == Path::automatic) path = best_path();
  const bool usual = thresholds.rest >= kLeastRest && thresholds.rest <= kMostRest &&
                     thresholds.approach <= kMostApproach && thresholds.max_steps >= kLeastLimit;
  if (!usual) path = Path::portable;
  for (std::size_t first = 0; first < input.x.size(); first += kMostProblems) {
    BatchJob job{};
    job.size = std::min(input.x.size() - first, kMostProblems);
    job.offset = first;
    job.restitution = input.restitution.data() + first;
    job.slope = input.slope.data() + first;
    job.x = input.x.data() + first;
    job.y = input.y.data() + first;
    job.out_x = output.x.data() + first;
    job.out_y = output.y.data() + first;
    job.steps = output.steps.data() + first;
    static_assert(sizeof(Stop) == 1);
    job.stop = reinterpret_cast<std::uint8_t*>(output.stop.data()) + first;
    job.approach = thresholds.approach;
    job.rest = thresholds.rest;
    job.max_steps = thresholds.max_steps;
    job.solve_one = solve_one;
    run(job, path);
  }
}

}  // namespace carom::corner
