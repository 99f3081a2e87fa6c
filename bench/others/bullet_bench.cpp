/// The gas of spheres in Bullet: sequential impulses with its 10 iterations, restitution 1 at every speed, no friction.
/// Its thresholds for contacts that are not closed yet and for overlaps are zero: at their defaults energy grows.

#include <btBulletDynamicsCommon.h>

#include <memory>

#include "others/gas_run.h"

namespace {

class BulletWorld {
 public:
  BulletWorld(const std::vector<carom::bench::GasBall>& balls, double gravity) {
    world_.setGravity(btVector3(0, 0, -gravity));
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    for (const carom::bench::GasBall& ball : balls) {
      auto shape = std::make_unique<btSphereShape>(ball.radius);
      btVector3 inertia;
      shape->calculateLocalInertia(ball.mass, inertia);
      btRigidBody& body = add(std::move(shape), ball.mass, inertia, ball.position);
      body.setLinearVelocity(btVector3(ball.velocity.x(), ball.velocity.y(), ball.velocity.z()));
    }
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {1.0, -1.0}) {
        btVector3 normal(0, 0, 0);
        normal[axis] = side;
        add(std::make_unique<btStaticPlaneShape>(normal, side > 0.0 ? 0.0 : -1.0), 0.0, btVector3(0, 0, 0),
            Eigen::Vector3d::Zero());
      }
  }
  ~BulletWorld() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step(double dt) { world_.stepSimulation(dt, 0); }

  void ball(std::size_t i, Eigen::Vector3d& position, Eigen::Vector3d& velocity) const {
    const btVector3& x = bodies_[i]->getWorldTransform().getOrigin();
    const btVector3& v = bodies_[i]->getLinearVelocity();
    position = {x.x(), x.y(), x.z()};
    velocity = {v.x(), v.y(), v.z()};
  }

 private:
  btRigidBody& add(std::unique_ptr<btCollisionShape> shape, double mass, const btVector3& inertia,
                   const Eigen::Vector3d& position) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(btVector3(position.x(), position.y(), position.z()));
    info.m_restitution = 1.0;
    info.m_friction = 0.0;
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    bodies_.back()->setContactProcessingThreshold(0);
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

int main(int count, char** words) {
  carom::bench::run_gas<BulletWorld>("bullet", count, words);
  return 0;
}
