/** Where to look from: motion in a plane is shown face-on. */

import { Vector3 } from 'three';
import type { ViewPreset } from '../app/state';
import type { Film } from '../film/film';
import { type SceneAxes, sceneAxes } from './axes';

/** Spans of positions along a direction count as none below this share of the largest. */
const flat = 0.02;
/** Components of unit normals, and of spins against the largest, that count as none. */
const small = 0.05;
const mostRows = 5000;

function eachRow(values: ArrayLike<number>, visit: (row: Vector3) => void): void {
  const rows = values.length / 3;
  const step = Math.max(1, Math.ceil(rows / mostRows));
  const vector = new Vector3();
  for (let row = 0; row < rows; row += step) visit(vector.fromArray(values, 3 * row));
}

/** How far positions spread along right, front and up. */
function spans(film: Film, axes: SceneAxes): [number, number, number] {
  const directions = [axes.right, axes.front, axes.up];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  eachRow(film.column('position'), (place) => {
    directions.forEach((direction, i) => {
      const value = place.dot(direction);
      low[i] = Math.min(low[i], value);
      high[i] = Math.max(high[i], value);
    });
  });
  return [0, 1, 2].map((i) => Math.max(high[i] - low[i], 0)) as [number, number, number];
}

/** Whether bodies turn about other axes than this one. */
function tumblesAcross(film: Film, axis: Vector3): boolean {
  let across = 0;
  let all = 1e-9;
  eachRow(film.column('angular_velocity'), (spin) => {
    const along = spin.dot(axis);
    across = Math.max(across, Math.sqrt(Math.max(spin.lengthSq() - along * along, 0)));
    all = Math.max(all, spin.length());
  });
  return across > small * all;
}

/** Whether bodies are pushed along a direction, other than by a ground that they stand on. */
function pushedAlong(film: Film, direction: Vector3, ground: boolean): boolean {
  let pushed = false;
  eachRow(film.column('contact.normal'), (normal) => {
    const along = Math.abs(normal.dot(direction));
    if (along > small && !(ground && along > 1 - small)) pushed = true;
  });
  return pushed;
}

export function suggestedView(film: Film): ViewPreset {
  if (film.times.length === 0 || film.bodies === 0) return 'iso';
  const axes = sceneAxes(film.scene);
  const [right, front, up] = spans(film, axes);
  const least = flat * Math.max(right, front, up);
  if (least === 0) return 'iso';
  const planarAcross = (span: number, axis: Vector3): boolean =>
    span < least && !tumblesAcross(film, axis) && !pushedAlong(film, axis, false);
  if (planarAcross(front, axes.front)) return 'front';
  if (up < least && !pushedAlong(film, axes.up, true)) return 'top';
  if (planarAcross(right, axes.right)) return 'side';
  return 'iso';
}
