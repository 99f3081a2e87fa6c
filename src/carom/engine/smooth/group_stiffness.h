#pragma once
/// What is quick in the motion of a group: its contacts, linearised.
///
/// A contact pushes with −B w against the change w of the relative velocity at its point: B = D + cK, D the slope of
/// its damping and friction in w, K that of its springs in the displacement, which changes by c w in a step of length
/// c. With G the rows of the two bodies in coordinates in which their masses are one, the velocities of a group obey
///   (1 + c Σ Gᵀ B G) u = r,
/// a symmetric positive definite matrix with a block for each body and each two that touch, which is eliminated
/// sparsely (numerics/block_elimination.h). Left out: that friction changes with the normal force, that normals turn,
/// gyroscopic torques, springs between bodies, dents. That costs iterations where it matters, not accuracy. No
/// iteration is spent on works, which act on nothing: the work of a driven obstacle changes with all that changes its
/// force.

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/contact_motion.h"
#include "carom/engine/smooth/group_layout.h"
#include "carom/numerics/block_elimination.h"

namespace carom::smooth {

class GroupStiffness {
 public:
  /// Forgets what it knows of another set of contacts.
  void begin() {
    contacts_.clear();
    analysed_ = false;
  }

  /// Takes the contacts at a state, one after the other, and the bodies before them.
  void clear(const Environment& environment, const GroupLayout& layout, const double* y);
  void add(const Contact& contact, const ContactMotion& motion, const double* y);

  /// The quickest rate as StiffPart says [1/s]: of damping, of an oscillation along the normals, or 2.5 times that of
  /// one along the surfaces.
  [[nodiscard]] double quickest_rate();
  void factor(double c);
  /// (1 − cS)⁻¹ r in place, r laid out as the state of the group.
  void solve(double* r);

 private:
  using Matrix36 = Eigen::Matrix<double, 3, 6>;
  using Matrix66 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  struct Body {
    double root_mass;      ///< √m
    Eigen::Matrix3d turn;  ///< J^{-1/2} in the world frame; zero of one that does not spin
    Eigen::Matrix3d root;  ///< J^{1/2} likewise
    Quaterniond attitude;
    int position, velocity, rest;
  };
  struct Rows {
    int a, b;  ///< slots; b < 0: an obstacle
    Vector3d normal;
    int stretch;                  ///< where the stretch of its spring stands in the state; negative: it has none
    Matrix36 of_a, of_b;          ///< G
    Eigen::Matrix3d damping;      ///< D
    Eigen::Matrix3d spring;       ///< of K what belongs to the depth
    Eigen::Matrix3d side_spring;  ///< of K what belongs to the stretch
    Eigen::Matrix3d turning;      ///< slope of the torque against rolling and spinning in the relative spin
    int works;                    ///< where the works of its damping and friction stand in the state
    bool has_friction;
    Vector3d damping_slope;            ///< of the power of its damping in w
    Vector3d friction_slope;           ///< of that of its friction
    Vector3d wall_velocity;            ///< of the obstacle at the point
    Vector3d left = Vector3d::Zero();  ///< of the equations of positions, where one is solved: relative, as w
    double giving_up;                  ///< rate at which stretch beyond what friction bears is given up
  };

  void analyse();
  void add_block(int a, int b, const Matrix66& part);
  [[nodiscard]] Eigen::Vector3d relative(const Rows& rows, const std::vector<Vector6>& scaled) const;

  std::vector<Body> bodies_;
  std::vector<Rows> contacts_;
  std::vector<Matrix66> sums_;
  std::vector<Vector6> scaled_, rhs_;
  std::vector<BlockElimination::Vector> unknowns_;
  BlockElimination elimination_;
  bool analysed_ = false;
  int wall_work_ = -1;  ///< where the work of driven obstacles stands in the state; negative: nowhere
  double c_ = 0.0;
};

}  // namespace carom::smooth
