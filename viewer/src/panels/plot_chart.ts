/** One chart: curves over time or frequency, a line at the time of the film, and dragging that seeks or zooms. */

import uPlot from 'uplot';
import { styleColour } from '../app/dom';
import { formatNumber } from '../app/numbers';
import type { Theme } from '../app/state';
import { type Points, decimate, decimateStems, joinCurves, refine } from './decimate';
import { type RowCurve, type RowData, valueWords } from './plot_data';
import { chartPicture, curveColour, curveName, filmDashes } from './plot_picture';

/** As many curves are told of under the pointer; these few below each other, more in two columns. */
const mostReadings = 8;
const fewReadings = 4;

export interface ChartListener {
  seek(time: number): void;
  zoom(span: readonly [number, number] | null): void;
}

/** Stems from zero, with a head where they are few. */
const stemPaths: uPlot.Series.PathBuilder = (chart, series) => {
  const path = new Path2D();
  const [xs, ys] = [chart.data[0], chart.data[series]];
  const base = chart.valToPos(0, 'y', true);
  for (let i = 0; i < xs.length; ++i) {
    const y = ys[i];
    if (y === null || y === undefined) continue;
    const left = chart.valToPos(xs[i], 'x', true);
    path.moveTo(left, base);
    path.lineTo(left, chart.valToPos(y, 'y', true));
  }
  return { stroke: path, flags: 0 };
};

export class Chart {
  private plot: uPlot | null = null;
  private readonly line = document.createElement('div');
  private readonly box = document.createElement('div');
  /** What the curves are under the pointer. */
  private readonly reading = document.createElement('div');
  private window: readonly [number, number] = [0, 1];
  private theme: Theme = 'light';
  /** The part of a spectrum that is shown; null: all of it. */
  private frequencyWindow: readonly [number, number] | null = null;
  private data: RowData = { unit: '', stems: false, spectrum: false, curves: [] };

  constructor(
    private readonly host: HTMLElement,
    private readonly listener: ChartListener,
  ) {
    this.line.className = 'plot-time';
    this.box.className = 'plot-box';
    this.box.hidden = true;
    this.reading.className = 'plot-reading';
    this.reading.hidden = true;
  }

  picture(title: string): Promise<Blob | null> {
    const source = this.plot?.ctx.canvas;
    return source === undefined ? Promise.resolve(null) : chartPicture(source, title, this.data.curves, this.theme);
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  /** Builds the chart anew: other curves, other colours. */
  build(data: RowData, theme: Theme, window: readonly [number, number]): void {
    this.destroy();
    this.data = data;
    this.theme = theme;
    this.window = window;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width < 40 || height < 40) return;
    this.plot = new uPlot(this.options(theme, width, height), this.table(), this.host);
    this.plot.over.append(this.line, this.box, this.reading);
    this.listen(this.plot.over);
  }

