/** The table of a comparison: what each film's law made of the scene. */

import type { Actions } from '../app/actions';
import { button, byId, element, setText, throttled } from '../app/dom';
import { eventIndex } from '../app/event_index';
import { formatCount, formatNumber } from '../app/numbers';
import { type State, type Store, activeFilm } from '../app/state';
import type { Film } from '../film/film';
import { placementAt } from '../film/motion';
import { filmColour } from '../stage/colours';
import { finalEnergies } from './quantities';

/** Bodies with the same names and shapes: then films can be laid over each other and their bodies compared. */
export function sameBodies(a: Film, b: Film): boolean {
  if (a.bodies !== b.bodies) return false;
  for (let body = 0; body < a.bodies; ++body) {
    if (a.object(body).name !== b.object(body).name) return false;
    if (JSON.stringify(a.object(body).shape) !== JSON.stringify(b.object(body).shape)) return false;
  }
  return true;
}

/** The largest distance of a body in one film from itself in another [m]; of a crowd the first hundreds are asked. */
export function largestDistance(a: Film, b: Film, time: number): number {
  let largest = 0;
  for (let body = 0; body < Math.min(a.bodies, 400); ++body) {
    const p = placementAt(a, body, Math.min(time, a.endTime)).position;
    const q = placementAt(b, body, Math.min(time, b.endTime)).position;
    largest = Math.max(largest, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  return largest;
}

/** What tells films apart: the law where laws differ, else the name. */
export function filmLabel(film: Film, films: readonly Film[]): string {
  const ways = new Set(films.map(({ scene }) => `${scene.engine}/${scene.law}`));
  if (ways.size < films.length) return film.name;
  return film.scene.law === '' ? film.scene.engine : film.scene.law;
}

const headings = [
  ['Film', 'The one that the other panels speak of is marked'],
  ['Impacts', 'How many'],
  ['Energy [J]', 'Stored at the end'],
  ['Lost [J]', 'Dissipated until the end'],
  ['Apart [m]', 'Largest distance of a body now from itself in the marked film'],
] as const;

export function mountFilms(store: Store, actions: Actions): void {
  const host = byId('films');
  let distances: HTMLElement[] = [];

  const row = (state: Readonly<State>, film: Film, index: number): HTMLElement => {
    const { total, dissipated } = finalEnergies(film);
    const { impactCount } = eventIndex(film);
    const active = index === state.activeFilm;
    const dot = element('span', { class: 'dot' });
    dot.style.background = filmColour(index, state.theme);
    const attributes = { class: 'film-name', 'aria-pressed': String(active), title: film.name };
    const choose = button(attributes, [dot, filmLabel(film, state.films)], () => actions.activateFilm(index));
    const distance = element('td');
    distances.push(distance);
    // What round-off leaves is nothing lost.
    const lost = Math.abs(dissipated) > 1e-12 * Math.max(Math.abs(total), Math.abs(dissipated)) ? dissipated : 0;
    const cells = [formatCount(impactCount), formatNumber(total, 4), formatNumber(lost, 3)];
    const made = element('tr', { class: active ? 'active' : '' }, [
      element('th', { scope: 'row' }, [choose]),
      ...cells.map((text) => element('td', {}, [text])),
      distance,
    ]);
    return made;
  };

  const show = (): void => {
    const { state } = store;
    host.hidden = state.films.length < 2;
    if (host.hidden) return;
    distances = [];
    const head = element('tr', {}, headings.map(([text, title]) => element('th', { scope: 'col', title }, [text])));
    const rows = state.films.map((film, index) => row(state, film, index));
    const table = element('table', {}, [element('thead', {}, [head]), element('tbody', {}, rows)]);
    const differ = state.films.some((film) => !sameBodies(film, state.films[0]));
    const remark = differ ? [element('p', { class: 'remark' }, ['These films are of different scenes.'])] : [];
    host.replaceChildren(element('div', { class: 'table' }, [table]), ...remark);
    showDistances();
  };

  const showDistances = (): void => {
    const { state } = store;
    const film = activeFilm(state);
    if (film === null || host.hidden) return;
    state.films.forEach((other, index) => {
      const comparable = other !== film && sameBodies(other, film);
      setText(distances[index], comparable ? formatNumber(largestDistance(film, other, state.time), 2) : '–');
    });
  };

  store.subscribe(['films', 'activeFilm', 'theme'], show);
  store.subscribe(['filmRevision'], throttled(700, show));
  store.subscribe(['time'], throttled(150, showDistances));
  show();
}
