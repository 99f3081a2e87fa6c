#pragma once
/// When what the script of a model waits for comes about along the present motions (mechanics/script.h).
///
/// Times are known from the start. Levels, and bodies that overlap while their contacts wait for them to be apart, are
/// looked at whenever a group they depend on has a new stretch: on the paths of the bodies over the time that all the
/// stretches share, then made exact by steps up to the crossing. What was found holds as long as these stretches do.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "carom/engine/smooth/contact_search.h"

namespace carom::smooth {

class ScriptWatch {
 public:
  struct Due {
    enum class What {
      scripted,   ///< number `which` of the script
      condition,  ///< that of switch number `which` begins or ceases to hold
      apart,      ///< the objects of switch number `which` do not overlap any more
    };
    double time;
    What what;
    int which;
  };

  explicit ScriptWatch(const Model& model);

  /// A group has a new stretch.
  void look(const Motions& motions, GroupIndex group);
  /// The first one that holds with the present stretches; times before the present one are past.
  [[nodiscard]] std::optional<Due> next(const Motions& motions, double now) const;
  /// Velocities have jumped, or joints have changed: what is above its value and what below is to be seen anew.
  void begin_anew(const Model& model);

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct Found {
    Due due;
    std::vector<std::pair<GroupIndex, std::uint64_t>> stretches;  ///< that it was found on
  };
  /// The stretches of these bodies, and the time that they share; none where the group is not among them.
  struct Shared {
    std::vector<std::pair<GroupIndex, std::uint64_t>> stretches;
    double from = 0.0, to = 0.0;
  };
  [[nodiscard]] static std::optional<Shared> shared(const Motions& motions, const std::vector<BodyIndex>& bodies,
                                                    GroupIndex group);
  [[nodiscard]] std::optional<double> crossing(const Motions& motions, std::size_t which, const AtCrossing& waits,
                                               const Shared& on);
  void note(Due::What what, std::size_t which, std::optional<double> time, const Shared& on);

  enum class Side : char { unknown, above, below };
  bool waits_for_motion_ = false;
  std::vector<Side> sides_;  ///< of the events of the script, where the last stretch began
  std::vector<Found> found_;
};

}  // namespace carom::smooth
