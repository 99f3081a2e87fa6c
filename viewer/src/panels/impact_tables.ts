/** Tables of one event: its contacts, the jumps of its bodies, its joints. */

import { element } from '../app/dom';
import { formatNumber } from '../app/numbers';
import type { Theme } from '../app/state';
import type { Film, FilmEvent, Jump } from '../film/film';
import { featureWords, impulseUnit, observedRestitution, pushName, rateRoundOff, rateUnit } from '../film/words';
import { shapeRadius } from '../stage/bounds';
import { objectColour } from '../stage/colours';

/** Rows of a table that are shown at once; a pile may have hundreds of contacts. */
const mostRows = 60;

/** Where one name of a table is longer than this, names have lines of their own above their numbers. */
const longestName = 24;

export const needOwnLines = (names: readonly string[]): boolean => names.some((name) => name.length > longestName);

/** A unit in brackets stays in one line. */
const unbroken = (heading: string): string => heading.replace(/\[[^\]]*\]/g, (unit) => unit.replaceAll(' ', '\u00a0'));

function table(headings: readonly string[], rows: readonly HTMLElement[], left: number): HTMLElement {
  const head = element('tr', {}, headings.map((text) => element('th', { scope: 'col' }, [unbroken(text)])));
  const body = element('tbody', {}, rows);
  if (left > 0) {
    const more = element('td', { colspan: headings.length, class: 'more' }, [`and ${left} more`]);
    body.append(element('tr', {}, [more]));
  }
  return element('div', { class: 'table' }, [element('table', {}, [element('thead', {}, [head]), body])]);
}

function cells(texts: readonly (string | Node)[]): HTMLElement {
  return element('tr', {}, texts.map((text) => element('td', {}, [text])));
}

/** A name and its numbers; two lines where names are long. */
function namedRows(name: string | Node, numbers: readonly string[], ownLine: boolean): HTMLElement[] {
  if (!ownLine) return [cells([name, ...numbers])];
  const heading = element('tr', { class: 'heading' }, [element('td', { colspan: numbers.length + 1 }, [name])]);
  const row = cells(['', ...numbers]);
  row.classList.add('next');
  return [heading, row];
}

function nameWithColour(film: Film, object: number, theme: Theme): HTMLElement {
  const name = element('span', { class: 'object-name' }, [film.objectName(object)]);
  if (object >= 0 && object < film.bodies) {
    const dot = element('span', { class: 'dot' });
    dot.style.background = objectColour(film, object, theme);
    name.prepend(dot);
  }
  return name;
}

/** Who pushes whom is told by another event where the figures are those of the end of a collision. */
export function contactTable(film: Film, event: FilmEvent, pushed = event): HTMLElement | null {
  if (event.contacts.length === 0) return null;
  const strikes = event.kind === 'impact' || event.contacts.some(({ impulse }) => impulse !== 0);
  const slides = event.contacts.some(({ tangentialImpulse }) => Math.hypot(...tangentialImpulse) > 0);
  // Units stand in the headings, unless a limit of a turn has others.
  const turns = event.contacts.some(({ turn }) => turn);
  const unit = (text: string): string => (turns ? ` ${text}` : '');
  const heading = (text: string, of: string): string => (turns ? text : `${text} [${of}]`);
  const least = rateRoundOff(film, event);
  const rate = (value: number): string => formatNumber(Math.abs(value) < least ? 0 : value, 3);
  const shown = event.contacts.slice(0, mostRows);
  const ownLines = needOwnLines(shown.map((contact) => pushName(film, pushed, contact)));
  const rows = shown.flatMap((contact) => {
    const e = observedRestitution(contact);
    const features = featureWords(film, contact);
    const touching = element('span', {}, [
      pushName(film, pushed, contact),
      features === '' ? null : element('span', { class: 'feature' }, [features]),
    ]);
    const numbers = [
      ...(strikes ? [formatNumber(contact.impulse) + unit(impulseUnit(contact))] : []),
      ...(slides ? [formatNumber(Math.hypot(...contact.tangentialImpulse))] : []),
      (strikes || rate(contact.rateBefore) !== rate(contact.rateAfter)
        ? `${rate(contact.rateBefore)} → ${rate(contact.rateAfter)}`
        : rate(contact.rateBefore)) + unit(rateUnit(contact)),
      ...(strikes ? [e === null ? '–' : formatNumber(Math.abs(contact.rateAfter) < least ? 0 : e, 3)] : []),
    ];
    const made = namedRows(touching, numbers, ownLines);
    if (contact.impulse < 0) for (const row of made) row.classList.add('bad');
    return made;
  });
  const headings = [
    'Contact',
    ...(strikes ? [heading('Impulse', 'N s')] : []),
    ...(slides ? ['tangential'] : []),
    heading('Gap rate', 'm/s'),
    ...(strikes ? ['e'] : []),
  ];
  return table(headings, rows, event.contacts.length - shown.length);
}

