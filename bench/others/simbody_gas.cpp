/// Compliant contacts by Hertz's law without dissipation, a Young's modulus of 10⁷ Pa, Runge–Kutta–Merson with accuracy
/// 10⁻³. (Its rigid contacts take every pair of spheres as a constraint of its own.)

#include "others/simbody_gas.h"

#include <Simbody.h>

using SimTK::Transform;
using SimTK::Vec3;

struct SimbodyGas::Content {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::ContactTrackerSubsystem tracker{system};
  SimTK::CompliantContactSubsystem contacts{system, tracker};
  std::vector<SimTK::MobilizedBody> bodies;
  SimTK::RungeKuttaMersonIntegrator integrator{system};
  SimTK::TimeStepper stepper{system, integrator};
  double time = 0.0;
};

SimbodyGas::SimbodyGas(const std::vector<SimbodyBall>& balls, double gravity) : content_(std::make_unique<Content>()) {
  Content& gas = *content_;
  SimTK::Force::Gravity(gas.forces, gas.matter, -SimTK::ZAxis, gravity);
  const SimTK::ContactMaterial material(1e7, 0, 0, 0, 0);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) {
      Vec3 into(0);
      into[axis] = -side;  // a half-space lies on the side of +x
      const Vec3 at = side > 0.0 ? Vec3(0) : into;
      gas.matter.Ground().updBody().addContactSurface(
          Transform(SimTK::Rotation(SimTK::UnitVec3(into), SimTK::XAxis), at),
          SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
    }
  for (const SimbodyBall& ball : balls) {
    SimTK::Body::Rigid body(
        SimTK::MassProperties(ball.mass, Vec3(0), ball.mass * SimTK::UnitInertia::sphere(ball.radius)));
    body.addContactSurface(Transform(), SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(ball.radius), material));
    gas.bodies.push_back(SimTK::MobilizedBody::Free(gas.matter.Ground(), Transform(), body, Transform()));
  }
  SimTK::State state = gas.system.realizeTopology();
  gas.system.realizeModel(state);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    gas.bodies[i].setQToFitTransform(state, Transform(Vec3(balls[i].position.data())));
    gas.bodies[i].setUToFitVelocity(state, SimTK::SpatialVec(Vec3(0), Vec3(balls[i].velocity.data())));
  }
  gas.integrator.setAccuracy(1e-3);
  gas.stepper.initialize(state);
}

SimbodyGas::~SimbodyGas() = default;

void SimbodyGas::step(double dt) {
  content_->time += dt;
  content_->stepper.stepTo(content_->time);
}

std::array<std::array<double, 3>, 2> SimbodyGas::ball(std::size_t i) const {
  const SimTK::State& state = content_->stepper.getState();
  content_->system.realize(state, SimTK::Stage::Velocity);
  const Vec3 x = content_->bodies[i].getBodyOriginLocation(state), v = content_->bodies[i].getBodyOriginVelocity(state);
  return {{{x[0], x[1], x[2]}, {v[0], v[1], v[2]}}};
}
