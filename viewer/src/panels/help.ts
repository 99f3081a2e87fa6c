/** The list of keys, and what mouse and fingers do. */

import { button, byId, element } from '../app/dom';

const keys: readonly [string, string][] = [
  ['space', 'play, pause'],
  ['← →', 'previous sample, next sample'],
  [', .  or  ⇧← ⇧→', 'previous impact, next impact'],
  ['Home End', 'start, end'],
  ['+ −', 'faster, slower'],
  ['m', 'slow motion at impacts'],
  ['b', 'velocities before or after the impact'],
  ['1 2 3 4', '3D; front, side, top without perspective'],
  ['o', 'with or without perspective'],
  ['g', 'stepping to an impact goes close to it, or not'],
  ['0', 'fit the scene into the picture'],
  ['q e', 'turn the camera'],
  ['w s', 'tilt the camera'],
  ['z x', 'zoom in, out'],
  ['f', 'follow the selected body'],
  ['a j t l', 'arrows, forces of contacts and joints, trails, labels'],
  ['v', 'timeline by time or by event'],
  ['[ ] \\', 'timeline and plots: a longer, a shorter stretch of time, all of it'],
  ['p', 'plots'],
  ['c', 'compare: side by side or ghosts'],
  ['d', 'dark or light'],
  ['?', 'this help'],
];

const pointers: readonly [string, string][] = [
  ['Film', 'drag to turn, wheel or pinch to zoom, right drag or two fingers to move, click to inspect a body, shift and click another to measure to it'],
  ['Timeline', 'drag to scrub, wheel or pinch to zoom, double click for all'],
  ['Plots', 'drag to scrub, shift and drag to zoom, double click for all; spectra: drag to zoom'],
];

const marks: readonly [string, string, string][] = [
  ['▮', 'single', 'impact at one contact'],
  ['◆', 'multiple', 'impact at several contacts at once'],
  ['●', 'other', 'contact begins or ends, rest, release'],
  ['▼', 'flag', 'the audit has a remark'],
];

function list(rows: readonly [string, string][], tag: 'kbd' | 'b'): HTMLElement {
  const pair = ([key, words]: [string, string]): HTMLElement[] => [
    element('dt', {}, [element(tag, {}, [key])]),
    element('dd', {}, [words]),
  ];
  return element('dl', {}, rows.flatMap(pair));
}

export function mountHelp(): () => void {
  const dialog = byId<HTMLDialogElement>('help');
  const close = button({ class: 'button', autofocus: true }, ['Close'], () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const legend = element('dl', {}, marks.flatMap(([mark, kind, words]) => [
    element('dt', { class: `legend-${kind}` }, [mark]),
    element('dd', {}, [words]),
  ]));
  dialog.append(
    element('div', { class: 'help-body' }, [
      element('div', { class: 'help-head' }, [element('h2', {}, ['Keys']), close]),
      element('div', { class: 'help-columns' }, [
        element('div', {}, [list(keys, 'kbd')]),
        element('div', {}, [
          element('h3', {}, ['Mouse and fingers']),
          list(pointers, 'b'),
          element('h3', {}, ['Marks on the timeline']),
          legend,
        ]),
      ]),
    ]),
  );
  return () => (dialog.open ? dialog.close() : dialog.showModal());
}
