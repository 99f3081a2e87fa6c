#include "carom/engine/smooth/contact_book.h"

#include <algorithm>
#include <string_view>

namespace carom::smooth {

ContactBook::ContactBook(std::shared_ptr<const ContactLaws> laws) : laws_(std::move(laws)) {
  works_.resize(static_cast<std::size_t>(laws_->count()));
}

void ContactBook::add(const Contact& contact, CompliantReport& report, std::vector<LawWork>& works) {
  works[contact.law_pair].normal += contact.damping_work;
  works[contact.law_pair].friction += contact.friction_work;
  report.deepest = std::max(report.deepest, contact.deepest);
  if (contact.ever_clamped) ++report.attractions_clamped;
}

void ContactBook::end_contact(const Contact& contact, EnergyBook& energy) {
  energy.contacts += contact.damping_work;
  energy.friction += contact.friction_work;
  add(contact, report_, works_);
  --open_;
}

void ContactBook::note_approach(double speed) {
  if (!report_.least_approach || speed < *report_.least_approach) report_.least_approach = speed;
}

void ContactBook::warn(const std::string& text) {
  const std::string key = text.substr(0, text.find(';'));
  for (const std::string& known : report_.warnings)
    if (known.compare(0, key.size(), key) == 0) return;
  report_.warnings.push_back(text);
}

CompliantReport ContactBook::report(const GroupList& groups, const Paths& paths, double time) const {
  CompliantReport report = report_;
  std::vector<LawWork> works = works_;
  std::vector<double> y;
  for (const GroupIndex index : groups.indices()) {
    const Group& group = groups[index];
    if (!group.alive || !group.integrated) continue;
    group.state_within(paths, time, y);
    for (Contact contact : group.dynamics.contacts) {
      contact.damping_work = y[static_cast<std::size_t>(contact.extra) + 1];
      if (contact.has_friction) contact.friction_work = y[static_cast<std::size_t>(contact.extra) + 2];
      add(contact, report, works);
    }
  }
  const auto add_law = [&report](std::string_view law, double work) {
    if (work == 0.0) return;
    for (CompliantReport::LawWork& known : report.works) {
      if (known.law != law) continue;
      known.dissipated += work;
      return;
    }
    report.works.push_back({std::string(law), work});
  };
  for (int i = 0; i < laws_->count(); ++i) {
    const PairLaws& laws = laws_->laws(i);
    add_law(laws.normal->name, works[i].normal);
    if (laws.friction != nullptr) add_law(laws.friction->name, works[i].friction);
  }
  return report;
}

}  // namespace carom::smooth
