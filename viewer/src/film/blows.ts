/**
 * Blows: compliant contacts that begin and end within a sample or two, as src/carom/analysis/contact_blow.h has them for
 * records. A film tells when one began, b, when its force was the greatest, p, how much that was, when it ended, e, and
 * its impulse; the force rises from b to p and falls from p to e by g(s) = (n + 1) sⁿ − n sⁿ⁺¹, whose mean is
 * M = 2/(n + 2).
 */

import type { Film } from './film';
import type { Vector } from './format';
import { cross } from './turns';

export interface Blow {
  a: number;
  b: number;
  began: number;
  peak: number;
  ended: number;
  /** On a, friction too [N s]. */
  impulse: Vector;
  /** Where it ended. */
  point: Vector;
  /** Gap rates at both ends. */
  rateBefore: number;
  rateAfter: number;
  /** M before and behind the peak. */
  meanRising: number;
  meanFalling: number;
}

/** What a blow does to the velocities of one body. */
export interface BlowOnBody {
  blow: Blow;
  velocity: Vector;
  spin: Vector;
}

/** Integral of g from 0 to s, M at s = 1, and that of it. */
function rise(mean: number, s: number): number {
  const n = 2 / mean - 2;
  return s ** (n + 1) * (1 - (n * s) / (n + 2));
}
function riseIntegral(mean: number, s: number): number {
  const n = 2 / mean - 2;
  return (s ** (n + 2) / (n + 2)) * (1 - (n * s) / (n + 3));
}

/** Times from begin to peak and from there to the end, and what the force would have to be for as long to do as much. */
function lengths({ began, peak, ended, meanRising, meanFalling }: Blow): { up: number; down: number; whole: number } {
  const up = peak - began;
  const down = ended - peak;
  return { up, down, whole: up * meanRising + down * meanFalling };
}

/** Which part of the impulse has come by a time: from 0 to 1. */
export function shareOf(blow: Blow, time: number): number {
  if (time <= blow.began) return 0;
  if (time >= blow.ended) return 1;
  const { up, down, whole } = lengths(blow);
  if (time < blow.peak) return (up * rise(blow.meanRising, (time - blow.began) / up)) / whole;
  return 1 - (down * rise(blow.meanFalling, (blow.ended - time) / down)) / whole;
}

/** The integral of that over time [s]. */
export function lagOf(blow: Blow, time: number): number {
  const { began, peak, ended, meanRising, meanFalling } = blow;
  if (time <= began) return 0;
  if (time > ended) return lagOf(blow, ended) + (time - ended);
  const { up, down, whole } = lengths(blow);
  if (time < peak) return (up * up * riseIntegral(meanRising, (time - began) / up)) / whole;
  const toCome = down > 0 ? riseIntegral(meanFalling, (ended - time) / down) : 0;
  const fallen = riseIntegral(meanFalling, 1) - toCome;
  return (up * up * riseIntegral(meanRising, 1) - down * down * fallen) / whole + (time - peak);
}

const [leastMean, greatestMean] = [0.05, 0.95];

/** Where nothing else strikes the two: the gap is zero at both ends, which tells how the force rises and falls. */
function fit(blow: Blow): void {
  const { up, down } = lengths(blow);
  const { rateBefore, rateAfter, meanRising: mean } = blow;
  const duration = up + down;
  if (!(up > 0 && down > 0 && rateBefore < 0 && rateAfter > 0)) return;
  const wanted = (duration * -rateBefore) / (rateAfter - rateBefore);
  const withRising = (meanRising: number): Blow => ({
    ...blow,
    meanRising,
    meanFalling: (mean * duration - up * meanRising) / down,
  });
  const excess = (rising: number): number => lagOf(withRising(rising), blow.ended) - wanted;
  let low = Math.max(leastMean, (mean * duration - greatestMean * down) / up);
  let high = Math.min(greatestMean, (mean * duration - leastMean * down) / up);
  if (!(low < high && excess(low) < 0 && excess(high) > 0)) return;
  for (let i = 0; i < 60 && low < high; ++i) {
    const middle = 0.5 * (low + high);
    if (excess(middle) < 0) low = middle;
    else high = middle;
  }
  Object.assign(blow, withRising(low));
}

/** The blows among which no other of the same body is going on, for every body. */
function fitLone(blows: Map<number, Blow[]>): void {
  const met = new Set<Blow>();
  const all = new Set<Blow>();
  for (const own of blows.values()) {
    const byBegin = [...own].sort((x, y) => x.began - y.began);
    let last: Blow | null = null;
    for (const blow of byBegin) {
      all.add(blow);
      if (last !== null && blow.began < last.ended) {
        met.add(blow);
        met.add(last);
      }
      if (last === null || blow.ended > last.ended) last = blow;
    }
  }
  for (const blow of all) if (!met.has(blow)) fit(blow);
}

const cache = new WeakMap<Film, { revision: number; blows: Map<number, Blow[]> }>();

const looked = new WeakMap<Film, number>();

/** Whether any compliant contact has ended; each is looked at once. */
function hasEnded(film: Film): boolean {
  const began = film.column('contact.began');
  let row = looked.get(film) ?? 0;
  while (row < began.length && Number.isNaN(began[row])) row += 1;
  looked.set(film, row);
  return row < began.length;
}

