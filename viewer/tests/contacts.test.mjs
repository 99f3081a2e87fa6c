// What contacts do at the samples of a film, and what touches at its events.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contact, impact, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const { Film, decodePart, featureWords, plotted, quantityTitle, loadPairs, largestContactForce, bodyFacts, rowData, valueWords } = await sources(
  'film/film', 'film/format', 'film/words', 'panels/quantities', 'panels/contact_quantities', 'stage/contact_forces',
  'panels/inspector', 'panels/plot_data',
);

const modes = ['smooth', 'stick', 'roll', 'slide'];
/** A ball (0) on a floor (1): nothing at first, then 4 N and sliding, then two contacts of 1 N and 2 N, one sticking. */
function loadedFilm() {
  const arrays = {
    load_count: ['u32', [0, 1, 2]],
    'load.a': ['i32', [0, 0, 1]],
    'load.b': ['i32', [1, 1, 0]],
    'load.point': ['f32', new Array(9).fill(0)],
    'load.normal': ['f32', [0, 0, 1, 0, 0, 1, 0, 0, -1]],
    'load.force': ['f32', [4, 1, 2]],
    'load.friction': ['f32', [-3, 0, 0, 0, 0, 0, 0, 0, 0]],
    'load.mode': ['u8', [3, 1, 2]],
    'contact.feature_a': ['i32', [1]],
    'contact.feature_b': ['i32', [-1]],
  };
  const samples = [0, 1, 2].map((time) => ({ time }));
  const events = [impact(1, { contacts: [contact()] })];
  const bytes = smallFilm({ scene: smallScene(1, { modes }), samples, events, arrays, features: ['face +x', 'corner +x-y'] });
  return new Film(decodePart(new Uint8Array(bytes).buffer));
}

test('loads are those of the last sample', () => {
  const film = loadedFilm();
  assert.deepEqual(film.loadsAt(0.5), []);
  assert.deepEqual(film.loadsAt(1.9).map(({ force, mode }) => [force, mode]), [[4, 'slide']]);
  assert.deepEqual(film.loadsAt(2).map(({ force, mode }) => [force, mode]), [[1, 'stick'], [2, 'roll']]);
  assert.equal(largestContactForce(film), 4);
});

test('the forces of a pair are added up, and modes change upright', () => {
  const film = loadedFilm();
  assert.deepEqual(loadPairs(film), [[0, 1]]);
  assert.deepEqual([...plotted(film, 'force:0:1').curves[0].y], [0, 4, 3]);
  const mode = plotted(film, 'mode:0:1').curves[0];
  assert.deepEqual([...mode.x], [0, 1, 1, 2, 2]);
  assert.deepEqual([...mode.y], [0, 0, 4, 4, 3]);
  assert.equal(quantityTitle(film, 'mode:0:1'), 'Friction mode a – floor');
  const data = rowData([film], { quantity: 'mode:0:1', spectrum: true });
  assert.equal(data.spectrum, false, 'names have no spectrum');
  assert.equal(valueWords(data.curves[0], data, 1.5, false).trim(), 'slides');
  assert.equal(plotted(film, 'force:0:9'), null);
});

test('a blow between two samples is seen', () => {
  const contacts = [contact({ impulse: 0 })];
  const events = [impact(0.25, { kind: 3, contacts }), impact(0.5, { kind: 4, contacts })];
  const arrays = {
    load_count: ['u32', [0, 0]], 'contact.joint': ['i32', [-1, -1]],
    'contact.peak_force': ['f64', [NaN, 7]], 'contact.peak_time': ['f64', [NaN, 0.375]],
  };
  const bytes = smallFilm({ scene: smallScene(1, { modes }), samples: [{ time: 0 }, { time: 1 }], events, arrays });
  const film = new Film(decodePart(new Uint8Array(bytes).buffer));
  assert.deepEqual(loadPairs(film), [[0, 1]]);
  const { x, y } = plotted(film, 'force:0:1').curves[0];
  assert.deepEqual([...x], [0, 0.25, 0.375, 0.5, 1]);
  assert.deepEqual([...y], [0, 0, 7, 0, 0]);
});

test('the inspector tells forces as they act on the body', () => {
  const forces = (time) => bodyFacts(loadedFilm(), 0, time, 'after').filter(({ name }) => name.startsWith('force'));
  assert.deepEqual(forces(1), [{ name: 'force of floor (slides)', unit: 'N', values: [-3, 0, 4] }]);
  assert.deepEqual(forces(2).map(({ values }) => values[2]), [1, 2]);
});

test('a corner is named with true minus signs', () => {
  const film = loadedFilm();
  assert.equal(featureWords(film, film.contactsOf(0)[0]), 'a, corner +x−y');
});
