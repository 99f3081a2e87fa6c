#pragma once
/// A run that never was: samples and events whose every number follows from their index, to compare with what comes
/// back.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_writer.h"
#include "support/scratch_folder.h"

namespace carom::test {

/// Three bodies, two planes and two pockets.
Model fake_model();
RecordHeader fake_header();

State fake_state(int index);
EnergyBook fake_book(int index);

/// Event i has i mod 4 contacts, at most 3 jumps, and every field set.
struct FakeEvent {
  explicit FakeEvent(int index);
  std::vector<ContactRecord> contacts;
  std::vector<JumpRecord> jumps;
  EventRecord event;
};

/// Tells the observer of events [first, end), with a sample before every tenth.
void tell(Observer& observer, int first, int end);

/// Compares every field. Fails the test at the first difference.
void expect_same(const EventRecord& actual, const EventRecord& expected);
void expect_same(const State& actual, const State& expected);

/// Expects that the record holds exactly the samples and events [0, n) that tell() makes for some n; returns n.
int expect_beginning_of_fake_run(RecordReader& record);

}  // namespace carom::test
