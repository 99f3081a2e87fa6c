#pragma once
/// The turns of joints at the samples of a record, whole turns counted.
///
/// A record has the poses of bodies, which tell an angle but for whole turns. These are counted from sample to sample:
/// with the rates r at both ends a turn has grown by ½h(r_a + r_b) nearly, and the angle is the one nearest to that. It
/// would have to be off by half a turn to be wrong. At the start the turns are those of the scene.

#include <map>
#include <vector>

#include "carom/mechanics/joint_rows.h"
#include "carom/record/record_reader.h"

namespace carom {

class RecordedTurns {
 public:
  /// Both live longer.
  RecordedTurns(const RecordReader& record, const Model& model) : record_(record), kinematics_(model) {}

  [[nodiscard]] const JointKinematics& kinematics() const { return kinematics_; }
  /// Turns that those of a joint at a time are within half a turn of: even between the samples around it.
  [[nodiscard]] JointTurns near(JointIndex joint, double time);

 private:
  /// At every sample.
  [[nodiscard]] std::vector<JointTurns> counted(JointIndex joint);

  const RecordReader& record_;
  JointKinematics kinematics_;
  std::vector<double> times_;                            ///< of all samples; empty until it is asked for
  std::map<JointIndex, std::vector<JointTurns>> turns_;  ///< of the joints that were asked for
};

/// What is needed beside the samples of a record; null where no quantity needs it.
struct RecordedScene {
  const Model* model = nullptr;
  RecordedTurns* turns = nullptr;
};

}  // namespace carom
