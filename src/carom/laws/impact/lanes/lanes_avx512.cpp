/// Lanes for AVX-512 (F, DQ, VL): eight problems at a time.

#include "carom/laws/impact/lanes/lane_job.h"

#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// The headers of GCC 12 leave the unused source of unmasked operations uninitialised on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "carom/laws/impact/lanes/geometric_lanes.h"
#include "carom/laws/impact/lanes/lane_books.h"

namespace carom::lanes {
namespace {

struct Mask8 {
  __mmask8 m;
};
inline Mask8 operator&(Mask8 a, Mask8 b) {
  return {_kand_mask8(a.m, b.m)};
}
inline Mask8 operator|(Mask8 a, Mask8 b) {
  return {_kor_mask8(a.m, b.m)};
}
inline Mask8 operator~(Mask8 a) {
  return {_knot_mask8(a.m)};
}
inline bool any(Mask8 a) {
  return _kortestz_mask8_u8(a.m, a.m) == 0;
}
inline bool all(Mask8 a) {
  return _kortestc_mask8_u8(a.m, a.m) != 0;
}
inline unsigned bits(Mask8 a) {
  return _cvtmask8_u32(a.m);
}

struct Vector8 {
  using Mask = Mask8;
  using Counter = struct Counter8;
  static constexpr int kWidth = 8;
  __m512d v;

  Vector8() = default;
  explicit Vector8(double a) : v(_mm512_set1_pd(a)) {}
  Vector8(const Vector8&) = default;
  Vector8& operator=(const Vector8&) = default;
  explicit Vector8(__m512d a) : v(a) {}

  static Vector8 load(const double* p) { return Vector8(_mm512_loadu_pd(p)); }
  static Vector8 gather(const double* p, std::ptrdiff_t s) {
    return Vector8(_mm512_set_pd(p[7 * s], p[6 * s], p[5 * s], p[4 * s], p[3 * s], p[2 * s], p[s], p[0]));
  }
  void store(double* p) const { _mm512_storeu_pd(p, v); }
};
/// A whole number for each lane.
struct Counter8 {
  __m512i n = _mm512_setzero_si512();

  void increment(Mask8 m) { n = _mm512_mask_sub_epi64(n, m.m, n, _mm512_set1_epi64(-1)); }
  void store(std::int32_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(n)); }
};
inline Vector8 operator+(Vector8 a, Vector8 b) {
  return Vector8(_mm512_add_pd(a.v, b.v));
}
inline Vector8 operator-(Vector8 a, Vector8 b) {
  return Vector8(_mm512_sub_pd(a.v, b.v));
}
inline Vector8 operator*(Vector8 a, Vector8 b) {
  return Vector8(_mm512_mul_pd(a.v, b.v));
}
inline Vector8 operator/(Vector8 a, Vector8 b) {
  return Vector8(_mm512_div_pd(a.v, b.v));
}
inline Mask8 operator>(Vector8 a, Vector8 b) {
  return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ)};
}
inline Mask8 operator<(Vector8 a, Vector8 b) {
  return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ)};
}
inline Mask8 operator>=(Vector8 a, Vector8 b) {
  return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GE_OQ)};
}
inline Mask8 operator<=(Vector8 a, Vector8 b) {
  return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LE_OQ)};
}
inline Mask8 operator==(Vector8 a, Vector8 b) {
  return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ)};
}
/// Lanes of the mask where a < b, and where a > b.
inline Mask8 less(Mask8 m, Vector8 a, Vector8 b) {
  return {_mm512_mask_cmp_pd_mask(m.m, a.v, b.v, _CMP_LT_OQ)};
}
inline Mask8 greater(Mask8 m, Vector8 a, Vector8 b) {
  return {_mm512_mask_cmp_pd_mask(m.m, a.v, b.v, _CMP_GT_OQ)};
}
/// 1 in the lanes of the mask, 0 elsewhere.
inline void store_integers(Mask8 m, std::int32_t* p) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_maskz_set1_epi32(m.m, 1));
}
inline Vector8 choose(Mask8 m, Vector8 a, Vector8 b) {
  return Vector8(_mm512_mask_blend_pd(m.m, b.v, a.v));
}
/// a + b·c and a − b·c, rounded once.
inline Vector8 add_product(Vector8 a, Vector8 b, Vector8 c) {
  return Vector8(_mm512_fmadd_pd(b.v, c.v, a.v));
}
inline Vector8 subtract_product(Vector8 a, Vector8 b, Vector8 c) {
  return Vector8(_mm512_fnmadd_pd(b.v, c.v, a.v));
}
/// a − b·c, rounded once, in the lanes of the mask, a elsewhere.
inline Vector8 subtract_product_where(Mask8 m, Vector8 a, Vector8 b, Vector8 c) {
  return Vector8(_mm512_mask3_fnmadd_pd(b.v, c.v, a.v, m.m));
}
/// a + b in the lanes of the mask, a elsewhere.
inline Vector8 add_where(Mask8 m, Vector8 a, Vector8 b) {
  return Vector8(_mm512_mask_add_pd(a.v, m.m, a.v, b.v));
}
inline Vector8 multiply_where(Mask8 m, Vector8 a, Vector8 b) {
  return Vector8(_mm512_mask_mul_pd(a.v, m.m, a.v, b.v));
}
/// √a rounded to 24 bits, from a rounded to 24 bits.
inline Vector8 coarse_root(Vector8 a) {
  return Vector8(_mm512_cvtps_pd(_mm256_sqrt_ps(_mm512_cvtpd_ps(a.v))));
}
/// The second where one of them is no number.
inline Vector8 larger(Vector8 a, Vector8 b) {
  return Vector8(_mm512_max_pd(a.v, b.v));
}

}  // namespace

void solve_geometric_avx512(const Job& job) {
  if (!solve_geometric<Vector8, 4>(job)) {
    solve_geometric_portable(job);
  } else if (job.has_books) {
    store_books<Vector8>(job);
  }
}

}  // namespace carom::lanes

#endif
