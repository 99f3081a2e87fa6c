/** Arrows of an impact, names of bodies and captions of fields, drawn over the picture of one film. */

import { Vector3 } from 'three';
import { formatNumber } from '../app/numbers';
import type { Theme } from '../app/state';
import type { Contact, Jump } from '../film/film';
import type { Vector } from '../film/format';
import { impulseUnit } from '../film/words';
import { shapeRadius } from './bounds';
import type { StageCamera } from './camera';
import { bodyColour, filmColour, stageColours } from './colours';
import type { FilmView } from './film_view';
import { drawArrow, drawText, type Field, fontFamily, type Point, project, shortened, Taken } from './overlay';

const mostLabels = 40;
const mostArrows = 400;
const mostDots = 200;
/** Values are written at this many contacts at most. */
const mostValues = 6;

export interface Drawing {
  context: CanvasRenderingContext2D;
  view: FilmView;
  field: Field;
  camera: StageCamera;
  theme: Theme;
  taken: Taken;
}

export const withUnit = (value: number, unit: string): string => `${formatNumber(value, 3)} ${unit}`;
const norm = (v: Vector): number => Math.hypot(v[0], v[1], v[2]);
const times = (v: Vector, s: number): Vector => [v[0] * s, v[1] * s, v[2] * s];

/** A place [m] on the page. */
function onPage(drawing: Drawing, point: Vector): Point | null {
  const place = drawing.view.toWorld(new Vector3(...point));
  return project(place, drawing.camera.camera, drawing.field);
}

/** Metres per pixel at a place [m]. */
function metresPerPixel(drawing: Drawing, point: Vector): number {
  const place = drawing.view.toWorld(new Vector3(...point));
  return drawing.camera.pixelAt(place, drawing.field.height) * drawing.view.bounds.radius;
}

/** The longest arrow in pixels: about the size of the bodies that meet, within what can be read. */
function longestArrow(drawing: Drawing, contacts: readonly Contact[], jumps: readonly Jump[]): number {
  const { view, field } = drawing;
  const most = 0.17 * Math.min(field.width, field.height);
  const place = new Vector3();
  const meeting = [...jumps.map(({ body }) => body), ...contacts.flatMap(({ a, b }) => [a, b])];
  const bodies = meeting.filter((object) => object >= 0 && object < view.film.bodies);
  const radii = bodies.slice(0, 50).map((body) => {
    const centre = view.poses.position(body, place).toArray() as Vector;
    return shapeRadius(view.film.object(body).shape) / metresPerPixel(drawing, centre);
  });
  return radii.length === 0 ? most : Math.min(Math.max(1.7 * Math.min(...radii), 44), most);
}

interface Segment {
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

/** Moved aside, always towards the same side of the page: arrows before and after never change places. */
function shifted({ from, to }: Segment, pixels: number): Segment {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < 1) return { from, to };
  const x = -(to.y - from.y) / length;
  const y = (to.x - from.x) / length;
  const by = y > 0 || (y === 0 && x > 0) ? pixels : -pixels;
  const move = (p: Point): Point => ({ x: p.x + by * x, y: p.y + by * y });
  return { from: move(from), to: move(to) };
}

function drawVelocities(drawing: Drawing, jumps: readonly Jump[], side: 'before' | 'after', longest: number): void {
  const { context, view, theme } = drawing;
  const colours = stageColours[theme];
  const fastest = Math.max(...jumps.flatMap((jump) => [norm(jump.velocityBefore), norm(jump.velocityAfter)]), 0);
  if (fastest === 0) return;
  for (const jump of jumps.slice(0, mostArrows)) {
    const centre = view.poses.position(jump.body, new Vector3()).toArray() as Vector;
    // Beside the line of the impulse, on which they lie at a central impact.
    const radius = shapeRadius(view.film.object(jump.body).shape) / metresPerPixel(drawing, centre);
    const aside = Math.min(Math.max(0.3 * radius, 6), 16);
    const both = [
      { velocity: jump.velocityBefore, dashed: true, shown: side === 'before', shift: -aside },
      { velocity: jump.velocityAfter, dashed: false, shown: side === 'after', shift: aside },
    ];
    for (const { velocity, dashed, shown, shift } of both) {
      const speed = norm(velocity);
      if (speed < 1e-3 * fastest) continue;
      const arrow = segment(drawing, centre, velocity, longest * Math.max(speed / fastest, 0.18));
      if (arrow === null) continue;
      const { from, to } = shifted(arrow, shift);
      const style = { colour: colours.velocity, width: shown ? 3 : 2.2, dashed, opacity: shown ? 1 : 0.75 };
      drawArrow(context, from, to, style, colours.background);
    }
  }
}

