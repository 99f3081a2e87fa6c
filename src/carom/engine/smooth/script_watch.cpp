#include "carom/engine/smooth/script_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/engine/level_crossing.h"

namespace carom::smooth {

namespace {

/// Steps by which a crossing that was found on paths is made exact.
constexpr int kExactSteps = 5;

/// Where the level really is zero, by the secant method from where it is on the paths.
double exact_crossing(const Motions& motions, const Level& level, double time, Span span) {
  double last = std::max(span.from, time - 1e-3 * (span.to - span.from));
  double last_value = motions.exact_level_at(level, last);
  for (int k = 0; k < kExactSteps; ++k) {
    const double value = motions.exact_level_at(level, time);
    if (value == 0.0 || value == last_value) break;
    const double next = std::clamp(time - value * (time - last) / (value - last_value), span.from, span.to);
    last = time;
    last_value = value;
    time = next;
    if (std::abs(time - last) <= 4e-16 * std::abs(time)) break;
  }
  return time;
}

}  // namespace

ScriptWatch::ScriptWatch(const Model& model) {
  begin_anew(model);
}

void ScriptWatch::begin_anew(const Model& model) {
  waits_for_motion_ = !model.switches.empty();
  for (const ScriptedEvent& event : model.script)
    waits_for_motion_ = waits_for_motion_ || std::holds_alternative<AtCrossing>(event.trigger);
  sides_.assign(model.script.size(), Side::unknown);
  found_.clear();
}

std::optional<ScriptWatch::Shared> ScriptWatch::shared(const Motions& motions, const std::vector<BodyIndex>& bodies,
                                                       GroupIndex group) {
  Shared on;
  on.from = -std::numeric_limits<double>::infinity();
  on.to = std::numeric_limits<double>::infinity();
  bool concerned = false;
  for (const BodyIndex body : bodies) {
    const GroupIndex of = motions.groups.of(body);
    if (of == kNone) continue;  // it was swallowed, and stays where it is
    const Group& member = motions.groups[of];
    concerned = concerned || of == group;
    on.from = std::max(on.from, member.start);
    on.to = std::min(on.to, member.end);
    on.stretches.emplace_back(of, member.version);
  }
  if (!concerned || !(on.to > on.from)) return std::nullopt;
  return on;
}

void ScriptWatch::note(Due::What what, std::size_t which, std::optional<double> time, const Shared& on) {
  if (time) found_.push_back({{*time, what, static_cast<int>(which)}, on.stretches});
}

std::optional<double> ScriptWatch::crossing(const Motions& motions, std::size_t which, const AtCrossing& waits,
                                            const Shared& on) {
  const LevelFunction level = [&](double tau) { return motions.level_at(waits.level, on.from + tau); };
  const double now = level(0.0);
  Side& side = sides_[which];
  const Side before = side;
  if (before == Side::unknown || now != 0.0)
    side = (before == Side::unknown ? is_above(level, on.to - on.from) : now > 0.0) ? Side::above : Side::below;
  // A step that ends on the very crossing may have it on either side.
  const bool crossed = before != Side::unknown && before != side;
  const auto went = side == Side::above ? AtCrossing::Way::rising : AtCrossing::Way::falling;
  if (crossed && (waits.way == AtCrossing::Way::either || waits.way == went)) return on.from;
  const std::optional<double> found = first_crossing(level, waits.way, side == Side::above, on.to - on.from,
                                                     motions.level_roundoff(waits.level, on.from));
  if (!found) return std::nullopt;
  return exact_crossing(motions, waits.level, on.from + *found, {on.from, on.to});
}

void ScriptWatch::look(const Motions& motions, GroupIndex group) {
  if (!waits_for_motion_) return;
  const Model& model = motions.model();
  std::erase_if(found_, [&](const Found& found) {
    return std::any_of(found.stretches.begin(), found.stretches.end(),
                       [&](const auto& one) { return motions.groups[one.first].version != one.second; });
  });
  for (std::size_t i = 0; i < model.script.size(); ++i) {
    const auto* waits = std::get_if<AtCrossing>(&model.script[i].trigger);
    if (waits == nullptr || motions.script.has_happened[i]) continue;
    if (const auto on = shared(motions, bodies_of(model, waits->level), group))
      note(Due::What::scripted, i, crossing(motions, i, *waits, *on), *on);
  }
  for (std::size_t i = 0; i < model.switches.size(); ++i) {
    const ContactSwitch& contacts = model.switches[i];
    if (const auto* level = std::get_if<Level>(&contacts.on)) {
      if (const auto on = shared(motions, bodies_of(model, *level), group)) {
        const std::optional<double> found = first_crossing(
            [&](double tau) { return motions.level_at(*level, on->from + tau); }, AtCrossing::Way::either,
            motions.script.holds[i] != 0, on->to - on->from, motions.level_roundoff(*level, on->from));
        if (found)
          note(Due::What::condition, i, exact_crossing(motions, *level, on->from + *found, {on->from, on->to}), *on);
      }
    }
    if (!motions.script.holds[i] || motions.script.is_on[i]) continue;
    std::vector<BodyIndex> bodies{BodyIndex(contacts.a.slot())};
    if (motions.is_body(contacts.b)) bodies.emplace_back(contacts.b.slot());
    if (const auto on = shared(motions, bodies, group)) {
      contact::GapSearch search;
      search.end = on->to - on->from;
      search.pieces = kLevelLooks;
      const contact::GapFunction overlap = [&](double tau) {
        const contact::GapSample distance = motions.distance_at(contacts.a, contacts.b, on->from + tau);
        return contact::GapSample{-distance.gap, -distance.rate};
      };
      if (const auto found = contact::first_closing(overlap, search).time)
        note(Due::What::apart, i, on->from + *found, *on);
    }
  }
}

std::optional<ScriptWatch::Due> ScriptWatch::next(const Motions& motions, double now) const {
  const Model& model = motions.model();
  std::optional<Due> first;
  const auto offer = [&first](const Due& due) {
    if (!first || due.time < first->time) first = due;
  };
  for (std::size_t i = 0; i < model.script.size(); ++i)
    if (const auto* at = std::get_if<AtTime>(&model.script[i].trigger);
        at != nullptr && !motions.script.has_happened[i] && at->time >= now)
      offer({at->time, Due::What::scripted, static_cast<int>(i)});
  for (std::size_t i = 0; i < model.switches.size(); ++i)
    if (const auto* at = std::get_if<AtTime>(&model.switches[i].on); at != nullptr && !motions.script.holds[i])
      offer({at->time, Due::What::condition, static_cast<int>(i)});
  for (const Found& found : found_) {
    const bool holds = std::all_of(found.stretches.begin(), found.stretches.end(),
                                   [&](const auto& one) { return motions.groups[one.first].version == one.second; });
    if (holds) offer(found.due);
  }
  return first;
}

}  // namespace carom::smooth
