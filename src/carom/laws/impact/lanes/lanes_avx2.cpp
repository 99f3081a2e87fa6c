/// Lanes for AVX2 with fused multiply-add: four problems at a time.

#include "carom/laws/impact/lanes/lane_job.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "carom/laws/impact/lanes/geometric_lanes.h"
#include "carom/laws/impact/lanes/lane_books.h"

namespace carom::lanes {
namespace {

struct Mask4 {
  __m256d m;
};
inline Mask4 operator&(Mask4 a, Mask4 b) {
  return {_mm256_and_pd(a.m, b.m)};
}
inline Mask4 operator|(Mask4 a, Mask4 b) {
  return {_mm256_or_pd(a.m, b.m)};
}
inline Mask4 operator~(Mask4 a) {
  return {_mm256_xor_pd(a.m, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)))};
}
inline unsigned bits(Mask4 a) {
  return static_cast<unsigned>(_mm256_movemask_pd(a.m));
}
inline bool any(Mask4 a) {
  return bits(a) != 0;
}
inline bool all(Mask4 a) {
  return bits(a) == 15;
}

struct Vector4 {
  using Mask = Mask4;
  using Counter = struct Counter4;
  static constexpr int kWidth = 4;
  __m256d v;

  Vector4() = default;
  explicit Vector4(double a) : v(_mm256_set1_pd(a)) {}
  Vector4(const Vector4&) = default;
  Vector4& operator=(const Vector4&) = default;
  explicit Vector4(__m256d a) : v(a) {}

  static Vector4 load(const double* p) { return Vector4(_mm256_loadu_pd(p)); }
  static Vector4 gather(const double* p, std::ptrdiff_t s) {
    return Vector4(_mm256_set_pd(p[3 * s], p[2 * s], p[s], p[0]));
  }
  void store(double* p) const { _mm256_storeu_pd(p, v); }
};
/// A whole number for each lane.
struct Counter4 {
  __m256i n = _mm256_setzero_si256();

  void increment(Mask4 m) { n = _mm256_sub_epi64(n, _mm256_castpd_si256(m.m)); }  // its lanes are −1 or 0
  void store(std::int32_t* p) const {
    const __m256i low = _mm256_permutevar8x32_epi32(n, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(low));
  }
};
inline Vector4 operator+(Vector4 a, Vector4 b) {
  return Vector4(_mm256_add_pd(a.v, b.v));
}
inline Vector4 operator-(Vector4 a, Vector4 b) {
  return Vector4(_mm256_sub_pd(a.v, b.v));
}
inline Vector4 operator*(Vector4 a, Vector4 b) {
  return Vector4(_mm256_mul_pd(a.v, b.v));
}
inline Vector4 operator/(Vector4 a, Vector4 b) {
  return Vector4(_mm256_div_pd(a.v, b.v));
}
inline Mask4 operator>(Vector4 a, Vector4 b) {
  return {_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)};
}
inline Mask4 operator<(Vector4 a, Vector4 b) {
  return {_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)};
}
inline Mask4 operator>=(Vector4 a, Vector4 b) {
  return {_mm256_cmp_pd(a.v, b.v, _CMP_GE_OQ)};
}
inline Mask4 operator<=(Vector4 a, Vector4 b) {
  return {_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ)};
}
inline Mask4 operator==(Vector4 a, Vector4 b) {
  return {_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)};
}
inline Mask4 less(Mask4 m, Vector4 a, Vector4 b) {
  return m & (a < b);
}
inline Mask4 greater(Mask4 m, Vector4 a, Vector4 b) {
  return m & (a > b);
}
/// 1 in the lanes of the mask, 0 elsewhere.
inline void store_integers(Mask4 m, std::int32_t* p) {
  Counter4 ones;
  ones.increment(m);
  ones.store(p);
}
inline Vector4 choose(Mask4 m, Vector4 a, Vector4 b) {
  return Vector4(_mm256_blendv_pd(b.v, a.v, m.m));
}
/// a + b·c and a − b·c, rounded once.
inline Vector4 add_product(Vector4 a, Vector4 b, Vector4 c) {
  return Vector4(_mm256_fmadd_pd(b.v, c.v, a.v));
}
inline Vector4 subtract_product(Vector4 a, Vector4 b, Vector4 c) {
  return Vector4(_mm256_fnmadd_pd(b.v, c.v, a.v));
}
/// a − b·c, rounded once, in the lanes of the mask, a elsewhere.
inline Vector4 subtract_product_where(Mask4 m, Vector4 a, Vector4 b, Vector4 c) {
  return choose(m, subtract_product(a, b, c), a);
}
/// a + b in the lanes of the mask, a elsewhere (a + 0 is a, but for a = −0).
inline Vector4 add_where(Mask4 m, Vector4 a, Vector4 b) {
  return Vector4(_mm256_add_pd(a.v, _mm256_and_pd(m.m, b.v)));
}
inline Vector4 multiply_where(Mask4 m, Vector4 a, Vector4 b) {
  return choose(m, a * b, a);
}
/// √a rounded to 24 bits, from a rounded to 24 bits.
inline Vector4 coarse_root(Vector4 a) {
  return Vector4(_mm256_cvtps_pd(_mm_sqrt_ps(_mm256_cvtpd_ps(a.v))));
}
/// The second where one of them is no number.
inline Vector4 larger(Vector4 a, Vector4 b) {
  return Vector4(_mm256_max_pd(a.v, b.v));
}

}  // namespace

void solve_geometric_avx2(const Job& job) {
  if (!solve_geometric<Vector4, 2>(job)) {
    solve_geometric_portable(job);
  } else if (job.has_books) {
    store_books<Vector4>(job);
  }
}

}  // namespace carom::lanes

#endif
