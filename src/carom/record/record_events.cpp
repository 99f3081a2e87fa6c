/// The parts of record_reader.h that deal with events.

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
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
  refuse_record(path, "it holds the unknown word '" + printable(name) + "'", Kind::unsupported);
}

bool has_column(const Columns& columns, std::string_view path) {
  return std::any_of(columns.begin(), columns.end(),
                     [path](const hdf5::Column& column) { return column.path == path; });
}

Flags flags_of(std::int64_t bits) {
  Flags flags;
  for (const Flag flag : all_flags()) {
    if ((bits & static_cast<std::int64_t>(flag)) != 0) flags.set(flag);
  }
  return flags;
}

/// Which rows of contacts or of jumps belong to events that follow each other.
struct LowerRows {
  const std::vector<std::int64_t>& first;
  const std::vector<std::int64_t>& count;

  /// Each event's rows follow those of the one before, and all of them exist.
  [[nodiscard]] bool good(std::size_t rows) const {
    const auto all = static_cast<std::int64_t>(rows);
    std::int64_t next = first[0];
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] != next || next < 0 || next > all || count[i] < 0 || count[i] > all - next) return false;
      next += count[i];
    }
    return true;
  }
  [[nodiscard]] std::int64_t end() const { return first.back() + count.back(); }
};

}  // namespace

void RecordReader::read_contacts(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const std::size_t count = end - first;
  RowReader rows(file_, contacts_, first, count);
  const auto a = rows.integers();
  const auto b = rows.integers();
  const auto point = rows.vectors();
  const auto normal = rows.vectors();
  const auto impulse = rows.reals();
  const auto tangential = rows.vectors();
  const auto before = rows.reals();
  const auto after = rows.reals();
  const auto reals = [&](std::string_view path) {
    return has_column(contacts_, path) ? rows.reals() : std::vector<double>(count, std::nan(""));
  };
  const auto restitution = reals("/events/contacts/restitution");
  const auto integers = [&](std::string_view path) {
    return has_column(contacts_, path) ? rows.integers() : std::vector<std::int64_t>(count, kNone);
  };
  const auto joint = integers("/events/contacts/joint");
  const auto coordinate = integers("/events/contacts/coordinate");
  const auto upper = integers("/events/contacts/upper");
  const auto began = reals("/events/contacts/began");
  const auto peak_force = reals("/events/contacts/peak_force");
  const auto peak_time = reals("/events/contacts/peak_time");
  const auto objects = static_cast<std::int64_t>(info_.objects.size());
  block.contacts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] < 0 || b[i] < (joint[i] < 0 ? 0 : kNone) || std::max(a[i], b[i]) >= objects) {
      refuse_record(file_.path(), "a contact names an object that there is not");
    }
    if (joint[i] < kNone || joint[i] >= static_cast<std::int64_t>(info_.joints.size())) {
      refuse_record(file_.path(), "a contact names a joint that there is not");
    }
    block.contacts[i] = {static_cast<int>(a[i]),
                         static_cast<int>(b[i]),
                         point[i],
                         normal[i],
                         impulse[i],
                         tangential[i],
                         before[i],
                         after[i],
                         std::isnan(restitution[i]) ? std::nullopt : std::optional(restitution[i]),
                         {static_cast<int>(joint[i]), std::max(static_cast<int>(coordinate[i]), 0),
                          upper[i] > 0 ? LimitSide::upper : LimitSide::lower}};
    if (!std::isnan(began[i])) block.contacts[i].course = ContactCourse{began[i], peak_force[i], peak_time[i]};
  }
}

void RecordReader::read_jumps(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const std::size_t count = end - first;
  RowReader rows(file_, jumps_, first, count);
  const auto body = rows.integers();
  const auto velocity_before = rows.vectors();
  const auto velocity_after = rows.vectors();
  const auto angular_before = rows.vectors();
  const auto angular_after = rows.vectors();
  block.jumps.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (body[i] < 0 || body[i] >= static_cast<std::int64_t>(info_.bodies)) {
      refuse_record(file_.path(), "a jump names a body that there is not");
    }
    block.jumps[i] = {static_cast<int>(body[i]), velocity_before[i], velocity_after[i], angular_before[i],
                      angular_after[i]};
  }
}

void RecordReader::read_joints(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const std::size_t count = end - first;
  RowReader rows(file_, joints_, first, count);
  const auto joint = rows.integers();
  const auto force = rows.vectors();
  const auto couple = rows.vectors();
  block.joints.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (joint[i] < 0 || joint[i] >= static_cast<std::int64_t>(info_.joints.size())) {
      refuse_record(file_.path(), "an event names a joint that there is not");
    }
    block.joints[i] = {static_cast<int>(joint[i]), force[i], couple[i]};
  }
}

