/** Arrows of what contacts that last do to both their objects, where they touch, at the last sample. */

import type { Film } from '../film/film';
import { type Drawing, drawDot, drawPush, drawValue, type KeyEntry, norm, pushKey, times, withUnit } from './arrows';
import type { Point } from './overlay';

/** Values are written at this many contacts at most. */
const mostValues = 6;
const mostArrows = 400;
/** The longest arrow as a part of the picture, the shortest as a part of that. */
const longestPart = 0.16;
const shortestShare = 0.15;
/** Forces below this part of the largest are not drawn. */
const visible = 1e-6;
const normalStyle = { width: 2.6 };
const frictionStyle = { width: 2.2, dotted: true };

const largestForces = new WeakMap<Film, { revision: number; largest: number }>();

/** The largest normal force in the whole film [N]. */
export function largestContactForce(film: Film): number {
  const known = largestForces.get(film);
  if (known?.revision === film.revision) return known.largest;
  const largest = (film.column('load.force') as Float32Array).reduce((most, force) => Math.max(most, force), 0);
  largestForces.set(film, { revision: film.revision, largest });
  return largest;
}

/** Draws them, and returns the lines of the key. */
export function drawContactForces(drawing: Drawing, time: number): KeyEntry[] {
  const { view, field, theme } = drawing;
  const { film } = view;
  const largest = largestContactForce(film);
  if (!(largest > 0)) return [];
  const longest = longestPart * Math.min(field.width, field.height);
  const pixels = (size: number): number => longest * Math.max(size / largest, shortestShare);
  const pushed: number[] = [];
  const rubbed: number[] = [];
  const tips: { text: string; at: Point }[] = [];
  for (const { a, b, point, normal, force, friction } of film.loadsAt(time).slice(0, mostArrows)) {
    if (!(force > visible * largest)) continue;
    const tip = drawPush(drawing, { a, b, point, vector: times(normal, force) }, pixels(force), normalStyle);
    if (tip !== null) tips.push({ text: withUnit(force, 'N'), at: tip });
    pushed.push(a, b);
    if (norm(friction) > visible * largest) {
      drawPush(drawing, { a, b, point, vector: friction }, pixels(norm(friction)), frictionStyle);
      rubbed.push(a, b);
    }
    drawDot(drawing, point);
  }
  if (tips.length <= mostValues) for (const { text, at } of tips) drawValue(drawing, text, at);
  return [
    ...pushKey(film, 'contact force', pushed, theme, normalStyle),
    ...pushKey(film, 'friction', rubbed, theme, frictionStyle),
  ];
}