  /** New points or another stretch for the curves that are there. */
  update(data: RowData, window: readonly [number, number]): void {
    this.data = data;
    this.window = window;
    this.plot?.setData(this.table());
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.plot === null || width < 40 || height < 40) return;
    this.plot.setSize({ width, height });
    this.plot.setData(this.table());
  }

  showTime(time: number): void {
    if (this.plot === null) return;
    const [from, to] = this.window;
    const share = (time - from) / (to - from);
    this.line.hidden = this.data.spectrum || share < 0 || share > 1;
    this.line.style.left = `${100 * share}%`;
  }

  private table(): uPlot.AlignedData {
    const columns = Math.max(this.host.clientWidth - 60, 50);
    const points = ({ x, y, at }: RowCurve): Points => {
      if (this.data.stems) return decimateStems(x, y, this.shown, columns);
      const thin = decimate(x, y, this.shown, columns);
      const exact = this.data.spectrum ? undefined : at;
      return exact === undefined ? thin : refine(thin, (time) => exact(time, 'after'), this.shown, columns);
    };
    return joinCurves(this.data.curves.map(points)) as uPlot.AlignedData;
  }

  /** The stretch of the horizontal axis. */
  private get shown(): readonly [number, number] {
    return this.data.spectrum ? this.frequencies : this.window;
  }

  private get frequencies(): readonly [number, number] {
    if (this.frequencyWindow !== null) return this.frequencyWindow;
    const highest = Math.max(...this.data.curves.map(({ x }) => x[x.length - 1] ?? 0), 1e-9);
    return [0, highest];
  }

  private options(theme: Theme, width: number, height: number): uPlot.Options {
    const { data } = this;
    const ink = styleColour('--ink-soft');
    const grid = { stroke: styleColour('--grid'), width: 1 };
    const font = '11px system-ui, sans-serif';
    const values = (_: uPlot, splits: (number | null)[]): string[] =>
      splits.map((value) => (value === null ? '' : formatNumber(value, 6)));
    const axis = { stroke: ink, font, labelFont: font, grid, ticks: { ...grid, size: 4 }, values, gap: 3 };
    const decades = { ...grid, filter: wholeDecades };
    const across = data.spectrum ? { grid: decades, ticks: { ...decades, size: 4 } } : {};
    const unit = data.spectrum ? 'Hz' : 's';
    return {
      width,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 20, 0, 0],
      scales: {
        x: { time: false, range: () => [...this.shown] as [number, number] },
        y: data.spectrum
          ? { distr: 3, log: 10, range: (_, __, high) => decadesBelow(high) }
          : { range: (_, low, high) => (data.words === undefined ? yRange(low, high, data.stems) : [-0.3, data.words.length - 0.7]) },
      },
      axes: [
        { ...axis, size: 22, space: 70, values: (chart, splits) => withUnit(values(chart, splits), unit) },
        { ...axis, ...across, ...(data.words === undefined ? {} : named(data.words)), size: 68, space: 26, label: data.unit, labelSize: 14, labelGap: 0 },
      ],
      series: [{}, ...data.curves.map((curve) => this.series(curve, theme))],
    };
  }

  private series(curve: RowCurve, theme: Theme): uPlot.Series {
    const common = {
      label: curve.label,
      stroke: curveColour(curve, theme),
      dash: [...filmDashes[curve.film % filmDashes.length]],
      spanGaps: true,
      // Not moved to whole pixels: slanted lines stay smooth.
      pxAlign: 0,
    };
    if (!this.data.stems) return { ...common, width: curve.label.startsWith('total') ? 2 : 1.5, points: { show: false } };
    const few = curve.x.length < 300;
    return { ...common, width: few ? 1.5 : 1, paths: stemPaths, points: { show: few, size: 5, fill: common.stroke } };
  }

  private listen(over: HTMLElement): void {
    /** The time, or the frequency, under the pointer. */
    const placeOf = (event: MouseEvent): number => {
      const { left, width } = over.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
      return this.shown[0] + share * (this.shown[1] - this.shown[0]);
    };
    let zoomFrom: number | null = null;
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      if (event.shiftKey || this.data.spectrum) zoomFrom = placeOf(event);
      else this.listener.seek(placeOf(event));
    });
    over.addEventListener('pointerleave', () => (this.reading.hidden = true));
    over.addEventListener('pointermove', (event) => {
      this.read(placeOf(event), over.clientWidth);
      if (!over.hasPointerCapture(event.pointerId)) return;
      if (zoomFrom === null) this.listener.seek(placeOf(event));
      else this.showBox(zoomFrom, placeOf(event), over.clientWidth);
    });
    over.addEventListener('pointerup', (event) => {
      if (zoomFrom === null) return;
      const ends = [zoomFrom, placeOf(event)].sort((a, b) => a - b) as [number, number];
      zoomFrom = null;
      this.box.hidden = true;
      if (ends[1] - ends[0] > 0.005 * (this.shown[1] - this.shown[0])) this.zoom(ends);
    });
    over.addEventListener('dblclick', () => this.zoom(null));
  }

  /** The values under the pointer, beside it. */
  private read(place: number, width: number): void {
    const [from, to] = this.shown;
    const unit = this.data.spectrum ? 'Hz' : 's';
    const rows = this.data.curves.slice(0, mostReadings).flatMap((curve) => {
      const words = this.data.spectrum ? spectrumWords(curve, this.data.unit, place) : valueWords(curve, this.data, place, false);
      if (words === '') return [];
      const row = document.createElement('div');
      const label = document.createElement('span');
      label.textContent = curveName(curve);
      label.style.color = curveColour(curve, this.theme);
      row.append(label, ` ${words}`);
      return [row];
    });
    const head = document.createElement('div');
    head.textContent = `${formatNumber(place, 6)} ${unit}`;
    this.reading.replaceChildren(head, ...rows);
    this.reading.classList.toggle('many', rows.length > fewReadings);
    this.reading.hidden = false;
    const share = (place - from) / (to - from);
    this.reading.style.left = share < 0.6 ? `${share * width + 12}px` : '';
    this.reading.style.right = share < 0.6 ? '' : `${(1 - share) * width + 12}px`;
  }

  /** Times are zoomed for all plots together, frequencies for this one. */
  private zoom(stretch: readonly [number, number] | null): void {
    if (!this.data.spectrum) return this.listener.zoom(stretch);
    this.frequencyWindow = stretch;
    this.plot?.setData(this.table());
  }

  private showBox(from: number, to: number, width: number): void {
    const scale = width / (this.shown[1] - this.shown[0]);
    this.box.hidden = false;
    this.box.style.left = `${(Math.min(from, to) - this.shown[0]) * scale}px`;
    this.box.style.width = `${Math.abs(to - from) * scale}px`;
  }
}

/** The amplitude at the nearest frequency. */
function spectrumWords({ x, y }: RowCurve, unit: string, frequency: number): string {
  const step = x.length > 1 ? x[1] - x[0] : 1;
  const value = y[Math.round((frequency - (x[0] ?? 0)) / step)];
  return value === undefined ? '' : `${formatNumber(value)} ${unit}`;
}

const withUnit = (texts: string[], unit: string): string[] =>
  texts.map((text) => (text === '' ? '' : `${text} ${unit}`));

/** An axis of names: one for each, and nothing between them. */
const named = (words: readonly string[]): Pick<uPlot.Axis, 'splits' | 'values'> => ({
  splits: () => words.map((_, value) => value),
  values: () => [...words],
});

const wholeDecades = (_: uPlot, splits: number[]): (number | null)[] =>
  splits.map((value) => (Math.abs(Math.log10(value) % 1) < 1e-6 ? value : null));

/** Full decades, four of them below the highest: what lies deeper is noise of the window. */
function decadesBelow(high: number | null): [number, number] {
  const top = high !== null && high > 0 ? Math.ceil(Math.log10(high)) : 0;
  return [10 ** (top - 4), 10 ** top];
}

/** Some air above and below; stems stand on zero. */
function yRange(low: number | null, high: number | null, fromZero: boolean): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const bottom = fromZero ? Math.min(low, 0) : low;
  const top = fromZero ? Math.max(high, 0) : high;
  // A constant is drawn as one: its rounding must not be blown up to the height of the plot.
  const size = Math.max(Math.abs(bottom), Math.abs(top));
  const air = top - bottom > 1e-9 * size ? 0.06 * (top - bottom) : 0.1 * size || 1;
  return [fromZero && bottom === 0 ? 0 : bottom - air, top + air];
}
