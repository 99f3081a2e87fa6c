#pragma once
/// The numbers of a user's contacts, 0 … contact_count() − 1.

#include <algorithm>
#include <span>
#include <vector>

#include "carom/base/index.h"

namespace carom::lagrangian {

using ContactIndex = Index<struct ContactKind>;
using ContactList = std::vector<ContactIndex>;

inline bool contains(std::span<const ContactIndex> list, ContactIndex contact) {
  return std::find(list.begin(), list.end(), contact) != list.end();
}

}  // namespace carom::lagrangian
