/** Compliant contacts as collisions: which event begins one, and which ends it. */

import type { Film } from '../film/film';
import { firstWhere } from './event_index';

export interface Collisions {
  /** Of an event that begins a contact, the event at which that contact ends; −1 of all others. */
  endOf: Int32Array;
  /** The other way round. */
  beginOf: Int32Array;
}

const cache = new WeakMap<Film, { revision: number; collisions: Collisions }>();

export function collisionsOf(film: Film): Collisions {
  const known = cache.get(film);
  if (known?.revision === film.revision) return known.collisions;
  const collisions = pairUp(film);
  cache.set(film, { revision: film.revision, collisions });
  return collisions;
}

/** Contacts of the same two that begin at one instant (the corners of a face) are told apart by their order alone. */
function pairUp(film: Film): Collisions {
  const { eventTimes } = film;
  const kinds = film.column('event.kind');
  const first = film.column('event.first_contact');
  const [a, b, began] = ['a', 'b', 'began'].map((name) => film.column(`contact.${name}`));
  const [start, end] = ['contact-start', 'contact-end'].map((name) => film.scene.kinds.indexOf(name));
  const endOf = new Int32Array(kinds.length).fill(-1);
  const beginOf = new Int32Array(kinds.length).fill(-1);
  for (let event = 0; event < kinds.length; ++event) {
    const row = first[event];
    const time = kinds[event] === end ? (began[row] ?? NaN) : NaN;
    if (Number.isNaN(time)) continue;
    const isBegin = (other: number): boolean =>
      kinds[other] === start && endOf[other] < 0 && a[first[other]] === a[row] && b[first[other]] === b[row];
    let other = firstWhere(event, (i) => eventTimes[i] >= time);
    while (other < event && eventTimes[other] === time && !isBegin(other)) ++other;
    if (other >= event || eventTimes[other] !== time) continue;
    endOf[other] = event;
    beginOf[event] = other;
  }
  return { endOf, beginOf };
}

/** The event that has the figures of a collision: that of its end, also where its begin is looked at. */
export function figuresOf(film: Film, event: number): number {
  const end = collisionsOf(film).endOf[event];
  return end >= 0 ? end : event;
}
