/** What a row of the list of events says. */

import { collisionsOf, figuresOf } from '../app/collisions';
import { eachPushing, eventIndex, pushingContacts } from '../app/event_index';
import { formatNumber, formatSigned } from '../app/numbers';
import { energyScale } from '../film/energy';
import type { Film } from '../film/film';
import { contactName, kindTitle } from '../film/words';

/** As many pairs are named in a row. */
const mostNames = 3;
/** Changes of energy below this part of it are rounding. */
const roundOff = 1e-13;

/** Rows of the contacts that are named: of an impact those that take an impulse, as they are counted. */
function namedContacts(film: Film, event: number): number[] {
  const first = film.column('event.first_contact')[event];
  const all = Array.from({ length: film.column('event.contact_count')[event] }, (_, k) => first + k);
  if (film.kindOf(event) !== 'impact') return all;
  const pushing: number[] = [];
  eachPushing(film, event, (row) => pushing.push(row));
  return pushing.length > 0 ? pushing : all;
}

/** Names of a pair that are longer together lose their middles: each of them stays in sight. */
const longestPair = 40;

function shortened(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  const head = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (most - 1 - head)).join('')}`;
}

function shortPair(pair: string): string {
  if (pair.length <= longestPair) return pair;
  const names = pair.split(' – ');
  return names.map((name) => shortened(name, Math.floor(longestPair / names.length) - 1)).join(' – ');
}

interface ContactWords {
  names: string;
  more: string;
  /** The names at their full length. */
  whole: string;
}

/** The names, and how many more there are: room is taken from the names first. */
export function contactWords(film: Film, event: number): ContactWords {
  const rows = namedContacts(film, event);
  if (rows.length === 0) {
    const jump = film.column('event.first_jump')[event];
    const names = film.column('event.jump_count')[event] > 0 ? film.objectName(film.column('jump.body')[jump]) : '';
    return { names, more: '', whole: names };
  }
  // The corners of a face that meets another are one pair of names.
  const counts = new Map<string, number>();
  let told = 0;
  for (; told < rows.length; ++told) {
    const [a, b, joint, upper] = ['a', 'b', 'joint', 'upper'].map((name) => film.column(`contact.${name}`)[rows[told]]);
    const name = contactName(film, { a, b, joint, upper: upper === 1 });
    if (counts.size === mostNames && !counts.has(name)) break;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const listed = (shown: (name: string) => string): string =>
    [...counts].map(([name, times]) => (times === 1 ? shown(name) : `${shown(name)} ×${times}`)).join(', ');
  const more = rows.length > told ? `, ${rows.length - told} more` : '';
  return { names: listed(shortPair), more, whole: listed((name) => name) };
}

/** What it is; a compliant contact that has ended is a collision that lasted a time. */
export function rowTitle(film: Film, event: number): string {
  const end = collisionsOf(film).endOf[event];
  if (end >= 0) return `Collision, ${formatNumber(film.eventTimes[end] - film.eventTimes[event], 3)} s`;
  const multiple = eventIndex(film).multiple[event] === 1;
  return multiple ? `${pushingContacts(film, event)} contacts` : kindTitle(film.kindOf(event));
}

export function energyWords(film: Film, looked: number): string {
  const event = figuresOf(film, looked);
  const before = film.column('event.energy_before')[event];
  // While a compliant contact lasts other things change the energy too.
  const lasted = film.kindOf(event) === 'contact-end';
  const change = lasted
    ? film.column('event.contact_work')[event]
    : film.column('event.energy_after')[event] - before;
  if (Number.isNaN(change)) return '';
  // What an impact takes is known to the digits of what it had, however little that is.
  const scale = lasted ? Math.max(Math.abs(before), energyScale(film)) : Math.abs(before);
  if (Math.abs(change) > roundOff * scale) return `${formatSigned(change, 3)} J`;
  return film.kindOf(event) === 'impact' || lasted ? '0 J' : '';
}

/** What the list says where it has no rows. */
export const nothingWords = (film: Film): string => (film.complete ? 'Nothing touches in this film.' : 'Nothing has touched yet.');
