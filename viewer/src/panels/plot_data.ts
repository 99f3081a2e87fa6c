/** The curves of one row of plots, of all films, kept as long as the films do not grow. */

import { formatNumber } from '../app/numbers';
import type { PlotRow } from '../app/state';
import { Film } from '../film/film';
import type { Side } from '../film/motion';
import { filmLabel } from './films';
import { type Curve, type Plotted, plotted } from './quantities';
import { amplitudeSpectrum, medianStep, resampleEvenly } from './spectrum';

export interface RowCurve extends Curve {
  film: number;
  /** What the film is called where there are several; else empty. */
  of: string;
}

export interface RowData {
  unit: string;
  stems: boolean;
  /** What the values 0, 1, … mean, where they are names. */
  words?: readonly string[];
  spectrum: boolean;
  curves: RowCurve[];
}

const cache = new WeakMap<Film, { revision: number; plots: Map<string, Plotted | null> }>();

function cachedPlot(film: Film, name: string): Plotted | null {
  let kept = cache.get(film);
  if (kept === undefined || kept.revision !== film.revision) {
    kept = { revision: film.revision, plots: new Map() };
    cache.set(film, kept);
  }
  let plot = kept.plots.get(name);
  if (plot === undefined) {
    plot = plotted(film, name);
    kept.plots.set(name, plot);
  }
  return plot;
}

/**
 * The zero of a potential is anywhere. Where that of gravity lies so far off that the parts of the energy could not be
 * seen beside each other, it and the total are counted from its least value, as `carom plot` does.
 */
export function liftPotential(film: Film, plot: Plotted): Plotted {
  const far = 3;
  const least = (values: Float64Array): number => values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = (values: Float64Array): number => values.reduce((high, value) => Math.max(high, value), -Infinity);
  const spread = Math.max(...plot.curves.map(({ y }) => most(y) - least(y)));
  const offset = least(film.column('energy.gravity') as Float64Array);
  if (!Number.isFinite(offset) || !(spread > 0) || !(Math.abs(offset) > far * spread)) return plot;
  const lifted = ({ label, y, at, ...curve }: Curve): Curve => ({
    ...curve,
    label: `${label}, from ${formatNumber(offset)} J`,
    y: y.map((value) => value - offset),
    at: (time, side) => (at?.(time, side) ?? NaN) - offset,
  });
  const moved = new Set(['potential', 'total']);
  return { ...plot, curves: plot.curves.map((curve) => (moved.has(curve.label) ? lifted(curve) : curve)) };
}

/** Over the samples' own step: the points that jumps add between the samples do not change it. */
function spectrumOf(film: Film, curve: Curve): Curve | null {
  const step = medianStep(film.times);
  const spectrum = amplitudeSpectrum(resampleEvenly(curve.x, curve.y, step), step);
  return spectrum === null ? null : { ...curve, x: spectrum.frequencies, y: spectrum.amplitudes };
}

export function rowData(films: readonly Film[], row: PlotRow): RowData {
  const kept = films.map((film) => cachedPlot(film, row.quantity));
  // While a film grows its least values do too.
  const isLifted = row.quantity === 'energy' && films.length === 1 && films[0].complete && !row.spectrum;
  const plots = isLifted ? kept.map((plot) => (plot === null ? null : liftPotential(films[0], plot))) : kept;
  const first = plots.find((plot) => plot !== null);
  const stems = first?.stems ?? false;
  const words = first?.words;
  const spectrum = row.spectrum && !stems && words === undefined;
  const curves = plots.flatMap((plot, film) =>
    (plot?.curves ?? []).flatMap((curve) => {
      const shown = spectrum ? spectrumOf(films[film], curve) : curve;
      const of = films.length > 1 ? filmLabel(films[film], films) : '';
      return shown === null ? [] : [{ ...shown, film, of }];
    }),
  );
  return { unit: first?.unit ?? '', stems, words, spectrum, curves };
}

/**
 * The value of a curve at a time, on one side of a jump; of what is known at samples only, that of the last one. NaN
 * outside, and for stems where there is none.
 */
export function valueAt(curve: Curve, time: number, stems: boolean, side: Side = 'after'): number {
  const { x, y } = curve;
  const row = Film.lastAtOrBefore(x, time);
  if (row < 0) return NaN;
  if (stems) {
    let sum = NaN;
    for (let i = row; i >= 0 && x[i] === time; --i) sum = Math.max(Number.isNaN(sum) ? -Infinity : sum, y[i]);
    return sum;
  }
  if (row + 1 >= x.length && time > x[row] + 1e-9 * Math.abs(x[row])) return NaN;
  return curve.at === undefined ? y[row] : curve.at(time, side);
}

/** Round-off of the largest value is nothing. */
const roundOff = 1e-10;

const largestValues = new WeakMap<Float64Array, number>();

/** The largest size among values that do not change. */
export function largestOf(values: Float64Array): number {
  let largest = largestValues.get(values);
  if (largest === undefined) {
    largest = 0;
    for (let i = 0; i < values.length; ++i) largest = Math.max(largest, Math.abs(values[i]));
    largestValues.set(values, largest);
  }
  return largest;
}

/** What the legend says of a curve: at an event the values before and after where they differ, never one in between. */
export function valueWords(curve: Curve, data: Pick<RowData, 'unit' | 'stems' | 'words'>, time: number, atEvent: boolean): string {
  const largest = largestOf(curve.y);
  const words = (side: Side): string => {
    const value = valueAt(curve, time, data.stems, side);
    if (data.words !== undefined) return data.words[value] ?? '';
    return Number.isNaN(value) ? '' : formatNumber(Math.abs(value) < roundOff * largest ? 0 : value);
  };
  const after = words('after');
  if (after === '') return '';
  const before = atEvent && !data.stems ? words('before') : after;
  return before === after ? `${after} ${data.unit}` : `${before} → ${after} ${data.unit}`;
}
