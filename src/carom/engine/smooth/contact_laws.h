#pragma once
/// The force laws of a model: checked and calibrated once, prepared for each contact when it
/// closes. They do not change during a run; an engine and its clones share them.

#include <optional>
#include <string>
#include <vector>

#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/registry.h"

namespace carom::smooth {

/// v₀ that a law is given where two bodies come together without any speed [m/s].
inline constexpr double kLeastApproach = 1e-12;

/// The laws where two materials meet.
struct PairLaws {
  bool quasi_static = false;
  const NormalLaw* normal = nullptr;
  NormalInput input;                      ///< with the restitution of the slowest approach
  Restitution restitution;                ///< nominal, where the law takes one
  const FrictionLaw* friction = nullptr;  ///< null: none
  Friction prepared_friction;
  const LawParameters* friction_parameters = nullptr;
  std::optional<double> modulus;    ///< E′ of the two materials, where both are known
  std::optional<double> top_speed;  ///< up to which the law is meant to be used, per √(1/ρ): 1e-5 √E
  std::string who;                  ///< the two materials
  std::string path;                 ///< in the input, `pair.steel-cloth`
};

class ContactLaws {
 public:
  /// Throws InputError (`pair.steel-steel.normal` …) for unknown laws, parameters out of range, a law without its
  /// parameters, and a pair of bodies that can meet without anything that gives a stiffness.
  explicit ContactLaws(std::shared_ptr<const Environment> environment);

  [[nodiscard]] const PairLaws& laws(int index) const { return pairs_[index]; }
  [[nodiscard]] int count() const { return static_cast<int>(pairs_.size()); }
  [[nodiscard]] int index_of(ObjectIndex a, ObjectIndex b) const;
  [[nodiscard]] const PairLaws& of(ObjectIndex a, ObjectIndex b) const { return laws(index_of(a, b)); }

  /// Where and how fast two objects meet.
  struct Meeting {
    Touch touch;
    Pose a, b;
    double approach = 0.0;
  };
  /// Fills in everything of the contact that its laws decide.
  void prepare(Contact& contact, const Meeting& meeting) const;
  /// The same of a limit of a joint, whose approach and reduced mass are known, with this stiffness [N/m].
  void prepare_limit(Contact& contact, double stiffness) const;
  /// Gives the contact, which was prepared before, the forces that a program has brought for its pair.
  void bring_own_forces(Contact& contact) const;
  /// The nominal restitution that the contact was prepared with; none where its law takes none.
  [[nodiscard]] std::optional<double> restitution(const Contact& contact) const;

 private:
  void add_pair(MaterialIndex material_a, MaterialIndex material_b);
  void add_limits();
  [[nodiscard]] int limit_index() const { return count() - 1; }
  void require_stiffness() const;
  void require_stiffness(ObjectIndex a, ObjectIndex b) const;
  void require_ball_on_plane(ObjectIndex a, ObjectIndex b, const std::string& path) const;
  /// Writes stiffness and, of a line, exponent.
  void set_stiffness(const PairLaws& laws, const PairGeometry& geometry, const Meeting& meeting,
                     NormalInput& input) const;
  [[nodiscard]] double reduced_mass(const PairGeometry& geometry, const Meeting& meeting) const;

  std::shared_ptr<const Environment> environment_;
  std::vector<PairLaws> pairs_;  ///< materials × materials, one for objects without a material, one for limits
};

}  // namespace carom::smooth
