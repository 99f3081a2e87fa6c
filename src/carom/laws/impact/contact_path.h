#pragma once
/// One contact of a run followed alone along its impulse (single_contact.h), and booked.

#include "carom/laws/impact/law_run.h"
#include "carom/laws/impact/single_contact.h"

namespace carom {

/// Strikes movable contact r, which approaches, given the present rates û of all rows: adds its impulses, moves û and
/// run.rate, notes its phases, mode and friction work. A contact that friction holds sets the flag `wedged`; one that
/// has no answer sets run.stop and returns false.
bool strike_contact(LawRun& run, int r, RestitutionRule rule, double* rates);

/// Adds the impulses q of contact r's rows to the run and moves û and run.rate by them.
void push_rows(LawRun& run, int r, const double* q, double* rates);

}  // namespace carom
