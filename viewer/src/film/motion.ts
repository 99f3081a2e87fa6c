/**
 * Where a body is between the samples of a film, as src/carom/analysis/sample_interval.h has it for records.
 *
 * Samples may stand far apart, and impacts fall between them. The recorded jumps of velocity are knots; from knot to
 * knot, h apart, x_b = x_a + ½h (v_a⁺ + v_b⁻), which is exact in free flight; what is missing at the next sample is
 * shared among the steps in proportion to h³. Between knots the motion is the cubic that has the positions and
 * velocities of both. Orientations likewise, as rotation vectors. Where velocities changed without a recorded jump (a
 * compliant contact shorter than the samples' distance), the two straight motions from the samples meet at the instant
 * where they come closest.
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

/** Of an instant at which velocities jump. */
export type Side = 'before' | 'after';

interface Knot {
  time: number;
  position: Vector;
  orientation: Quaternion;
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
    orientation: orientationOf(film, sample, body),
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

/** The samples at both ends and the jumps between them; positions and orientations of the jumps are still missing. */
function velocityKnots(film: Film, sample: number, body: number): Knot[] {
  const start = sampleKnot(film, sample, body);
  const end = sampleKnot(film, sample + 1, body);
  const knots = [start];
  const rows = film.jumpRows(body);
  for (let i = firstJumpFrom(film, rows, start.time); i < rows.length; ++i) {
    const time = film.jumpTime(rows[i]);
    if (time > end.time) break;
    const velocityBefore = film.vector('jump.velocity_before', rows[i]);
    const velocityAfter = film.vector('jump.velocity_after', rows[i]);
    const spinBefore = film.vector('jump.angular_velocity_before', rows[i]);
    const spinAfter = film.vector('jump.angular_velocity_after', rows[i]);
    const last = knots[knots.length - 1];
    if (time <= last.time) {
      // Rounds of one instant; and a jump at the very time of the sample, which may stand before or behind it.
      last.velocityAfter = velocityAfter;
      last.spinAfter = spinAfter;
    } else if (time === end.time) {
      Object.assign(end, { velocityBefore, spinBefore });
      break;
    } else {
      const { position, orientation } = start;
      knots.push({ time, position, orientation, velocityBefore, velocityAfter, spinBefore, spinAfter });
    }
  }
  knots.push(end);
  return knots;
}

/** Puts the jumps where the velocities lead, the rest shared in proportion to h³. */
function placeKnots(knots: Knot[]): void {
  const end = knots[knots.length - 1];
  const aim = { position: end.position, orientation: end.orientation };
  let cubes = 0;
  for (let k = 1; k < knots.length; ++k) {
    const last = knots[k - 1];
    const knot = knots[k];
    const h = knot.time - last.time;
    knot.position = add(last.position, scale(add(last.velocityAfter, knot.velocityBefore), h / 2));
    knot.orientation = multiply(rotationBy(scale(add(last.spinAfter, knot.spinBefore), h / 2)), last.orientation);
    cubes += h ** 3;
  }
  const missing = subtract(aim.position, end.position);
  const turn = turnBetween(end.orientation, aim.orientation);
  let done = 0;
  for (let k = 1; k + 1 < knots.length; ++k) {
    done += (knots[k].time - knots[k - 1].time) ** 3;
    knots[k].position = add(knots[k].position, scale(missing, done / cubes));
    knots[k].orientation = multiply(rotationBy(scale(turn, done / cubes)), knots[k].orientation);
  }
  Object.assign(end, aim);
}

/** Knots from one sample to the next. */
function knotsBetween(film: Film, sample: number, body: number): Knot[] {
  const knots = velocityKnots(film, sample, body);
  if (knots.length > 2) {
    placeKnots(knots);
    return knots;
  }
  const [start, end] = knots;
  const hidden = hiddenBounce(start, end);
  return hidden === null ? knots : [start, hidden, end];
}

/** A change of velocity that no jump tells of; null where the cubic does as well. */
function hiddenBounce(start: Knot, end: Knot): Knot | null {
  const duration = end.time - start.time;
  const mean = scale(add(start.velocityAfter, end.velocityBefore), 0.5);
  const missing = subtract(subtract(end.position, start.position), scale(mean, duration));
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
    orientation: multiply(rotationBy(scale(start.spinAfter, since)), start.orientation),
    velocityBefore: start.velocityAfter,
    velocityAfter: end.velocityBefore,
    spinBefore: start.spinAfter,
    spinAfter: end.spinBefore,
  };
}

/** The cubic p with p(0) = 0, p(h) = end and given slopes there, and its slope, after a share s of the step. */
function cubic(end: Vector, slopes: readonly [Vector, Vector], h: number, s: number): { value: Vector; slope: Vector } {
  const of = (a: number, b: number, c: number): Vector =>
    add(scale(end, a), add(scale(slopes[0], b), scale(slopes[1], c)));
  return {
    value: of(s * s * (3 - 2 * s), h * s * (1 - s) ** 2, -h * s * s * (1 - s)),
    slope: of((6 * s * (1 - s)) / h, (1 - s) * (1 - 3 * s), s * (3 * s - 2)),
  };
}

function atKnot(knot: Knot, side: Side): Placement {
  return {
    position: knot.position,
    orientation: knot.orientation,
    velocity: side === 'before' ? knot.velocityBefore : knot.velocityAfter,
    angularVelocity: side === 'before' ? knot.spinBefore : knot.spinAfter,
  };
}

function betweenKnots(a: Knot, b: Knot, time: number): Placement {
  const h = b.time - a.time;
  const s = (time - a.time) / h;
  const way = cubic(subtract(b.position, a.position), [a.velocityAfter, b.velocityBefore], h, s);
  // Whole turns follow from the angular velocities, the rest from the orientations.
  const usual = scale(add(a.spinAfter, b.spinBefore), h / 2);
  const rest = turnBetween(multiply(rotationBy(usual), a.orientation), b.orientation);
  const turn = cubic(add(usual, rest), [a.spinAfter, b.spinBefore], h, s);
  return {
    position: add(a.position, way.value),
    velocity: way.slope,
    orientation: multiply(rotationBy(turn.value), a.orientation),
    angularVelocity: mix(a.spinAfter, b.spinBefore, s),
  };
}

/** The body at a time, which is moved into the span of the film; at the instant of a jump on one side of it. */
export function placementAt(film: Film, body: number, time: number, side: Side = 'after'): Placement {
  const { times } = film;
  let sample = Math.max(Film.lastAtOrBefore(times, time), 0);
  if (side === 'before' && sample > 0 && times[sample] >= time) sample -= 1;
  if (sample + 1 >= times.length || time < times[0]) return atKnot(sampleKnot(film, sample, body), side);
  const knots = knotsBetween(film, sample, body);
  const knot = knots.find((candidate) => candidate.time === time);
  if (knot !== undefined) return atKnot(knot, side);
  let i = 0;
  while (i + 2 < knots.length && knots[i + 1].time <= time) ++i;
  return betweenKnots(knots[i], knots[i + 1], time);
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
