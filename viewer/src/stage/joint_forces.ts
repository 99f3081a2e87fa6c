/** Arrows of what joints do to both their bodies, at the anchors, of one length for one force all along a film. */

import type { Film } from '../film/film';
import type { Vector } from '../film/format';
import { type Drawing, drawPush, drawValue, type KeyEntry, norm, pushKey, withUnit } from './arrows';
import { anchorOf, hasLetGo } from './joints';

/** Values are written at this many joints at most. */
const mostValues = 8;
/** The longest arrow as a part of the picture; arrows shorter than this many pixels are not drawn. */
const longestPart = 0.16;
const shortest = 2;
const style = { width: 2.6, hollow: true };

const largestForces = new WeakMap<Film, { revision: number; largest: number }>();

/** The largest force of a joint in the whole film [N]. */
export function largestJointForce(film: Film): number {
  const known = largestForces.get(film);
  if (known?.revision === film.revision) return known.largest;
  const all = film.column('joint_force');
  let largest = 0;
  for (let i = 0; i + 2 < all.length; i += 3) {
    const size = Math.hypot(all[i], all[i + 1], all[i + 2]);
    if (size > largest) largest = size;
  }
  largestForces.set(film, { revision: film.revision, largest });
  return largest;
}

/** Draws them, and returns the lines of the key. */
export function drawJointForces(drawing: Drawing, time: number): KeyEntry[] {
  const { view, field, theme } = drawing;
  const { film, poses, bounds } = view;
  const largest = largestJointForce(film);
  if (!(largest > 0)) return [];
  const longest = longestPart * Math.min(field.width, field.height);
  const held: number[] = [];
  film.scene.joints.forEach((joint, i) => {
    const force = film.jointForce(i, time);
    const size = force === null ? 0 : norm(force);
    if (force === null || hasLetGo(poses, joint, bounds.radius)) return;
    const pixels = (longest * size) / largest;
    if (!(pixels >= shortest)) return;
    const point = anchorOf(film, poses, joint).toArray() as Vector;
    const tip = drawPush(drawing, { a: joint.a, b: joint.b, point, vector: force }, pixels, style);
    held.push(joint.a, joint.b);
    if (tip !== null && film.scene.joints.length <= mostValues) drawValue(drawing, withUnit(size, 'N'), tip);
  });
  return pushKey(film, 'force of a joint', held, theme, style);
}
