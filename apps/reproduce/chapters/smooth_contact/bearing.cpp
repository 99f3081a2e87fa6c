/// Section 3 of the paper, Table 1 and figure 8: the ball bearing ER-10K, healthy and with dents.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/analysis/bearing.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce::smooth {
namespace {

// Table 1 [m].
constexpr double kBore = 15.875e-3;
constexpr double kOutside = 47.0e-3;
constexpr double kMeanDiameter = 31.438e-3;
constexpr double kTableBall = 7.938e-3;
constexpr double kInch = 25.4e-3;
// The catalogue's [m].
constexpr double kBall = 0.3125 * kInch;
constexpr double kPitch = 1.319 * kInch;
constexpr int kBearingBalls = 8;
/// Turns of the outer race per second. The paper does not give its own.
constexpr double kShaftSpeed = 20.0;
/// Frequencies per turn of the inner race as the maker of the bearing gives them: balls passing outer and inner race.
constexpr double kCatalogueOuter = 3.052;
constexpr double kCatalogueInner = 4.948;

constexpr BearingGeometry kGeometry{.balls = kBearingBalls, .ball_diameter = kBall, .pitch_diameter = kPitch};

constexpr const char* kHead = R"(
format = 1
title = "ball bearing ER-10K"
[run]
engine = "smooth"
integrator = "adams"
rtol = 1e-6
duration = 1.0
output_step = 1e-4
[[material]]
name = "ball"
young = 2.07e11
poisson = 0.3
[[material]]
name = "inner"
[[material]]
name = "outer"
[[pair]]
materials = ["ball", "ball"]
[[pair]]
materials = ["inner", "outer"]
[[pair]]
materials = ["ball", "inner"]
restitution = 0.9
normal = "hunt-crossley-fixed"
reference_speed = 0.5
stiffness = 2.53e10
friction = { law = "coulomb", coefficient = 0.1, vr = 0.05 }
[[pair]]
materials = ["ball", "outer"]
restitution = 0.9
normal = "hunt-crossley-fixed"
reference_speed = 0.5
stiffness = 2.71e10
friction = { law = "coulomb", coefficient = 0.1, vr = 0.05 }
[[obstacle]]
name = "inner"
shape = { kind = "cylinder", radius = 0.01278255, half_length = 0.005 }
material = "inner"
)";

/// The outer race turned at a given speed, a micrometre off centre as a radial load would press it.
constexpr const char* kDrivenRace = R"(
[[obstacle]]
name = "outer"
shape = { kind = "bore", radius = 0.02071805, half_length = 0.005 }
position = [0, -1e-6, 0]
material = "outer"
angular_velocity = [0, 0, 125.663706144]
)";

/// The outer race as a body: driven by a torque, loaded by 50 N.
constexpr const char* kFreeRace = R"(
[[body]]
name = "outer"
shape = { kind = "bore", radius = 0.02071805, half_length = 0.005 }
position = [0, -6.65e-7, 0]
mass = 0.2
inertia = [5.62641e-05, 5.62641e-05, 0.000112528]
material = "outer"
angular_velocity = [0, 0, 125.663706144]
[[load]]
body = "outer"
force = [0, -50, 0]
torque = [0, 0, 0.251327]
damping = 100
angular_damping = 0.002
[[constraint]]
kind = "planar"
body = "outer"
normal = [0, 0, 1]
)";

