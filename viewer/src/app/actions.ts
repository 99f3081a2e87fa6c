/** What the user can do, whatever with: buttons, keys, the timeline, or the page's interface for programs. */

import type { Stage } from '../stage/stage';
import { fileStem, pngOf, saveFile } from './saving';
import { nextStep, neighbourSample, previousStep } from './event_index';
import { speeds } from './player';
import { type PlotRow, type Store, type ViewPreset, activeFilm, lastTime, wholeSpan } from './state';

export const mostPlotRows = 4;

export class Actions {
  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {}

  /** To a time, without looking at an event. */
  seek(time: number): void {
    const { films, playing } = this.store.state;
    const [start] = wholeSpan(films);
    const within = Math.min(Math.max(time, start), lastTime(films));
    this.store.set({ time: within, event: null, closeUp: null, live: false, playing });
  }

  seekEvent(event: number): void {
    const film = activeFilm(this.store.state);
    if (film === null || !(event >= 0 && event < film.eventTimes.length)) return;
    this.store.set({ time: film.eventTimes[event], event, closeUp: null, live: false, playing: false });
  }

  /** To an event that the user has asked for: it is framed, too. */
  visitEvent(event: number): void {
    this.seekEvent(event);
    if (this.store.state.closeUps && this.store.state.event === event) this.store.set({ closeUp: event });
  }

  toggleCloseUps(): void {
    const { closeUps, event } = this.store.state;
    this.store.set({ closeUps: !closeUps, closeUp: closeUps ? null : event });
  }

  nextImpact(): void {
    this.stepTo(nextStep);
  }

  previousImpact(): void {
    this.stepTo(previousStep);
  }

  private stepTo(find: typeof nextStep): void {
    const { state } = this.store;
    const film = activeFilm(state);
    const event = film === null ? null : find(film, state.time, state.event);
    if (event !== null) this.visitEvent(event);
    else this.store.set({ playing: false, live: false });
  }

  stepFrame(direction: 1 | -1): void {
    const { state } = this.store;
    const film = activeFilm(state);
    if (film === null) return;
    this.store.set({ playing: false });
    this.seek(neighbourSample(film, state.time, direction));
  }

  /** The stretch of time in timeline and plots, about the time shown: half as long, or twice. */
  zoomSpan(factor: number): void {
    const { films, span, time } = this.store.state;
    if (films.length === 0) return;
    const whole = wholeSpan(films);
    const [from, to] = span ?? whole;
    const near: [number, number] = [time + (from - time) / factor, time + (to - time) / factor];
    const within: [number, number] = [Math.max(near[0], whole[0]), Math.min(near[1], whole[1])];
    const isWhole = within[0] <= whole[0] && within[1] >= whole[1];
    // Doubles tell times apart to this part of the whole.
    if (within[1] - within[0] > 1e-12 * (whole[1] - whole[0])) this.store.set({ span: isWhole ? null : within });
  }

  first(): void {
    this.seek(wholeSpan(this.store.state.films)[0]);
  }

  last(): void {
    this.seek(lastTime(this.store.state.films));
    this.store.set({ playing: false });
  }

  togglePlay(): void {
    const { playing, live, films, time } = this.store.state;
    if (films.length === 0) return;
    if (playing || live) {
      this.store.set({ playing: false, live: false });
      return;
    }
    const atEnd = time >= lastTime(films);
    if (atEnd && films.some(({ complete }) => !complete)) this.store.set({ live: true, playing: true });
    else this.store.set({ time: atEnd ? wholeSpan(films)[0] : time, event: null, closeUp: null, playing: true });
  }

  goLive(): void {
    this.store.set({ live: true, playing: true, event: null, closeUp: null });
  }

  changeSpeed(direction: 1 | -1): void {
    const { speed } = this.store.state;
    const place = speeds.findIndex((candidate) => candidate >= speed);
    this.store.set({ speed: speeds[Math.min(Math.max(place + direction, 0), speeds.length - 1)] });
  }

  setView(view: ViewPreset, animate = true): void {
    // Drawings of three sides have no perspective.
    const flat = view !== 'iso';
    this.store.set({ view, flat, follow: null, closeUp: null });
    this.stage.setFlat(flat);
    this.stage.setView(view, animate && !matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  toggleFlat(): void {
    this.store.set({ flat: !this.store.state.flat });
    this.stage.setFlat(this.store.state.flat);
  }

  fit(): void {
    this.stage.fit();
  }

  select(body: number | null): void {
    this.store.set({ selectedBody: body, ruler: null });
  }

  /** The ruler from the selected body to another one; the same again takes it away. */
  measureTo(body: number | null): void {
    const { ruler, selectedBody } = this.store.state;
    if (selectedBody === null) return this.select(body);
    this.store.set({ ruler: body === ruler || body === selectedBody ? null : body });
  }

  follow(body: number | null): void {
    this.store.set({ follow: body });
  }

  /** Follows the selected body (the first one where none is selected), or stops following. */
  toggleFollow(): void {
    const { follow, selectedBody, films } = this.store.state;
    if (films.length === 0) return;
    if (follow !== null && (selectedBody === null || selectedBody === follow)) this.store.set({ follow: null });
    else this.store.set({ follow: selectedBody ?? 0, selectedBody: selectedBody ?? 0 });
  }

  toggle(key: 'arrows' | 'forces' | 'trails' | 'labels' | 'plots' | 'slowMotion'): void {
    this.store.set({ [key]: !this.store.state[key] });
  }

  toggleSide(): void {
    this.store.set({ side: this.store.state.side === 'before' ? 'after' : 'before' });
  }

  toggleCompare(): void {
    const { compare, films } = this.store.state;
    if (films.length > 1) this.store.set({ compare: compare === 'side' ? 'ghosts' : 'side' });
  }

  toggleTheme(): void {
    this.store.set({ theme: this.store.state.theme === 'dark' ? 'light' : 'dark' });
  }

  /** Another film becomes the one the panels speak of, with its event of the same instant where one is looked at. */
  activateFilm(index: number): void {
    const { films, activeFilm: current, event, time } = this.store.state;
    const film = films[index];
    if (index === current || film === undefined) return;
    const next = event === null ? null : nextStep(film, time, null);
    const same = next !== null && film.eventTimes[next] === time ? next : null;
    this.store.set({ activeFilm: index, event: same, closeUp: null });
  }

  setPlotRows(plotRows: readonly PlotRow[]): void {
    this.store.set({ plotRows: plotRows.slice(0, mostPlotRows) });
  }

  /** The film as it is shown, without panels. */
  async savePicture(): Promise<void> {
    const { time, films } = this.store.state;
    if (films.length === 0) return;
    saveFile(await pngOf(this.stage.redrawn()), `${fileStem(activeFilm(this.store.state)?.name)}-${time.toPrecision(6)}s.png`);
  }

  orbit(dx: number, dy: number): void {
    this.stage.orbit(dx, dy);
  }

  zoom(factor: number): void {
    this.stage.zoom(factor);
  }
}
