/** Arrows of what joints do to their first bodies, at the anchors, of one length for one force all along a film. */

import type { Film } from '../film/film';
import type { Vector } from '../film/format';
import { type Drawing, drawValue, segment, withUnit } from './annotations';
import { stageColours } from './colours';
import { anchorOf, hasLetGo } from './joints';
import { drawArrow } from './overlay';

/** Values are written at this many joints at most. */
const mostValues = 8;
/** The longest arrow as a part of the picture; arrows shorter than this many pixels are not drawn. */
const longestPart = 0.16;
const shortest = 2;

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

export function drawJointForces(drawing: Drawing, time: number): void {
  const { view, field, context, theme } = drawing;
  const { film, poses, bounds } = view;
  const largest = largestJointForce(film);
  if (!(largest > 0)) return;
  const colour = stageColours[theme].jointForce;
  const longest = longestPart * Math.min(field.width, field.height);
  film.scene.joints.forEach((joint, i) => {
    const force = film.jointForce(i, time);
    const size = force === null ? 0 : Math.hypot(...force);
    if (force === null || hasLetGo(poses, joint, bounds.radius)) return;
    const pixels = (longest * size) / largest;
    if (!(pixels >= shortest)) return;
    const arrow = segment(drawing, anchorOf(film, poses, joint).toArray() as Vector, force, pixels);
    if (arrow === null) return;
    drawArrow(context, arrow.from, arrow.to, { colour, width: 2.6 }, stageColours[theme].background);
    if (film.scene.joints.length <= mostValues) drawValue(drawing, withUnit(size, 'N'), arrow.to, colour);
  });
}
