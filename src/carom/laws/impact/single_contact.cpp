#include "carom/laws/impact/single_contact.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double kNever = HUGE_VAL;
/// A stuck contact whose normal moves with less than this of its inertance cannot move at all.
constexpr double kHeld = 1e-12;
/// Phases that carry less than this part of the impulse are not listed.
constexpr double kPhase = 1e-9;
/// Slip that turns by less than this per unit of its own decay keeps its direction.
constexpr double kStraight = 4e-16;
constexpr int kMostPieces = 64;

}  // namespace

double SingleContact::slip_speed() const {
  return data_.tangents == 2 ? std::hypot(s_[0], s_[1]) : std::abs(s_[0]);
}

FrictionMode SingleContact::slip_mode() const {
  if (data_.tangents == 2) return FrictionMode::slip;
  return s_[0] > 0.0 ? FrictionMode::slip_positive : FrictionMode::slip_negative;
}

void SingleContact::begin_phase(FrictionMode mode) {
  if (phase_count_ == kMostPhases) return;
  phases_[phase_count_] = mode;
  carried_[phase_count_++] = 0.0;
}

void SingleContact::note_phase(FrictionMode mode, double carried) {
  if (phase_count_ == 0 || phases_[phase_count_ - 1] != mode) begin_phase(mode);
  carried_[phase_count_ - 1] += carried;
  mode_ = mode;
}

void SingleContact::drop_small_phases() {
  double largest = 0.0;
  for (std::size_t k = 0; k < phase_count_; ++k) largest += carried_[k];
  std::size_t kept = 0;
  for (std::size_t k = 0; k < phase_count_; ++k) {
    if (carried_[k] < kPhase * largest) continue;
    phases_[kept] = phases_[k];
    carried_[kept++] = carried_[k];
  }
  phase_count_ = kept;
}

void SingleContact::start(const SingleContactData& data, RestitutionRule rule) {
  data_ = data;
  rule_ = rule;
  if (data_.tangents == 1) data_.slip[1] = data_.coupling[1] = data_.tangential[1] = data_.tangential[2] = 0.0;
  compressing_ = true;
  limit_ = data.friction == kNoSlip;
  p_ = pi_[0] = pi_[1] = stored_ = friction_work_ = 0.0;
  rate_ = data_.rate;
  s_[0] = data_.slip[0];
  s_[1] = data_.slip[1];
  stop_ = Stop::separated;
  mode_ = FrictionMode::open;
  phase_count_ = 0;
}

SingleContact::Piece SingleContact::sliding_piece(double x, double y) const {
  const double along = limit_ ? 0.0 : 1.0;
  const double friction = limit_ ? 1.0 : data_.friction;
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  return {.p = along,
          .pi = {-friction * x, -friction * y},
          .rate = along * data_.inertance - friction * (b[0] * x + b[1] * y),
          .slip = {along * b[0] - friction * (c[0] * x + c[1] * y), along * b[1] - friction * (c[1] * x + c[2] * y)},
          .sticks = false};
}

SingleContact::Piece SingleContact::sticking_piece() const {
  // dπ = −C⁺b dp. C may be singular (a tangent that constraints fix): then only its range is pushed.
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  Piece piece{.p = 1.0, .pi = {0.0, 0.0}, .rate = data_.inertance, .slip = {0.0, 0.0}, .sticks = true};
  const double trace = c[0] + c[2];
  if (!(trace > 0.0)) return piece;
  const double determinant = c[0] * c[2] - c[1] * c[1];
  if (data_.tangents == 2 && determinant > kHeld * trace * trace) {
    piece.pi[0] = -(c[2] * b[0] - c[1] * b[1]) / determinant;
    piece.pi[1] = -(c[0] * b[1] - c[1] * b[0]) / determinant;
  } else {
    // rank one: C = trace·e eᵀ, and b lies along e
    piece.pi[0] = -(c[0] * b[0] + c[1] * b[1]) / (trace * trace);
    piece.pi[1] = -(c[1] * b[0] + c[2] * b[1]) / (trace * trace);
  }
  piece.rate = data_.inertance + b[0] * piece.pi[0] + b[1] * piece.pi[1];
  return piece;
}

