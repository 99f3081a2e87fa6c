/** All about one event: what met, what it did to the bodies, and what the audit says of it. */

import { button, byId, element, throttled } from '../app/dom';
import { contactBegan, pushingContacts, roundOf } from '../app/event_index';
import { formatNumber, formatSigned, formatTimeExactly } from '../app/numbers';
import { type State, type Store, activeFilm } from '../app/state';
import { energyScale } from '../film/energy';
import type { Film, FilmEvent, Jump } from '../film/film';
import { type Sentence, eventSentences, featureWords, impulseUnit, kindTitle, observedRestitution, pushName, rateRoundOff, rateUnit } from '../film/words';
import { filmLabel } from './films';
import { compareTable, comparedImpact } from './impact_compare';
import { objectColour } from '../stage/colours';
import type { Theme } from '../app/state';

/** Rows of a table that are shown at once; a pile may have hundreds of contacts. */
const mostRows = 60;

const toneMarks: Record<Sentence['tone'], string> = { good: '✓', bad: '⚑', remark: '⚑', note: '·' };

function table(headings: readonly string[], rows: readonly HTMLElement[], total: number): HTMLElement {
  const head = element('tr', {}, headings.map((text) => element('th', { scope: 'col' }, [text])));
  const body = element('tbody', {}, rows);
  if (total > rows.length) {
    const more = element('td', { colspan: headings.length, class: 'more' }, [`and ${total - rows.length} more`]);
    body.append(element('tr', {}, [more]));
  }
  return element('div', { class: 'table' }, [element('table', {}, [element('thead', {}, [head]), body])]);
}

function cells(texts: readonly (string | Node)[]): HTMLElement {
  return element('tr', {}, texts.map((text) => element('td', {}, [text])));
}

function nameWithColour(film: Film, object: number, theme: Theme): HTMLElement {
  const name = element('span', { class: 'object-name' }, [film.objectName(object)]);
  if (object >= 0 && object < film.bodies) {
    const dot = element('span', { class: 'dot' });
    dot.style.background = objectColour(film, object, theme);
    name.prepend(dot);
  }
  return name;
}

function contactTable(film: Film, event: FilmEvent): HTMLElement | null {
  if (event.contacts.length === 0) return null;
  const strikes = event.kind === 'impact' || event.contacts.some(({ impulse }) => impulse !== 0);
  const slides = event.contacts.some(({ tangentialImpulse }) => Math.hypot(...tangentialImpulse) > 0);
  // Units stand in the headings, unless a limit of a turn has others.
  const turns = event.contacts.some(({ turn }) => turn);
  const unit = (text: string): string => (turns ? ` ${text}` : '');
  const heading = (text: string, of: string): string => (turns ? text : `${text} [${of}]`);
  const least = rateRoundOff(film, event);
  const rate = (value: number): string => formatNumber(Math.abs(value) < least ? 0 : value, 3);
  const rows = event.contacts.slice(0, mostRows).map((contact) => {
    const e = observedRestitution(contact);
    const features = featureWords(film, contact);
    const touching = element('span', {}, [
      pushName(film, event, contact),
      features === '' ? null : element('span', { class: 'feature' }, [features]),
    ]);
    const row = cells([
      touching,
      ...(strikes ? [formatNumber(contact.impulse) + unit(impulseUnit(contact))] : []),
      ...(slides ? [formatNumber(Math.hypot(...contact.tangentialImpulse))] : []),
      (strikes || rate(contact.rateBefore) !== rate(contact.rateAfter)
        ? `${rate(contact.rateBefore)} → ${rate(contact.rateAfter)}`
        : rate(contact.rateBefore)) + unit(rateUnit(contact)),
      ...(strikes ? [e === null ? '–' : formatNumber(e, 3)] : []),
    ]);
    if (contact.impulse < 0) row.classList.add('bad');
    return row;
  });
  const headings = [
    'Contact',
    ...(strikes ? [heading('Impulse', 'N s')] : []),
    ...(slides ? ['tangential'] : []),
    heading('Gap rate', 'm/s'),
    ...(strikes ? ['e'] : []),
  ];
  return table(headings, rows, event.contacts.length);
}

