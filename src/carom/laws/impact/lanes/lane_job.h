#pragma once
/// What a batch of impact problems (impact_batch.h) hands to the code of one instruction set. Plain data and no inline
/// functions: this header is compiled with instructions that not every processor has, and nothing from there may be
/// shared with other files.

#include <cstddef>
#include <cstdint>

namespace carom::lanes {

/// Entry k of problem i is data[i·stride + k·step].
struct Input {
  const double* data;
  std::ptrdiff_t stride;  ///< 0: all problems have the same
  std::ptrdiff_t step;
};

struct Output {
  double* data;  ///< null: not wanted
  std::ptrdiff_t stride;
  std::ptrdiff_t step;
};

constexpr int kMostCoordinates = 12;
constexpr int kMostContacts = 3;
/// A problem that takes more steps than this is left to the law itself, which then looks whether there is a way out.
constexpr int kMostSteps = 990;

struct Job {
  std::size_t size;  ///< problems
  int coordinates;   ///< n ≤ kMostCoordinates
  int contacts;      ///< 1 ≤ m ≤ kMostContacts
  double tolerance;  ///< as in ImpactOptions
  double rest;

  bool diagonal;          ///< the metric is
  bool metric_varies;     ///< from problem to problem; lanes with a metric that is not diagonal are left to the solver
  Input metric;           ///< G: n×n entries, row by row
  const double* inverse;  ///< G⁻¹ likewise, where it does not vary

  const double* inertance;  ///< D (m×m) where neither metric nor normals vary; else null

  bool has_offsets;  ///< otherwise all are zero
  Input velocity, normals, offsets, restitution;
  Output velocity_after, impulses;
  std::int32_t* steps;  ///< may be null
  std::int32_t* stop;   ///< the values of Stop; may be null

  /// Whether any of the following is wanted; who wants it solves what was left to solve_one once more at the end.
  bool has_books;
  Output rates_after;                    ///< γ⁺
  double *energy_before, *energy_after;  ///< ½ vᵀG v; may be null

  /// Solves problem i by the law itself: one that is bad, or that lanes are not made for. May be asked twice.
  void (*solve_one)(void* solver, std::size_t i);
  void* solver;
};

/// Law `geometric` (geometric_lanes.h). All of them give the same bits.
void solve_geometric_portable(const Job& job);
#if defined(__x86_64__)
void solve_geometric_avx2(const Job& job);
void solve_geometric_avx512(const Job& job);
#endif

}  // namespace carom::lanes
