// Where bodies are between samples.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { sampleFilm } from './support/sample_film.mjs';
import { contact, impact, jump, smallFilm } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const page = await sources('film/film', 'film/format', 'film/motion');
const { Film, decodePart, placementAt, objectAt, obstacleAt, rotationBy } = page;
const film = (bytes) => new Film(decodePart(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));

/** Velocities are stored in single precision: half an ulp of the largest, over the time between samples. */
const single = 2 ** -24;
const near = (actual, expected, tolerance) => {
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]) <= tolerance, `${actual} is not ${expected} to ${tolerance}`);
  });
};

describe('free flight', () => {
  const fall = (time) => ({ time, position: [2 * time, 0, 5 - 5 * time * time], velocity: [2, 0, -10 * time] });
  const shown = film(smallFilm({ samples: [0, 0.25, 0.5, 1].map(fall) }));

  test('is exact between samples', () => {
    for (let i = 0; i <= 64; ++i) {
      const { position, velocity } = placementAt(shown, 0, i / 64);
      near(position, fall(i / 64).position, 1e-13);
      near(velocity, fall(i / 64).velocity, 1e-12);
    }
  });

  test('times outside of the film give its ends', () => {
    near(placementAt(shown, 0, -1).position, fall(0).position, 0);
    near(placementAt(shown, 0, 9).position, fall(1).position, 0);
  });
});

describe('a bounce between samples', () => {
  // Comes down with speed 2, meets the floor at 0.3, goes back with half the speed.
  const meets = 0.3;
  const at = (time) => (time < meets ? [0, 0, 2 * (meets - time)] : [0, 0, time - meets]);
  const sample = (time) => ({ time, position: at(time), velocity: [0, 0, time < meets ? -2 : 1] });
  const samples = [0, 1].map(sample);

  test('is exact where its jump is recorded', () => {
    const events = [impact(meets, { jumps: [jump({ before: [0, 0, -2], after: [0, 0, 1] })] })];
    const shown = film(smallFilm({ samples, events }));
    for (const time of [0.1, 0.299, meets, 0.301, 0.9]) near(placementAt(shown, 0, time).position, at(time), 1e-14);
    near(placementAt(shown, 0, meets).velocity, [0, 0, 1], 1e-14);
    near(placementAt(shown, 0, meets, 'before').velocity, [0, 0, -2], 1e-14);
    near(placementAt(shown, 0, meets, 'before').position, [0, 0, 0], 1e-14);
    near(placementAt(shown, 0, 0.2999).velocity, [0, 0, -2], 1e-12);
  });

  test('is found where no jump tells of it', () => {
    const shown = film(smallFilm({ samples }));
    for (const time of [0.1, 0.299, 0.301, 0.9]) near(placementAt(shown, 0, time).position, at(time), 1e-14);
  });

  test('two rounds of one instant count as one', () => {
    const events = [
      impact(meets, { jumps: [jump({ before: [0, 0, -2], after: [0, 0, -0.5] })] }),
      impact(meets, { jumps: [jump({ before: [0, 0, -0.5], after: [0, 0, 1] })] }),
    ];
    const shown = film(smallFilm({ samples, events }));
    for (const time of [0.2, meets, 0.7]) near(placementAt(shown, 0, time).position, at(time), 1e-14);
  });
});

describe('a compliant contact between samples', () => {
  // With speed 2 onto a linear spring at 0.3, on which it stays for 0.1 s: half a sine of force.
  const [begins, lasts, speed] = [0.3, 0.1, 2];
  const depth = (speed * lasts) / Math.PI;
  const at = (time) => {
    if (time < begins) return speed * (begins - time);
    if (time > begins + lasts) return speed * (time - begins - lasts);
    return -depth * Math.sin((Math.PI * (time - begins)) / lasts);
  };
  const sample = (time) => ({ time, position: [0, 0, at(time)], velocity: [0, 0, time < begins + lasts / 2 ? -speed : speed] });
  const impulse = 2 * speed;
  const pressed = { b: 1, impulse, before: -speed, after: speed };
  const events = [{ ...impact(begins + lasts, { contacts: [contact(pressed)] }), kind: 4 }];
  const course = {
    'contact.began': ['f64', [begins]],
    'contact.peak_force': ['f64', [(impulse * Math.PI) / (2 * lasts)]],
    'contact.peak_time': ['f64', [begins + lasts / 2]],
  };

  test('is followed to 0.3 % of its depth', () => {
    const shown = film(smallFilm({ samples: [0, 1].map(sample), events, arrays: course }));
    for (let time = 0.005; time < 1; time += 0.005) {
      near(placementAt(shown, 0, time).position, [0, 0, at(time)], 0.003 * depth);
    }
    near(placementAt(shown, 0, begins + lasts / 2).velocity, [0, 0, 0], 1e-6);
  });

  test('also where a sample cuts it', () => {
    const cut = begins + 0.3 * lasts;
    const velocity = [0, 0, -speed * Math.cos(0.3 * Math.PI)];
    const samples = [sample(0), { time: cut, position: [0, 0, at(cut)], velocity }, sample(1)];
    const shown = film(smallFilm({ samples, events, arrays: course }));
    for (let time = 0.005; time < 1; time += 0.005) {
      near(placementAt(shown, 0, time).position, [0, 0, at(time)], 0.02 * depth);
    }
  });
});

