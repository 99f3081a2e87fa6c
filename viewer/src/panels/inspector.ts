/** All about the selected body at this instant, as numbers that can be copied; and a ruler to another body. */

import type { Actions } from '../app/actions';
import { button, byId, element, option, throttled } from '../app/dom';
import { formatNumber, plainNumbers } from '../app/numbers';
import { type State, type Store, activeFilm } from '../app/state';
import type { Film } from '../film/film';
import type { Quaternion, Vector } from '../film/format';
import { type Placement, multiply, placementAt, rotate } from '../film/motion';
import { touchedBy } from '../film/touching';
import { objectColour } from '../stage/colours';

/** Single precision is what films keep of velocities; positions and energies follow them. */
const digits = 7;
const plain = (value: number): string => String(Number(value.toPrecision(digits)));
const shown = (value: number): string => formatNumber(value, digits);

/** ½mv² + ½ω·Iω [J]; NaN where the film does not say how the mass lies. */
export function kineticEnergy(film: Film, body: number, { velocity, angularVelocity, orientation }: Placement): number {
  const { mass = NaN, inertia, principal_axes: axes = [1, 0, 0, 0] } = film.object(body);
  const [w, x, y, z] = multiply(orientation, axes);
  const spin = rotate([w, -x, -y, -z] as Quaternion, angularVelocity);
  const moments = inertia ?? [NaN, NaN, NaN];
  return 0.5 * mass * dot(velocity, velocity) + 0.5 * spin.reduce((sum, s, k) => sum + moments[k] * s * s, 0);
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export interface Fact {
  name: string;
  unit: string;
  values: number[];
}

/** Films keep single precision of most of it: what is below that against the largest component is nothing. */
function withoutRoundOff(values: readonly number[]): number[] {
  const largest = Math.max(...values.map(Math.abs));
  return values.map((value) => (Math.abs(value) < 1e-9 * largest ? 0 : value));
}

/** What there is to say of a body; at an event on the chosen side of it. */
export function bodyFacts(film: Film, body: number, time: number, side: State['side']): Fact[] {
  const placed = placementAt(film, body, time, side);
  const facts: Fact[] = [
    { name: 'position', unit: 'm', values: placed.position },
    { name: 'velocity', unit: 'm/s', values: placed.velocity },
    { name: 'speed', unit: 'm/s', values: [Math.hypot(...placed.velocity)] },
    { name: 'spin', unit: 'rad/s', values: placed.angularVelocity },
    { name: 'orientation', unit: 'w, x, y, z', values: placed.orientation },
    { name: 'kinetic energy', unit: 'J', values: [kineticEnergy(film, body, placed)] },
  ];
  film.scene.joints.forEach((joint, i) => {
    const force = joint.a === body || joint.b === body ? film.jointForce(i, time) : null;
    if (force === null) return;
    const sign = joint.a === body ? 1 : -1;
    facts.push({ name: `force of ${joint.name}`, unit: 'N', values: force.map((x) => sign * x) });
  });
  for (const { a, b, normal, force, friction, mode } of film.loadsAt(time)) {
    if (a !== body && b !== body) continue;
    const sign = a === body ? 1 : -1;
    const values = normal.map((n, k) => sign * (n * force + friction[k]));
    const how = mode === '' || mode === 'smooth' ? '' : ` (${modeWords[mode] ?? mode})`;
    facts.push({ name: `force of ${film.objectName(a === body ? b : a)}${how}`, unit: 'N', values });
  }
  return facts
    .filter(({ values }) => values.every((value) => Number.isFinite(value)))
    .map(({ values, ...fact }) => ({ ...fact, values: withoutRoundOff(values) }));
}

const modeWords: Record<string, string> = { stick: 'sticks', roll: 'rolls', slide: 'slides' };

/** Tab-separated, as spreadsheets take it. */
function copyText(film: Film, body: number, time: number, facts: readonly Fact[]): string {
  const lines = facts.map(({ name, unit, values }) => [name, unit, ...values.map(plain)].join('\t'));
  return [`${film.objectName(body)}\tt = ${String(time)} s`, ...lines].join('\n');
}

/** Vectors stand under x, y and z; anything else has the line for itself. */
function factRow({ name, unit, values }: Fact): HTMLElement {
  const heading = element('th', { scope: 'row' }, [name, ' ', element('span', { class: 'soft' }, [`[${unit}]`])]);
  const numbers = values.map((value) => element(values.length === 3 ? 'td' : 'span', { class: 'number' }, [shown(value)]));
  const row = values.length === 3 ? numbers : [element('td', { colspan: 3 }, numbers)];
  return element('tr', {}, [heading, ...row]);
}

const componentHeadings = (): HTMLElement => {
  const names = ['x', 'y', 'z'].map((name) => element('th', { scope: 'col' }, [name]));
  return element('thead', {}, [element('tr', {}, [element('td'), ...names])]);
};

function rulerLine(film: Film, state: Readonly<State>, body: number): string {
  const { ruler, time } = state;
  if (ruler === null || ruler >= film.bodies) return '';
  const [from, to] = [body, ruler].map((end) => placementAt(film, end, time).position);
  const apart = to.map((x, k) => x - from[k]);
  return `${shown(Math.hypot(...apart))} m  (${apart.map(shown).join(', ')})`;
}

export function mountInspector(store: Store, actions: Actions): void {
  const host = byId('inspector');
  const title = element('h2');
  const dot = element('span', { class: 'dot' });
  const body = element('tbody');
  const touches = element('p', { class: 'touches' });
  const measure = element('select', { 'aria-label': 'Ruler to' });
  const length = element('output', { class: 'ruler' });
  const copied = element('span', { class: 'visually-hidden', role: 'status' });
  const copy = button({ class: 'chip', title: 'Copy these numbers' }, ['Copy'], () => {
    const { selectedBody, time, side, event } = store.state;
    const film = activeFilm(store.state);
    if (film === null || selectedBody === null) return;
    const facts = bodyFacts(film, selectedBody, time, event === null ? 'after' : side);
    void navigator.clipboard.writeText(copyText(film, selectedBody, time, facts)).then(
      () => (copied.textContent = 'copied'),
      () => (copied.textContent = 'this browser does not let pages copy'),
    );
  });
  const close = button({ class: 'chip quiet', 'aria-label': 'Close', title: 'Close (Esc)' }, ['×'], () => actions.select(null));
  measure.addEventListener('change', () => actions.measureTo(measure.value === '' ? null : Number(measure.value)));
  host.append(
    element('div', { class: 'top' }, [title, copy, close, copied]),
    element('table', {}, [componentHeadings(), body]),
    touches,
    element('label', { class: 'ruler-line' }, ['Ruler to ', measure, length]),
  );

  // What is marked and copied by hand is a number for other programs.
  host.addEventListener('copy', (event) => {
    event.clipboardData?.setData('text/plain', plainNumbers(String(document.getSelection())));
    event.preventDefault();
  });

  let listed: Film | null = null;
  const show = (): void => {
    const { state } = store;
    const film = activeFilm(state);
    const { selectedBody: selected } = state;
    host.hidden = film === null || selected === null || selected >= film.bodies;
    if (film === null || selected === null || host.hidden) return;
    if (listed !== film) {
      const names = film.scene.objects.slice(0, Math.min(film.bodies, 400)).map((object, i) => option(String(i), object.name));
      measure.replaceChildren(option('', 'nothing'), ...names);
      listed = film;
    }
    measure.value = state.ruler === null ? '' : String(state.ruler);
    dot.style.background = objectColour(film, selected, state.theme);
    title.replaceChildren(dot, film.objectName(selected));
    title.title = film.objectName(selected);
    body.replaceChildren(...bodyFacts(film, selected, state.time, state.event === null ? 'after' : state.side).map(factRow));
    const others = touchedBy(film, selected, state.time).map((other) => film.objectName(other));
    touches.textContent = others.length === 0 ? '' : `in touch with ${others.join(', ')}`;
    length.textContent = rulerLine(film, state, selected);
  };
  store.subscribe(['selectedBody', 'ruler', 'activeFilm', 'films', 'theme', 'event', 'side'], show);
  store.subscribe(['time'], throttled(60, show));
  show();
}
