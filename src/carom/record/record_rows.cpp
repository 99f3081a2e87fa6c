#include "carom/record/record_rows.h"

#include <limits>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/record/energy_columns.h"

namespace carom {

namespace {

Columns all_sample_columns(const RecordRows::Shape& shape) {
  Columns columns = sample_columns(shape.bodies);
  for (hdf5::Column& column : joint_load_columns(shape.joints)) columns.push_back(std::move(column));
  for (hdf5::Column& column : obstacle_columns(shape.obstacles.size())) columns.push_back(std::move(column));
  return columns;
}

}  // namespace

RecordRows::RecordRows(Shape shape)
    : shape_(std::move(shape)),
      samples_(all_sample_columns(shape_)),
      events_(event_columns()),
      contacts_(contact_columns()),
      jumps_(jump_columns()),
      joints_(joint_columns()),
      forces_(shape_.forces ? force_columns() : Columns{}) {}

std::array<std::int64_t, kTableCount> RecordRows::counts() const {
  return {samples_.all_rows(), events_.all_rows(), contacts_.all_rows(),
          jumps_.all_rows(),   joints_.all_rows(), forces_.all_rows()};
}

std::size_t RecordRows::waiting_bytes() const {
  return samples_.waiting_bytes() + events_.waiting_bytes() + contacts_.waiting_bytes() + jumps_.waiting_bytes() +
         joints_.waiting_bytes() + forces_.waiting_bytes();
}

void RecordRows::go_on_after(const std::array<std::int64_t, kTableCount>& rows) {
  RowBuffer* const tables[] = {&samples_, &events_, &contacts_, &jumps_, &joints_, &forces_};
  for (std::size_t i = 0; i < kTableCount; ++i) tables[i]->go_on_after(rows[i]);
}

void RecordRows::clear() {
  for (RowBuffer* const table : {&samples_, &events_, &contacts_, &jumps_, &joints_, &forces_}) table->clear();
}

void RecordRows::add_sample(const State& state, const EnergyBook& book) {
  CAROM_ASSERT(state.bodies.size() == shape_.bodies);
  // One column of all bodies at a time.
  const auto put = [this, &state](const auto& components_of) {
    scratch_.clear();
    for (std::size_t i = 0; i < shape_.bodies; ++i) {
      const auto components = components_of(state.bodies[i]);
      scratch_.insert(scratch_.end(), components.data(), components.data() + components.size());
    }
    samples_.reals(scratch_);
  };
  samples_.real(state.time);
  put([](const BodyState& body) { return body.position; });
  put([](const BodyState& body) {
    const Eigen::Quaterniond& q = body.orientation;
    return Eigen::Vector4d(q.w(), q.x(), q.y(), q.z());
  });
  put([](const BodyState& body) { return body.velocity; });
  put([](const BodyState& body) { return body.angular_velocity; });
  EnergyBook energies = book;
  for (const EnergyColumn& column : kEnergyColumns) samples_.real(column.field(energies));
  if (shape_.joints > 0) add_joint_loads(state);
  if (!shape_.obstacles.empty()) add_obstacles(state.time);
  if (shape_.forces) add_forces(state);
  samples_.end_row();
}

void RecordRows::add_obstacles(double time) {
  std::vector<double> orientations;
  scratch_.clear();
  for (const Obstacle& obstacle : shape_.obstacles) {
    const Pose pose = obstacle.pose_at(time);
    const Eigen::Quaterniond& q = pose.orientation;
    scratch_.insert(scratch_.end(), pose.position.begin(), pose.position.end());
    orientations.insert(orientations.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  samples_.reals(scratch_).reals(orientations);
}

void RecordRows::add_forces(const State& state) {
  const std::int64_t sample = samples_.all_rows();
  for (const ContactLoad& load : state.contact_loads) {
    forces_.integer(sample).integer(load.a).integer(load.b).vector(load.point).vector(load.normal);
    forces_.real(load.force).vector(load.friction).vector(load.couple).text(slip_mode_name(load.mode)).end_row();
  }
}

/// NaN where the engine does not tell.
void RecordRows::add_joint_loads(const State& state) {
  const bool known = state.joint_loads.size() == shape_.joints;
  for (const bool couple : {false, true}) {
    scratch_.assign(3 * shape_.joints, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; known && i < shape_.joints; ++i) {
      const JointLoad& load = state.joint_loads[i];
      for (std::size_t k = 0; k < 3; ++k)
        scratch_[3 * i + k] = (couple ? load.couple : load.force)[static_cast<int>(k)];
    }
    samples_.reals(scratch_);
  }
}

void RecordRows::add_event(const EventRecord& event) {
  if (event.law.size() > kLongestLawName) {
    throw InputError(Kind::limit, "law", "a record holds names of laws of at most 48 bytes");
  }
  const std::int64_t first_contact = contacts_.all_rows();
  const std::int64_t first_jump = jumps_.all_rows();
  const std::int64_t first_joint = joints_.all_rows();
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  for (const ContactRecord& contact : event.contacts) {
    contacts_.integer(contact.a).integer(contact.b).vector(contact.point).vector(contact.normal);
    contacts_.real(contact.impulse).vector(contact.tangential_impulse);
    contacts_.real(contact.rate_before).real(contact.rate_after);
    contacts_.real(contact.restitution.value_or(kAbsent));
    contacts_.integer(contact.limit.joint).integer(contact.limit.coordinate);
    contacts_.integer(contact.limit.side == LimitSide::upper ? 1 : 0);
    const ContactCourse course = contact.course.value_or(ContactCourse{kAbsent, kAbsent, kAbsent});
    contacts_.real(course.began).real(course.peak_force).real(course.peak_time).end_row();
  }
  for (const JumpRecord& jump : event.jumps) {
    jumps_.integer(jump.body).vector(jump.velocity_before).vector(jump.velocity_after);
    jumps_.vector(jump.angular_velocity_before).vector(jump.angular_velocity_after).end_row();
  }
  for (const JointRecord& joint : event.joints)
    joints_.integer(joint.joint).vector(joint.force).vector(joint.couple).end_row();
  events_.real(event.time).text(event_kind_name(event.kind)).integer(event.round).text(event.law);
  events_.integer(event.steps).text(stop_name(event.stop));
  events_.real(event.energy.before).real(event.energy.after).real(event.energy.change);
  events_.real(event.energy.change_from_impulses).real(event.energy.contact_work).real(event.energy.wall_work);
  events_.integer(event.flags.bits()).real(event.min_impulse).real(event.min_gap_rate_after);
  events_.real(event.constraint_residual).real(event.complementarity_residual.value_or(kAbsent));
  events_.integer(first_contact).integer(static_cast<std::int64_t>(event.contacts.size()));
  events_.integer(first_jump).integer(static_cast<std::int64_t>(event.jumps.size()));
  events_.integer(event.pocket);
  events_.integer(first_joint).integer(static_cast<std::int64_t>(event.joints.size()));
  events_.integer(event.script).end_row();
}

}  // namespace carom
