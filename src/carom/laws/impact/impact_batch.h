#pragma once
/// Many impact problems of one shape at once: arrays in, arrays out, nothing allocated per problem.
///
///     std::vector<double> velocities = …;                  // 2 for each problem, one problem after the other
///     ImpactBatch batch{.size = count, .problem = corner};  // what is not given by arrays, and the shape
///     batch.velocity = {velocities.data(), 2};
///     ImpactBatchResults results;
///     results.velocity = {after.data(), 2};
///     results.stop = stops;
///     ImpactBatchSolver().solve(batch, impact_law("geometric"), results);
///
/// Every law solves problem after problem as ImpactSolver does, with the same bits. Law `geometric` with up to three
/// smooth contacts, up to twelve coordinates, no persistent constraints and one metric for all (or diagonal ones) goes
/// through the vector registers of the processor (lanes/geometric_lanes.h), where neither flags nor whole outcomes were
/// asked for: its answers agree with those of ImpactSolver to round-off, and have the same bits on every processor and
/// however the problems are shared out.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "carom/base/error.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom {

/// Numbers of many problems in any layout: entry k of problem i is data[i·stride + k·step].
struct BatchInput {
  const double* data = nullptr;  ///< null: all problems have what `ImpactBatch::problem` says
  std::ptrdiff_t stride = 0;     ///< from problem to problem; 0: all have the same
  std::ptrdiff_t step = 1;       ///< from entry to entry
};
struct BatchOutput {
  double* data = nullptr;  ///< null: not wanted
  std::ptrdiff_t stride = 0;
  std::ptrdiff_t step = 1;
};

/// Problems with n coordinates and m contacts.
struct ImpactBatch {
  std::size_t size = 0;
  ImpactProblem problem{};
  BatchInput metric{};       ///< n×n entries, row by row
  BatchInput velocity{};     ///< n
  BatchInput normals{};      ///< m×n, contact by contact
  BatchInput offsets{};      ///< m
  BatchInput restitution{};  ///< m
  BatchInput friction{};     ///< m
  BatchInput stiffness{};    ///< m

  /// Problems first … first + count − 1, for a thread of its own.
  [[nodiscard]] ImpactBatch part(std::size_t first, std::size_t count) const;
};

/// Arrays to be filled; what is empty is not wanted. None may overlap the input.
struct ImpactBatchResults {
  BatchOutput velocity{};             ///< v⁺: n entries
  BatchOutput impulses{};             ///< of the normals: m
  BatchOutput rates_after{};          ///< γ⁺, of the gaps with v⁺: m
  std::span<std::int32_t> steps{};    ///< one for each problem, likewise below
  std::span<Stop> stop{};             ///< `infeasible` where the problem is not well posed
  std::span<double> energy_before{};  ///< ½ v⁻ᵀG v⁻
  std::span<double> energy_after{};   ///< ½ v⁺ᵀG v⁺
  std::span<Flags> flags{};           ///< of the audit
  /// The whole outcome of each problem, where that is wanted; valid during the call.
  std::function<void(std::size_t problem, const ImpactOutcome& outcome)> outcome{};

  [[nodiscard]] ImpactBatchResults part(std::size_t first, std::size_t count) const;
};

/// A problem that is not well posed. Its results are NaN.
struct ImpactBatchError {
  std::size_t problem = 0;
  InputError error;
};

/// One for each thread; it keeps its memory from batch to batch. A copy has memory of its own.
class ImpactBatchSolver {
 public:
  ImpactBatchSolver();
  ImpactBatchSolver(const ImpactBatchSolver& other);
  ImpactBatchSolver& operator=(const ImpactBatchSolver& other);
  ImpactBatchSolver(ImpactBatchSolver&&) noexcept;
  ImpactBatchSolver& operator=(ImpactBatchSolver&&) noexcept;
  ~ImpactBatchSolver();

  /// Solves all problems; returns those that are not well posed, by their number. Throws InputError (size_mismatch)
  /// where the arrays of results have another size than the batch.
  std::vector<ImpactBatchError> solve(const ImpactBatch& batch, const ImpactLaw& law,
                                      const ImpactBatchResults& results);

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace carom
