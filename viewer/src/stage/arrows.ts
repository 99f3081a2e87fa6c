/** What arrows of the stage have in common: where they are on the page, and the colours of those they act on. */

import { Vector3 } from 'three';
import { formatNumber } from '../app/numbers';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import type { Vector } from '../film/format';
import type { StageCamera } from './camera';
import { objectColour, stageColours } from './colours';
import type { FilmView } from './film_view';
import { type ArrowStyle, drawArrow, drawText, type Field, fontFamily, type Point, project, Taken } from './overlay';

export interface Drawing {
  context: CanvasRenderingContext2D;
  view: FilmView;
  field: Field;
  camera: StageCamera;
  theme: Theme;
  taken: Taken;
}

export const withUnit = (value: number, unit: string): string => `${formatNumber(value, 3)} ${unit}`;
export const norm = (v: Vector): number => Math.hypot(v[0], v[1], v[2]);
export const times = (v: Vector, s: number): Vector => [v[0] * s, v[1] * s, v[2] * s];

/** A place [m] on the page. */
export function onPage(drawing: Drawing, point: Vector): Point | null {
  const place = drawing.view.toWorld(new Vector3(...point));
  return project(place, drawing.camera.camera, drawing.field);
}

/** Metres per pixel at a place [m]. */
export function metresPerPixel(drawing: Drawing, point: Vector): number {
  const place = drawing.view.toWorld(new Vector3(...point));
  return drawing.camera.pixelAt(place, drawing.field.height) * drawing.view.bounds.radius;
}

export interface Segment {
  from: Point;
  to: Point;
}

/** An arrow of so many pixels length across the line of sight. */
export function segment(drawing: Drawing, start: Vector, direction: Vector, pixels: number): Segment | null {
  const size = norm(direction);
  if (size === 0) return null;
  const metres = pixels * metresPerPixel(drawing, start);
  const end = start.map((x, i) => x + (direction[i] / size) * metres) as Vector;
  const from = onPage(drawing, start);
  const to = onPage(drawing, end);
  return from === null || to === null ? null : { from, to };
}

/** What acts between two objects: on a at a point, and the opposite on b. */
export interface Push {
  a: number;
  b: number;
  point: Vector;
  /** On a. */
  vector: Vector;
}

/**
 * Two arrows of one length, each in the colour of the object that it acts on. Returns the tip of the one on a, or on b
 * where a is none.
 */
export function drawPush(drawing: Drawing, push: Push, pixels: number, style: Omit<ArrowStyle, 'colour'>): Point | null {
  const { context, view, theme } = drawing;
  const halo = stageColours[theme].background;
  let tip: Point | null = null;
  for (const [object, sign] of [[push.b, -1], [push.a, 1]] as const) {
    const arrow = segment(drawing, push.point, times(push.vector, sign), pixels);
    if (arrow === null) continue;
    drawArrow(context, arrow.from, arrow.to, { ...style, colour: objectColour(view.film, object, theme) }, halo);
    if (tip === null || object >= 0) tip = arrow.to;
  }
  return tip;
}

export function drawDot(drawing: Drawing, point: Vector): void {
  const at = onPage(drawing, point);
  if (at === null) return;
  const { context, theme } = drawing;
  context.beginPath();
  context.arc(at.x, at.y, 3.6, 0, 2 * Math.PI);
  context.fillStyle = stageColours[theme].text;
  context.strokeStyle = stageColours[theme].background;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}

interface Beside {
  /** So far from the point [px]. */
  away: number;
  colour: string;
  /** Above and below it first: in a row of bodies the places at the sides are those of others. */
  stacked?: boolean;
}

/** A text beside a point, at the first place that is free; where none is, it is left out. */
export function drawBeside(drawing: Drawing, text: string, at: Point, { away, colour, stacked }: Beside): void {
  const { context, theme, taken } = drawing;
  const width = context.measureText(text).width;
  const height = 16;
  const slant = 0.7 * away;
  const stack = [
    { x: at.x - width / 2, y: at.y - away - height },
    { x: at.x - width / 2, y: at.y + away },
    { x: at.x - width / 2, y: at.y - away - 2 * height },
    { x: at.x - width / 2, y: at.y + away + height },
  ];
  const places = [
    ...(stacked === true ? stack : []),
    { x: at.x - width / 2, y: at.y - away - height },
    { x: at.x + away, y: at.y - height / 2 },
    { x: at.x - width - away, y: at.y - height / 2 },
    { x: at.x - width / 2, y: at.y + away },
    { x: at.x + slant, y: at.y - slant - height },
    { x: at.x - width - slant, y: at.y - slant - height },
    { x: at.x + slant, y: at.y + slant },
    { x: at.x - width - slant, y: at.y + slant },
  ];
  for (const { x, y } of places) {
    if (!taken.take({ x: x - 2, y, width: width + 4, height })) continue;
    drawText(context, text, { x, y: y + height / 2 }, colour, stageColours[theme].background);
    return;
  }
}

export function drawValue(drawing: Drawing, text: string, at: Point): void {
  drawing.context.font = `600 12px ${fontFamily}`;
  drawing.context.textBaseline = 'middle';
  drawing.context.textAlign = 'left';
  drawBeside(drawing, text, at, { away: 7, colour: stageColours[drawing.theme].text });
}

/** A line of the key: what an arrow means. */
export interface KeyEntry {
  text: string;
  colour: string;
  style: Omit<ArrowStyle, 'colour'>;
}

/** As many objects are named in the key one by one. */
const mostNamed = 5;

/** Lines for arrows in the colours of the objects that they act on. */
export function pushKey(film: Film, what: string, objects: Iterable<number>, theme: Theme, style: KeyEntry['style']): KeyEntry[] {
  const unique = [...new Set(objects)];
  if (unique.length > mostNamed) {
    const text = `${what}, in the colour of what is pushed`;
    return [{ text, colour: stageColours[theme].faintText, style }];
  }
  return unique.map((object) => ({
    text: `${what} on ${film.objectName(object)}`,
    colour: objectColour(film, object, theme),
    style,
  }));
}

/** The key, at the lower left unless one of the places to keep clear is there. */
export function drawKey(drawing: Drawing, entries: readonly KeyEntry[], clearOf: readonly Vector[]): void {
  const { context, field, theme, taken } = drawing;
  if (entries.length === 0 || field.height < 220) return;
  const colours = stageColours[theme];
  context.font = `12px ${fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const line = 18;
  const height = entries.length * line + 10;
  const width = Math.min(56 + Math.max(...entries.map(({ text }) => context.measureText(text).width)), field.width - 20);
  const y = field.y + field.height - height - 10;
  const corners = [field.x + 10, field.x + field.width - width - 10].map((x) => ({ x, y, width, height }));
  const places = clearOf.flatMap((point) => onPage(drawing, point) ?? []);
  const clear = (corner: Field): boolean =>
    places.every((at) => at.x < corner.x - 40 || at.x > corner.x + width + 40 || at.y < corner.y - 40);
  const box = corners.find(clear) ?? corners[0];
  if (!taken.take(box)) return;
  context.fillStyle = colours.caption;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 6);
  context.fill();
  entries.forEach(({ text, colour, style }, i) => {
    const middle = box.y + 5 + (i + 0.5) * line;
    const [from, to] = [8, 38].map((x) => ({ x: box.x + x, y: middle }));
    drawArrow(context, from, to, { ...style, width: Math.min(style.width, 2.8), colour, opacity: 1 }, colours.background);
    context.fillStyle = colours.text;
    context.fillText(text, box.x + 46, middle + 0.5);
  });
}
