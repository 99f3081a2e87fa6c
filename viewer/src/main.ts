/** The page: films, stage and panels put together. */

import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/layout.css';
import './style/film.css';
import './style/impacts.css';
import './style/panels.css';

import { Actions } from './app/actions';
import { applyHash, mountApi, parseHash } from './app/api';
import { byId, setPressed } from './app/dom';
import { eventIndex } from './app/event_index';
import { mountKeyboard } from './app/keyboard';
import { Player, suggestedSpeed } from './app/player';
import { type State, Store, type Tab, activeFilm, initialState } from './app/state';
import { rememberTheme, rememberedTheme } from './app/theme';
import { Film } from './film/film';
import { type FilmListener, canRerun, openFilms, rerun } from './film/source';
import { mountFilms } from './panels/films';
import { mountHeader } from './panels/header';
import { mountHelp } from './panels/help';
import { mountImpactDetails } from './panels/impact_details';
import { ImpactList } from './panels/impact_list';
import { mountInspector } from './panels/inspector';
import { showMessage } from './panels/message';
import { Plots } from './panels/plots';
import { rerunForm } from './panels/rerun';
import { mountScenePanel } from './panels/scene_panel';
import { mountStageTools } from './panels/stage_tools';
import { Timeline } from './panels/timeline';
import { mountTransport } from './panels/transport';
import { type Frame, Stage } from './stage/stage';
import { suggestedView } from './stage/suggest';

/** While the film plays, the arrows of an impact stay for this long, in seconds of watching. */
const arrowsLinger = 0.3;

/** The impact that has just been passed; null where none has. */
function passingEvent(state: Readonly<State>): number | null {
  const film = activeFilm(state);
  if (film === null || !state.playing) return null;
  const last = Film.lastAtOrBefore(film.eventTimes, state.time);
  const since = state.time - film.eventTimes[last];
  if (last < 0 || since > arrowsLinger * state.speed * (state.slowMotion ? 0.3 : 1)) return null;
  const { impactCount } = eventIndex(film);
  return impactCount === 0 || film.kindOf(last) === 'impact' ? last : null;
}

function frameOf(state: Readonly<State>): Frame {
  const { films, time, activeFilm: active, side, selectedBody, follow, framing, closeUp, ruler } = state;
  const { arrows, forces, trails, labels, compare } = state;
  const event = state.event ?? passingEvent(state);
  const shown = { event, side, selectedBody, arrows, forces, trails, labels, compare };
  return { films, time, activeFilm: active, follow, framing, closeUp, ruler, ...shown };
}

function mountTabs(store: Store): void {
  const tabs: Tab[] = ['impacts', 'plots', 'scene'];
  const show = ({ tab, plots, clean, theme, films }: Readonly<State>): void => {
    const { dataset } = document.documentElement;
    dataset.tab = tab;
    dataset.plots = plots ? 'on' : 'off';
    dataset.theme = theme;
    dataset.films = films.length === 0 ? 'none' : films.length === 1 ? 'one' : 'several';
    dataset.clean = clean ? 'on' : 'off';
    for (const name of tabs) {
      byId(`tab-${name}`).setAttribute('aria-selected', String(name === tab));
      byId(`tab-${name}`).tabIndex = name === tab ? 0 : -1;
    }
  };
  tabs.forEach((name, i) => {
    byId(`tab-${name}`).addEventListener('click', () => store.set({ tab: name }));
    // Tab leads to the chosen one, arrows from one to the next.
    byId(`tab-${name}`).addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      // A wide page shows the plots beside the others, without a tab.
      const seen = (name: Tab): boolean => byId(`tab-${name}`).offsetParent !== null;
      const order = tabs.map((_, k) => tabs[(i + step * (k + 1) + tabs.length * tabs.length) % tabs.length]);
      const next = order.find(seen) ?? name;
      store.set({ tab: next });
      byId(`tab-${next}`).focus();
    });
  });
  store.subscribe(['tab', 'plots', 'clean', 'theme', 'films'], show);
  show(store.state);
}

