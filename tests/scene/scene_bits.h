#pragma once
/// A scene as text that differs as soon as one bit of its model, its state or its options does.

#include <array>
#include <bit>
#include <cstdint>
#include <sstream>
#include <string>

#include "carom/geometry/polyhedron.h"
#include "carom/scene/scene_contents.h"

namespace carom::test {

class SceneBits {
 public:
  explicit SceneBits(const scene::SceneFile& scene) {
    add("title", scene.title);
    for (const RunOption& option : run_option_table()) {
      std::visit([&](const auto member) { add(option.name, scene.run.*member); }, option.member);
    }
    for (const std::string& path : scene.unused) add("unused", path);
    add_model(scene.model);
    add("time", scene.state.time);
    for (const BodyState& body : scene.state.bodies) {
      add("position", body.position, body.orientation.coeffs(), body.velocity, body.angular_velocity);
    }
  }

  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  template <class... Values>
  void add(std::string_view what, const Values&... values) {
    text_ << what;
    (write(values), ...);
    text_ << '\n';
  }

  void write(double value) { text_ << ' ' << std::hex << std::bit_cast<std::uint64_t>(value) << std::dec; }
  void write(bool value) { text_ << ' ' << value; }
  void write(int value) { text_ << ' ' << value; }
  template <class Kind>
  void write(Index<Kind> value) {
    write(int{value});
  }
  void write(std::int64_t value) { text_ << ' ' << value; }
  void write(ConstraintMethod value) { text_ << ' ' << constraint_method_name(value); }
  void write(const std::string& value) { text_ << " '" << value << "'"; }
  void write(const std::optional<double>& value) { value ? write(*value) : write(std::string("none")); }
  template <class Derived>
  void write(const Eigen::MatrixBase<Derived>& values) {
    for (Eigen::Index i = 0; i < values.size(); ++i) write(values(i));
  }
  void write(const LawParameters& parameters) {
    for (const auto& [name, value] : parameters) {
      write(name);
      std::visit([this](const auto given) { write(given); }, value);
    }
  }

  void write(const Restitution& restitution) {
    write(restitution.at_rest());
    if (!restitution.is_constant()) std::visit([this](const auto& law) { write(law); }, *restitution.law());
  }
  void write(const PowerRestitution& law) {
    write_both(law.e0, law.v0);
    write(law.exponent);
  }
  void write(const RestitutionTable& law) {
    for (const double speed : law.speeds) write(speed);
    for (const double value : law.values) write(value);
  }

  void write(const Sphere& shape) { write(shape.radius); }
  void write(const Ellipsoid& shape) { write(shape.semi_axes); }
  void write(const Box& shape) { write(shape.half_sizes); }
  void write(const Cylinder& shape) { write_both(shape.radius, shape.half_length); }
  void write(const Bore& shape) { write_both(shape.radius, shape.half_length); }
  void write(const Shell& shape) { write(shape.radius); }
  void write(const HalfSpace& /*shape*/) {}
  void write(const Prism& shape) {
    for (const Eigen::Vector2d& vertex : shape.vertices) write(vertex);
    write(shape.half_length);
  }
  void write(const Capsule& shape) { write_both(shape.radius, shape.half_length); }
  void write(const Cone& shape) { write_both(shape.radius, shape.height); }
  void write(const HalfCylinder& shape) { write_both(shape.radius, shape.half_length); }
  void write(const Rod& shape) { write(shape.half_length); }
  void write(const Convex& shape) {
    for (const Eigen::Vector3d& vertex : shape.polyhedron->vertices()) write(vertex);
  }
  void write_both(double a, double b) {
    write(a);
    write(b);
  }
  void write(const Shape& shape) {
    write(static_cast<int>(shape.index()));
    std::visit([this](const auto& kind) { write(kind); }, shape);
  }

  void write(const Parts& parts) {
    for (const Part& part : parts) {
      write(part.shape);
      if (is_identity(part.placement)) continue;
      write(part.placement.position);
      write(part.placement.orientation.coeffs());
    }
  }

  void write(const RollingConstraint& constraint) {
    write(constraint.body);
    write(constraint.plane);
  }
  void write(const RodConstraint& constraint) {
    write(constraint.body);
    write(constraint.pivot);
    write(constraint.length);
  }
  void write(const PlanarConstraint& constraint) {
    write(constraint.body);
    write(constraint.normal);
  }

  void add_model(const Model& model) {
    add("gravity", model.gravity);
    for (const Material& m : model.materials) add("material", m.name, m.young, m.poisson);
    for (const PairRule& rule : model.rules) add("rule", rule.restitution, rule.rough, rule.stiffness);
    for (const ForceRule& rule : model.forces) {
      add("force", rule.normal, rule.normal_parameters, rule.friction, rule.friction_parameters, rule.quasi_static);
    }
    for (const Body& body : model.bodies) {
      add("body", body.name, body.parts, body.mass, body.inertia, body.principal_axes.coeffs(), body.material);
    }
    for (const Obstacle& o : model.obstacles) {
      add("obstacle", o.name, o.parts, o.pose.position, o.pose.orientation.coeffs(), o.velocity, o.angular_velocity,
          o.material);
    }
    for (const Load& load : model.loads) {
      add("load", load.body, load.force, load.torque, load.damping, load.angular_damping);
    }
    for (const Spring& s : model.springs) {
      add("spring", s.body_a, s.body_b, s.point_a, s.point_b, s.stiffness, s.damping, s.rest_length);
    }
    for (const Constraint& constraint : model.constraints) {
      std::visit([this](const auto& kind) { add("constraint", kind); }, constraint);
    }
    for (const Pocket& pocket : model.pockets) add("pocket", pocket.name, pocket.centre, pocket.axis, pocket.radius);
    for (const Dent& dent : model.dents) add("dent", dent.object, dent.direction, dent.half_width, dent.depth);
  }

  std::ostringstream text_;
};

inline std::string scene_bits(const scene::SceneFile& scene) {
  return SceneBits(scene).text();
}

}  // namespace carom::test
