#pragma once
/// The quantities of a record by name: what can be plotted, used as a signal, or written into a table.
///
///   energy                       the group of those parts that are not zero throughout
///   energy.kinetic, energy.total, …                                                      [J]
///   position.BODY.x|y|z|radial               of the centre of mass                       [m]
///   velocity.BODY.x|y|z|radial|speed         of the centre of mass                       [m/s]
///   acceleration.BODY.x|y|z|radial|magnitude central differences of the velocity         [m/s²]
///   angular_velocity.BODY.x|y|z|rate                                                     [rad/s]
///   orientation.BODY.w|x|y|z                 unit quaternion, body to world
///   kinetic.BODY                             kinetic energy of one body                  [J]
///   momentum.x|y|z                           of all bodies together                      [kg m/s]
///   angular_momentum.x|y|z                   of all bodies, about the origin             [kg m²/s]
///   coordinate.JOINT, rate.JOINT             turn of its first body against the second   [rad, rad/s]
///                                            or shift; .0 and .1 of two coordinates      [m, m/s]
///   joint_force.JOINT.x|y|z|magnitude        of a joint on its first body, at the anchor [N]
///   joint_couple.JOINT.x|y|z|magnitude       likewise, about the anchor                  [N m]
///   joint_impulse.JOINT.x|y|z|magnitude      of a joint on its first body per event      [N s]
///   joint_couple_impulse.JOINT.x|y|z|magnitude  likewise, about the anchor               [N m s]
///   gap.A.B                                  signed distance of two objects              [m]
///   impulse.A.B, impulse.A                   normal impulse per event                    [N s]
///   force.A.B, force.A                       normal force of contacts that last          [N]
///   friction.A.B.x|y|z|magnitude             force of friction of B on A                 [N]
///   couple.A.B.x|y|z|magnitude               of B on A, against rolling and spinning     [N m]
///   mode.A.B                                 0 apart, 1 smooth, 2 sticks, 3 rolls, 4 slides
///
/// `radial` is the component along the position as seen from the origin. Without a component, x, y and z (w, x, y, z)
/// are meant together. A name that holds dots is matched against those of the record, the longest first; in quotation
/// marks it ends where they do: `position."my.ball".x`.

#include <string>
#include <string_view>
#include <vector>

#include "carom/mechanics/model.h"
#include "carom/record/record_reader.h"

namespace carom {

/// In the order of the table above.
enum class Measure {
  energy,
  position,
  velocity,
  acceleration,
  angular_velocity,
  orientation,
  kinetic,
  momentum,
  angular_momentum,
  coordinate,
  rate,
  joint_force,
  joint_couple,
  joint_impulse,
  joint_couple_impulse,
  gap,
  impulse,
  force,
  friction,
  couple,
  mode,
};

inline constexpr int kMeasures = static_cast<int>(Measure::mode) + 1;

/// One number that changes during a run.
struct Quantity {
  std::string name;   ///< as it is asked for, in full: `position.ball.z`
  std::string label;  ///< for people: `position z of ball`. Names in it are as the scene gives them: untrusted text
  std::string unit;   ///< SI; empty for a pure number
  Measure measure = Measure::energy;
  int component = 0;         ///< in the order of component_names
  int a = kNone;             ///< object, where it is about one; of a joint that
  int b = kNone;             ///< the other one
  bool kept_if_zero = true;  ///< false: a part of a group that is left out where it is zero throughout

  /// Per event and not per sample.
  [[nodiscard]] bool at_events() const {
    return measure == Measure::impulse || measure == Measure::joint_impulse || measure == Measure::joint_couple_impulse;
  }
  /// About joint a.
  [[nodiscard]] bool of_joint() const {
    return measure >= Measure::coordinate && measure <= Measure::joint_couple_impulse;
  }
  /// About contacts that last.
  [[nodiscard]] bool of_contacts() const {
    return measure == Measure::force || measure == Measure::friction || measure == Measure::couple ||
           measure == Measure::mode;
  }
};

/// `energy`, `position`, …
std::string_view measure_name(Measure measure);
/// `x`, `y`, `z`, `radial`, …; empty for a measure that is one number.
std::vector<std::string_view> component_names(Measure measure);

/// What can be asked for, as in the table above without units: `position.BODY.x|y|z|radial`.
std::vector<std::string> quantity_patterns();

/// The names of all quantities of a record but those of pairs, such as `position.ball.z`.
std::vector<std::string> quantity_names(const RecordInfo& record);

/// The quantities that a name stands for: one, or the parts of a group. Throws InputError (unknown_name) with the
/// nearest known name, and the known ones where they are not too many.
std::vector<Quantity> find_quantities(const RecordInfo& record, std::string_view name);

/// One component of one body; `component` is one of component_names. Throws InputError (unknown_name).
Quantity body_quantity(const RecordInfo& record, Measure measure, std::string_view body, std::string_view component);

}  // namespace carom
