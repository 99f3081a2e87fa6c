/** What two objects do to each other while they touch: the normal force, and the mode of friction. */

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

/** Those that press on each other at a sample, or did in a blow. */
export function loadPairs(film: Film): [number, number][] {
  const known = cache.get(film);
  if (known?.revision === film.revision) return known.pairs;
  const found = new Map<number, [number, number]>();
  const add = (table: 'load' | 'contact', passes: (row: number) => boolean): void => {
    const [a, b] = [film.column(`${table}.a`), film.column(`${table}.b`)];
    for (let row = 0; row < a.length && found.size < mostPairs; ++row) {
      if (!passes(row)) continue;
      const [first, second] = [Math.min(a[row], b[row]), Math.max(a[row], b[row])];
      found.set(first * film.scene.objects.length + second, [first, second]);
    }
  };
  const [peak, joint] = [film.column('contact.peak_force'), film.column('contact.joint')];
  add('load', () => true);
  add('contact', (row) => !Number.isNaN(peak[row] ?? NaN) && joint[row] < 0);
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

/**
 * Where a compliant contact of the pair began, pressed hardest and ended, between the samples too: a blow is seen however
 * short it is. Of several contacts that are closed at once only the begin of the first and the end of the last are known.
 */
function blows(film: Film, [a, b]: readonly [number, number]): { x: number[]; y: number[] } {
  const [ofA, ofB, joint, peak, when] = ['a', 'b', 'joint', 'peak_force', 'peak_time'].map((name) => film.column(`contact.${name}`));
  const [kind, first, count] = ['kind', 'first_contact', 'contact_count'].map((name) => film.column(`event.${name}`));
  const start = film.scene.kinds.indexOf('contact-start');
  const x: number[] = [];
  const y: number[] = [];
  let open = 0;
  let began = 0;
  let alone = true;
  for (let event = 0; event < kind.length; ++event) {
    for (let row = first[event]; row < first[event] + count[event]; ++row) {
      const isTheirs = (ofA[row] === a && ofB[row] === b) || (ofA[row] === b && ofB[row] === a);
      if (!isTheirs || joint[row] >= 0) continue;
      const time = film.eventTimes[event];
      if (!Number.isNaN(peak[row] ?? NaN)) {
        if (open === 0 || --open > 0) continue;
        x.push(began, ...(alone ? [when[row]] : []), time);
        y.push(0, ...(alone ? [peak[row]] : []), 0);
      } else if (kind[event] === start) {
        alone = open === 0;
        if (open++ === 0) began = time;
      }
    }
  }
  return { x, y };
}

/** Both with rising x. */
function merged(x: Float64Array, y: Float64Array, more: { x: number[]; y: number[] }): { x: Float64Array; y: Float64Array } {
  const all = { x: new Float64Array(x.length + more.x.length), y: new Float64Array(x.length + more.x.length) };
  for (let i = 0, j = 0; i + j < all.x.length; ) {
    const isMore = j < more.x.length && (i >= x.length || more.x[j] < x[i]);
    all.x[i + j] = isMore ? more.x[j] : x[i];
    all.y[i + j] = isMore ? more.y[j] : y[i];
    if (isMore) ++j;
    else ++i;
  }
  return all;
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
  const points = quantity === 'mode' ? inSteps(film.times, values) : merged(film.times, values, blows(film, pair));
  const curve = { label: contactName(film, { a, b }), colour: quantity === 'mode' ? 5 : 0, body: null, ...points };
  return { ...contactQuantities[quantity], stems: false, curves: [curve] };
}
