#pragma once
/// A run that is handed on: it is saved and loaded into a fresh simulation again and again, and what it tells is
/// compared with a run in one go, bit by bit.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "carom/record/record_rows.h"
#include "carom/simulation/simulation.h"

namespace carom::test {

/// Keeps all that a record would have, as its bytes.
class KeptRows final : public Observer {
 public:
  explicit KeptRows(const Model& model);

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override { rows_->add_event(event); }
  [[nodiscard]] bool wants_contact_loads() const override { return true; }

  /// Who is added to a run that has begun is told where it is; this is known already.
  void ignore_one_sample() { ignores_ = true; }

  /// Where another one has other bytes: table, column and row; empty where they are the same.
  [[nodiscard]] std::string first_difference(const KeptRows& other) const;
  [[nodiscard]] std::int64_t samples() const { return rows_->counts()[0]; }
  [[nodiscard]] std::int64_t events() const { return rows_->counts()[1]; }

 private:
  std::unique_ptr<RecordRows> rows_;
  bool ignores_ = false;
};

struct Relay {
  int most_handovers = 8;  ///< at random times and events
  int events = 0;          ///< that the run may have, 0: any number; scenes are shortened to the time of the last
};

/// The same scene up to the time of an event, with the output step that it had.
Scene shortened(const Scene& scene, int events);

/// What differs between the run of a scene in one go and one that is handed on; empty where nothing does. The bytes
/// that both end with are compared too.
std::string relay_difference(const Scene& scene, std::uint64_t seed, const Relay& relay = {});

}  // namespace carom::test
