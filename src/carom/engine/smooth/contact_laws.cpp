#include "carom/engine/smooth/contact_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "carom/base/error.h"
#include "carom/geometry/curvature.h"
#include "carom/geometry/mass_properties.h"
#include "carom/laws/normal_force/contact_stiffness.h"
#include "carom/laws/normal_force/line_stiffness.h"

namespace carom::smooth {

namespace {

/// The curvature at a point in world axes; faces, edges and vertices count as flat.
SurfaceCurvature curvature_at(const Shape& shape, const Pose& at, const Vector3d& point) {
  const Vector3d local = at.orientation.conjugate() * (point - at.position);
  const auto found = local_curvature(shape, local);
  return found ? rotated(*found, at.orientation) : SurfaceCurvature{};
}

/// Whether a contact with this shape has a curvature of its own somewhere.
bool is_curved(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape);
}

/// Radius and length of the side of a cylinder or capsule; a flat face has neither bounds nor curvature.
struct RoundSide {
  double curvature = 0.0;
  double length = std::numeric_limits<double>::infinity();
};

std::optional<RoundSide> side_of(const Shape& shape) {
  if (const auto* const cylinder = std::get_if<Cylinder>(&shape))
    return RoundSide{1.0 / cylinder->radius, 2.0 * cylinder->half_length};
  if (const auto* const capsule = std::get_if<Capsule>(&shape))
    return RoundSide{1.0 / capsule->radius, 2.0 * capsule->half_length};
  if (const auto* const bore = std::get_if<Bore>(&shape))
    return RoundSide{-1.0 / bore->radius, 2.0 * bore->half_length};
  if (is_curved(shape) || std::holds_alternative<Shell>(shape) || std::holds_alternative<Cone>(shape) ||
      std::holds_alternative<HalfCylinder>(shape) || std::holds_alternative<Rod>(shape))
    return std::nullopt;
  return RoundSide{};
}

/// The line along which two shapes can lie on each other: a round side on a flat face, or two of them along each other.
std::optional<ContactLine> contact_line(const Shape& a, const Shape& b) {
  const std::optional<RoundSide> of_a = side_of(a), of_b = side_of(b);
  if (!of_a || !of_b) return std::nullopt;
  const double curvature = of_a->curvature + of_b->curvature, length = std::min(of_a->length, of_b->length);
  if (!(curvature > 0.0) || !std::isfinite(length)) return std::nullopt;
  return ContactLine{curvature, length};
}

}  // namespace

ContactLaws::ContactLaws(std::shared_ptr<const Environment> environment) : environment_(std::move(environment)) {
  const auto materials = environment_->model().materials.indices();
  for (const MaterialIndex a : materials)
    for (const MaterialIndex b : materials) add_pair(a, b);
  add_pair(kNone, kNone);
  add_limits();
  require_stiffness();
}

int ContactLaws::index_of(ObjectIndex a, ObjectIndex b) const {
  const Model& model = environment_->model();
  const MaterialIndex material_a = model.material(a), material_b = model.material(b);
  if (material_a == kNone || material_b == kNone) return count() - 2;
  return material_a * static_cast<int>(model.materials.size()) + material_b;
}

