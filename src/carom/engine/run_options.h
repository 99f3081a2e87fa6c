#pragma once
/// How a scene asks to be run: the table [run] of a scene file, as plain values.
///
/// One line of `run_option_table` per key: from it follow what the reader fills in and what a record keeps of it.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace carom {

/// How the compliant engine keeps rods and rolling.
enum class ConstraintMethod {
  lagrange,    ///< by multipliers alone: positions drift
  baumgarte,   ///< multipliers with feedback of the error
  projection,  ///< multipliers, and back onto the constraint after each step
};
inline constexpr std::array kConstraintMethods = {ConstraintMethod::lagrange, ConstraintMethod::baumgarte,
                                                  ConstraintMethod::projection};
std::string_view constraint_method_name(ConstraintMethod method);
/// The method of that name; none where there is none.
std::optional<ConstraintMethod> find_constraint_method(std::string_view name);

struct RunOptions {
  std::string engine = "event";  ///< `event` or `smooth`
  double duration = 0.0;         ///< > 0 [s]
  double output_step = 0.0;      ///< > 0 [s]
  bool stop_at_rest = false;     ///< whether to stop as soon as no body changes its place
  std::int64_t seed = 0;         ///< of every [[fill]], [[rack]] and [[cradle]] that names none

  // The rigid engine.
  std::string law;                       ///< registry name of the impact law
  std::int64_t max_events = 0;           ///< 0: no limit
  double contact_tolerance = 1e-10;      ///< relative to the size of the smaller body
  double integration_tolerance = 1e-13;  ///< of integrated motion, relative to sizes and speeds
  std::optional<double> settle_speed;    ///< [m/s]; none: a small part of √(acceleration · size)

  // The compliant engine; see SmoothOptions.
  std::string integrator = "dormand-prince";
  double rtol = 1e-8;
  double step = 0.0;      ///< [s]; 0: not given
  double max_step = 0.0;  ///< [s]; 0: no limit
  double rest_speed = 1e-4;
  ConstraintMethod constraint_method = ConstraintMethod::projection;
  double baumgarte_rate = 5.0;
  bool clusters = true;
  bool event_location = true;
  bool settle = true;
};

/// A key of [run] and where its value is kept. A scene file states a ConstraintMethod by its name.
struct RunOption {
  using Member =
      std::variant<bool RunOptions::*, std::int64_t RunOptions::*, double RunOptions::*,
                   std::optional<double> RunOptions::*, std::string RunOptions::*, ConstraintMethod RunOptions::*>;
  std::string_view name;
  Member member;
};

/// All keys of [run], in the order in which records list them.
std::span<const RunOption> run_option_table();

}  // namespace carom
