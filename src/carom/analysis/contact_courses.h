#pragma once
/// How the normal force of compliant contacts begins, culminates and ends, between the samples of a record.
///
/// A contact that has ended says since when it pressed, and when and how hard it did so the most. Where no other
/// contact of the objects in question was closed meanwhile the force is zero before it began, has that peak, and is
/// zero when it has ended; where several were, it is zero before the first began and after the last has ended.

#include "carom/analysis/quantity.h"
#include "carom/analysis/series.h"
#include "carom/record/record_reader.h"

namespace carom {

/// These values of a quantity `force`, in order of time, those within the span.
Series contact_courses(RecordReader& record, const Quantity& quantity, const TimeSpan& span);

/// Whether a contact is one of the object, or of the two objects, that a quantity is about.
bool is_about(const ContactRecord& contact, const Quantity& quantity);

}  // namespace carom
