/** The strip of events: one column of pixels after the other, so that a million events cost no more than a screen. */

import { eventIndex } from '../app/event_index';
import { styleColour } from '../app/dom';
import { formatCount } from '../app/numbers';
import type { Film } from '../film/film';
import { type Scale, roundTicks } from './timeline_scale';

/** Heights in CSS pixels, from the baseline up. */
const heights = { other: 6, single: 12, multiple: 21 };

export interface StripLayout {
  width: number;
  height: number;
  /** Left and right of the axis. */
  margin: number;
  baseline: number;
}

interface Columns {
  other: Uint32Array;
  single: Uint32Array;
  multiple: Uint32Array;
  flagged: Uint8Array;
}

/** Counts the events of each class per column. */
function countColumns(film: Film, scale: Scale, window: readonly [number, number], width: number): Columns {
  const columns: Columns = {
    other: new Uint32Array(width),
    single: new Uint32Array(width),
    multiple: new Uint32Array(width),
    flagged: new Uint8Array(width),
  };
  const kinds = film.column('event.kind');
  const flags = film.column('event.flags');
  const impactKind = film.scene.kinds.indexOf('impact');
  const { multiple } = eventIndex(film);
  const [from, to] = window;
  const [first, last] = scale.eventsWithin(from, to);
  const factor = (width - 1) / (to - from);
  for (let event = first; event < last; ++event) {
    const column = Math.round((scale.ofEvent(event) - from) * factor);
    if (column < 0 || column >= width) continue;
    if (multiple[event] === 1) columns.multiple[column] += 1;
    else if (kinds[event] === impactKind) columns.single[column] += 1;
    else columns.other[column] += 1;
    if (flags[event] !== 0) columns.flagged[column] = 1;
  }
  return columns;
}

interface Palette {
  other: string;
  single: string;
  multiple: string;
  flag: string;
  ink: string;
  line: string;
}

function palette(): Palette {
  return {
    other: styleColour('--event-other'),
    single: styleColour('--event-single'),
    multiple: styleColour('--event-multiple'),
    flag: styleColour('--event-flag'),
    ink: styleColour('--ink-soft'),
    line: styleColour('--line'),
  };
}

function paintAxis(
  context: CanvasRenderingContext2D,
  layout: StripLayout,
  window: readonly [number, number],
  unit: 's' | '',
  colours: Palette,
): void {
  const { width, margin, baseline } = layout;
  const inner = width - 2 * margin;
  const { values, decimals } = roundTicks(window[0], window[1], Math.max(2, Math.floor(inner / 90)));
  context.fillStyle = colours.line;
  context.fillRect(margin, baseline, inner, 1);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'top';
  for (const value of values) {
    if (unit === '' && !Number.isInteger(value)) continue;
    const x = margin + ((value - window[0]) / (window[1] - window[0])) * inner;
    context.fillStyle = colours.line;
    context.fillRect(Math.round(x), baseline, 1, 5);
    context.fillStyle = colours.ink;
    const text = unit === '' ? formatCount(value) : `${value.toFixed(decimals)} s`.replace('-', '−');
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(Math.max(x - half, 2), width - 2 * half - 2), baseline + 6);
  }
}

/** More than one event in a column is drawn stronger: opacity says how crowded. */
const strength = (count: number): number => Math.min(1, 0.85 + 0.05 * Math.log2(count));

function paintTicks(context: CanvasRenderingContext2D, layout: StripLayout, columns: Columns, colours: Palette): void {
  const { margin, baseline } = layout;
  const width = columns.single.length;
  const classes = ['other', 'single', 'multiple'] as const;
  let busy = 0;
  for (let x = 0; x < width; ++x) if (columns.single[x] + columns.multiple[x] > 0) ++busy;
  // Few events get broad ticks with heads; many touch each other and stay thin.
  const broad = busy < width / 8;
  for (const name of classes) {
    context.fillStyle = colours[name];
    for (let x = 0; x < width; ++x) {
      const count = columns[name][x];
      if (count === 0) continue;
      context.globalAlpha = strength(count);
      const left = margin + x - (broad && name !== 'other' ? 0.5 : 0);
      context.fillRect(left, baseline - heights[name], broad && name !== 'other' ? 2 : 1, heights[name]);
      if (broad && name === 'multiple') paintDiamond(context, margin + x + 0.5, baseline - heights.multiple, 3.5);
      if (broad && name === 'other') paintDot(context, margin + x + 0.5, baseline - heights.other, 1.8);
    }
  }
  context.globalAlpha = 1;
  context.fillStyle = colours.flag;
  let lastFlag = -Infinity;
  for (let x = 0; x < width; ++x) {
    if (columns.flagged[x] === 0 || x - lastFlag < 5) continue;
    lastFlag = x;
    paintFlag(context, margin + x + 0.5, baseline - heights.multiple - 6);
  }
}

function paintDiamond(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}

function paintDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** A triangle that points down at the tick. */
function paintFlag(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x - 3.5, y - 5);
  context.lineTo(x + 3.5, y - 5);
  context.lineTo(x, y + 1);
  context.fill();
}

export interface StripRequest {
  film: Film;
  scale: Scale;
  window: readonly [number, number];
  axis: 'time' | 'event';
  /** Up to here there is a film; behind it the run still has to come. */
  reached: number;
}

export function paintStrip(context: CanvasRenderingContext2D, layout: StripLayout, request: StripRequest): void {
  const { width, height, margin, baseline } = layout;
  const { film, scale, window, axis, reached } = request;
  const colours = palette();
  context.clearRect(0, 0, width, height);
  paintAxis(context, layout, window, axis === 'time' ? 's' : '', colours);
  const inner = Math.max(Math.round(width - 2 * margin), 1);
  paintTicks(context, layout, countColumns(film, scale, window, inner), colours);
  if (axis === 'time' && !film.complete) {
    const x = margin + Math.min(Math.max((reached - window[0]) / (window[1] - window[0]), 0), 1) * inner;
    context.fillStyle = colours.line;
    context.globalAlpha = 0.35;
    context.fillRect(x, 4, width - margin - x, baseline - 4);
    context.globalAlpha = 1;
  }
}
