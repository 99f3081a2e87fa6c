/// Section 3 of the paper, figures 5 to 7: a ball that bounces in a bore under two integrators and several tolerances.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/laws/normal_force/registry.h"
#include "reproduce/chapters/smooth_contact/latch.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce::smooth {
namespace {

constexpr double kBoreRadius = 0.05;
constexpr double kBallRadius = 0.01;
constexpr double kDrop = 0.03;  ///< of the lowest point of the ball above the bottom [m]

// Figure 5 has a ball in a lying cylinder; its sizes are not given.
constexpr const char* kBounceScene = R"(
format = 1
title = "a ball bounces in a horizontal bore"
[world]
gravity = [0, 0, -9.81]
[run]
engine = "smooth"
rtol = 1e-8
duration = 2.0
output_step = 2e-3
[[material]]
name = "steel"
young = 2.07e11
poisson = 0.3
[[pair]]
materials = ["steel", "steel"]
normal = "hertz"
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.01 }
density = 7800
material = "steel"
position = [0, 0, -0.01]
[[obstacle]]
name = "tube"
shape = { kind = "bore", radius = 0.05, half_length = 0.1 }
orientation = { bryan_deg = [90, 0, 0] }
material = "steel"
)";

struct Setting {
  const char* integrator;
  const char* tolerance;
  bool located;
};

std::vector<std::string> settings_of(const Setting& setting) {
  return {fmt::format("run.integrator={}", setting.integrator), fmt::format("run.rtol={}", setting.tolerance),
          fmt::format("run.event_location={}", setting.located)};
}

/// Height of the energy above the bottom, of which a drop starts, relative to that of the drop.
double relative_energy(double energy, const Motion& motion, double drop) {
  const double start = motion.energies.front();
  const double weight = -start / (kBoreRadius - kBallRadius - drop);  // E = −m g (depth of the centre below the axis)
  return (energy - start) / (weight * drop);
}

double bounce_energy_change(const Motion& motion, double drop) {
  return relative_energy(motion.energies.back(), motion, drop);
}

Motion elastic_run(const Setting& setting) {
  return run_scene(kBounceScene, settings_of(setting));
}

/// Energy changes of drops from as many heights.
struct Drops {
  int gained = 0;
  int lost = 0;
  double highest = 0.0;
  double lowest = 0.0;
  double largest = 0.0;  ///< of the magnitudes
};

Drops many_drops(const Setting& setting, int count) {
  Drops drops;
  for (int i = 0; i < count; ++i) {
    const double drop = 0.02 + 0.018 * (i + 0.5) / count;
    std::vector<std::string> settings = settings_of(setting);
    settings.push_back(fmt::format("body.ball.position.2={:.10f}", kBallRadius - kBoreRadius + drop));
    settings.emplace_back("run.duration=1.0");
    const double change = bounce_energy_change(run_scene(kBounceScene, settings), drop);
    drops.gained += change > 0.0 ? 1 : 0;
    drops.lost += change < 0.0 ? 1 : 0;
    drops.highest = std::max(drops.highest, change);
    drops.lowest = std::min(drops.lowest, change);
    drops.largest = std::max(drops.largest, std::abs(change));
  }
  return drops;
}

std::string percent(double change) {
  return fmt::format("{:+.2g} %", 100.0 * change);
}

