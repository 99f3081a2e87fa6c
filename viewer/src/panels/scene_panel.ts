/** The scene in words: how it was computed, which bodies there are; a body can be selected and followed here. */

import type { Actions } from '../app/actions';
import { button, byId, element } from '../app/dom';
import { formatCount, formatNumber } from '../app/numbers';
import { type State, type Store, activeFilm } from '../app/state';
import { eventIndex } from '../app/event_index';
import type { Film } from '../film/film';
import type { Shape } from '../film/format';
import { stopWords } from '../film/words';
import { objectColour } from '../stage/colours';

/** A crowd is shown by its first bodies; the others can be picked on the stage. */
const mostObjects = 400;

function lengths(values: readonly number[]): string {
  return values.map((value) => formatNumber(value, 3)).join(' × ');
}

export function shapeWords(shape: Shape): string {
  switch (shape.kind) {
    case 'sphere':
      return `sphere, radius ${lengths([shape.radius])} m`;
    case 'ellipsoid':
      return `ellipsoid, semi-axes ${lengths(shape.semi_axes)} m`;
    case 'box':
      return `box ${lengths(shape.half_sizes.map((half) => 2 * half))} m`;
    case 'cylinder':
      return `cylinder, radius ${lengths([shape.radius])} m, length ${lengths([2 * shape.half_length])} m`;
    case 'prism':
      return `prism with ${shape.vertices.length} sides, length ${lengths([2 * shape.half_length])} m`;
    case 'bore':
      return `bore, radius ${lengths([shape.radius])} m`;
    case 'shell':
      return `shell, radius ${lengths([shape.radius])} m`;
    case 'plane':
      return 'plane';
    case 'capsule':
      return `capsule, radius ${lengths([shape.radius])} m, length ${lengths([2 * (shape.half_length + shape.radius)])} m`;
    case 'cone':
      return `cone, radius ${lengths([shape.radius])} m, height ${lengths([shape.height])} m`;
    case 'half_cylinder':
      return `half cylinder, radius ${lengths([shape.radius])} m, length ${lengths([2 * shape.half_length])} m`;
    case 'rod':
      return `thin rod, length ${lengths([2 * shape.half_length])} m`;
    case 'convex':
      return `polyhedron with ${shape.vertices.length} corners and ${shape.faces.length} faces`;
    case 'compound':
      if (shape.parts.length === 1) return shapeWords(shape.parts[0].shape);
      return `compound of ${shape.parts.length} parts`;
  }
}

/** How often bodies met: impacts, or contacts where those have forces. */
function meetings(film: Film): [string, string] {
  const { impactCount, multipleCount, restingCount, stepWord, steps } = eventIndex(film);
  if (stepWord === 'contact') return ['Contacts', formatCount(steps.length + restingCount)];
  const several = multipleCount === 0 ? '' : `, ${formatCount(multipleCount)} of them with several contacts`;
  return ['Impacts', `${formatCount(impactCount)}${several}`];
}

function facts(film: Film): [string, string][] {
  const { scene } = film;
  const list: [string, string][] = [
    ['Engine', scene.engine],
    ['Law', scene.law],
    ['Record', film.name],
    ['Run', stopWords(film)],
    meetings(film),
    ['Samples', `${formatCount(film.times.length)}, every ${formatNumber(scene.output_step)} s`],
    ['Gravity', `${scene.gravity.map((g) => formatNumber(g)).join(', ')} m/s²`],
    ['Settings', scene.settings.join(', ')],
    ['Version', scene.version],
  ];
  return list.filter(([, text]) => text !== '');
}

function objectRow(film: Film, index: number, state: Readonly<State>, actions: Actions): HTMLElement {
  const object = film.object(index);
  const mass = object.mass === undefined ? '' : `${formatNumber(object.mass, 3)} kg, `;
  const words = element('span', { class: 'object-words' }, [`${mass}${shapeWords(object.shape)}`]);
  if (!object.body) return element('li', {}, [element('span', { class: 'object' }, [object.name, words])]);
  const dot = element('span', { class: 'dot' });
  dot.style.background = objectColour(film, index, state.theme);
  const selected = state.selectedBody === index;
  const pressed = { class: 'object', 'aria-pressed': String(selected) };
  const select = button(pressed, [dot, object.name, words], () => actions.select(selected ? null : index));
  const follows = state.follow === index;
  const follow = button({ class: 'chip', 'aria-pressed': String(follows) }, ['follow'], () => {
    actions.select(index);
    actions.follow(follows ? null : index);
  });
  return element('li', { class: selected ? 'selected' : '' }, [select, follow]);
}

/** @param form stands above the bodies */
export function mountScenePanel(store: Store, actions: Actions, form: HTMLElement): void {
  const host = byId('scene-panel');
  const show = (state: Readonly<State>): void => {
    const film = activeFilm(state);
    if (film === null || state.tab !== 'scene') return;
    const scrolled = host.scrollTop;
    const list = facts(film).flatMap(([name, text]) => [element('dt', {}, [name]), element('dd', {}, [text])]);
    const { objects } = film.scene;
    const rows = objects.slice(0, mostObjects).map((_, index) => objectRow(film, index, state, actions));
    const hidden = objects.length - mostObjects;
    const rest = hidden > 0 ? [element('li', { class: 'more' }, [`and ${hidden} more`])] : [];
    host.replaceChildren(
      element('h2', {}, [film.scene.title || film.name]),
      element('dl', {}, list),
      form,
      element('h3', {}, ['Bodies and obstacles']),
      element('ul', { class: 'objects' }, [...rows, ...rest]),
    );
    host.scrollTop = scrolled;
  };
  store.subscribe(['films', 'activeFilm', 'theme', 'selectedBody', 'follow', 'tab'], show);
}
