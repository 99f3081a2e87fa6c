#include "carom/film/film_columns.h"

#include <algorithm>
#include <limits>
#include <string>

#include "carom/base/assert.h"
#include "carom/laws/impact/registry.h"

namespace carom {
namespace {

void append(std::vector<float>& column, const Eigen::Vector3d& v) {
  for (const double x : v) column.push_back(static_cast<float>(x));
}

/// Index into the names of a film's scene; −1 for none, and for a law that is not registered.
std::int32_t law_index(std::string_view name) {
  const auto laws = impact_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [name](const ImpactLaw* law) { return law->name == name; });
  return found == laws.end() ? -1 : static_cast<std::int32_t>(found - laws.begin());
}

std::int32_t narrowed(long number) {
  return static_cast<std::int32_t>(std::min<long>(number, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

void FilmSamples::append(const State& state, std::span<const double> gaps) {
  CAROM_ASSERT(state.bodies.size() == bodies_ && gaps.size() == gaps_);
  time_.push_back(state.time);
  for (const BodyState& body : state.bodies) {
    position_.insert(position_.end(), body.position.data(), body.position.data() + 3);
    const Eigen::Quaterniond& turn = body.orientation;
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) orientation_.push_back(static_cast<float>(x));
    carom::append(velocity_, body.velocity);
    carom::append(angular_velocity_, body.angular_velocity);
  }
  gap_.insert(gap_.end(), gaps.begin(), gaps.end());
  const bool known = state.joint_loads.size() == joints_;
  for (std::size_t i = 0; i < joints_; ++i) {
    const JointLoad load = known ? state.joint_loads[JointIndex(static_cast<int>(i))] : JointLoad::unknown();
    carom::append(joint_force_, load.force);
    carom::append(joint_couple_, load.couple);
  }
}

std::size_t FilmSamples::row_bytes() const {
  constexpr std::size_t kBytesPerBody = 3 * sizeof(double) + (4 + 3 + 3) * sizeof(float);
  return (1 + gaps_) * sizeof(double) + bodies_ * kBytesPerBody + joints_ * 6 * sizeof(float);
}

void FilmSamples::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("time", time_, rows);
  arrays.add("position", position_, rows, 3 * bodies_);
  arrays.add("orientation", orientation_, rows, 4 * bodies_);
  arrays.add("velocity", velocity_, rows, 3 * bodies_);
  arrays.add("angular_velocity", angular_velocity_, rows, 3 * bodies_);
  arrays.add("gap", gap_, rows, gaps_);
  arrays.add("joint_force", joint_force_, rows, 3 * joints_);
  arrays.add("joint_couple", joint_couple_, rows, 3 * joints_);
}

void FilmLoads::append(std::span<const ContactLoad> loads) {
  for (const ContactLoad& load : loads) {
    a_.push_back(load.a);
    b_.push_back(load.b);
    carom::append(point_, load.point);
    carom::append(normal_, load.normal);
    force_.push_back(static_cast<float>(load.force));
    carom::append(friction_, load.friction);
    mode_.push_back(static_cast<std::uint8_t>(load.mode));
  }
  count_.push_back(static_cast<std::uint32_t>(loads.size()));
  first_.push_back(a_.size());
}

void FilmLoads::add_to(FilmArrays& arrays, FilmRows samples, FilmRows loads) const {
  arrays.add("load_count", count_, samples);
  arrays.add("load.a", a_, loads);
  arrays.add("load.b", b_, loads);
  arrays.add("load.point", point_, loads, 3);
  arrays.add("load.normal", normal_, loads, 3);
  arrays.add("load.force", force_, loads);
  arrays.add("load.friction", friction_, loads, 3);
  arrays.add("load.mode", mode_, loads);
}

void FilmContacts::append(const ContactRecord& contact, bool is_turn) {
  a.push_back(contact.a);
  b.push_back(contact.b);
  joint.push_back(contact.limit.joint);
  turn.push_back(is_turn ? 1 : 0);
  upper.push_back(contact.limit.side == LimitSide::upper ? 1 : 0);
  carom::append(point, contact.point);
  carom::append(normal, contact.normal);
  carom::append(tangential_impulse, contact.tangential_impulse);
  impulse.push_back(contact.impulse);
  rate_before.push_back(contact.rate_before);
  rate_after.push_back(contact.rate_after);
  constexpr double kNotEnded = std::numeric_limits<double>::quiet_NaN();
  began.push_back(contact.course ? contact.course->began : kNotEnded);
  peak_force.push_back(contact.course ? contact.course->peak_force : kNotEnded);
  peak_time.push_back(contact.course ? contact.course->peak_time : kNotEnded);
}

void FilmContacts::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("contact.a", a, rows);
  arrays.add("contact.b", b, rows);
  arrays.add("contact.joint", joint, rows);
  arrays.add("contact.turn", turn, rows);
  arrays.add("contact.upper", upper, rows);
  arrays.add("contact.point", point, rows, 3);
  arrays.add("contact.normal", normal, rows, 3);
  arrays.add("contact.impulse", impulse, rows);
  arrays.add("contact.tangential_impulse", tangential_impulse, rows, 3);
  arrays.add("contact.rate_before", rate_before, rows);
  arrays.add("contact.rate_after", rate_after, rows);
  arrays.add("contact.began", began, rows);
  arrays.add("contact.peak_force", peak_force, rows);
  arrays.add("contact.peak_time", peak_time, rows);
}

void FilmJumps::append(const JumpRecord& jump) {
  body.push_back(jump.body);
  carom::append(velocity_before, jump.velocity_before);
  carom::append(velocity_after, jump.velocity_after);
  carom::append(angular_velocity_before, jump.angular_velocity_before);
  carom::append(angular_velocity_after, jump.angular_velocity_after);
}

void FilmJumps::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("jump.body", body, rows);
  arrays.add("jump.velocity_before", velocity_before, rows, 3);
  arrays.add("jump.velocity_after", velocity_after, rows, 3);
  arrays.add("jump.angular_velocity_before", angular_velocity_before, rows, 3);
  arrays.add("jump.angular_velocity_after", angular_velocity_after, rows, 3);
}

