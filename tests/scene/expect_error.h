#pragma once
/// Runs something that must throw an InputError and gives what a test wants to compare.

#include <gtest/gtest.h>

#include <string>

#include "carom/base/error.h"

namespace carom::test {

/// "out-of-range 7:21 contacts.1.restitution": kind, line, column and, where there is one, the field; "accepted" where
/// nothing is thrown.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    const Place& place = error.place();
    std::string text(kind_name(error.kind()));
    text += " " + std::to_string(place.line) + ":" + std::to_string(place.column);
    return place.field.empty() ? text : text + " " + place.field;
  }
  return "accepted";
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace carom::test
