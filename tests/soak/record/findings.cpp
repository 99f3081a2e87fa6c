#include "soak/record/findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace carom::soak {

namespace {

using Eigen::Vector3d;

/// Overlap that a contact which is closed to 1e-10 of a body's size, and the search for it here, may show.
constexpr double kRigidOverlap = 1e-6;
/// Errors of joints that are allowed at every sample, relative to the size of their bodies, and what the poses of the
/// start, which are read from the file, are off by themselves.
constexpr double kJointError = 1e-10 + 1e-12;
/// Forces give way; a body that is half inside another has been lost.
constexpr double kCompliantOverlap = 0.5;

std::string sentence(const char* format, double value, const std::string& more = {}) {
  char text[200];
  std::snprintf(text, sizeof text, format, value);
  return text + more;
}

class Look {
 public:
  explicit Look(const RecordedRun& run) : run_(run), scene_(read_recorded_scene(run.scene)) {
    if (scene_.bodies.size() != run.bodies) throw NotUnderstood("number of bodies");
    rigid_ = run.engine == "event";
  }

  Findings findings() {
    look_for_overlap();
    look_at_joints();
    look_at_energy();
    look_at_rest();
    return found_;
  }

 private:
  /// Its parts where it is.
  [[nodiscard]] std::vector<Placed> placed(std::size_t body, const BodySample& sample) const {
    std::vector<Placed> parts;
    for (const Solid& solid : scene_.bodies[body].solids)
      parts.push_back({&solid, sample.position, sample.orientation});
    return parts;
  }

  static double gap_between(const std::vector<Placed>& body, const std::vector<Placed>& other) {
    double least = 1e300;
    for (const Placed& part : body)
      for (const Placed& against : other) least = std::min(least, gap(part, against));
    return least;
  }

  [[nodiscard]] double gap_to(const std::vector<Placed>& body, const RecordedObstacle& obstacle, double time) const {
    double least = 1e300;
    for (const Placed& part : body) least = std::min(least, gap_to(part, obstacle, time));
    return least;
  }

  [[nodiscard]] double gap_to(const Placed& body, const RecordedObstacle& obstacle, double time) const {
    const Vector3d position = obstacle.position_at(time);
    const Eigen::Quaterniond turn = obstacle.orientation_at(time);
    switch (obstacle.kind) {
      case RecordedObstacle::Kind::plane: return gap_to_plane(body, turn * obstacle.normal, position);
      case RecordedObstacle::Kind::shell: return gap_inside(body, position, obstacle.radius, nullptr);
      case RecordedObstacle::Kind::bore: {
        const Vector3d axis = turn * Vector3d::UnitZ();
        return gap_inside(body, position, obstacle.radius, &axis);
      }
      case RecordedObstacle::Kind::solids: break;
    }
    double least = 1e300;
    for (const Solid& solid : obstacle.solids) least = std::min(least, gap(body, {&solid, position, turn}));
    return least;
  }

  void note_overlap(double gap, double size, const std::string& who, double time) {
    const double deep = -gap / size;
    if (deep <= found_.overlap) return;
    found_.overlap = deep;
    overlap_where_ = " of " + who + sentence(" at %g s", time);
  }

  void look_for_overlap() {
    for (std::size_t k = 0; k < run_.time.size(); ++k)
      for (std::size_t a = 0; a < run_.bodies; ++a) {
        const std::vector<Placed> first = placed(a, run_.samples[k][a]);
        const double size = scene_.bodies[a].size();
        if (!run_.samples[k][a].position.allFinite()) {
          found_.complaints.push_back(sentence("positions are no numbers at %g s", run_.time[k]));
          return;
        }
        for (const RecordedObstacle& obstacle : scene_.obstacles)
          note_overlap(gap_to(first, obstacle, run_.time[k]), size, scene_.bodies[a].name + " and " + obstacle.name,
                       run_.time[k]);
        for (std::size_t b = a + 1; b < run_.bodies; ++b) {
          if (scene_.pass_through(a, b)) continue;
          note_overlap(gap_between(first, placed(b, run_.samples[k][b])), std::min(size, scene_.bodies[b].size()),
                       scene_.bodies[a].name + " and " + scene_.bodies[b].name, run_.time[k]);
        }
      }
    const double limit = rigid_ ? kRigidOverlap : kCompliantOverlap;
    if (found_.overlap > limit)
      found_.complaints.push_back(sentence("overlap by %.2e of the size", found_.overlap, overlap_where_));
  }

  void look_at_joints() {
    if (scene_.joints.empty()) return;
    double size = 1e300;
    for (const RecordedBody& body : scene_.bodies) size = std::min(size, body.reach());
    RecordedJoints joints(scene_.joints);
    std::string who;
    for (std::size_t k = 0; k < run_.time.size(); ++k) {
      joints.move_to(run_.time[k], run_.samples[k]);
      joint_energy_.push_back(joints.energy());
      const RecordedJoints::Error worst = joints.largest_error(size);
      if (worst.relative <= found_.joints) continue;
      found_.joints = worst.relative;
      who = " of " + worst.joint + sentence(" at %g s", run_.time[k]);
    }
    if (!(found_.joints <= kJointError))
      found_.complaints.push_back(sentence("a joint is off by %.2e", found_.joints, who));
  }

