/// The gas of spheres in the Open Dynamics Engine: dWorldQuickStep with its 20 iterations, restitution 1, no friction.

#include <ode/ode.h>

#include "others/gas_run.h"

namespace {

class OdeWorld {
 public:
  OdeWorld(const std::vector<carom::bench::GasBall>& balls, double gravity)
      : world_(dWorldCreate()), space_(dHashSpaceCreate(nullptr)), contacts_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, 0, 0, -gravity);
    dWorldSetAutoDisableFlag(world_, 0);
    for (const carom::bench::GasBall& ball : balls) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetSphereTotal(&mass, ball.mass, ball.radius);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, ball.position.x(), ball.position.y(), ball.position.z());
      dBodySetLinearVel(body, ball.velocity.x(), ball.velocity.y(), ball.velocity.z());
      dGeomSetBody(dCreateSphere(space_, ball.radius), body);
      bodies_.push_back(body);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::Vector3d normal = Eigen::Vector3d::Unit(axis);
      dCreatePlane(space_, normal.x(), normal.y(), normal.z(), 0.0);
      dCreatePlane(space_, -normal.x(), -normal.y(), -normal.z(), -1.0);
    }
  }
  ~OdeWorld() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step(double dt) {
    dSpaceCollide(space_, this, &OdeWorld::collide);
    dWorldQuickStep(world_, dt);
    dJointGroupEmpty(contacts_);
  }

  void ball(std::size_t i, Eigen::Vector3d& position, Eigen::Vector3d& velocity) const {
    const dReal* const x = dBodyGetPosition(bodies_[i]);
    const dReal* const v = dBodyGetLinearVel(bodies_[i]);
    position = {x[0], x[1], x[2]};
    velocity = {v[0], v[1], v[2]};
  }

 private:
  static void collide(void* data, dGeomID a, dGeomID b) {
    const auto* const self = static_cast<OdeWorld*>(data);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    contact.surface.mode = dContactBounce;
    contact.surface.bounce = 1.0;
    dJointAttach(dJointCreateContact(self->world_, self->contacts_, &contact), body_a, body_b);
  }

  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

int main(int count, char** words) {
  dInitODE();
  carom::bench::run_gas<OdeWorld>("ode", count, words);
  dCloseODE();
  return 0;
}
