/**
 * The page's interface for programs: `carom export --video`, tests, or a lecture's own script.
 *
 *   await carom.ready;                        the films are loaded and drawn; rejected where they cannot be read
 *   carom.info();                             { films, duration, events, impacts, time, … }
 *   await carom.seek(1.25);                   to a time; done when it is drawn
 *   await carom.seekEvent(17);                to an event, with its arrows and details
 *   await carom.set({ clean: true, theme: 'dark', view: 'top', follow: 'ball' });
 *   await carom.picture({ time: 1.25 });       the film alone at a time or event: PNG in base64
 *
 * The address may carry the same options: #time=1.2&event=3&view=top&framing=bodies&theme=dark&clean&plots=off&follow=ball
 */

import type { Actions } from './actions';
import { eventIndex } from './event_index';
import { pngOf } from './saving';
import type { CompareMode, FramingMode, State, Store, Theme, ViewPreset } from './state';
import { activeFilm, lastTime, wholeSpan } from './state';

export interface Options {
  view?: ViewPreset;
  framing?: FramingMode;
  theme?: Theme;
  /** The film alone, without panels. */
  clean?: boolean;
  /** Drawn only when a program asks for it. */
  onDemand?: boolean;
  arrows?: boolean;
  forces?: boolean;
  labels?: boolean;
  trails?: boolean;
  plots?: boolean;
  compare?: CompareMode;
  /** Name of a body, or null for none. */
  follow?: string | null;
  side?: 'before' | 'after';
}

export interface Info {
  films: { name: string; title: string; law: string; complete: boolean; bodies: string[] }[];
  /** From the first to the last sample [s], which is at `start`. */
  duration: number;
  start: number;
  /** Between samples of the active film [s]. */
  outputStep: number;
  /** Of the active film. */
  events: number;
  impacts: number;
  /** What is shown. */
  time: number;
  event: number | null;
  playing: boolean;
  compare: CompareMode;
  /** The stretch of time in timeline and plots [s]; null: all of it. */
  span: readonly [number, number] | null;
}

export interface PageApi {
  ready: Promise<void>;
  info(): Info;
  seek(time: number): Promise<void>;
  seekEvent(index: number): Promise<void>;
  set(options: Options): Promise<void>;
  picture(of: { time?: number; event?: number }): Promise<string>;
}

/** Who draws for programs: at once, and as a picture. */
export interface Drawer {
  draw(): void;
  picture(): ImageData;
}

declare global {
  interface Window {
    carom: PageApi;
  }
}

function info(state: Readonly<State>): Info {
  const { films, time, event, playing, compare, span } = state;
  const film = activeFilm(state);
  const [start] = wholeSpan(films);
  return {
    films: films.map(({ name, scene, complete }) => {
      const bodies = scene.objects.slice(0, scene.bodies).map((object) => object.name);
      return { name, title: scene.title, law: scene.law, complete, bodies };
    }),
    duration: films.length > 0 ? lastTime(films) - start : 0,
    start,
    outputStep: film?.scene.output_step ?? 0,
    events: film?.eventTimes.length ?? 0,
    impacts: film === null ? 0 : eventIndex(film).impactCount,
    time,
    event,
    playing,
    compare,
    span,
  };
}

/** Two frames: the browser has laid the page out anew, and observers of sizes have been told. */
const laidOut = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

function apply(store: Store, actions: Actions, options: Options): void {
  const { view, follow, ...plain } = options;
  if (view !== undefined) actions.setView(view, false);
  if (follow !== undefined) {
    const film = activeFilm(store.state);
    const body = film?.scene.objects.slice(0, film.bodies).findIndex(({ name }) => name === follow) ?? -1;
    if (follow !== null && body < 0) throw new Error(`there is no body named ${follow}`);
    actions.follow(follow === null ? null : body);
  }
  store.set(plain);
}

async function base64(data: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('the picture could not be read'));
    reader.readAsDataURL(data);
  });
  return address.slice(address.indexOf(',') + 1);
}

export function mountApi(store: Store, actions: Actions, ready: Promise<void>, { draw, picture }: Drawer): void {
  window.carom = {
    ready,
    info: () => info(store.state),
    async seek(time) {
      await ready;
      store.set({ playing: false });
      actions.seek(time);
      draw();
    },
    async seekEvent(index) {
      await ready;
      actions.seekEvent(index);
      draw();
    },
    async set(options) {
      await ready;
      apply(store, actions, options);
      await laidOut();
      if (!store.state.onDemand) draw();
    },
    async picture({ time, event }) {
      await ready;
      store.set({ playing: false });
      if (time !== undefined) actions.seek(time);
      if (event !== undefined) actions.seekEvent(event);
      return base64(await pngOf(picture()));
    },
  };
}

const on = (value: string | null): boolean | undefined =>
  value === null ? undefined : !['off', 'false', '0'].includes(value);

function oneOf<T extends string>(value: string | null, allowed: readonly T[]): T | undefined {
  return allowed.find((candidate) => candidate === value);
}

/** The options of an address; what is unknown or wrong in it is left out. */
export function parseHash(hash: string): { options: Options; time?: number; event?: number } {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (name: string): number | undefined => {
    const value = Number.parseFloat(given.get(name) ?? '');
    return Number.isFinite(value) ? value : undefined;
  };
  const all: Options = {
    view: oneOf(given.get('view'), ['iso', 'front', 'side', 'top'] as const),
    framing: oneOf(given.get('framing'), ['way', 'bodies'] as const),
    theme: oneOf(given.get('theme'), ['light', 'dark'] as const),
    compare: oneOf(given.get('compare'), ['side', 'ghosts'] as const),
    clean: on(given.get('clean')),
    onDemand: on(given.get('on-demand')),
    arrows: on(given.get('arrows')),
    forces: on(given.get('forces')),
    labels: on(given.get('labels')),
    trails: on(given.get('trails')),
    plots: on(given.get('plots')),
    follow: given.get('follow') ?? undefined,
  };
  const options = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Options;
  return { options, time: number('time'), event: number('event') };
}

/** Options of the address; a body that does not exist is no reason to show nothing. */
export function applyHash(store: Store, actions: Actions, hash: string): void {
  const { options, time, event } = parseHash(hash);
  try {
    apply(store, actions, options);
  } catch {
    const { follow: _, ...others } = options;
    apply(store, actions, others);
  }
  if (time !== undefined) actions.seek(time);
  if (event !== undefined) actions.seekEvent(event);
}
