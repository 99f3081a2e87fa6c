#pragma once
/// The names that a measure of a scene may use, and their values:
///
///   events.impacts, energy.final, time.model, guarantee   fields of the run's summary (docs/commands.md), by their
///   path bodies.ball.position.2                                 among them the bodies at the end position.ball.z,
///   gap.ball.floor, energy.kinetic        quantities (quantity.h) at the end flags.energy-created, energy-created how
///   many events have this flag of the audit body.ball.mass, plane.table.motion.frequency           numbers of the
///   scene, as they are at the point
/// Where several instants of a run are looked at, quantities come first and have their values there, and besides
///   time                                                   [s]
///   impact.impulse, impact.rate_before, impact.rate_after  of the contact that was asked for [N s, m/s]

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/quantity.h"
#include "carom/analysis/sweep/measure.h"
#include "carom/analysis/sweep/summary_number.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/scene/document/read_document.h"
#include "carom/simulation/run_summary.h"

namespace carom::sweep {

/// An instant of a run.
struct RunInstant {
  const State& state;
  const EnergyBook& book;
  const ContactRecord* contact = nullptr;  ///< of an impact
};

/// How many events have had which flag, in the order of all_flags().
using FlagCounts = std::vector<std::int64_t>;

class SceneNames {
 public:
  /// `example`: a summary with every field.
  SceneNames(const RunSummary& example, bool at_instants);

  /// To read expressions with; `document` is the scene at one of the points. What is found is asked for from then on.
  [[nodiscard]] Names all(const scene::Document& document);
  /// Numbers of the scene alone.
  [[nodiscard]] Names of_scene(const scene::Document& document);

  [[nodiscard]] bool needs_samples() const { return needs_samples_; }  ///< of the energy during the run
  [[nodiscard]] bool needs_flags() const { return needs_flags_; }
  [[nodiscard]] bool needs_scene() const;    ///< numbers of the scene
  [[nodiscard]] bool needs_summary() const;  ///< words of it, or numbers that only the whole of it has

  // ----- values, in their order
  /// Makes room for the values of all names, none of which is known.
  void forget(NamedValues& values) const;
  void add_scene(const scene::Document& document, NamedValues& values) const;
  void add_summary(const RunSummary& summary, const FlagCounts& flags, NamedValues& values) const;
  /// The same for another instant of the run.
  void copy_summary(const NamedValues& from, NamedValues& to) const;
  /// Throws InputError where the model of the point lacks something that a quantity is about.
  void add_instant(const Model& model, const RunInstant& instant, NamedValues& values);

 private:
  enum class Origin { summary, quantity, flag, scene, time, impulse, rate_before, rate_after };
  struct Entry {
    Origin origin;
    std::string name;
    std::size_t flag = 0;
    Quantity quantity{};
    std::array<std::string, 2> objects{};  ///< that the quantity is about
    SummaryNumber summary = nullptr;       ///< of a field of the summary, where it is known without JSON
  };

  int add(Entry entry);
  int find(std::string_view name, const scene::Document& document);
  int find_summary(std::string_view name);
  int find_quantity(std::string_view name);
  int find_flag(std::string_view name);
  int find_scene(std::string_view name, const scene::Document& document);
  int find_instant(std::string_view name);
  [[nodiscard]] std::string complaint(std::string_view name) const;
  [[nodiscard]] bool uses_bodies() const;
  void update_quantity(const Model& model, Entry& entry) const;

  RecordInfo info_;
  Json example_;
  bool at_instants_;
  bool needs_samples_ = false;
  bool needs_flags_ = false;
  std::vector<Entry> entries_;
};

}  // namespace carom::sweep
