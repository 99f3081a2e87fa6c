// The Fourier transform against closed forms.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sources } from './support/sources.mjs';

const { fourierTransform, amplitudeSpectrum, resampleEvenly, medianStep } = await sources('panels/spectrum');

test('a unit pulse has a flat spectrum with a turning phase', () => {
  const n = 64;
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  re[3] = 1;
  fourierTransform(re, im);
  for (let k = 0; k < n; ++k) {
    assert.ok(Math.abs(re[k] - Math.cos((2 * Math.PI * 3 * k) / n)) < 1e-14);
    assert.ok(Math.abs(im[k] + Math.sin((2 * Math.PI * 3 * k) / n)) < 1e-14);
  }
});

test('the transform is that of the definition', () => {
  const n = 32;
  const values = Array.from({ length: n }, (_, i) => Math.sin(i * i) + 0.1 * i);
  const re = Float64Array.from(values);
  const im = new Float64Array(n);
  fourierTransform(re, im);
  for (let k = 0; k < n; ++k) {
    const sum = [0, 0];
    values.forEach((x, i) => {
      sum[0] += x * Math.cos((2 * Math.PI * k * i) / n);
      sum[1] -= x * Math.sin((2 * Math.PI * k * i) / n);
    });
    assert.ok(Math.hypot(re[k] - sum[0], im[k] - sum[1]) < 1e-12);
  }
});

test('a sine on a line shows its amplitude there, and a constant shows nothing', () => {
  const step = 1e-3;
  const count = 4096;
  const length = 2048;
  const frequency = 100 / (length * step);
  const wave = (time) => 7 + 3 * Math.sin(2 * Math.PI * frequency * time + 0.4);
  const values = Float64Array.from({ length: count }, (_, i) => wave(i * step));
  const { frequencies, amplitudes } = amplitudeSpectrum(values, step);
  const peak = amplitudes.indexOf(Math.max(...amplitudes));
  assert.equal(peak, 100);
  assert.ok(Math.abs(frequencies[peak] - frequency) < 1e-12 * frequency);
  assert.ok(Math.abs(amplitudes[peak] - 3) < 1e-10);
  // Hann's window: half of it on the neighbours, nothing two lines away.
  assert.ok(Math.abs(amplitudes[99] - 1.5) < 1e-10 && amplitudes[97] < 1e-10);
  assert.ok(amplitudes[0] < 1e-10);
});

test('too few values have no spectrum', () => {
  assert.equal(amplitudeSpectrum(new Float64Array(15), 1), null);
  assert.equal(amplitudeSpectrum(new Float64Array(100), 0), null);
});

test('resampling keeps straight lines and the step', () => {
  const x = Float64Array.of(0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.43);
  const values = resampleEvenly(x, x.map((t) => 2 * t + 1), 0.1);
  assert.equal(values.length, 5);
  values.forEach((value, i) => assert.ok(Math.abs(value - (0.2 * i + 1)) < 1e-12));
  assert.ok(Math.abs(medianStep(x) - 0.1) < 1e-12);
});
