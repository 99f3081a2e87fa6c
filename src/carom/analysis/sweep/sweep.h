#pragma once
/// Many runs of one scene, or many solutions of one impact problem, with some of its values varied. docs/sweeps.md
///
///     SweepOptions options;
///     options.vary = {"body.ball.position.2=lin(0.5,2,16)", "pair.0.restitution=0.5,0.9"};
///     options.measures = {"events.impacts", "position.ball.z"};
///     const Sweep sweep(Scene::read("scenes/bouncing-ball.toml"), options);
///     for (std::size_t i = 0; i < sweep.size(); ++i)
///       for (const Sweep::Row& row : sweep.run(i)) …
///
/// A point depends on its number alone: whoever has made the same sweep may run any of the points, in any order, on any
/// machine, and gets the same bits. A sweep does not change; threads may share it, each with a worker of its own, which
/// keeps what need not be prepared for every point.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/mechanics/impact_problem.h"
#include "carom/scene/scene.h"
#include "carom/scene/value.h"

namespace carom {

struct SweepOptions {
  std::vector<std::string> vary;      ///< `PATH=lin(a,b,n)`, `PATH=log(a,b,n)` or `PATH=v1,v2,…`
  std::vector<std::string> measures;  ///< names and expressions of them
  bool zip = false;                   ///< value i of each variation together, instead of every combination
  std::size_t random = 0;             ///< so many points at random; 0: a grid
  std::size_t latin = 0;              ///< so many points of a Latin hypercube
  std::uint64_t seed = 0;             ///< of these two
  std::string each{};                 ///< rows at `impact`, `impact:A,B` or `period:SECONDS`; empty: one at the end
  double from = 0.0;                  ///< of these, none before this time [s]
  std::size_t last = 0;               ///< only so many of the last ones; 0: all
};

class Sweep {
 public:
  /// A cell is a number, a word, or none where there is no value.
  using Row = std::vector<Value>;

  /// Throw InputError: a path or a name that does not exist, an expression that cannot be read, too many points.
  Sweep(const Scene& scene, const SweepOptions& options);
  Sweep(const ImpactProblem& problem, const std::string& law, const SweepOptions& options);
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;
  ~Sweep();

  /// Number of points.
  [[nodiscard]] std::size_t size() const;
  /// Of a row: the varied paths, `index` where a point has several rows, the measures, `stop`.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// The values of the varied paths at a point.
  [[nodiscard]] std::vector<Value> values(std::size_t point) const;
  /// The rows of a point. One that cannot be run, or did not finish, has its reason in `stop`.
  [[nodiscard]] std::vector<Row> run(std::size_t point) const;

  /// Runs points one after the other, in one thread.
  class Worker {
   public:
    Worker(Worker&&) noexcept;
    Worker& operator=(Worker&&) noexcept;
    ~Worker();
    /// Empty where it was interrupted.
    std::vector<Row> run(std::size_t point, const std::atomic<bool>* interrupted = nullptr);
    /// Adds the rows of some points to a text, as lines of CSV in the order of columns(); impact problems are solved
    /// many at a time. Returns how many points were done before it was interrupted.
    std::size_t append_lines(std::span<const std::size_t> points, std::string& lines,
                             const std::atomic<bool>* interrupted = nullptr);
    /// Runs the point of a scene again and keeps a record. Throws InputError where it cannot be written.
    void keep_record(std::size_t point, const std::string& path);

   private:
    friend class Sweep;
    struct Content;
    explicit Worker(std::unique_ptr<Content> content);
    std::unique_ptr<Content> content_;
  };
  [[nodiscard]] Worker worker() const;

  /// What the sweep is, as one line of JSON: two sweeps with the same description have the same table.
  [[nodiscard]] const std::string& description() const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace carom
