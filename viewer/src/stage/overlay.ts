/** The drawing over the picture: a 2D canvas in pixels of the page, one field per shown film. */

import { type OrthographicCamera, type PerspectiveCamera, Vector3 } from 'three';
import type { StageColours } from './colours';

/** A field of the stage in pixels of the page, from the top left. */
export interface Field {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Where a place of the drawn world lies in the field; null behind the camera. */
export function project(place: Vector3, camera: PerspectiveCamera | OrthographicCamera, field: Field): Point | null {
  const seen = place.clone().applyMatrix4(camera.matrixWorldInverse);
  if (seen.z > -camera.near) return null;
  seen.applyMatrix4(camera.projectionMatrix);
  return {
    x: field.x + ((seen.x + 1) / 2) * field.width,
    y: field.y + ((1 - seen.y) / 2) * field.height,
  };
}

/** Fields beside and below each other, as square as the host allows. */
export function fieldsFor(count: number, width: number, height: number): Field[] {
  let best = 1;
  let bestSize = 0;
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns, (height / rows) * 1.2);
    if (size > bestSize) [best, bestSize] = [columns, size];
  }
  const rows = Math.ceil(count / best);
  return Array.from({ length: count }, (_, i) => {
    const column = i % best;
    const row = Math.floor(i / best);
    const [left, right] = [Math.round((column * width) / best), Math.round(((column + 1) * width) / best)];
    const [top, bottom] = [Math.round((row * height) / rows), Math.round(((row + 1) * height) / rows)];
    return { x: left, y: top, width: right - left, height: bottom - top };
  });
}

export interface ArrowStyle {
  colour: string;
  /** Of the shaft, in pixels. */
  width: number;
  dashed?: boolean;
  /** Short dashes and a full head. */
  dotted?: boolean;
  /** A full shaft and an empty head. */
  hollow?: boolean;
  opacity?: number;
}

export class Overlay {
  readonly canvas = document.createElement('canvas');
  private readonly context: CanvasRenderingContext2D | null;

  constructor() {
    this.context = this.canvas.getContext('2d');
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', pointerEvents: 'none' });
  }

  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  clear(): void {
    this.context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** What is drawn; clear where nothing is. */
  pixels(): ImageData {
    const { width, height } = this.canvas;
    return this.context?.getImageData(0, 0, width, height) ?? new ImageData(width, height);
  }

  /** What is drawn inside stays in the field. */
  within(field: Field, draw: (context: CanvasRenderingContext2D) => void): void {
    const { context } = this;
    if (context === null) return;
    context.save();
    context.beginPath();
    context.rect(field.x, field.y, field.width, field.height);
    context.clip();
    draw(context);
    context.restore();
  }

  message(text: string, colours: StageColours, width: number, height: number): void {
    this.within({ x: 0, y: 0, width, height }, (context) => {
      context.fillStyle = colours.background;
      context.fillRect(0, 0, width, height);
      context.font = `15px ${fontFamily}`;
      context.fillStyle = colours.text;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      const lines = wrap(context, text, Math.min(width - 48, 460));
      lines.forEach((line, i) => context.fillText(line, width / 2, height / 2 + (i - (lines.length - 1) / 2) * 22));
    });
  }
}

function wrap(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** The longest beginning of the text that fits. */
export function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let kept = text;
  while (kept.length > 1 && context.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

/** An arrow with a halo of the ground's colour, so that it stands out on any body. */
export function drawArrow(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  style: ArrowStyle,
  halo: string,
): void {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy);
  context.save();
  context.globalAlpha = style.opacity ?? 1;
  if (length < 3) {
    drawTowards(context, from, style, halo);
    context.restore();
    return;
  }
  const head = Math.min(4 + 2.6 * style.width, 0.75 * length);
  const unit = { x: dx / length, y: dy / length };
  const neck = { x: to.x - unit.x * head, y: to.y - unit.y * head };
  const half = 0.48 * head;
  const shaft = new Path2D();
  shaft.moveTo(from.x, from.y);
  shaft.lineTo(neck.x, neck.y);
  const tip = new Path2D();
  tip.moveTo(to.x, to.y);
  tip.lineTo(neck.x - unit.y * half, neck.y + unit.x * half);
  tip.lineTo(neck.x + unit.y * half, neck.y - unit.x * half);
  tip.closePath();
  const broken = style.dashed === true || style.dotted === true;
  context.lineCap = broken ? 'butt' : 'round';
  context.lineJoin = 'round';
  context.strokeStyle = halo;
  context.lineWidth = style.width + 3;
  context.stroke(shaft);
  context.lineWidth = 3;
  context.stroke(tip);
  context.strokeStyle = style.colour;
  context.fillStyle = style.dashed === true || style.hollow === true ? halo : style.colour;
  context.lineWidth = style.width;
  if (broken) context.setLineDash(style.dashed === true ? [5, 3] : [2, 2]);
  context.stroke(shaft);
  context.setLineDash([]);
  context.fill(tip);
  context.lineWidth = 1.5;
  context.stroke(tip);
  context.restore();
}

/** An arrow along the line of sight: a ring. */
function drawTowards(context: CanvasRenderingContext2D, at: Point, style: ArrowStyle, halo: string): void {
  context.beginPath();
  context.arc(at.x, at.y, 5, 0, 2 * Math.PI);
  context.fillStyle = halo;
  context.fill();
  context.strokeStyle = style.colour;
  context.lineWidth = 2;
  context.stroke();
}

/** Text with a halo. */
export function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  at: Point,
  colour: string,
  halo: string,
): void {
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = halo;
  context.strokeText(text, at.x, at.y);
  context.fillStyle = colour;
  context.fillText(text, at.x, at.y);
}

/** Places for texts that do not cover each other. */
export class Taken {
  private readonly rectangles: Field[] = [];

  constructor(private readonly field: Field) {}

  /** True, and the place is taken from now on, where it was free and inside the field. */
  take(rectangle: Field): boolean {
    const { x, y, width, height } = rectangle;
    const { field } = this;
    const inRow = x >= field.x && x + width <= field.x + field.width;
    const inside = inRow && y >= field.y && y + height <= field.y + field.height;
    const free = this.rectangles.every(
      (other) => x + width < other.x || other.x + other.width < x || y + height < other.y || other.y + other.height < y,
    );
    if (!inside || !free) return false;
    this.rectangles.push(rectangle);
    return true;
  }
}
