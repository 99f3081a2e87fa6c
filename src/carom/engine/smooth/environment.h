#pragma once
/// What every part of the compliant engine needs to know of the model: bodies with what acts on them, obstacles. It
/// does not change during a run; an engine and its clones share it.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "carom/engine/smooth/contact_geometry.h"
#include "carom/engine/smooth/smooth_options.h"
#include "carom/mechanics/joint_rows.h"
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
  std::vector<JointIndex> joints;  ///< gears between its joints too

  [[nodiscard]] bool operator==(const BodyInfo&) const = default;
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
  [[nodiscard]] const std::shared_ptr<const Model>& shared_model() const { return model_; }
  [[nodiscard]] const SmoothOptions& options() const { return options_; }
  /// An object that is a body.
  [[nodiscard]] const BodyInfo& body(ObjectIndex object) const { return kinds_of_bodies_[kind_of_[object.slot()]]; }
  [[nodiscard]] int body_count() const { return model_->body_count(); }
  /// Of a body and an object; an obstacle has none [m].
  [[nodiscard]] double smaller_size(ObjectIndex a, ObjectIndex b) const {
    return model_->is_body(b) ? std::min(body(a).size, body(b).size) : body(a).size;
  }
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
  /// Whether the distance of the two is known; a hollow body and what it is threaded on never meet.
  [[nodiscard]] bool can_meet(ObjectIndex a, ObjectIndex b) const {
    if (!meeting_.may_meet(a, b)) return false;
    if (plain_[a] != 0 && plain_[b] != 0) return find_pair(kinds_[a], kinds_[b]) != nullptr;
    return carom::can_meet(model_->parts(a), model_->parts(b));
  }
  /// Whether both have faces or lines: they touch at the corners of what these cover of each other.
  [[nodiscard]] bool have_faces(ObjectIndex a, ObjectIndex b, FeatureCode feature) const {
    const Feature at = Feature::from(feature);
    if (meets_wall_by_vertices(a, at.part_a, b, at.part_b)) return false;
    return !facets_[a][static_cast<std::size_t>(at.part_a)].empty() &&
           !facets_[b][static_cast<std::size_t>(at.part_b)].empty();
  }
  /// Where body a and object b may begin to touch: each two of their parts, on a plane each vertex and rim, on the wall
  /// of a shell or bore each vertex, and then the rim of the bore.
  template <class Visit>
  void for_each_place(ObjectIndex a, ObjectIndex b, const Visit& visit) const {
    if (plain_[a] != 0 && plain_[b] != 0) {
      visit(FeatureCode{0});
      return;
    }
    const bool plane = is_plane(model_->parts(b));
    const auto parts_a = static_cast<int>(model_->parts(a).size()), parts_b = static_cast<int>(model_->parts(b).size());
    for (int i = 0; i < parts_a; ++i) {
      const auto pieces = static_cast<int>(pieces_[a.slot()][static_cast<std::size_t>(i)].size());
      for (int j = 0; j < parts_b; ++j) {
        int places = plane ? std::max(pieces, 1) : 1;
        if (meets_wall_by_vertices(a, i, b, j)) places = pieces + (is_bore(b, j) ? 1 : 0);
        for (int k = 0; k < places; ++k) visit(Feature{Feature::Kind::nearest, 0, k, i, j}.code());
      }
    }
  }
  [[nodiscard]] PairGeometry geometry(ObjectIndex a, ObjectIndex b, FeatureCode feature) const;
  /// The order in which a contact names its two: a body first, of two bodies what runs in a ring, else a sphere, else
  /// the lower index.
  [[nodiscard]] std::pair<ObjectIndex, ObjectIndex> ordered(ObjectIndex a, ObjectIndex b) const {
    if (a > b) std::swap(a, b);
    const bool swap = model_->is_body(b) && (is_ring(a) || (!is_ball(a) && is_ball(b)));
    return swap ? std::pair{b, a} : std::pair{a, b};
  }
  [[nodiscard]] const JointKinematics& kinematics() const { return kinematics_; }
  [[nodiscard]] bool has_joints() const { return !model_->joints.empty(); }
  /// Whether an obstacle is driven.
  [[nodiscard]] bool anything_driven() const { return anything_driven_; }
  /// Whether anything but contacts and potentials can do work: dampers, driven obstacles, torques.
  [[nodiscard]] bool others_work() const { return others_work_; }

 private:
  /// A vertex as a body of its own.
  struct WallPiece {
    Shape ball;
    Pose placement;  ///< in the frame of the whole body
  };
  [[nodiscard]] bool is_bore(ObjectIndex object, int part) const {
    return std::holds_alternative<Bore>(model_->parts(object)[static_cast<std::size_t>(part)].shape);
  }
  /// Whether part_a of the body a has vertices alone, of which each may press on the wall of a hollow object.
  [[nodiscard]] bool meets_wall_by_vertices(ObjectIndex a, int part_a, ObjectIndex b, int part_b) const {
    if (!model_->is_body(a) || wall_pieces_[a.slot()][static_cast<std::size_t>(part_a)].empty()) return false;
    const Shape& wall = model_->parts(b)[static_cast<std::size_t>(part_b)].shape;
    return std::holds_alternative<Shell>(wall) || std::holds_alternative<Bore>(wall);
  }
  void add_wall_piece(ObjectIndex a, const Feature& on, PairGeometry& g) const;
  struct Fixed {
    ObstacleState state;
    bool driven = false;
    Vector3d normal = Vector3d::Zero();  ///< of a plane
    bool resting_plane = false;
  };
  [[nodiscard]] const Fixed& fixed_obstacle(ObjectIndex object) const {
    return obstacles_[object.slot() - model_->bodies.size()];
  }
  /// A hollow body, which is there for what runs in it.
  [[nodiscard]] bool is_ring(ObjectIndex object) const {
    return model_->is_body(object) && (kinds_[object] == ShapeKind::bore || kinds_[object] == ShapeKind::shell);
  }
  [[nodiscard]] PairGeometry ball_geometry(ObjectIndex a, ObjectIndex b) const;
  [[nodiscard]] bool is_ball(ObjectIndex object) const { return balls_[object].radius > 0.0; }
  void add_loads();
  void add_springs();
  void add_constraints();
  void add_joints();
  void note_what_attitudes_act_on();
  void note_what_friction_turns();
  void share_equal_bodies();

  std::shared_ptr<const Model> model_;
  SmoothOptions options_;
  Indexed<BodyIndex, BodyInfo> bodies_;  ///< while it is made
  /// The same once for many equal ones: what is read at every event stays at hand.
  std::vector<BodyInfo> kinds_of_bodies_;
  std::vector<std::uint32_t> kind_of_;
  std::vector<Fixed> obstacles_;
  MeetingRules meeting_;
  JointKinematics kinematics_;
  Indexed<BodyIndex, std::vector<std::vector<contact::BodyPart>>> pieces_;  ///< where each part meets a plane
  Indexed<BodyIndex, std::vector<std::vector<WallPiece>>> wall_pieces_;     ///< those of parts with vertices alone
  Indexed<ObjectIndex, std::vector<Facets>> facets_;                        ///< of each part
  Indexed<ObjectIndex, ShapeKind> kinds_;                                   ///< of the first part
  /// One shape that stands where the object does, with at most one point on a plane, and no ring.
  /// What a search for contacts of balls asks for, side by side in memory.
  struct Ball {
    double radius = 0.0;  ///< 0: it is something else
    const Shape* shape = nullptr;
  };
  Indexed<ObjectIndex, Ball> balls_;
  Indexed<ObjectIndex, char> plain_;
  Indexed<ObjectIndex, char> dented_;
  bool others_work_ = false;
  bool anything_driven_ = false;
};

}  // namespace carom::smooth
