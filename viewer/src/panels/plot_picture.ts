/** A plot as a picture that stands for itself: the chart below its title and the key of its curves. */

import { styleColour } from '../app/dom';
import type { Theme } from '../app/state';
import { bodyColour } from '../stage/colours';
import type { RowCurve } from './plot_data';

/** Films of a comparison: the same colour, another dash. */
export const filmDashes: readonly (readonly number[])[] = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

export function curveColour(curve: RowCurve, theme: Theme): string {
  return curve.tint ?? bodyColour(curve.body ?? curve.colour, theme);
}

/** Of several films each curve says whose it is. */
export const curveName = ({ label, of }: RowCurve): string => (of === '' ? label : `${of}: ${label}`);

interface Key {
  curve: RowCurve;
  x: number;
  y: number;
}

/** Sizes in pixels of the device. */
interface Layout {
  stroke: number;
  gap: number;
  margin: number;
  line: number;
  font: string;
}

function layoutOf(ratio: number): Layout {
  return { stroke: 18 * ratio, gap: 6 * ratio, margin: 10 * ratio, line: 20 * ratio, font: `${13 * ratio}px system-ui, sans-serif` };
}

/** The places of the key behind the title, as many to a line as it takes. */
function placeKeys(curves: readonly RowCurve[], title: string, width: number, layout: Layout): Key[] {
  const ruler = new OffscreenCanvas(1, 1).getContext('2d');
  if (ruler === null) return [];
  ruler.font = layout.font;
  let x = 3 * layout.margin + ruler.measureText(title).width;
  let y = layout.line / 2;
  return curves.map((curve) => {
    const own = layout.stroke + layout.gap + ruler.measureText(curveName(curve)).width;
    if (x + own > width && x > layout.margin) [x, y] = [layout.margin, y + layout.line];
    const place = { curve, x, y };
    x += own + 2 * layout.margin;
    return place;
  });
}

export async function chartPicture(
  chart: HTMLCanvasElement,
  title: string,
  curves: readonly RowCurve[],
  theme: Theme,
): Promise<Blob | null> {
  const ratio = window.devicePixelRatio || 1;
  const layout = layoutOf(ratio);
  const keys = placeKeys(curves, title, chart.width, layout);
  const head = Math.round((keys[keys.length - 1]?.y ?? layout.line / 2) + layout.line / 2 + layout.gap);
  const canvas = new OffscreenCanvas(chart.width, chart.height + head);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillStyle = styleColour('--panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, head);
  context.textBaseline = 'middle';
  context.font = layout.font;
  context.lineWidth = 2 * ratio;
  context.fillStyle = styleColour('--ink');
  context.fillText(title, layout.margin, layout.line / 2);
  for (const { curve, x, y } of keys) {
    context.strokeStyle = curveColour(curve, theme);
    context.setLineDash(filmDashes[curve.film % filmDashes.length].map((length) => length * ratio));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + layout.stroke, y);
    context.stroke();
    context.fillText(curveName(curve), x + layout.stroke + layout.gap, y);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