/** Below these speeds [m/s] and spins [rad/s] there is nothing but rounding. */
interface Least {
  speed: number;
  spin: number;
}

/** Of an event: in proportion to the fastest of its bodies, and to what a spin would be that is as fast at its rim. */
export function leastOf(film: Film, event: FilmEvent): Least {
  const roundOff = 1e-12;
  let [speed, spin] = [0, 0];
  for (const jump of event.jumps) {
    speed = Math.max(speed, Math.hypot(...jump.velocityBefore), Math.hypot(...jump.velocityAfter));
    spin = Math.max(spin, Math.hypot(...jump.angularVelocityBefore), Math.hypot(...jump.angularVelocityAfter));
  }
  const sizes = event.jumps.map(({ body }) => shapeRadius(film.object(body).shape)).filter((size) => size > 0);
  const atRim = sizes.length === 0 ? 0 : speed / Math.min(...sizes);
  return { speed: roundOff * speed, spin: roundOff * Math.max(spin, atRim) };
}

/** Components of one vector, under the headings x, y, z. */
function vectorCells(label: string, side: 'before' | 'after', vector: readonly number[], least: number): HTMLElement[] {
  const largest = Math.max(...vector.map(Math.abs));
  // What is below 10⁻⁹ of the largest component is rounding as well, and would only be noise for the reader.
  const texts = vector.map((x) => formatNumber(Math.abs(x) < Math.max(1e-9 * largest, least) ? 0 : x, 3));
  const numbers = texts.map((text) => element('td', { class: `number ${side}` }, [text]));
  return [element('td', { class: side }, [label]), ...numbers];
}

interface JumpLook {
  theme: Theme;
  ownLine: boolean;
  least: Least;
}

function jumpRows(film: Film, jump: Jump, { theme, ownLine, least }: JumpLook): HTMLElement[] {
  const still = (vector: readonly number[]): boolean => vector.every((x) => Math.abs(x) <= least.spin);
  const rows = [
    vectorCells('v⁻', 'before', jump.velocityBefore, least.speed),
    vectorCells('v⁺', 'after', jump.velocityAfter, least.speed),
  ];
  if (!still(jump.angularVelocityBefore) || !still(jump.angularVelocityAfter)) {
    rows.push(vectorCells('ω⁻', 'before', jump.angularVelocityBefore, least.spin));
    rows.push(vectorCells('ω⁺', 'after', jump.angularVelocityAfter, least.spin));
  }
  const named = nameWithColour(film, jump.body, theme);
  if (ownLine) {
    const heading = element('tr', { class: 'heading' }, [element('td', { colspan: 5 }, [named])]);
    return [heading, ...rows.map((row) => element('tr', { class: 'next' }, [element('td'), ...row]))];
  }
  const name = element('td', { rowspan: rows.length }, [named]);
  return rows.map((row, i) => element('tr', { class: i === 0 ? 'first' : 'next' }, i === 0 ? [name, ...row] : row));
}

export function jumpTable(film: Film, event: FilmEvent, theme: Theme): HTMLElement | null {
  if (event.jumps.length === 0) return null;
  const shown = event.jumps.slice(0, mostRows);
  const ownLines = needOwnLines(shown.map(({ body }) => film.objectName(body)));
  const least = leastOf(film, event);
  const rows = shown.flatMap((jump) => jumpRows(film, jump, { theme, ownLine: ownLines, least }));
  const made = table(['Body', 'v [m/s], ω [rad/s]', 'x', 'y', 'z'], rows, event.jumps.length - shown.length);
  made.classList.add('jumps');
  return made;
}

export function jointTable(film: Film, event: FilmEvent): HTMLElement | null {
  if (event.joints.length === 0) return null;
  const shown = event.joints.slice(0, mostRows);
  const name = (joint: number): string => film.scene.joints[joint]?.name ?? '–';
  const ownLines = needOwnLines(shown.map(({ joint }) => name(joint)));
  const rows = shown.flatMap(({ joint, force, couple }) =>
    namedRows(name(joint), [force, couple].map((vector) => formatNumber(Math.hypot(...vector))), ownLines),
  );
  return table(['Joint', 'Impulse [N s]', 'Couple [N m s]'], rows, event.joints.length - shown.length);
}
