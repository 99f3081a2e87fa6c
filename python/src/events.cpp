#include "events.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <span>

#include "arrays.h"
#include "carom/base/archive.h"
#include "outcome.h"

namespace carom::python {
namespace {

std::string name_at(const Names& names, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < names->size() ? (*names)[static_cast<std::size_t>(index)] : "";
}

py::array_t<double> array_of(const Eigen::Vector3d& vector) {
  return copied({vector.data(), 3});
}

std::vector<NamedContact> contacts(const NamedEvent& e) {
  std::vector<NamedContact> list;
  for (const ContactRecord& contact : e.event->contacts)
    list.push_back({contact, name_at(e.names, contact.a), name_at(e.names, contact.b)});
  return list;
}

std::vector<NamedJump> jumps(const NamedEvent& e) {
  std::vector<NamedJump> list;
  for (const JumpRecord& jump : e.event->jumps) list.push_back({jump, name_at(e.names, jump.body)});
  return list;
}

/// An event as bytes, and back: what another process is sent.
py::bytes packed(Event event) {
  Archive archive;
  archive(event);
  const std::vector<std::byte> bytes = archive.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Event unpacked(const py::object& bytes) {
  const auto text = bytes.cast<std::string>();
  Archive archive(std::as_bytes(std::span(text.data(), text.size())));
  Event event;
  archive(event);
  archive.finish();
  return event;
}

py::tuple contact_state(const NamedContact& contact) {
  EventRecord record;
  record.contacts = {&contact.record, 1};
  return py::make_tuple(packed(Event(record)), contact.a, contact.b);
}

NamedContact contact_of(const py::tuple& state) {
  return {unpacked(state[0])->contacts.front(), state[1].cast<std::string>(), state[2].cast<std::string>()};
}

py::tuple jump_state(const NamedJump& jump) {
  EventRecord record;
  record.jumps = {&jump.record, 1};
  return py::make_tuple(packed(Event(record)), jump.body);
}

NamedJump jump_of(const py::tuple& state) {
  return {unpacked(state[0])->jumps.front(), state[1].cast<std::string>()};
}

py::tuple event_state(const NamedEvent& event) {
  return py::make_tuple(packed(event.event), *event.names);
}

NamedEvent event_of(const py::tuple& state) {
  return {unpacked(state[0]),
          std::make_shared<const std::vector<std::string>>(state[1].cast<std::vector<std::string>>())};
}

void bind_contact(py::module_& module) {
  using C = const NamedContact&;
  py::class_<NamedContact>(module, "EventContact", "One touching point of an event.")
      .def_readonly("a", &NamedContact::a, "Name of the first object.")
      .def_readonly("b", &NamedContact::b, "Name of the second object; empty: the ground.")
      .def_property_readonly(
          "point", [](C c) { return array_of(c.record.point); }, "[m]")
      .def_property_readonly(
          "normal", [](C c) { return array_of(c.record.normal); }, "Unit, from b to a.")
      .def_property_readonly(
          "impulse", [](C c) { return c.record.impulse; }, "Normal, on a [N s].")
      .def_property_readonly(
          "tangential_impulse", [](C c) { return array_of(c.record.tangential_impulse); }, "On a [N s].")
      .def_property_readonly(
          "rate_before", [](C c) { return c.record.rate_before; }, "Gap rate [m/s].")
      .def_property_readonly(
          "rate_after", [](C c) { return c.record.rate_after; }, "Gap rate [m/s].")
      .def_property_readonly(
          "restitution", [](C c) { return c.record.restitution; }, "That the law was given.")
      .def("__repr__",
           [](C c) {
             return fmt::format("EventContact({} – {}, impulse {:.6g} N s)", c.a, c.b.empty() ? "ground" : c.b,
                                c.record.impulse);
           })
      .def(py::pickle(&contact_state, &contact_of));
}

void bind_jump(py::module_& module) {
  using J = const NamedJump&;
  py::class_<NamedJump>(module, "Jump", "One body whose velocity an event changed.")
      .def_readonly("body", &NamedJump::body, "Its name.")
      .def_property_readonly(
          "velocity_before", [](J j) { return array_of(j.record.velocity_before); }, "[m/s]")
      .def_property_readonly(
          "velocity_after", [](J j) { return array_of(j.record.velocity_after); }, "[m/s]")
      .def_property_readonly(
          "angular_velocity_before", [](J j) { return array_of(j.record.angular_velocity_before); }, "[rad/s]")
      .def_property_readonly(
          "angular_velocity_after", [](J j) { return array_of(j.record.angular_velocity_after); }, "[rad/s]")
      .def("__repr__", [](J j) { return fmt::format("Jump({})", j.body); })
      .def(py::pickle(&jump_state, &jump_of));
}

}  // namespace

Names names_of(const Model& model) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (int object = 0; object < model.object_count(); ++object) names->push_back(model.name(object));
  return names;
}

void bind_events(py::module_& module) {
  bind_contact(module);
  bind_jump(module);
  using E = const NamedEvent&;
  py::class_<NamedEvent>(module, "Event", "What happened at one instant.")
      .def_property_readonly(
          "time", [](E e) { return e.event->time; }, "[s]")
      .def_property_readonly(
          "kind", [](E e) { return std::string(event_kind_name(e.event->kind)); },
          "impact, rest, release, contact-start, contact-end, …")
      .def_property_readonly(
          "round", [](E e) { return e.event->round; }, "0, 1, … of one instant.")
      .def_property_readonly(
          "law", [](E e) { return std::string(e.event->law); }, "That answered an impact.")
      .def_property_readonly("contacts", &contacts, "Where it happened.")
      .def_property_readonly("jumps", &jumps, "Bodies whose velocity changed.")
      .def_property_readonly(
          "steps", [](E e) { return e.event->steps; }, "Of the law.")
      .def_property_readonly(
          "stop", [](E e) { return std::string(stop_name(e.event->stop)); }, "Of the law.")
      .def_property_readonly(
          "energy", [](E e) { return e.event->energy; }, "Of the bodies involved [J].")
      .def_property_readonly(
          "flags", [](E e) { return flag_names(e.event->flags); }, "Remarks of the audit.")
      .def("__repr__",
           [](E e) {
             std::string who;
             for (const NamedContact& contact : contacts(e))
               who +=
                   fmt::format("{}{}–{}", who.empty() ? "" : ", ", contact.a, contact.b.empty() ? "ground" : contact.b);
             return fmt::format("Event({} at {:.9g} s{}{})", event_kind_name(e.event->kind), e.event->time,
                                who.empty() ? "" : ": ", who);
           })
      .def(py::pickle(&event_state, &event_of));
}

}  // namespace carom::python
