#pragma once
/// What is kept of friction during an integration: tangential impulses, the work of friction, and which modes each
/// contact went through.

#include "carom/laws/impact/compliant_friction_series.h"

namespace carom {

template <int W, int B>
class FrictionBooks : protected FrictionSeries<W, B> {
 protected:
  using Base = FrictionSeries<W, B>;
  using Lanes = typename Base::Lanes;
  using Base::at, Base::blocks, Base::lane, Base::stride, Base::kOrder, Base::evaluate, Base::contacts_, Base::count_;
  using Base::closed_, Base::impulse_, Base::linear_, Base::planes_, Base::slip_, Base::slip_end_, Base::pull_;
  using Base::grip_, Base::friction_of, Base::tangents_of, Base::slip_speed, Base::work_, Base::stretch_;

  explicit FrictionBooks(CompliantMemory& memory)
      : Base(memory), stretches_(memory.stretches), state_(memory.friction_state) {}

  void set_up(const CompliantSprings& springs) {
    Base::set_up(springs);
    total_ = dense::ensure(state_, 3, count_);
    works_ = total_ + 2 * count_;
    std::fill_n(total_, 3 * count_, 0.0);
    stretches_.clear();
  }

  /// Contact i has opened.
  void end_grip(int i) {
    contacts_[i].grip = Grip::none;
    contacts_[i].still = false;
    finish_stretch(i);
  }

  /// What the step up to s = h adds to impulses and friction work.
  void keep_books(double h) {
    const int nb = blocks();
    const double* grown = Base::grown_sources(h);
    for (int i = 0; i < closed_; ++i) {
      CompliantContact& contact = contacts_[i];
      if (contact.grip == Grip::none) continue;
      contact.slip_before = slip_speed(i);
      for (int a = 0; a < tangents_of(i); ++a) {
        double gained = 0.0;
        if (contact.grip == Grip::slip) {
          gained = -friction_of(i) * contact.direction[a] * grown[i];
        } else if (is_free(contact.grip)) {
          gained = grown[grip_.column(a + 1, i)];
        } else {
          gained = grip_.pull(a, i, grown);
        }
        total_[a * count_ + contact.index] += gained;
      }
    }
    Base::friction_work(h, work_);
    for (int i = 0; i < closed_; ++i) works_[contacts_[i].index] += at(work_, 0, i);
    for (int a = 0; a < planes_; ++a) {
      evaluate(slip_[a], h, slip_end_[a], nb);
      if (linear_) evaluate(stretch_[a], h, stretch_[a], nb);
      std::copy_n(slip_end_[a], nb, slip_[a]);
    }
  }

  void note_modes() {
    for (int i = 0; i < closed_; ++i) note_mode(i);
  }

  std::vector<CompliantStretch>& stretches_;
  double* total_ = nullptr;  // tangential impulses, by contact
  double* works_ = nullptr;  // of friction, by contact

 private:
  [[nodiscard]] FrictionMode mode_of(int i) const {
    const CompliantContact& contact = contacts_[i];
    if (contact.grip == Grip::none) return FrictionMode::none;
    if (contact.grip == Grip::stick || contact.grip == Grip::spring) return FrictionMode::stick;
    if (tangents_of(i) == 2) return FrictionMode::slip;
    return contact.direction[0] > 0.0 ? FrictionMode::slip_positive : FrictionMode::slip_negative;
  }
  void finish_stretch(int i) {
    if (contacts_[i].stretch < 0) return;
    stretches_[static_cast<std::size_t>(contacts_[i].stretch)].last = at(impulse_, 0, i);
    contacts_[i].stretch = -1;
  }
  void note_mode(int i) {
    CompliantContact& contact = contacts_[i];
    const FrictionMode mode = mode_of(i);
    if (mode == FrictionMode::none) return;
    const bool same = contact.stretch >= 0 && stretches_[static_cast<std::size_t>(contact.stretch)].mode == mode;
    if (same && !contact.begins) return;
    finish_stretch(i);
    contact.begins = false;
    contact.stretch = static_cast<int>(stretches_.size());
    const double impulse = at(impulse_, 0, i);
    stretches_.push_back({.contact = contact.index, .mode = mode, .first = impulse, .last = impulse, .anew = same});
  }

  std::vector<double>& state_;
};

}  // namespace carom
