#pragma once
/// The arrays that carom.impacts gives back.

#include <cstdint>

#include "arrays.h"
#include "problem_arrays.h"

namespace carom::python {

/// Where the numbers of all outcomes go; n coordinates, m contacts, t tangents of each.
struct OutcomeNumbers {
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

/// Velocities in memory of their own, and all else in one block. As many arrays of a megabyte each they would be given
/// back to the system with the outcomes of one batch and asked for anew for the next, and their first touch costs more
/// than the fast laws do.
class OutcomeArrays {
 public:
  explicit OutcomeArrays(const ProblemArrays& problems);

  [[nodiscard]] OutcomeNumbers numbers() const;
  /// By the names that carom.Outcomes has for them.
  [[nodiscard]] py::dict by_name() const;

 private:
  py::array velocity_, impulses_, tangential_impulses_, rates_after_, energy_before_, energy_after_, steps_, stop_,
      flags_;
};

}  // namespace carom::python
