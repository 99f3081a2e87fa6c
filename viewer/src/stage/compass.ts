/** The directions of the axes and the step of the grid, small, at the lower right of a field. */

import { Vector3 } from 'three';
import type { Drawing } from './arrows';
import { stageColours } from './colours';
import { drawText, fontFamily } from './overlay';
import { gridStep } from './planes';

const arm = 22;
/** Axes shorter than this share on the page point along the line of sight: they are left out. */
const shortest = 0.12;

/** A length with its unit: 0.2 m, 5 mm, 20 µm, 1 km. */
export function lengthText(metres: number): string {
  const units: [number, string][] = [
    [1000, 'km'],
    [0.1, 'm'],
    [1e-3, 'mm'],
    [1e-6, 'µm'],
    [1e-9, 'nm'],
  ];
  const [size, name] = units.find(([least]) => metres >= 0.999 * least) ?? units[units.length - 1];
  const unit = name === 'm' ? 1 : size;
  return `${Number((metres / unit).toPrecision(3))} ${name}`;
}

export function drawCompass(drawing: Drawing): void {
  const { context, view, field, camera, theme, taken } = drawing;
  if (field.width < 260 || field.height < 200) return;
  const colours = stageColours[theme];
  const size = 2 * arm + 26;
  const box = { x: field.x + field.width - size - 8, y: field.y + field.height - size - 8, width: size, height: size };
  if (!taken.take(box)) return;
  const centre = { x: box.x + size / 2, y: box.y + size / 2 - 6 };
  context.font = `11px ${fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [name, axis] of [
    ['x', new Vector3(1, 0, 0)],
    ['y', new Vector3(0, 1, 0)],
    ['z', new Vector3(0, 0, 1)],
  ] as const) {
    const seen = axis.transformDirection(camera.camera.matrixWorldInverse);
    if (Math.hypot(seen.x, seen.y) < shortest) continue;
    const end = { x: centre.x + arm * seen.x, y: centre.y - arm * seen.y };
    context.beginPath();
    context.moveTo(centre.x, centre.y);
    context.lineTo(end.x, end.y);
    context.lineWidth = 1.5;
    context.strokeStyle = colours.faintText;
    context.stroke();
    const beyond = 1 + 8 / (arm * Math.hypot(seen.x, seen.y));
    const at = { x: centre.x + arm * beyond * seen.x, y: centre.y - arm * beyond * seen.y };
    drawText(context, name, at, colours.faintText, colours.background);
  }
  if (!view.film.scene.objects.some(({ shape }) => shape.kind === 'plane')) return;
  context.textAlign = 'right';
  const text = `grid ${lengthText(gridStep(view.bounds.radius))}`;
  drawText(context, text, { x: box.x + size, y: box.y + size - 4 }, colours.faintText, colours.background);
}
