#pragma once
/// The parts of the chapter on [Gismeros Moreno 2021], and what they share: scenes in texts, run by the compliant
/// engine, and the motion that is kept of them.

#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/spectrum.h"
#include "carom/record/run_result.h"
#include "reproduce/chapters/chapter.h"

namespace carom::reproduce::smooth {

/// How much is computed; a test takes less than the report.
struct Cases {
  int drops = 40;                ///< of the bouncing ball, from as many heights
  int releases = 20;             ///< of the cradle, from as many angles
  double ball_duration = 2.0;    ///< of the healthy bearing, for the spectrum of a ball [s]
  double race_duration = 0.6;    ///< of bearings with a free race [s]
  double break_duration = 2.0;   ///< of a pool break [s]
  int random_racks = 3;          ///< racks with random gaps
  double cradle_duration = 5.0;  ///< [s]
};

Section contact_forces();
Section bouncing_ball(const Cases& cases);
Section ball_bearing(const Cases& cases);
Section pool_table(const Cases& cases);
Section newtons_cradle(const Cases& cases);

/// A run with the states of all bodies at its samples.
struct Motion {
  RunResult result;
  std::vector<State> states;
  std::vector<double> energies;  ///< total, at the samples [J]
  double seconds = 0.0;          ///< of the processor, that this took

  /// Component `axis` of the position of a body at the samples [m].
  [[nodiscard]] std::vector<double> positions(std::size_t body, int axis) const;
  [[nodiscard]] std::vector<double> times() const;
  /// Highest z of a body [m].
  [[nodiscard]] double highest(std::size_t body) const;
  /// Acceleration by central differences of the velocities at even samples. spectrum.h
  [[nodiscard]] Signal acceleration(std::size_t body, int axis) const;
};

/// Runs a scene (a text in the format of scene files) after settings like `run.rtol=1e-3`. Throws InputError.
Motion run_scene(const std::string& text, const std::vector<std::string>& settings);

/// An item that is stated in words; `agrees` says whether ours is what the paper says.
struct Words {
  std::string where, claim, paper, ours, note;
};
Item item_in_words(Words words, bool agrees);
/// The same where the paper does not give what a comparison needs; the note says what.
Item not_given_item(Words words);

/// A number whose reference is not the paper's own but follows from it: a closed form, a kinematic relation.
Item reference_item(std::string where, std::string claim, double reference, double ours, double tolerance);

/// A line of a picture; the colour counts up with the curves.
Curve curve(std::string label, std::vector<double> x, std::vector<double> y, int colour);

/// Adds a figure; its axes reach as far as its curves.
void add_figure(Section& section, Figure figure);

}  // namespace carom::reproduce::smooth
