/// carom.impacts: many problems under one law, by all processors, without a word of Python for any of them.

#include <fmt/format.h>

#include <algorithm>

#include "batch_arrays.h"
#include "bindings.h"
#include "carom/analysis/shared_work.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/laws/impact/impact_batch.h"
#include "interrupts.h"
#include "laws.h"
#include "outcome.h"
#include "problem_arguments.h"
#include "problem_arrays.h"

namespace carom::python {
namespace {

/// One thread's work on the problems.
class BatchWorker {
 public:
  BatchWorker(const ProblemArrays& problems, const ImpactLaw& law, const OutcomeNumbers& outcomes, bool audited)
      : problems_(problems), law_(law), outcomes_(outcomes), audited_(audited) {
    problems_.write(0, batch_.problem, true);
    alike_ = problems_.vary(batch_);
  }

  /// Problems first … end − 1.
  void solve(std::size_t first, std::size_t end) {
    if (alike_) {
      solve_part(batch_.part(first, end - first), first);
      return;
    }
    batch_.size = 1;  // something varies that a batch has no array for: each problem is a batch of its own
    for (; first < end; ++first) {
      problems_.write(first, batch_.problem, false);
      solve_part(batch_, first);
    }
  }

 private:
  /// The problems of a batch, the first of which has that number among all.
  void solve_part(const ImpactBatch& batch, std::size_t first) {
    const std::ptrdiff_t n = problems_.coordinates(), m = problems_.contacts();
    ImpactBatchResults results;
    if (audited_ || problems_.tangents() > 0) {
      results.outcome = [this, first](std::size_t i, const ImpactOutcome& outcome) { store(outcome, first + i); };
    } else {
      steps_.resize(batch.size);
      stop_.resize(batch.size);
      results.velocity = {outcomes_.velocity + static_cast<std::ptrdiff_t>(first) * n, n};
      results.impulses = {outcomes_.impulses + static_cast<std::ptrdiff_t>(first) * m, m};
      results.rates_after = {outcomes_.rates_after + static_cast<std::ptrdiff_t>(first) * m, m};
      results.energy_before = {outcomes_.energy_before + first, batch.size};
      results.energy_after = {outcomes_.energy_after + first, batch.size};
      results.steps = steps_;
      results.stop = stop_;
    }
    const std::vector<ImpactBatchError> errors = solver_.solve(batch, law_, results);
    if (!errors.empty()) {
      const InputError& error = errors.front().error;
      throw InputError(error.kind(), error.place(),
                       fmt::format("problem {}: {}", first + errors.front().problem, error.what()));
    }
    if (results.outcome) return;
    std::copy(steps_.begin(), steps_.end(), outcomes_.steps + first);
    std::transform(stop_.begin(), stop_.end(), outcomes_.stop + first,
                   [](Stop stop) { return static_cast<std::int8_t>(stop); });
    std::fill_n(outcomes_.flags + first, batch.size, 0);
  }

  void store(const ImpactOutcome& outcome, std::size_t index) {
    const std::size_t n = outcome.velocity.size(), m = outcome.impulses.size();
    std::copy(outcome.velocity.begin(), outcome.velocity.end(), outcomes_.velocity + index * n);
    std::copy(outcome.impulses.begin(), outcome.impulses.end(), outcomes_.impulses + index * m);
    std::copy(outcome.rate_after.begin(), outcome.rate_after.end(), outcomes_.rates_after + index * m);
    if (!outcome.tangential_impulses.empty())
      std::copy(outcome.tangential_impulses.begin(), outcome.tangential_impulses.end(),
                outcomes_.tangential_impulses + index * outcome.tangential_impulses.size());
    outcomes_.energy_before[index] = outcome.energy.before;
    outcomes_.energy_after[index] = outcome.energy.after;
    outcomes_.steps[index] = outcome.steps;
    outcomes_.stop[index] = static_cast<std::int8_t>(outcome.stop);
    outcomes_.flags[index] = audited_ ? outcome.audit.flags.bits() : 0;
  }

  const ProblemArrays& problems_;
  const ImpactLaw& law_;
  const OutcomeNumbers& outcomes_;
  bool audited_, alike_ = false;
  ImpactBatch batch_;
  ImpactBatchSolver solver_;
  std::vector<std::int32_t> steps_;
  std::vector<Stop> stop_;
};

/// Problems of one piece of work: each piece prepares its law anew, so few pieces, but eight for each thread, and none
/// so long that Ctrl-C is not heard.
std::size_t piece_size(const ProblemArrays& problems, std::size_t threads) {
  constexpr std::size_t kLeast = 8192, kMost = 65536;  // numbers of normals
  const auto numbers = static_cast<std::size_t>(problems.coordinates() * std::max(1, problems.contacts()));
  const std::size_t shared_out = problems.count() / (8 * threads) + 1;
  return std::max<std::size_t>(16, std::clamp(shared_out, kLeast / (numbers + 1) + 1, kMost / (numbers + 1) + 1));
}

/// False: interrupted.
bool solve_all(const ProblemArrays& problems, const ImpactLaw& law, const OutcomeNumbers& outcomes, bool audited,
               const Crew& crew) {
  const std::size_t together = piece_size(problems, thread_count(crew));
  const std::size_t pieces = (problems.count() + together - 1) / together;
  return for_each_piece(pieces, crew, [&problems, &law, &outcomes, audited, together]() -> PieceWork {
    auto worker = std::make_shared<BatchWorker>(problems, law, outcomes, audited);
    return [worker, &problems, together](std::size_t piece) {
      worker->solve(piece * together, std::min(problems.count(), (piece + 1) * together));
    };
  });
}

bool is_audited(const std::string& audit) {
  if (audit == "basic") return true;
  if (audit == "none") return false;
  constexpr std::string_view kNames[] = {"basic", "none"};
  throw InputError(Kind::unknown_name, "audit", unknown_name_message("audit", audit, kNames));
}

py::dict impacts(CAROM_PROBLEM_PARAMETERS, const py::object& law, const std::string& audit, int threads) {
  const ProblemArrays problems(CAROM_PROBLEM_VALUES, ProblemArrays::Batch::many);
  const AskedLaw asked = asked_law(law);
  const bool audited = is_audited(audit);
  if (threads < 0) throw InputError(Kind::out_of_range, "threads", "threads must be ≥ 0; 0: one for each processor");
  const OutcomeArrays arrays(problems);
  const OutcomeNumbers outcomes = arrays.numbers();
  {
    const InterruptWatch watch;
    const Crew crew{.threads = asked.in_python() ? 1 : usable_threads(threads),
                    .report = {},
                    .interrupted = &InterruptWatch::interrupted()};
    const FreeInterpreter free;
    if (problems.count() > 0 && !solve_all(problems, *asked.law, outcomes, audited, crew)) watch.raise();
  }
  py::dict result = arrays.by_name();
  result["law"] = std::string(asked.law->name);
  result["audited"] = audited;
  return result;
}

}  // namespace

void bind_batch(py::module_& module) {
  module.def("impacts", &impacts, CAROM_PROBLEM_NAMES, py::arg("law") = py::none(), py::arg("audit") = "basic",
             py::arg("threads") = 0);
  py::list stops;
  for (int stop = 0; stop <= static_cast<int>(kLastStop); ++stop)
    stops.append(std::string(stop_name(static_cast<Stop>(stop))));
  module.attr("stop_names") = py::tuple(stops);
  py::dict flags;
  for (const Flag flag : all_flags()) flags[py::str(std::string(flag_name(flag)))] = static_cast<std::uint32_t>(flag);
  module.attr("flag_bits") = flags;
}

}  // namespace carom::python