/// Eight balls that roll already, and springs between neighbours as the cage (figure 4b).
std::string balls_and_cage() {
  const BearingLines lines = bearing_lines(kGeometry, {.outer = kShaftSpeed});
  const double orbit = 2.0 * std::numbers::pi * lines.cage;
  const double radius = 0.5 * kPitch;
  // Rolling on the fixed inner race: the contact point rests.
  const double spin = orbit * radius / (0.5 * kBall);
  std::string text;
  for (int i = 0; i < kBearingBalls; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kBearingBalls;
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    text += fmt::format(
        "[[body]]\nname = \"ball-{}\"\nshape = {{ kind = \"sphere\", radius = {} }}\ndensity = 7800\nmaterial = "
        "\"ball\"\nposition = [{:.15f}, {:.15f}, 0]\nvelocity = [{:.15f}, {:.15f}, 0]\nangular_velocity = [0, 0, "
        "{:.12f}]\n[[constraint]]\nkind = \"planar\"\nbody = \"ball-{}\"\nnormal = [0, 0, 1]\n",
        i + 1, 0.5 * kBall, radius * x, radius * y, -orbit * radius * y, orbit * radius * x, spin, i + 1);
    text += fmt::format(
        "[[spring]]\nbodies = [\"ball-{}\", \"ball-{}\"]\nstiffness = 1e5\ndamping = 1.0\nrest_length = {:.15f}\n",
        i + 1, (i + 1) % kBearingBalls + 1, kPitch * std::sin(std::numbers::pi / kBearingBalls));
  }
  return text;
}

std::string dent(std::string_view race, double degrees) {
  return fmt::format("[[dent]]\non = \"{}\"\nangle_deg = {}\nhalf_width_deg = 2.3\ndepth = 5e-6\n", race, degrees);
}

/// The race's acceleration and the spectra made of it.
struct RaceSpectrum {
  Spectrum density, envelope;
  BearingLines lines;
};

RaceSpectrum race_spectrum(const std::string& dents, double duration) {
  std::string text = kHead;
  text += balls_and_cage();
  text += kFreeRace;
  const Motion motion = run_scene(text + "[world]\ngravity = [0, -9.81, 0]\n" + dents,
                                  {fmt::format("run.duration={}", duration), "run.output_step=2e-5"});
  Signal signal = motion.acceleration(kBearingBalls, 1);
  // What the start stirs up has died away after a tenth of a second.
  signal.values.erase(signal.values.begin(), signal.values.begin() + static_cast<long>(0.1 / signal.step));
  const double turns = motion.states.back().bodies[kBearingBalls].angular_velocity.z() / (2.0 * std::numbers::pi);
  RaceSpectrum result;
  result.lines = bearing_lines(kGeometry, {.outer = turns});
  const double segment = 0.5 * signal.duration();
  result.density = welch_spectrum(signal, segment);
  result.envelope = welch_spectrum(envelope(signal, {.low = 1500.0, .high = 4600.0}), segment);
  return result;
}

/// Highest level within a bin and a half of a frequency.
double level_at(const Spectrum& spectrum, double frequency) {
  double level = 0.0;
  for (std::size_t i = 0; i < spectrum.frequency.size(); ++i)
    if (std::abs(spectrum.frequency[i] - frequency) <= 1.5 * spectrum.resolution())
      level = std::max(level, spectrum.level[i]);
  return level;
}

void add_table_items(Section& section) {
  section.items.push_back(number_item("Table 1", "mean diameter: the mean of bore and outside diameter [mm]",
                                      1e3 * kMeanDiameter, 1e3 * 0.5 * (kBore + kOutside), 2e-5));
  section.items.back().paper = "31.438";
  const BearingLines printed = bearing_lines(
      {.balls = kBearingBalls, .ball_diameter = kTableBall, .pitch_diameter = kMeanDiameter}, {.inner = 1.0});
  const BearingLines right = bearing_lines(kGeometry, {.inner = 1.0});
  Item pitch{
      .where = "Table 1",
      .claim = "the circle on which the balls run [mm]; difference: of BPFO and BPFI per turn from the catalogue",
      .paper = "31.438 (mean diameter)",
      .ours = fmt::format("{:.4f} (pitch diameter)", 1e3 * kGeometry.pitch_diameter),
      .difference = std::max(std::abs(right.outer_race - kCatalogueOuter) / kCatalogueOuter,
                             std::abs(right.inner_race - kCatalogueInner) / kCatalogueInner),
      .tolerance = 2e-4,
      .verdict = Verdict::corrected,
      .note = fmt::format("The table's mean diameter is the mean of bore and outside diameter, not the pitch: with "
                          "it {:.3f} balls pass the outer race per turn, where the maker gives {}; with {:.3f} in "
                          "{:.3f}.",
                          printed.outer_race, kCatalogueOuter, kGeometry.pitch_diameter / kInch, right.outer_race)};
  if (*pitch.difference > pitch.tolerance) pitch.verdict = Verdict::differs;
  section.items.push_back(std::move(pitch));
}

