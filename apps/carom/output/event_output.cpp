#include "output/event_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/utf8.h"
#include "common/text_table.h"
#include "output/outcome_json.h"

namespace carom::app {
namespace {

Json vector_json(const Eigen::Vector3d& vector) {
  return json_numbers(std::span<const double>(vector.data(), 3));
}

constexpr int kEventDigits = 5;
constexpr const char* kGround = "ground";  ///< what a joint holds its only body to

Json contact_json(const ContactRecord& contact, const RecordInfo& info) {
  Json json{{"a", info.objects[contact.a]},
            {"b", contact.b == kNone ? kGround : info.objects[contact.b]},
            {"point", vector_json(contact.point)},
            {"normal", vector_json(contact.normal)},
            {"impulse", json_number(contact.impulse)},
            {"tangential_impulse", vector_json(contact.tangential_impulse)},
            {"rate_before", json_number(contact.rate_before)},
            {"rate_after", json_number(contact.rate_after)},
            {"restitution", json_number(contact.restitution)}};
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

/// The text with blanks before or behind it; texts that are too long push the rest of their line aside.
std::string padded(const std::string& text, int width, Align align) {
  const std::string blanks(static_cast<std::size_t>(std::max(width - text_width(text), 0)), ' ');
  return align == Align::right ? blanks + text : text + blanks;
}

}  // namespace

Json event_json(const EventRecord& event, const RecordInfo& info) {
  Json contacts = Json::array();
  for (const ContactRecord& contact : event.contacts) contacts.push_back(contact_json(contact, info));
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

EventTable::EventTable(const RecordInfo& info) : info_(info) {
  // The two widest names side by side.
  int widest = 4;
  for (const std::string& name : info.objects) widest = std::max(widest, text_width(printable(name, kLongestName)));
  pair_width_ = 2 * widest + 3;
}

std::string EventTable::pair_name(const ContactRecord& contact) const {
  if (contact.limit.exists())
    return printable(info_.joints[contact.limit.joint], kLongestName) + ", " +
           std::string(limit_side_name(contact.limit.side)) + " limit";
  const auto name = [this](int object) { return printable(info_.objects[object], kLongestName); };
  return name(contact.a) + " – " + name(contact.b);
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
  const Width widths[] = {{13, Align::right}, {13, Align::left},  {pair_width_, Align::left}, {11, Align::right},
                          {11, Align::right}, {13, Align::right}, {11, Align::right},         {0, Align::left}};
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    text += padded(cells[i], widths[i].cells, widths[i].align);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// That of a limit on a turn is a couple.
std::string EventTable::impulse_text(const ContactRecord& contact) const {
  const std::string number = cell(contact.impulse, kEventDigits);
  return is_of_turn(contact.limit, info_) && contact.impulse != 0.0 ? number + " N m s" : number;
}

std::string EventTable::title() const {
  return line({"time [s]", "kind", "contact", "rate before", "rate after", "impulse [N s]", "ΔT [J]", "law, flags"});
}

std::string EventTable::lines(const EventRecord& event) const {
  constexpr int kTimeDigits = 11;
  const std::string remarks = remarks_text(event);
  const std::string change = event.kind == EventKind::impact ? cell(event.energy.change, kEventDigits) : "";
  std::vector<std::string> head{cell(event.time, kTimeDigits), std::string(event_kind_name(event.kind))};
  if (event.contacts.empty()) return line({head[0], head[1], swallowed_name(event), "", "", "", change, remarks});
  std::string text;
  bool first = true;
  for (const ContactRecord& contact : event.contacts) {
    text += line({head[0], head[1], pair_name(contact), cell(contact.rate_before, kEventDigits),
                  cell(contact.rate_after, kEventDigits), impulse_text(contact), first ? change : "",
                  first ? remarks : ""});
    head = {"", ""};
    first = false;
  }
  return text;
}

}  // namespace carom::app
