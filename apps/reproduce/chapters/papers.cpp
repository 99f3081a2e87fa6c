#include "reproduce/chapters/papers.h"

#include <array>

namespace carom::reproduce {

std::span<const Paper> papers() {
  static constexpr std::array kPapers{
      Paper{"disk-in-a-corner", "An algorithmic approach to the multiple impact of a disk in a corner",
            &disk_in_a_corner},
      Paper{"nonholonomic-collisions", "On collisions in nonholonomic systems", &nonholonomic_collisions},
      Paper{"weak-solutions", "On weak solutions to the Lagrange–d'Alembert equation", &weak_solutions},
      Paper{"ellipsoid-and-planes", "Simple and multi-collision of an ellipsoid with planar surfaces",
            &ellipsoid_and_planes},
      Paper{"smooth-contact", "Synchronous contact/impact events modelling with a smooth-based approach",
            &smooth_contact},
  };
  return kPapers;
}

}  // namespace carom::reproduce
