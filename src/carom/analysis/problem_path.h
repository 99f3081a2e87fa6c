#pragma once
/// A value of an impact problem by its dotted path, looked up once and set often: `restitution`, `velocity.1`,
/// `metric.0.0` (and its mirror image), `metric.diagonal.0`, `persistent.0.1`, `options.tolerance`,
/// `contacts.0.restitution` (or friction, offset, stiffness, rough, tangential_restitution, tangential_stiffness_ratio,
/// normal.2, tangents.0.1, tangent_offsets.0). A contact by its name or its number.

#include <functional>
#include <string>
#include <string_view>

#include "carom/mechanics/impact_problem.h"
#include "carom/scene/value.h"

namespace carom {

class ProblemPath {
 public:
  /// Throws InputError (unknown_name) where the problem has nothing of that path.
  ProblemPath(const ImpactProblem& problem, std::string_view path);

  /// What is set: what ImpactBatch has arrays for, or something else.
  enum class Field { velocity, metric, normal, offset, restitution, friction, stiffness, other };
  [[nodiscard]] Field field() const { return field_; }
  [[nodiscard]] bool takes_number() const { return takes_ == Takes::number; }

  /// Of that problem, or of one with as many coordinates and contacts.
  void set(ImpactProblem& problem, double value) const { set_(problem, value); }
  /// Flags are true or false, options with words take these, a list sets `path.0`, `path.1`, … Throws InputError
  /// (wrong_type, unknown_name, size_mismatch).
  void set(ImpactProblem& problem, const Value& value) const;

 private:
  enum class Takes { number, flag, word, list };
  friend class ProblemPathReader;

  std::string path_;
  Takes takes_ = Takes::number;
  Field field_ = Field::other;
  std::size_t length_ = 0;  ///< of a list
  std::function<void(ImpactProblem& problem, double value)> set_;
};

}  // namespace carom
