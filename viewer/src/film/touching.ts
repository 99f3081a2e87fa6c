/** Which contacts last at a time: those that events have closed and no later one has opened. */

import { Film } from './film';

/** Kinds of events after which their contacts are closed, and after which they are open. */
const closing = new Set(['rest', 'contact-start', 'slip', 'stick']);
const opening = new Set(['release', 'contact-end']);

interface Change {
  time: number;
  other: number;
  closed: boolean;
}

const cache = new WeakMap<Film, { revision: number; body: number; changes: Change[] }>();

function changesOf(film: Film, body: number): Change[] {
  const known = cache.get(film);
  if (known?.revision === film.revision && known.body === body) return known.changes;
  const changes: Change[] = [];
  const [a, b, joint] = ['a', 'b', 'joint'].map((name) => film.column(`contact.${name}`));
  const first = film.column('event.first_contact');
  const count = film.column('event.contact_count');
  const states = film.scene.kinds.map((kind) => (closing.has(kind) ? true : opening.has(kind) ? false : null));
  const kinds = film.column('event.kind');
  for (let event = 0; event < kinds.length; ++event) {
    const closed = states[kinds[event]];
    if (closed === null) continue;
    for (let row = first[event]; row < first[event] + count[event]; ++row) {
      if ((a[row] !== body && b[row] !== body) || (joint[row] ?? -1) >= 0) continue;
      changes.push({ time: film.eventTimes[event], other: a[row] === body ? b[row] : a[row], closed });
    }
  }
  cache.set(film, { revision: film.revision, body, changes });
  return changes;
}

/** The objects that a body touches lastingly at a time, in their order. */
export function touchedBy(film: Film, body: number, time: number): number[] {
  const closed = new Set<number>();
  for (const change of changesOf(film, body)) {
    if (change.time > time) break;
    if (change.closed) closed.add(change.other);
    else closed.delete(change.other);
  }
  return [...closed].sort((x, y) => x - y);
}
