/** Arrows of an impact: impulses of contacts and joints on both that they act on, velocities before and after. */

import { Vector3 } from 'three';
import type { Contact, Jump, JointImpulse } from '../film/film';
import type { Vector } from '../film/format';
import { impulseUnit } from '../film/words';
import {
  type Drawing, drawDot, drawPush, drawValue, type KeyEntry, metresPerPixel, norm, pushKey, type Segment, segment,
  times, withUnit,
} from './arrows';
import { shapeRadius } from './bounds';
import { stageColours } from './colours';
import { anchorOf } from './joints';
import { drawArrow, type Point } from './overlay';

const mostArrows = 400;
/** Values are written at this many contacts at most. */
const mostValues = 6;
/** Impulses below this part of the largest are not drawn. */
const visible = 1e-9;

const normalStyle = { width: 3.4 };
const frictionStyle = { width: 2.4, dotted: true };
const jointStyle = { width: 2.4, hollow: true };

export interface EventParts {
  contacts: Contact[];
  jumps: Jump[];
  joints: JointImpulse[];
}

/** The longest arrow in pixels: about the size of the bodies that meet, within what can be read. */
function longestArrow(drawing: Drawing, { contacts, jumps }: EventParts): number {
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

/** Sizes of everything that is drawn with one scale. */
function largestImpulse({ contacts, joints }: EventParts): number {
  const sizes = contacts.flatMap((c) => [Math.abs(c.impulse), norm(c.tangentialImpulse)]);
  return Math.max(...sizes, ...joints.map(({ force }) => norm(force)), 0);
}

function drawImpulses(drawing: Drawing, parts: EventParts, longest: number): KeyEntry[] {
  const { view, theme } = drawing;
  const { film } = view;
  const largest = largestImpulse(parts);
  if (largest === 0) {
    for (const { point } of parts.contacts.slice(0, mostArrows)) drawDot(drawing, point);
    return [];
  }
  const pixels = (size: number): number => longest * Math.max(size / largest, 0.2);
  const tips: { text: string; at: Point }[] = [];
  const pushed: number[] = [];
  const rubbed: number[] = [];
  const joined: number[] = [];
  for (const contact of parts.contacts.slice(0, mostArrows)) {
    const { a, b, point, normal, impulse, tangentialImpulse } = contact;
    if (Math.abs(impulse) > visible * largest) {
      const at = drawPush(drawing, { a, b, point, vector: times(normal, impulse) }, pixels(Math.abs(impulse)), normalStyle);
      if (at !== null) tips.push({ text: withUnit(impulse, impulseUnit(contact)), at });
      pushed.push(a, b);
    }
    const friction = norm(tangentialImpulse);
    if (friction > visible * largest) {
      const at = drawPush(drawing, { a, b, point, vector: tangentialImpulse }, pixels(friction), frictionStyle);
      if (at !== null) tips.push({ text: withUnit(friction, 'N s'), at });
      rubbed.push(a, b);
    }
    drawDot(drawing, point);
  }
  for (const { joint, force } of parts.joints.slice(0, mostArrows)) {
    const held = film.scene.joints[joint];
    if (held === undefined || !(norm(force) > visible * largest)) continue;
    const point = anchorOf(film, view.poses, held).toArray() as Vector;
    const at = drawPush(drawing, { a: held.a, b: held.b, point, vector: force }, pixels(norm(force)), jointStyle);
    if (at !== null) tips.push({ text: withUnit(norm(force), 'N s'), at });
    joined.push(held.a, held.b);
  }
  if (tips.length <= mostValues) for (const { text, at } of tips) drawValue(drawing, text, at);
  return [
    ...pushKey(film, 'impulse', pushed, theme, normalStyle),
    ...pushKey(film, 'impulse of friction', rubbed, theme, frictionStyle),
    ...pushKey(film, 'impulse of a joint', joined, theme, jointStyle),
  ];
}

/** Impulses and velocities of an event; the lines of the key that says what they mean. */
export function drawEvent(drawing: Drawing, event: number, side: 'before' | 'after'): KeyEntry[] {
  const { film } = drawing.view;
  const parts = { contacts: film.contactsOf(event), jumps: film.jumpsOf(event), joints: film.jointImpulsesOf(event) };
  if (parts.contacts.length === 0 && parts.jumps.length === 0) return [];
  const longest = longestArrow(drawing, parts);
  drawVelocities(drawing, parts.jumps, side, longest);
  const entries = drawImpulses(drawing, parts, longest);
  if (parts.jumps.length === 0) return entries;
  const { velocity: colour } = stageColours[drawing.theme];
  return [
    ...entries,
    { text: 'velocity before', colour, style: { width: 2.4, dashed: true } },
    { text: 'velocity after', colour, style: { width: 2.4 } },
  ];
}
