#include "carom/engine/smooth/contact_search.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/driven_path.h"
#include "carom/contact/time_of_impact.h"

namespace carom::smooth {

namespace {

/// A body's motion within the step of its group.
class StepMotion final : public contact::IntegratedMotion {
 public:
  StepMotion(const Motions& motions, BodyIndex body, double start) : motions_(motions), body_(body), start_(start) {}
  [[nodiscard]] BodyState after(double tau) const override { return motions_.state_of(body_, start_ + tau); }

 private:
  const Motions& motions_;
  BodyIndex body_;
  double start_;
};

}  // namespace

ContactSearch::Found ContactSearch::first_contact(ObjectIndex a, ObjectIndex b, FeatureCode feature, Span span) const {
  if (!(span.to > span.from)) return {span.to, false};
  const PairGeometry g = motions_.environment().geometry(a, b, feature);
  const bool round =
      g.drive == nullptr && (g.form == ContactForm::sphere_sphere || g.form == ContactForm::sphere_plane ||
                             (g.axial() && stays_on_side(g, span)));
  if (g.form == ContactForm::bore_rim) return first_dented_contact(g, span);
  if (g.form == ContactForm::part_plane && g.part.half && g.part.side == contact::BodyPart::Side::far)
    return first_dented_contact(g, span);  // the higher of two ends: by samples, it follows the other one
  const Found found = round ? first_round_contact(g, span) : first_general_contact(g, span);
  // Without its dents a pair touches sooner.
  if (!found.hit || !(g.dented_a || g.dented_b)) return found;
  return first_dented_contact(g, {found.time, span.to});
}

/// The true gap of a dented pair, looked at in samples where the shapes without dents would touch.
ContactSearch::Found ContactSearch::first_dented_contact(const PairGeometry& g, Span span) const {
  const auto pose_at = [&](ObjectIndex object, double time) {
    return motions_.is_body(object) ? motions_.state_of(BodyIndex(object.slot()), time).pose()
                                    : motions_.environment().obstacle(object, time).place;
  };
  const auto gap = [&](double time) {
    const Pose b = pose_at(g.b, time);
    return -dented_touch(motions_.model(), g, pose_at(g.a, time), b).depth;
  };
  constexpr int kSamples = 8;
  const double from = span.from, to = span.to;
  double before = from;
  const double gap_before = gap(from);
  // Already inside: a hit unless it is on its way out.
  if (gap_before < 0.0) return {from, gap(from + 1e-3 * (to - from)) < gap_before};
  for (int k = 1; k <= kSamples; ++k) {
    const double time = from + (to - from) * k / kSamples;
    if (gap(time) >= 0.0) {
      before = time;
      continue;
    }
    double low = before, high = time;
    for (int turn = 0; turn < 60 && high - low > 1e-15 * std::abs(high); ++turn) {
      const double middle = 0.5 * (low + high);
      (gap(middle) < 0.0 ? high : low) = middle;
    }
    return {low, true};
  }
  return {to, false};
}

ContactSearch::Found ContactSearch::first_general_contact(const PairGeometry& g, Span span) const {
  const Model& model = motions_.model();
  contact::Motion motions[2];
  contact::Mover movers[2];
  for (const bool second : {false, true}) {
    const ObjectIndex object = second ? g.b : g.a;
    const Shape& shape = second ? *g.shape_b : *g.shape_a;
    const Pose* const placement = second ? g.placement_b : g.placement_a;
    contact::Motion& motion = motions[second ? 1 : 0];
    motion = motions_.is_body(object) ? body_motion(BodyIndex(object.slot()), span.from)
                                      : contact::motion_of(model.obstacle(object));
    movers[second ? 1 : 0] = {second ? g.shape_b : g.shape_a,
                              shape_kind(shape),
                              &motion,
                              placement == nullptr ? bounding_radius(shape) : bounding_radius(Part{shape, *placement}),
                              std::holds_alternative<HalfSpace>(shape) ? half_space_normal(model.obstacle(object).pose)
                                                                       : Vector3d(Vector3d::Zero()),
                              placement};
  }
  double time = span.from;
  for (int k = 0; k < kMostAdvances; ++k) {
    const contact::Stretch stretch{time, 0.0, span.to};
    const contact::Advance found = g.form == ContactForm::part_plane
                                       ? contact::first_contact_of_part(movers[0], g.part, movers[1], stretch)
                                       : contact::first_contact(*g.pair, movers[0], movers[1], stretch);
    if (found.hit) return {std::max(found.time, time), found.time < span.to};
    if (found.time >= span.to || !(found.time > time)) return {span.to, false};
    time = found.time;
  }
  return {time, false};
}

/// From `from` to the end of the body's stretch.
contact::Motion ContactSearch::body_motion(BodyIndex body, double from) const {
  contact::Motion motion;
  motion.start = from;
  const Group& group = motions_.groups[motions_.groups.of(body)];
  const BodyInfo& info = motions_.environment().body(body);
  const BodyState state = motions_.state_of(body, from);
  const Track& track = motions_.paths.track(body);
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.max_spin = state.angular_velocity.norm();
  motion.acceleration = track.acceleration(from - track.start);
  if (!group.integrated) {
    if (motion.max_spin == 0.0) {
      motion.turning = contact::Turning::fixed;
    } else if (info.round) {
      motion.turning = contact::Turning::uniform;
    } else {
      motion.turning = contact::Turning::free;
      motion.principal_axes = info.principal_axes;
      const Quaterniond attitude = state.orientation * info.principal_axes;
      motion.rotation = std::make_shared<const FreeRotation>(
          info.inertia, RotationState{attitude, attitude.conjugate() * state.angular_velocity});
      motion.max_spin = motion.rotation->max_angular_speed();
      motion.max_spin_rate = motion.rotation->max_angular_acceleration();
    }
    return motion;
  }
  motion.turning = contact::Turning::integrated;
  motion.end = group.end;
  motion.acceleration_spread = track.variation;
  motion.integrated = std::make_shared<StepMotion>(motions_, body, from);
  const double h = group.end - from;
  const Vector3d last = motions_.state_of(body, group.end).angular_velocity;
  const double change = (last - state.angular_velocity).norm();
  motion.max_spin = std::max(motion.max_spin, last.norm()) + change;
  motion.max_spin_rate = h > 0.0 ? 4.0 * change / h : 0.0;
  return motion;
}

}  // namespace carom::smooth