void add_elastic_items(Section& section, const Cases& cases) {
  const std::string tolerances =
      "Not located, relative tolerance as given, absolute one a thousandth of it (in m and m/s), as in ode45's own "
      "defaults.";
  const Drops standard = many_drops({"dormand-prince", "1e-3", false}, cases.drops);
  section.items.push_back(item_in_words(
      {.where = "Fig. 6, default tolerances",
       .claim = "elastic ball under ode45 (dormand-prince) at 1e-3/1e-6",
       .paper = "gains energy, passes its first height",
       .ours =
           fmt::format("{} of {} drops gain, up to {} in 1 s", standard.gained, cases.drops, percent(standard.highest)),
       .note = tolerances + " The step that meets the surface ends inside, where the force is only C¹."},
      standard.gained > standard.lost && standard.highest > 1e-4));
  const Drops extreme = many_drops({"dormand-prince", "1e-12", false}, std::max(2, cases.drops / 8));
  section.items.push_back(item_in_words({.where = "Fig. 6, extreme tolerances",
                                         .claim = "the same at 1e-12",
                                         .paper = "solved",
                                         .ours = fmt::format("energy kept to {:.1e}", extreme.largest),
                                         .note = ""},
                                        extreme.largest < 1e-8));
  const Drops optimal = many_drops({"dormand-prince", "1e-8", false}, cases.drops);
  section.items.push_back(item_in_words({.where = "Fig. 6, optimal tolerances",
                                         .claim = "the same at RelTol 1e-8",
                                         .paper = "neither gains nor loses",
                                         .ours = fmt::format("energy kept to {:.1e}; {} of {} drops still gain",
                                                             optimal.largest, optimal.gained, cases.drops),
                                         .note = "Nothing to be seen in a picture, but the sign is no accident."},
                                        optimal.largest < 1e-5));
  const Drops adams = many_drops({"adams", "1e-3", false}, cases.drops);
  const Drops adams_optimal = many_drops({"adams", "1e-8", false}, cases.drops);
  const Drops adams_extreme = many_drops({"adams", "1e-12", false}, std::max(2, cases.drops / 8));
  section.items.push_back(item_in_words(
      {.where = "Section 3, below Fig. 7",
       .claim = "elastic ball under ode113 (adams), default tolerances",
       .paper = "slight loss of energy",
       .ours = fmt::format("{} of {} drops lose, changes from {} to {}", adams.lost, cases.drops, percent(adams.lowest),
                           percent(adams.highest)),
       .note = fmt::format("The history of a multistep method reaches across the beginning of the contact. "
                           "Energy kept to {:.1e} at 1e-8 ({} of {} lose) and to {:.1e} at 1e-12.",
                           adams_optimal.largest, adams_optimal.lost, cases.drops, adams_extreme.largest)},
      adams.lost > adams.gained));
  const Drops located = many_drops({"dormand-prince", "1e-8", true}, cases.drops);
  const Drops located_adams = many_drops({"adams", "1e-8", true}, cases.drops);
  section.items.push_back(item_in_words(
      {.where = "Section 3, on Fig. 5",
       .claim = "an elastic ball comes back to its height after each impact",
       .paper = "should be so",
       .ours = fmt::format("located: kept to {:.1e} (dormand-prince) and {:.1e} (adams) at rtol 1e-8", located.largest,
                           located_adams.largest),
       .note = "The beginning and the end of each contact are located, the step is taken again up to them, and the "
               "integration starts anew; rtol is relative to the penetration there."},
      std::max(located.largest, located_adams.largest) < 1e-5));
}

void add_inelastic_items(Section& section, const Cases& cases) {
  const int drops = std::max(2, cases.drops / 2);
  const auto collapses = [drops](const char* integrator, double guard) {
    std::string counts;
    int all = 0;
    for (const double tolerance : {1e-3, 1e-6, 1e-8, 1e-10, 1e-12}) {
      int count = 0;
      for (int i = 0; i < drops; ++i) {
        const double drop = 0.02 + 0.02 * i / drops;
        const LatchedInput input{.drop = drop, .tolerance = tolerance, .least_approach = guard};
        count += latched_drop(input, integrator).collapsed ? 1 : 0;
      }
      all += count;
      counts += fmt::format("{}{}", counts.empty() ? "" : ", ", count);
    }
    return std::pair(all, counts);
  };
  const auto [plain, plain_told] = collapses("dormand-prince", 0.0);
  const auto [guarded, guarded_told] = collapses("dormand-prince", 1e-6);
  const auto [adams, adams_told] = collapses("adams", 0.0);
  const auto [adams_guarded, adams_guarded_told] = collapses("adams", 1e-6);
  const std::string how = fmt::format(
      "Out of {} drops each at tolerances 1e-3, 1e-6, 1e-8, 1e-10, 1e-12: fell through the floor, or steps shrank to "
      "nothing. The force is evaluated as a program does that notices the contact, and takes its approach speed v₀, "
      "inside the right-hand side: at a trial stage, which the integrator may reject.",
      drops);
  section.items.push_back(
      item_in_words({.where = "Fig. 7, ode45",
                     .claim = "Lankarani–Nikravesh with c = 0.7 under ode45",
                     .paper = "collapses, even for really small tolerances",
                     .ours = fmt::format("{} collapse; {} where v₀ is kept above 1e-6 m/s", plain_told, guarded_told),
                     .note = how},
                    plain > 0 && guarded > 4 * drops));
  section.items.push_back(item_in_words(
      {.where = "Fig. 7, ode113",
       .claim = "the same under ode113",
       .paper = "better results than ode45",
       .ours = fmt::format("{} collapse; {} where v₀ is kept above 1e-6 m/s", adams_told, adams_guarded_told),
       .note = "As above."},
      adams < plain && adams_guarded < guarded));
}

