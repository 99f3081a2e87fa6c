/** Where bodies and obstacles are at a time. */

import { profileAt } from './driven';
import { Film } from './film';
import type { DrivenMotion, Quaternion, Vector } from './format';
import { add, cross, multiply, rotate, rotationBy, scale, subtract } from './turns';
import { type Placement, type Side, atKnot, knotsBetween, onKnots, sampleKnot } from './ways';

export { multiply, rotate, rotationBy } from './turns';
export type { Placement, Side } from './ways';

/** The body at a time, which is moved into the span of the film; at the instant of a jump on one side of it. */
export function placementAt(film: Film, body: number, time: number, side: Side = 'after'): Placement {
  const { times } = film;
  let sample = Math.max(Film.lastAtOrBefore(times, time), 0);
  if (side === 'before' && sample > 0 && times[sample] >= time) sample -= 1;
  if (sample + 1 >= times.length || time < times[0]) return atKnot(sampleKnot(film, sample, body), side);
  return onKnots(knotsBetween(film, sample, body), time, side);
}

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
