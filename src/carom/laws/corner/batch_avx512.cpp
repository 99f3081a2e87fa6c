/// The batch kernel for AVX-512 (F, DQ, VL).

#include "carom/laws/corner/batch_job.h"

#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// The headers of GCC 12 leave the unused source of unmasked operations uninitialised on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "carom/laws/corner/batch_kernel.h"

namespace carom::corner {
namespace {

struct Avx512 {
  using Vector = __m512d;
  using Mask = __mmask8;
  static constexpr int kWidth = 8;
  static constexpr int kGroups = 3;

  static Vector set(double a) { return _mm512_set1_pd(a); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, Vector a) { _mm512_store_pd(p, a); }
  static void store_integers(std::uint64_t* p, Vector a) { _mm512_store_si512(p, _mm512_castpd_si512(a)); }

  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector sub(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector div(Vector a, Vector b) { return _mm512_div_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static Vector negative_fma(Vector a, Vector b, Vector c) { return _mm512_fnmadd_pd(a, b, c); }
  static Vector absolute(Vector a) { return _mm512_abs_pd(a); }
  static Vector larger(Vector a, Vector b) { return _mm512_max_pd(a, b); }

  /// √a rounded to 24 bits, from a rounded to 24 bits.
  static Vector coarse_root(Vector a) { return _mm512_cvtps_pd(_mm256_sqrt_ps(_mm512_cvtpd_ps(a))); }

  static Mask all() { return 0xff; }
  static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
  static Mask unless(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
  static unsigned bits(Mask m) { return m; }
  static Mask from_bits(unsigned bits) { return static_cast<Mask>(bits); }
  static int count(Mask m) { return __builtin_popcount(m); }
  static Mask greater(Mask m, Vector a, Vector b) { return _mm512_mask_cmp_pd_mask(m, a, b, _CMP_GT_OQ); }
  static Mask less(Mask m, Vector a, Vector b) { return _mm512_mask_cmp_pd_mask(m, a, b, _CMP_LT_OQ); }
  static Mask not_greater(Mask m, Vector a, Vector b) { return _mm512_mask_cmp_pd_mask(m, a, b, _CMP_LE_OQ); }
  static Mask nonzero(Mask m, Vector a) { return _mm512_mask_cmp_pd_mask(m, a, _mm512_setzero_pd(), _CMP_NEQ_OQ); }
  static Vector select(Mask m, Vector a, Vector b) { return _mm512_mask_blend_pd(m, b, a); }
  static Vector negate(Mask m, Vector a) { return _mm512_mask_xor_pd(a, m, a, _mm512_set1_pd(-0.0)); }

  static Vector increment(Mask m, Vector tag) {
    const __m512i old = _mm512_castpd_si512(tag);
    return _mm512_castsi512_pd(_mm512_mask_add_epi64(old, m, old, _mm512_set1_epi64(1)));
  }
  /// (first + lane)·2³³ + (mirrored ≠ stepped)·2³² + stepped.
  static Vector tag(std::size_t first, Mask mirrored, Mask stepped) {
    constexpr long long unit = 1LL << 33;
    const __m512i lane = _mm512_set_epi64(7 * unit, 6 * unit, 5 * unit, 4 * unit, 3 * unit, 2 * unit, unit, 0);
    __m512i t = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(first) * unit), lane);
    t = _mm512_mask_add_epi64(t, static_cast<Mask>(mirrored ^ stepped), t, _mm512_set1_epi64(1LL << 32));
    return _mm512_castsi512_pd(_mm512_mask_add_epi64(t, stepped, t, _mm512_set1_epi64(1)));
  }
  static Vector unmirror(Vector y, Vector tag) {
    const __m512i t = _mm512_castpd_si512(tag);
    const __m512i parity = _mm512_slli_epi64(_mm512_xor_si512(t, _mm512_srli_epi64(t, 32)), 63);
    return _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(y), parity));
  }

  static Mask at_limit(Vector tag, std::int64_t steps) {
    const __m512i low = _mm512_and_si512(_mm512_castpd_si512(tag), _mm512_set1_epi64(0xffffffff));
    return _mm512_cmpge_epi64_mask(low, _mm512_set1_epi64(steps));
  }

  /// Stores a vector of problems as having left the corner. Lanes that have not are written again when they end.
  static void store_results(const BatchJob& job, std::size_t first, Vector x, Vector y, Vector t) {
    _mm512_storeu_pd(job.out_x + first, x);
    _mm512_storeu_pd(job.out_y + first, unmirror(y, t));
    const __m256i steps = _mm512_maskz_cvtepi64_epi32(0xff, _mm512_castpd_si512(t));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(job.steps + first), steps);
    __builtin_memset(job.stop + first, 0, kWidth);
  }

  static Mask compression(unsigned lanes) { return static_cast<Mask>(lanes); }
  static void compress(double* p, Mask m, Vector a) { _mm512_storeu_pd(p, _mm512_maskz_compress_pd(m, a)); }
};

}  // namespace

void solve_avx512(const BatchJob& job) {
  BatchKernel<Avx512> kernel(job);
  kernel.run();
}

}  // namespace carom::corner

#endif
