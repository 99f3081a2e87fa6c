/** The timeline: where in the film we are, and all its events. Drag to scrub, wheel to zoom, double click for all. */

import type { Actions } from '../app/actions';
import { fitCanvas, setText, throttled } from '../app/dom';
import { formatTime } from '../app/numbers';
import { type Store, activeFilm, lastTime, wholeSpan } from '../app/state';
import { type StripLayout, paintStrip } from './timeline_paint';
import { type Scale, makeScale } from './timeline_scale';

const margin = 20; // with #axis on its left, as wide as the plots' own margins
/** A press this near to an event means the event [px]. */
const snapDistance = 5;
const closestZoom = 1e-9;

export class Timeline {
  private readonly canvas = document.createElement('canvas');
  private readonly cursor = document.createElement('div');
  private readonly hover = document.createElement('div');
  private readonly range = document.createElement('div');
  private readonly repaint: () => void;
  private scale: Scale | null = null;
  /** Part of the event axis that is shown; the time axis uses the state's span. */
  private eventWindow: readonly [number, number] | null = null;
  private pointers = new Map<number, number>();
  private pressedAt: number | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly store: Store,
    private readonly actions: Actions,
  ) {
    this.cursor.className = 'timeline-cursor';
    this.hover.className = 'timeline-hover';
    this.hover.hidden = true;
    this.range.className = 'timeline-range';
    this.canvas.setAttribute('aria-hidden', 'true');
    host.append(this.canvas, this.range, this.hover, this.cursor);
    this.repaint = throttled(30, () => this.paint());
    new ResizeObserver(() => this.paint()).observe(host);
    store.subscribe(['films', 'filmRevision', 'activeFilm', 'axis', 'span', 'theme'], (_, changed) => {
      if (changed.has('activeFilm') || changed.has('films') || changed.has('axis')) this.eventWindow = null;
      this.repaint();
    });
    store.subscribe(['time', 'event'], () => this.placeCursor());
    this.listen();
  }

  private get layout(): StripLayout {
    const { clientWidth: width, clientHeight: height } = this.host;
    return { width, height, margin, baseline: height - 21 };
  }

  private get window(): readonly [number, number] {
    const { axis, span } = this.store.state;
    const whole = this.scale?.whole ?? [0, 1];
    return (axis === 'time' ? span : this.eventWindow) ?? whole;
  }

  private setWindow(window: readonly [number, number] | null): void {
    if (this.store.state.axis === 'time') this.store.set({ span: window });
    else {
      this.eventWindow = window;
      this.repaint();
    }
  }

  private paint(): void {
    const { state } = this.store;
    const film = activeFilm(state);
    const { layout } = this;
    if (film === null || layout.width < 3 * margin) return;
    const whole = wholeSpan(state.films);
    this.scale = makeScale(state.axis, film, whole);
    const context = fitCanvas(this.canvas, layout.width, layout.height);
    const reached = lastTime(state.films);
    paintStrip(context, layout, { film, scale: this.scale, window: this.window, axis: state.axis, reached });
    this.host.setAttribute('aria-valuemin', String(whole[0]));
    this.host.setAttribute('aria-valuemax', String(reached));
    this.placeRange();
    this.placeCursor();
  }

  /** A thin bar that tells which part of the whole is shown. */
  private placeRange(): void {
    const whole = this.scale?.whole ?? [0, 1];
    const [from, to] = this.window;
    const length = whole[1] - whole[0];
    this.range.hidden = from <= whole[0] && to >= whole[1];
    this.range.style.left = `calc(${margin}px + (100% - ${2 * margin}px) * ${(from - whole[0]) / length})`;
    this.range.style.width = `calc(max(3px, (100% - ${2 * margin}px) * ${(to - from) / length}))`;
  }

  private placeCursor(): void {
    const { time, event } = this.store.state;
    if (this.scale === null) return;
    const x = this.pixelOf(this.scale.coordinate(time, event));
    this.cursor.hidden = x < margin - 1 || x > this.layout.width - margin + 1;
    this.cursor.style.transform = `translateX(${x}px)`;
    this.host.setAttribute('aria-valuenow', String(time));
    this.host.setAttribute('aria-valuetext', `${time.toPrecision(6)} s`);
  }

  private pixelOf(coordinate: number): number {
    const [from, to] = this.window;
    return margin + ((coordinate - from) / (to - from)) * (this.layout.width - 2 * margin);
  }

  private coordinateAt(pixel: number): number {
    const [from, to] = this.window;
    return from + ((pixel - margin) / (this.layout.width - 2 * margin)) * (to - from);
  }

  /** The event whose tick is under the pixel, if it is one of few; null otherwise. */
  private eventAt(pixel: number): number | null {
    if (this.scale === null) return null;
    const near = [this.coordinateAt(pixel - snapDistance), this.coordinateAt(pixel + snapDistance)];
    const [first, last] = this.scale.eventsWithin(near[0], near[1]);
    if (last <= first || last - first > 64) return null;
    let best = first;
    for (let event = first; event < last; ++event) {
      const distance = (candidate: number): number => Math.abs(this.pixelOf(this.scale!.ofEvent(candidate)) - pixel);
      if (distance(event) < distance(best)) best = event;
    }
    return best;
  }

  private seekTo(pixel: number, snap: boolean): void {
    if (this.scale === null) return;
    const event = snap ? this.eventAt(pixel) : null;
    if (event !== null) this.actions.seekEvent(event);
    else this.actions.seek(this.scale.time(this.coordinateAt(pixel)));
  }

  private zoomAt(pixel: number, factor: number, shift = 0): void {
    const whole = this.scale?.whole;
    if (whole === undefined) return;
    const centre = this.coordinateAt(pixel);
    let [from, to] = this.window.map((u) => centre + (u - centre) * factor + shift * (this.window[1] - this.window[0]));
    const length = to - from;
    if (length >= whole[1] - whole[0]) return this.setWindow(null);
    if (length < closestZoom * (whole[1] - whole[0])) return;
    if (from < whole[0]) [from, to] = [whole[0], whole[0] + length];
    if (to > whole[1]) [from, to] = [whole[1] - length, whole[1]];
    this.setWindow([from, to]);
  }

  private listen(): void {
    const { host } = this;
    const place = (event: MouseEvent): number => event.clientX - host.getBoundingClientRect().left;
    host.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      host.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, place(event));
      if (this.pointers.size > 1) return;
      this.store.set({ playing: false });
      this.pressedAt = place(event);
      this.seekTo(place(event), true);
    });
    host.addEventListener('pointermove', (event) => {
      const x = place(event);
      this.tell(x);
      const before = this.pointers.get(event.pointerId);
      if (before === undefined) return;
      this.pointers.set(event.pointerId, x);
      if (this.pointers.size === 2) return this.pinch(event.pointerId, before, x);
      // A trembling press is not a drag: it would lose the event that it met.
      if (this.pressedAt !== null && Math.abs(x - this.pressedAt) < 3) return;
      this.pressedAt = null;
      this.seekTo(x, this.store.state.axis === 'event');
    });
    const release = (event: PointerEvent): void => {
      this.pointers.delete(event.pointerId);
      this.pressedAt = null;
    };
    host.addEventListener('pointerup', release);
    host.addEventListener('pointercancel', release);
    host.addEventListener('pointerleave', () => (this.hover.hidden = true));
    host.addEventListener('dblclick', () => this.setWindow(null));
    host.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        // Browsers turn the wheel sideways by themselves where shift is held, or do not.
        const [sideways, along] = event.shiftKey ? [event.deltaY || event.deltaX, 0] : [event.deltaX, event.deltaY];
        if (Math.abs(sideways) > Math.abs(along)) this.zoomAt(place(event), 1, sideways / 1000);
        else this.zoomAt(place(event), Math.exp(along / 400));
      },
      { passive: false },
    );
  }

  /** Two fingers: what was between them stays between them. */
  private pinch(moved: number, before: number, now: number): void {
    const other = [...this.pointers].find(([id]) => id !== moved)?.[1];
    if (other === undefined || Math.abs(now - other) < 8) return;
    this.zoomAt(other, Math.abs(before - other) / Math.abs(now - other));
  }

  private tell(pixel: number): void {
    const { state } = this.store;
    if (this.scale === null) return;
    const within = pixel >= margin && pixel <= this.layout.width - margin;
    this.hover.hidden = !within;
    if (!within) return;
    const time = this.scale.time(this.coordinateAt(pixel));
    setText(this.hover, `${formatTime(time, this.window[1] - this.window[0] || lastTime(state.films))} s`);
    const half = this.hover.offsetWidth / 2;
    const x = Math.min(Math.max(pixel, half + 2), this.layout.width - half - 2);
    this.hover.style.transform = `translateX(${x - half}px)`;
  }
}