function drawImpulses(drawing: Drawing, contacts: readonly Contact[], longest: number): void {
  const { context, theme } = drawing;
  const colours = stageColours[theme];
  const halo = colours.background;
  const largest = Math.max(...contacts.map((c) => Math.max(Math.abs(c.impulse), norm(c.tangentialImpulse))), 0);
  const tips: { contact: Contact; at: Point }[] = [];
  for (const contact of contacts.slice(0, mostArrows)) {
    const length = (size: number): number => longest * Math.max(size / largest, 0.2);
    const push = times(contact.normal, contact.impulse);
    if (largest > 0 && contact.impulse !== 0) {
      const onB = segment(drawing, contact.point, times(push, -1), 0.8 * length(norm(push)));
      const thin = { colour: colours.impulse, width: 1.6, opacity: 0.85 };
      if (onB !== null) drawArrow(context, onB.from, onB.to, thin, halo);
      const onA = segment(drawing, contact.point, push, length(norm(push)));
      if (onA !== null) {
        drawArrow(context, onA.from, onA.to, { colour: colours.impulse, width: 3.6 }, halo);
        tips.push({ contact, at: onA.to });
      }
    }
    const friction = norm(contact.tangentialImpulse);
    if (friction > 1e-6 * largest) {
      const along = segment(drawing, contact.point, contact.tangentialImpulse, length(friction));
      if (along !== null) drawArrow(context, along.from, along.to, { colour: colours.friction, width: 3.2 }, halo);
    }
    drawDot(drawing, contact.point);
  }
  if (tips.length <= mostValues) {
    for (const { contact, at } of tips) drawValue(drawing, withUnit(contact.impulse, impulseUnit(contact)), at);
  }
}

function drawDot(drawing: Drawing, point: Vector): void {
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

/** A text beside a point, at the first of four places that is free. */
function drawBeside(drawing: Drawing, text: string, at: Point, away: number, colour: string): void {
  const { context, theme, taken } = drawing;
  const width = context.measureText(text).width;
  const height = 16;
  const places = [
    { x: at.x - width / 2, y: at.y - away - height },
    { x: at.x + away, y: at.y - height / 2 },
    { x: at.x - width - away, y: at.y - height / 2 },
    { x: at.x - width / 2, y: at.y + away },
  ];
  for (const { x, y } of places) {
    if (!taken.take({ x: x - 2, y, width: width + 4, height })) continue;
    drawText(context, text, { x, y: y + height / 2 }, colour, stageColours[theme].background);
    return;
  }
}

export function drawValue(drawing: Drawing, text: string, at: Point, colour = stageColours[drawing.theme].impulse): void {
  drawing.context.font = `600 12px ${fontFamily}`;
  drawing.context.textBaseline = 'middle';
  drawing.context.textAlign = 'left';
  drawBeside(drawing, text, at, 7, colour);
}

/** Impulses and velocities of an event; with a key that says what the arrows mean. */
export function drawEvent(drawing: Drawing, event: number, side: 'before' | 'after', withKey: boolean): void {
  const { film } = drawing.view;
  const contacts = film.contactsOf(event);
  const jumps = film.jumpsOf(event);
  if (contacts.length === 0 && jumps.length === 0) return;
  const longest = longestArrow(drawing, contacts, jumps);
  drawVelocities(drawing, jumps, side, longest);
  drawImpulses(drawing, contacts, longest);
  if (withKey) drawKey(drawing, contacts, jumps);
}

/** What the arrows mean. */
function drawKey(drawing: Drawing, contacts: readonly Contact[], jumps: readonly Jump[]): void {
  const { context, field, theme, taken } = drawing;
  const colours = stageColours[theme];
  const entries: { text: string; colour: string; dashed: boolean }[] = [];
  if (contacts.some((contact) => contact.impulse !== 0)) {
    entries.push({ text: 'impulse', colour: colours.impulse, dashed: false });
  }
  if (contacts.some((contact) => norm(contact.tangentialImpulse) > 0)) {
    entries.push({ text: 'impulse of friction', colour: colours.friction, dashed: false });
  }
  if (jumps.length > 0) {
    entries.push({ text: 'velocity before', colour: colours.velocity, dashed: true });
    entries.push({ text: 'velocity after', colour: colours.velocity, dashed: false });
  }
  if (entries.length === 0) return;
  const line = 18;
  const height = entries.length * line + 10;
  const width = 158;
  const y = field.y + field.height - height - 10;
  // The lower left, unless the event itself is there.
  const corners = [field.x + 10, field.x + field.width - width - 10].map((x) => ({ x, y, width, height }));
  const places = contacts.slice(0, mostArrows).flatMap(({ point }) => onPage(drawing, point) ?? []);
  const clear = (corner: Field): boolean =>
    places.every((at) => at.x < corner.x - 40 || at.x > corner.x + width + 40 || at.y < corner.y - 40);
  const box = corners.find(clear) ?? corners[0];
  if (field.height < 220 || !taken.take(box)) return;
  context.fillStyle = colours.caption;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 6);
  context.fill();
  context.font = `12px ${fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  entries.forEach(({ text, colour, dashed }, i) => {
    const middle = box.y + 5 + (i + 0.5) * line;
    const [from, to] = [8, 36].map((x) => ({ x: box.x + x, y: middle }));
    drawArrow(context, from, to, { colour, width: 2.4, dashed }, colours.background);
    context.fillStyle = colours.text;
    context.fillText(text, box.x + 44, middle + 0.5);
  });
}

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
    context.fillStyle = bodyColour(body, theme);
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
    drawBeside(drawing, text, at, Math.min(share * radius, 120) + 3, stageColours[theme].text);
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
