#include "carom/analysis/contact_courses.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::size_t kCourseBlock = 4096;

/// The contacts of the objects in question, one event after the other.
class Courses {
 public:
  explicit Courses(const TimeSpan& span) : span_(span) {}

  void begin(double time) {
    if (open_++ == 0) {
      first_began_ = time;
      is_single_ = true;
    } else {
      is_single_ = false;
    }
  }

  void end(double time, const ContactCourse& course) {
    if (open_ == 0 || --open_ > 0) return;  // begun before the record, or not the last one
    add(first_began_, 0.0);
    if (is_single_) add(course.peak_time, course.peak_force);
    add(time, 0.0);
  }

  [[nodiscard]] Series take() { return std::move(series_); }

 private:
  void add(double time, double value) {
    if (span_.holds(time)) series_.add(time, value);
  }

  TimeSpan span_;
  Series series_;
  int open_ = 0;
  double first_began_ = 0.0;
  bool is_single_ = false;
};

}  // namespace

bool is_about(const ContactRecord& contact, const Quantity& quantity) {
  if (contact.limit.exists()) return false;  // of a joint, some of them couples
  if (quantity.b == kNone) return contact.a == quantity.a || contact.b == quantity.a;
  return (contact.a == quantity.a && contact.b == quantity.b) || (contact.a == quantity.b && contact.b == quantity.a);
}

Series contact_courses(RecordReader& record, const Quantity& quantity, const TimeSpan& span) {
  Courses courses(span);
  for (std::size_t first = 0; first < record.event_count(); first += kCourseBlock) {
    const EventBlock block = record.events(first, std::min(kCourseBlock, record.event_count() - first));
    for (const EventRecord& event : block.events) {
      for (const ContactRecord& contact : event.contacts) {
        if (!is_about(contact, quantity)) continue;
        if (contact.course) {
          courses.end(event.time, *contact.course);
        } else if (event.kind == EventKind::contact_start) {
          courses.begin(event.time);
        }
      }
    }
  }
  return courses.take();
}

}  // namespace carom
