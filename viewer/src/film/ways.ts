/**
 * Where a body is between the samples of a film, as src/carom/analysis/sample_interval.h has it for records.
 *
 * Samples may stand far apart, and impacts fall between them. The recorded jumps of velocity are knots; from knot to
 * knot, h apart, x_b = x_a + ½h (v_a⁺ + v_b⁻), which is exact in free flight; what is missing at the next sample is
 * shared among the steps in proportion to h³. Between knots the motion is the cubic that has the positions and
 * velocities of both. Orientations likewise, as rotation vectors. Within a short compliant contact (blows.ts) velocities
 * change with its force. Where they changed without either (of bodies in joints), the two straight motions from the
 * samples meet at the instant where they come closest.
 */

import { type BlowOnBody, blowsBetween, effectOn, lagOf, shareOf } from './blows';
import { Film } from './film';
import type { Quaternion, Vector } from './format';
import { add, dot, length, mix, multiply, rotate, rotationBy, scale, subtract, turnBetween } from './turns';

export interface Placement {
  position: Vector;
  /** w, x, y, z: body to world. */
  orientation: Quaternion;
  velocity: Vector;
  angularVelocity: Vector;
}

/** Of an instant at which velocities jump. */
export type Side = 'before' | 'after';

export interface Knot {
  time: number;
  position: Vector;
  orientation: Quaternion;
  velocityBefore: Vector;
  velocityAfter: Vector;
  spinBefore: Vector;
  spinAfter: Vector;
  /** What the step that ends here goes beyond ½h(v_a + v_b). */
  bulge?: Vector;
  /** That step is within a blow: velocities go straight from knot to knot. */
  inBlow?: boolean;
}

