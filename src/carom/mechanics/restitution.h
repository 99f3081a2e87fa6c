#pragma once
/// The coefficient of restitution e ∈ [0, 1] of two materials: a number, or a function of the speed of approach
/// v = −γ⁻ ≥ 0 at which a contact closes.
///
///   power   e = e₀ · max(v/v₀, 1)^(−q), q ≥ 0: e₀ up to v₀, less above. Metals that yield have q near ¼ [Johnson,
///           Contact Mechanics, 1985, §11.5], viscoelastic bodies about ⅕ [Kuwabara & Kono 1987].
///   table   through given points: linear in v between two speeds, hence monotone there; outside the table the first
///           or last value is held.
///
/// An impact takes e once for each contact, at its gap rate before the impact; a contact that does not approach then
/// has e(0). A contact of the compliant engine takes it when it closes. docs/theory/impact-problem.md#restitution

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace carom {

struct PowerRestitution {
  double e0 = 1.0;        ///< up to the speed v0, in [0, 1]
  double v0 = 1.0;        ///< > 0 [m/s]
  double exponent = 0.0;  ///< q ≥ 0

  friend bool operator==(const PowerRestitution&, const PowerRestitution&) = default;
};

struct RestitutionTable {
  std::vector<double> speeds;  ///< ≥ 0, increasing [m/s]
  std::vector<double> values;  ///< as many, each in [0, 1]

  friend bool operator==(const RestitutionTable&, const RestitutionTable&) = default;
};

/// A small value: a number costs what a number costs.
class Restitution {
 public:
  using Law = std::variant<PowerRestitution, RestitutionTable>;

  Restitution() = default;
  /// The same at every speed.
  Restitution(double constant) : at_rest_(constant) {}  // NOLINT(google-explicit-constructor): a number is one
  explicit Restitution(Law law);

  /// e of a contact that closes at this speed; e(0) where it does not close (speed ≤ 0).
  [[nodiscard]] double at(double speed) const { return law_ == nullptr ? at_rest_ : of_law(speed); }
  /// e of the slowest approach, which decides whether bounces come to an end.
  [[nodiscard]] double at_rest() const { return at_rest_; }
  /// Up to this speed e is at_rest().
  [[nodiscard]] double constant_up_to() const;
  [[nodiscard]] bool is_constant() const { return law_ == nullptr; }
  /// Whether e = 1 at every speed.
  [[nodiscard]] bool is_elastic() const;
  /// Null where it is a number.
  [[nodiscard]] const Law* law() const { return law_.get(); }
  /// For messages: `0.9`, `0.9·max(v/0.1, 1)^-0.25`, `a table from 0.9 to 0.4`.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Restitution& a, const Restitution& b) {
    return a.at_rest_ == b.at_rest_ && (a.law_ == b.law_ || (a.law_ && b.law_ && *a.law_ == *b.law_));
  }

 private:
  [[nodiscard]] double of_law(double speed) const;

  double at_rest_ = 1.0;
  std::shared_ptr<const Law> law_;  ///< does not change, so copies share it
};

/// Throws InputError that names the field below `path` (`….e0`, `….speeds.2`): ranges, finite numbers, order, as many
/// values as speeds and at least one.
void validate(const Restitution& restitution, const std::string& path);

}  // namespace carom
