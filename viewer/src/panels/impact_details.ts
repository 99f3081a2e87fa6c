/** All about one event: what met, what it did to the bodies, and what the audit says of it. */

import { button, byId, element, throttled } from '../app/dom';
import { collisionsOf, figuresOf } from '../app/collisions';
import { pushingContacts, roundOf } from '../app/event_index';
import { formatNumber, formatSigned, formatTimeExactly, formatTimeWithin } from '../app/numbers';
import { type State, type Store, activeFilm } from '../app/state';
import { energyScale } from '../film/energy';
import type { Film, FilmEvent } from '../film/film';
import { type Sentence, eventSentences, kindTitle } from '../film/words';
import { filmLabel } from './films';
import { compareTable, comparedImpact } from './impact_compare';
import { contactTable, jointTable, jumpTable } from './impact_tables';

const toneMarks: Record<Sentence['tone'], string> = { good: '✓', bad: '⚑', remark: '⚑', note: '·' };

/** A compliant contact that has ended, as one collision: how long, how hard, and what it cost. */
function collisionLine(film: Film, event: FilmEvent): HTMLElement {
  const row = film.column('event.first_contact')[event.index];
  const [began, peak, when] = ['began', 'peak_force', 'peak_time'].map((name) => film.column(`contact.${name}`)[row] ?? NaN);
  const lasted = event.time - began;
  const impulse = event.contacts.reduce((sum, contact) => sum + contact.impulse, 0);
  const isRoundOff = Math.abs(event.contactWork) < 1e-13 * energyScale(film);
  const facts = [
    Number.isNaN(began) ? '' : `lasted ${formatNumber(lasted)} s`,
    Number.isNaN(peak) ? '' : `peak ${formatNumber(peak)} N at ${formatTimeWithin(when, lasted)} s`,
    `impulse ${formatNumber(impulse)} N s`,
    `work ${isRoundOff ? '0' : formatSigned(event.contactWork, 4)} J`,
  ];
  return element('p', { class: 'energy collision' }, [facts.filter((fact) => fact !== '').join(', ')]);
}

function energyLine(film: Film, event: FilmEvent): HTMLElement | null {
  if (event.kind === 'contact-end') return collisionLine(film, event);
  const { energyBefore: before, energyAfter: after } = event;
  if (Number.isNaN(before) || Number.isNaN(after)) return null;
  if (event.kind !== 'impact' && before === after) return null;
  const isRoundOff = Math.abs(after - before) < 1e-13 * Math.abs(before);
  return element('p', { class: 'energy' }, [
    element('span', { title: 'of the bodies that take part' }, ['Kinetic energy ']),
    element('b', {}, [`${formatNumber(before)} → ${formatNumber(after)} J`]),
    element('span', { class: 'soft' }, [`  ${formatSigned(isRoundOff ? 0 : after - before)} J`]),
  ]);
}

function headline(film: Film, event: FilmEvent): HTMLElement[] {
  const { round, rounds } = roundOf(film, event.index);
  const count = event.contacts.length;
  const pushing = pushingContacts(film, event.index);
  const ended = collisionsOf(film).endOf[event.index] >= 0;
  const single = ended ? 'Collision' : kindTitle(event.kind);
  const title = event.kind === 'impact' && pushing > 1 ? 'Multiple impact' : single;
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
  const compared = comparedImpact(films, active, event);
  if (compared === null) return element('p', { class: 'soft' }, ['The other films have no such impact.']);
  const table = compareTable(films.map((film) => filmLabel(film, films)), compared.rows);
  if (compared.words !== '') table.prepend(element('p', { class: 'soft' }, [`Compared: ${compared.words}.`]));
  return table;
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
  const text = film.eventTimes.length === 0 ? (film.complete ? 'No events.' : 'No event yet.') : 'Step to an impact, or pick one, to see it in detail.';
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
    // What a collision did is known at its end.
    const done = film.event(figuresOf(film, event.index));
    const tables = [contactTable(film, done, event), jumpTable(film, event, state.theme), jointTable(film, event)];
    const parts = [top, facts, words(film, event), energyLine(film, done), comparison(state, event), ...tables];
    host.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
    host.scrollTop = 0;
  };
  store.subscribe(['event', 'side', 'activeFilm', 'films', 'theme'], show);
  const later = throttled(500, () => show(store.state));
  store.subscribe(['filmRevision'], later);
}
