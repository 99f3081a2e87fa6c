/**
 * Where a body is between the samples of a film.
 *
 * Samples may stand far apart, and impacts fall between them. The recorded jumps of velocity are knots: from knot to
 * knot the motion is the cubic that has the right positions and velocities at both ends, which is exact for free flight;
 * the position at a knot is that of the trapezoidal rule, with what is missing at the next sample shared out. Where
 * velocities changed without a recorded jump (a compliant contact shorter than the samples' distance), the two straight
 * motions from the samples meet at the instant where they come closest.
 */

import { profileAt } from './driven';
import { Film } from './film';
import type { DrivenMotion, Quaternion, Vector } from './format';

export interface Placement {
  position: Vector;
  /** w, x, y, z: body to world. */
  orientation: Quaternion;
  velocity: Vector;
  angularVelocity: Vector;
}

interface Knot {
  time: number;
  position: Vector;
  velocityBefore: Vector;
  velocityAfter: Vector;
  spinBefore: Vector;
  spinAfter: Vector;
}

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
const mix = (a: Vector, b: Vector, s: number): Vector => add(scale(a, 1 - s), scale(b, s));

export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The rotation by a vector (angle in rad along the axis). */
export function rotationBy(turn: Vector): Quaternion {
  const angle = length(turn);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), turn[0] * s, turn[1] * s, turn[2] * s];
}

