/**
 * What can be plotted: energies, quantities of a body, gaps, impulses.
 *
 * A quantity has a name that the page keeps: `energy`, `impulses`, `couples` (impulses at limits of turns), `gap:3`
 * (pair 3), `force:2:7` and `mode:2:7` (contacts of objects 2 and 7), `velocity:2:z` (body 2; the component is `xyz`, `x`, `y`, `z` or `size`), `joint_force:1:x` (joint 1).
 */

import type { Film } from '../film/film';
import type { EnergyColumn, Vector } from '../film/format';
import { energyAt } from '../film/energy';
import { type Side, placementAt } from '../film/motion';
import { contactName } from '../film/words';
import { type ContactQuantity, contactCurve, contactQuantities } from './contact_quantities';
import { poolColour } from '../stage/pool_balls';

/** A curve, or stems: y over rising x. */
export interface Curve {
  label: string;
  /** Which of the theme's colours; a body's own where `body` is set. */
  colour: number;
  body: number | null;
  /** The colour that the scene gives this body. */
  tint?: string;
  x: Float64Array;
  y: Float64Array;
  /** The value at any time, on one side of a jump; absent where there are no values but those of `y`. */
  at?: (time: number, side: Side) => number;
}

export interface Plotted {
  title: string;
  unit: string;
  stems: boolean;
  /** What the values 0, 1, … mean, where they are names. */
  words?: readonly string[];
  curves: Curve[];
}

export const bodyQuantities = {
  position: { title: 'Position', unit: 'm' },
  velocity: { title: 'Velocity', unit: 'm/s' },
  angular_velocity: { title: 'Angular velocity', unit: 'rad/s' },
  acceleration: { title: 'Acceleration', unit: 'm/s²' },
} as const;

/** Of a joint on its first body, at the anchor. */
export const jointQuantities = {
  joint_force: { title: 'Force', unit: 'N' },
  joint_couple: { title: 'Couple', unit: 'N m' },
} as const;

export type BodyQuantity = keyof typeof bodyQuantities;
export type JointQuantity = keyof typeof jointQuantities;
export const components = ['xyz', 'x', 'y', 'z', 'size'] as const;
export type Component = (typeof components)[number];

const componentColour: Record<string, number> = { x: 3, y: 2, z: 0, size: 5 };

export function vectorQuantityName(
  quantity: BodyQuantity | JointQuantity,
  index: number,
  component: Component,
): string {
  return `${quantity}:${index}:${component}`;
}

/** Whether limits of turns were struck. */
export function hasCouples(film: Film): boolean {
  return film.column('contact.turn').some((turn) => turn === 1);
}

/** Null where the film has no such quantity. */
export function plotted(film: Film, name: string): Plotted | null {
  const [kind, index, component] = name.split(':');
  if (kind === 'energy') return energies(film);
  if (kind === 'impulses') return impulses(film, false);
  if (kind === 'couples') return impulses(film, true);
  if (kind in jointQuantities) {
    const joint = Number(index);
    return joint < film.scene.joints.length
      ? jointCurves(film, kind as JointQuantity, joint, component as Component)
      : null;
  }
  if (kind in contactQuantities) return contactCurve(film, kind as ContactQuantity, [Number(index), Number(component)]);
  if (kind === 'gap') return gap(film, Number(index));
  if (!(kind in bodyQuantities) || !(Number(index) < film.bodies)) return null;
  return bodyCurves(film, kind as BodyQuantity, Number(index), component as Component);
}

/** The name as a person reads it. */
export function quantityTitle(film: Film, name: string): string {
  const [kind, index, component] = name.split(':');
  if (kind === 'energy') return 'Energy';
  if (kind === 'impulses') return 'Impulses';
  if (kind === 'couples') return 'Couples at limits';
  if (kind in jointQuantities) {
    const { title } = jointQuantities[kind as JointQuantity];
    const which = component === 'xyz' || component === 'size' ? '' : ` ${component}`;
    return `${title}${which} of ${film.scene.joints[Number(index)]?.name ?? '–'}`;
  }
  if (kind in contactQuantities) {
    const { title } = contactQuantities[kind as ContactQuantity];
    return `${title} ${contactName(film, { a: Number(index), b: Number(component) })}`;
  }
  if (kind === 'gap') {
    const pair = film.scene.gaps[Number(index)];
    return pair === undefined ? 'Gap' : `Gap ${contactName(film, { a: pair[0], b: pair[1] })}`;
  }
  const isSpeed = kind === 'velocity' && component === 'size';
  const title = isSpeed ? 'Speed' : (bodyQuantities[kind as BodyQuantity]?.title ?? kind);
  const part = component === 'xyz' || component === 'size' ? '' : ` ${component}`;
  return `${title}${part} of ${film.objectName(Number(index))}`;
}

