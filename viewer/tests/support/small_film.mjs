// Films small enough to be written down in a test: a few balls, a floor, and what happens to them.

import { encodeFilm, eventColumns } from './encode_film.mjs';

export const flags = [
  { name: 'energy-created', words: 'the contacts gave out more energy than they took in' },
  { name: 'still-approaching', words: 'a contact is still approaching after the law has finished' },
  { name: 'negative-impulse', words: 'a contact had to pull' },
  { name: 'parallel-contacts-merged', words: 'contacts of the same direction were taken as one' },
];

/** Balls named a, b, … above a floor. */
export function smallScene(balls = 1, changes = {}) {
  const objects = Array.from({ length: balls }, (_, i) => ({
    name: String.fromCharCode(97 + i), body: true, shape: { kind: 'sphere', radius: 0.1 }, mass: 1, material: null,
  }));
  const floor = {
    name: 'floor', body: false, shape: { kind: 'plane' }, material: null, position: [0, 0, 0],
    orientation: [1, 0, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, 0],
  };
  return {
    title: 'small', engine: 'event', law: 'newton', version: '0', settings: [], duration: 1, output_step: 0.1,
    gravity: [0, 0, -10], objects: [...objects, floor], bodies: balls, springs: [], rods: [], rolling: [], joints: [],
    pockets: [], dents: [], energies: [{ name: 'kinetic', kind: 'stored' }, { name: 'impacts', kind: 'dissipated' }], gaps: [],
    kinds: ['impact', 'rest', 'release', 'contact-start', 'contact-end', 'swallowed', 'slip', 'stick'],
    stops: ['separated', 'at-rest', 'step-limit', 'no-exit-direction', 'infeasible'], laws: ['newton', 'poisson'],
    flags, ...changes,
  };
}

export function contact(changes = {}) {
  return {
    a: 0, b: 1, point: [0, 0, 0], normal: [0, 0, 1], impulse: 1, tangential: [0, 0, 0], before: -1, after: 1,
    ...changes,
  };
}

export function jump(changes = {}) {
  return { body: 0, before: [0, 0, -1], after: [0, 0, 1], spinBefore: [0, 0, 0], spinAfter: [0, 0, 0], ...changes };
}

export function impact(time, changes = {}) {
  return { time, kind: 0, contacts: [contact()], jumps: [], energy: [1, 1], flags: 0, ...changes };
}

/** @param samples [{time, position, velocity, orientation, spin}] of one body, or a list of such lists per body. */
export function smallFilm({ scene = smallScene(), samples = [], events = [], ...rest } = {}) {
  const perBody = Array.isArray(samples[0]) ? samples : [samples];
  const times = perBody[0].map(({ time }) => time);
  const rows = (value) => times.flatMap((_, t) => perBody.flatMap((body) => value(body[t])));
  const none = ['f64', times.map(() => 0)];
  const energies = Object.fromEntries(scene.energies.map(({ name }) => [`energy.${name}`, none]));
  const arrays = {
    time: ['f64', times],
    position: ['f64', rows(({ position = [0, 0, 0] }) => position)],
    orientation: ['f32', rows(({ orientation = [1, 0, 0, 0] }) => orientation)],
    velocity: ['f32', rows(({ velocity = [0, 0, 0] }) => velocity)],
    angular_velocity: ['f32', rows(({ spin = [0, 0, 0] }) => spin)],
    energy_time: ['f64', times],
    ...energies,
    ...eventColumns(events),
    ...rest.arrays,
  };
  return encodeFilm({ name: 'small.h5', ...rest, scene, arrays });
}
