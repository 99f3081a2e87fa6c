#pragma once
/// Bodies that joints connect as a tree: what changes accelerations, velocities or places the least, in the kinetic
/// metric, so that all joints hold. What joint_system.h does for any mechanism by the rows of its joints is done here
/// by articulated inertias, three times as fast; the forces in joints are not found on the way.
///
/// A twist (ā, α) of a body is that of its point at the joint by which it hangs on its parent: of its centre, which is
/// c from there, ā + α × c. From the leaves on, a body with all that hangs on it opposes a force and a couple (F, T) =
/// I (ā, α) + p to it, and of a joint that leaves the ways s free, each a shift or a turn,
///   I ← I − U Uᵀ/D,   p ← p − U (s·p)/D,   U = I s,   D = s·U,
/// one after the other, is what the parent feels beyond what the joint asks for, ζ, the difference of the twists of its
/// two ends but for the free ways. From the roots on
///   A = A_parent + ζ,   q̈ = −(s·p + U·A)/D,   A ← A + s q̈.
/// Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7, here about the joints and in world axes.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/joint_system.h"

namespace carom {

class JointTree {
 public:
  /// A joint and the places of its two bodies among all, −1: the ground.
  struct Held {
    JointIndex joint;
    std::array<int, 2> slots;
  };
  /// For these bodies. False where the joints form no tree, where one is a gear or has a motor of given motion, or
  /// where a body has next to no inertia about some axis: the other way is exact then.
  bool analyse(const JointKinematics& kinematics, std::span<const BodyIndex> bodies, std::span<const Held> joints);
  void clear() { nodes_.clear(); }
  [[nodiscard]] bool ready() const { return !nodes_.empty(); }

  /// Of each body: its motion, its orientation and its principal axes.
  struct Places {
    std::span<const BodyState> states;
    std::span<const Eigen::Matrix3d> rotations;
    std::span<const HeldInertia> inertias;
  };
  /// Where everything is now.
  void place(const Places& places);
  /// Finds what is left of what joints keep, for find_moves(); returns the largest, relative to the sizes of joints.
  double measure_residuals();
  void factor();

  /// All of these fill `twists`, one of each body, with the factors at hand. The first one changes accelerations, those
  /// without joints, to the nearest in the metric with which joints go on to hold. The others find the smallest moves
  /// after which no residuals are left, and the smallest changes of velocities after which their rates vanish; for
  /// these factors from nearby places serve as well.
  void accelerate(std::vector<Twist>& twists);
  void find_moves(std::vector<Twist>& twists);
  void find_changes(std::vector<Twist>& twists);

 private:
  enum class Asked { accelerations, velocities, places };
  /// The upper triangle of a symmetric matrix.
  struct Symmetric {
    double xx, xy, xz, yy, yz, zz;

    [[nodiscard]] Eigen::Vector3d times(const Eigen::Vector3d& v) const {
      return {xx * v.x() + xy * v.y() + xz * v.z(), xy * v.x() + yy * v.y() + yz * v.z(),
              xz * v.x() + yz * v.y() + zz * v.z()};
    }
    /// Adds factor·v vᵀ.
    void add_square(double factor, const Eigen::Vector3d& v) {
      const double x = factor * v.x(), y = factor * v.y(), z = factor * v.z();
      xx += x * v.x();
      xy += x * v.y();
      xz += x * v.z();
      yy += y * v.y();
      yz += y * v.z();
      zz += z * v.z();
    }
  };
  /// I = [shifting, coupling; couplingᵀ, turning]
  struct Inertia {
    Symmetric shifting, turning;
    Eigen::Matrix3d coupling;
  };
  /// What every evaluation goes through; long chains are as slow as the memory that this takes.
  struct Node {
    int body, parent;     ///< places among all; parent −1: the ground
    int parent_node;      ///< −1: the ground
    int first_way, ways;  ///< among ways_
    JointKind kind;
    bool held;                              ///< whether a joint holds it, otherwise none of the below
    bool first;                             ///< whether the body is the first one of the joint
    bool leaf;                              ///< whether nothing hangs on it
    bool begins;                            ///< whether it is the last child of its parent, the first on the way back
    double mass;                            ///< of the body
    Eigen::Vector3d moments;                ///< principal
    std::array<Eigen::Vector3d, 2> points;  ///< of the joint's ends, in their bodies
    Eigen::Vector3d axis;                   ///< z of the second end, in its body; of a rod, a ball or a weld 0
    // At the present places, in the world.
    Eigen::Vector3d centre;  ///< c
    Eigen::Vector3d lever;   ///< from the parent's centre to its point at the joint
    Eigen::Vector3d reach;   ///< to it from the point by which the parent hangs
    Eigen::Vector3d apart;   ///< d: the first end less the second
    Eigen::Vector3d along;   ///< the axis z_b, or that of a rod
    // Articulated.
    Inertia inertia;
    Eigen::Vector3d force, couple;            ///< p
    Eigen::Vector3d asked_shift, asked_turn;  ///< ζ
    Eigen::Vector3d shift, turn;              ///< (ā, α)
  };
  /// What only moves that put bodies back need.
  struct Drift {
    double size;                            ///< of the joint
    double length;                          ///< of a rod
    std::array<Eigen::Matrix3d, 2> frames;  ///< of the joint's ends, in their bodies
    Eigen::Vector3d off, turned;            ///< residuals of the first end against the second
  };
  /// A way s that a joint leaves.
  struct Way {
    Eigen::Vector3d direction;
    bool turn;                      ///< about it, otherwise along it
    Eigen::Vector3d force, couple;  ///< U
    double inverse;                 ///< 1/D
    double pushed;                  ///< s·p
  };
  void place_free(Node& node);
  void place_joint(Node& node);
  [[nodiscard]] Eigen::Vector3d turned_apart(std::size_t node) const;
  [[nodiscard]] Inertia own_inertia(const Node& node) const;
  void eliminate_ways(Node& node);
  void push(Node& node, const Twist& twist) const;
  template <Asked asked>
  void ask(std::size_t node);
  template <Asked asked>
  void answer(std::vector<Twist>& twists);
  void ask_accelerations(Node& node) const;
  void ask_velocities(Node& node) const;

  std::vector<Node> nodes_;    ///< parents before their children
  std::vector<Drift> drifts_;  ///< of each node
  std::vector<Way> ways_;
  Places places_;
};

}  // namespace carom
