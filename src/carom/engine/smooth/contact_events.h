#pragma once
/// Reports of contacts that begin and end, and of bodies that are swallowed.

#include "carom/engine/event_draft.h"
#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

class ContactEvents {
 public:
  ContactEvents(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws)
      : environment_(std::move(environment)), laws_(std::move(laws)) {}

  void report_start(const Contact& contact, const Paths& paths, double now, RunLog& log);
  void report_end(const Contact& contact, const Paths& paths, double now, RunLog& log);
  void report_swallowed(BodyIndex body, PocketIndex pocket, const Paths& paths, double now, RunLog& log);
  /// The states after it are those of the paths.
  void report_scripted(EventDraft::Scripted event, const Paths& paths, RunLog& log);

 private:
  ContactRecord& begin(EventKind kind, const Contact& contact, const Paths& paths, double now);
  void finish(const Contact& contact, const Paths& paths, RunLog& log);

  std::shared_ptr<const Environment> environment_;
  std::shared_ptr<const ContactLaws> laws_;
  EventDraft draft_;
};

}  // namespace carom::smooth
