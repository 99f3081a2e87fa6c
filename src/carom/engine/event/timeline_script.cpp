/// When levels that the script of a model waits for are crossed.

#include <algorithm>

#include "carom/contact/gap_search.h"
#include "carom/engine/event/timeline.h"
#include "carom/engine/level_crossing.h"

namespace carom::event {

namespace {

/// By which a search is known that is to be gone on with.
int number_of_search(UpcomingEvent::What what, int which) {
  using What = UpcomingEvent::What;
  return 3 * which + (what == What::scripted ? 0 : what == What::condition ? 1 : 2);
}

}  // namespace

void Timeline::add_timed(UpcomingEvent::What what, int which, double time) {
  queue_.push({time, 0.0, what, kNone, kNone, 0, 0, which});
}

void Timeline::predict_script(const Situation& at, const Bodies& bodies, int only) {
  World& world = at.world;
  const Model& model = world.model();
  /// Calls search(duration) for the stretch in which these bodies go on as they do now, where one of them has begun to.
  const auto schedule_first = [&](const Bodies& on, UpcomingEvent::What what, std::size_t which, const auto& search) {
    const int number = number_of_search(what, static_cast<int>(which));
    if (only >= 0 && number != only) return;
    const auto begins = [&](BodyIndex body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
    if (std::none_of(on.begin(), on.end(), begins)) return;
    double end = contact::kForever;
    for (const BodyIndex body : on) end = std::min(end, world.object(body).motion.end);
    const double until = std::min(end, horizon(world, on));
    const double duration = until - world.time();
    if (!(duration > 0.0)) return;
    const std::optional<double> found = search(duration);
    const BodyIndex a = on.front(), b = on.back();
    if (found) {
      queue_.push({world.time() + *found, 0.0, what, a, b, world.object(a).version, world.object(b).version,
                   static_cast<int>(which)});
    } else if (until < end) {
      queue_.push(
          {until, 0.0, UpcomingEvent::What::search_on, a, b, world.object(a).version, world.object(b).version, number});
    }
  };
  for (std::size_t i = 0; i < model.script.size(); ++i) {
    const auto* crossing = std::get_if<AtCrossing>(&model.script[i].trigger);
    if (crossing == nullptr || world.progress().has_happened[i]) continue;
    const LevelFunction level = [&](double tau) { return world.level_after(crossing->level, tau); };
    schedule_first(bodies_of(model, crossing->level), UpcomingEvent::What::scripted, i, [&](double duration) {
      return first_crossing(level, crossing->way, is_above(level, duration), duration,
                            world.level_roundoff(crossing->level));
    });
  }
  for (std::size_t i = 0; i < model.switches.size(); ++i) {
    const ContactSwitch& contacts = model.switches[i];
    const bool holds = world.progress().holds[i];
    if (const auto* level = std::get_if<Level>(&contacts.on))
      schedule_first(bodies_of(model, *level), UpcomingEvent::What::condition, i, [&](double duration) {
        return first_crossing([&](double tau) { return world.level_after(*level, tau); }, AtCrossing::Way::either,
                              holds, duration, world.level_roundoff(*level));
      });
    if (!holds || world.progress().is_on[i]) continue;
    Bodies two{as_body(contacts.a)};
    if (world.is_body(contacts.b)) two.push_back(as_body(contacts.b));
    schedule_first(two, UpcomingEvent::What::apart, i, [&](double duration) {
      const contact::GapFunction overlap = [&](double tau) {
        const contact::GapSample distance = world.distance_after(contacts.a, contacts.b, tau);
        return contact::GapSample{-distance.gap, -distance.rate};
      };
      contact::GapSearch search;
      search.end = duration;
      search.pieces = kLevelLooks;
      return contact::first_closing(overlap, search).time;
    });
  }
}

}  // namespace carom::event
