#pragma once
/// A ball that bounces without loss in Siconos, without its headers, which are not C++20.

struct SiconosBounces {
  double rate = 0.0;           ///< impacts per second of processor time
  double energy_change = 0.0;  ///< relative
};

/// A ball of radius 0.1 m dropped from 1 m above the floor.
SiconosBounces siconos_bounces(int impacts);
