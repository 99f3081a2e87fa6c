/** The paths that bodies have taken up to now; older parts fade into the ground. */

import { Color, Group, Vector3 } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Theme } from '../app/state';
import { Film } from '../film/film';
import { placementAt } from '../film/motion';
import { objectColour, stageColours } from './colours';

const mostPoints = 600;
const mostTrails = 24;

/** Times at which the path is drawn: samples thinned out, every jump of the body, and now. */
function pathTimes(film: Film, body: number, now: number): number[] {
  const times = film.times;
  const last = Film.lastAtOrBefore(times, now);
  const sampleStep = Math.max(1, Math.ceil((last + 1) / mostPoints));
  // Between far samples free flight is curved.
  const parts = Math.min(Math.max(Math.floor(mostPoints / (2 * (last + 1))), 1), 8);
  const chosen: number[] = [];
  for (let sample = 0; sample <= last; sample += sampleStep) {
    const next = sample < last ? times[sample + 1] : now;
    for (let part = 0; part < parts; ++part) chosen.push(times[sample] + (part / parts) * (next - times[sample]));
  }
  const rows = film.jumpRows(body);
  const jumpStep = Math.max(1, Math.ceil(rows.length / mostPoints));
  for (let i = 0; i < rows.length; i += jumpStep) {
    const time = film.jumpTime(rows[i]);
    if (time > now) break;
    chosen.push(time);
  }
  chosen.push(now);
  return chosen.sort((a, b) => a - b);
}

export class Trails {
  readonly group = new Group();
  private lines: Line2[] = [];
  private key = '';

  constructor(
    private readonly film: Film,
    private readonly theme: Theme,
  ) {}

  /** @param centre origin of the drawn coordinates [m], for the sake of single precision. */
  update(now: number, selected: number | null, centre: Vector3, width: number): void {
    const key = `${now} ${selected} ${this.film.revision} ${centre.toArray().join(' ')}`;
    if (key === this.key) return;
    this.key = key;
    this.clear();
    if (this.film.times.length < 2) return;
    const all = this.film.bodies <= mostTrails ? [...Array(this.film.bodies).keys()] : [];
    const bodies = selected !== null ? [selected] : all;
    this.group.position.copy(centre);
    for (const body of bodies) this.addLine(body, now, centre, width);
  }

  private addLine(body: number, now: number, centre: Vector3, width: number): void {
    const times = pathTimes(this.film, body, now);
    if (times.length < 2) return;
    const positions: number[] = [];
    const colours: number[] = [];
    const full = new Color(objectColour(this.film, body, this.theme));
    const ground = new Color(stageColours[this.theme].background);
    const mixed = new Color();
    times.forEach((time, i) => {
      const [x, y, z] = placementAt(this.film, body, time).position;
      positions.push(x - centre.x, y - centre.y, z - centre.z);
      mixed.copy(ground).lerp(full, 0.65 + 0.35 * (i / (times.length - 1)));
      colours.push(mixed.r, mixed.g, mixed.b);
    });
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    geometry.setColors(colours);
    const material = new LineMaterial({ linewidth: width, vertexColors: true, toneMapped: false });
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    this.lines.push(line);
    this.group.add(line);
  }

  setResolution(width: number, height: number): void {
    for (const line of this.lines) line.material.resolution.set(width, height);
  }

  clear(): void {
    for (const line of this.lines) {
      this.group.remove(line);
      line.geometry.dispose();
      line.material.dispose();
    }
    this.lines = [];
  }

  dispose(): void {
    this.clear();
  }
}