void FilmJointImpulses::append(const JointRecord& record) {
  joint.push_back(record.joint);
  carom::append(force, record.force);
  carom::append(couple, record.couple);
}

void FilmJointImpulses::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("joint_impulse.joint", joint, rows);
  arrays.add("joint_impulse.force", force, rows, 3);
  arrays.add("joint_impulse.couple", couple, rows, 3);
}

void FilmEvents::append(const EventRecord& event, const FilmEventRows& before) {
  time.push_back(event.time);
  energy_before.push_back(event.energy.before);
  energy_after.push_back(event.energy.after);
  contact_work.push_back(event.energy.contact_work);
  min_impulse.push_back(event.min_impulse);
  min_gap_rate_after.push_back(event.min_gap_rate_after);
  constraint_residual.push_back(event.constraint_residual);
  complementarity_residual.push_back(event.complementarity_residual.value_or(std::numeric_limits<double>::quiet_NaN()));
  kind.push_back(static_cast<std::uint8_t>(event.kind));
  stop.push_back(static_cast<std::uint8_t>(event.stop));
  law.push_back(law_index(event.law));
  round.push_back(event.round);
  steps.push_back(narrowed(event.steps));
  flags.push_back(event.flags.bits());
  first_contact.push_back(static_cast<std::uint32_t>(before.contact));
  contact_count.push_back(static_cast<std::uint32_t>(event.contacts.size()));
  first_jump.push_back(static_cast<std::uint32_t>(before.jump));
  jump_count.push_back(static_cast<std::uint32_t>(event.jumps.size()));
  first_joint.push_back(static_cast<std::uint32_t>(before.joint));
  joint_count.push_back(static_cast<std::uint32_t>(event.joints.size()));
}

void FilmEvents::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("event.time", time, rows);
  arrays.add("event.energy_before", energy_before, rows);
  arrays.add("event.energy_after", energy_after, rows);
  arrays.add("event.contact_work", contact_work, rows);
  arrays.add("event.min_impulse", min_impulse, rows);
  arrays.add("event.min_gap_rate_after", min_gap_rate_after, rows);
  arrays.add("event.constraint_residual", constraint_residual, rows);
  arrays.add("event.complementarity_residual", complementarity_residual, rows);
  arrays.add("event.kind", kind, rows);
  arrays.add("event.stop", stop, rows);
  arrays.add("event.law", law, rows);
  arrays.add("event.round", round, rows);
  arrays.add("event.steps", steps, rows);
  arrays.add("event.flags", flags, rows);
  arrays.add("event.first_contact", first_contact, rows);
  arrays.add("event.contact_count", contact_count, rows);
  arrays.add("event.first_jump", first_jump, rows);
  arrays.add("event.jump_count", jump_count, rows);
  arrays.add("event.first_joint", first_joint, rows);
  arrays.add("event.joint_count", joint_count, rows);
}

}  // namespace carom
