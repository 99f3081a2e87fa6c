#pragma once
/// When two objects touch first: conservative advancement on the tracks of the bodies.
///
/// For round shapes the gap is bounded from below with the normal n of the instant: |d| ≥ n·d, so that
///   g(t + τ) ≥ g + ġτ + ½(n·a − w)τ²,   w the variation of the relative acceleration on the two tracks,
/// and time advances to the root of that bound, again and again; near a contact that is Newton's method from before it.
/// A ball in a bore has n·d ≤ |d| against it, and the bound takes the curvature of its path in. All other pairs go
/// through contact/time_of_impact.h.

#include "carom/contact/motion.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

/// Advances of one search, at most.
inline constexpr int kMostAdvances = 200;

/// From one time to another.
struct Span {
  double from, to;
};

class ContactSearch {
 public:
  /// `hit`: they touch at `time`; otherwise they do not before it, the end of the span or of a long search.
  struct Found {
    double time;
    bool hit;
  };

  explicit ContactSearch(const Motions& motions) : motions_(motions) {}

  [[nodiscard]] Found first_contact(ObjectIndex a, ObjectIndex b, FeatureCode feature, Span span) const;
  /// When the centre of a body comes into the pocket.
  [[nodiscard]] Found first_pocket(BodyIndex body, const Pocket& pocket, Span span) const;

 private:
  /// Gap of a round pair at one time, and what is known of its near future: it stays above gap + rate τ + curvature τ²
  /// for τ up to `valid`.
  struct RoundGap {
    double gap, rate, half_curvature, valid;
  };
  [[nodiscard]] RoundGap round_gap_at(const PairGeometry& g, double time, const Eigen::Vector3d& axis) const;
  [[nodiscard]] Found first_round_contact(const PairGeometry& g, Span span) const;
  [[nodiscard]] Found first_general_contact(const PairGeometry& g, Span span) const;
  [[nodiscard]] Found first_dented_contact(const PairGeometry& g, Span span) const;
  [[nodiscard]] bool stays_on_side(const PairGeometry& g, Span span) const;
  [[nodiscard]] Eigen::Vector3d axis_of(ObjectIndex object, double time) const;
  [[nodiscard]] contact::Motion body_motion(BodyIndex body, double from) const;

  const Motions& motions_;
};

}  // namespace carom::smooth