export function sampleKnot(film: Film, sample: number, body: number): Knot {
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

/** What is missing at the end of a blow comes within it, up to this part of its length times what it changes. */
const partOfBlow = 0.1;

/** Puts knots where the velocities lead; what is missing at the end comes in blows, the rest in proportion to h³. */
function placeKnots(knots: Knot[], blows: readonly BlowOnBody[] = []): void {
  const end = knots[knots.length - 1];
  const aim = { position: end.position, orientation: end.orientation };
  const start = knots[0].time;
  const weightUntil = (time: number): number =>
    blows.reduce((sum, { blow, velocity }) => {
      const share = shareOf(blow, time) - shareOf(blow, start);
      return sum + (blow.ended - blow.began) * length(velocity) * share;
    }, 0);
  let cubes = 0;
  for (let k = 1; k < knots.length; ++k) {
    const last = knots[k - 1];
    const knot = knots[k];
    const h = knot.time - last.time;
    knot.position = add(last.position, scale(add(last.velocityAfter, knot.velocityBefore), h / 2));
    if (knot.bulge !== undefined) knot.position = add(knot.position, knot.bulge);
    knot.orientation = multiply(rotationBy(scale(add(last.spinAfter, knot.spinBefore), h / 2)), last.orientation);
    cubes += h ** 3;
  }
  const missing = subtract(aim.position, end.position);
  const turn = turnBetween(end.orientation, aim.orientation);
  const weight = weightUntil(end.time);
  const byBlows = weight > 0 ? Math.min((partOfBlow * weight) / length(missing), 1) : 0;
  let done = 0;
  for (let k = 1; k + 1 < knots.length; ++k) {
    done += (knots[k].time - knots[k - 1].time) ** 3;
    const share = weight > 0 ? weightUntil(knots[k].time) / weight : 0;
    const part = byBlows * share + (1 - byBlows) * (done / cubes);
    knots[k].position = add(knots[k].position, scale(missing, part));
    knots[k].orientation = multiply(rotationBy(scale(turn, part)), knots[k].orientation);
  }
  Object.assign(end, aim);
}

/** Knots on either side of the peak of a blow. */
const knotsPerSide = 8;

interface BlowPart {
  velocity: Vector;
  spin: Vector;
  bulge: Vector;
}

/** What blows do to the velocities from one time to another, and how far the body goes beyond the trapezium. */
function partOf(blows: readonly BlowOnBody[], from: number, to: number): BlowPart {
  const part: BlowPart = { velocity: [0, 0, 0], spin: [0, 0, 0], bulge: [0, 0, 0] };
  for (const { blow, velocity, spin } of blows) {
    const [first, last] = [shareOf(blow, from), shareOf(blow, to)];
    part.velocity = add(part.velocity, scale(velocity, last - first));
    part.spin = add(part.spin, scale(spin, last - first));
    const beyond = lagOf(blow, to) - lagOf(blow, from) - 0.5 * (to - from) * (first + last);
    part.bulge = add(part.bulge, scale(velocity, beyond));
  }
  return part;
}

const isInBlow = (blows: readonly BlowOnBody[], from: number, to: number): boolean =>
  blows.some(({ blow }) => blow.began < to && blow.ended > from);

/** Of a blow that a sample cuts: the part of it on this side, from the places at both ends. */
function fitCutBlows(knots: readonly Knot[], blows: BlowOnBody[]): BlowOnBody[] {
  const [start, end] = [knots[0], knots[knots.length - 1]];
  const h = end.time - start.time;
  const isWhole = ({ blow }: BlowOnBody): boolean => blow.began >= start.time && blow.ended <= end.time;
  const cut = blows.filter((one) => !isWhole(one));
  if (cut.length === 0 || knots.length > 2) return blows;
  const known = partOf(blows.filter(isWhole), start.time, end.time);
  const { velocity, bulge } = partOf(cut, start.time, end.time);
  const trapezium = scale(add(start.velocityAfter, end.velocityBefore), h / 2);
  const missing = subtract(subtract(end.position, start.position), add(trapezium, known.bulge));
  const reach = dot(bulge, bulge);
  if (reach < 0.01 * h * h * dot(velocity, velocity)) return blows;
  const part = Math.min(Math.max(dot(missing, bulge) / reach, 0), 2);
  return blows.map((one) =>
    isWhole(one) ? one : { ...one, velocity: scale(one.velocity, part), spin: scale(one.spin, part) },
  );
}

/** Samples and jumps with knots within the blows between them; what blows leave of a change of velocity comes evenly. */
function withBlows(given: readonly Knot[], blows: readonly BlowOnBody[]): Knot[] {
  const times = blows.flatMap(({ blow: { began, peak, ended } }) =>
    Array.from({ length: 2 * knotsPerSide + 1 }, (_, i) =>
      i <= knotsPerSide
        ? began + (i / knotsPerSide) * (peak - began)
        : peak + ((i - knotsPerSide) / knotsPerSide) * (ended - peak),
    ),
  );
  const rising = [...new Set(times)].sort((x, y) => x - y);
  const knots = [{ ...given[0] }];
  for (let k = 1; k < given.length; ++k) {
    const from = knots[knots.length - 1];
    const to = given[k];
    const all = partOf(blows, from.time, to.time);
    const rest = subtract(subtract(to.velocityBefore, from.velocityAfter), all.velocity);
    const restSpin = subtract(subtract(to.spinBefore, from.spinAfter), all.spin);
    for (const time of rising) {
      if (time <= from.time || time >= to.time) continue;
      const done = partOf(blows, from.time, time);
      const share = (time - from.time) / (to.time - from.time);
      const velocity = add(from.velocityAfter, add(scale(rest, share), done.velocity));
      const spin = add(from.spinAfter, add(scale(restSpin, share), done.spin));
      const { bulge } = partOf(blows, knots[knots.length - 1].time, time);
      const { position, orientation } = from;
      const speeds = { velocityBefore: velocity, velocityAfter: velocity, spinBefore: spin, spinAfter: spin };
      const inBlow = isInBlow(blows, knots[knots.length - 1].time, time);
      knots.push({ time, position, orientation, ...speeds, bulge, inBlow });
    }
    const last = knots[knots.length - 1].time;
    knots.push({ ...to, bulge: partOf(blows, last, to.time).bulge, inBlow: isInBlow(blows, last, to.time) });
  }
  placeKnots(knots, blows);
  return knots;
}

/** Arms and rods are those at the end of a blow, which a way without them tells. */
function wayWithBlows(film: Film, body: number, knots: readonly Knot[]): Knot[] | null {
  const end = knots[knots.length - 1].time;
  const blows = blowsBetween(film, body, knots[0].time, end);
  if (blows.length === 0) return null;
  const rough = withBlows(knots, fitCutBlows(knots, blows.map((blow) => effectOn(film, body, blow, null))));
  const axes = film.object(body).principal_axes ?? [1, 0, 0, 0];
  const effects = blows.map((blow) => {
    const { position, orientation } = onKnots(rough, Math.min(Math.max(blow.ended, rough[0].time), end), 'before');
    const [w, x, y, z] = multiply(orientation, axes);
    const toWorld = (v: Vector, back: boolean): Vector => rotate(back ? [w, -x, -y, -z] : [w, x, y, z], v);
    return effectOn(film, body, blow, { position, toWorld });
  });
  return withBlows(knots, fitCutBlows(knots, effects));
}

/** Knots from one sample to the next. */
export function knotsBetween(film: Film, sample: number, body: number): Knot[] {
  const knots = velocityKnots(film, sample, body);
  const withThem = wayWithBlows(film, body, knots);
  if (withThem !== null) return withThem;
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

export function atKnot(knot: Knot, side: Side): Placement {
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
    velocity: b.inBlow === true ? mix(a.velocityAfter, b.velocityBefore, s) : way.slope,
    orientation: multiply(rotationBy(turn.value), a.orientation),
    angularVelocity: mix(a.spinAfter, b.spinBefore, s),
  };
}

export function onKnots(knots: readonly Knot[], time: number, side: Side): Placement {
  const knot = knots.find((candidate) => candidate.time === time);
  if (knot !== undefined) return atKnot(knot, side);
  let i = 0;
  while (i + 2 < knots.length && knots[i + 1].time <= time) ++i;
  return betweenKnots(knots[i], knots[i + 1], time);
}
