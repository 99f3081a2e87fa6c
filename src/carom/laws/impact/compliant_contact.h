#pragma once
/// The contacts of a cluster under the law `compliant`: what is given of them, and the phase and grip that each is in.

#include <vector>

namespace carom {

/// A cluster of coupled contacts in its own units: fastest approach 1, largest stiffness 1.
struct CompliantSprings {
  int contacts = 0;
  double exponent = 1.5;
  double tolerance = 5e-14;        ///< local error of a step, in speed and compression
  const double* matrix = nullptr;  ///< ρ, contacts × contacts
  const double* rate = nullptr;    ///< γ̂⁻
  const double* stiffness = nullptr;
  const double* restitution = nullptr;
  double threshold = 0.0;  ///< of approach
  double rest = 0.0;       ///< slower approach is rest

  // Where some contact resists slip (else null and unused):
  const double* rows = nullptr;      ///< S of all rows, 3·contacts square: normals, first tangents, second tangents
  const double* slip = nullptr;      ///< ŝ⁻, first tangents, then second
  const double* friction = nullptr;  ///< μ; infinite where the contact does not slip
  const double* spring = nullptr;    ///< κ = K_t/K; infinite where the contact is rigid tangentially
  const int* tangents = nullptr;     ///< 0, 1 or 2
};

enum class ContactPhase : char { open, compressing, expanding };

/// What a closed contact does tangentially.
enum class Grip : char {
  none,    ///< smooth
  stick,   ///< no slip; its force follows from the others
  slip,    ///< f = −μF along a fixed direction
  slide,   ///< f = −μF ŝ in a plane of two tangents
  part,    ///< as slide, from no slip at all after it stuck: slip grows as t²
  spring,  ///< held by its tangential spring
  drag,    ///< slides in a plane of two tangents with its tangential spring at the limit
};

/// Whether the tangential force of a contact has a series of its own; otherwise it follows from other forces.
constexpr bool is_free(Grip grip) {
  return grip == Grip::slide || grip == Grip::part || grip == Grip::spring || grip == Grip::drag;
}

struct CompliantContact {
  int index = 0;         ///< in the cluster
  int compressions = 0;  ///< how often it has begun to be compressed
  ContactPhase phase = ContactPhase::open;
  bool just_closed = false;
  bool slack = false;  ///< closed, without force yet
  Grip grip = Grip::none;
  bool still = false;                ///< without slip: what it does is a question of forces
  bool begins = false;               ///< came into its mode anew, even if it is the same mode
  int stretch = -1;                  ///< of its history, that it is in
  double slip_before = 0.0;          ///< speed of slip at the start of the last step
  double direction[2] = {0.0, 0.0};  ///< of slip, where the grip is `slip`, or in which it parts
};

/// What passes a level on the way through a step.
enum class CompliantCause : char {
  compression,
  rate,
  slack,
  slip,          ///< slip has come to zero
  limit,         ///< the friction force has come to μF
  common_limit,  ///< contacts that stick cannot hold together any more
  grip,          ///< the slider of a tangential spring stands still
};

struct CompliantEvent {
  int contact = 0;
  CompliantCause cause = CompliantCause::compression;
  double at = 0.0;  ///< on the step's clock
};

}  // namespace carom
