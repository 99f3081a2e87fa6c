/** Who pushes: the one of two touching objects whose own motion brings its point nearer to the other. */

import type { Contact, Film, FilmEvent } from './film';
import type { Vector } from './format';
import { obstacleAt, placementAt } from './motion';

/** Approaches below this part of the speeds are round-off; the same as in `carom events`. */
const noPush = 1e-9;

/** The velocity of an object's point just before an event; a body that it changed has it there to all digits. */
function pointVelocity(film: Film, { time, jumps }: FilmEvent, object: number, point: Vector): Vector {
  const isBody = object < film.bodies;
  const placed = isBody ? placementAt(film, object, time, 'before') : obstacleAt(film, object, time);
  const jump = isBody ? jumps.find(({ body }) => body === object) : undefined;
  const [vx, vy, vz] = jump?.velocityBefore ?? placed.velocity;
  const [wx, wy, wz] = jump?.angularVelocityBefore ?? placed.angularVelocity;
  const [x, y, z] = point.map((value, k) => value - placed.position[k]);
  return [vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x];
}

/** The object that pushes in a contact that approaches, and the other one; null where neither pushes. */
export function pushing(film: Film, event: FilmEvent, contact: Contact): { by: number; whom: number } | null {
  const { a, b, point, normal, joint, rateBefore } = contact;
  // A limit of a joint is no place where two bodies touch.
  if (joint >= 0 || !(rateBefore < 0)) return null;
  const along = (object: number): number =>
    pointVelocity(film, event, object, point).reduce((sum, v, k) => sum + v * normal[k], 0);
  const [fromA, fromB] = [-along(a), along(b)];
  if (!(fromA + fromB > noPush * (Math.abs(fromA) + Math.abs(fromB)))) return null;
  return fromA >= fromB ? { by: a, whom: b } : { by: b, whom: a };
}