void ContactLaws::add_pair(MaterialIndex material_a, MaterialIndex material_b) {
  const Model& model = environment_->model();
  PairLaws laws;
  const PairRule rule = model.rule(material_a, material_b);
  const ForceRule& force = model.force_rule(material_a, material_b);
  std::string path = "pair";
  if (material_a != kNone) {
    const Material& a = model.materials[material_a];
    const Material& b = model.materials[material_b];
    path = fmt::format("pair.{}-{}", a.name, b.name);
    laws.who = fmt::format("'{}' and '{}'", a.name, b.name);
    if (a.young && b.young) {
      laws.modulus = effective_modulus({*a.young, a.poisson.value_or(0.0)}, {*b.young, b.poisson.value_or(0.0)});
      laws.top_speed = validity_speed(std::min(*a.young, *b.young), 1.0);
    }
  } else {
    laws.who = "objects without a material";
  }
  laws.quasi_static = force.quasi_static;
  if (force.normal.empty() && !rule.restitution.is_elastic() && !force.quasi_static) {
    throw InputError(Kind::missing_field, path + ".normal",
                     fmt::format("{} has restitution {} and no normal force law; expected normal = a law with damping, "
                                 "for instance \"{}\" (hertz is taken for restitution 1 only)",
                                 path, rule.restitution.text(), touching_normal_law().name));
  }
  laws.normal = &normal_law(force.normal.empty() ? "hertz" : force.normal, path + ".normal");
  LawParameters given = force.normal_parameters;
  if (rule.stiffness) given.set("stiffness", *rule.stiffness);
  laws.restitution = rule.restitution;
  laws.input = normal_input(*laws.normal, given, rule.restitution, path);
  if (!force.friction.empty()) {
    laws.friction = &friction_law(force.friction, path + ".friction.law");
    laws.prepared_friction = prepare_friction(*laws.friction, force.friction_parameters, path + ".friction");
    laws.friction_parameters = &force.friction_parameters;
  }
  laws.path = path;
  pairs_.push_back(std::move(laws));
}

void ContactLaws::add_limits() {
  const NormalLaw* const law = &normal_law("kelvin-voigt");
  PairLaws laws;
  laws.normal = law;
  laws.who = "limits of joints";
  laws.path = "joint";
  pairs_.push_back(std::move(laws));
  const Model& model = environment_->model();
  for (const JointIndex index : model.joints.indices()) {
    const Joint& joint = model.joints[index];
    if (limits_of(model, index).empty()) continue;
    LawParameters any;
    any.set("stiffness", 1.0);
    (void)normal_input(*law, any, joint.restitution, "joint." + joint.name);
  }
}

void ContactLaws::require_stiffness() const {
  const Model& model = environment_->model();
  // Objects of one material, kinds of shapes and role (body, obstacle, driven) are alike here: two bodies stand for
  // all.
  std::vector<ObjectIndex> bodies, objects;
  std::map<std::tuple<int, int, int>, int> seen;
  for (ObjectIndex i = 0; i < model.object_count(); ++i) {
    const int role =
        model.is_body(i) ? (environment_->body(i).round ? 0 : 1) : 2 + (model.obstacle(i).driven() ? 1 : 0);
    int kinds = 0;
    for (const Part& part : model.parts(i)) kinds |= 1 << static_cast<int>(shape_kind(part.shape));
    int& count = seen[{model.material(i), kinds, role}];
    if (++count > 2) continue;
    objects.push_back(i);
    if (model.is_body(i)) bodies.push_back(i);
  }
  for (const ObjectIndex a : bodies)
    for (const ObjectIndex b : objects)
      if (b > a) require_stiffness(a, b);
}

void ContactLaws::require_stiffness(ObjectIndex a, ObjectIndex b) const {
  const Model& model = environment_->model();
  const PairLaws& pair = of(a, b);
  if (pair.quasi_static) {
    require_ball_on_plane(a, b, pair.path);
    return;
  }
  if (pair.input.given_stiffness || !environment_->can_meet(a, b)) return;
  if (!pair.modulus) {
    throw InputError(Kind::missing_field, pair.path,
                     fmt::format("'{}' and '{}' can meet, and nothing says how stiff they are: give both materials "
                                 "`young` and `poisson`, or their pair a `stiffness`",
                                 model.name(a), model.name(b)));
  }
  const auto has_flat_part = [](const Parts& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return !is_curved(part.shape); });
  };
  // Lines have a stiffness with an exponent of its own, which the law has to take.
  const auto are_lines = [&] {
    for (const Part& part_a : model.parts(a))
      for (const Part& part_b : model.parts(b))
        if (!is_curved(part_a.shape) && !is_curved(part_b.shape) && !contact_line(part_a.shape, part_b.shape))
          return false;
    return knows(*pair.normal, "exponent");
  };
  if (has_flat_part(model.parts(a)) && has_flat_part(model.parts(b)) && !are_lines()) {
    throw InputError(Kind::missing_field, pair.path,
                     fmt::format("'{}' and '{}' meet with faces, edges or vertices, which have no Hertz stiffness: "
                                 "give their pair a `stiffness`",
                                 model.name(a), model.name(b)));
  }
}

