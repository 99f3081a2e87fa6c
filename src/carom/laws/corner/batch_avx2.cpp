/// The batch kernel for AVX2 with FMA.

#include "carom/laws/corner/batch_job.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "carom/laws/corner/batch_kernel.h"

namespace carom::corner {
namespace {

/// For every set of lanes (bit i: lane i), the 32-bit halves that bring these lanes to the front and the lanes as a
/// mask. `low` brings the low halves of all lanes to the front.
struct Permutations {
  alignas(32) std::int32_t gather[16][8];
  alignas(32) std::int64_t lanes[16][4];
  alignas(32) std::int32_t low[8];
};

constexpr Permutations make_permutations() {
  Permutations p{};
  for (int lane = 0; lane < 4; ++lane) p.low[lane] = 2 * lane;
  for (int set = 0; set < 16; ++set) {
    int rank = 0;
    for (int lane = 0; lane < 4; ++lane) {
      if ((set >> lane & 1) == 0) continue;
      p.lanes[set][lane] = -1;
      for (int half = 0; half < 2; ++half) {
        p.gather[set][2 * rank + half] = 2 * lane + half;
      }
      ++rank;
    }
  }
  return p;
}

constexpr Permutations kPermutations = make_permutations();

struct Avx2 {
  using Vector = __m256d;
  using Mask = __m256d;
  static constexpr int kWidth = 4;
  static constexpr int kGroups = 4;

  static Vector set(double a) { return _mm256_set1_pd(a); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector a) { _mm256_store_pd(p, a); }
  static void store_integers(std::uint64_t* p, Vector a) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), _mm256_castpd_si256(a));
  }

  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector sub(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector div(Vector a, Vector b) { return _mm256_div_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static Vector negative_fma(Vector a, Vector b, Vector c) { return _mm256_fnmadd_pd(a, b, c); }
  static Vector absolute(Vector a) { return _mm256_andnot_pd(set(-0.0), a); }
  static Vector larger(Vector a, Vector b) { return _mm256_max_pd(a, b); }

  /// √a rounded to 24 bits, from a rounded to 24 bits.
  static Vector coarse_root(Vector a) { return _mm256_cvtps_pd(_mm_sqrt_ps(_mm256_cvtpd_ps(a))); }

  static Mask all() { return from_bits(15); }
  static Mask both(Mask a, Mask b) { return _mm256_and_pd(a, b); }
  static Mask unless(Mask a, Mask b) { return _mm256_andnot_pd(b, a); }
  static unsigned bits(Mask m) { return static_cast<unsigned>(_mm256_movemask_pd(m)); }
  static Mask from_bits(unsigned bits) { return _mm256_castsi256_pd(load_lanes(bits)); }
  static int count(Mask m) { return __builtin_popcount(bits(m)); }
  static Mask greater(Mask m, Vector a, Vector b) { return _mm256_and_pd(m, _mm256_cmp_pd(a, b, _CMP_GT_OQ)); }
  static Mask less(Mask m, Vector a, Vector b) { return _mm256_and_pd(m, _mm256_cmp_pd(a, b, _CMP_LT_OQ)); }
  static Mask not_greater(Mask m, Vector a, Vector b) { return _mm256_and_pd(m, _mm256_cmp_pd(a, b, _CMP_LE_OQ)); }
  static Mask nonzero(Mask m, Vector a) { return _mm256_and_pd(m, _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_NEQ_OQ)); }
  static Vector select(Mask m, Vector a, Vector b) { return _mm256_blendv_pd(b, a, m); }
  static Vector negate(Mask m, Vector a) { return _mm256_xor_pd(a, _mm256_and_pd(m, set(-0.0))); }

  static Vector increment(Mask m, Vector tag) {
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_castpd_si256(tag), _mm256_castpd_si256(m)));
  }
  /// (first + lane)·2³³ + (mirrored ≠ stepped)·2³² + stepped.
  static Vector tag(std::size_t first, Mask mirrored, Mask stepped) {
    const __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
    const __m256i t = _mm256_slli_epi64(_mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(first)), lane), 33);
    const Mask turned = _mm256_xor_pd(mirrored, stepped);
    const __m256i mirror = _mm256_and_si256(_mm256_castpd_si256(turned), _mm256_set1_epi64x(1LL << 32));
    return increment(stepped, _mm256_castsi256_pd(_mm256_add_epi64(t, mirror)));
  }
  static Vector unmirror(Vector y, Vector tag) {
    const __m256i t = _mm256_castpd_si256(tag);
    const __m256i parity = _mm256_slli_epi64(_mm256_xor_si256(t, _mm256_srli_epi64(t, 32)), 63);
    return _mm256_xor_pd(y, _mm256_castsi256_pd(parity));
  }

  static Mask at_limit(Vector tag, std::int64_t steps) {
    const __m256i low = _mm256_and_si256(_mm256_castpd_si256(tag), _mm256_set1_epi64x(0xffffffff));
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(low, _mm256_set1_epi64x(steps - 1)));
  }

  /// Stores a vector of problems as having left the corner. Lanes that have not are written again when they end.
  static void store_results(const BatchJob& job, std::size_t first, Vector x, Vector y, Vector t) {
    _mm256_storeu_pd(job.out_x + first, x);
    _mm256_storeu_pd(job.out_y + first, unmirror(y, t));
    const __m256i low = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(t), load_halves(kPermutations.low));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(job.steps + first), _mm256_castsi256_si128(low));
    __builtin_memset(job.stop + first, 0, kWidth);
  }

  static __m256i compression(unsigned lanes) { return load_halves(kPermutations.gather[lanes]); }
  static void compress(double* p, __m256i halves, Vector a) { _mm256_storeu_pd(p, permute(a, halves)); }

 private:
  static __m256i load_lanes(unsigned bits) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(kPermutations.lanes[bits]));
  }
  static __m256i load_halves(const std::int32_t* p) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(p)); }
  static Vector permute(Vector a, __m256i halves) {
    return _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(a), halves));
  }
};

}  // namespace

void solve_avx2(const BatchJob& job) {
  BatchKernel<Avx2> kernel(job);
  kernel.run();
}

}  // namespace carom::corner

#endif
