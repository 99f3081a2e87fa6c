#pragma once
/// What a record says about its run.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/record/observer.h"

namespace carom {

struct RecordInfo {
  std::string version;                ///< of carom that wrote it
  std::string scene;                  ///< the text of the scene file
  std::vector<std::string> settings;  ///< `path=value`
  std::string engine, law;
  std::string options;  ///< JSON
  std::int64_t seed = 0;
  std::vector<std::string> objects;  ///< names, bodies first
  std::size_t bodies = 0;
  std::vector<std::string> pockets;      ///< names
  std::vector<std::string> joints;       ///< names
  std::vector<std::string> joint_kinds;  ///< `revolute`, …; empty of older records
  std::vector<std::string> script;       ///< names of scripted events
  std::vector<double> extended;          ///< times up to which the run went on beyond its duration [s], ascending
  bool complete = false;                 ///< the run came to its end, whatever that was
  std::string stop;                      ///< of the run; empty unless complete
  std::string summary;                   ///< JSON; empty unless complete
};

/// None of older records, which lack the kinds.
std::optional<JointKind> joint_kind(const RecordInfo& info, std::size_t joint);

/// Whether a limit ends a turn, so that its impulse is a couple [N m s] and its rates are in rad/s.
bool is_of_turn(const LimitIndex& limit, const RecordInfo& info);

/// How many events of which kind there are.
struct EventCounts {
  std::array<std::int64_t, static_cast<std::size_t>(kLastEventKind) + 1> of_kind{};
  std::int64_t multiple = 0;  ///< impacts in which two or more contacts took an impulse
  std::int64_t flagged = 0;   ///< events with an audit flag

  [[nodiscard]] std::int64_t of(EventKind kind) const { return of_kind[static_cast<std::size_t>(kind)]; }
};

}  // namespace carom
