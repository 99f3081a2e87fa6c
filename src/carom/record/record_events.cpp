/// The parts of record_reader.h that deal with events.

#include <algorithm>
#include <cmath>

#include "carom/record/record_reader.h"
#include "carom/record/row_reader.h"

namespace carom {
namespace {

/// The enumerator of that name, of those up to and including `last`.
template <class Enumerator>
Enumerator named(std::string_view name, std::string_view (*name_of)(Enumerator), Enumerator last,
                 const std::string& path) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto candidate = static_cast<Enumerator>(i);
    if (name_of(candidate) == name) return candidate;
  }
  refuse_record(path, "it holds the unknown word '" + std::string(name) + "'", Kind::unsupported);
}

Flags flags_of(std::int64_t bits) {
  Flags flags;
  for (const Flag flag : all_flags()) {
    if ((bits & static_cast<std::int64_t>(flag)) != 0) flags.set(flag);
  }
  return flags;
}

/// The rows of contacts or jumps that an event names: [first, first + count) of its block, which holds `size` rows and
/// is filled up to `next`.
std::size_t checked_count(std::int64_t first, std::int64_t count, std::size_t next, std::size_t size,
                          const std::string& path) {
  const bool good =
      first == static_cast<std::int64_t>(next) && count >= 0 && count <= static_cast<std::int64_t>(size - next);
  if (!good) refuse_record(path, "its events and contacts do not belong together");
  return static_cast<std::size_t>(count);
}

}  // namespace

void RecordReader::read_contacts(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const auto count = static_cast<std::size_t>(std::max(end - first, std::int64_t{0}));
  RowReader rows(file_, contacts_, static_cast<std::size_t>(first), count);
  const auto a = rows.integers();
  const auto b = rows.integers();
  const auto point = rows.vectors();
  const auto normal = rows.vectors();
  const auto impulse = rows.reals();
  const auto tangential = rows.vectors();
  const auto before = rows.reals();
  const auto after = rows.reals();
  const auto objects = static_cast<std::int64_t>(info_.objects.size());
  block.contacts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::min(a[i], b[i]) < 0 || std::max(a[i], b[i]) >= objects)
      refuse_record(file_.path(), "a contact is damaged");
    block.contacts[i] = {static_cast<int>(a[i]),
                         static_cast<int>(b[i]),
                         point[i],
                         normal[i],
                         impulse[i],
                         tangential[i],
                         before[i],
                         after[i]};
  }
}

void RecordReader::read_jumps(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const auto count = static_cast<std::size_t>(std::max(end - first, std::int64_t{0}));
  RowReader rows(file_, jumps_, static_cast<std::size_t>(first), count);
  const auto body = rows.integers();
  const auto velocity_before = rows.vectors();
  const auto velocity_after = rows.vectors();
  const auto angular_before = rows.vectors();
  const auto angular_after = rows.vectors();
  block.jumps.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (body[i] < 0 || body[i] >= static_cast<std::int64_t>(info_.bodies)) {
      refuse_record(file_.path(), "a jump is damaged");
    }
    block.jumps[i] = {static_cast<int>(body[i]), velocity_before[i], velocity_after[i], angular_before[i],
                      angular_after[i]};
  }
}

EventBlock RecordReader::events(std::size_t first, std::size_t count) {
  EventBlock block;
  if (first >= event_count_) return block;
  count = std::min(count, event_count_ - first);
  if (count == 0) return block;
  RowReader rows(file_, events_, first, count);
  const auto time = rows.reals();
  const auto kind = rows.texts();
  const auto round = rows.integers();
  const auto law = rows.texts();
  const auto steps = rows.integers();
  const auto stop = rows.texts();
  const auto before = rows.reals();
  const auto after = rows.reals();
  const auto change = rows.reals();
  const auto change_from_impulses = rows.reals();
  const auto contact_work = rows.reals();
  const auto wall_work = rows.reals();
  const auto flags = rows.integers();
  const auto min_impulse = rows.reals();
  const auto min_gap_rate_after = rows.reals();
  const auto constraint_residual = rows.reals();
  const auto complementarity_residual = rows.reals();
  const auto first_contact = rows.integers();
  const auto contact_count = rows.integers();
  const auto first_jump = rows.integers();
  const auto jump_count = rows.integers();
  read_contacts(block, first_contact[0], first_contact[count - 1] + contact_count[count - 1]);
  read_jumps(block, first_jump[0], first_jump[count - 1] + jump_count[count - 1]);
  block.events.resize(count);
  std::size_t next_contact = 0;
  std::size_t next_jump = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t contacts = checked_count(first_contact[i] - first_contact[0], contact_count[i], next_contact,
                                               block.contacts.size(), file_.path());
    const std::size_t jumps =
        checked_count(first_jump[i] - first_jump[0], jump_count[i], next_jump, block.jumps.size(), file_.path());
    EventRecord& event = block.events[i];
    event.time = time[i];
    event.kind = named(kind[i], &event_kind_name, kLastEventKind, file_.path());
    event.round = static_cast<int>(round[i]);
    event.law = *laws_.insert(law[i]).first;
    event.contacts = std::span(block.contacts).subspan(next_contact, contacts);
    event.jumps = std::span(block.jumps).subspan(next_jump, jumps);
    event.steps = static_cast<long>(steps[i]);
    event.stop = named(stop[i], &stop_name, Stop::infeasible, file_.path());
    event.energy = {before[i], after[i], change[i], change_from_impulses[i], contact_work[i], wall_work[i]};
    event.min_impulse = min_impulse[i];
    event.min_gap_rate_after = min_gap_rate_after[i];
    event.constraint_residual = constraint_residual[i];
    if (!std::isnan(complementarity_residual[i])) event.complementarity_residual = complementarity_residual[i];
    event.flags = flags_of(flags[i]);
    next_contact += contacts;
    next_jump += jumps;
  }
  return block;
}

}  // namespace carom
