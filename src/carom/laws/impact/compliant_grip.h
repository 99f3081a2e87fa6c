#pragma once
/// Which contacts of a cluster stick and which slip, and how all rows then answer to the forces that are free.
///
/// Contacts whose slip is zero (`still`) take the tangential forces f that together minimise the kinetic energy of the
/// acceleration over Coulomb's disks |fᵢ| ≤ μᵢFᵢ, the normal forces being given by the springs. That is Coulomb's law
/// for the acceleration of slip: inside the disk the contact sticks, on the rim it starts to slip along −f. The problem
/// is convex, so the acceleration is unique; block descent with the exact minimum over one disk finds it.
///
/// With the modes known, the forces of contacts that stick are a fixed matrix R times the free ones (normal forces, and
/// the tangential forces of contacts that slide in a plane of two tangents or have a tangential spring). Where rows
/// are redundant, R gives the forces of least Σ|fᵢ|²/wᵢ, with weights wᵢ = μᵢFᵢ, lowered where a contact would leave
/// its disk although others could hold in its place; where that does not help, they let go together.
///
/// Rows are numbered plane by plane: all normals, all first tangents, all second tangents.

#include <span>
#include <vector>

#include "carom/laws/impact/compliant_contact.h"
#include "carom/numerics/dense.h"

namespace carom {

class CompliantGrip {
 public:
  static constexpr int kPlanes = 3;

  struct Row {
    int place;  ///< of the contact
    int plane;  ///< 1 or 2
  };

  void start(const CompliantSprings& springs);

  /// Decides about the still contacts among the first `closed`: sets their grip and direction. `force` holds their
  /// normal forces; `friction` (two planes of `count` entries) the tangential forces of contacts that are not still,
  /// and is completed. Contacts that begin to slip are not still any more. Returns whether respond() has been asked
  /// with these grips already: all still ones stick.
  bool decide(std::span<CompliantContact> contacts, int closed, const double* force, double* friction);

  /// Works out the answer of all rows to the free forces of these modes.
  void respond(std::span<const CompliantContact> contacts, int closed, const double* force, const double* friction);

  /// Among redundant rows, a contact near its limit whom no other can relieve, or −1.
  [[nodiscard]] int lone_limit() const { return lone_limit_; }
  /// Redundant contacts that stick are near the limit of what they can hold together: Σ wᵢ(μᵢFᵢ + fᵢ·dᵢ) = 0 for the
  /// slips wᵢdᵢ that would start. Their own limits say nothing then.
  [[nodiscard]] bool near_common_limit() const { return common_limit_; }
  [[nodiscard]] double limit_weight(int i) const { return limit_weight_[i]; }
  [[nodiscard]] double limit_direction(int a, int i) const { return limit_direction_[a * count_ + i]; }

  // Free forces stand in columns: the normal ones of all closed contacts, then, plane by plane, the tangential ones of
  // those contacts whose grip has a force of its own. Contacts are named by their places.
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] std::span<const int> free_contacts() const { return free_; }
  [[nodiscard]] std::span<const Row> sticking() const { return sticking_; }
  [[nodiscard]] int column(int plane, int i) const {
    return closed_ + (plane - 1) * static_cast<int>(free_.size()) + free_place_[i];
  }
  /// Change of row (plane, i) by a unit of each free force.
  [[nodiscard]] const double* response(int plane, int i) const { return &response_[index(plane * count_ + i, 0)]; }
  /// The contacts, by index, whose impulses this one feels directly.
  [[nodiscard]] std::span<const int> felt_by(const CompliantContact& contact) const {
    const int first = first_felt_[contact.index];
    return {felt_.data() + first, static_cast<std::size_t>(first_felt_[contact.index + 1] - first)};
  }
  /// Force of the sticking contact i along tangent `a` by these free forces.
  [[nodiscard]] double pull(int a, int i, const double* force) const {
    return dense::dot(&share_[index(a * closed_ + i, 0)], force, columns_);
  }
  /// Whether the last answer had redundant rows, so that forces of single contacts are not determined.
  [[nodiscard]] bool redundant() const { return redundant_; }

  /// Takes the slip away that contacts which stick have left: adds what it costs to `impulse` (two planes of `count`,
  /// by contact) and changes the velocities of all rows (three planes, by place).
  void remove_slip(std::span<const CompliantContact> contacts, int closed, double* velocity, double* impulse);

  [[nodiscard]] double matrix(int row, int column) const { return springs_.rows[row * kPlanes * count_ + column]; }
  [[nodiscard]] double friction_of(const CompliantContact& contact) const { return springs_.friction[contact.index]; }
  [[nodiscard]] int tangents_of(const CompliantContact& contact) const { return springs_.tangents[contact.index]; }

 private:
  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }
  [[nodiscard]] int row_of(const CompliantContact& contact, int plane) const { return plane * count_ + contact.index; }
  [[nodiscard]] bool feels(int i, int j) const;
  void collect_sticking(std::span<const CompliantContact> contacts, int closed);
  void direct_response(std::span<const CompliantContact> contacts);
  void factorise_sticking(std::span<const CompliantContact> contacts);
  /// right ← −A⁺ right for the sticking rows, one column.
  void solve_sticking(double* right);
  /// Forces of the sticking contacts by the weights as they are; returns the contact that uses most of its limit.
  int share_forces(std::span<const CompliantContact> contacts, const double* force);
  void find_common_limit(std::span<const CompliantContact> contacts, int worst);
  double worst_use(std::span<const CompliantContact> contacts, const double* force, int& worst) const;

  CompliantSprings springs_;
  int count_ = 0;
  int closed_ = 0;
  int columns_ = 0;
  int tangents_ = 0;  // the most of a contact
  double use_ = 0.0;  // largest |f|/μF of a contact that sticks
  bool redundant_ = false;
  bool common_limit_ = false;
  int lone_limit_ = -1;
  std::vector<int> still_, place_, first_felt_, felt_;
  std::vector<int> free_, free_place_;  // places with a free tangential force, and where each of them stands there
  std::vector<Row> sticking_;
  std::vector<double> limit_direction_, limit_weight_, common_, inverse_common_;
  std::vector<double> best_weight_, free_force_, load_, scale_, weight_, response_, share_, matrix_, column_, gram_,
      inverse_;
  dense::PivotedCholesky factor_;
};

}  // namespace carom