/// The healthy bearing: spectrum of one ball's acceleration.
Spectrum add_ball_items(Section& section, const Cases& cases) {
  std::string text = kHead;
  text += kDrivenRace;
  text += balls_and_cage();
  const Motion motion = run_scene(text, {fmt::format("run.duration={}", cases.ball_duration)});
  const BearingLines lines = bearing_lines(kGeometry, {.outer = kShaftSpeed});
  const Signal signal = motion.acceleration(0, 0);
  Spectrum spectrum = welch_spectrum(signal, 0.5 * signal.duration());
  const std::vector<Peak> peaks = strongest_peaks(spectrum, 2);
  const double second = peaks.size() > 1 ? peaks[1].level / peaks[0].level : 0.0;
  section.items.push_back(item_in_words(
      {.where = "Fig. 8",
       .claim = "PSD of the acceleration of a ball of a healthy bearing",
       .paper = "one peak at low frequency, no traces of defects",
       .ours = fmt::format("one peak at {:.2f} Hz; the next line has {:.0e} of its power density", peaks[0].frequency,
                           second),
       .note =
           "The line is the orbit of the ball (FTF): its centripetal acceleration in components of the fixed frame."},
      second < 1e-6 && peaks[0].frequency < 30.0));
  section.items.push_back(
      not_given_item({.where = "Fig. 8",
                      .claim = "frequency of the peak",
                      .paper = "between 0 and 30 Hz",
                      .ours = fmt::format("{:.2f} Hz for an outer race at {} Hz", peaks[0].frequency, kShaftSpeed),
                      .note = "The paper does not give the speed of the outer race (nor load, "
                              "friction and cage stiffness)."}));
  // Angle of the ball over the second half of the run.
  const auto angle_at = [&motion](std::size_t i) {
    return std::atan2(motion.states[i].bodies[0].position.y(), motion.states[i].bodies[0].position.x());
  };
  double turned = 0.0;
  const std::size_t half = motion.states.size() / 2;
  for (std::size_t i = half; i + 1 < motion.states.size(); ++i)
    turned += std::remainder(angle_at(i + 1) - angle_at(i), 2.0 * std::numbers::pi);
  const double orbit = turned / (2.0 * std::numbers::pi * (motion.states.back().time - motion.states[half].time));
  section.items.push_back(reference_item(
      "Fig. 8, Section 3", "friction carries the balls round at FTF = ½f_o(1 + d/D) [Hz]", lines.cage, orbit, 1e-3));
  return spectrum;
}

void add_dent_items(Section& section, const RaceSpectrum& healthy, const RaceSpectrum& outer,
                    const RaceSpectrum& inner) {
  const std::vector<Peak> outer_peaks = strongest_peaks(outer.envelope, 1);
  const std::vector<Peak> inner_peaks = strongest_peaks(inner.envelope, 1);
  section.items.push_back(reference_item("Section 3 (purpose of the model)",
                                         "dent in the outer race: strongest line of the race's envelope at BPFO [Hz]",
                                         outer.lines.outer_race, outer_peaks[0].frequency, 0.01));
  section.items.push_back(reference_item("Section 3 (purpose of the model)",
                                         "dent in the inner race: strongest line of the race's envelope at BPFI [Hz]",
                                         inner.lines.inner_race, inner_peaks[0].frequency, 0.01));
  for (Item& item : std::span(section.items).last(2))
    item.note = "The paper shows no defect; the reference is the kinematic frequency of balls that roll.";
  const double outer_ratio =
      level_at(outer.envelope, outer.lines.outer_race) / level_at(healthy.envelope, healthy.lines.outer_race);
  const double inner_ratio =
      level_at(inner.envelope, inner.lines.inner_race) / level_at(healthy.envelope, healthy.lines.inner_race);
  section.items.push_back(item_in_words(
      {.where = "Fig. 8, Section 3",
       .claim = "a healthy bearing shows no traces of defects that a dent would show",
       .paper = "no traces",
       .ours =
           fmt::format("the line of an outer dent is {:.0e} times that of the healthy race, of an inner dent {:.0e}",
                       outer_ratio, inner_ratio),
       .note = "Power density of the envelope of the race's acceleration, 1.5 to 4.6 kHz."},
      outer_ratio > 100.0 && inner_ratio > 100.0));
  const double f = outer.lines.speeds.outer;
  const double outer_side =
      level_at(outer.envelope, outer.lines.outer_race + f) / level_at(outer.envelope, outer.lines.outer_race);
  const double inner_side =
      level_at(inner.envelope, inner.lines.inner_race + f) / level_at(inner.envelope, inner.lines.inner_race);
  section.items.push_back(item_in_words(
      {.where = "Section 3 (purpose of the model)",
       .claim = "side bands one race frequency apart, for the dent that turns through the load only",
       .paper = "not shown; known of real bearings",
       .ours = fmt::format("side band of BPFO {:.0e}, of BPFI {:.0e} of its line", outer_side, inner_side),
       .note = "Randall & Antoni, Mech. Syst. Signal Process. 25 (2011) 485."},
      outer_side > 30.0 * inner_side));
}