bool SingleContact::can_stick() const {
  if (data_.friction == kNoSlip) return true;
  const Piece stick = sticking_piece();
  return std::hypot(stick.pi[0], stick.pi[1]) <= data_.friction;
}

void SingleContact::onset_direction(double* direction) const {
  // f = −μd minimises ½fᵀCf + b·f over |f| ≤ μ: (C + νI)f = −b with |f| = μ, ν ≥ 0. In the axes of C the equation for ν
  // is Σ bᵢ²/(cᵢ+ν)² = μ²; 1/|f| is concave in ν, so that Newton's method on it converges from below.
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  if (data_.tangents == 1) {
    direction[0] = b[0] > 0.0 ? 1.0 : -1.0;
    direction[1] = 0.0;
    return;
  }
  const double angle = 0.5 * std::atan2(2.0 * c[1], c[0] - c[2]);
  const double axis[2] = {std::cos(angle), std::sin(angle)};
  const double middle = 0.5 * (c[0] + c[2]);
  const double spread = std::hypot(0.5 * (c[0] - c[2]), c[1]);
  const double eigen[2] = {middle + spread, std::max(0.0, middle - spread)};
  const double along[2] = {b[0] * axis[0] + b[1] * axis[1], b[1] * axis[0] - b[0] * axis[1]};
  double shift = 0.0;
  double force[2] = {0.0, 0.0};
  for (int step = 0; step < 100; ++step) {
    double slope = 0.0;
    double square = 0.0;
    for (int k = 0; k < 2; ++k) {
      const double width = eigen[k] + shift;
      force[k] = along[k] == 0.0 ? 0.0 : along[k] / width;
      square += force[k] * force[k];
      if (force[k] != 0.0) slope += force[k] * force[k] / width;
    }
    if (!std::isfinite(square)) {  // a direction without inertance of its own
      shift = 1e-16 * eigen[0];
      continue;
    }
    const double size = std::sqrt(square);
    const double correction = (size - data_.friction) / data_.friction * square / slope;
    shift += correction;
    if (!(correction > 1e-16 * shift)) break;
  }
  const double size = std::hypot(force[0], force[1]);
  direction[0] = (force[0] * axis[0] - force[1] * axis[1]) / size;
  direction[1] = (force[0] * axis[1] + force[1] * axis[0]) / size;
}

void SingleContact::turn() {
  rate_ = 0.0;
  compressing_ = !compressing_;
}

SingleContact::End SingleContact::follow_piece(const Piece& piece) {
  const double e = data_.restitution;
  double to_turn = kNever;
  double to_end = kNever;
  double to_stop = kNever;
  if (compressing_) {
    if (piece.rate > 0.0) to_turn = -rate_ / piece.rate;
  } else {
    if (piece.rate < 0.0 && rate_ > 0.0) to_turn = -rate_ / piece.rate;
    switch (rule_) {
      case RestitutionRule::energetic: {
        const double missing = e * e * stored_;
        const double square = rate_ * rate_ + 2.0 * piece.rate * missing;
        if (square >= 0.0) to_end = missing > 0.0 ? 2.0 * missing / (rate_ + std::sqrt(square)) : 0.0;
        break;
      }
      case RestitutionRule::kinetic: to_end = stored_; break;
      case RestitutionRule::kinematic: {
        const double missing = -e * data_.rate - rate_;
        to_end = missing <= 0.0 ? 0.0 : piece.rate > 0.0 ? missing / piece.rate : kNever;
        break;
      }
    }
  }
  const double fall = piece.slip[0] * s_[0] + piece.slip[1] * s_[1];
  if (!piece.sticks && fall < 0.0) to_stop = (s_[0] * s_[0] + s_[1] * s_[1]) / -fall;
  const double length = std::min({to_turn, to_end, to_stop});
  if (!(length < kNever)) return End::nothing;

  const FrictionMode mode = piece.sticks ? FrictionMode::stick : slip_mode();
  const double before = rate_;
  const double slip_before[2] = {s_[0], s_[1]};
  p_ += length * piece.p;
  rate_ += length * piece.rate;
  for (int k = 0; k < 2; ++k) {
    pi_[k] += length * piece.pi[k];
    s_[k] += length * piece.slip[k];
    if (!piece.sticks) friction_work_ += 0.5 * length * piece.pi[k] * (slip_before[k] + s_[k]);
  }
  const double work = 0.5 * (before + rate_) * length;
  if (rule_ == RestitutionRule::energetic && work != 0.0) stored_ -= compressing_ ? work : work / (e * e);
  if (rule_ == RestitutionRule::kinetic) stored_ += compressing_ ? e * length : -length;
  note_phase(mode, length);
  if (to_end <= to_turn && to_end <= to_stop) return End::finished;
  if (to_stop <= to_turn) {
    s_[0] = s_[1] = 0.0;
    return End::slip_died;
  }
  turn();
  return End::turned;
}

