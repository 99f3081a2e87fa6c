/** Which events the list shows. */

import { collisionsOf } from '../app/collisions';
import { eventIndex } from '../app/event_index';
import type { Film } from '../film/film';

export interface EventFilter {
  /** Name of a kind; null: all, but that a collision has one row, at its begin. */
  kind: string | null;
  /** Object that must take part; null: all. */
  object: number | null;
  multipleOnly: boolean;
  flaggedOnly: boolean;
}

export const noFilter: EventFilter = { kind: null, object: null, multipleOnly: false, flaggedOnly: false };

/** The events that pass, in order. */
export function filterEvents(film: Film, filter: EventFilter): Int32Array {
  const kinds = film.column('event.kind');
  const flags = film.column('event.flags');
  const { multiple } = eventIndex(film);
  const wantedKind = filter.kind === null ? -1 : film.scene.kinds.indexOf(filter.kind);
  const { beginOf } = collisionsOf(film);
  const takesPart = filter.object === null ? null : participants(film, filter.object);
  const passed = new Int32Array(kinds.length);
  let count = 0;
  for (let event = 0; event < kinds.length; ++event) {
    if (wantedKind >= 0 ? kinds[event] !== wantedKind : beginOf[event] >= 0) continue;
    if (filter.multipleOnly && multiple[event] === 0) continue;
    if (filter.flaggedOnly && flags[event] === 0) continue;
    if (takesPart !== null && takesPart[event] === 0) continue;
    passed[count++] = event;
  }
  return passed.subarray(0, count);
}

/** 1 for events in which the object touches, or jumps. */
function participants(film: Film, object: number): Uint8Array {
  const events = film.eventTimes.length;
  const takesPart = new Uint8Array(events);
  const a = film.column('contact.a');
  const b = film.column('contact.b');
  const body = film.column('jump.body');
  const firstContact = film.column('event.first_contact');
  const contactCount = film.column('event.contact_count');
  const firstJump = film.column('event.first_jump');
  const jumpCount = film.column('event.jump_count');
  for (let event = 0; event < events; ++event) {
    const lastContact = firstContact[event] + contactCount[event];
    for (let row = firstContact[event]; row < lastContact; ++row) {
      if (a[row] === object || b[row] === object) takesPart[event] = 1;
    }
    const lastJump = firstJump[event] + jumpCount[event];
    for (let row = firstJump[event]; row < lastJump; ++row) if (body[row] === object) takesPart[event] = 1;
  }
  return takesPart;
}

export function kindsPresent(film: Film): string[] {
  const kinds = film.column('event.kind');
  return film.scene.kinds.filter((_, kind) => kinds.includes(kind as never));
}