void ContactLaws::require_ball_on_plane(ObjectIndex a, ObjectIndex b, const std::string& path) const {
  const Model& model = environment_->model();
  const bool plane = !model.is_body(b) && environment_->resting_plane(b) != nullptr;
  if (plane && environment_->body(a).round) return;
  throw InputError(
      Kind::unsupported, path + ".quasi_static",
      fmt::format("'{}' and '{}' cannot meet quasi-statically: only a homogeneous ball and a plane at rest "
                  "can",
                  model.name(a), model.name(b)));
}

void ContactLaws::set_stiffness(const PairLaws& laws, const PairGeometry& g, const Meeting& meeting,
                                NormalInput& input) const {
  if (laws.input.given_stiffness) {
    input.stiffness = *laws.input.given_stiffness;
    return;
  }
  // The usual ones are circular.
  if (g.form == ContactForm::sphere_plane) {
    const double curvature = 1.0 / g.radius_a;
    input.stiffness = hertz_stiffness({curvature, curvature}, *laws.modulus, {});
    return;
  }
  if (g.form == ContactForm::sphere_sphere) {
    const double curvature = 1.0 / g.radius_a + 1.0 / g.radius_b;
    input.stiffness = hertz_stiffness({curvature, curvature}, *laws.modulus, {});
    return;
  }
  if (const std::optional<ContactLine> line = contact_line(*g.shape_a, *g.shape_b)) {
    // Each of the two ends bears half of it.
    const LineStiffness whole = line_stiffness(*line, *laws.modulus);
    input.stiffness = 0.5 * whole.stiffness;
    input.exponent = whole.exponent;
    return;
  }
  const SurfaceCurvature a = curvature_at(*g.shape_a, g.pose_a(meeting.a), meeting.touch.point);
  const SurfaceCurvature b = curvature_at(*g.shape_b, g.pose_b(meeting.b), meeting.touch.point);
  const Model& model = environment_->model();
  input.stiffness = hertz_stiffness(relative_curvatures(a, b, meeting.touch.normal), *laws.modulus,
                                    fmt::format("'{}' and '{}'", model.name(g.a), model.name(g.b)));
}

/// 1/(n·M⁻¹n) of the two at the contact.
double ContactLaws::reduced_mass(const PairGeometry& g, const Meeting& meeting) const {
  double inverse = 0.0;
  for (const bool second : {false, true}) {
    const ObjectIndex object = second ? g.b : g.a;
    if (!environment_->model().is_body(object)) continue;
    const BodyInfo& info = environment_->body(object);
    const Pose& at = second ? meeting.b : meeting.a;
    inverse += info.inverse_mass;
    if (info.round) continue;
    const Vector3d lever = (meeting.touch.point - at.position).cross(meeting.touch.normal);
    const Vector3d principal = (at.orientation * info.principal_axes).conjugate() * lever;
    inverse += principal.dot(principal.cwiseQuotient(info.inertia));
  }
  return 1.0 / inverse;
}

std::optional<double> ContactLaws::restitution(const Contact& contact) const {
  if (contact.is_limit()) return environment_->model().joints[contact.limit.joint].restitution.at(contact.approach);
  const PairLaws& pair = laws(contact.law_pair);
  if (contact.held || !knows(*pair.normal, "restitution")) return std::nullopt;
  return pair.restitution.at(contact.approach);
}

