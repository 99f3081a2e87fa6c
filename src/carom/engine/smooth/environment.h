#pragma once
/// What every part of the compliant engine needs to know of the model: bodies with what acts on them, obstacles. It
/// does not change during a run; an engine and its clones share it.

#include <memory>
#include <utility>
#include <vector>

#include "carom/engine/smooth/contact_geometry.h"
#include "carom/engine/smooth/smooth_options.h"
#include "carom/mechanics/meeting.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom::smooth {

/// A body as the engine sees it.
struct BodyInfo {
  double mass = 0.0;
  double inverse_mass = 0.0;
  Vector3d inertia = Vector3d::Zero();                   ///< principal
  Quaterniond principal_axes = Quaterniond::Identity();  ///< principal frame to body frame
  double size = 0.0;                                     ///< bounding radius
  Vector3d free_acceleration = Vector3d::Zero();         ///< gravity and constant forces
  bool in_plane = false;                                 ///< round, held by one planar constraint and nothing else
  Vector3d plane_normal = Vector3d::Zero();              ///< of that
  bool round = false;                                    ///< a sphere with equal moments of inertia
  bool spins = false;         ///< its angular velocity may change within a group, and is integrated
  bool attitude_acts = true;  ///< on its forces; not that of a ball without dents and springs beside its centre
  bool needs_steps = false;   ///< springs, resistance, torque, a rod: no closed form even in free flight
  std::vector<LoadIndex> loads;
  std::vector<SpringIndex> springs;
  std::vector<ConstraintIndex> constraints;
};

/// An obstacle at one time.
struct ObstacleState {
  Pose place;
  Vector3d velocity = Vector3d::Zero();
  Vector3d angular_velocity = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitZ();  ///< its third one
  bool moves = false;
  bool spins_about_axis = true;  ///< and not otherwise
  Vector3d acceleration = Vector3d::Zero();
  Vector3d angular_acceleration = Vector3d::Zero();

  [[nodiscard]] Vector3d velocity_of(const Vector3d& point) const {
    return velocity + angular_velocity.cross(point - place.position);
  }
};

/// Stands where something else is no obstacle.
inline const ObstacleState kNoObstacle;

class Environment {
 public:
  Environment(std::shared_ptr<const Model> model, const SmoothOptions& options);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const SmoothOptions& options() const { return options_; }
  /// An object that is a body.
  [[nodiscard]] const BodyInfo& body(ObjectIndex object) const { return bodies_[object.slot()]; }
  [[nodiscard]] int body_count() const { return model_->body_count(); }
  [[nodiscard]] ObstacleState obstacle(ObjectIndex object, double time) const {
    const Fixed& fixed = fixed_obstacle(object);
    if (!fixed.driven) return fixed.state;
    const Obstacle& obstacle = model_->obstacle(object);
    const FrameMotion moving = obstacle.motion_at(time);
    return {moving.pose,
            moving.velocity,
            moving.angular_velocity,
            moving.pose.orientation * Vector3d::UnitZ(),
            true,
            fixed.state.spins_about_axis,
            moving.acceleration,
            moving.angular_acceleration};
  }
  /// An obstacle that never moves; null for one that is driven.
  [[nodiscard]] const ObstacleState* resting_obstacle(ObjectIndex object) const {
    const Fixed& fixed = fixed_obstacle(object);
    return fixed.driven ? nullptr : &fixed.state;
  }
  /// The normal of a plane at rest; null for every other obstacle.
  [[nodiscard]] const Vector3d* resting_plane(ObjectIndex object) const {
    const Fixed& fixed = fixed_obstacle(object);
    return fixed.resting_plane ? &fixed.normal : nullptr;
  }
  /// Whether the two may meet and their distance is known; a hollow body and what it is threaded on never meet.
  [[nodiscard]] bool can_meet(ObjectIndex a, ObjectIndex b) const {
    return meeting_.may_meet(a, b) && carom::can_meet(model_->parts(a), model_->parts(b));
  }
  /// Whether both have faces or lines: they touch at the corners of what these cover of each other.
  [[nodiscard]] bool have_faces(ObjectIndex a, ObjectIndex b) const {
    return !facets_[a].empty() && !facets_[b].empty();
  }
  /// At how many points body a and object b can touch (vertices, rims and round ends on a plane, the nearest points of
  /// each two parts otherwise), and each of them. Of two with
  /// faces 0 stands for the nearest points, everything else is a Feature.
  [[nodiscard]] int features(ObjectIndex a, ObjectIndex b) const;
  [[nodiscard]] PairGeometry geometry(ObjectIndex a, ObjectIndex b, int feature) const;
  /// The order in which a contact names its two: a body first, of two bodies a sphere, else the lower index, a hollow
  /// one last.
  [[nodiscard]] std::pair<ObjectIndex, ObjectIndex> ordered(ObjectIndex a, ObjectIndex b) const {
    if (a > b) std::swap(a, b);
    const bool ball_second =
        only_shape<Sphere>(model_->parts(a)) == nullptr && only_shape<Sphere>(model_->parts(b)) != nullptr;
    const bool swap = model_->is_body(b) && (ball_second || only_shape<Bore>(model_->parts(a)) != nullptr);
    return swap ? std::pair{b, a} : std::pair{a, b};
  }
  /// Whether anything but contacts and potentials can do work: dampers, driven obstacles, torques.
  [[nodiscard]] bool others_work() const { return others_work_; }

 private:
  struct Fixed {
    ObstacleState state;
    bool driven = false;
    Vector3d normal = Vector3d::Zero();  ///< of a plane
    bool resting_plane = false;
  };
  [[nodiscard]] const Fixed& fixed_obstacle(ObjectIndex object) const {
    return obstacles_[object.slot() - model_->bodies.size()];
  }
  void add_loads();
  void add_springs();
  void add_constraints();
  void note_what_attitudes_act_on();
  void note_what_friction_turns();

  /// The points at which two parts can touch.
  [[nodiscard]] int features_of_parts(ObjectIndex a, std::size_t part_a, ObjectIndex b, std::size_t part_b) const;

  std::shared_ptr<const Model> model_;
  MeetingRules meeting_;
  SmoothOptions options_;
  Indexed<BodyIndex, BodyInfo> bodies_;
  std::vector<Fixed> obstacles_;
  /// Where a part of a body meets a plane at several points; empty for those that have one.
  Indexed<BodyIndex, std::vector<std::vector<contact::BodyPart>>> pieces_;
  Indexed<ObjectIndex, Facets> facets_;
  Indexed<ObjectIndex, char> dented_;
  bool others_work_ = false;
};

}  // namespace carom::smooth
