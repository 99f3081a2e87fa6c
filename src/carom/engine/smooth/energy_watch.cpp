#include "carom/engine/smooth/energy_watch.h"

#include <algorithm>
#include <cmath>

namespace carom::smooth {

EnergyWatch::EnergyWatch(const Model& model) : scale_(0.0) {
  for (const Body& body : model.bodies) {
    const double size = bounding_radius(body.parts);
    if (std::isfinite(size)) scale_ += body.mass * model.gravity.norm() * size;
  }
}

double EnergyWatch::share(const EnergyBook& book, double rtol) {
  if (!looked_) first_gravity_ = book.now.gravity;
  looked_ = true;
  scale_ = std::max(
      {scale_, book.now.kinetic, book.now.springs, book.now.contacts, std::abs(book.now.gravity - first_gravity_)});
  // Open by so many rtol: this part of the tolerance.
  constexpr std::pair<double, double> kSteps[] = {{5.0, 0.1}, {15.0, 0.01}, {40.0, 0.001}};
  for (const auto& [open, part] : kSteps)
    if (std::abs(book.error()) > open * rtol * scale_) share_ = std::min(share_, part);
  return share_;
}

}  // namespace carom::smooth
