#pragma once
/// Arrangements: the bodies that one [[fill]], [[rack]] or [[cradle]] makes.
///
/// What the section says about its bodies may be the same for all or differ (spread.h). Where it differs, every body is
/// read from the table that a [[body]] of the same words would be. The kind of arrangement then says where they stand
/// and how they move. Single bodies may be changed (`changes`): what such a table says takes the place of what the
/// arrangement has made, as if the body stood in the file by itself; nothing else moves because of it.

#include <optional>
#include <span>

#include "carom/scene/reader/reading.h"

namespace carom::scene {

/// The bodies of an arrangement before they are placed.
struct Arrangement {
  Fields fields;
  std::int64_t count = 0;
  std::int64_t seed = 0;           ///< of its random numbers
  std::vector<FramedBody> bodies;  ///< one where all are equal

  [[nodiscard]] const FramedBody& framed(std::int64_t i) const {
    return bodies.size() == 1 ? bodies.front() : bodies[i];
  }
  [[nodiscard]] const Body& body(std::int64_t i) const { return framed(i).body; }
  /// Of the sphere about its centre that holds a body.
  [[nodiscard]] double radius(std::int64_t i) const { return bounding_radius(body(i).parts); }
};

struct ArrangementKind {
  std::string_view section;
  ObjectKind kind;
  std::int64_t first;  ///< number of the first body: its name is NAME-first
  std::int64_t (*count)(const Fields& fields);
  std::vector<BodyState> (*place)(const Arrangement& arrangement);
};

std::span<const ArrangementKind> arrangement_kinds();
const ArrangementKind& arrangement_kind(std::string_view section);

std::int64_t count_fill(const Fields& fields);
std::int64_t count_rack(const Fields& fields);
std::int64_t count_cradle(const Fields& fields);
std::vector<BodyState> place_fill(const Arrangement& arrangement);
std::vector<BodyState> place_rack(const Arrangement& arrangement);
std::vector<BodyState> place_cradle(const Arrangement& arrangement);

/// The bodies of an arrangement, without its changes.
Arrangement read_arrangement(const ArrangementKind& kind, const Fields& fields, std::int64_t run_seed);

/// A body of an arrangement by its name: `gas-17` of the fill `gas`.
struct ArrangedBody {
  const ArrangementKind* kind;
  const Node* arrangement;  ///< table of the arrangement
  std::size_t entry;        ///< its number in its section
  std::int64_t index;       ///< of the body in the arrangement, from 0
  std::string name;
  std::string_view rest;  ///< of the path, behind the name
};

/// What the path `gas-17.mass` means where no [[body]] is called so; none where no arrangement is either. Throws
/// InputError `unknown_name` with the names that there are where the arrangement has fewer bodies.
std::optional<ArrangedBody> find_member(const Document& document, std::string_view path);

/// The names of all bodies that arrangements make: `gas-0 to gas-9` for each.
std::vector<std::string> all_members(const Document& document);

/// The table of a body as its arrangement makes it, without its changes. Throws InputError where that is wrong.
Node member_table(const Document& document, const ArrangedBody& member);

/// The table of `changes` about a member; null where there is none.
const Node* find_change(const ArrangedBody& member);

}  // namespace carom::scene
