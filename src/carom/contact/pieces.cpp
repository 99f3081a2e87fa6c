#include "carom/contact/pieces.h"

#include "carom/contact/shape_support.h"

namespace carom::contact {

std::vector<BodyPart> pieces_of(const Shape& shape) {
  std::vector<BodyPart> pieces;
  for (const Vector3d& vertex : shape_vertices(shape)) pieces.push_back({vertex});
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
    for (const double end : {-1.0, 1.0})
      pieces.push_back({Vector3d(0.0, 0.0, end * cylinder->half_length), cylinder->radius});
  } else if (const Cone* cone = std::get_if<Cone>(&shape)) {
    pieces.push_back({Vector3d::Zero(), cone->radius});
    pieces.push_back({Vector3d(0.0, 0.0, cone->height)});
  } else if (const HalfCylinder* half = std::get_if<HalfCylinder>(&shape)) {
    for (const double end : {-1.0, 1.0}) {
      const double z = end * half->half_length;
      for (const double side : {-1.0, 1.0}) pieces.push_back({Vector3d(side * half->radius, 0.0, z)});
      pieces.push_back({Vector3d(0.0, 0.0, z), half->radius, BodyPart::Side::near, 0.0, true});
    }
  } else if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    for (const double end : {-1.0, 1.0})
      pieces.push_back({Vector3d(0.0, 0.0, end * capsule->half_length), 0.0, BodyPart::Side::near, capsule->radius});
  }
  return pieces;
}

}  // namespace carom::contact
