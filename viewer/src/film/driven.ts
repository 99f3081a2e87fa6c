/** Driven motion of obstacles: the functions of time that a film has for them (docs/film-format.md). */

import type { Profile } from './format';

/** Value and rate of a function at a time. */
export interface ValueAndRate {
  value: number;
  rate: number;
}

type Spline = Extract<Profile, { kind: 'spline' }>;

/** The cubic of one interval between knots; outside the knots that of the first or last, at its end. */
function onPiece({ times, values, bends }: Spline, piece: number, time: number): ValueAndRate {
  const h = times[piece + 1] - times[piece];
  const a = (times[piece + 1] - time) / h;
  const b = 1 - a;
  const [y0, y1, m0, m1] = [values[piece], values[piece + 1], bends[piece], bends[piece + 1]];
  return {
    value: a * y0 + b * y1 + (((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h) / 6,
    rate: (y1 - y0) / h + (((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h) / 6,
  };
}

function splineAt(spline: Spline, time: number): ValueAndRate {
  const { times, ends } = spline;
  const first = times[0];
  const last = times[times.length - 1];
  const period = last - first;
  const inside = ends === 'periodic' ? time - Math.floor((time - first) / period) * period : time;
  const nearest = Math.min(Math.max(inside, first), last);
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= nearest) low = middle;
    else high = middle;
  }
  const there = onPiece(spline, low, nearest);
  return ends === 'natural' ? { value: there.value + (inside - nearest) * there.rate, rate: there.rate } : there;
}

export function profileAt(profile: Profile | undefined, time: number): ValueAndRate {
  switch (profile?.kind) {
    case 'sine': {
      const w = 2 * Math.PI * profile.frequency;
      const angle = w * time + profile.phase;
      return { value: profile.amplitude * Math.sin(angle), rate: profile.amplitude * w * Math.cos(angle) };
    }
    case 'polynomial': {
      let value = 0;
      let rate = 0;
      for (let k = profile.coefficients.length - 1; k >= 0; --k) {
        rate = rate * time + value;
        value = value * time + profile.coefficients[k];
      }
      return { value, rate };
    }
    case 'spline':
      return splineAt(profile, time);
    default:
      return { value: 0, rate: 0 };
  }
}