test('a body turns evenly, also by more than half a turn between samples', () => {
  const spin = [0, 0, 5];
  const samples = [0, 1].map((time) => ({ time, spin, orientation: rotationBy([0, 0, 5 * time]) }));
  const shown = film(smallFilm({ samples }));
  for (const time of [0.2, 0.5, 0.8]) {
    const expected = rotationBy([0, 0, 5 * time]);
    const { orientation } = placementAt(shown, 0, time);
    const cosine = Math.abs(orientation.reduce((sum, q, i) => sum + q * expected[i], 0));
    assert.ok(1 - cosine < 4 * single, `${orientation} is not ${expected}`);
  }
});

test('an obstacle moves with its velocity and spin', () => {
  const sample = sampleFilm();
  const shown = film(sample.bytes);
  const drum = sample.scene.objects.findIndex(({ name }) => name === 'drum');
  const { orientation, position } = objectAt(shown, drum, 0.3);
  near(orientation, rotationBy([0, 0, 1.2]), 1e-15);
  near(position, [1.5, 0, 0.3], 0);
});

describe('a driven obstacle', () => {
  const driven = (motion) => {
    const object = { position: [1, 0, 2], orientation: [1, 0, 0, 0], motion };
    return (time) => obstacleAt({ object: () => object }, 0, time);
  };

  test('slides along its axis as its sine says', () => {
    const position = { kind: 'sine', amplitude: 0.1, frequency: 5, phase: 0.3 };
    const at = driven({ axis: [0, 0, 1], point: [1, 0, 2], position });
    const w = 10 * Math.PI;
    near(at(0.123).position, [1, 0, 2 + 0.1 * Math.sin(w * 0.123 + 0.3)], 1e-15);
    near(at(0.123).velocity, [0, 0, 0.1 * w * Math.cos(w * 0.123 + 0.3)], 1e-13);
  });

  test('turns about its point as its polynomial says', () => {
    const angle = { kind: 'polynomial', coefficients: [0, 0.5, 0.25] };
    const at = driven({ axis: [0, 0, 1], point: [0, 0, 0], angle });
    const turned = 0.5 * 2 + 0.25 * 4;
    near(at(2).position, [Math.cos(turned), Math.sin(turned), 2], 1e-15);
    near(at(2).orientation, rotationBy([0, 0, turned]), 1e-15);
    near(at(2).velocity, [-1.5 * Math.sin(turned), 1.5 * Math.cos(turned), 0], 1e-14);
  });

  test('follows its spline, and goes on beyond it as its ends say', () => {
    // s = t³ − t on [0, 1], s″ = 6t: a natural spline at 0.
    const table = { kind: 'spline', times: [0, 0.5, 1], values: [0, -0.375, 0], bends: [0, 3, 6] };
    const along = (ends, time) => {
      const at = driven({ axis: [1, 0, 0], point: [1, 0, 2], position: { ...table, ends } });
      return at(time).position[0] - 1;
    };
    for (const time of [0.1, 0.5, 0.77]) near([along('natural', time)], [time ** 3 - time], 1e-15);
    near([along('natural', 1.25)], [0.5], 1e-15);
    near([along('rest', 1.25)], [0], 1e-15);
    near([along('periodic', 2.1)], [0.1 ** 3 - 0.1], 1e-14);
  });
});

test('every bouncing body of the sample is where the closed form has it', () => {
  const sample = sampleFilm();
  const shown = film(sample.bytes);
  for (let body = 0; body < 8; ++body) {
    for (let time = 0.013; time < 3; time += 0.037) {
      const expected = sample.bodyAt(body, time);
      // Speeds up to 5 m/s in single precision, over steps of 0.05 s with a few bounces.
      near(placementAt(shown, body, time).position, expected.position, 4 * 5 * single * 0.05 + 1e-13);
    }
  }
});
