/// Runs of scenes for the chapter on smooth contact, and the items that are stated in words.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

#include "carom/base/assert.h"
#include "carom/simulation/simulation.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce::smooth {
namespace {

class Samples final : public Observer {
 public:
  explicit Samples(Motion& motion) : motion_(motion) {}
  void sample(const State& state, const EnergyBook& book) override {
    motion_.states.push_back(state);
    motion_.energies.push_back(book.now.total());
  }
  void event(const EventRecord&) override {}
  void progress(double, long) override {}

 private:
  Motion& motion_;
};

/// Of this thread: others may use the machine, and other chapters be computed beside.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

std::vector<double> Motion::positions(std::size_t body, int axis) const {
  std::vector<double> values;
  values.reserve(states.size());
  for (const State& state : states) values.push_back(state.bodies[body].position[axis]);
  return values;
}

std::vector<double> Motion::times() const {
  std::vector<double> values;
  values.reserve(states.size());
  for (const State& state : states) values.push_back(state.time);
  return values;
}

double Motion::highest(std::size_t body) const {
  double highest = -std::numeric_limits<double>::infinity();
  for (const State& state : states) highest = std::max(highest, state.bodies[body].position.z());
  return highest;
}

Signal Motion::acceleration(std::size_t body, int axis) const {
  CAROM_ASSERT(states.size() > 3);
  Signal signal{.step = states[1].time - states[0].time, .values = {}};
  for (std::size_t i = 1; i + 1 < states.size(); ++i) {
    const double span = states[i + 1].time - states[i - 1].time;
    if (span < 1.5 * signal.step) break;  // the end of the run need not fall onto a sample
    signal.values.push_back((states[i + 1].bodies[body].velocity[axis] - states[i - 1].bodies[body].velocity[axis]) /
                            span);
  }
  return signal;
}

Motion run_scene(const std::string& text, const std::vector<std::string>& settings) {
  Scene scene = Scene::parse(text);
  for (const std::string& setting : settings) scene.set(setting);
  Simulation simulation(scene);
  Motion motion;
  Samples samples(motion);
  simulation.add(samples);
  const double start = processor_seconds();
  motion.result = simulation.run();
  motion.seconds = processor_seconds() - start;
  return motion;
}

Item item_in_words(Words words, bool agrees) {
  return {.where = std::move(words.where),
          .claim = std::move(words.claim),
          .paper = std::move(words.paper),
          .ours = std::move(words.ours),
          .difference = std::nullopt,
          .tolerance = 0.0,
          .verdict = agrees ? Verdict::reproduced : Verdict::differs,
          .note = std::move(words.note)};
}

Item not_given_item(Words words) {
  Item item = item_in_words(std::move(words), true);
  item.verdict = Verdict::not_reproducible;
  return item;
}

Item reference_item(std::string where, std::string claim, double reference, double ours, double tolerance) {
  Item item = number_item(std::move(where), std::move(claim), reference, ours, tolerance);
  item.paper = fmt::format("{:.7g} (follows)", reference);
  item.ours = fmt::format("{:.7g}", ours);
  return item;
}

Curve curve(std::string label, std::vector<double> x, std::vector<double> y, int colour) {
  Curve result;
  result.label = std::move(label);
  result.x = std::move(x);
  result.y = std::move(y);
  result.colour = colour;
  return result;
}

void add_figure(Section& section, Figure figure) {
  for (Panel& panel : figure.picture.panels) {
    Range& range = panel.x_label.empty() ? figure.picture.x_range : panel.x_range;
    for (const Curve& one : panel.curves)
      for (const double x : one.x) range.add(x);
  }
  section.figures.push_back(std::move(figure));
}

}  // namespace carom::reproduce::smooth
