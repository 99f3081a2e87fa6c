#pragma once
/// The way of one body between two samples: knots at the samples, the jumps and within blows, a cubic from each to the
/// next.
///
/// sample_interval.h says what is done and how large the errors are. Within blows velocities go straight from knot to
/// knot, as the slopes of the cubics would show what was missing at the end.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/analysis/contact_blow.h"
#include "carom/mechanics/state.h"

namespace carom {

/// Of a jump.
enum class Side { before, after };

/// A sample, a jump, or a place within a blow.
struct Knot {
  double time = 0.0;
  BodyState state;  ///< the velocities are those before
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity_after = Eigen::Vector3d::Zero();
  bool in_blow = false;                             ///< the step that ends here is within a blow
  Eigen::Vector3d bulge = Eigen::Vector3d::Zero();  ///< what the step that ends here goes beyond ½h(v_a + v_b)
};

/// What a blow does to one body.
struct BlowOnBody {
  const ContactBlow* blow = nullptr;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< change of it
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< likewise
};

struct BodyWay {
  std::vector<Knot> knots;
  Eigen::Vector3d closure = Eigen::Vector3d::Zero();  ///< what was missing at the end
  double bend = 0.0;  ///< how far the way leaves straight lines, by what is known of the velocities [m]
};

/// `knots` are the samples and the jumps between them, with their velocities; the first and the last one have their
/// places too.
BodyWay make_way(std::vector<Knot> knots, std::vector<BlowOnBody> blows);

/// On a way, at a time that it covers.
BodyState state_on(const BodyWay& way, double time, Side side);

}  // namespace carom