Figure spectrum_figure(const Spectrum& ball, const RaceSpectrum& healthy, const RaceSpectrum& outer,
                       const RaceSpectrum& inner) {
  Figure figure{.name = "smooth-contact-bearing",
                .caption =
                    "Fig. 8: power density of a ball's acceleration in a healthy bearing, outer race at 20 Hz. "
                    "Below: envelope of the outer race's acceleration, with a dent of 5 µm; without one "
                    "it lies below the picture.",
                .picture = {}};
  figure.picture.title = "ball bearing ER-10K";
  figure.picture.x_label = "frequency [Hz]";
  const auto part = [](const Spectrum& spectrum, double highest, std::string label, int colour) {
    std::vector<double> x, y;
    for (std::size_t i = 1; i < spectrum.frequency.size() && spectrum.frequency[i] <= highest; ++i) {
      x.push_back(spectrum.frequency[i]);
      y.push_back(spectrum.level[i]);
    }
    return curve(std::move(label), std::move(x), std::move(y), colour);
  };
  Panel low;
  low.y_label = "PSD of a ball [(m/s²)²/Hz]";
  low.x_label = "frequency [Hz]";
  low.curves = {part(ball, 30.0, "healthy", 0)};
  low.named_lines = {{bearing_lines(kGeometry, {.outer = kShaftSpeed}).cage, "FTF"}};
  figure.picture.panels.push_back(std::move(low));
  Panel race;
  race.y_label = "envelope of the race [(m/s²)²/Hz]";
  race.x_label = "frequency [Hz]";
  race.logarithmic = true;
  race.log_floor = 1e-12;
  race.curves = {part(healthy.envelope, 400.0, "healthy", 0), part(outer.envelope, 400.0, "dent in the outer race", 1),
                 part(inner.envelope, 400.0, "dent in the inner race", 2)};
  race.named_lines = {{outer.lines.outer_race, "BPFO"}, {inner.lines.inner_race, "BPFI"}};
  figure.picture.panels.push_back(std::move(race));
  return figure;
}

}  // namespace

Section ball_bearing(const Cases& cases) {
  Section section;
  section.heading = "Ball bearing (Section 3, Table 1, figure 8)";
  section.text =
      "Fixed inner race, outer race at 20 Hz, eight balls, springs between neighbours as the cage, friction as the "
      "drive. For the ball's spectrum the outer race is turned at constant speed; for the race's it is a body under "
      "50 N, driven by a torque.";
  add_table_items(section);
  const Spectrum ball = add_ball_items(section, cases);
  const RaceSpectrum healthy = race_spectrum("", cases.race_duration);
  const RaceSpectrum outer = race_spectrum(dent("outer", -90.0), cases.race_duration);
  const RaceSpectrum inner = race_spectrum(dent("inner", 90.0), cases.race_duration);
  add_dent_items(section, healthy, outer, inner);
  add_figure(section, spectrum_figure(ball, healthy, outer, inner));
  return section;
}

}  // namespace carom::reproduce::smooth