EventBlock RecordReader::events(std::size_t first, std::size_t count) {
  EventBlock block;
  if (first >= event_count()) return block;
  count = std::min(count, event_count() - first);
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
  const auto pocket = rows.integers();
  const std::vector<std::int64_t> none(count, 0);
  const auto first_joint = has_column(events_, "/events/first_joint") ? rows.integers() : none;
  const auto joint_count = has_column(events_, "/events/joint_count") ? rows.integers() : none;
  const bool has_script = has_column(events_, "/events/script");
  const auto script = has_script ? rows.integers() : std::vector<std::int64_t>(count, kNone);
  const LowerRows contacts{first_contact, contact_count};
  const LowerRows joints{first_joint, joint_count};
  const LowerRows jumps{first_jump, jump_count};
  if (!contacts.good(rows_[2]) || !jumps.good(rows_[3]) || !joints.good(rows_[4])) {
    refuse_record(file_.path(), "its events, contacts, jumps and joints do not belong together");
  }
  read_contacts(block, first_contact[0], contacts.end());
  read_jumps(block, first_jump[0], jumps.end());
  if (!joints_.empty()) read_joints(block, first_joint[0], joints.end());
  block.events.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    EventRecord& event = block.events[i];
    event.time = time[i];
    event.kind = named(kind[i], &event_kind_name, kLastEventKind, file_.path());
    event.round = static_cast<int>(round[i]);
    event.law = *laws_.insert(law[i]).first;
    event.contacts = std::span(block.contacts).subspan(first_contact[i] - first_contact[0], contact_count[i]);
    event.jumps = std::span(block.jumps).subspan(first_jump[i] - first_jump[0], jump_count[i]);
    event.joints = std::span(block.joints).subspan(first_joint[i] - first_joint[0], joint_count[i]);
    event.steps = static_cast<long>(steps[i]);
    event.stop = named(stop[i], &stop_name, kLastStop, file_.path());
    event.energy = {before[i], after[i], change[i], change_from_impulses[i], contact_work[i], wall_work[i]};
    event.min_impulse = min_impulse[i];
    event.min_gap_rate_after = min_gap_rate_after[i];
    event.constraint_residual = constraint_residual[i];
    if (!std::isnan(complementarity_residual[i])) event.complementarity_residual = complementarity_residual[i];
    event.flags = flags_of(flags[i]);
    event.pocket = static_cast<int>(pocket[i]);
    event.script = static_cast<int>(script[i]);
    if (script[i] < kNone || script[i] >= static_cast<std::int64_t>(info_.script.size())) {
      refuse_record(file_.path(), "an event names a script that there is not");
    }
    if (pocket[i] < kNone || pocket[i] >= static_cast<std::int64_t>(info_.pockets.size())) {
      refuse_record(file_.path(), "an event names a pocket that there is not");
    }
  }
  return block;
}

double RecordReader::event_time(std::size_t event) const {
  return RowReader(file_, events_, event, 1).reals()[0];
}

std::size_t RecordReader::first_event_from(double time) const {
  std::size_t low = 0;
  std::size_t high = event_count();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (event_time(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

EventCounts RecordReader::count_events() const {
  constexpr std::size_t kBlock = 16384;
  const auto column = [this](std::string_view path) {
    const auto found =
        std::find_if(events_.begin(), events_.end(), [path](const auto& one) { return one.path == path; });
    return std::span(&*found, 1);
  };
  const auto found_impulse = std::find_if(contacts_.begin(), contacts_.end(), [](const hdf5::Column& one) {
    return one.path == "/events/contacts/impulse";
  });
  const std::span<const hdf5::Column> impulse_column(&*found_impulse, 1);
  EventCounts counts;
  for (std::size_t first = 0; first < event_count(); first += kBlock) {
    const std::size_t count = std::min(kBlock, event_count() - first);
    const auto kind = RowReader(file_, column("/events/kind"), first, count).texts();
    const auto contacts = RowReader(file_, column("/events/contact_count"), first, count).integers();
    const auto first_contact = RowReader(file_, column("/events/first_contact"), first, count).integers();
    const LowerRows rows{first_contact, contacts};
    if (!rows.good(rows_[2])) refuse_record(file_.path(), "its events point to contacts that there are not");
    const auto all = static_cast<std::size_t>(rows.end() - first_contact[0]);
    const auto impulse = RowReader(file_, impulse_column, static_cast<std::size_t>(first_contact[0]), all).reals();
    const auto flags = RowReader(file_, column("/events/flags"), first, count).integers();
    for (std::size_t i = 0; i < count; ++i) {
      const EventKind what = named(kind[i], &event_kind_name, kLastEventKind, file_.path());
      ++counts.of_kind[static_cast<std::size_t>(what)];
      const auto own = std::span(impulse).subspan(static_cast<std::size_t>(first_contact[i] - first_contact[0]),
                                                  static_cast<std::size_t>(contacts[i]));
      if (what == EventKind::impact && pressed_count(own) > 1) ++counts.multiple;
      if (flags[i] != 0) ++counts.flagged;
    }
  }
  return counts;
}

}  // namespace carom
