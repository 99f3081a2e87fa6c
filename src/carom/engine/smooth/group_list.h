#pragma once
/// All groups, and which of them each body belongs to. A copy is independent.

#include <memory>
#include <vector>

#include "carom/engine/smooth/group.h"

namespace carom::smooth {

using GroupIndex = Index<struct GroupKind>;

class GroupList {
 public:
  explicit GroupList(std::shared_ptr<const Environment> environment);
  GroupList(const GroupList& other);
  GroupList& operator=(const GroupList&) = delete;
  GroupList(GroupList&&) = default;
  GroupList& operator=(GroupList&&) = default;
  ~GroupList() = default;

  [[nodiscard]] Group& operator[](GroupIndex index) { return *groups_[index]; }
  [[nodiscard]] const Group& operator[](GroupIndex index) const { return *groups_[index]; }
  [[nodiscard]] IndexRange<GroupIndex> indices() const { return groups_.indices(); }

  /// kNone: of a body that is not in play.
  [[nodiscard]] GroupIndex of(ObjectIndex body) const { return group_of_[body.slot()]; }
  /// A group that is alive and empty. `steps`: it will be integrated; the last one that was has its memory at hand,
  /// while most bodies of a gas fly and need none.
  GroupIndex make(bool steps);
  void add(GroupIndex group, BodyIndex body);
  /// Forgets bodies and contacts of a group; it may be made again.
  void dissolve(GroupIndex group);
  void leave(BodyIndex body) { group_of_[body] = kNone; }

  /// What a run goes on from, into an archive or back (group_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  std::shared_ptr<const Environment> environment_;
  Indexed<GroupIndex, std::unique_ptr<Group>> groups_;  ///< each stays where it is: its stepper points into it
  std::vector<GroupIndex> unused_, unused_with_stepper_;
  Indexed<BodyIndex, GroupIndex> group_of_;
};

}  // namespace carom::smooth
