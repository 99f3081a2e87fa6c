/** The curves of one row of plots, of all films, kept as long as the films do not grow. */

import { formatNumber } from '../app/numbers';
import type { PlotRow } from '../app/state';
import { Film } from '../film/film';
import type { Side } from '../film/motion';
import { type Curve, type Plotted, plotted } from './quantities';
import { amplitudeSpectrum, medianStep, resampleEvenly } from './spectrum';

export interface RowCurve extends Curve {
  film: number;
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

/** Over the samples' own step: the points that jumps add between the samples do not change it. */
function spectrumOf(film: Film, curve: Curve): Curve | null {
  const step = medianStep(film.times);
  const spectrum = amplitudeSpectrum(resampleEvenly(curve.x, curve.y, step), step);
  return spectrum === null ? null : { ...curve, x: spectrum.frequencies, y: spectrum.amplitudes };
}

export function rowData(films: readonly Film[], row: PlotRow): RowData {
  const plots = films.map((film) => cachedPlot(film, row.quantity));
  const first = plots.find((plot) => plot !== null);
  const stems = first?.stems ?? false;
  const words = first?.words;
  const spectrum = row.spectrum && !stems && words === undefined;
  const curves = plots.flatMap((plot, film) =>
    (plot?.curves ?? []).flatMap((curve) => {
      const shown = spectrum ? spectrumOf(films[film], curve) : curve;
      return shown === null ? [] : [{ ...shown, film }];
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
const roundOff = 1e-12;

/** What the legend says of a curve: at an event the values before and after where they differ, never one in between. */
export function valueWords(curve: Curve, data: Pick<RowData, 'unit' | 'stems' | 'words'>, time: number, atEvent: boolean): string {
  const largest = curve.y.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
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