bool SingleContact::direction_is_kept() const {
  if (data_.tangents == 1) return true;
  const double speed = slip_speed();
  const double x = s_[0] / speed;
  const double y = s_[1] / speed;
  const Piece piece = sliding_piece(x, y);
  const double across = x * piece.slip[1] - y * piece.slip[0];
  const double size = std::abs(data_.coupling[0]) + std::abs(data_.coupling[1]) +
                      (limit_ ? 1.0 : data_.friction) * (data_.tangential[0] + data_.tangential[2]);
  return std::abs(across) <= kStraight * size;
}

SingleContact::Piece SingleContact::onset_piece(bool& exists) {
  // Slip grows from zero: all that it has at first is its direction.
  double direction[2];
  onset_direction(direction);
  const Piece piece = sliding_piece(direction[0], direction[1]);
  exists = direction[0] * piece.slip[0] + direction[1] * piece.slip[1] > 0.0;
  if (exists)
    for (int k = 0; k < 2; ++k) s_[k] = direction[k] * 1e-300;
  return piece;
}

SingleContact::End SingleContact::follow_onset(const Piece& piece) {
  begin_phase(slip_mode());
  End end = End::turned;
  while (end == End::turned) end = follow_piece(piece);
  return end;
}

void SingleContact::remove_residual_slip() {
  if (data_.tangents == 1) return;
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  const double determinant = c[0] * c[2] - c[1] * c[1];
  if (!(determinant > kHeld * (c[0] + c[2]) * (c[0] + c[2]))) return;
  double left[2];
  for (int k = 0; k < 2; ++k) left[k] = data_.slip[k] + b[k] * p_ + c[k] * pi_[0] + c[k + 1] * pi_[1];
  const double change[2] = {-(c[2] * left[0] - c[1] * left[1]) / determinant,
                            -(c[0] * left[1] - c[1] * left[0]) / determinant};
  for (int k = 0; k < 2; ++k) {
    pi_[k] += change[k];
    rate_ += b[k] * change[k];
  }
}

void SingleContact::follow(const SingleContactData& data, RestitutionRule rule) {
  start(data, rule);
  End end = End::turned;
  for (int piece = 0; piece < kMostPieces && end != End::finished; ++piece) {
    if (slips()) {
      const double speed = slip_speed();
      end = direction_is_kept() ? follow_piece(sliding_piece(s_[0] / speed, s_[1] / speed)) : follow_hodograph();
      if (end == End::slip_died) remove_residual_slip();
    } else {
      if (limit_ && end == End::slip_died) {
        // Friction alone has killed the slip. What it stored is nothing beside a pressure that grows.
        phase_count_ = 0;
        stored_ = 0.0;
        if (!compressing_) break;
      }
      limit_ = false;
      const Piece stick = sticking_piece();
      bool slides = !can_stick();
      const Piece onset = slides ? onset_piece(slides) : stick;
      if (slides) {
        end = follow_onset(onset);
      } else if (stick.rate <= kHeld * data_.inertance) {
        // Normal and slip are one degree of freedom, and friction holds it.
        mode_ = FrictionMode::stick;
        stop_ = std::abs(rate_) <= 1e-9 * data_.speed ? Stop::wedged : Stop::infeasible;
        break;
      } else {
        end = follow_piece(stick);
      }
    }
    if (end == End::nothing) {
      stop_ = Stop::infeasible;
      break;
    }
  }
  drop_small_phases();
}

}  // namespace carom
