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
/// Of each blow.
constexpr std::size_t kRowsOfBlow = 5;

const EnergyColumn& energy_column(std::string_view name) {
  return *std::find_if(kEnergyColumns.begin(), kEnergyColumns.end(),
                       [name](const EnergyColumn& column) { return column.name == name; });
}

}  // namespace

void FilmEnergies::event(const EventRecord& event) {
  for (const ContactRecord& contact : event.contacts) {
    if (const auto blow = blow_of(event, contact)) blows_.push_back(*blow);
  }
  if (event.jumps.empty()) return;
  std::deque<Instant>& instants = pending_.instants;
  if (instants.empty() || instants.back().time != event.time) {
    instants.emplace_back();
    instants.back().time = event.time;
  }
  instants.back().add(event);
}

void FilmEnergies::sample(const State& state, const EnergyBook& book,
                          const std::function<void(const SampleInterval&)>& motion) {
  if (!waits_) return take({state, book}, motion);
  finish(motion);
  held_.emplace(Sample{state, book});
}

void FilmEnergies::finish(const std::function<void(const SampleInterval&)>& motion) {
  if (held_) take(*std::exchange(held_, std::nullopt), motion);
}

std::vector<ContactBlow> FilmEnergies::blows_between(double start, double end) {
  std::vector<ContactBlow> blows;
  for (const ContactBlow& blow : blows_) {
    if (blow.began < end && blow.ended > start && is_blow_within(blow, end - start)) blows.push_back(blow);
  }
  std::erase_if(blows_, [end](const ContactBlow& blow) { return blow.ended <= end; });
  return blows;
}

void FilmEnergies::take(Sample sample, const std::function<void(const SampleInterval&)>& motion) {
  last_.samples[0] = std::move(last_.samples[1]);
  last_.samples[1] = std::move(sample);
  const auto& [state, book] = last_.samples[1];
  if (!last_row_) return add_row(state.time, book, {});
  const SampleInterval interval(last_, 0, take_instants(pending_, last_, 0, false), &model_,
                                blows_between(last_.samples[0].state.time, state.time));
  if (motion) motion(interval);
  const double wanted =
      static_cast<double>(2 * interval.instants().size() + 2 * kRowsOfBlow * interval.blows().size() + 1) *
      static_cast<double>(state.bodies.size());
  if (states_ + wanted > kMostStates) {
    Bends unknown;
    unknown.fill(std::numeric_limits<double>::quiet_NaN());
    return add_row(state.time, book, unknown);
  }
  states_ += wanted;
  add_rows(interval);
}

void FilmEnergies::add_rows_of_blows(const SampleInterval& interval, double until) {
  std::vector<double> times;
  for (const ContactBlow& blow : interval.blows()) {
    const double rise = blow.peak - blow.began, fall = blow.ended - blow.peak;
    for (const double s : {0.0, 0.5, 1.0}) {
      times.push_back(blow.began + s * rise);
      times.push_back(blow.peak + s * fall);
    }
  }
  std::sort(times.begin(), times.end());
  for (const double time : times) {
    if (time > last_row_->first && time < until) add_step(interval, time, interval.energy(time, Side::before));
  }
}

void FilmEnergies::add_rows(const SampleInterval& interval) {
  for (const Instant& instant : interval.instants()) {
    add_rows_of_blows(interval, instant.time);
    // A sample at that very time is one of the two sides.
    if (instant.time != interval.start()) add_step(interval, instant.time, interval.energy(instant.time, Side::before));
    if (instant.time != interval.end()) add_row(instant.time, interval.energy(instant.time, Side::after), {});
  }
  add_rows_of_blows(interval, interval.end());
  add_step(interval, interval.end(), last_.samples[1].book);
}

void FilmEnergies::add_step(const SampleInterval& interval, double time, EnergyBook book) {
  Bends bends{};
  auto& [last_time, last_book] = *last_row_;
  if (time > last_time) {
    EnergyBook middle = interval.energy(0.5 * (last_time + time), Side::before);
    for (std::size_t i = 0; i < kBent.size(); ++i) {
      const EnergyColumn& column = energy_column(kBent[i]);
      bends[i] = 2.0 * (column.field(last_book) + column.field(book)) - 4.0 * column.field(middle);
    }
  }
  add_row(time, book, bends);
}

void FilmEnergies::add_row(double time, EnergyBook book, const Bends& bends) {
  made_.time.push_back(time);
  for (std::size_t i = 0; i < made_.energy.size(); ++i) made_.energy[i].push_back(kEnergyColumns[i].field(book));
  for (std::size_t i = 0; i < made_.bend.size(); ++i) made_.bend[i].push_back(bends[i]);
  last_row_.emplace(time, book);
}

void FilmEnergies::publish() {
  const auto move = [](std::vector<double>& from, std::vector<double>& to) {
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
  };
  move(made_.time, rows_.time);
  for (std::size_t i = 0; i < rows_.energy.size(); ++i) move(made_.energy[i], rows_.energy[i]);
  for (std::size_t i = 0; i < rows_.bend.size(); ++i) move(made_.bend[i], rows_.bend[i]);
}

void FilmEnergies::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("energy_time", rows_.time, rows);
  for (std::size_t i = 0; i < rows_.energy.size(); ++i)
    arrays.add("energy." + std::string(kEnergyColumns[i].name), rows_.energy[i], rows);
  for (std::size_t i = 0; i < rows_.bend.size(); ++i)
    arrays.add("energy_bend." + std::string(kBent[i]), rows_.bend[i], rows);
}

}  // namespace carom
