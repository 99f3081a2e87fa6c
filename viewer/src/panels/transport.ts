/** The bar below the film: playing, stepping, speed, and where we are. */

import type { Actions } from '../app/actions';
import { byId, option, setPressed, setText } from '../app/dom';
import { eventIndex, stepNumber } from '../app/event_index';
import { formatCount, formatEventTime, formatNumber, formatTime } from '../app/numbers';
import { speeds } from '../app/player';
import { type State, type Store, activeFilm, lastTime } from '../app/state';
import { kindTitle } from '../film/words';

function setIcon(button: HTMLElement, icon: string): void {
  button.querySelector('use')?.setAttribute('href', `#icon-${icon}`);
}

function eventReadout(state: Readonly<State>): string {
  const film = activeFilm(state);
  if (film === null) return '';
  const { steps, stepWord: word, restingCount } = eventIndex(film);
  // Contacts that are closed from the start are counted, as they are in the list, and stepped over.
  const passed = word === 'contact' ? restingCount : 0;
  const total = steps.length + passed;
  if (state.event === null) return `${formatCount(total)} ${word}${total === 1 ? '' : 's'}`;
  const number = stepNumber(film, state.event);
  if (number < 0) return kindTitle(film.kindOf(state.event));
  const title = word.charAt(0).toUpperCase() + word.slice(1);
  return `${title} ${formatCount(passed + number + 1)} of ${formatCount(total)}`;
}

export function mountTransport(store: Store, actions: Actions): void {
  const click = (id: string, act: () => void): void => byId(id).addEventListener('click', act);
  click('first', () => actions.first());
  click('previous-impact', () => actions.previousImpact());
  click('step-back', () => actions.stepFrame(-1));
  click('play', () => actions.togglePlay());
  click('step', () => actions.stepFrame(1));
  click('next-impact', () => actions.nextImpact());
  click('last', () => actions.last());
  click('slow-motion', () => actions.toggle('slowMotion'));
  click('toggle-plots', () => actions.toggle('plots'));
  click('axis-time', () => store.set({ axis: 'time' }));
  click('axis-event', () => store.set({ axis: 'event' }));

  const speed = byId<HTMLSelectElement>('speed');
  speed.append(...speeds.map((value) => option(String(value), `${value}×`)));
  speed.addEventListener('change', () => {
    store.set({ speed: Number(speed.value) });
    speed.blur(); // keys belong to the film again
  });

  const show = (state: Readonly<State>): void => {
    const runs = state.playing || state.live;
    const play = byId('play');
    setIcon(play, runs ? 'pause' : 'play');
    play.setAttribute('aria-label', runs ? 'Pause' : 'Play');
    speed.value = String(state.speed);
    setPressed(byId('slow-motion'), state.slowMotion);
    setPressed(byId('toggle-plots'), state.plots);
    setPressed(byId('axis-time'), state.axis === 'time');
    setPressed(byId('axis-event'), state.axis === 'event');
  };
  store.subscribe(['playing', 'live', 'speed', 'slowMotion', 'plots', 'axis'], show);
  show(store.state);

  const readout = byId('time-readout');
  store.subscribe(['time', 'event', 'films', 'filmRevision', 'activeFilm'], (state) => {
    const end = lastTime(state.films);
    const film = activeFilm(state);
    const time =
      film === null || state.event === null
        ? formatTime(state.time, end)
        : formatEventTime(film.eventTimes, state.event, end);
    setText(readout, `${time} s`);
    readout.title = `of ${formatNumber(end)} s`;
    setText(byId('event-readout'), eventReadout(state));
  });
}
