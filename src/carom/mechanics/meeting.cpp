#include "carom/mechanics/meeting.h"

#include <algorithm>
#include <map>
#include <string>

namespace carom {

MeetingRules::MeetingRules(const Model& model) {
  const auto is_ring = [](const Body& body) { return only_shape<Bore>(body.parts) != nullptr; };
  if (std::any_of(model.bodies.begin(), model.bodies.end(), is_ring)) {
    for (ObjectIndex i = 0; i < model.object_count(); ++i) {
      if (model.is_body(i)) {
        role_.push_back(is_ring(model.body(i)) ? Role::ring : Role::other);
      } else {
        role_.push_back(only_shape<Sphere>(model.parts(i)) == nullptr ? Role::post : Role::other);
      }
    }
  }
  for (const Joint& joint : model.joints) {
    const int a = joint.ends[0].body, b = joint.ends[1].body;
    if (joint.collide || joint.released || a == kNone || b == kNone) continue;
    joined_.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(joined_.begin(), joined_.end());
  std::map<std::string, std::size_t> avoided;
  for (ObjectIndex i = 0; i < model.object_count(); ++i)
    for (const std::string& name : model.groups(i).avoided) avoided.emplace(name, avoided.size());
  words_ = (avoided.size() + 63) / 64;
  if (words_ == 0) return;
  const auto objects = static_cast<std::size_t>(model.object_count());
  member_.assign(objects * words_, 0);
  avoided_.assign(objects * words_, 0);
  const auto mark = [&](std::vector<std::uint64_t>& bits, ObjectIndex object, const std::string& name) {
    const auto found = avoided.find(name);
    if (found == avoided.end()) return;  // a group that nobody avoids
    bits[object.slot() * words_ + found->second / 64] |= std::uint64_t{1} << (found->second % 64);
  };
  for (ObjectIndex i = 0; i < model.object_count(); ++i) {
    for (const std::string& name : model.groups(i).names) mark(member_, i, name);
    for (const std::string& name : model.groups(i).avoided) mark(avoided_, i, name);
  }
}

}  // namespace carom
