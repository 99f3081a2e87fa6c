#pragma once
/// How the nearest points of two surfaces of any kind run over them, in closed form.

#include <optional>

#include "carom/contact/contact_point.h"

namespace carom::contact {

/// The rates of a contact whose points are the nearest ones, from how both surfaces bend there (Montana 1988, with
/// vertices, edges and rims as surfaces without extent). None where a point lies between two kinds of places, such as
/// the end of a side line, and where the points are not determined: lines or faces along each other. The states are
/// those of the frames of the two shapes.
std::optional<ContactRates> rates_of_surfaces(const ContactPoint& contact, const Shape& a, const BodyState& state_a,
                                              const Shape& b, const BodyState& state_b);

}  // namespace carom::contact
