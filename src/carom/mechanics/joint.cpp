#include "carom/mechanics/joint.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/mechanics/check_finite.h"
#include "carom/mechanics/model.h"

namespace carom {

namespace {

/// How far the frames of joints may be from unit length.
constexpr double kUnitFrame = 1e-9;

class JointCheck {
 public:
  JointCheck(const Model& model, JointIndex index)
      : model_(model), index_(index), joint_(model.joints[index]), path_("joint." + joint_.name) {}

  void check() const {
    if (joint_.name.empty())
      throw InputError{Kind::missing_field, fmt::format("joint.{}.name", int{index_}), "a joint has no name"};
    if (joint_.kind == JointKind::gear) {
      check_gear();
      return;
    }
    check_bodies();
    for (const JointEnd& end : joint_.ends) {
      check_finite(end.point, path_ + ".point");
      if (!(std::abs(end.frame.coeffs().stableNorm() - 1.0) <= kUnitFrame))
        refuse(Kind::out_of_range, "axis", "is turned by a quaternion that is not of unit length");
    }
    check_finite(joint_.shift, path_ + ".start");
    for (const double turn : joint_.start) check_finite(turn, path_ + ".start_deg");
    check_drives();
    check_ranges();
    if (joint_.kind != JointKind::rod) return;
    check_finite(joint_.length, path_ + ".length");
    if (joint_.length <= 0.0)
      refuse(Kind::out_of_range, "length", fmt::format("is {}, expected a number > 0", joint_.length));
  }

 private:
  [[noreturn]] void refuse(Kind kind, const std::string& key, const std::string& what) const {
    throw InputError{kind, path_ + "." + key, fmt::format("{}.{} {}", path_, key, what)};
  }

  void check_bodies() const {
    for (std::size_t k = 0; k < 2; ++k) {
      const int body = joint_.ends[k].body;
      if (body >= model_.body_count() || body < (k == 0 ? 0 : kNone))
        refuse(Kind::out_of_range, "bodies",
               fmt::format("has the index {}, expected one below {}", body, model_.body_count()));
    }
    if (joint_.ends[0].body == joint_.ends[1].body)
      refuse(Kind::usage, "bodies",
             fmt::format("are twice '{}', expected two bodies, or one and the ground",
                         model_.bodies[joint_.ends[0].body].name));
  }

  void check_drives() const {
    for (int k = 0; k < 2; ++k) {
      const JointDrive& drive = joint_.drives[static_cast<std::size_t>(k)];
      const bool any = drive.pushes() || drive.motor.position || drive.friction.any();
      if (any && k >= coordinate_count(joint_.kind))
        refuse(Kind::unsupported, "kind",
               fmt::format("is {}, which has no coordinate that something could act on", joint_kind_name(joint_.kind)));
      check_finite(drive.motor.force, path_ + ".motor");
      check_finite(drive.spring.rest, path_ + ".spring.rest");
      for (const auto& [value, key] :
           {std::pair(drive.spring.stiffness, "stiffness"), std::pair(drive.spring.damping, "damping")}) {
        check_finite(value, path_ + ".spring." + key);
        if (value < 0.0)
          refuse(Kind::out_of_range, std::string("spring.") + key, fmt::format("is {}, expected a number >= 0", value));
      }
      const auto [kinetic, most] = drive.friction;
      check_finite(kinetic, path_ + ".friction.kinetic");
      check_finite(most, path_ + ".friction.static");
      if (kinetic < 0.0)
        refuse(Kind::out_of_range, "friction.kinetic", fmt::format("is {}, expected a number >= 0", kinetic));
      if (kinetic > most)
        refuse(Kind::out_of_range, "friction.kinetic",
               fmt::format("is {}, expected at most the static one, {}", kinetic, most));
      if (drive.motor.position && drive.motor.force != 0.0)
        refuse(Kind::unsupported, "motor", "has a force and a motion, expected only one of the two");
    }
  }

  void check_ranges() const {
    if (joint_.limit_stiffness && !(*joint_.limit_stiffness > 0.0))
      refuse(Kind::out_of_range, "limit_stiffness",
             fmt::format("is {}, expected a number > 0", *joint_.limit_stiffness));
    for (int k = 0; k < 2; ++k) {
      const JointRange& range = joint_.ranges[static_cast<std::size_t>(k)];
      if (std::isnan(range.lower) || std::isnan(range.upper))
        throw InputError{Kind::not_finite, path_ + ".limits", path_ + ".limits must be numbers"};
      if (k >= coordinate_count(joint_.kind) && (std::isfinite(range.lower) || std::isfinite(range.upper)))
        refuse(Kind::unsupported, "kind",
               fmt::format("is {}, which has no coordinate that could be limited", joint_kind_name(joint_.kind)));
      const char* const key = is_shift(joint_.kind, k) ? "limits" : "limits_deg";
      if (range.lower >= range.upper)
        refuse(Kind::out_of_range, key,
               fmt::format("go from {} to {}, expected the lower one first", range.lower, range.upper));
    }
    validate(joint_.restitution, path_ + ".restitution");
  }

  void check_gear() const {
    for (const JointIndex other : joint_.geared) {
      if (other < 0 || other >= static_cast<int>(model_.joints.size()))
        refuse(Kind::out_of_range, "joints",
               fmt::format("has the index {}, expected one below {}", int{other}, model_.joints.size()));
      const Joint& turned = model_.joints[other];
      if (turn_count(turned.kind) != 1)
        refuse(Kind::wrong_type, "joints",
               fmt::format("names '{}', a {} joint, expected joints that turn about one axis (revolute, cylindrical)",
                           turned.name, joint_kind_name(turned.kind)));
    }
    if (joint_.geared[0] == joint_.geared[1])
      refuse(Kind::usage, "joints",
             fmt::format("are twice '{}', expected two joints", model_.joints[joint_.geared[0]].name));
    check_finite(joint_.ratio, path_ + ".ratio");
    if (joint_.ratio == 0.0) refuse(Kind::out_of_range, "ratio", "is 0, expected another number");
  }

  const Model& model_;
  JointIndex index_;
  const Joint& joint_;
  std::string path_;
};

}  // namespace

std::string_view joint_kind_name(JointKind kind) {
  switch (kind) {
    case JointKind::spherical: return "spherical";
    case JointKind::revolute: return "revolute";
    case JointKind::universal: return "universal";
    case JointKind::prismatic: return "prismatic";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::fixed: return "fixed";
    case JointKind::rod: return "rod";
    case JointKind::gear: return "gear";
  }
  CAROM_ASSERT(false);
  return {};
}

void validate(const Model& model, JointIndex joint) {
  JointCheck(model, joint).check();
}

}  // namespace carom
