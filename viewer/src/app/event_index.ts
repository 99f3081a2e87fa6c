/** Which events of a film can be stepped to, and which are near a time. */

import { Film } from '../film/film';
import { Growing } from '../film/growing';

export interface EventIndex {
  /**
   * Events that "next impact" stops at: the impacts; where a film has none (compliant contacts), the contacts that
   * begin behind its start; where it has none of these either, all events.
   */
  steps: Int32Array;
  stepWord: 'impact' | 'contact' | 'event';
  impactCount: number;
  /** 1 where an event is an impact in which several contacts take an impulse. */
  multiple: Uint8Array;
  multipleCount: number;
  /** How many events at the head of the film only say that contacts are closed from its start on. */
  restingCount: number;
  flaggedCount: number;
  /** Times that slow motion slows down at, rising. */
  slowTimes: Float64Array;
}

/** Up to here every impact is slowed down; beyond, only those with several contacts. */
const fewImpacts = 40;

/** What is known of the events so far; of those that come with the next part no more than they is looked at. */
class Indexed {
  revision = -1;
  readonly impacts = new Growing(new Int32Array(0));
  readonly severalAt = new Growing(new Int32Array(0));
  readonly multiple = new Growing(new Uint8Array(0));
  flaggedCount = 0;
  index: EventIndex | null = null;

  add(film: Film): void {
    const kinds = film.column('event.kind');
    const flags = film.column('event.flags');
    const impactKind = film.scene.kinds.indexOf('impact');
    for (let event = this.multiple.length; event < kinds.length; ++event) {
      if (flags[event] !== 0) this.flaggedCount += 1;
      const isImpact = kinds[event] === impactKind;
      const isMultiple = isImpact && pushingContacts(film, event) > 1;
      this.multiple.push(isMultiple ? 1 : 0);
      if (isImpact) this.impacts.push(event);
      if (isMultiple) this.severalAt.push(event);
    }
  }
}

const cache = new WeakMap<Film, Indexed>();

export function eventIndex(film: Film): EventIndex {
  const known = cache.get(film) ?? new Indexed();
  if (known.index !== null && known.revision === film.revision) return known.index;
  known.add(film);
  known.revision = film.revision;
  known.index = indexOf(film, known);
  cache.set(film, known);
  return known.index;
}

function indexOf(film: Film, known: Indexed): EventIndex {
  const { steps, stepWord } = stepsOf(film, known.impacts.values);
  const slow = steps.length <= fewImpacts ? steps : known.severalAt.values;
  return {
    steps,
    stepWord,
    impactCount: known.impacts.length,
    multiple: known.multiple.values,
    multipleCount: known.severalAt.length,
    restingCount: restingFromTheStart(film),
    flaggedCount: known.flaggedCount,
    slowTimes: Float64Array.from(slow, (event) => film.eventTimes[event]),
  };
}

/** Impulses below this part of the largest of their event are round-off. */
const roundOff = 1e-12;

/** Calls `use` with the row of every contact of an event that takes an impulse. */
export function eachPushing(film: Film, event: number, use: (row: number) => void): void {
  const first = film.column('event.first_contact')[event];
  const last = first + film.column('event.contact_count')[event];
  const impulse = film.column('contact.impulse');
  const tangential = film.column('contact.tangential_impulse');
  const size = (row: number): number =>
    Math.hypot(impulse[row], tangential[3 * row], tangential[3 * row + 1], tangential[3 * row + 2]);
  let largest = 0;
  for (let row = first; row < last; ++row) largest = Math.max(largest, size(row));
  for (let row = first; row < last; ++row) if (size(row) > roundOff * largest) use(row);
}

/** How many contacts of an event take an impulse. */
export function pushingContacts(film: Film, event: number): number {
  if (film.column('event.contact_count')[event] < 2) return film.column('event.contact_count')[event];
  let count = 0;
  eachPushing(film, event, () => (count += 1));
  return count;
}

function restingFromTheStart(film: Film): number {
  const kinds = film.column('event.kind');
  const startKind = film.scene.kinds.indexOf('contact-start');
  const { eventTimes, startTime } = film;
  let count = 0;
  while (count < kinds.length && kinds[count] === startKind && eventTimes[count] === startTime) count += 1;
  return count;
}

function stepsOf(film: Film, impacts: Int32Array): Pick<EventIndex, 'steps' | 'stepWord'> {
  if (impacts.length > 0) return { steps: impacts, stepWord: 'impact' };
  const all = Int32Array.from({ length: film.eventTimes.length }, (_, event) => event);
  const kinds = film.column('event.kind');
  const startKind = film.scene.kinds.indexOf('contact-start');
  const resting = restingFromTheStart(film);
  const collisions = all.filter((event) => event >= resting && kinds[event] === startKind);
  return collisions.length > 0 ? { steps: collisions, stepWord: 'contact' } : { steps: all, stepWord: 'event' };
}

/** The first step behind an event, or from a time on where no event is looked at; null at the end. */
export function nextStep(film: Film, time: number, event: number | null): number | null {
  const { steps } = eventIndex(film);
  const { eventTimes } = film;
  const isBehind = (step: number): boolean => (event === null ? eventTimes[step] >= time : step > event);
  const place = firstWhere(steps.length, (i) => isBehind(steps[i]));
  return place < steps.length ? steps[place] : null;
}

/** The last step before an event, or before a time; null at the start. */
export function previousStep(film: Film, time: number, event: number | null): number | null {
  const { steps } = eventIndex(film);
  const { eventTimes } = film;
  const isBefore = (step: number): boolean => (event === null ? eventTimes[step] < time : step < event);
  const place = firstWhere(steps.length, (i) => !isBefore(steps[i]));
  return place > 0 ? steps[place - 1] : null;
}

/** The number of a step among the steps (from 0); −1 where the event is none. */
export function stepNumber(film: Film, event: number): number {
  const { steps } = eventIndex(film);
  const place = firstWhere(steps.length, (i) => steps[i] >= event);
  return steps[place] === event ? place : -1;
}

/** Which round of its instant an event is, from 1, and how many there are. */
export function roundOf(film: Film, event: number): { round: number; rounds: number } {
  const rounds = film.column('event.round');
  const times = film.eventTimes;
  const round = rounds[event];
  let last = event;
  while (last + 1 < times.length && times[last + 1] === times[event] && rounds[last + 1] === rounds[last] + 1) ++last;
  return { round: round + 1, rounds: rounds[last] + 1 };
}

/** The time of the next sample in the given direction. */
export function neighbourSample(film: Film, time: number, direction: 1 | -1): number {
  const { times } = film;
  if (times.length === 0) return time;
  // Neighbours nearer than a millionth of the distance of samples are the same instant, told with rounding.
  const tolerance = 1e-6 * (film.scene.output_step || 0);
  if (direction > 0) {
    const next = Film.lastAtOrBefore(times, time + tolerance) + 1;
    return times[Math.min(next, times.length - 1)];
  }
  const place = firstWhere(times.length, (i) => times[i] >= time - tolerance);
  return times[Math.max(place - 1, 0)];
}

/** The smallest distance in time to one of the rising times. */
export function distanceToNearest(times: Float64Array, time: number): number {
  const before = Film.lastAtOrBefore(times, time);
  const behind = before + 1 < times.length ? times[before + 1] - time : Infinity;
  return Math.min(before >= 0 ? time - times[before] : Infinity, behind);
}

/** Bisection: the first index where the condition holds, given that it holds from there on. */
export function firstWhere(length: number, condition: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