/** The camera, the speed and the place to begin with. */
function begin(store: Store, actions: Actions, films: Film[]): void {
  const first = films[0];
  const live = films.some((film) => !film.complete && !film.isLoading);
  store.set({ films, filmRevision: 1, speed: suggestedSpeed(first.endTime - first.startTime) });
  store.set({ time: first.startTime });
  const { view, perspective, follow } = first.scene.camera ?? {};
  actions.setView(view ?? suggestedView(first), false);
  // Where nothing was asked for: a floor seen a little from above looks better than its edge.
  if (store.state.flat === (perspective ?? view === undefined)) actions.toggleFlat();
  const followed = first.scene.objects.findIndex(({ name, body }) => body && name === follow);
  if (followed >= 0) actions.follow(followed);
  applyHash(store, actions, location.hash);
  if (live && location.hash === '') actions.goLive();
}

function start(): void {
  const store = new Store(initialState(rememberedTheme()));
  // Before anything is shown: panels that nobody sees are not made.
  const { clean = false, onDemand = false } = parseHash(location.hash).options;
  store.set({ clean, onDemand });
  // First of all listeners: panels read colours and sizes of the theme and layout that are on the page by then.
  mountTabs(store);
  const stage = new Stage(byId('stage'));
  stage.setTheme(store.state.theme);
  const actions = new Actions(store, stage);
  new Player(store);
  const openHelp = mountHelp();
  mountHeader(store, actions, openHelp);
  mountStageTools(store, actions);
  mountTransport(store, actions);
  new Timeline(byId('timeline'), store, actions);
  new ImpactList(store, actions);
  mountImpactDetails(store);
  mountFilms(store, actions);
  mountScenePanel(store, actions, rerunForm(store, canRerun, (settings) => runAgain(settings)));
  mountInspector(store, actions);
  new Plots(store, actions);
  mountKeyboard(store, actions, openHelp);

  let request = 0;
  const draw = (): void => {
    cancelAnimationFrame(request);
    request = 0;
    if (store.state.films.length > 0) stage.draw(frameOf(store.state));
  };
  const drawSoon = (): void => {
    if (request !== 0 || store.state.onDemand) return;
    request = requestAnimationFrame(() => {
      request = 0;
      draw();
    });
  };
  store.subscribe(null, drawSoon);
  store.subscribe(['theme'], ({ theme }) => {
    stage.setTheme(theme);
    rememberTheme(theme);
  });
  stage.onCameraMoved = drawSoon;
  stage.onPick = (body, measures) => (measures ? actions.measureTo(body) : actions.select(body));
  new ResizeObserver(drawSoon).observe(byId('stage'));
  setPressed(byId('live'), false);

  const listener: FilmListener = {
    loaded(films) {
      begin(store, actions, films);
      if (!store.state.onDemand) draw();
    },
    grown(index, film) {
      const films = store.state.films.map((known, k) => (k === index ? film : known));
      const replaced = films.some((known, k) => known !== store.state.films[k]);
      // Events of another run are other events.
      if (replaced) store.set({ films, event: null, closeUp: null, selectedBody: null, ruler: null, follow: null });
      store.set({ filmRevision: store.state.filmRevision + 1 });
    },
    loading: (text) => (byId('subtitle').textContent = text ?? ''),
    trouble: showMessage,
  };
  const ready = openFilms(listener);
  const runAgain = async (settings: readonly string[]): Promise<void> => {
    const { activeFilm: index, films } = store.state;
    await rerun(index, settings, films[index], listener);
    actions.goLive();
  };
  addEventListener('hashchange', () => applyHash(store, actions, location.hash));
  // The user has been told; whoever awaits `carom.ready` is told, too.
  ready.catch(() => undefined);
  mountApi(store, actions, ready, {
    draw,
    picture: () => {
      draw();
      return stage.picture();
    },
  });
}

start();
