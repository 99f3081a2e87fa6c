/**
 * Spectrum of a sampled quantity: Welch's method with Hann windows that overlap by half.
 *
 * The amplitude at a frequency f_k is 2/Σw · √⟨|X_k|²⟩ over the segments: a sine of amplitude A on a line of the
 * spectrum shows A. P. Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70.
 */

/** Fourier transform in place; the length is a power of two. X_k = Σ x_n exp(−2πi kn/N). */
export function fourierTransform(real: Float64Array, imaginary: Float64Array): void {
  const n = real.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j |= bit;
    if (i >= j) continue;
    [real[i], real[j]] = [real[j], real[i]];
    [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]];
  }
  for (let length = 2; length <= n; length *= 2) {
    const half = length / 2;
    const angle = (-2 * Math.PI) / length;
    for (let k = 0; k < half; ++k) {
      const c = Math.cos(angle * k);
      const s = Math.sin(angle * k);
      for (let even = k; even < n; even += length) {
        const odd = even + half;
        const re = real[odd] * c - imaginary[odd] * s;
        const im = real[odd] * s + imaginary[odd] * c;
        real[odd] = real[even] - re;
        imaginary[odd] = imaginary[even] - im;
        real[even] += re;
        imaginary[even] += im;
      }
    }
  }
}

export interface Spectrum {
  frequencies: Float64Array; // [Hz]
  amplitudes: Float64Array;
}

const shortest = 16;

/** Of evenly spaced values; null where there are too few. The mean is taken away. */
export function amplitudeSpectrum(values: ArrayLike<number>, step: number): Spectrum | null {
  const count = values.length;
  if (count < shortest || !(step > 0)) return null;
  // Halves: three overlapping segments of half the length; shorter ones would blur lines that lie close together.
  const wanted = Math.max(Math.floor(count / 2), shortest);
  const length = 2 ** Math.floor(Math.log2(wanted));
  const window = Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
  const weight = window.reduce((sum, w) => sum + w, 0);
  let mean = 0;
  for (let i = 0; i < count; ++i) mean += values[i] / count;
  const lines = length / 2;
  const power = new Float64Array(lines);
  let segments = 0;
  for (let start = 0; start + length <= count; start += length / 2) {
    const real = Float64Array.from({ length }, (_, i) => (values[start + i] - mean) * window[i]);
    const imaginary = new Float64Array(length);
    fourierTransform(real, imaginary);
    for (let k = 0; k < lines; ++k) power[k] += real[k] ** 2 + imaginary[k] ** 2;
    segments += 1;
  }
  const amplitudes = power.map((sum) => (2 / weight) * Math.sqrt(sum / segments));
  amplitudes[0] /= 2;
  return { frequencies: Float64Array.from({ length: lines }, (_, k) => k / (length * step)), amplitudes };
}

/** Values at even steps, by straight lines between the given ones (x rising). */
export function resampleEvenly(x: Float64Array, y: Float64Array, step: number): Float64Array {
  const n = x.length;
  if (n < 2 || !(step > 0)) return new Float64Array(0);
  const count = Math.floor((x[n - 1] - x[0]) / step + 1e-6) + 1;
  const values = new Float64Array(count);
  let k = 0;
  for (let i = 0; i < count; ++i) {
    const time = Math.min(x[0] + i * step, x[n - 1]);
    while (k + 2 < n && x[k + 1] <= time) ++k;
    const share = x[k + 1] > x[k] ? (time - x[k]) / (x[k + 1] - x[k]) : 0;
    values[i] = y[k] + (y[k + 1] - y[k]) * Math.min(share, 1);
  }
  return values;
}

/** The usual distance of rising times. */
export function medianStep(times: Float64Array): number {
  const steps = Array.from({ length: Math.max(times.length - 1, 0) }, (_, i) => times[i + 1] - times[i]);
  steps.sort((a, b) => a - b);
  return steps[steps.length >> 1] ?? 0;
}
