#pragma once
/// Groups: the bodies that one [[fill]], [[rack]] or [[cradle]] makes.
///
/// What the section says about its bodies may be the same for all or differ (spread.h). Where it differs, every body is
/// read from the table that a [[body]] of the same words would be. The kind of group then says where they stand and how
/// they move. Single bodies may be changed (`changes`): what such a table says takes the place of what the group has
/// made, as if the body stood in the file by itself; nothing else in the group moves because of it.

#include <optional>
#include <span>

#include "carom/scene/reader/reading.h"

namespace carom::scene {

/// The bodies of a group before they are placed.
struct Group {
  Fields fields;
  std::int64_t count = 0;
  std::int64_t seed = 0;     ///< of its random numbers
  std::vector<Body> bodies;  ///< one where all are equal

  [[nodiscard]] const Body& body(std::int64_t i) const { return bodies.size() == 1 ? bodies.front() : bodies[i]; }
  /// Of the sphere about its centre that holds a body.
  [[nodiscard]] double radius(std::int64_t i) const { return bounding_radius(body(i).parts); }
};

struct GroupKind {
  std::string_view section;
  ObjectKind kind;
  std::int64_t first;  ///< number of the first body: its name is NAME-first
  std::int64_t (*count)(const Fields& fields);
  std::vector<BodyState> (*place)(const Group& group);
};

std::span<const GroupKind> group_kinds();
const GroupKind& group_kind(std::string_view section);

std::int64_t count_fill(const Fields& fields);
std::int64_t count_rack(const Fields& fields);
std::int64_t count_cradle(const Fields& fields);
std::vector<BodyState> place_fill(const Group& group);
std::vector<BodyState> place_rack(const Group& group);
std::vector<BodyState> place_cradle(const Group& group);

/// The bodies of a group, without its changes.
Group read_group(const GroupKind& kind, const Fields& fields, std::int64_t run_seed);

/// A body of a group by its name: `gas-17` of the fill `gas`.
struct GroupMember {
  const GroupKind* kind;
  const Node* group;   ///< table of the group
  std::size_t entry;   ///< its number in its section
  std::int64_t index;  ///< of the body in the group, from 0
  std::string name;
  std::string_view rest;  ///< of the path, behind the name
};

/// What the path `gas-17.mass` means where no [[body]] is called so; none where no group is either. Throws
/// InputError `unknown_name` with the names that there are where the group has fewer bodies.
std::optional<GroupMember> find_member(const Document& document, std::string_view path);

/// The names of all bodies that groups make: `gas-0 to gas-9` for each.
std::vector<std::string> all_members(const Document& document);

/// The table of a body as the group makes it, without its changes. Throws InputError where the group is wrong.
Node member_table(const Document& document, const GroupMember& member);

/// The table of `changes` about a member; null where there is none.
const Node* find_change(const GroupMember& member);

}  // namespace carom::scene
