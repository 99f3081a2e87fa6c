#include "resume/relay.h"

#include <algorithm>

#include "carom/base/random.h"

namespace carom::test {

KeptRows::KeptRows(const Model& model)
    : rows_(std::make_unique<RecordRows>(
          RecordRows::Shape{model.bodies.size(), model.joints.size(), true, model.obstacles})) {}

void KeptRows::sample(const State& state, const EnergyBook& book) {
  if (!ignores_) rows_->add_sample(state, book);
  ignores_ = false;
}

std::string KeptRows::first_difference(const KeptRows& other) const {
  for (std::size_t table = 0; table < kTableCount; ++table) {
    const RowBuffer& mine = *rows_->tables()[table];
    const RowBuffer& theirs = *other.rows_->tables()[table];
    for (std::size_t column = 0; column < mine.columns().size(); ++column) {
      const auto one = mine.waiting(column), two = theirs.waiting(column);
      const auto [at, there] = std::mismatch(one.begin(), one.end(), two.begin(), two.end());
      if (at == one.end() && there == two.end()) continue;
      const std::size_t row_bytes =
          std::max<std::size_t>(1, one.size() / std::max<std::size_t>(1, mine.waiting_rows()));
      return mine.columns()[column].path + " row " +
             std::to_string(static_cast<std::size_t>(at - one.begin()) / row_bytes) + " of " +
             std::to_string(mine.waiting_rows()) + " and " + std::to_string(theirs.waiting_rows());
    }
  }
  return {};
}

Scene shortened(const Scene& scene, int events) {
  Simulation trial(scene);
  for (int k = 0; k < events; ++k)
    if (!trial.next_event()) return scene;
  Scene shorter = scene;
  shorter.set("run.duration", trial.time() > 0.0 ? trial.time() * 1.001 : trial.end_time());
  shorter.set("run.output_step", trial.options().output_step);
  return shorter;
}

std::string relay_difference(const Scene& full, std::uint64_t seed, const Relay& relay) {
  const Scene scene = relay.events > 0 ? shortened(full, relay.events) : full;
  Simulation whole(scene);
  KeptRows expected(whole.model());
  whole.add(expected);
  whole.run();

  Random random(seed);
  auto handed_on = std::make_unique<Simulation>(scene);
  KeptRows told(whole.model());
  handed_on->add(told);
  std::vector<double> times;
  for (int k = 0; k < relay.most_handovers; ++k) times.push_back(random.uniform(0.0, whole.time()));
  std::sort(times.begin(), times.end());
  std::vector<std::byte> bytes = handed_on->save();  // before it has begun
  for (const double time : times) {
    handed_on = std::make_unique<Simulation>(Simulation::load(bytes));
    if (told.samples() > 0) told.ignore_one_sample();
    handed_on->add(told);
    if (handed_on->stopped()) break;
    if (random.integer(0, 2) == 0) {
      handed_on->next_event();
    } else if (time > handed_on->time()) {
      handed_on->advance_to(time);
    }
    bytes = handed_on->save();
  }
  handed_on = std::make_unique<Simulation>(Simulation::load(bytes));
  if (told.samples() > 0) told.ignore_one_sample();
  handed_on->add(told);
  // One that has stopped by next_event() has the events of that instant still to hand out.
  const bool comparable = !handed_on->stopped();
  if (comparable) handed_on->run();
  std::string difference = expected.first_difference(told);
  if (difference.empty() && comparable && whole.save() != handed_on->save()) difference = "what they go on from";
  return difference;
}

}  // namespace carom::test
