#include "carom/geometry/pair_table.h"

#include <fmt/format.h>

#include <array>

#include "carom/base/error.h"
#include "carom/geometry/convex/convex_distance.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

template <class A, class B>
using TypedProximity = Proximity (*)(const A&, const Pose&, const B&, const Pose&);
template <class A, class B>
using TypedTouching = TouchingPoints (*)(const A&, const Pose&, const B&, const Pose&, double);

using AnyProximity = Proximity (*)(const Shape&, const Pose&, const Shape&, const Pose&);
using HintedProximity = Proximity (*)(const Shape&, const Pose&, const Shape&, const Pose&, ProximityHint&);
using NearProximity = Proximity (*)(const Shape&, const Pose&, const Shape&, const Pose&, const KnownNormal&);
using AnyTouching = TouchingPoints (*)(const Shape&, const Pose&, const Shape&, const Pose&, double);

template <AnyProximity nearest>
Proximity without_hint(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       ProximityHint& /*hint*/) {
  return nearest(a, pose_a, b, pose_b);
}

template <AnyProximity nearest>
Proximity without_normal(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const KnownNormal& /*known*/) {
  return nearest(a, pose_a, b, pose_b);
}

template <class T>
const T& as(const Shape& shape) {
  const T* typed = std::get_if<T>(&shape);
  CAROM_ASSERT(typed != nullptr);
  return *typed;
}

template <class T>
constexpr ShapeKind kind_of() {
  return static_cast<ShapeKind>(Shape(T{}).index());
}

/// A pair and its exchange, made of its typed functions.
template <class A, class B, TypedProximity<A, B> nearest, TypedTouching<A, B> all = nullptr>
struct Pair {
  static Proximity straight(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
    return nearest(as<A>(a), pose_a, as<B>(b), pose_b);
  }
  static Proximity reversed(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a) {
    return exchanged(nearest(as<A>(a), pose_a, as<B>(b), pose_b));
  }
  static TouchingPoints straight_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          double tolerance) {
    if constexpr (all == nullptr) {
      return TouchingPoints(straight(a, pose_a, b, pose_b));
    } else {
      return all(as<A>(a), pose_a, as<B>(b), pose_b, tolerance);
    }
  }
  static TouchingPoints reversed_touching(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a,
                                          double tolerance) {
    return straight_touching(a, pose_a, b, pose_b, tolerance).exchanged();
  }

  static PairFunction entry() {
    return {kind_of<A>(), kind_of<B>(), straight, without_hint<straight>, without_normal<straight>, straight_touching};
  }
  static PairFunction exchanged_entry() {
    return {kind_of<B>(), kind_of<A>(), reversed, without_hint<reversed>, without_normal<reversed>, reversed_touching};
  }
};

/// A pair of the general functions and its exchange.
template <AnyProximity nearest, HintedProximity hinted, NearProximity near, AnyTouching all>
struct GeneralPair {
  static Proximity reversed(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a) {
    return exchanged(nearest(a, pose_a, b, pose_b));
  }
  static Proximity reversed_hinted(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a,
                                   ProximityHint& hint) {
    return exchanged(hinted(a, pose_a, b, pose_b, hint));
  }
  static Proximity reversed_near(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a,
                                 const KnownNormal& known) {
    return exchanged(near(a, pose_a, b, pose_b, {-known.normal, known.depth}));
  }
  static TouchingPoints reversed_touching(const Shape& b, const Pose& pose_b, const Shape& a, const Pose& pose_a,
                                          double tolerance) {
    return all(a, pose_a, b, pose_b, tolerance).exchanged();
  }

  static PairFunction entry(ShapeKind a, ShapeKind b) { return {a, b, nearest, hinted, near, all}; }
  static PairFunction exchanged_entry(ShapeKind a, ShapeKind b) {
    return {b, a, reversed, reversed_hinted, reversed_near, reversed_touching};
  }
};

template <AnyProximity nearest, AnyTouching all>
using AlwaysAnew = GeneralPair<nearest, without_hint<nearest>, without_normal<nearest>, all>;

using ConvexPair = GeneralPair<convex_proximity, convex_proximity, convex_proximity_near, convex_touching>;
using ConvexOverPlane = AlwaysAnew<convex_half_space, convex_half_space_touching>;
using ConvexInBore = AlwaysAnew<convex_bore, convex_bore_touching>;
using ConvexInShell = AlwaysAnew<convex_shell, convex_shell_touching>;

