/// The gas of spheres in Simbody (simbody_gas.cpp says how).

#include "others/gas_run.h"
#include "others/simbody_gas.h"

namespace {

class SimbodyWorld {
 public:
  static constexpr double kLongest = 0.2;  ///< [s] of the gas

  SimbodyWorld(const std::vector<carom::bench::GasBall>& balls, double gravity) : gas_(converted(balls), gravity) {}

  void step(double dt) { gas_.step(dt); }

  void ball(std::size_t i, Eigen::Vector3d& position, Eigen::Vector3d& velocity) const {
    const auto state = gas_.ball(i);
    position = Eigen::Vector3d(state[0].data());
    velocity = Eigen::Vector3d(state[1].data());
  }

 private:
  static std::vector<SimbodyBall> converted(const std::vector<carom::bench::GasBall>& balls) {
    std::vector<SimbodyBall> made;
    for (const carom::bench::GasBall& ball : balls) {
      const Eigen::Vector3d &x = ball.position, &v = ball.velocity;
      made.push_back({ball.radius, ball.mass, {x[0], x[1], x[2]}, {v[0], v[1], v[2]}});
    }
    return made;
  }

  SimbodyGas gas_;
};

}  // namespace

int main(int count, char** words) {
  carom::bench::run_gas<SimbodyWorld>("simbody", count, words);
  return 0;
}