  /// Kinetic energy, potential of gravity and of springs of a sample.
  [[nodiscard]] Vector3d energies(std::size_t row) const {
    const std::vector<BodySample>& sample = run_.samples[row];
    Vector3d sum = Vector3d::Zero();
    if (!joint_energy_.empty()) sum[2] = joint_energy_[row];
    for (std::size_t k = 0; k < run_.bodies; ++k) {
      const RecordedBody& body = scene_.bodies[k];
      const Vector3d spin = sample[k].orientation.conjugate() * sample[k].angular_velocity;
      sum[0] += 0.5 * body.mass * sample[k].velocity.squaredNorm() + 0.5 * spin.dot(body.inertia * spin);
      sum[1] -= body.mass * scene_.gravity.dot(sample[k].position);
    }
    for (const RecordedSpring& spring : scene_.springs) {
      const auto end = [&](int body, const Vector3d& point) -> Vector3d {
        const BodySample& at = sample[static_cast<std::size_t>(body)];
        return at.position + at.orientation * point;
      };
      const Vector3d far = spring.body_b ? end(*spring.body_b, spring.end_b) : spring.end_b;
      const double stretch = (end(spring.body_a, spring.end_a) - far).norm() - spring.rest_length;
      sum[2] += 0.5 * spring.stiffness * stretch * stretch;
    }
    return sum;
  }

  [[nodiscard]] double column(const char* name, std::size_t row) const { return run_.energy.at(name)[row]; }

  void look_at_energy() {
    const Vector3d start = energies(0);
    double largest = 0.0, differs = 0.0, open = 0.0, created = 0.0;
    // Where nothing moves: what a fall through a body's size would give, or a thousandth of it in the whole time.
    const double slow = 1e-3 / (run_.time.back() + 1e-300);
    for (const RecordedBody& body : scene_.bodies) {
      const double size = body.size();
      largest += body.mass * (scene_.gravity.norm() * size + slow * slow * size * size);
    }
    for (std::size_t k = 0; k < run_.time.size(); ++k) {
      const Vector3d now = energies(k);
      const double parts[] = {column("kinetic", k) - now[0],
                              column("gravity", k) - column("gravity", 0) - (now[1] - start[1]),
                              column("springs", k) - now[2]};
      largest = std::max({largest, now[0], std::abs(now[1] - start[1]), now[2], std::abs(column("wall_work", k)),
                          std::abs(column("motor_work", k)), column("contacts", k),
                          std::abs(column("loads", k) - column("loads", 0))});
      for (const double part : parts) differs = std::max(differs, std::abs(part));
      const double total = column("kinetic", k) + column("gravity", k) + column("springs", k) + column("loads", k) +
                           column("contacts", k);
      const double given =
          column("initial", k) + column("wall_work", k) + column("torque_work", k) + column("motor_work", k);
      const double lost = column("impacts", k) + column("damping", k) + column("cut_off", k) +
                          column("contact_damping", k) + column("friction", k) + column("swallowed", k);
      if (!std::isfinite(total - given + lost)) {
        found_.complaints.push_back(sentence("the energy book has no numbers at %g s", run_.time[k]));
        return;
      }
      open = std::max(open, std::abs(total - given + lost));
      created = std::max(created, -lost);
    }
    if (largest == 0.0) return;
    found_.energy = differs / largest;
    found_.book = open / largest;
    found_.created = created / largest;
    const double tolerance = rigid_ ? 1e-9 : 100.0 * scene_.rtol;
    if (!(found_.energy < tolerance)) found_.complaints.push_back(sentence("energies differ by %.2e", found_.energy));
    if (!(found_.book < tolerance)) found_.complaints.push_back(sentence("the book is open by %.2e", found_.book));
    // Newton's law may create energy where contacts slip, as its description says.
    const bool may_create = scene_.has_friction && (run_.law == "newton" || run_.law == "rough");
    if (!may_create && !(found_.created < tolerance))
      found_.complaints.push_back(sentence("energy created: %.2e", found_.created));
  }

  void look_at_rest() {
    const std::vector<BodySample>& last = run_.samples.back();
    const double pull = scene_.gravity.norm();
    found_.at_rest = true;
    for (std::size_t k = 0; k < run_.bodies; ++k) {
      const double size = scene_.bodies[k].size();
      const double speed = last[k].velocity.norm() + size * last[k].angular_velocity.norm();
      if (speed > 1e-3 * std::sqrt(pull * size)) found_.at_rest = false;
      if (speed > 0.0 || pull == 0.0 || scene_.bodies[k].held || run_.samples.size() < 2) continue;
      // Exactly at rest now and at the sample before.
      const BodySample& before = run_.samples[run_.samples.size() - 2][k];
      if (before.velocity.norm() > 0.0 || before.angular_velocity.norm() > 0.0) continue;
      const double apart = least_gap(k, last) / size, moved = (before.position - last[k].position).norm() / size;
      if (apart > 1e-6) {
        ++found_.floating;
        found_.complaints.push_back(scene_.bodies[k].name + sentence(" rests in the air, %.1e of its size", apart));
      }
      // What was struck in between may have moved and come to rest again.
      if (moved > 1e-12 && run_.last_jump[k] < run_.time[run_.samples.size() - 2])
        found_.complaints.push_back(scene_.bodies[k].name + sentence(" rests and moves, by %.1e of its size", moved));
    }
  }

  [[nodiscard]] double least_gap(std::size_t body, const std::vector<BodySample>& sample) const {
    const std::vector<Placed> own = placed(body, sample[body]);
    double least = 1e300;
    for (const RecordedObstacle& obstacle : scene_.obstacles)
      least = std::min(least, gap_to(own, obstacle, run_.time.back()));
    for (std::size_t other = 0; other < run_.bodies; ++other)
      if (other != body) least = std::min(least, gap_between(own, placed(other, sample[other])));
    return least;
  }

  const RecordedRun& run_;
  RecordedScene scene_;
  Findings found_;
  std::string overlap_where_;
  std::vector<double> joint_energy_;  ///< of their springs, at the samples
  bool rigid_ = true;
};

}  // namespace

Findings find_faults(const RecordedRun& run) {
  return Look(run).findings();
}

}  // namespace carom::soak
