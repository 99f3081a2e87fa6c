#pragma once
/// The points at which two bodies with flat faces touch: which one is the first, which ones follow while they touch
/// already, and which take over where a point leaves its face or edge.
///
/// Every point is a Feature with its own gap, and begins and opens by itself. Its force is a function of its own gap
/// alone, with a stiffness that is fixed while it lasts. What a point bears when it slides off its face is handed over
/// to the corners that have come in its place, with the energy that is stored in it.

#include <optional>
#include <vector>

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

/// A point is handed over when it is so far beyond its face or edge, of the size of the smaller body: more than the
/// margin from which on it may begin there, so that it does not go back and forth.
inline constexpr double kHandOver = 1.5 * kFaceMargin;

/// Sine of the angle between two lines up to which they begin to touch at their ends, and not where they are nearest:
/// less than that up to which they go on, so that they do not go back and forth.
inline constexpr double kTakesAlong = 0.75 * kAlongEachOther;

class FacePoints {
 public:
  explicit FacePoints(const Motions& motions) : motions_(motions) {}

  /// Two objects where their stretches began, at `now`.
  struct Pair {
    ObjectIndex a, b;
    FeatureCode parts;  ///< which of their parts: the Feature of the nearest points of these
    double now;
  };
  /// The corners of the faces that look at each other, for objects that all but touch.
  [[nodiscard]] std::vector<FaceCorner> corners(const Pair& pair) const;
  /// Those of them that are no farther apart than `tolerance` [m].
  [[nodiscard]] std::vector<FaceCorner> touching(const Pair& pair, double tolerance) const;
  /// The corner that touches first; none where the faces do not cover each other, or no corner of what they cover
  /// narrows: then the nearest points touch.
  [[nodiscard]] std::optional<FaceCorner> first(const Pair& pair) const;
  /// The corner of two objects that touch already, by its feature.
  [[nodiscard]] double share(const Pair& pair, FeatureCode feature) const;

  /// Shortens the step of a group to where a further point of a and b begins to touch. Returns how far the two may move
  /// against each other before it has to be asked again; 0 where that is not known.
  double find_further(Group& group, ObjectIndex a, ObjectIndex b, FeatureCode parts) const;
  /// The same of a and b that do not touch yet but all but do, so that the search by safe steps would take no end of
  /// them. False: they do not, or their faces do not look at each other.
  bool find_first(Group& group, ObjectIndex a, ObjectIndex b, FeatureCode parts) const;
  /// Whether a contact of the group has left its face or edge at the end of its step, and when.
  [[nodiscard]] std::optional<double> leaving_time(const Group& group, const Contact& contact) const;
  /// Whether the nearest points of two bodies, at the end of the group's step, stand for faces or lines that lie on
  /// each other, at several corners: they would be now here, now there with every bit that the bodies turn.
  [[nodiscard]] bool lies_flat(const Group& group, const Contact& contact) const;

  /// Takes a contact that has left its face or edge, or lies flat, out of the contacts of its group, and gives what it
  /// bears to those that come in its place. False: nothing has, and the contact is over; it is not taken out.
  bool hand_over(std::vector<Contact>& contacts, std::size_t which, double now) const;

 private:
  [[nodiscard]] Pose pose(ObjectIndex object, double time) const;
  struct Poses {
    Pose a, b;
  };
  [[nodiscard]] static double margin(const PairGeometry& g);
  [[nodiscard]] static bool fits(const PairGeometry& g, const Poses& at, double crossing);
  static void corners_along(const PairGeometry& g, const Poses& at, const Vector3d& normal,
                            std::vector<FaceCorner>& found);
  void corners_at(const Group& group, const std::vector<const Contact*>& touching, double time,
                  std::vector<FaceCorner>& found) const;
  [[nodiscard]] int touching_count(const std::vector<FaceCorner>& corners, const Pair& pair, double near) const;
  [[nodiscard]] std::optional<double> beginning(const Group& group, const Contact& probe, double depth) const;
  struct TouchAtStart {
    double none;    ///< a gap that is round-off [m]
    double lowest;  ///< when the gap is least; the start of the step: at one of its ends
  };
  [[nodiscard]] std::optional<double> beginning_in_touch(const Group& group, const Contact& probe,
                                                         const TouchAtStart& touch) const;
  [[nodiscard]] static bool can_take(const PairGeometry& g, const Poses& at);
  [[nodiscard]] static bool same_rim(const PairGeometry& g, const PairGeometry& other);
  [[nodiscard]] std::vector<PairGeometry> newcomers(const std::vector<Contact>& contacts, const PairGeometry& leaving,
                                                    const Poses& at) const;
  [[nodiscard]] Contact* nearest(std::vector<Contact>& contacts, const PairGeometry& leaving, const Poses& at) const;

  const Motions& motions_;
};

}  // namespace carom::smooth
