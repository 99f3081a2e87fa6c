/** The curves of one row of plots, of all films, kept as long as the films do not grow. */

import type { PlotRow } from '../app/state';
import { Film } from '../film/film';
import { type Curve, type Plotted, plotted } from './quantities';
import { amplitudeSpectrum, medianStep, resampleEvenly } from './spectrum';

export interface RowCurve extends Curve {
  film: number;
}

export interface RowData {
  unit: string;
  stems: boolean;
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
  const spectrum = row.spectrum && !stems;
  const curves = plots.flatMap((plot, film) =>
    (plot?.curves ?? []).flatMap((curve) => {
      const shown = spectrum ? spectrumOf(films[film], curve) : curve;
      return shown === null ? [] : [{ ...shown, film }];
    }),
  );
  return { unit: first?.unit ?? '', stems, spectrum, curves };
}

/** The value of a curve at a time, straight between its points; NaN outside, and for stems where there is none. */
export function valueAt(curve: Curve, time: number, stems: boolean): number {
  const { x, y } = curve;
  const row = Film.lastAtOrBefore(x, time);
  if (row < 0) return NaN;
  if (stems) {
    let sum = NaN;
    for (let i = row; i >= 0 && x[i] === time; --i) sum = Math.max(Number.isNaN(sum) ? -Infinity : sum, y[i]);
    return sum;
  }
  if (row + 1 >= x.length) return time <= x[row] + 1e-9 * Math.abs(x[row]) ? y[row] : NaN;
  const share = (time - x[row]) / (x[row + 1] - x[row]);
  return y[row] + (y[row + 1] - y[row]) * share;
}
