/**
 * Energies at any time: rows at the samples and on both sides of every jump, between which stored energies are parabolas
 * (docs/film-format.md), exact in free flight. What was lost or supplied changes evenly from row to row.
 */

import { Film } from './film';
import type { Side } from './motion';

const scales = new WeakMap<Film, { revision: number; scale: number }>();

/** The largest kinetic energy of a film [J]: changes far below it are round-off. */
export function energyScale(film: Film): number {
  const known = scales.get(film);
  if (known?.revision === film.revision) return known.scale;
  const scale = (film.column('energy.kinetic') as Float64Array).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  scales.set(film, { revision: film.revision, scale });
  return scale;
}

/** The row at which the step ends that a time belongs to; at a jump that of one side. */
function stepEnd(times: Float64Array, time: number, side: Side): number {
  const last = Film.lastAtOrBefore(times, time);
  if (side === 'after') return last + 1;
  let first = last;
  while (first >= 0 && times[first] === time) first -= 1;
  return first + 1;
}

/**
 * A column of energy [J]. Where what happened between two samples is not known (very many jumps of very many bodies),
 * the value is that of the sample before.
 */
export function energyAt(film: Film, name: string, time: number, side: Side): number {
  const times = film.energyTimes;
  const values = film.column(`energy.${name}`);
  if (values.length === 0) return NaN;
  const end = stepEnd(times, time, side);
  if (end <= 0) return values[0];
  if (end >= values.length) return values[values.length - 1];
  const from = times[end - 1];
  const s = (time - from) / (times[end] - from);
  const bend = film.column(`energy_bend.${name}`)[end] ?? 0;
  if (Number.isNaN(film.column('energy_bend.kinetic')[end])) return s < 1 ? values[end - 1] : values[end];
  return (1 - s) * values[end - 1] + s * values[end] - bend * s * (1 - s);
}