export function rotate(q: Quaternion, v: Vector): Vector {
  const [w, x, y, z] = q;
  const t: Vector = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** The turn (rotation vector, shortest) that leads from a to b. */
function turnBetween(a: Quaternion, b: Quaternion): Vector {
  let d = multiply(b, [a[0], -a[1], -a[2], -a[3]]);
  if (d[0] < 0) d = [-d[0], -d[1], -d[2], -d[3]];
  const sine = Math.hypot(d[1], d[2], d[3]);
  const factor = sine > 1e-12 ? (2 * Math.atan2(sine, d[0])) / sine : 2;
  return [d[1] * factor, d[2] * factor, d[3] * factor];
}

function sampleKnot(film: Film, sample: number, body: number): Knot {
  const row = sample * film.bodies + body;
  const velocity = film.vector('velocity', row);
  const spin = film.vector('angular_velocity', row);
  return {
    time: film.times[sample],
    position: film.vector('position', row),
    velocityBefore: velocity,
    velocityAfter: velocity,
    spinBefore: spin,
    spinAfter: spin,
  };
}

function orientationOf(film: Film, sample: number, body: number): Quaternion {
  const values = film.column('orientation');
  const row = 4 * (sample * film.bodies + body);
  return [values[row], values[row + 1], values[row + 2], values[row + 3]];
}

/** First index in `rows` whose jump is not before `time`. */
function firstJumpFrom(film: Film, rows: Int32Array, time: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (film.jumpTime(rows[middle]) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Knots from one sample to the next, those of the recorded jumps between them included. */
function knotsBetween(film: Film, sample: number, body: number): Knot[] {
  const start = sampleKnot(film, sample, body);
  const end = sampleKnot(film, sample + 1, body);
  const knots = [start];
  const rows = film.jumpRows(body);
  for (let i = firstJumpFrom(film, rows, start.time); i < rows.length; ++i) {
    const time = film.jumpTime(rows[i]);
    if (time > end.time) break;
    const before = film.vector('jump.velocity_before', rows[i]);
    const after = film.vector('jump.velocity_after', rows[i]);
    const spinBefore = film.vector('jump.angular_velocity_before', rows[i]);
    const spinAfter = film.vector('jump.angular_velocity_after', rows[i]);
    const last = knots[knots.length - 1];
    if (time <= last.time) {
      // Rounds of one instant; and a jump at the very time of the sample, which may stand before or behind it.
      last.velocityAfter = after;
      last.spinAfter = spinAfter;
      continue;
    }
    if (time === end.time) {
      end.velocityBefore = before;
      end.spinBefore = spinBefore;
      break;
    }
    const position = add(last.position, scale(add(last.velocityAfter, before), (time - last.time) / 2));
    knots.push({
      time,
      position,
      velocityBefore: before,
      velocityAfter: after,
      spinBefore,
      spinAfter,
    });
  }
  const last = knots[knots.length - 1];
  const reached = add(last.position, scale(add(last.velocityAfter, end.velocityBefore), (end.time - last.time) / 2));
  const missing = subtract(end.position, reached);
  const duration = end.time - start.time;
  if (knots.length > 1) {
    for (const knot of knots.slice(1)) {
      knot.position = add(knot.position, scale(missing, (knot.time - start.time) / duration));
    }
  } else {
    const hidden = hiddenBounce(start, end, missing);
    if (hidden !== null) knots.push(hidden);
  }
  knots.push(end);
  return knots;
}

/** A change of velocity that no jump tells of; null where the cubic does as well. */
function hiddenBounce(start: Knot, end: Knot, missing: Vector): Knot | null {
  const duration = end.time - start.time;
  const change = subtract(start.velocityAfter, end.velocityBefore);
  const size = length(change);
  if (size === 0 || length(missing) < 0.02 * size * duration) return null;
  const apart = subtract(subtract(end.position, start.position), scale(end.velocityBefore, duration));
  const since = Math.min(Math.max(dot(apart, change) / (size * size), 0), duration);
  if (since === 0 || since === duration) return null;
  const forward = add(start.position, scale(start.velocityAfter, since));
  const backward = subtract(end.position, scale(end.velocityBefore, duration - since));
  return {
    time: start.time + since,
    position: mix(forward, backward, 0.5),
    velocityBefore: start.velocityAfter,
    velocityAfter: end.velocityBefore,
    spinBefore: start.spinAfter,
    spinAfter: end.spinBefore,
  };
}

function cubic(a: Knot, b: Knot, time: number): { position: Vector; velocity: Vector } {
  const duration = b.time - a.time;
  const s = (time - a.time) / duration;
  const va = scale(a.velocityAfter, duration);
  const vb = scale(b.velocityBefore, duration);
  const across = subtract(b.position, a.position);
  // x = xa + va s + (3Δ − 2va − vb) s² + (va + vb − 2Δ) s³
  const second = subtract(scale(across, 3), add(scale(va, 2), vb));
  const third = subtract(add(va, vb), scale(across, 2));
  const position = add(a.position, add(scale(va, s), add(scale(second, s * s), scale(third, s * s * s))));
  const rate = add(va, add(scale(second, 2 * s), scale(third, 3 * s * s)));
  return { position, velocity: scale(rate, 1 / duration) };
}

/** The turn from the first knot to `time`, spins taken as linear between knots. */
function turned(knots: Knot[], time: number): Quaternion {
  let q: Quaternion = [1, 0, 0, 0];
  for (let i = 0; i + 1 < knots.length && knots[i].time < time; ++i) {
    const a = knots[i];
    const b = knots[i + 1];
    const until = Math.min(time, b.time);
    const share = (until - a.time) / (b.time - a.time);
    const mean = mix(a.spinAfter, mix(a.spinAfter, b.spinBefore, share), 0.5);
    q = multiply(rotationBy(scale(mean, until - a.time)), q);
  }
  return q;
}

function atSample(film: Film, sample: number, body: number): Placement {
  const knot = sampleKnot(film, sample, body);
  return {
    position: knot.position,
    orientation: orientationOf(film, sample, body),
    velocity: knot.velocityAfter,
    angularVelocity: knot.spinAfter,
  };
}

/** The body at a time, which is moved into the span of the film. At the instant of a jump: as it is after it. */
export function placementAt(film: Film, body: number, time: number): Placement {
  const times = film.times;
  const sample = Math.max(Film.lastAtOrBefore(times, time), 0);
  if (sample + 1 >= times.length || time <= times[0]) return atSample(film, sample, body);
  const knots = knotsBetween(film, sample, body);
  let i = 0;
  while (i + 2 < knots.length && knots[i + 1].time <= time) ++i;
  const { position, velocity } = cubic(knots[i], knots[i + 1], time);
  const share = (time - knots[i].time) / (knots[i + 1].time - knots[i].time);
  // What the spins leave missing to the next sample's orientation is shared out evenly.
  const from = orientationOf(film, sample, body);
  const duration = times[sample + 1] - times[sample];
  const missing = turnBetween(multiply(turned(knots, times[sample + 1]), from), orientationOf(film, sample + 1, body));
  const correction = rotationBy(scale(missing, (time - times[sample]) / duration));
  return {
    position,
    velocity,
    orientation: multiply(correction, multiply(turned(knots, time), from)),
    angularVelocity: mix(knots[i].spinAfter, knots[i + 1].spinBefore, share),
  };
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A frame that was placed there and is driven. */
function drivenAt(motion: DrivenMotion, placed: Vector, orientation: Quaternion, time: number): Placement {
  const slide = profileAt(motion.position, time);
  const turn = profileAt(motion.angle, time);
  const by = rotationBy(scale(motion.axis, turn.value));
  const arm = rotate(by, subtract(placed, motion.point));
  const spin = scale(motion.axis, turn.rate);
  return {
    position: add(add(motion.point, arm), scale(motion.axis, slide.value)),
    orientation: multiply(by, orientation),
    velocity: add(scale(motion.axis, slide.rate), cross(spin, arm)),
    angularVelocity: spin,
  };
}

/** An obstacle at a time: driven, or with constant velocity and spin. */
export function obstacleAt(film: Film, object: number, time: number): Placement {
  const { position, orientation, velocity, angular_velocity, motion } = film.object(object);
  if (motion) return drivenAt(motion, position ?? [0, 0, 0], orientation ?? [1, 0, 0, 0], time);
  const v: Vector = velocity ?? [0, 0, 0];
  const spin: Vector = angular_velocity ?? [0, 0, 0];
  return {
    position: add(position ?? [0, 0, 0], scale(v, time)),
    orientation: multiply(rotationBy(scale(spin, time)), orientation ?? [1, 0, 0, 0]),
    velocity: v,
    angularVelocity: spin,
  };
}

export function objectAt(film: Film, object: number, time: number): Placement {
  return object < film.bodies ? placementAt(film, object, time) : obstacleAt(film, object, time);
}