struct Table {
  std::array<PairFunction, kShapeKinds * kShapeKinds> entries{};
  std::array<const PairFunction*, kShapeKinds * kShapeKinds> by_kinds{};
  std::size_t count = 0;

  static std::size_t index(ShapeKind a, ShapeKind b) {
    return static_cast<std::size_t>(a) * kShapeKinds + static_cast<std::size_t>(b);
  }
  void add(const PairFunction& entry) {
    entries[count] = entry;
    by_kinds[index(entry.kind_a, entry.kind_b)] = &entries[count++];
  }
  template <class Line>
  void add_both() {
    add(Line::entry());
    if (Line::entry().kind_a != Line::entry().kind_b) add(Line::exchanged_entry());
  }

  /// Both orders of a general pair, unless the pair has a line of its own.
  template <class General>
  void add_missing(int a, int b) {
    const auto kind_a = static_cast<ShapeKind>(a), kind_b = static_cast<ShapeKind>(b);
    if (by_kinds[index(kind_a, kind_b)] != nullptr) return;
    add(General::entry(kind_a, kind_b));
    if (a != b) add(General::exchanged_entry(kind_a, kind_b));
  }

  Table() {
    add_both<Pair<Sphere, Sphere, sphere_sphere>>();
    add_both<Pair<Sphere, HalfSpace, sphere_half_space>>();
    add_both<Pair<Sphere, Box, sphere_box>>();
    add_both<Pair<Sphere, Ellipsoid, sphere_ellipsoid>>();
    add_both<Pair<Sphere, Cylinder, sphere_cylinder>>();
    add_both<Pair<Sphere, Prism, sphere_prism>>();
    add_both<Pair<Sphere, Bore, sphere_bore>>();
    add_both<Pair<Sphere, Shell, sphere_shell>>();
    add_both<Pair<Ellipsoid, HalfSpace, ellipsoid_half_space>>();
    add_both<Pair<Ellipsoid, Ellipsoid, ellipsoid_ellipsoid>>();
    add_both<Pair<Box, HalfSpace, box_half_space, box_half_space_touching>>();
    add_both<Pair<Cylinder, HalfSpace, cylinder_half_space, cylinder_half_space_touching>>();
    add_both<Pair<Prism, HalfSpace, prism_half_space, prism_half_space_touching>>();
    add_both<Pair<Box, Box, box_box, box_box_touching>>();
    add_both<Pair<Sphere, Capsule, sphere_capsule>>();
    add_both<Pair<Sphere, Rod, sphere_rod>>();
    add_both<Pair<Capsule, Capsule, capsule_capsule, capsule_capsule_touching>>();
    add_both<Pair<Capsule, Rod, capsule_rod, capsule_rod_touching>>();
    add_both<Pair<Rod, Rod, rod_rod, rod_rod_touching>>();
    for (int a = 0; a < kShapeKinds; ++a) {
      if (!is_solid(static_cast<ShapeKind>(a))) continue;
      for (int b = a; b < kShapeKinds; ++b)
        if (is_solid(static_cast<ShapeKind>(b))) add_missing<ConvexPair>(a, b);
      add_missing<ConvexOverPlane>(a, static_cast<int>(ShapeKind::half_space));
      add_missing<ConvexInBore>(a, static_cast<int>(ShapeKind::bore));
      add_missing<ConvexInShell>(a, static_cast<int>(ShapeKind::shell));
    }
  }
  // by_kinds points into entries.
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

const PairFunction& pair_of(const Shape& a, const Shape& b) {
  const PairFunction* found = find_pair(shape_kind(a), shape_kind(b));
  if (found == nullptr) {
    throw InputError(Kind::unsupported, "shape",
                     fmt::format("a {} and a {} cannot meet: the distance of this pair of shapes is not known",
                                 shape_name(a), shape_name(b)));
  }
  return *found;
}

}  // namespace

std::span<const PairFunction> all_pairs() {
  return {table().entries.data(), table().count};
}

const PairFunction* find_pair(ShapeKind kind_a, ShapeKind kind_b) {
  return table().by_kinds[Table::index(kind_a, kind_b)];
}

Proximity proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return pair_of(a, b).proximity(a, pose_a, b, pose_b);
}

TouchingPoints touching_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                               double tolerance) {
  return pair_of(a, b).touching(a, pose_a, b, pose_b, tolerance);
}

}  // namespace carom
