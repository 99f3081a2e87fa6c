#pragma once
/// Points of a sweep over a scene. The scene is read once; at each point its tree is changed and made into a model.

#include <optional>

#include "carom/analysis/sweep/direct_start.h"
#include "carom/analysis/sweep/instants.h"
#include "carom/analysis/sweep/measure.h"
#include "carom/analysis/sweep/point_runner.h"
#include "carom/analysis/sweep/scene_names.h"
#include "carom/analysis/sweep/variation.h"
#include "carom/engine/run.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"

namespace carom::sweep {

struct SceneRequest {
  Scene scene;
  std::vector<Variation> variations;
  std::vector<Value> first;                ///< the values of the first point
  std::vector<std::vector<Value>> trials;  ///< those of some others
  std::vector<std::string> measures;       ///< as `--measure`
  std::string each;                        ///< as `--each`: "", `impact`, `impact:A`, `impact:A,B`, `period:EXPRESSION`
  double from = 0.0;
  std::size_t last = 0;
};

class SceneRunner : public PointRunner {
 public:
  /// Throws InputError: paths that the scene does not have, values that can never be right there, measures.
  explicit SceneRunner(const SceneRequest& request);

  [[nodiscard]] std::unique_ptr<PointRunner> clone() const override;
  [[nodiscard]] std::vector<std::string> columns() const override;
  PointResult run(std::span<const Value> values, const std::atomic<bool>* interrupted) override;
  void keep_record(std::span<const Value> values, const std::string& path) override;

 private:
  SceneRunner(const SceneRequest& request, const RunSummary& example);

  class Watcher;
  /// A run of one point.
  struct Going;

  void apply(std::span<const Value> values);
  void prepare_direct(const SceneRequest& request);
  /// Null where all has to be read and checked.
  std::shared_ptr<const scene::SceneFile> quick_start(std::span<const Value> values);
  /// The scene at a point, ready to be run.
  scene::SceneFile read_start(std::span<const Value> values);
  PointResult run_start(const std::shared_ptr<const scene::SceneFile>& start, const std::atomic<bool>* interrupted);
  void describe(const scene::SceneFile& start, RunSummary& summary) const;
  void look_at_impacts(Going& going);
  void look_at_periods(Going& going);
  void add_row(Going& going, const ContactRecord* contact);
  PointResult finished(Going& going);
  void add_cells(const NamedValues& values, std::vector<Value>& cells) const;

  Scene scene_;
  scene::Document document_;
  bool readable_ = false;  ///< it was at some point; what is not varied is then in order
  std::vector<std::string> paths_;
  SceneNames names_;
  Instants instants_;
  std::vector<Measure> measures_;
  // Where the start follows the values by itself: it is changed between runs.
  std::optional<DirectStart> direct_;
  std::shared_ptr<scene::SceneFile> start_;
  // Of the point that is run; kept for their memory.
  NamedValues values_;
  RunSummary summary_;
};

}  // namespace carom::sweep
