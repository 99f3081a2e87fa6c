#pragma once
/// The impact laws without those that answer a single contact only.

#include <vector>

#include "carom/laws/impact/registry.h"

namespace carom::test {

inline std::vector<const ImpactLaw*> laws_of_several_contacts() {
  std::vector<const ImpactLaw*> laws;
  for (const ImpactLaw* law : impact_laws())
    if (!law->needs.single_contact) laws.push_back(law);
  return laws;
}

}  // namespace carom::test
