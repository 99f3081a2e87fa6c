// Compliant contacts as collisions of one row, the words of rows, and impacts that are set beside each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contact, impact, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const page = await sources(
  'film/film', 'film/format', 'app/collisions', 'app/event_index', 'app/numbers', 'panels/event_filter',
  'panels/event_row_words', 'panels/impact_compare', 'panels/plot_data',
);
const film = (parts) => new page.Film(page.decodePart(new Uint8Array(smallFilm(parts)).buffer));

/** Two corners of one body begin to press at 0.25 s, and end one after the other; a third contact is still closed. */
function collidingFilm(names = ['a', 'b']) {
  const scene = smallScene(2, { engine: 'smooth', law: '' });
  names.forEach((name, i) => (scene.objects[i].name = name));
  const at = (time, kind, changes) => impact(time, { kind, contacts: [contact({ impulse: kind === 4 ? 2 : 0, ...changes })], work: -0.5 });
  const events = [at(0.25, 3), at(0.25, 3), at(0.3, 4), at(0.4, 4), at(0.5, 3, { a: 1, b: 2 })];
  const arrays = {
    'contact.joint': ['i32', [-1, -1, -1, -1, -1]],
    'contact.began': ['f64', [NaN, NaN, 0.25, 0.25, NaN]],
    'contact.peak_force': ['f64', [NaN, NaN, 7, 8, NaN]],
  };
  return film({ scene, samples: [0, 1].map(() => [0, 1].map((time) => ({ time }))), events, arrays });
}

test('begin and end of a compliant contact are one row', () => {
  const shown = collidingFilm();
  assert.deepEqual([...page.collisionsOf(shown).endOf], [2, 3, -1, -1, -1]);
  assert.deepEqual([...page.collisionsOf(shown).beginOf], [-1, -1, 0, 1, -1]);
  assert.deepEqual([...page.filterEvents(shown, page.noFilter)], [0, 1, 4]);
  assert.deepEqual([...page.filterEvents(shown, { ...page.noFilter, kind: 'contact-end' })], [2, 3]);
  assert.equal(page.rowTitle(shown, 1), 'Collision, 0.15 s');
  assert.equal(page.energyWords(shown, 1), '−0.5 J');
  assert.equal(page.rowTitle(shown, 4), 'Contact begins');
  assert.equal(page.eventIndex(shown).steps.length, 3, 'as many as rows');
});

test('of long names both stay in sight', () => {
  const shown = collidingFilm(['the_left_front_suspension_carrier', 'the_right_front_suspension_carrier']);
  const { names, whole } = page.contactWords(shown, 0);
  assert.ok(names.length <= 42, names);
  assert.match(names, /^the_left_.*… *.*carrier – the_right.*carrier$/);
  assert.equal(whole, 'the_left_front_suspension_carrier – the_right_front_suspension_carrier');
});

test('laws that have parted are compared impact by impact of the same two', () => {
  const bounces = (times) => film({ samples: [{ time: 0 }, { time: 9 }], events: times.map((time) => impact(time)) });
  const films = [bounces([1, 3, 5]), bounces([1, 2.5])];
  const compared = (event) => page.comparedImpact(films, 0, films[0].event(event));
  assert.equal(compared(0).words, '', 'the same instant');
  assert.equal(compared(0).rows.some(({ name }) => name === 'time'), false);
  assert.match(compared(1).words, /impact 2 of a – floor/);
  assert.deepEqual(compared(1).rows[0], { name: 'time', unit: 's', values: [3, 2.5] });
  assert.equal(compared(2), null);
});

test('a potential whose zero lies far off is counted from its least value', () => {
  const scene = smallScene(1);
  scene.energies = [{ name: 'kinetic', kind: 'stored' }, { name: 'gravity', kind: 'stored' }];
  const samples = [0, 1, 2].map((time) => ({ time }));
  const arrays = (offset) => ({
    'energy.kinetic': ['f64', [0, 1, 0]], 'energy.gravity': ['f64', [1 + offset, offset, 1 + offset]],
    'energy_bend.kinetic': ['f64', [0, 0, 0]], 'energy_bend.gravity': ['f64', [0, 0, 0]],
  });
  const curves = (offset, count = 1) => {
    const shown = film({ scene, samples, arrays: arrays(offset) });
    return page.rowData(new Array(count).fill(shown), { quantity: 'energy', spectrum: false }).curves;
  };
  const far = curves(-100);
  assert.deepEqual(far.map(({ label }) => label), ['kinetic', 'potential, from −100 J', 'total, from −100 J']);
  assert.deepEqual([...far[1].y], [1, 0, 1]);
  assert.equal(far[1].at(0.5, 'after'), 0.5);
  assert.deepEqual(curves(-2).map(({ label }) => label), ['kinetic', 'potential', 'total'], 'near enough');
  assert.equal(curves(-100, 2)[1].label, 'potential', 'films are compared as they are');
});

test('numbers that are copied are read by other programs', () => {
  assert.equal(page.plainNumbers('−1.5·10⁻⁶'), '-1.5e-6');
  assert.equal(page.plainNumbers('10⁷ and −10⁻¹²'), '1e7 and -1e-12');
  assert.equal(page.plainNumbers('210.5\t0.1'), '210.5\t0.1');
  assert.equal(page.formatTimeWithin(0.27953612345, 1.4e-4), '0.279536');
});