/** The blows of every body, in the order of their ends. */
function blowsByBody(film: Film): Map<number, Blow[]> {
  const known = cache.get(film);
  if (known?.revision === film.revision) return known.blows;
  if (!hasEnded(film)) return new Map();
  const blows = new Map<number, Blow[]>();
  const { joints, rolling } = film.scene;
  const tied = new Set([...joints.flatMap(({ a, b }) => [a, b]), ...rolling.map(({ body }) => body)]);
  const began = film.column('contact.began');
  const first = film.column('event.first_contact');
  const count = film.column('event.contact_count');
  for (let event = 0; event < first.length; ++event) {
    for (let row = first[event]; row < first[event] + count[event]; ++row) {
      if (!(began[row] < film.eventTimes[event])) continue;
      const blow = blowOf(film, event, row);
      const ends = [blow.a, blow.b].filter((object) => object >= 0 && object < film.bodies);
      if (ends.some((body) => tied.has(body))) continue;
      for (const body of ends) {
        const own = blows.get(body);
        if (own === undefined) blows.set(body, [blow]);
        else own.push(blow);
      }
    }
  }
  fitLone(blows);
  cache.set(film, { revision: film.revision, blows });
  return blows;
}

function blowOf(film: Film, event: number, row: number): Blow {
  const at = (name: string): number => film.column(`contact.${name}`)[row];
  const ended = film.eventTimes[event];
  const full = at('peak_force') * (ended - at('began'));
  const mean = full > 0 ? Math.min(Math.max(at('impulse') / full, leastMean), greatestMean) : 0.5;
  const normal = film.vector('contact.normal', row);
  const friction = film.vector('contact.tangential_impulse', row);
  const impulse = normal.map((x, i) => at('impulse') * x + friction[i]) as Vector;
  const point = film.vector('contact.point', row);
  return withoutIdleTime(full > 0 ? at('impulse') / full : 1, {
    a: at('a'),
    b: at('b'),
    began: at('began'),
    peak: at('peak_time'),
    ended,
    impulse,
    point,
    rateBefore: at('rate_before'),
    rateAfter: at('rate_after'),
    meanRising: mean,
    meanFalling: mean,
  });
}

/** A contact that was closed without force for most of its time acts where its force was the greatest. */
function withoutIdleTime(mean: number, blow: Blow): Blow {
  const [leastUsualMean, hertzMean] = [0.1, 0.54];
  if (mean >= leastUsualMean) return blow;
  const { began, peak, ended } = blow;
  const needed = ((ended - began) * mean) / hertzMean;
  const fall = Math.min(ended - peak, needed / 2);
  const rising = Math.min(peak - began, needed / 2);
  return {
    ...blow,
    began: peak - Math.min(needed - fall, peak - began),
    ended: peak + Math.min(needed - rising, ended - peak),
    rateBefore: 0,
    rateAfter: 0,
    meanRising: hertzMean,
    meanFalling: hertzMean,
  };
}

/** Where samples are so far apart that a body has more blows between them, these are left out. */
const mostBlows = 100;

/** The blows of a body that reach into the time between two samples. */
export function blowsBetween(film: Film, body: number, start: number, end: number): Blow[] {
  const own = film.column('contact.began').length > 0 ? blowsByBody(film).get(body) : undefined;
  if (own === undefined) return [];
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (own[middle].ended <= start) low = middle + 1;
    else high = middle;
  }
  const found: Blow[] = [];
  const longest = 2 * (end - start);
  for (let i = low; i < own.length && own[i].ended <= end + longest; ++i) {
    if (own[i].began < end && own[i].ended - own[i].began <= longest) found.push(own[i]);
    if (found.length > mostBlows) return [];
  }
  return found;
}

/** What a blow does to a body whose centre is there, and whose principal axes lie so. */
export function effectOn(
  film: Film,
  body: number,
  blow: Blow,
  there: { position: Vector; toWorld: (v: Vector, back: boolean) => Vector } | null,
): BlowOnBody {
  const { mass = 1, inertia = [1, 1, 1] } = film.object(body);
  const sign = blow.a === body ? 1 : -1;
  const impulse = blow.impulse.map((x) => sign * x) as Vector;
  let velocity = impulse.map((x) => x / mass) as Vector;
  if (there === null) return { blow, velocity, spin: [0, 0, 0] };
  const { position, toWorld } = there;
  const arm = blow.point.map((x, i) => x - position[i]) as Vector;
  const turning = toWorld(cross(arm, impulse), true);
  const spin = toWorld(turning.map((x, i) => x / inertia[i]) as Vector, false);
  for (const rod of film.scene.rods) {
    if (rod.body !== body) continue;
    const along = position.map((x, i) => x - rod.pivot[i]) as Vector;
    const square = along.reduce((sum, x) => sum + x * x, 0);
    const part = velocity.reduce((sum, x, i) => sum + x * along[i], 0) / square;
    velocity = velocity.map((x, i) => x - part * along[i]) as Vector;
  }
  return { blow, velocity, spin };
}
