#pragma once
/// How compliant contacts go into an archive (base/archive.h) and come back.

#include <vector>

#include "carom/base/archive.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"

namespace carom::smooth {

void transfer_contacts(Archive& archive, const Environment& environment, std::vector<Contact>& contacts);

}  // namespace carom::smooth