/// The engine takes v₀ at located instants: the ball rebounds by e at each bounce.
void add_engine_item(Section& section) {
  const double e = normal_law("lankarani-nikravesh").effective_restitution(0.7);
  double worst = 0.0;
  for (const char* integrator : {"dormand-prince", "adams"}) {
    const Motion motion =
        run_scene(kBounceScene, {fmt::format("run.integrator={}", integrator), "run.rtol=1e-10",
                                 "pair.0.normal=lankarani-nikravesh", "pair.0.restitution=0.7", "run.duration=0.35"});
    // The first bounce is at √(2h/g) = 0.078 s, the second 2e of that later, the third 2e² after that.
    const double first = std::sqrt(2.0 * kDrop / 9.81);
    const double expected = std::pow(e, 4.0) * kDrop;
    double top = 0.0;
    for (const State& state : motion.states) {
      if (state.time < (1.0 + 2.0 * e) * first) continue;
      if (state.time > (1.0 + 2.0 * e + 2.0 * e * e) * first) break;
      const BodyState& ball = state.bodies[0];
      // Height of the apex that the ball is flying to.
      const double height = ball.position.z() + kBoreRadius - kBallRadius;
      if (height > 1e-3) top = height + 0.5 * ball.velocity.z() * ball.velocity.z() / 9.81;
    }
    worst = std::max(worst, std::abs(top / expected - 1.0));
  }
  section.items.push_back(statement_item(
      "Fig. 7, eq. (10)", "after two bounces the ball rises to e⁴ of its height, e = 0.795973", worst, 2e-3,
      "The engine under both integrators, v₀ taken at located instants. Gravity acts "
      "during the contacts too; the penetration is 6e-4 of the drop."));
}

Figure elastic_figure() {
  Figure figure{.name = "smooth-contact-bounce-elastic",
                .caption =
                    "Fig. 6: change of the energy of an elastic ball, relative to that of its drop, under both "
                    "integrators. `located`: beginnings of contacts are located.",
                .picture = {}};
  figure.picture.title = "bouncing ball, elastic";
  figure.picture.x_label = "time [s]";
  Panel height;
  height.y_label = "height [mm]";
  for (const char* integrator : {"dormand-prince", "adams"}) {
    Panel panel;
    panel.y_label = fmt::format("ΔE/E, {}", integrator);
    int colour = 0;
    for (const Setting setting : {Setting{integrator, "1e-3", false}, Setting{integrator, "1e-4", false},
                                  Setting{integrator, "1e-8", false}, Setting{integrator, "1e-8", true}}) {
      const Motion motion = elastic_run(setting);
      std::vector<double> changes;
      for (const double energy : motion.energies) changes.push_back(relative_energy(energy, motion, kDrop));
      panel.curves.push_back(curve(fmt::format("{}{}", setting.tolerance, setting.located ? ", located" : ""),
                                   motion.times(), changes, colour));
      if (setting.located && height.curves.empty()) {
        std::vector<double> values = motion.positions(0, 2);
        for (double& value : values) value = 1e3 * (value + kBoreRadius - kBallRadius);
        height.curves.push_back(curve("1e-8, located", motion.times(), std::move(values), colour));
      }
      ++colour;
    }
    figure.picture.panels.push_back(std::move(panel));
  }
  figure.picture.panels.insert(figure.picture.panels.begin(), std::move(height));
  return figure;
}

Figure inelastic_figure() {
  Figure figure{
      .name = "smooth-contact-bounce-inelastic",
      .caption =
          "Fig. 7: Lankarani–Nikravesh with c = 0.7. Above, v₀ taken inside the right-hand side and kept above "
          "1e-6 m/s; a line that ends has collapsed. Below, the engine.",
      .picture = {}};
  figure.picture.title = "bouncing ball, c = 0.7";
  figure.picture.x_label = "time [s]";
  Panel naive;
  naive.y_label = "height [mm]";
  int colour = 0;
  for (const auto& [integrator, tolerance] : {std::pair("adams", 1e-12), std::pair("dormand-prince", 1e-3),
                                              std::pair("dormand-prince", 1e-6), std::pair("dormand-prince", 1e-12)}) {
    LatchedDrop drop = latched_drop({.drop = kDrop, .tolerance = tolerance, .least_approach = 1e-6}, integrator);
    for (double& value : drop.height) value *= 1e3;
    naive.curves.push_back(curve(fmt::format("{} {:.0e}", integrator, tolerance), drop.time, drop.height, colour++));
  }
  figure.picture.panels.push_back(std::move(naive));
  Panel engine;
  engine.y_label = "height [mm]";
  const Motion motion = run_scene(kBounceScene, {"pair.0.normal=lankarani-nikravesh", "pair.0.restitution=0.7"});
  std::vector<double> values = motion.positions(0, 2);
  for (double& value : values) value = 1e3 * (value + kBoreRadius - kBallRadius);
  engine.curves.push_back(curve("engine, 1e-8", motion.times(), std::move(values), 0));
  figure.picture.panels.push_back(std::move(engine));
  return figure;
}

}  // namespace

Section bouncing_ball(const Cases& cases) {
  Section section;
  section.heading = "Bouncing ball (Section 3, figures 5 to 7)";
  section.text =
      "A steel ball (radius 10 mm) in a bore (radius 50 mm), 20 to 40 mm above its bottom; the paper does not give its "
      "sizes. dormand-prince is the method of ode45, adams that of ode113. Changes of energy are relative to the "
      "energy of the drop.";
  add_elastic_items(section, cases);
  add_inelastic_items(section, cases);
  add_engine_item(section);
  add_figure(section, elastic_figure());
  add_figure(section, inelastic_figure());
  return section;
}

}  // namespace carom::reproduce::smooth
