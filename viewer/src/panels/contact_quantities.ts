/** What two objects do to each other while they touch, at the samples: the normal force, and the mode of friction. */

import type { Film } from '../film/film';
import { contactName } from '../film/words';
import type { Plotted } from './quantities';

export const contactQuantities = {
  force: { title: 'Contact force', unit: 'N' },
  mode: { title: 'Friction mode', unit: '', words: ['apart', 'smooth', 'sticks', 'rolls', 'slides'] },
} as const;

export type ContactQuantity = keyof typeof contactQuantities;

/** As many pairs are offered. */
const mostPairs = 200;
const cache = new WeakMap<Film, { revision: number; pairs: [number, number][] }>();

/** Those that ever press on each other, in the order in which they begin to. */
export function loadPairs(film: Film): [number, number][] {
  const known = cache.get(film);
  if (known?.revision === film.revision) return known.pairs;
  const [a, b] = [film.column('load.a'), film.column('load.b')];
  const found = new Map<number, [number, number]>();
  for (let row = 0; row < a.length && found.size < mostPairs; ++row) {
    const [first, second] = [Math.min(a[row], b[row]), Math.max(a[row], b[row])];
    found.set(first * film.scene.objects.length + second, [first, second]);
  }
  const pairs = [...found.values()];
  cache.set(film, { revision: film.revision, pairs });
  return pairs;
}

export const contactQuantityName = (quantity: ContactQuantity, [a, b]: readonly [number, number]): string =>
  `${quantity}:${a}:${b}`;

/** At every sample: the sum of the forces of a pair, or the mode of the contact that moves most. */
function valuesOf(film: Film, quantity: ContactQuantity, [a, b]: readonly [number, number]): Float64Array {
  const counts = film.column('load_count');
  const [ofA, ofB, force, mode] = ['a', 'b', 'force', 'mode'].map((name) => film.column(`load.${name}`));
  const values = new Float64Array(film.times.length);
  let row = 0;
  for (let sample = 0; sample < counts.length; ++sample) {
    for (const end = row + counts[sample]; row < end; ++row) {
      if (!((ofA[row] === a && ofB[row] === b) || (ofA[row] === b && ofB[row] === a))) continue;
      values[sample] = quantity === 'force' ? values[sample] + force[row] : Math.max(values[sample], mode[row] + 1);
    }
  }
  return values;
}

/** There is nothing between two modes: where one follows another the line is upright. */
function inSteps(times: Float64Array, values: Float64Array): { x: Float64Array; y: Float64Array } {
  const x: number[] = [];
  const y: number[] = [];
  values.forEach((value, i) => {
    if (i > 0 && values[i - 1] !== value) {
      x.push(times[i]);
      y.push(values[i - 1]);
    }
    x.push(times[i]);
    y.push(value);
  });
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

export function contactCurve(film: Film, quantity: ContactQuantity, pair: readonly [number, number]): Plotted | null {
  const [a, b] = pair;
  if (!(a < film.scene.objects.length && b < film.scene.objects.length)) return null;
  const values = valuesOf(film, quantity, pair);
  const points = quantity === 'mode' ? inSteps(film.times, values) : { x: film.times, y: values };
  const curve = { label: contactName(film, { a, b }), colour: quantity === 'mode' ? 5 : 0, body: null, ...points };
  return { ...contactQuantities[quantity], stems: false, curves: [curve] };
}
