#pragma once
/// What an engine writes down while it runs: counts, where energy went, why it stopped; and where its events are
/// reported. The same for all engines; a copy of an engine has a copy of its log, without the observer.

#include <string>
#include <utility>
#include <vector>

#include "carom/base/archive.h"
#include "carom/record/run_result.h"

namespace carom {

class RunLog {
 public:
  /// `max_events`: impacts after which the run stops `event-limit`; 0: no limit.
  explicit RunLog(std::int64_t max_events = 0) : max_events_(max_events) {}
  RunLog(const RunLog& other) : result(other.result), max_events_(other.max_events_), stopped_(other.stopped_) {}
  RunLog(RunLog&&) = default;
  RunLog& operator=(const RunLog&) = delete;
  RunLog& operator=(RunLog&&) = default;
  ~RunLog() = default;

  /// Counts and energies so far. Its `energy` is what has been booked; what goes on now is added by Engine::energy_at.
  RunResult result;

  void set_observer(Observer* observer) { observer_ = observer; }
  /// Whether anybody wants to know of events: otherwise they need not be put together.
  [[nodiscard]] bool observed() const { return observer_ != nullptr; }
  void report(const EventRecord& event) {
    ++reported_;
    if (observer_ != nullptr && reported_ > known_) observer_->event(event);
  }
  /// Events reported so far.
  [[nodiscard]] std::int64_t reported() const { return reported_; }
  /// The observer knows the next ones already.
  void skip_reports(std::int64_t count) { known_ = reported_ + count; }

  /// Another impact at so many contacts, of which so many took an impulse; stops the run where that was the last one
  /// allowed.
  void count_impact(std::size_t contacts, std::size_t pressed) {
    ++result.impacts;
    if (contacts > 1) ++result.of_several;
    if (pressed > 1) ++result.multiple;
    if (max_events_ > 0 && result.impacts >= max_events_) stop(RunStop::event_limit);
  }

  /// Infinitely many bounces of these two end at that time.
  void note_collapse(ObjectIndex a, ObjectIndex b, double time) {
    if (result.collapses++ == 0) result.first_collapse = Collapse{a, b, time, result.impacts};
  }

  void stop(RunStop why) {
    result.stop = why;
    stopped_ = true;
  }
  /// The mathematics did not work out.
  void fail(std::string reason, double time, std::vector<BodyIndex> bodies) {
    result.failure = Failure{std::move(reason), time, std::move(bodies)};
    stop(RunStop::failed);
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Goes on after a stop that is not a failure, for as many impacts again.
  void resume() {
    if (result.stop == RunStop::failed) return;
    if (result.stop == RunStop::event_limit) max_events_ += result.impacts;
    result.stop = RunResult().stop;
    stopped_ = false;
  }

  /// All but the observer and what it knows: an observer comes anew.
  void transfer(Archive& archive);

 private:
  std::int64_t max_events_;
  bool stopped_ = false;
  Observer* observer_ = nullptr;
  std::int64_t reported_ = 0;
  std::int64_t known_ = 0;
};

}  // namespace carom
