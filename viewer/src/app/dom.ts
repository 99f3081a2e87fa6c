/** Small helpers for the page. Text from a film only ever becomes text nodes. */

type Child = Node | string | null;

interface Attributes {
  [name: string]: string | number | boolean | undefined;
}

/** An element with attributes and children; `true` sets an attribute without value, `false` leaves it out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

/** A button that does something. */
export function button(attributes: Attributes, children: readonly Child[], act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, children);
  made.addEventListener('click', act);
  return made;
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function setPressed(button: HTMLElement, pressed: boolean): void {
  button.setAttribute('aria-pressed', String(pressed));
}

/** Writes only what changed: layout is not disturbed sixty times a second. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export function option(value: string, text: string, selected = false): HTMLOptionElement {
  const made = element('option', { value }, [text]);
  made.selected = selected;
  return made;
}

/** What takes long is called less often, so that it fills a tenth of the time at most. */
const rest = 10;

/** Calls at most every `interval` milliseconds, the last call always. */
export function throttled(interval: number, call: () => void): () => void {
  let next = -Infinity;
  let timer = 0;
  const run = (): void => {
    timer = 0;
    const start = performance.now();
    call();
    next = start + Math.max(interval, rest * (performance.now() - start));
  };
  return () => {
    if (timer !== 0) return;
    const wait = Math.max(next - performance.now(), 0);
    if (wait === 0) run();
    else timer = window.setTimeout(run, wait);
  };
}

/** Sizes in device pixels, for sharp lines; the context is scaled so that drawing is in CSS pixels. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no pictures');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** A colour of the style sheet, by the name of its variable. */
export function styleColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
