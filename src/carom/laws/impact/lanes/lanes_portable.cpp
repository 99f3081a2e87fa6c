/// Lanes without vector registers: one problem at a time, with the bits that the others give. For few problems, and for
/// processors that have neither instruction set.

#include <cmath>

#include "carom/laws/impact/lanes/geometric_lanes.h"
#include "carom/laws/impact/lanes/lane_books.h"

namespace carom::lanes {
namespace {

struct Mask1 {
  bool m;
};
inline Mask1 operator&(Mask1 a, Mask1 b) {
  return {a.m && b.m};
}
inline Mask1 operator|(Mask1 a, Mask1 b) {
  return {a.m || b.m};
}
inline Mask1 operator~(Mask1 a) {
  return {!a.m};
}
inline bool any(Mask1 a) {
  return a.m;
}
inline bool all(Mask1 a) {
  return a.m;
}
inline unsigned bits(Mask1 a) {
  return a.m ? 1 : 0;
}

struct Vector1 {
  using Mask = Mask1;
  using Counter = struct Counter1;
  static constexpr int kWidth = 1;
  double v;

  Vector1() = default;
  explicit Vector1(double a) : v(a) {}

  static Vector1 load(const double* p) { return Vector1(*p); }
  static Vector1 gather(const double* p, std::ptrdiff_t /*stride*/) { return Vector1(*p); }
  void store(double* p) const { *p = v; }
};
struct Counter1 {
  std::int32_t n = 0;

  void increment(Mask1 m) { n += m.m ? 1 : 0; }
  void store(std::int32_t* p) const { *p = n; }
};
inline Vector1 operator+(Vector1 a, Vector1 b) {
  return Vector1(a.v + b.v);
}
inline Vector1 operator-(Vector1 a, Vector1 b) {
  return Vector1(a.v - b.v);
}
inline Vector1 operator*(Vector1 a, Vector1 b) {
  return Vector1(a.v * b.v);
}
inline Vector1 operator/(Vector1 a, Vector1 b) {
  return Vector1(a.v / b.v);
}
inline Mask1 operator>(Vector1 a, Vector1 b) {
  return {a.v > b.v};
}
inline Mask1 operator<(Vector1 a, Vector1 b) {
  return {a.v < b.v};
}
inline Mask1 operator>=(Vector1 a, Vector1 b) {
  return {a.v >= b.v};
}
inline Mask1 operator<=(Vector1 a, Vector1 b) {
  return {a.v <= b.v};
}
inline Mask1 operator==(Vector1 a, Vector1 b) {
  return {a.v == b.v};
}
inline Mask1 less(Mask1 m, Vector1 a, Vector1 b) {
  return {m.m && a.v < b.v};
}
inline Mask1 greater(Mask1 m, Vector1 a, Vector1 b) {
  return {m.m && a.v > b.v};
}
inline void store_integers(Mask1 m, std::int32_t* p) {
  *p = m.m ? 1 : 0;
}
inline Vector1 choose(Mask1 m, Vector1 a, Vector1 b) {
  return m.m ? a : b;
}
inline Vector1 add_product(Vector1 a, Vector1 b, Vector1 c) {
  return Vector1(std::fma(b.v, c.v, a.v));
}
inline Vector1 subtract_product(Vector1 a, Vector1 b, Vector1 c) {
  return Vector1(std::fma(-b.v, c.v, a.v));
}
inline Vector1 subtract_product_where(Mask1 m, Vector1 a, Vector1 b, Vector1 c) {
  return m.m ? subtract_product(a, b, c) : a;
}
inline Vector1 add_where(Mask1 m, Vector1 a, Vector1 b) {
  return m.m ? a + b : a;
}
inline Vector1 multiply_where(Mask1 m, Vector1 a, Vector1 b) {
  return m.m ? a * b : a;
}
inline Vector1 coarse_root(Vector1 a) {
  return Vector1(static_cast<double>(std::sqrt(static_cast<float>(a.v))));
}
inline Vector1 larger(Vector1 a, Vector1 b) {
  return a.v > b.v ? a : b;
}

}  // namespace

void solve_geometric_portable(const Job& job) {
  solve_geometric<Vector1, 1>(job);
  if (job.has_books) store_books<Vector1>(job);
}

}  // namespace carom::lanes
