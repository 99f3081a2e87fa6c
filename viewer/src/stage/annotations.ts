/** Names of bodies, captions of fields, dots for small bodies and the ruler, drawn over the picture of one film. */

import { Vector3 } from 'three';
import { type Drawing, drawBeside, drawValue, withUnit } from './arrows';
import { shapeRadius } from './bounds';
import { filmColour, objectColour, stageColours } from './colours';
import { fontFamily, project, shortened } from './overlay';

const mostLabels = 40;
const mostDots = 200;

/** Bodies too small to be seen get a dot. */
export function drawSmallBodies(drawing: Drawing): void {
  const { context, view, field, camera, theme } = drawing;
  const { film } = view;
  if (film.bodies > mostDots) return;
  const place = new Vector3();
  for (let body = 0; body < film.bodies; ++body) {
    view.placeOf(body, place);
    const radius = shapeRadius(film.object(body).shape) / view.bounds.radius / camera.pixelAt(place, field.height);
    const at = radius < 3 ? project(place, camera.camera, field) : null;
    if (at === null) continue;
    context.beginPath();
    context.arc(at.x, at.y, 3, 0, 2 * Math.PI);
    context.fillStyle = objectColour(film, body, theme);
    context.fill();
  }
}

/** Names beside the bodies, where they are few enough to be read. */
export function drawLabels(drawing: Drawing, selected: number | null): void {
  const { context, view, field, camera, theme } = drawing;
  const { film } = view;
  const few = film.bodies <= mostLabels;
  const bodies = few ? [...Array(film.bodies).keys()] : selected !== null ? [selected] : [];
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const place = new Vector3();
  // The selected name has its place first.
  bodies.sort((a, b) => Number(b === selected) - Number(a === selected));
  for (const body of bodies) {
    view.placeOf(body, place);
    const at = project(place, camera.camera, field);
    if (at === null) continue;
    context.font = `${body === selected ? '600 ' : ''}12px ${fontFamily}`;
    const { shape } = film.object(body);
    // Beside a ball; into a ring; closer to what is not round and reaches less far than its radius.
    const share = shape.kind === 'sphere' ? 1 : shape.kind === 'bore' || shape.kind === 'shell' ? 0 : 0.8;
    const radius = shapeRadius(shape) / view.bounds.radius / camera.pixelAt(place, field.height);
    const text = shortened(context, film.objectName(body), 140);
    const away = Math.min(share * radius, 120) + 3;
    drawBeside(drawing, text, at, { away, colour: stageColours[theme].text, stacked: true });
  }
}

/** The film's name at the top left of its field. */
export function drawCaption(drawing: Drawing, text: string, index: number, active: boolean): void {
  const { context, field, theme, taken } = drawing;
  const colours = stageColours[theme];
  context.font = `${active ? '600 ' : ''}13px ${fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const shown = shortened(context, text, field.width - 60);
  const width = context.measureText(shown).width + 34;
  const box = { x: field.x + 10, y: field.y + 10, width, height: 26 };
  taken.take(box);
  context.fillStyle = colours.caption;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 13);
  context.fill();
  context.fillStyle = filmColour(index, theme);
  context.beginPath();
  context.arc(box.x + 14, box.y + 13, 5, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colours.text;
  context.fillText(shown, box.x + 25, box.y + 13.5);
}

/** Centres of two bodies and what lies between them [m]. */
export function rulerBetween(drawing: Drawing, a: number, b: number): { from: Vector3; to: Vector3; length: number } {
  const { poses } = drawing.view;
  const from = poses.position(a, new Vector3());
  const to = poses.position(b, new Vector3());
  return { from, to, length: from.distanceTo(to) };
}

/** A measured line between the centres of two bodies. */
export function drawRuler(drawing: Drawing, a: number, b: number): void {
  const { context, view, field, camera, theme } = drawing;
  const { from, to, length } = rulerBetween(drawing, a, b);
  const ends = [from, to].map((end) => project(view.toWorld(end.clone()), camera.camera, field));
  const [start, end] = ends;
  if (start === null || end === null) return;
  const path = new Path2D();
  path.moveTo(start.x, start.y);
  path.lineTo(end.x, end.y);
  const across = Math.hypot(end.x - start.x, end.y - start.y);
  // Ticks at both ends, across the line.
  if (across > 0) {
    const [x, y] = [(-(end.y - start.y) / across) * 6, ((end.x - start.x) / across) * 6];
    for (const tip of [start, end]) {
      path.moveTo(tip.x - x, tip.y - y);
      path.lineTo(tip.x + x, tip.y + y);
    }
  }
  context.strokeStyle = stageColours[theme].background;
  context.lineWidth = 4.5;
  context.stroke(path);
  context.strokeStyle = stageColours[theme].text;
  context.lineWidth = 1.5;
  context.stroke(path);
  drawValue(drawing, withUnit(length, 'm'), { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 });
}
