/** Lets the time run: at the chosen speed, more slowly around impacts, and along the end of a film that still grows. */

import { distanceToNearest, eventIndex } from './event_index';
import { type Store, activeFilm, lastTime } from './state';

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10] as const;

/** Share of the speed that is left at the instant of an impact. */
const slowest = 0.04;
/** Half of the slowed stretch, in seconds of watching at full speed. */
const slowReach = 0.35;

/** How much of the speed is left near one of the times: smooth, 1 beyond the reach. */
export function slowMotionFactor(times: Float64Array, time: number, speed: number): number {
  const share = distanceToNearest(times, time) / (slowReach * speed);
  if (!(share < 1)) return 1;
  const smooth = share * share * (3 - 2 * share);
  return slowest + (1 - slowest) * smooth;
}

/** A speed at which a film of this length is worth watching: as it was where that takes 2 to 60 seconds. */
export function suggestedSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
  const wanted = duration < 2 ? duration / 8 : duration / 30;
  return speeds.reduce((best, speed) =>
    Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best,
  );
}

export class Player {
  private lastTick = 0;
  private request = 0;

  constructor(private readonly store: Store) {
    store.subscribe(['playing', 'live'], () => this.wake());
  }

  private wake(): void {
    const { playing, live } = this.store.state;
    if (this.request !== 0 || !(playing || live)) return;
    this.lastTick = performance.now();
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.request = 0;
    const elapsed = Math.max((now - this.lastTick) / 1000, 0);
    this.lastTick = now;
    const { playing, live } = this.store.state;
    if (live) this.followEnd(elapsed);
    // A hidden tab, or one slow frame, must not skip an impact.
    else if (playing) this.run(Math.min(elapsed, 0.1));
    if (this.store.state.playing || this.store.state.live) this.request = requestAnimationFrame((t) => this.tick(t));
  }

  private run(elapsed: number): void {
    const { state } = this.store;
    const film = activeFilm(state);
    const end = lastTime(state.films);
    let rate = state.speed;
    if (state.slowMotion && film !== null) {
      rate *= slowMotionFactor(eventIndex(film).slowTimes, state.time, state.speed);
    }
    const time = state.time + rate * elapsed;
    if (time < end) this.store.set({ time, event: null });
    else if (state.films.every(({ complete }) => complete)) this.store.set({ time: end, event: null, playing: false });
    else this.store.set({ time: end, event: null, live: true });
  }

  private followEnd(elapsed: number): void {
    const { state } = this.store;
    const end = lastTime(state.films);
    // Parts come twice a second; gliding towards the end is calmer than jumping.
    const time = state.time + (end - state.time) * Math.min(1, 5 * elapsed);
    const arrived = end - time < 1e-3 * Math.max(end, 1e-9);
    const done = state.films.every(({ complete }) => complete);
    if (done && arrived) this.store.set({ time: end, event: null, live: false, playing: false });
    else this.store.set({ time: arrived ? end : time, event: null });
  }
}