type EnergyFilter = (column: EnergyColumn) => boolean;

/** Sums of the columns of energy that pass, row by row. */
function energySum(film: Film, passes: EnergyFilter): Float64Array {
  const sum = new Float64Array(film.energyTimes.length);
  for (const column of film.scene.energies) {
    if (!passes(column)) continue;
    const values = film.column(`energy.${column.name}`);
    for (let i = 0; i < values.length; ++i) sum[i] += values[i];
  }
  return sum;
}

const potentials = new Set(['gravity', 'springs', 'loads']);

const energyParts: readonly { label: string; colour: number; passes: EnergyFilter }[] = [
  { label: 'kinetic', colour: 0, passes: ({ name }) => name === 'kinetic' },
  { label: 'potential', colour: 2, passes: ({ name }) => potentials.has(name) },
  { label: 'elastic', colour: 5, passes: ({ name }) => name === 'contacts' },
  { label: 'dissipated', colour: 3, passes: ({ kind }) => kind === 'dissipated' },
  { label: 'supplied', colour: 6, passes: ({ kind }) => kind === 'supplied' },
  { label: 'total', colour: 7, passes: ({ kind }) => kind === 'stored' },
];

function energies(film: Film): Plotted {
  const all = energyParts
    .map(({ label, colour, passes }) => {
      const columns = film.scene.energies.filter(passes);
      const at = (time: number, side: Side): number =>
        columns.reduce((sum, { name }) => sum + energyAt(film, name, time, side), 0);
      return { label, colour, body: null, x: film.energyTimes, y: energySum(film, passes), at };
    })
    .map((curve) => ({ ...curve, largest: curve.y.reduce((most, value) => Math.max(most, Math.abs(value)), 0) }));
  // Parts that never have any energy (no springs, no driven walls) but rounding would only be lines at zero.
  const scale = Math.max(...all.map(({ largest }) => largest));
  const curves = all.filter(({ label, largest }) => label === 'kinetic' || label === 'total' || largest > 1e-9 * scale);
  return { title: 'Energy', unit: 'J', stems: false, curves };
}

/** Energies at the end of a film: what is left, and what was dissipated. */
export function finalEnergies(film: Film): { total: number; dissipated: number; initial: number } {
  const last = film.energyTimes.length - 1;
  const at = (passes: EnergyFilter): number =>
    film.scene.energies.filter(passes).reduce((sum, { name }) => sum + (film.column(`energy.${name}`)[last] ?? NaN), 0);
  return {
    total: at(({ kind }) => kind === 'stored'),
    dissipated: at(({ kind }) => kind === 'dissipated'),
    initial: at(({ kind }) => kind === 'initial'),
  };
}

function gap(film: Film, pair: number): Plotted | null {
  const count = film.scene.gaps.length;
  if (!(pair < count)) return null;
  const all = film.column('gap');
  const y = Float64Array.from({ length: film.times.length }, (_, t) => all[t * count + pair]);
  const [a, b] = film.scene.gaps[pair];
  const label = contactName(film, { a, b });
  return { title: 'Gap', unit: 'm', stems: false, curves: [{ label, colour: 0, body: null, x: film.times, y }] };
}

/** The normal impulse of every contact of every event, where there is one; or, of limits of turns, the couple. */
function impulses(film: Film, couples: boolean): Plotted {
  const first = film.column('event.first_contact');
  const count = film.column('event.contact_count');
  const impulse = film.column('contact.impulse');
  const turn = film.column('contact.turn');
  const x: number[] = [];
  const y: number[] = [];
  for (let event = 0; event < first.length; ++event) {
    for (let row = first[event]; row < first[event] + count[event]; ++row) {
      if (impulse[row] === 0 || (turn[row] === 1) !== couples) continue;
      x.push(film.eventTimes[event]);
      y.push(impulse[row]);
    }
  }
  const label = couples ? 'couple' : 'normal impulse';
  const curve = { label, colour: 3, body: null, x: Float64Array.from(x), y: Float64Array.from(y) };
  const title = couples ? 'Couples at limits' : 'Impulses';
  return { title, unit: couples ? 'N m s' : 'N s', stems: true, curves: [curve] };
}

