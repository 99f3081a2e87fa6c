#pragma once
/// Random numbers that are the same on every machine: SplitMix64, seeded by hand.
/// (The distributions of <random> differ between standard libraries.)
/// Source: Steele, Lea & Flood, Fast splittable pseudorandom number generators, 2014.

#include <cstdint>

namespace carom {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// A whole number from low to high, both included.
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }

 private:
  std::uint64_t state_;
};

}  // namespace carom
