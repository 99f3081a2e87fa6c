#pragma once
/// A moment of a run that goes on, so that quantities have their values without a record.

#include <optional>
#include <span>

#include "carom/analysis/quantity_value.h"

namespace carom::sweep {

/// What find_quantities needs to know of a model.
RecordInfo record_info(const Model& model);

/// The state and the energies must live as long.
class RunMoment : public Moment {
 public:
  RunMoment(const Model& model, const State& state, const EnergyBook& book)
      : Moment(state.time, &model), state_(state), book_(book) {}

  [[nodiscard]] BodyState body(int body) const override { return state_.bodies[body]; }
  [[nodiscard]] Eigen::Vector3d position(int body) const override { return state_.bodies[body].position; }
  [[nodiscard]] Eigen::Vector3d velocity(int body) const override { return state_.bodies[body].velocity; }
  [[nodiscard]] Eigen::Vector3d angular_velocity(int body) const override {
    return state_.bodies[body].angular_velocity;
  }
  [[nodiscard]] Eigen::Quaterniond orientation(int body) const override { return state_.bodies[body].orientation; }
  /// Not known: it is a difference of samples.
  [[nodiscard]] Eigen::Vector3d acceleration(int body) const override;
  [[nodiscard]] Eigen::Vector3d joint_vector(const char* path, int joint) const override;
  [[nodiscard]] const JointKinematics& joints() const override;
  [[nodiscard]] JointTurns turns_near(JointIndex joint) const override;
  /// Those of the state, which has them where they were asked for.
  [[nodiscard]] std::span<const ContactLoad> contact_loads() const override { return state_.contact_loads; }
  [[nodiscard]] EnergyBook energy() const override { return book_; }

 private:
  const State& state_;
  const EnergyBook& book_;
  mutable std::optional<JointKinematics> joints_;  ///< none until it is asked for
};

}  // namespace carom::sweep
