/// carom.impacts: many problems under one law, by all processors, without a word of Python for any of them.

#include <fmt/format.h>

#include <atomic>

#include "bindings.h"
#include "carom/analysis/shared_work.h"
#include "carom/base/error.h"
#include "carom/laws/impact/impact_solver.h"
#include "interrupts.h"
#include "laws.h"
#include "outcome.h"
#include "problem_arguments.h"
#include "problem_arrays.h"

namespace carom::python {
namespace {

/// Where the numbers of all outcomes go.
struct OutcomeArrays {
  double* velocity = nullptr;             ///< (problems, n)
  double* impulses = nullptr;             ///< (problems, m)
  double* tangential_impulses = nullptr;  ///< (problems, m, t)
  double* rates_after = nullptr;          ///< (problems, m)
  double* energy_before = nullptr;        ///< (problems,)
  double* energy_after = nullptr;
  std::int64_t* steps = nullptr;
  std::int8_t* stop = nullptr;
  std::uint32_t* flags = nullptr;
};

void store(const ImpactOutcome& outcome, std::size_t index, const OutcomeArrays& arrays) {
  const std::size_t n = outcome.velocity.size(), m = outcome.impulses.size();
  std::copy(outcome.velocity.begin(), outcome.velocity.end(), arrays.velocity + index * n);
  std::copy(outcome.impulses.begin(), outcome.impulses.end(), arrays.impulses + index * m);
  std::copy(outcome.rate_after.begin(), outcome.rate_after.end(), arrays.rates_after + index * m);
  if (!outcome.tangential_impulses.empty())
    std::copy(outcome.tangential_impulses.begin(), outcome.tangential_impulses.end(),
              arrays.tangential_impulses + index * outcome.tangential_impulses.size());
  arrays.energy_before[index] = outcome.energy.before;
  arrays.energy_after[index] = outcome.energy.after;
  arrays.steps[index] = outcome.steps;
  arrays.stop[index] = static_cast<std::int8_t>(outcome.stop);
  arrays.flags[index] = outcome.audit.flags.bits();
}

/// Solves all problems; the one place to change for a faster way of small problems. False: interrupted.
bool solve_all(const ProblemArrays& problems, const ImpactLaw& law, const OutcomeArrays& outcomes, const Crew& crew) {
  constexpr std::size_t kTogether = 256;  // problems of one piece of work
  const std::size_t pieces = (problems.count() + kTogether - 1) / kTogether;
  return for_each_piece(pieces, crew, [&problems, &law, &outcomes]() -> PieceWork {
    struct Memory {
      ImpactSolver solver;
      ImpactProblem problem;
      ImpactOutcome outcome;
      bool is_new = true;
    };
    return [&problems, &law, &outcomes, memory = std::make_shared<Memory>()](std::size_t piece) {
      const std::size_t end = std::min(problems.count(), (piece + 1) * kTogether);
      for (std::size_t index = piece * kTogether; index < end; ++index) {
        problems.write(index, memory->problem, memory->is_new);
        memory->is_new = false;
        try {
          memory->solver.solve(memory->problem, law, memory->outcome);
        } catch (const InputError& error) {
          throw InputError(error.kind(), error.place(), fmt::format("problem {}: {}", index, error.what()));
        }
        store(memory->outcome, index, outcomes);
      }
    };
  });
}

py::dict impacts(CAROM_PROBLEM_PARAMETERS, const py::object& law, int threads) {
  const ProblemArrays problems(CAROM_PROBLEM_VALUES, ProblemArrays::Batch::many);
  const AskedLaw asked = asked_law(law);
  if (threads < 0) throw InputError(Kind::out_of_range, "threads", "threads must be ≥ 0; 0: one for each processor");
  const auto count = static_cast<py::ssize_t>(problems.count());
  const py::ssize_t n = problems.coordinates(), m = problems.contacts(), t = problems.tangents();
  py::array_t<double> velocity_after({count, n}), impulses({count, m}), tangential({count, m, t}), rates({count, m}),
      before(count), after(count);
  py::array_t<std::int64_t> steps(count);
  py::array_t<std::int8_t> stop(count);
  py::array_t<std::uint32_t> flags(count);
  std::fill_n(tangential.mutable_data(), static_cast<std::size_t>(tangential.size()), 0.0);
  const OutcomeArrays outcomes{velocity_after.mutable_data(), impulses.mutable_data(), tangential.mutable_data(),
                               rates.mutable_data(),          before.mutable_data(),   after.mutable_data(),
                               steps.mutable_data(),          stop.mutable_data(),     flags.mutable_data()};
  {
    const InterruptWatch watch;
    const Crew crew{.threads = asked.in_python() ? 1 : usable_threads(threads),
                    .report = {},
                    .interrupted = &InterruptWatch::interrupted()};
    const FreeInterpreter free;
    if (!solve_all(problems, *asked.law, outcomes, crew)) watch.raise();
  }
  py::dict result;
  result["law"] = std::string(asked.law->name);
  result["velocity"] = velocity_after;
  result["impulses"] = impulses;
  result["tangential_impulses"] = tangential;
  result["gap_rates_after"] = rates;
  result["energy_before"] = before;
  result["energy_after"] = after;
  result["steps"] = steps;
  result["stop_code"] = stop;
  result["flag_bits"] = flags;
  return result;
}

}  // namespace

void bind_batch(py::module_& module) {
  module.def("impacts", &impacts, CAROM_PROBLEM_NAMES, py::arg("law") = py::none(), py::arg("threads") = 0);
  py::list stops;
  for (int stop = 0; stop <= static_cast<int>(kLastStop); ++stop)
    stops.append(std::string(stop_name(static_cast<Stop>(stop))));
  module.attr("stop_names") = py::tuple(stops);
  py::dict flags;
  for (const Flag flag : all_flags()) flags[py::str(std::string(flag_name(flag)))] = static_cast<std::uint32_t>(flag);
  module.attr("flag_bits") = flags;
}

}  // namespace carom::python
