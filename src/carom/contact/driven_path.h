#pragma once
/// How obstacles move, as searches for contacts see it: at rest, with constant velocity and spin, or driven
/// (mechanics/driven_motion.h).
///
/// A driven motion has no bounds that are good for all time: of a sine they are far from what it does within a short
/// while, a polynomial has none at all. So a search looks at it through a window that begins at the instant at hand:
/// the bounds hold in the window, steps end with it, and it gets longer when it was what cut a step short and shorter
/// when the step was far shorter than it. Near a contact the windows shrink with the steps, the bound of the
/// acceleration tends to the acceleration itself, and steps converge as without driving.

#include <optional>

#include "carom/contact/motion.h"
#include "carom/contact/time_of_impact.h"
#include "carom/mechanics/model.h"

namespace carom::contact {

/// The path of a driven obstacle, which outlives it, from the instant start + carry on.
class DrivenPath final : public IntegratedMotion {
 public:
  explicit DrivenPath(const Obstacle& obstacle, double start = 0.0, double carry = 0.0)
      : obstacle_(obstacle), start_(start), carry_(carry) {}
  [[nodiscard]] BodyState after(double tau) const override;
  [[nodiscard]] const Obstacle& obstacle() const { return obstacle_; }

 private:
  const Obstacle& obstacle_;
  double start_, carry_;
};

/// The motion of an obstacle, from time 0 on. It refers to the obstacle where that has a `motion`.
Motion motion_of(const Obstacle& obstacle);

/// A mover seen through a window; one that is not driven is passed on as it is.
class DrivenWindow {
 public:
  /// For a search in this stretch of time.
  DrivenWindow(const Mover& mover, const Stretch& whole);

  /// With bounds that hold in the window.
  [[nodiscard]] const Mover& mover() const { return path_ == nullptr ? given_ : bounded_; }
  [[nodiscard]] bool is_driven() const { return path_ != nullptr; }
  /// The window from τ after the beginning of the stretch: the stretch as far as the bounds hold.
  [[nodiscard]] Stretch open(double tau);
  /// How long it is, from τ on.
  [[nodiscard]] double remaining(double tau) const {
    return path_ == nullptr ? whole_.horizon - whole_.time - tau : length_;
  }
  /// A step of this length was safe.
  void close(double step);
  /// By how much the obstacle moves in a direction during the window, at most; infinite where it turns. Without a
  /// direction: in any.
  [[nodiscard]] double advance_along(const Vector3d* direction) const;

 private:
  const Mover& given_;
  const Stretch& whole_;
  const DrivenPath* path_;
  Motion motion_;
  Mover bounded_;
  FrameBounds bounds_;
  double length_ = 0.0;
  double least_ = 0.0;  ///< windows do not get shorter
};

}  // namespace carom::contact
