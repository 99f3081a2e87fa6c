/** The line above the film: which scene, how it was computed, how the run ended. */

import type { Actions } from '../app/actions';
import { byId, setText } from '../app/dom';
import { formatCount, formatNumber } from '../app/numbers';
import { type State, type Store, activeFilm, lastTime } from '../app/state';
import { stopWords } from '../film/words';

function subtitle(state: Readonly<State>): string {
  const film = activeFilm(state);
  if (film === null) return '';
  const { engine, law } = film.scene;
  const parts = [engine === '' ? '' : `engine ${engine}`, law === '' ? '' : `law ${law}`, film.name, stopWords(film)];
  if (state.films.length > 1) parts.unshift(`film ${state.activeFilm + 1} of ${state.films.length}`);
  return parts.filter((part) => part !== '').join('  ·  ');
}

/** How far a run is that still goes on. */
function progress(state: Readonly<State>): string | null {
  const running = state.films.filter((film) => !film.complete);
  if (running.length === 0) return null;
  if (running.every(({ isLoading }) => isLoading)) {
    const events = running.reduce((sum, film) => sum + film.eventTimes.length, 0);
    return `loading: ${formatCount(events)} events so far`;
  }
  const end = Math.min(...running.map((film) => film.endTime));
  // A run without a planned end has a duration of null.
  const planned = Math.max(...running.map((film) => film.scene.duration ?? Infinity));
  return Number.isFinite(planned)
    ? `running: ${formatNumber(end, 3)} of ${formatNumber(planned, 3)} s`
    : `running: ${formatNumber(end, 3)} s`;
}

export function mountHeader(store: Store, actions: Actions, openHelp: () => void): void {
  byId('toggle-theme').addEventListener('click', () => actions.toggleTheme());
  byId('toggle-help').addEventListener('click', openHelp);
  byId('compare-mode').addEventListener('click', () => actions.toggleCompare());
  byId('live').addEventListener('click', () => actions.goLive());

  store.subscribe(['films', 'filmRevision', 'activeFilm'], (state) => {
    const film = activeFilm(state);
    if (film === null) return;
    const title = film.scene.title || film.name || 'Carom';
    setText(byId('title'), title);
    setText(byId('subtitle'), subtitle(state));
    byId('subtitle').title = subtitle(state);
    document.title = `${title} – Carom`;
    const running = progress(state);
    byId('live-state').hidden = running === null;
    byId('live').hidden = running === null || state.films.every(({ complete, isLoading }) => complete || isLoading);
    setText(byId('live-state'), running ?? '');
  });
  store.subscribe(['films', 'compare'], ({ films, compare }) => {
    const button = byId('compare-mode');
    button.hidden = films.length < 2;
    setText(button, compare === 'side' ? 'Show as ghosts' : 'Show side by side');
    button.title = 'Side by side, or as ghosts in one picture (c)';
  });
  store.subscribe(['live', 'time', 'filmRevision'], ({ live, films, time }) => {
    byId('live').setAttribute('aria-pressed', String(live));
    byId('live').classList.toggle('behind', !live && time < lastTime(films));
  });
}
