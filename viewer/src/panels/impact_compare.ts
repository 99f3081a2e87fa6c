/** One impact under two laws: what each made of the same contacts and bodies, and the difference. */

import { element } from '../app/dom';
import { eventIndex } from '../app/event_index';
import { formatNumber } from '../app/numbers';
import type { Film, FilmEvent } from '../film/film';
import { contactName } from '../film/words';

export interface ComparedRow {
  name: string;
  unit: string;
  /** Null where that film has no such contact or body. */
  values: (number | null)[];
}

/** Impacts of one instant are told apart by their order in it. */
function sameImpact(film: Film, event: FilmEvent, other: Film): FilmEvent | null {
  const { steps } = eventIndex(film);
  const { steps: others } = eventIndex(other);
  const tolerance = 1e-9 * Math.max(Math.abs(event.time), film.scene.output_step);
  const near = (candidates: Film, list: Int32Array): number[] =>
    [...list.filter((index) => Math.abs(candidates.eventTimes[index] - event.time) <= tolerance)];
  const place = near(film, steps).indexOf(event.index);
  const found = near(other, others)[place];
  return found === undefined ? null : other.event(found);
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

/** The same impact in all films; null where the others have none at that instant. */
export function comparedImpact(films: readonly Film[], active: number, event: FilmEvent): ComparedRow[] | null {
  const film = films[active];
  const events = films.map((other) => (other === film ? event : sameImpact(film, event, other)));
  if (events.filter((found) => found !== null).length < 2) return null;
  const energy: ComparedRow = {
    name: 'energy after',
    unit: 'J',
    values: events.map((found) => (found === null || Number.isNaN(found.energyAfter) ? null : found.energyAfter)),
  };
  return [...contactRows(film, events), energy, ...velocityRows(film, events)];
}

const mostRows = 80;

/** The table, with the difference of the last film from the first where there are two. */
export function compareTable(labels: readonly string[], rows: readonly ComparedRow[]): HTMLElement {
  const two = labels.length === 2;
  const headings = ['', ...labels, ...(two ? ['difference'] : [])];
  const head = element('tr', {}, headings.map((text) => element('th', { scope: 'col' }, [text])));
  const body = rows.slice(0, mostRows).map(({ name, unit, values }) => {
    const size = Math.max(...values.map((value) => Math.abs(value ?? 0)));
    const clean = (value: number): number => (Math.abs(value) < 1e-12 * size ? 0 : value);
    const cells = values.map((value) => (value === null ? '–' : formatNumber(clean(value))));
    const [a, b] = values;
    const difference = two ? [a === null || b === null ? '–' : formatNumber(clean(b - a))] : [];
    return element('tr', {}, [
      element('th', { scope: 'row' }, [name, ' ', element('span', { class: 'soft' }, [`[${unit}]`])]),
      ...[...cells, ...difference].map((text) => element('td', { class: 'number' }, [text])),
    ]);
  });
  const table = element('table', {}, [element('thead', {}, [head]), element('tbody', {}, body)]);
  return element('div', { class: 'table compared' }, [table]);
}
