// What panels compute: stepping, filters, words, plots, spectra.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { sampleFilm } from './support/sample_film.mjs';
import { contact, impact, jump, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const page = await sources(
  'film/film', 'film/format', 'film/words', 'film/energy', 'app/event_index', 'app/numbers', 'app/player', 'app/api',
  'panels/event_filter', 'panels/timeline_scale', 'panels/quantities', 'panels/plot_data', 'panels/decimate',
  'panels/impact_tables', 'app/collisions',
);
const film = (bytes) => new page.Film(page.decodePart(bytes.buffer));
const withEvents = (events, scene = smallScene(2)) =>
  film(smallFilm({ scene, events, samples: [0, 1].map(() => [0, 0.1, 0.2, 0.3].map((time) => ({ time }))) }));

test('what is known of events grows with the film', () => {
  const scene = smallScene(2);
  const two = impact(0.1, { contacts: [contact(), contact({ a: 1 })] });
  const later = [impact(0.2, { kind: 3, contacts: [contact()] }), impact(0.3, { flags: 1 })];
  const samples = (times) => times.map((time) => ({ time }));
  const grown = film(smallFilm({ scene, samples: [samples([0]), samples([0])], events: [two], complete: false }));
  assert.deepEqual([...page.eventIndex(grown).steps], [0]);
  assert.equal(page.collisionsOf(grown).endOf.length, 1);
  const first = { sample: 1, event: 1, contact: 2, jump: 0 };
  const rest = smallFilm({ scene, samples: [samples([0.4]), samples([0.4])], events: later, first });
  grown.append(page.decodePart(rest.buffer.slice(rest.byteOffset, rest.byteOffset + rest.byteLength)));
  const { steps, multipleCount, flaggedCount, impactCount } = page.eventIndex(grown);
  assert.deepEqual([...steps], [0, 2]);
  assert.deepEqual([multipleCount, flaggedCount, impactCount], [1, 1, 2]);
  assert.deepEqual([...page.collisionsOf(grown).endOf], [-1, -1, -1]);
});

test('rounding of velocities is told by the fastest body of the event', () => {
  const jumps = [jump({ before: [0.8, 0, 0], after: [0, 0, 1e-14] }), jump({ body: 1, spinAfter: [0, 1e-28, 0] })];
  const shown = withEvents([impact(0.1, { jumps })]);
  const { speed, spin } = page.leastOf(shown, shown.event(0));
  assert.ok(speed > 1e-14 && speed < 1e-10, String(speed));
  assert.ok(spin > 1e-28 && spin < 1e-9, String(spin));
});

describe('stepping', () => {
  const shown = withEvents([
    impact(0, { kind: 3, contacts: [] }),
    impact(0.1),
    impact(0.1, { contacts: [contact(), contact({ a: 1 })] }),
    impact(0.15, { kind: 1 }),
    impact(0.2, { flags: 1 }),
  ]);

  test('goes through the impacts one by one, also those of one instant', () => {
    const seen = [];
    let event = page.nextStep(shown, 0, null);
    for (; event !== null; event = page.nextStep(shown, shown.eventTimes[event], event)) seen.push(event);
    assert.deepEqual(seen, [1, 2, 4]);
    event = page.previousStep(shown, 1, null);
    const back = [];
    for (; event !== null; event = page.previousStep(shown, shown.eventTimes[event], event)) back.push(event);
    assert.deepEqual(back, [4, 2, 1]);
  });

  test('impacts with several contacts are those in which several take an impulse', () => {
    const touching = contact({ a: 1, impulse: 0 });
    const counted = withEvents([
      impact(0, { kind: 3, contacts: [contact({ impulse: 0 })] }),
      impact(0.1, { contacts: [contact(), touching] }),
      impact(0.2, { contacts: [contact(), contact({ a: 1, impulse: 0, tangential: [0.1, 0, 0] }), touching] }),
      impact(0.3, { contacts: [contact(), contact({ a: 1, impulse: 1e-17 })] }),
    ]);
    assert.deepEqual([...page.eventIndex(counted).multiple], [0, 0, 1, 0]);
    assert.equal(page.eventIndex(counted).multipleCount, 1);
    assert.equal(page.pushingContacts(counted, 2), 2);
    assert.equal(page.eventIndex(counted).restingCount, 1);
  });

  test('an impact at the very time is the next one, not the previous one', () => {
    assert.equal(page.nextStep(shown, 0.1, null), 1);
    assert.equal(page.previousStep(shown, 0.1, null), null);
  });

  test('a film without impacts is stepped through by the contacts that begin behind its start', () => {
    const lies = { kind: 3, contacts: [contact({ before: 0 })] };
    const compliant = withEvents([impact(0, lies), impact(0.1, { kind: 3 }), impact(0.2, { kind: 4 })]);
    assert.equal(page.nextStep(compliant, 0, null), 1);
    assert.equal(page.nextStep(compliant, 0.1, 1), null);
    assert.equal(page.eventIndex(compliant).stepWord, 'contact');
    const still = withEvents([impact(0, lies), impact(0.2, { kind: 4 })]);
    assert.equal(page.nextStep(still, 0, 0), 1);
    assert.equal(page.eventIndex(still).stepWord, 'event');
  });

  test('samples: one on, one back, and not over the ends', () => {
    assert.equal(page.neighbourSample(shown, 0.1, 1), 0.2);
    assert.equal(page.neighbourSample(shown, 0.15, 1), 0.2);
    assert.equal(page.neighbourSample(shown, 0.1, -1), 0);
    assert.equal(page.neighbourSample(shown, 0.15, -1), 0.1);
    assert.equal(page.neighbourSample(shown, 0.1 + 1e-9, 1), 0.2);
    assert.equal(page.neighbourSample(shown, 0, -1), 0);
    assert.equal(page.neighbourSample(shown, 0.3, 1), 0.3);
  });

  test('filters', () => {
    const passed = (filter) => [...page.filterEvents(shown, { ...page.noFilter, ...filter })];
    assert.deepEqual(passed({}), [0, 1, 2, 3, 4]);
    assert.deepEqual(passed({ kind: 'rest' }), [3]);
    assert.deepEqual(passed({ multipleOnly: true }), [2]);
    assert.deepEqual(passed({ flaggedOnly: true }), [4]);
    assert.deepEqual(passed({ object: 0, kind: 'impact' }), [1, 2, 4]);
    assert.deepEqual(page.kindsPresent(shown), ['impact', 'rest', 'contact-start']);
  });

  test('the axis by event gives every event the same room', () => {
    const scale = page.makeScale('event', shown, [0, 0.3]);
    assert.deepEqual(scale.whole, [0, 6]);
    assert.equal(scale.coordinate(0.1, 1), 2);
    assert.equal(scale.coordinate(0.1, 2), 3);
    for (const u of [1, 1.5, 3.25, 4.5, 5.75]) {
      assert.ok(Math.abs(scale.coordinate(scale.time(u), null) - u) < 1e-9, `${u}`);
    }
    assert.deepEqual(scale.eventsWithin(1.5, 4), [1, 4]);
    const linear = page.makeScale('time', shown, [0, 0.3]);
    assert.deepEqual(linear.eventsWithin(0.1, 0.15), [1, 4]);
  });

  test('slow motion is smooth, and over beyond its reach', () => {
    const times = Float64Array.of(1);
    assert.equal(page.slowMotionFactor(times, 0.5, 1), 1);
    assert.ok(page.slowMotionFactor(times, 1, 1) < 0.05);
    let last = page.slowMotionFactor(times, 1, 1);
    for (let time = 1; time < 1.5; time += 0.01) {
      const factor = page.slowMotionFactor(times, time, 1);
      assert.ok(factor >= last && factor - last < 0.06);
      last = factor;
    }
  });
});

describe('words', () => {
  const say = (event, scene) => page.eventSentences(...told(event, scene)).map(({ text }) => text);
  const tones = (event) => page.eventSentences(...told(event)).map(({ tone }) => tone);
  const told = (event, scene) => {
    const shown = withEvents([event], scene);
    return [shown, shown.event(0)];
  };

  test('energy', () => {
    assert.ok(say(impact(0, { energy: [2, 2] })).includes('Energy is kept exactly.'));
    assert.ok(say(impact(0, { energy: [1, 1 - 2 ** -53] })).includes('Energy is kept to 10⁻¹⁶.'));
    assert.ok(say(impact(0, { energy: [2, 1.94] })).includes('3 % of the energy was lost.'));
    assert.ok(say(impact(0, { energy: [2, 2.5] })).includes('Energy was created: 0.5 J more than before.'));
  });

  test('an obstacle that moves may give energy', () => {
    const scene = smallScene(1);
    scene.objects[1].velocity = [0, 0, 1];
    const shown = film(smallFilm({ scene, samples: [{ time: 0 }], events: [impact(0, { energy: [1, 2] })] }));
    const [push, energy] = page.eventSentences(shown, shown.event(0));
    assert.deepEqual(push, { text: 'floor pushes a.', tone: 'note' });
    assert.deepEqual(energy, { text: 'The bodies gained 1 J; an obstacle moves.', tone: 'note' });
  });

  test('the one that moves towards the other pushes it', () => {
    const scene = smallScene(2);
    const struck = (before, velocities) => {
      const jumps = velocities.map((velocity, body) => jump({ body, before: velocity }));
      const made = withEvents([impact(0.1, { contacts: [contact({ normal: [1, 0, 0], before })], jumps })], scene);
      return page.pushName(made, made.event(0), made.event(0).contacts[0]);
    };
    const [a, b] = scene.objects.map(({ name }) => name);
    assert.equal(struck(-2, [[-2, 0, 0], [0, 0, 0]]), `${a} → ${b}`);
    assert.equal(struck(-2, [[1, 0, 0], [3, 0, 0]]), `${b} → ${a}`, 'the faster one behind');
    assert.equal(struck(0, [[1, 0, 0], [1, 0, 0]]), `${a} – ${b}`, 'nobody');
  });

  test('separation', () => {
    assert.ok(say(impact(0)).includes('The contact separates.'));
    assert.ok(say(impact(0, { contacts: [contact(), contact()] })).includes('All contacts separate.'));
    const closed = [contact(), contact({ after: 0 }), contact({ after: -1e-12 })];
    assert.ok(say(impact(0, { contacts: closed })).includes('No contact approaches any more; 2 of 3 stay closed.'));
    const approaching = impact(0, { contacts: [contact({ b: 2, after: -0.3 })] });
    assert.ok(say(approaching).includes('Contact a – floor still approaches at 0.3 m/s.'));
    assert.ok(tones(approaching).includes('bad'));
  });

  test('pulling, and flags once', () => {
    const pulls = impact(0, { contacts: [contact({ impulse: -0.2 })], flags: 0b100 });
    assert.ok(say(pulls).includes('An impulse pulls: a – b, −0.2 N s.'));
    assert.ok(!say(pulls).includes('A contact had to pull.'));
    const merged = impact(0, { flags: 0b1000 });
    assert.ok(say(merged).includes('Contacts of the same direction were taken as one.'));
    assert.ok(tones(merged).includes('remark') && !tones(merged).includes('bad'));
  });

  test('every kind of event has its sentence', () => {
    const scene = smallScene(2);
    for (let kind = 1; kind < scene.kinds.length; ++kind) {
      const [text] = say(impact(0, { kind, energy: [NaN, NaN] }));
      assert.match(text, /a – b/, scene.kinds[kind]);
      assert.ok(say(impact(0, { kind, contacts: [], energy: [NaN, NaN] }))[0].length > 10);
    }
    assert.match(say(impact(0, { kind: 3 }), smallScene(2, { engine: 'smooth' }))[0], /begins to press/);
  });

  test('restitution is told of contacts that approached', () => {
    assert.equal(page.observedRestitution({ rateBefore: -2, rateAfter: 1 }), 0.5);
    assert.equal(page.observedRestitution({ rateBefore: 0, rateAfter: 1 }), null);
    assert.ok(Object.is(page.observedRestitution({ rateBefore: -2, rateAfter: 0 }), 0));
  });

  test('numbers', () => {
    assert.equal(page.formatNumber(0), '0');
    assert.equal(page.formatNumber(-1.23456), '−1.235');
    assert.equal(page.formatNumber(1e-16, 1), '10⁻¹⁶');
    assert.equal(page.formatNumber(-2.5e-7), '−2.5·10⁻⁷');
    assert.equal(page.formatNumber(12345678), '1.235·10⁷');
    assert.equal(page.formatNumber(NaN), '–');
    assert.equal(page.formatTimeExactly(0.1 + 0.2), '0.3');
    const times = Float64Array.of(1, 8.57894827, 8.57894831, 8.57894831, 9);
    assert.equal(page.formatEventTime(times, 0, 10), '1.0000');
    assert.equal(page.formatEventTime(times, 1, 10), '8.57894827');
    assert.equal(page.formatEventTime(times, 2, 10), '8.57894831');
    assert.equal(page.formatCount(1234567).replaceAll(/\s/g, '_'), '1_234_567');
  });

  test('rounds of an instant', () => {
    const events = [impact(0.1), impact(0.2), impact(0.2), impact(0.2), impact(0.3)];
    const arrays = { 'event.round': ['i32', [0, 0, 1, 2, 0]] };
    const shown = film(smallFilm({ samples: [{ time: 0 }], events, arrays }));
    assert.deepEqual(page.roundOf(shown, 2), { round: 2, rounds: 3 });
    assert.deepEqual(page.roundOf(shown, 0), { round: 1, rounds: 1 });
  });
});

describe('plots', () => {
  const sample = sampleFilm();
  const shown = film(sample.bytes);

  test('energies add up', () => {
    const { curves, unit } = page.plotted(shown, 'energy');
    const of = (label) => curves.find((curve) => curve.label === label).y;
    assert.equal(unit, 'J');
    of('total').forEach((total, i) => {
      assert.ok(Math.abs(total - of('kinetic')[i] - of('potential')[i]) < 1e-12 * total);
    });
    assert.equal(curves.find(({ label }) => label === 'supplied'), undefined);
  });

  test('a velocity jumps where the impact is, at one and the same time', () => {
    const { curves } = page.plotted(shown, 'velocity:0:z');
    const { time } = sample.events.find(({ jumps }) => jumps.some(({ body }) => body === 0));
    const [first] = curves;
    const row = first.x.indexOf(time);
    assert.equal(first.x[row + 1], time);
    assert.ok(first.y[row] < 0 && first.y[row + 1] > 0);
    assert.equal(page.plotted(shown, 'velocity:99:z'), null);
    assert.equal(page.plotted(shown, 'velocity:0:xyz').curves.length, 3);
  });

  test('gaps and impulses', () => {
    assert.equal(page.quantityTitle(shown, 'gap:2'), 'Gap left – middle');
    const gap = page.plotted(shown, 'gap:0').curves[0].y;
    assert.ok(Math.abs(gap[0] - 1.05) < 1e-12);
    const { stems, curves } = page.plotted(shown, 'impulses');
    assert.ok(stems);
    assert.equal(curves[0].x.length, sample.events.flatMap(({ contacts }) => contacts).length);
    assert.equal(page.plotted(shown, 'gap:77'), null);
  });

  test('values between points', () => {
    const curve = { x: Float64Array.of(0, 1, 1, 2), y: Float64Array.of(0, 2, 5, 7) };
    assert.equal(page.valueAt(curve, 0.5, false), 0, 'that of the last sample where no more is known');
    const known = { ...curve, at: (time, side) => (side === 'before' && time === 1 ? 2 : 4 + time) };
    assert.equal(page.valueAt(known, 0.5, false), 4.5);
    assert.equal(page.valueAt(known, 1, false, 'before'), 2);
    assert.equal(page.valueAt(curve, 1, false), 5);
    assert.equal(page.valueAt(curve, 2, false), 7);
    assert.ok(Number.isNaN(page.valueAt(curve, 3, false)));
    assert.equal(page.valueAt(curve, 1, true), 5);
    assert.ok(Number.isNaN(page.valueAt(curve, 0.5, true)));
  });

  // A ball of 1 kg falls from 2 m with g = 10, meets the floor at 0.6 and keeps a quarter of what it has.
  const falls = (() => {
    const scene = smallScene(1, { energies: [
      { name: 'kinetic', kind: 'stored' }, { name: 'gravity', kind: 'stored' }, { name: 'impacts', kind: 'dissipated' },
    ] });
    const samples = [0, 1].map((time) => ({ time }));
    const events = [impact(0.6, { jumps: [jump()] })];
    const arrays = {
      energy_time: ['f64', [0, 0.6, 0.6, 1]],
      'energy.kinetic': ['f64', [0, 18, 4.5, 0.5]],
      'energy.gravity': ['f64', [20, 2, 2, 6]],
      'energy.impacts': ['f64', [0, 0, 13.5, 13.5]],
      'energy_bend.kinetic': ['f64', [0, 18, 0, 8]],
      'energy_bend.gravity': ['f64', [0, -18, 0, -8]],
    };
    return film(smallFilm({ scene, samples, events, arrays }));
  })();

  test('energies between rows are parabolas, with two values at an impact', () => {
    for (const time of [0, 0.1, 0.3, 0.59]) {
      assert.ok(Math.abs(page.energyAt(falls, 'kinetic', time, 'after') - 50 * time * time) < 1e-12);
    }
    assert.equal(page.energyAt(falls, 'kinetic', 0.6, 'before'), 18);
    assert.equal(page.energyAt(falls, 'kinetic', 0.6, 'after'), 4.5);
    const speed = 3 - 10 * 0.2;
    assert.ok(Math.abs(page.energyAt(falls, 'kinetic', 0.8, 'after') - speed ** 2 / 2) < 1e-12);
    assert.equal(page.energyAt(falls, 'impacts', 0.59, 'after'), 0);
  });

  test('the legend at an impact says before and after, and nothing in between', () => {
    const { curves, unit, stems } = page.plotted(falls, 'energy');
    const words = (label, time, atEvent) =>
      page.valueWords(curves.find((curve) => curve.label === label), { unit, stems }, time, atEvent);
    assert.equal(words('kinetic', 0.6, true), '18 → 4.5 J');
    assert.equal(words('total', 0.6, true), '20 → 6.5 J');
    assert.equal(words('potential', 0.6, true), '2 J');
    assert.equal(words('dissipated', 0.6, true), '0 → 13.5 J');
    assert.equal(words('total', 0.3, false), '20 J');
    assert.equal(words('kinetic', 0.3, false), '4.5 J');
  });

  test('curves between samples are refined where there is room, jumps stay upright', () => {
    const { curves } = page.plotted(falls, 'energy');
    const kinetic = curves.find(({ label }) => label === 'kinetic');
    const fine = page.refine(kinetic, (time) => kinetic.at(time, 'after'), [0, 1], 60);
    assert.equal(fine.x.length, 4 + 2 * 19);
    const jumpAt = fine.x.indexOf(0.6);
    assert.deepEqual([...fine.y.slice(jumpAt, jumpAt + 2)], [18, 4.5]);
    fine.x.slice(0, jumpAt).forEach((time, i) => assert.ok(Math.abs(fine.y[i] - 50 * time * time) < 1e-12));
  });

  test('thinning out keeps every peak', () => {
    const n = 100_000;
    const x = Float64Array.from({ length: n }, (_, i) => i / n);
    const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i / 500));
    y[31_415] = 9;
    y[77_777] = -9;
    const thin = page.decimate(x, y, [0, 1], 300);
    assert.ok(thin.x.length <= 4 * 302);
    assert.ok(thin.y.includes(9) && thin.y.includes(-9));
    for (let i = 1; i < thin.x.length; ++i) assert.ok(thin.x[i] >= thin.x[i - 1]);
    const zoomed = page.decimate(x, y, [0.5, 0.5001], 300);
    assert.ok(zoomed.x.length >= 10 && zoomed.x.length < 20);
  });

  test('curves with different times share a table', () => {
    const a = { x: Float64Array.of(0, 1, 1, 2), y: Float64Array.of(1, 2, 3, 4) };
    const b = { x: Float64Array.of(0.5, 1), y: Float64Array.of(7, 8) };
    assert.deepEqual(page.joinCurves([a, b]), [[0, 0.5, 1, 1, 2], [1, null, 2, 3, 4], [null, 7, 8, null, null]]);
  });
});

test('options of the address', () => {
  const address = '#time=1.5&view=top&theme=dark&clean&plots=off&follow=ball%201&nonsense=1';
  const { options, time, event } = page.parseHash(address);
  assert.deepEqual(options, { view: 'top', theme: 'dark', clean: true, plots: false, follow: 'ball 1' });
  assert.equal(time, 1.5);
  assert.equal(event, undefined);
  assert.deepEqual(page.parseHash('#view=upside-down&time=x').options, {});
});

test('a short film is slowed down, a long one hurried', () => {
  assert.equal(page.suggestedSpeed(5), 1);
  assert.ok(page.suggestedSpeed(0.02) <= 0.01);
  assert.ok(page.suggestedSpeed(1000) >= 10);
});
