/** Compliant contacts as collisions: which event begins one, and which ends it. */

import type { Film } from '../film/film';
import { Growing } from '../film/growing';
import { firstWhere } from './event_index';

export interface Collisions {
  /** Of an event that begins a contact, the event at which that contact ends; −1 of all others. */
  endOf: Int32Array;
  /** The other way round. */
  beginOf: Int32Array;
}

/** Pairs so far; later events only add to them. */
class Pairs {
  readonly endOf = new Growing(new Int32Array(0));
  readonly beginOf = new Growing(new Int32Array(0));
  revision = -1;
  collisions: Collisions | null = null;
}

const cache = new WeakMap<Film, Pairs>();

export function collisionsOf(film: Film): Collisions {
  const known = cache.get(film) ?? new Pairs();
  if (known.collisions !== null && known.revision === film.revision) return known.collisions;
  const count = film.eventTimes.length;
  const done = known.endOf.length;
  for (const column of [known.endOf, known.beginOf]) column.append(new Int32Array(count - done).fill(-1));
  known.collisions = { endOf: known.endOf.values, beginOf: known.beginOf.values };
  known.revision = film.revision;
  pairUp(film, done, known.collisions);
  cache.set(film, known);
  return known.collisions;
}

/**
 * The events from one on that end a contact. Contacts of the same two that begin at one instant (the corners of a face)
 * are told apart by their order alone.
 */
function pairUp(film: Film, from: number, { endOf, beginOf }: Collisions): void {
  const { eventTimes } = film;
  const kinds = film.column('event.kind');
  const first = film.column('event.first_contact');
  const [a, b, began] = ['a', 'b', 'began'].map((name) => film.column(`contact.${name}`));
  const [start, end] = ['contact-start', 'contact-end'].map((name) => film.scene.kinds.indexOf(name));
  for (let event = from; event < kinds.length; ++event) {
    if (kinds[event] !== end) continue;
    const row = first[event];
    const time = began[row] ?? NaN;
    if (Number.isNaN(time)) continue;
    const isBegin = (other: number): boolean =>
      kinds[other] === start && endOf[other] < 0 && a[first[other]] === a[row] && b[first[other]] === b[row];
    let other = firstWhere(event, (i) => eventTimes[i] >= time);
    while (other < event && eventTimes[other] === time && !isBegin(other)) ++other;
    if (other >= event || eventTimes[other] !== time) continue;
    endOf[other] = event;
    beginOf[event] = other;
  }
}

/** The event that has the figures of a collision: that of its end, also where its begin is looked at. */
export function figuresOf(film: Film, event: number): number {
  const end = collisionsOf(film).endOf[event];
  return end >= 0 ? end : event;
}