/** Components of one vector, under the headings x, y, z. */
function vectorCells(label: string, side: 'before' | 'after', vector: readonly number[]): HTMLElement[] {
  const largest = Math.max(...vector.map(Math.abs));
  // What is below 10⁻⁹ of the largest component is rounding, and would only be noise for the reader.
  const texts = vector.map((x) => formatNumber(Math.abs(x) < 1e-9 * largest ? 0 : x, 3));
  const numbers = texts.map((text) => element('td', { class: `number ${side}` }, [text]));
  return [element('td', { class: side }, [label]), ...numbers];
}

function jumpRows(film: Film, jump: Jump, theme: Theme): HTMLElement[] {
  const still = (vector: readonly number[]): boolean => vector.every((x) => x === 0);
  const rows = [vectorCells('v⁻', 'before', jump.velocityBefore), vectorCells('v⁺', 'after', jump.velocityAfter)];
  if (!still(jump.angularVelocityBefore) || !still(jump.angularVelocityAfter)) {
    rows.push(vectorCells('ω⁻', 'before', jump.angularVelocityBefore));
    rows.push(vectorCells('ω⁺', 'after', jump.angularVelocityAfter));
  }
  const name = element('td', { rowspan: rows.length }, [nameWithColour(film, jump.body, theme)]);
  return rows.map((row, i) => element('tr', { class: i === 0 ? 'first' : 'next' }, i === 0 ? [name, ...row] : row));
}

function jumpTable(film: Film, event: FilmEvent, theme: Theme): HTMLElement | null {
  if (event.jumps.length === 0) return null;
  const shown = event.jumps.slice(0, mostRows);
  const rows = shown.flatMap((jump) => jumpRows(film, jump, theme));
  const made = table(['Body', 'v [m/s], ω [rad/s]', 'x', 'y', 'z'], rows, rows.length);
  made.classList.add('jumps');
  if (shown.length < event.jumps.length) {
    made.append(element('p', { class: 'soft' }, [`and ${event.jumps.length - shown.length} more bodies`]));
  }
  return made;
}

/** A compliant contact that ends here, as one collision: how long, how hard, and what it cost. */
function collisionLine(film: Film, event: FilmEvent): HTMLElement {
  const [contact] = event.contacts;
  const began = contact === undefined ? null : contactBegan(film, event.index);
  const row = film.column('event.first_contact')[event.index];
  const peak = contact === undefined ? NaN : film.column('contact.peak_force')[row];
  const isRoundOff = Math.abs(event.contactWork) < 1e-13 * energyScale(film);
  const facts = [
    began === null ? '' : `lasted ${formatNumber(event.time - began)} s`,
    Number.isNaN(peak) ? '' : `peak ${formatNumber(peak)} N at ${formatTimeExactly(film.column('contact.peak_time')[row])} s`,
    `work ${isRoundOff ? '0' : formatSigned(event.contactWork, 4)} J`,
  ];
  return element('p', { class: 'energy collision' }, [facts.filter((fact) => fact !== '').join(', ')]);
}

function energyLine(film: Film, event: FilmEvent): HTMLElement | null {
  if (event.kind === 'contact-end') return collisionLine(film, event);
  const { energyBefore: before, energyAfter: after } = event;
  if (Number.isNaN(before) || Number.isNaN(after)) return null;
  if (event.kind !== 'impact' && before === after) return null;
  const isRoundOff = Math.abs(after - before) < 1e-13 * Math.max(Math.abs(before), energyScale(film));
  return element('p', { class: 'energy' }, [
    element('span', {}, ['Energy ']),
    element('b', {}, [`${formatNumber(before)} → ${formatNumber(after)} J`]),
    element('span', { class: 'soft' }, [`  ${formatSigned(isRoundOff ? 0 : after - before)} J`]),
  ]);
}

