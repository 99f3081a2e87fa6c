#pragma once
/// The value of a quantity (quantity.h) at one moment of a record: at a sample, or at any time between two of them.

#include <span>

#include "carom/analysis/quantity.h"
#include "carom/analysis/recorded_turns.h"
#include "carom/analysis/sample_interval.h"

namespace carom {

/// What there is at one moment.
class Moment {
 public:
  Moment(double time, const Model* model) : time_(time), model_(model) {}
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;
  virtual ~Moment() = default;

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const Model* model() const { return model_; }  ///< null where no quantity needs it
  [[nodiscard]] virtual BodyState body(int body) const = 0;
  [[nodiscard]] virtual Eigen::Vector3d position(int body) const = 0;
  [[nodiscard]] virtual Eigen::Vector3d velocity(int body) const = 0;
  [[nodiscard]] virtual Eigen::Vector3d angular_velocity(int body) const = 0;
  [[nodiscard]] virtual Eigen::Quaterniond orientation(int body) const = 0;
  /// NaN where it is not known.
  [[nodiscard]] virtual Eigen::Vector3d acceleration(int body) const = 0;
  [[nodiscard]] virtual Eigen::Vector3d joint_vector(const char* path, int joint) const = 0;
  /// Those of the model, and turns that the present ones of a joint are within half a turn of.
  [[nodiscard]] virtual const JointKinematics& joints() const = 0;
  [[nodiscard]] virtual JointTurns turns_near(JointIndex joint) const = 0;
  [[nodiscard]] virtual EnergyBook energy() const = 0;
  [[nodiscard]] virtual std::span<const ContactLoad> contact_loads() const = 0;

 private:
  double time_;
  const Model* model_;
};

/// A moment of a record.
class RecordedMoment : public Moment {
 public:
  RecordedMoment(double time, const RecordedScene& scene) : Moment(time, scene.model), turns_(scene.turns) {}

  [[nodiscard]] const JointKinematics& joints() const override { return turns_->kinematics(); }
  [[nodiscard]] JointTurns turns_near(JointIndex joint) const override { return turns_->near(joint, time()); }

 private:
  RecordedTurns* turns_;
};

/// Sample i of a block, as recorded.
class SampleMoment : public RecordedMoment {
 public:
  SampleMoment(SampleBlock& block, std::size_t i, const RecordedScene& scene)
      : RecordedMoment(block.time(i), scene), block_(block), i_(i) {}

  [[nodiscard]] BodyState body(int body) const override { return block_.body(i_, body); }
  [[nodiscard]] Eigen::Vector3d position(int body) const override { return block_.vector("/position", i_, body); }
  [[nodiscard]] Eigen::Vector3d velocity(int body) const override { return block_.vector("/velocity", i_, body); }
  [[nodiscard]] Eigen::Vector3d angular_velocity(int body) const override {
    return block_.vector("/angular_velocity", i_, body);
  }
  [[nodiscard]] Eigen::Quaterniond orientation(int body) const override { return block_.orientation(i_, body); }
  [[nodiscard]] Eigen::Vector3d acceleration(int body) const override;
  [[nodiscard]] Eigen::Vector3d joint_vector(const char* path, int joint) const override {
    return block_.joint_vector(path, i_, joint);
  }
  [[nodiscard]] EnergyBook energy() const override { return block_.energy(i_); }
  [[nodiscard]] std::span<const ContactLoad> contact_loads() const override { return block_.contact_loads(i_); }

 private:
  SampleBlock& block_;
  std::size_t i_;
};

/// Between two samples; of a jump one side. Accelerations and what joints and contacts bear are not known there.
class BetweenMoment : public RecordedMoment {
 public:
  BetweenMoment(const SampleInterval& interval, double time, Side side, const RecordedScene& scene)
      : RecordedMoment(time, scene), interval_(interval), side_(side) {}

  [[nodiscard]] BodyState body(int body) const override { return interval_.body(body, time(), side_); }
  [[nodiscard]] Eigen::Vector3d position(int k) const override { return body(k).position; }
  [[nodiscard]] Eigen::Vector3d velocity(int k) const override { return body(k).velocity; }
  [[nodiscard]] Eigen::Vector3d angular_velocity(int k) const override { return body(k).angular_velocity; }
  [[nodiscard]] Eigen::Quaterniond orientation(int k) const override { return body(k).orientation; }
  [[nodiscard]] Eigen::Vector3d acceleration(int body) const override;
  [[nodiscard]] Eigen::Vector3d joint_vector(const char* path, int joint) const override;
  [[nodiscard]] EnergyBook energy() const override { return interval_.energy(time(), side_); }
  [[nodiscard]] std::span<const ContactLoad> contact_loads() const override { return {}; }

 private:
  const SampleInterval& interval_;
  Side side_;
};

/// Whether a value at a sample needs masses or shapes.
bool needs_scene(const Quantity& quantity);
/// Whether it is known between samples as well.
bool is_known_between(const Quantity& quantity);
/// Whether a quantity that is known between samples may jump at the instant, or have a corner there.
bool is_moved_by(const Quantity& quantity, const Instant& instant);
/// Whether it changes much in the time of a blow.
bool is_moved_by(const Quantity& quantity, const ContactBlow& blow);

/// Not of quantities that are known at events only.
double value_of(const Moment& moment, const Quantity& quantity);

}  // namespace carom
