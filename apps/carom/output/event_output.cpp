#include "output/event_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "common/text_table.h"
#include "output/outcome_json.h"

namespace carom::app {
namespace {

Json vector_json(const Eigen::Vector3d& vector) {
  return json_numbers(std::span<const double>(vector.data(), 3));
}

constexpr int kEventDigits = 5;
constexpr int kTimeDigits = 11;
constexpr int kTimeWidth = 14;
constexpr std::string_view kCompliantEngine = "smooth";
constexpr const char* kGround = "ground";  ///< what a joint holds its only body to

Json words_json(const std::string& words) {
  return words.empty() ? Json() : Json(words);
}

Json contact_json(const ContactRecord& contact, const EventRecord& event, const RecordInfo& info,
                  ContactTeller& teller) {
  const ContactWords words = teller.about(contact, event.time);
  Json json{{"a", info.objects[contact.a]},
            {"b", contact.b == kNone ? kGround : info.objects[contact.b]},
            {"point", vector_json(contact.point)},
            {"normal", vector_json(contact.normal)},
            {"impulse", json_number(contact.impulse)},
            {"tangential_impulse", vector_json(contact.tangential_impulse)},
            {"rate_before", json_number(contact.rate_before)},
            {"rate_after", json_number(contact.rate_after)},
            {"restitution", json_number(contact.restitution)},
            {"feature_a", words_json(words.feature_a)},
            {"feature_b", words_json(words.feature_b)},
            {"pushing", words.pushing == kNone ? Json() : Json(info.objects[words.pushing])}};
  if (contact.course) {
    json["began"] = json_number(contact.course->began);
    json["duration"] = json_number(event.time - contact.course->began);
    json["peak_force"] = json_number(contact.course->peak_force);
    json["peak_time"] = json_number(contact.course->peak_time);
  }
  if (contact.limit.exists()) {
    json["joint"] = info.joints[contact.limit.joint];
    json["limit"] = limit_side_name(contact.limit.side);
    json["coordinate"] = contact.limit.coordinate;
    json["impulse_unit"] = is_of_turn(contact.limit, info) ? "N m s" : "N s";
  }
  return json;
}

Json jump_json(const JumpRecord& jump, const RecordInfo& info) {
  return {{"name", info.objects[jump.body]},
          {"velocity_before", vector_json(jump.velocity_before)},
          {"velocity_after", vector_json(jump.velocity_after)},
          {"angular_velocity_before", vector_json(jump.angular_velocity_before)},
          {"angular_velocity_after", vector_json(jump.angular_velocity_after)}};
}

Json joint_json(const JointRecord& joint, const RecordInfo& info) {
  return {
      {"name", info.joints[joint.joint]}, {"force", vector_json(joint.force)}, {"couple", vector_json(joint.couple)}};
}

/// What the numbers of an event are measured by: what is round-off of these is none.
struct Scales {
  double rate = 0.0, impulse = 0.0;

