#pragma once
/// Static balance of bodies that rest on each other: where each contact is as deep as what it bears asks for.
///
/// Sought is the nearest minimum of the potential
///   V(u) = −Σ m g·u + Σ U(δ) + Σ ½ k_t |s|²
/// over moves u of the bodies: U the energy that a contact of depth δ stores, s how far the two bodies of a contact
/// that presses have slid along each other since the start. A tangential spring has its own k_t. Other friction bears
/// what it has to, up to its limit, and k_t only says how what is not determined is shared out; contacts without
/// friction get a small one, which leaves them next to nothing to bear: a heap slides by itself, if at all, slowly. By
/// Newton's method,
///   (G/τ² + Σ k n nᵀ + Σ k_t (1 − n nᵀ)) u = −V′,   k = U″ at the depth, or at a deeper one that is let go to zero
///   round
/// by round: a contact at depth zero has no stiffness yet. The metric G/τ² only matters where nothing bears a body.

#include <vector>

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/motions.h"
#include "carom/numerics/block_elimination.h"

namespace carom::smooth {

/// Bodies that press on each other or on obstacles, all of which are at rest or all one that moves.
struct Heap {
  std::vector<BodyIndex> bodies;  ///< ascending
  std::vector<Contact> contacts;
};

class HeapBalance {
 public:
  HeapBalance(const ContactMaker& maker, const Motions& motions, Heap heap);

  /// Moves the bodies; false, and they stand where they did, where there is no balance near by that friction can hold.
  bool find();
  /// They stand where they did before.
  void undo() const { restore(before_); }

  /// The contact that is deepest, in sizes of the smaller body.
  struct Deepest {
    const Contact* contact = nullptr;
    double depth = 0.0;
  };
  [[nodiscard]] Deepest deepest() const;
  /// The contacts that bear by tangential springs, with the stretches of these.
  [[nodiscard]] std::vector<Contact> stretched_contacts() const;

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix36 = Eigen::Matrix<double, 3, 6>;
  using Matrix66 = Eigen::Matrix<double, 6, 6>;

  /// A contact at the present place: how its point moves with its bodies, in coordinates in which masses are one.
  struct Row {
    int a, b;  ///< places among the bodies; b < 0: an obstacle
    Matrix36 of_a = Matrix36::Zero(), of_b = Matrix36::Zero();
    Vector3d mark_a = Vector3d::Zero(),
             mark_b = Vector3d::Zero();  ///< the point where it was at first, in the frames of the two
    Vector3d normal = Vector3d::Zero();
    double depth = 0.0;
    double assumed = 0.0;  ///< depth whose stiffness it is taken to have at least
    double push = 0.0;
    double side_stiffness = 0.0;        ///< k_t
    double side_now = 0.0;              ///< the same where friction is at its limit: what it bears over s
    Vector3d slide = Vector3d::Zero();  ///< s
  };

  [[nodiscard]] int place_of(ObjectIndex body) const;
  [[nodiscard]] Vector3d pull_on(BodyIndex body) const;
  [[nodiscard]] std::vector<BodyState> states() const;
  void restore(const std::vector<BodyState>& states) const;
  void lay_out();
  void mark();
  bool search();
  void read();
  [[nodiscard]] Vector3d place_of_mark(int place, const Vector3d& mark) const;
  [[nodiscard]] Matrix36 row_of(int place, const Vector3d& point) const;
  [[nodiscard]] Eigen::Matrix3d inverse_root(BodyIndex body) const;
  double step();
  [[nodiscard]] double downhill() const;
  void find_move();
  void add_block(int a, int b, const Matrix66& part);
  double go(double part);
  [[nodiscard]] bool is_borne() const;
  [[nodiscard]] bool holds() const;

  const ContactMaker& maker_;
  const Motions& motions_;
  const Environment& environment_;
  Heap heap_;
  std::vector<BodyState> before_;
  std::vector<Vector3d> pulls_;
  std::vector<Row> rows_;
  std::vector<Vector6> force_;  ///< −V′, in these coordinates
  std::vector<Vector6> move_;
  std::vector<BlockElimination::Vector> unknowns_;
  BlockElimination elimination_;
  double loose_ = 0.0;      ///< τ²
  double travelled_ = 0.0;  ///< relative to size
};

}  // namespace carom::smooth
