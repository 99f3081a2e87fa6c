/** Chooses what a row plots: the quantity, then of which body or pair, then which component. */

import { element, option } from '../app/dom';
import type { Film } from '../film/film';
import { contactName } from '../film/words';
import { type ContactQuantity, contactQuantities, contactQuantityName, loadPairs } from './contact_quantities';
import {
  type BodyQuantity,
  type Component,
  type JointQuantity,
  bodyQuantities,
  components,
  hasCouples,
  jointQuantities,
  vectorQuantityName,
} from './quantities';

const componentWords: Record<Component, string> = { xyz: 'x, y, z', x: 'x', y: 'y', z: 'z', size: 'size' };

function select(label: string, options: HTMLOptionElement[], use: (value: string) => void): HTMLSelectElement {
  const made = element('select', { 'aria-label': label }, options);
  made.addEventListener('change', () => use(made.value));
  return made;
}

function componentSelect(component: string, use: (component: Component) => void): HTMLSelectElement {
  const parts = components.map((part) => option(part, componentWords[part], part === component));
  return select('Component', parts, (value) => use(value as Component));
}

/** The selects for a quantity; `change` is called with the name of the new one. */
export function plotPicker(film: Film, name: string, change: (name: string) => void): HTMLElement {
  const [kind, index = '0', component = 'xyz'] = name.split(':');
  const isSpeed = kind === 'velocity' && component === 'size';
  const kinds = [
    option('energy', 'Energy', kind === 'energy'),
    ...Object.entries(bodyQuantities).map(([key, { title }]) => option(key, title, kind === key && !isSpeed)),
    option('speed', 'Speed', isSpeed),
    ...(film.scene.gaps.length > 0 ? [option('gap', 'Gap', kind === 'gap')] : []),
    option('impulses', 'Impulses', kind === 'impulses'),
    ...(loadPairs(film).length > 0
      ? Object.entries(contactQuantities).map(([key, { title }]) => option(key, title, kind === key))
      : []),
    ...(hasCouples(film) ? [option('couples', 'Couples at limits', kind === 'couples')] : []),
    ...(film.scene.joints.length > 0
      ? Object.entries(jointQuantities).map(([key, { title }]) => option(key, `${title} of a joint`, kind === key))
      : []),
  ];
  // Going from one body's velocity to its position keeps the body and the component.
  const body = kind in bodyQuantities ? Number(index) : 0;
  const joint = kind in jointQuantities ? Number(index) : 0;
  const touching = kind in contactQuantities ? ([Number(index), Number(component)] as const) : loadPairs(film)[0];
  const kept = kind in bodyQuantities && !isSpeed ? (component as Component) : 'xyz';
  const picker = element('span', { class: 'picker' }, [
    select('Quantity', kinds, (value) => {
      if (value === 'energy' || value === 'impulses' || value === 'couples') change(value);
      else if (value in jointQuantities) change(vectorQuantityName(value as JointQuantity, joint, 'xyz'));
      else if (value in contactQuantities) change(contactQuantityName(value as ContactQuantity, touching));
      else if (value === 'gap') change('gap:0');
      else if (value === 'speed') change(vectorQuantityName('velocity', body, 'size'));
      else change(vectorQuantityName(value as BodyQuantity, body, kept));
    }),
  ]);
  if (kind === 'gap') {
    const names = film.scene.gaps.map(([a, b]) => contactName(film, { a, b }));
    const pairs = names.map((pair, i) => option(String(i), pair, String(i) === index));
    picker.append(select('Pair', pairs, (value) => change(`gap:${value}`)));
  }
  if (kind in contactQuantities) {
    const pairs = loadPairs(film);
    const names = pairs.map(([a, b], i) =>
      option(String(i), contactName(film, { a, b }), a === touching[0] && b === touching[1]),
    );
    const use = (value: string): void => change(contactQuantityName(kind as ContactQuantity, pairs[Number(value)]));
    picker.append(select('Pair', names, use));
  }
  if (kind in bodyQuantities) {
    const bodies = film.scene.objects
      .slice(0, film.bodies)
      .map((object, i) => option(String(i), object.name, String(i) === index));
    const quantity = kind as BodyQuantity;
    const use = (value: string): void => change(vectorQuantityName(quantity, Number(value), component as Component));
    picker.append(select('Body', bodies, use));
    if (!isSpeed) picker.append(componentSelect(component, (part) => change(vectorQuantityName(quantity, body, part))));
  }
  if (kind in jointQuantities) {
    const quantity = kind as JointQuantity;
    const names = film.scene.joints.map(({ name: joined }, i) => option(String(i), joined, i === joint));
    const use = (value: string): void => change(vectorQuantityName(quantity, Number(value), component as Component));
    picker.append(select('Joint', names, use));
    picker.append(componentSelect(component, (part) => change(vectorQuantityName(quantity, joint, part))));
  }
  return picker;
}
