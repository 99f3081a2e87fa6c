#include "carom/scene/complaints.h"

#include <string_view>

namespace carom::scene {

void Complaints::add(const InputError& error) {
  if (mode_ == Mode::throw_first) throw InputError(error);
  list_.push_back(error);
  bytes_ += std::string_view(error.what()).size() + error.place().text.size();
  if (list_.size() >= kMost || bytes_ > kMostBytes) throw Enough{};
}

}  // namespace carom::scene