  explicit Scales(const EventRecord& event) {
    for (const ContactRecord& contact : event.contacts) {
      rate = std::max({rate, std::abs(contact.rate_before), std::abs(contact.rate_after)});
      impulse = std::max(impulse, std::abs(contact.impulse));
    }
  }
};

/// The law, and whatever is remarkable: how it stopped, in which round, the flags.
std::string remarks_text(const EventRecord& event) {
  std::vector<std::string> remarks;
  if (!event.law.empty()) remarks.push_back(printable(event.law));
  if (!finished(event.stop)) remarks.emplace_back(stop_name(event.stop));
  if (event.round > 0) remarks.push_back(fmt::format("round {}", event.round));
  for (const Flag flag : all_flags()) {
    if (event.flags.has(flag)) remarks.emplace_back(flag_name(flag));
  }
  return fmt::format("{}", fmt::join(remarks, ", "));
}

/// As many digits as the column has room for.
std::string time_cell(double time) {
  int digits = kTimeDigits;
  while (digits > 4 && text_width(cell(time, digits)) > kTimeWidth) --digits;
  return cell(time, digits);
}

/// The text with blanks before or behind it; texts that are too long push the rest of their line aside.
std::string padded(const std::string& text, int width, Align align) {
  const std::string blanks(static_cast<std::size_t>(std::max(width - text_width(text), 0)), ' ');
  return align == Align::right ? blanks + text : text + blanks;
}

}  // namespace

Json event_json(const EventRecord& event, const RecordInfo& info, ContactTeller& teller) {
  Json contacts = Json::array();
  for (const ContactRecord& contact : event.contacts) contacts.push_back(contact_json(contact, event, info, teller));
  Json bodies = Json::array();
  for (const JumpRecord& jump : event.jumps) bodies.push_back(jump_json(jump, info));
  Json joints = Json::array();
  for (const JointRecord& joint : event.joints) joints.push_back(joint_json(joint, info));
  return {{"time", json_number(event.time)},
          {"kind", event_kind_name(event.kind)},
          {"round", event.round},
          {"law", event.law.empty() ? Json() : Json(event.law)},
          {"contacts", std::move(contacts)},
          {"steps", event.steps},
          {"stop", stop_name(event.stop)},
          {"energy",
           {{"before", json_number(event.energy.before)},
            {"after", json_number(event.energy.after)},
            {"change", json_number(event.energy.change)},
            {"change_from_impulses", json_number(event.energy.change_from_impulses)},
            {"contact_work", json_number(event.energy.contact_work)},
            {"wall_work", json_number(event.energy.wall_work)}}},
          {"flags", flags_json(event.flags)},
          {"audit",
           {{"min_impulse", json_number(event.min_impulse)},
            {"min_gap_rate_after", json_number(event.min_gap_rate_after)},
            {"constraint_residual", json_number(event.constraint_residual)},
            {"complementarity_residual", json_number(event.complementarity_residual)}}},
          {"bodies", std::move(bodies)},
          {"joints", std::move(joints)},
          {"pocket", event.pocket == kNone ? Json() : Json(info.pockets[event.pocket])},
          {"script", event.script == kNone ? Json() : Json(info.script[event.script])}};
}

EventTable::EventTable(const RecordInfo& info, ContactTeller& teller)
    : info_(info), teller_(teller), is_compliant_(info.engine == kCompliantEngine) {
  // The two widest names side by side.
  int widest = 4;
  for (const std::string& name : info.objects) widest = std::max(widest, text_width(printable(name, kLongestName)));
  constexpr int kFeature = 15;  // ", corner +x-y+z"
  pair_width_ = 2 * widest + 3 + (teller.tells_features() ? kFeature : 0);
}

/// The one that pushes first, with what of each touches: `block, corner +x-y → floor`.
std::string EventTable::pair_name(const ContactRecord& contact, double time) const {
  if (contact.limit.exists())
    return printable(info_.joints[contact.limit.joint], kLongestName) + ", " +
           std::string(limit_side_name(contact.limit.side)) + " limit";
  const ContactWords words = teller_.about(contact, time);
  const auto name = [this](int object, const std::string& feature) {
    return printable(info_.objects[object], kLongestName) + (feature.empty() ? "" : ", " + feature);
  };
  const std::string a = name(contact.a, words.feature_a), b = name(contact.b, words.feature_b);
  if (words.pushing == kNone) return a + " – " + b;
  return words.pushing == contact.a ? a + " → " + b : b + " → " + a;
}

/// Who fell into which pocket, of an event without contacts.
std::string EventTable::swallowed_name(const EventRecord& event) const {
  if (event.script != kNone) return printable(info_.script[event.script], kLongestName);
  if (event.pocket == kNone || event.jumps.empty()) return "–";
  return printable(info_.objects[event.jumps[0].body], kLongestName) + " → " +
         printable(info_.pockets[event.pocket], kLongestName);
}

std::string EventTable::line(const std::vector<std::string>& cells) const {
  struct Width {
    int cells;
    Align align;
  };
  std::vector<Width> widths = {{kTimeWidth, Align::right}, {13, Align::left},  {pair_width_, Align::left},
                               {11, Align::right},         {11, Align::right}, {13, Align::right},
                               {11, Align::right}};
  if (is_compliant_) widths.insert(widths.end(), {{12, Align::right}, {10, Align::right}});
  widths.push_back({0, Align::left});
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    text += padded(cells[i], widths[i].cells, widths[i].align);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// That of a limit on a turn is a couple.
std::string EventTable::impulse_text(const ContactRecord& contact, double scale) const {
  const std::string number = rounded_cell(contact.impulse, scale, kEventDigits);
  return is_of_turn(contact.limit, info_) && number != "0" ? number + " N m s" : number;
}

std::string EventTable::title() const {
  if (!is_compliant_)
    return line({"time [s]", "kind", "contact", "rate before", "rate after", "impulse [N s]", "ΔT [J]", "law, flags"});
  return line({"time [s]", "kind", "contact", "rate before", "rate after", "impulse [N s]", "work [J]", "duration [s]",
               "peak [N]", "law, flags"});
}

std::string EventTable::collision_line(const EventRecord& end) const {
  const ContactRecord& contact = end.contacts[0];
  const ContactCourse& course = *contact.course;
  const Scales scales(end);
  std::string peak = cell(course.peak_force, kEventDigits);
  if (is_of_turn(contact.limit, info_)) peak += " N m";
  return line({time_cell(course.began), "collision", pair_name(contact, course.began),
               rounded_cell(contact.rate_before, scales.rate, kEventDigits),
               rounded_cell(contact.rate_after, scales.rate, kEventDigits), impulse_text(contact, scales.impulse),
               cell(end.energy.contact_work, kEventDigits), cell(end.time - course.began, kEventDigits), peak,
               remarks_text(end)});
}

std::string EventTable::lines(const EventRecord& event) const {
  const std::string remarks = remarks_text(event);
  const bool jumps = event.kind == EventKind::impact || (event.kind == EventKind::scripted && !event.jumps.empty());
  const std::string change = jumps ? rounded_cell(event.energy.change, event.energy.before, kEventDigits) : "";
  const Scales scales(event);
  std::vector<std::string> head{time_cell(event.time), std::string(event_kind_name(event.kind))};
  // Of compliant records duration and peak stand before the remarks.
  const auto row = [this](std::vector<std::string> cells) {
    if (is_compliant_) cells.insert(cells.end() - 1, 2, "");
    return line(cells);
  };
  if (event.contacts.empty()) return row({head[0], head[1], swallowed_name(event), "", "", "", change, remarks});
  std::string text;
  bool first = true;
  for (const ContactRecord& contact : event.contacts) {
    text += row({head[0], head[1], pair_name(contact, event.time),
                 rounded_cell(contact.rate_before, scales.rate, kEventDigits),
                 rounded_cell(contact.rate_after, scales.rate, kEventDigits), impulse_text(contact, scales.impulse),
                 first ? change : "", first ? remarks : ""});
    head = {"", ""};
    first = false;
  }
  return text;
}

}  // namespace carom::app
