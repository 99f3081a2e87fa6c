/** One impact under two laws: what each made of the same contacts and bodies, and the difference. */

import { figuresOf } from '../app/collisions';
import { element } from '../app/dom';
import { eventIndex } from '../app/event_index';
import { formatNumber } from '../app/numbers';
import type { Contact, Film, FilmEvent } from '../film/film';
import { contactName } from '../film/words';
import { sameBodies } from './films';
import { needOwnLines } from './impact_tables';

export interface ComparedRow {
  name: string;
  unit: string;
  /** Null where that film has no such contact or body. */
  values: (number | null)[];
}

/** Impacts of one instant are told apart by their order in it. */
function atSameInstant(film: Film, event: FilmEvent, other: Film): FilmEvent | null {
  const { steps } = eventIndex(film);
  const { steps: others } = eventIndex(other);
  const tolerance = 1e-9 * Math.max(Math.abs(event.time), film.scene.output_step);
  const near = (candidates: Film, list: Int32Array): number[] =>
    [...list.filter((index) => Math.abs(candidates.eventTimes[index] - event.time) <= tolerance)];
  const place = near(film, steps).indexOf(event.index);
  const found = near(other, others)[place];
  return found === undefined ? null : other.event(found);
}

/** The steps at which two objects touch, in order. */
function stepsOfPair(film: Film, a: number, b: number): number[] {
  const [first, count] = [film.column('event.first_contact'), film.column('event.contact_count')];
  const [ofA, ofB] = [film.column('contact.a'), film.column('contact.b')];
  const touch = (row: number): boolean => (ofA[row] === a && ofB[row] === b) || (ofA[row] === b && ofB[row] === a);
  return [...eventIndex(film).steps].filter((event) => {
    for (let row = first[event]; row < first[event] + count[event]; ++row) if (touch(row)) return true;
    return false;
  });
}

/** The hardest blow of an event. */
const mainContact = (event: FilmEvent): Contact | undefined =>
  event.contacts.reduce<Contact | undefined>((most, one) => (most !== undefined && most.impulse >= one.impulse ? most : one), undefined);

/** Once laws have parted, the first impact of two objects in one film is set beside the first one in the other, and so on. */
function ofSameCount(film: Film, event: FilmEvent, other: Film): { event: FilmEvent; words: string } | null {
  const contact = mainContact(event);
  if (contact === undefined || contact.a < 0 || contact.b < 0) return null;
  const { a, b } = contact;
  const place = stepsOfPair(film, a, b).indexOf(event.index);
  const found = place < 0 ? undefined : stepsOfPair(other, a, b)[place];
  if (found === undefined) return null;
  return { event: other.event(found), words: `impact ${place + 1} of ${contactName(film, contact)} in each film` };
}

function contactRows(film: Film, events: readonly (FilmEvent | null)[]): ComparedRow[] {
  const names = new Set(events.flatMap((event) => event?.contacts.map((contact) => contactName(film, contact)) ?? []));
  return [...names].map((name) => ({
    name,
    unit: 'N s',
    values: events.map((event) => {
      const own = event?.contacts.filter((contact) => contactName(film, contact) === name) ?? [];
      return own.length === 0 ? null : own.reduce((sum, { impulse }) => sum + impulse, 0);
    }),
  }));
}

/** The speed of each body afterwards, and each component that is not nothing in all films. */
function velocityRows(film: Film, events: readonly (FilmEvent | null)[]): ComparedRow[] {
  const bodies = new Set(events.flatMap((event) => event?.jumps.map(({ body }) => body) ?? []));
  const rows: ComparedRow[] = [];
  for (const body of bodies) {
    [...'xyz'].forEach((axis, k) => {
      const values = events.map((event) => event?.jumps.find((jump) => jump.body === body)?.velocityAfter[k] ?? null);
      const size = Math.max(...values.map((value) => Math.abs(value ?? 0)));
      if (size > 1e-9) rows.push({ name: `${film.objectName(body)} v${axis}⁺`, unit: 'm/s', values });
    });
  }
  return rows;
}

export interface ComparedImpact {
  /** How the impacts of the others were found; empty where they are of the same instant. */
  words: string;
  rows: ComparedRow[];
}

/** The same impact in all films; null where the others have none. */
export function comparedImpact(films: readonly Film[], active: number, event: FilmEvent): ComparedImpact | null {
  const film = films[active];
  let words = '';
  const events = films.map((other) => {
    if (other === film) return event;
    const same = atSameInstant(film, event, other);
    if (same !== null || !sameBodies(film, other)) return same;
    const counted = ofSameCount(film, event, other);
    words = counted?.words ?? words;
    return counted?.event ?? null;
  });
  if (events.filter((found) => found !== null).length < 2) return null;
  const valueOf = (value: (found: FilmEvent) => number): (number | null)[] =>
    events.map((found) => (found === null || Number.isNaN(value(found)) ? null : value(found)));
  const time: ComparedRow[] = words === '' ? [] : [{ name: 'time', unit: 's', values: valueOf((found) => found.time) }];
  // What a collision did is known at its end.
  const done = events.map((found, i) => (found === null ? null : films[i].event(figuresOf(films[i], found.index))));
  const energy: ComparedRow = { name: 'kinetic energy after', unit: 'J', values: valueOf(({ energyAfter }) => energyAfter) };
  return { words, rows: [...time, ...contactRows(film, done), energy, ...velocityRows(film, events)] };
}

const mostRows = 80;

/** The table, with the difference of the last film from the first where there are two. */
export function compareTable(labels: readonly string[], rows: readonly ComparedRow[]): HTMLElement {
  const two = labels.length === 2;
  const headings = ['', ...labels, ...(two ? ['difference'] : [])];
  const head = element('tr', {}, headings.map((text) => element('th', { scope: 'col' }, [text])));
  const ownLines = needOwnLines(rows.map(({ name }) => name));
  const body = rows.slice(0, mostRows).flatMap(({ name, unit, values }) => {
    const size = Math.max(...values.map((value) => Math.abs(value ?? 0)));
    const clean = (value: number): number => (Math.abs(value) < 1e-12 * size ? 0 : value);
    const cells = values.map((value) => (value === null ? '–' : formatNumber(clean(value))));
    const [a, b] = values;
    const difference = two ? [a === null || b === null ? '–' : formatNumber(clean(b - a))] : [];
    const named = [name, ' ', element('span', { class: 'soft' }, [`[${unit}]`])];
    const numbers = [...cells, ...difference].map((text) => element('td', { class: 'number' }, [text]));
    if (!ownLines) return [element('tr', {}, [element('th', { scope: 'row' }, named), ...numbers])];
    const heading = element('th', { scope: 'rowgroup', colspan: headings.length }, named);
    return [element('tr', { class: 'heading' }, [heading]), element('tr', { class: 'next' }, [element('td'), ...numbers])];
  });
  const table = element('table', {}, [element('thead', {}, [head]), element('tbody', {}, body)]);
  return element('div', { class: 'table compared' }, [table]);
}