void ContactLaws::prepare_limit(Contact& contact, double stiffness) const {
  contact.law_pair = limit_index();
  const NormalLaw& law = *laws(contact.law_pair).normal;
  NormalInput input;
  input.restitution = *restitution(contact);
  if (input.restitution == 0.0) input.restitution = kNoRebound;
  input.stiffness = stiffness;
  input.reduced_mass = contact.reduced_mass;
  input.constant = law.calibrate(input);
  contact.normal = law.prepare(input);
}

namespace {

/// The time in which the tangential spring of a contact that begins comes to follow all slip: a tenth of that in which
/// the normal force alone would stop the two, and no longer than a radian of its own oscillation.
double spring_onset(const Contact& contact) {
  constexpr double kPart = 0.1;
  const double speed = contact.approach, stiffness = contact.normal.stiffness;
  if (!(speed > 0.0 && stiffness > 0.0)) return 0.0;
  const double power = contact.normal.exponent + 1.0;
  const double depth = std::pow(0.5 * power * contact.reduced_mass * speed * speed / stiffness, 1.0 / power);
  return std::min(kPart * depth / speed, std::sqrt(contact.reduced_mass / contact.friction.spring_stiffness));
}

}  // namespace

void ContactLaws::prepare(Contact& contact, const Meeting& meeting) const {
  const PairGeometry& g = contact.geometry;
  contact.law_pair = index_of(g.a, g.b);
  const PairLaws& pair = laws(contact.law_pair);
  contact.reduced_mass = reduced_mass(g, meeting);
  contact.held = pair.quasi_static;
  if (!contact.held) {
    NormalInput input = pair.restitution.is_constant()
                            ? pair.input
                            : at_restitution(*pair.normal, pair.input, pair.restitution.at(meeting.approach));
    set_stiffness(pair, g, meeting, input);
    input.reduced_mass = contact.reduced_mass;
    input.approach_speed = contact.approach = meeting.approach;
    contact.normal = pair.normal->prepare(input);
    if (pair.normal->own != nullptr) {
      contact.normal.own_contact = {input.stiffness, input.reduced_mass, input.approach_speed, input.restitution};
    }
    contact.normal.stiffness *= contact.share;
    contact.normal.damping *= contact.share;
  }
  contact.has_friction = pair.friction != nullptr;
  bring_own_forces(contact);
  contact.round = g.is_round();
  contact.dented = g.dented_a || g.dented_b;
  const bool two_balls = g.form == ContactForm::sphere_sphere && environment_->model().is_body(g.b);
  const bool on_plane = g.form == ContactForm::sphere_plane && !environment_->model().obstacle(g.b).driven();
  contact.plain = contact.round && !contact.dented && !contact.has_friction && !contact.held && (two_balls || on_plane);
  if (!contact.has_friction) return;
  contact.friction = pair.prepared_friction;
  contact.friction.spring_stiffness *= contact.share;
  contact.friction.spring_damping *= contact.share;
  contact.has_spring = contact.friction.has_spring();
  contact.onset = contact.has_spring ? spring_onset(contact) : 0.0;
  // The smaller of the two rolls.
  const Model& model = environment_->model();
  const bool second = model.is_body(g.b) && environment_->body(g.b).size < environment_->body(g.a).size;
  const BodyInfo& info = environment_->body(second ? g.b : g.a);
  const double radius = (meeting.touch.point - (second ? meeting.b : meeting.a).position).norm();
  contact.resistance =
      prepare_resistance(turning_resistance(*pair.friction_parameters), {radius, info.mass, info.inertia.mean()});
  contact.has_resistance = contact.resistance.any();
}

void ContactLaws::bring_own_forces(Contact& contact) const {
  const PairLaws& pair = laws(contact.law_pair);
  if (!contact.held) contact.normal.own = pair.normal->own;
  if (contact.has_friction) contact.friction.own = pair.prepared_friction.own;
}

}  // namespace carom::smooth
