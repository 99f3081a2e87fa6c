#pragma once
/// Impact problems from arrays: one, or many with a leading axis.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arrays.h"
#include "carom/laws/impact/impact_batch.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::python {

/// As they come from Python; None where nothing is given. n coordinates, m contacts, t tangents of each.
struct ProblemArguments {
  const py::object& metric;           ///< (n, n), or (n,): its diagonal
  const py::object& velocity;         ///< (n,)
  const py::object& normals;          ///< (m, n)
  const py::object& restitution;      ///< one number for all contacts, or (m,)
  const py::object& offsets;          ///< likewise, as all that follow but for the rows
  const py::object& tangents;         ///< (m, n) or (m, t, n)
  const py::object& tangent_offsets;  ///< (m,) or (m, t)
  const py::object& friction;
  const py::object& rough;
  const py::object& tangential_restitution;
  const py::object& stiffness;
  const py::object& tangential_stiffness_ratio;
  const py::object& persistent;  ///< (k, n)
  const py::object& supports;    ///< rows of persistent
  const py::object& options;     ///< a dict
};

/// Rows of numbers, the same for all problems or others for each.
struct Rows {
  py::object owner;              ///< of the numbers; no array, since an empty one of those costs as much as a full one
  const double* data = nullptr;  ///< null: not given
  std::size_t stride = 0;        ///< from problem to problem; 0: shared

  [[nodiscard]] const double* of(std::size_t problem) const { return data + problem * stride; }
  [[nodiscard]] bool given() const { return data != nullptr; }
  [[nodiscard]] bool varies() const { return stride != 0; }
};

/// A number for each contact.
struct PerContact : Rows {
  std::size_t contact_stride = 0;  ///< 0: one number for all contacts
  std::optional<double> alone;     ///< a plain number, which needs no array

  [[nodiscard]] bool given() const { return alone.has_value() || data != nullptr; }
  [[nodiscard]] const double* of(std::size_t problem) const { return alone ? &*alone : Rows::of(problem); }
  [[nodiscard]] bool for_all() const { return contact_stride == 0; }
  [[nodiscard]] double at(std::size_t problem, int contact) const {
    return of(problem)[static_cast<std::size_t>(contact) * contact_stride];
  }
};

class ProblemArrays {
 public:
  enum class Batch { one, many };
  /// Throws InputError about shapes and types. With `many` every array may have one more axis in front, and those that
  /// have it have the same length there; a number for each problem has the shape (problems, 1).
  ProblemArrays(const ProblemArguments& arguments, Batch batch);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] int coordinates() const { return n_; }
  [[nodiscard]] int contacts() const { return m_; }
  [[nodiscard]] int tangents() const { return t_; }

  /// Writes a problem; what a problem of the same arrays holds already is left as it is.
  void write(std::size_t index, ImpactProblem& problem, bool is_new) const;
  /// Gives a batch the arrays that vary from problem to problem. False where others vary than a batch knows.
  [[nodiscard]] bool vary(ImpactBatch& batch) const;

 private:
  Rows rows(const Reals& array, const char* field, std::initializer_list<py::ssize_t> shape);
  void require_truths(const PerContact& values, const char* field) const;
  PerContact per_contact(const py::object& value, const char* field);
  void take_batch(py::ssize_t length, const char* field);

  Batch batch_;
  std::size_t count_ = 1;
  const char* counted_by_ = nullptr;
  int n_ = 0, m_ = 0, t_ = 0, k_ = 0;
  bool diagonal_ = false;
  Rows metric_, velocity_, normals_, tangents_, tangent_offsets_, persistent_;
  PerContact restitution_, offsets_, friction_, rough_, tangential_restitution_, stiffness_, stiffness_ratio_;
  std::vector<int> supports_;
  ImpactOptions options_;
};

/// The options of a problem from a dict; None: the defaults. Throws InputError.
ImpactOptions impact_options(const py::object& given);

}  // namespace carom::python
