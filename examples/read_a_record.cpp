#include <carom/carom.h>

#include <algorithm>
#include <cstdio>

int main() {
  carom::Simulation simulation(carom::Scene::read("scenes/bouncing-ball.toml"));
  simulation.record("read.h5");
  simulation.run();

  const carom::Record record("read.h5");
  const carom::BodyIndex ball = record.body("ball");
  double highest = 0.0;
  for (std::size_t i = record.sample_count() / 2; i < record.sample_count(); ++i)
    highest = std::max(highest, record.state(i).bodies[ball].position.z());
  std::printf("%zu samples; highest in the second half %.4f m\n", record.sample_count(), highest);

  const carom::Event first = record.event(record.first_event_from(1.0));
  const carom::ContactRecord& contact = first->contacts[0];
  std::printf("%s at %.6f s: %.6f m/s before, %.6f m/s after, e = %g\n", carom::event_kind_name(first->kind).data(),
              first->time, contact.rate_before, contact.rate_after, *contact.restitution);

  const carom::RunResult again = carom::Simulation(record.scene()).run();
  std::printf("run again: %s\n", carom::run_stop_name(again.stop).data());
}