function headline(film: Film, event: FilmEvent): HTMLElement[] {
  const { round, rounds } = roundOf(film, event.index);
  const count = event.contacts.length;
  const pushing = pushingContacts(film, event.index);
  const title = event.kind === 'impact' && pushing > 1 ? 'Multiple impact' : kindTitle(event.kind);
  const facts = [
    count > 1 && pushing < count && event.kind === 'impact' ? `${pushing} of ${count} contacts take an impulse` : '',
    count > 1 && (pushing === count || event.kind !== 'impact') ? `${count} contacts` : '',
    event.law === '' ? '' : `law ${event.law}`,
    event.kind === 'impact' && event.steps > 0 ? `${event.steps} step${event.steps === 1 ? '' : 's'}` : '',
    event.kind === 'impact' ? event.stop : '',
    rounds > 1 ? `round ${round} of ${rounds} at this instant` : '',
  ];
  return [
    element('h2', {}, [title]),
    element('p', { class: 'facts' }, [
      element('b', {}, [`t = ${formatTimeExactly(event.time)} s`]),
      ...facts.filter((fact) => fact !== '').map((fact) => element('span', {}, [fact])),
    ]),
  ];
}

/** The same impact in the other films. */
function comparison({ films, activeFilm: active }: Readonly<State>, event: FilmEvent): HTMLElement | null {
  if (films.length < 2) return null;
  const rows = comparedImpact(films, active, event);
  if (rows === null) return element('p', { class: 'soft' }, ['The other films have no impact at this instant.']);
  return compareTable(films.map((film) => filmLabel(film, films)), rows);
}

function jointTable(film: Film, event: FilmEvent): HTMLElement | null {
  if (event.joints.length === 0) return null;
  const rows = event.joints.slice(0, mostRows).map(({ joint, force, couple }) =>
    cells([
      film.scene.joints[joint]?.name ?? '–',
      formatNumber(Math.hypot(...force)),
      formatNumber(Math.hypot(...couple)),
    ]),
  );
  return table(['Joint', 'Impulse [N s]', 'Couple [N m s]'], rows, event.joints.length);
}

function words(film: Film, event: FilmEvent): HTMLElement {
  const items = eventSentences(film, event).map(({ text, tone }) => {
    const mark = element('span', { class: 'tone', 'aria-hidden': 'true' }, [toneMarks[tone]]);
    return element('li', { class: tone }, [mark, text]);
  });
  return element('ul', { class: 'words' }, items);
}

/** Shown while no event is looked at: how to get at one. */
function invitation(film: Film): HTMLElement[] {
  const text = film.eventTimes.length === 0 ? 'No event yet.' : 'Step to an impact, or pick one, to see it in detail.';
  return [element('p', { class: 'empty' }, [text])];
}

export function mountImpactDetails(store: Store): void {
  const host = byId('impact-details');
  let shown = '';
  const sides = element('div', { class: 'segments', role: 'group', 'aria-label': 'Velocities shown' });
  for (const side of ['before', 'after'] as const) {
    const attributes = { 'data-side': side, title: 'Velocities before or after the impact (b)' };
    sides.append(button(attributes, [side], () => store.set({ side })));
  }
  const show = (state: Readonly<State>): void => {
    const film = activeFilm(state);
    if (film === null) return;
    for (const choice of sides.children) {
      choice.setAttribute('aria-pressed', String((choice as HTMLElement).dataset.side === state.side));
    }
    host.dataset.side = state.side;
    // What touches is known only with the next sample.
    const isTold = state.event !== null && film.column('event.first_contact')[state.event] < film.counts.feature;
    const key = `${state.activeFilm}/${state.event}/${state.theme}/${state.event === null ? film.revision : isTold}`;
    if (key === shown) return;
    shown = key;
    if (state.event === null) {
      host.classList.add('nothing');
      host.replaceChildren(...invitation(film));
      return;
    }
    host.classList.remove('nothing');
    const event = film.event(state.event);
    const [title, facts] = headline(film, event);
    const top = element('div', { class: 'top' }, [title, ...(event.jumps.length > 0 ? [sides] : [])]);
    const tables = [contactTable(film, event), jumpTable(film, event, state.theme), jointTable(film, event)];
    const parts = [top, facts, words(film, event), energyLine(film, event), comparison(state, event), ...tables];
    host.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
    host.scrollTop = 0;
  };
  store.subscribe(['event', 'side', 'activeFilm', 'films', 'theme'], show);
  const later = throttled(500, () => show(store.state));
  store.subscribe(['filmRevision'], later);
}