interface Track {
  x: Float64Array;
  vectors: Float64Array;
}

/** Samples of a body, and both sides of every jump between them: a bounce is drawn as the corner it is. */
function track(film: Film, quantity: 'position' | 'velocity' | 'angular_velocity', body: number): Track {
  const column = film.column(quantity);
  const { times } = film;
  const rows = film.jumpRows(body);
  const x = new Float64Array(times.length + 2 * rows.length);
  const vectors = new Float64Array(3 * x.length);
  let n = 0;
  const put = (time: number, vector: readonly number[]): void => {
    x[n] = time;
    vectors.set(vector, 3 * n);
    n += 1;
  };
  let jump = 0;
  for (let sample = 0; sample < times.length; ++sample) {
    for (; jump < rows.length && film.jumpTime(rows[jump]) < times[sample]; ++jump) {
      const time = film.jumpTime(rows[jump]);
      if (quantity === 'position') {
        put(time, placementAt(film, body, time).position);
        continue;
      }
      put(time, film.vector(`jump.${quantity}_before`, rows[jump]));
      put(time, film.vector(`jump.${quantity}_after`, rows[jump]));
    }
    const row = 3 * (sample * film.bodies + body);
    put(times[sample], [column[row], column[row + 1], column[row + 2]]);
  }
  return { x: x.subarray(0, n), vectors: vectors.subarray(0, 3 * n) };
}

/** Differences of the sampled velocities, at the middle of the samples: what a sensor would show of an impact, too. */
function accelerations(film: Film, body: number): Track {
  const { times } = film;
  const n = Math.max(times.length - 1, 0);
  const x = new Float64Array(n);
  const vectors = new Float64Array(3 * n);
  const velocity = film.column('velocity');
  for (let sample = 0; sample < n; ++sample) {
    const step = times[sample + 1] - times[sample];
    x[sample] = times[sample] + step / 2;
    for (let k = 0; k < 3; ++k) {
      const here = velocity[3 * (sample * film.bodies + body) + k];
      const next = velocity[3 * ((sample + 1) * film.bodies + body) + k];
      vectors[3 * sample + k] = step > 0 ? (next - here) / step : 0;
    }
  }
  return { x, vectors };
}

function componentOf(vector: Vector, which: string): number {
  return which === 'size' ? Math.hypot(...vector) : vector['xyz'.indexOf(which)];
}

/** The curves of a vector's components. */
function vectorCurves({ x, vectors }: Track, component: Component, size: string, body: number | null): Curve[] {
  const pick = (i: number, which: string): number =>
    componentOf([vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]], which);
  const wanted = component === 'xyz' ? ['x', 'y', 'z'] : [component];
  const alone = wanted.length === 1;
  return wanted.map((which) => ({
    label: which === 'size' ? size : which,
    colour: componentColour[which] ?? 0,
    body: alone ? body : null,
    x,
    y: Float64Array.from({ length: x.length }, (_, i) => pick(i, which)),
  }));
}

function bodyCurves(film: Film, quantity: BodyQuantity, body: number, component: Component): Plotted {
  const size = quantity === 'velocity' ? 'speed' : 'size';
  if (quantity === 'acceleration') {
    const curves = vectorCurves(accelerations(film, body), component, size, body);
    return { ...bodyQuantities[quantity], stems: false, curves };
  }
  const key = quantity === 'angular_velocity' ? 'angularVelocity' : quantity;
  const curves = vectorCurves(track(film, quantity, body), component, size, body).map((curve, i) => {
    const which = component === 'xyz' ? 'xyz'[i] : component;
    const at = (time: number, side: Side): number => componentOf(placementAt(film, body, time, side)[key], which);
    const tint = component === 'xyz' ? undefined : (film.object(body).colour ?? poolColour(film, body) ?? undefined);
    return { ...curve, at, tint };
  });
  return { ...bodyQuantities[quantity], stems: false, curves };
}

function jointCurves(film: Film, quantity: JointQuantity, joint: number, component: Component): Plotted {
  const count = film.scene.joints.length;
  const all = film.column(quantity);
  const vectors = Float64Array.from(
    { length: 3 * film.times.length },
    (_, i) => all[3 * (Math.floor(i / 3) * count + joint) + (i % 3)],
  );
  const curves = vectorCurves({ x: film.times, vectors }, component, 'size', null);
  return { ...jointQuantities[quantity], stems: false, curves };
}
