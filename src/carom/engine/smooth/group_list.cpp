#include "carom/engine/smooth/group_list.h"

namespace carom::smooth {

GroupList::GroupList(std::shared_ptr<const Environment> environment) : environment_(std::move(environment)) {
  group_of_.assign(environment_->model().bodies.size(), kNone);
}

GroupList::GroupList(const GroupList& other)
    : environment_(other.environment_),
      unused_(other.unused_),
      unused_with_stepper_(other.unused_with_stepper_),
      group_of_(other.group_of_) {
  for (const auto& group : other.groups_) groups_.push_back(std::make_unique<Group>(*group));
}

GroupIndex GroupList::make(bool steps) {
  GroupIndex index = groups_.end_index();
  std::vector<GroupIndex>& unused = steps ? unused_with_stepper_ : unused_;
  if (unused.empty()) {
    groups_.push_back(std::make_unique<Group>(*environment_));
  } else {
    index = unused.back();
    unused.pop_back();
  }
  groups_[index]->alive = true;
  return index;
}

void GroupList::add(GroupIndex group, BodyIndex body) {
  groups_[group]->dynamics.bodies.push_back(body);
  group_of_[body] = group;
}

void GroupList::dissolve(GroupIndex index) {
  Group& group = *groups_[index];
  group.alive = false;
  ++group.version;
  group.dynamics.bodies.clear();
  group.dynamics.contacts.clear();
  (group.stepper ? unused_with_stepper_ : unused_).push_back(index);
}

}  // namespace carom::smooth
