#pragma once
/// Rows of joints and constraints of a large mechanism that touches something, eliminated joint by joint
/// (mechanics/joint_system.h): what is left for the contacts costs as much as there are contacts.
///
/// With W = G⁻¹ − G⁻¹Aᵀ(A G⁻¹Aᵀ)⁺A G⁻¹ a force r on a row of a contact moves the mechanism by W rᵀ, and
///   a = a_h + W Rᵀλ
/// a_h being the acceleration under all other forces, held by the joints. So contacts are solved with the rows R W G
/// in place of R and without those of joints.

#include <vector>

#include "carom/engine/event/island_row.h"
#include "carom/mechanics/joint_system.h"

namespace carom::event {

class JointElimination {
 public:
  /// The rows that are of no contact, of bodies with these inverse masses and moments, six of each.
  void factor(const std::vector<IslandRow>& rows, const std::vector<double>& inverse_mass);
  /// Changes accelerations so that all rows hold, A a + bias = 0.
  void hold(std::vector<double>& acceleration);
  /// W G of an acceleration: what the joints leave of it.
  void project(double* acceleration);
  /// The forces of rows at the last hold().
  [[nodiscard]] const std::vector<double>& forces() const { return system_.forces(); }

  /// Which rows depend on others stays decided for a layout (island_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  void lay_out(const std::vector<IslandRow>& rows, std::size_t bodies);
  void lay_out_blocks();

  struct Block {
    std::array<int, IslandRow::kBodies> slots;
    int rows;

    bool operator==(const Block&) const = default;
  };
  std::size_t bodies_ = 0;
  std::vector<Block> blocks_, before_;
  std::vector<JointRow> rows_;  ///< scratch
  std::vector<Twist> twists_;
  JointSystem system_;
};

}  // namespace carom::event
