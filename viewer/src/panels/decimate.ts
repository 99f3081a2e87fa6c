/** Fewer points that look the same: of each column of pixels the first, lowest, highest and last. */

import { Film } from '../film/film';

type Span = readonly [number, number];

export interface Points {
  x: Float64Array;
  y: Float64Array;
}

/** The points within [from, to] (and one beyond each end), thinned out to `columns` columns. */
export function decimate(x: Float64Array, y: Float64Array, [from, to]: Span, columns: number): Points {
  const first = Math.max(Film.lastAtOrBefore(x, from) - 1, 0);
  const last = Math.min(Film.lastAtOrBefore(x, to) + 2, x.length);
  const count = last - first;
  if (count <= 4 * columns || !(to > from)) return { x: x.subarray(first, last), y: y.subarray(first, last) };
  const kept: number[] = [];
  const width = (to - from) / columns;
  let start = first;
  while (start < last) {
    const column = Math.floor((x[start] - from) / width);
    let low = start;
    let high = start;
    let end = start;
    for (; end < last && Math.floor((x[end] - from) / width) === column; ++end) {
      if (y[end] < y[low]) low = end;
      if (y[end] > y[high]) high = end;
    }
    const chosen = [start, Math.min(low, high), Math.max(low, high), end - 1];
    chosen.forEach((row, i) => {
      if (i === 0 || row > chosen[i - 1]) kept.push(row);
    });
    start = end;
  }
  return { x: Float64Array.from(kept, (row) => x[row]), y: Float64Array.from(kept, (row) => y[row]) };
}

/**
 * Points between those of a curve whose value is known at any time, where these are fewer than columns: parabolas
 * between samples instead of chords. Both sides of a jump stay as they are.
 */
export function refine(points: Points, at: (time: number) => number, [from, to]: Span, columns: number): Points {
  const steps = points.x.length - 1;
  const each = Math.min(Math.floor(columns / Math.max(steps, 1)), 64);
  if (each < 2) return points;
  const x: number[] = [];
  const y: number[] = [];
  for (let i = 0; i <= steps; ++i) {
    x.push(points.x[i]);
    y.push(points.y[i]);
    if (i === steps || !(points.x[i + 1] > points.x[i]) || points.x[i + 1] < from || points.x[i] > to) continue;
    for (let k = 1; k < each; ++k) {
      const time = points.x[i] + ((points.x[i + 1] - points.x[i]) * k) / each;
      x.push(time);
      y.push(at(time));
    }
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

/** Many stems in one column become the tallest, up and down. */
export function decimateStems(x: Float64Array, y: Float64Array, span: Span, columns: number): Points {
  const [from, to] = span;
  const first = Math.max(Film.lastAtOrBefore(x, from), 0);
  const last = Film.lastAtOrBefore(x, to) + 1;
  if (last - first <= columns) return { x: x.subarray(first, last), y: y.subarray(first, last) };
  return decimate(x, y, span, Math.max(Math.floor(columns / 2), 1));
}

/**
 * One table for several curves, as uPlot wants it: a common x, and null where a curve has no point.
 * Points of one curve at the same x (both sides of a jump) stay two rows.
 */
export function joinCurves(curves: readonly Points[]): [number[], ...(number | null)[][]] {
  const places = curves.map(() => 0);
  const x: number[] = [];
  const columns: (number | null)[][] = curves.map(() => []);
  for (;;) {
    let next = Infinity;
    curves.forEach((curve, k) => {
      if (places[k] < curve.x.length) next = Math.min(next, curve.x[places[k]]);
    });
    if (next === Infinity) return [x, ...columns];
    x.push(next);
    curves.forEach((curve, k) => {
      const here = places[k] < curve.x.length && curve.x[places[k]] === next;
      columns[k].push(here ? curve.y[places[k]++] : null);
    });
  }
}
