/** What the page shows, in one place; panels and stage read it and are told of changes. */

import type { Film } from '../film/film';

export type ViewPreset = 'iso' | 'front' | 'side' | 'top';
export type Theme = 'light' | 'dark';
/** Several films: in fields beside each other, or the others as ghosts in the first one's field. */
export type CompareMode = 'side' | 'ghosts';
/** What the camera holds: all that the bodies do over the film, or the bodies as they are at the time shown. */
export type FramingMode = 'way' | 'bodies';
/** The timeline: proportional to time, or every event as wide as the next. */
export type TimelineAxis = 'time' | 'event';
/** Which panel is open; a wide page shows the plots beside the others. */
export type Tab = 'impacts' | 'plots' | 'scene';

export interface PlotRow {
  /** A name of panels/quantities.ts. */
  quantity: string;
  /** Over frequency instead of over time. */
  spectrum: boolean;
}

export interface State {
  films: Film[];
  /** Rises when a film has grown or the list of films has changed. */
  filmRevision: number;
  /** Model time shown [s]. */
  time: number;
  playing: boolean;
  /** Model seconds per second; slowed down near impacts where slowMotion is set. */
  speed: number;
  slowMotion: boolean;
  /** Follows the end of a film that still grows. */
  live: boolean;
  /** The event that is looked at, of film `activeFilm`; null while running freely. */
  event: number | null;
  /** Whether velocities are shown as before or after that event. */
  side: 'before' | 'after';
  activeFilm: number;
  selectedBody: number | null;
  follow: number | null;
  view: ViewPreset;
  /** Without perspective. */
  flat: boolean;
  /** Whether stepping to an impact takes the camera close to it, and away again. */
  closeUps: boolean;
  /** The event that was stepped to and is framed, of film `activeFilm`. */
  closeUp: number | null;
  /** The body to which the ruler reaches from the selected one. */
  ruler: number | null;
  framing: FramingMode;
  compare: CompareMode;
  arrows: boolean;
  /** Forces of contacts and joints, between impacts too. */
  forces: boolean;
  trails: boolean;
  labels: boolean;
  plots: boolean;
  plotRows: readonly PlotRow[];
  axis: TimelineAxis;
  /** The stretch of time that timeline and plots show; null: all of it. */
  span: readonly [number, number] | null;
  tab: Tab;
  theme: Theme;
  /** The film alone, without panels: for pictures and videos. */
  clean: boolean;
  /** Drawn only when a program asks for it. */
  onDemand: boolean;
}

export function initialState(theme: Theme): State {
  return {
    films: [],
    filmRevision: 0,
    time: 0,
    playing: false,
    speed: 1,
    slowMotion: true,
    live: false,
    event: null,
    side: 'after',
    activeFilm: 0,
    selectedBody: null,
    follow: null,
    view: 'iso',
    flat: false,
    closeUps: true,
    closeUp: null,
    ruler: null,
    framing: 'way',
    compare: 'side',
    arrows: true,
    forces: false,
    trails: false,
    labels: false,
    plots: true,
    plotRows: [{ quantity: 'energy', spectrum: false }],
    axis: 'time',
    span: null,
    tab: 'impacts',
    theme,
    clean: false,
    onDemand: false,
  };
}

type Listener = (state: Readonly<State>, changed: ReadonlySet<keyof State>) => void;

export class Store {
  private readonly listeners: { keys: readonly (keyof State)[] | null; listener: Listener }[] = [];

  constructor(private readonly current: State) {}

  get state(): Readonly<State> {
    return this.current;
  }

  /** Called after a change of one of the keys (of any, where none are named). */
  subscribe(keys: readonly (keyof State)[] | null, listener: Listener): void {
    this.listeners.push({ keys, listener });
  }

  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (Object.is(this.current[key], patch[key])) continue;
      (this.current as unknown as Record<string, unknown>)[key] = patch[key];
      changed.add(key);
    }
    if (changed.size === 0) return;
    for (const { keys, listener } of this.listeners) {
      if (keys === null || keys.some((key) => changed.has(key))) listener(this.current, changed);
    }
  }
}

/** The film that the panels speak of; null before one is loaded. */
export function activeFilm(state: Readonly<State>): Film | null {
  return state.films[state.activeFilm] ?? null;
}

/** The stretch of time that all films together cover; a film that still runs reaches to its planned end. */
export function wholeSpan(films: readonly Film[]): [number, number] {
  if (films.length === 0) return [0, 1];
  const start = Math.min(...films.map((film) => film.startTime));
  const end = Math.max(...films.map((film) => plannedEnd(film)));
  return end > start ? [start, end] : [start, start + 1];
}

export function plannedEnd(film: Film): number {
  const { duration } = film.scene;
  return !film.complete && Number.isFinite(duration) ? Math.max(duration, film.endTime) : film.endTime;
}

/** The last time there is something to see of. */
export function lastTime(films: readonly Film[]): number {
  return films.length === 0 ? 0 : Math.max(...films.map((film) => film.endTime));
}
