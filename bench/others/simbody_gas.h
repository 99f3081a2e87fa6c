#pragma once
/// A gas of spheres in a unit box in Simbody, without its headers, which are not C++20.

#include <array>
#include <memory>
#include <vector>

struct SimbodyBall {
  double radius;  ///< [m]
  double mass;    ///< [kg]
  std::array<double, 3> position, velocity;
};

class SimbodyGas {
 public:
  SimbodyGas(const std::vector<SimbodyBall>& balls, double gravity);
  ~SimbodyGas();
  SimbodyGas(const SimbodyGas&) = delete;
  SimbodyGas& operator=(const SimbodyGas&) = delete;

  void step(double dt);
  /// Its position and velocity.
  std::array<std::array<double, 3>, 2> ball(std::size_t i) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};
