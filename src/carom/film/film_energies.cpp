#include "carom/film/film_energies.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace carom {
namespace {

/// Beyond these the rows stand at the samples alone, and what is in between is not known: each takes the states of all
/// bodies.
constexpr double kMostStates = 5e6;

const EnergyColumn& energy_column(std::string_view name) {
  return *std::find_if(kEnergyColumns.begin(), kEnergyColumns.end(),
                       [name](const EnergyColumn& column) { return column.name == name; });
}

}  // namespace

void FilmEnergies::event(const EventRecord& event) {
  if (event.jumps.empty()) return;
  std::deque<Instant>& instants = pending_.instants;
  if (instants.empty() || instants.back().time != event.time) {
    instants.emplace_back();
    instants.back().time = event.time;
  }
  instants.back().add(event);
}

void FilmEnergies::sample(const State& state, const EnergyBook& book) {
  last_.samples[0] = std::move(last_.samples[1]);
  last_.samples[1] = {state, book};
  if (time_.empty()) return add_row(state.time, book, {});
  std::vector<Instant> instants = take_instants(pending_, last_, 0, false);
  const double wanted = static_cast<double>(2 * instants.size() + 1) * static_cast<double>(state.bodies.size());
  if (states_ + wanted > kMostStates) {
    Bends unknown;
    unknown.fill(std::numeric_limits<double>::quiet_NaN());
    return add_row(state.time, book, unknown);
  }
  states_ += wanted;
  add_rows(SampleInterval(last_, 0, std::move(instants), &model_));
}

void FilmEnergies::add_rows(const SampleInterval& interval) {
  for (const Instant& instant : interval.instants()) {
    // A sample at that very time is one of the two sides.
    if (instant.time != interval.start()) add_step(interval, instant.time, interval.energy(instant.time, Side::before));
    if (instant.time != interval.end()) add_row(instant.time, interval.energy(instant.time, Side::after), {});
  }
  add_step(interval, interval.end(), last_.samples[1].book);
}

void FilmEnergies::add_step(const SampleInterval& interval, double time, EnergyBook book) {
  Bends bends{};
  if (time > time_.back()) {
    EnergyBook middle = interval.energy(0.5 * (time_.back() + time), Side::before);
    for (std::size_t i = 0; i < kBent.size(); ++i) {
      const EnergyColumn& column = energy_column(kBent[i]);
      const double start = energy_[&column - kEnergyColumns.data()].back();
      bends[i] = 2.0 * (start + column.field(book)) - 4.0 * column.field(middle);
    }
  }
  add_row(time, book, bends);
}

void FilmEnergies::add_row(double time, EnergyBook book, const Bends& bends) {
  time_.push_back(time);
  for (std::size_t i = 0; i < energy_.size(); ++i) energy_[i].push_back(kEnergyColumns[i].field(book));
  for (std::size_t i = 0; i < bend_.size(); ++i) bend_[i].push_back(bends[i]);
}

void FilmEnergies::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("energy_time", time_, rows);
  for (std::size_t i = 0; i < energy_.size(); ++i) {
    arrays.add("energy." + std::string(kEnergyColumns[i].name), energy_[i], rows);
  }
  for (std::size_t i = 0; i < bend_.size(); ++i) arrays.add("energy_bend." + std::string(kBent[i]), bend_[i], rows);
}

}  // namespace carom
