/**
 * The horizontal axis of the timeline: a coordinate u that is the time, or counts events.
 *
 * By event, event k stands at u = k + 1, the start of the film at 0 and its end at n + 1; between two events u runs
 * with time. Infinitely many bounces in a blink take as much room as as many slow ones.
 */

import { Film } from '../film/film';
import type { TimelineAxis } from '../app/state';

export interface Scale {
  /** The whole axis. */
  whole: readonly [number, number];
  /** The coordinate of a time; of an event where one is looked at, since several may share an instant. */
  coordinate(time: number, event: number | null): number;
  time(coordinate: number): number;
  ofEvent(event: number): number;
  /** Events [first, last) whose coordinates are within a stretch. */
  eventsWithin(from: number, to: number): [number, number];
}

export function makeScale(axis: TimelineAxis, film: Film, whole: readonly [number, number]): Scale {
  return axis === 'time' ? timeScale(film, whole) : eventScale(film, whole);
}

function timeScale(film: Film, whole: readonly [number, number]): Scale {
  const times = film.eventTimes;
  return {
    whole,
    coordinate: (time) => time,
    time: (coordinate) => coordinate,
    ofEvent: (event) => times[event],
    eventsWithin: (from, to) => [firstFrom(times, from), Film.lastAtOrBefore(times, to) + 1],
  };
}

function eventScale(film: Film, [start, end]: readonly [number, number]): Scale {
  const times = film.eventTimes;
  const n = times.length;
  /** Time of knot k: start, the events, end. */
  const last = Math.max(end, n > 0 ? times[n - 1] : start);
  const knot = (k: number): number => (k <= 0 ? start : k > n ? last : times[k - 1]);
  return {
    whole: [0, n + 1],
    coordinate: (time, event) => {
      if (event !== null) return event + 1;
      const k = Film.lastAtOrBefore(times, time) + 1;
      const length = knot(k + 1) - knot(k);
      return length > 0 ? k + Math.min(Math.max((time - knot(k)) / length, 0), 1) : k;
    },
    time: (coordinate) => {
      const k = Math.min(Math.max(Math.floor(coordinate), 0), n);
      return knot(k) + (knot(k + 1) - knot(k)) * Math.min(Math.max(coordinate - k, 0), 1);
    },
    ofEvent: (event) => event + 1,
    eventsWithin: (from, to) => [Math.max(Math.ceil(from) - 1, 0), Math.min(Math.max(Math.floor(to), 0), n)],
  };
}

function firstFrom(times: Float64Array, from: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Round numbers within a stretch, about `wanted` of them. */
export function roundTicks(from: number, to: number, wanted: number): { values: number[]; decimals: number } {
  const rough = (to - from) / Math.max(wanted, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return { values: [], decimals: 0 };
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const values: number[] = [];
  const last = Math.floor(to / step + 1e-9);
  for (let k = Math.ceil(from / step - 1e-9); k <= last; ++k) values.push(k * step);
  return { values, decimals: Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 12) };
}
