/**
 * Films made by hand, for tests and for looking at the page without a run (docs/film-format.md).
 *
 * `sampleFilm()` has every shape, connection and kind of event, and motion in closed form: `bodyAt(body, time)` says
 * where a body is, so that what the page makes of the samples can be compared with it.
 *
 *   node sample_film.mjs PAGE.html OUT.html [crowd|compare]
 *
 * puts the sample, a crowd of 10 000 bodies or two samples into a built page.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { embedFilms, encodeFilm, eventColumns } from './encode_film.mjs';

export { embedFilms, encodeFilm };

// ---------------------------------------------------------------------------------------------- vectors

const add = (a, b) => a.map((x, i) => x + b[i]);
const scale = (a, s) => a.map((x) => x * s);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const multiply = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
function rotationBy(turn) {
  const angle = Math.hypot(...turn);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), turn[0] * s, turn[1] * s, turn[2] * s];
}

// ---------------------------------------------------------------------------------------------- motion

const gravity = [0, 0, -9.81];
const duration = 3;

/** Pieces of constant acceleration and spin: {time, position, velocity, acceleration, spin, orientation}. */
function alongPieces(pieces) {
  return (time) => {
    let piece = pieces[0];
    for (const later of pieces) if (later.time <= time) piece = later;
    const s = time - piece.time;
    return {
      position: add(piece.position, add(scale(piece.velocity, s), scale(piece.acceleration, (s * s) / 2))),
      velocity: add(piece.velocity, scale(piece.acceleration, s)),
      orientation: multiply(rotationBy(scale(piece.spin, s)), piece.orientation),
      angularVelocity: piece.spin,
    };
  };
}

/** A body that bounces on the floor; `grip` gives the first bounce a tangential impulse [N s] along x. */
function bouncing(body, { position, velocity = [0, 0, 0], spin, clearance, restitution, grip = 0 }, floor, events) {
  const pieces = [{ time: 0, position, velocity, acceleration: gravity, spin, orientation: [1, 0, 0, 0] }];
  const mass = body.mass;
  for (;;) {
    const last = pieces[pieces.length - 1];
    const height = last.position[2] - clearance;
    const up = last.velocity[2];
    const wait = (up + Math.sqrt(up * up + 2 * 9.81 * Math.max(height, 0))) / 9.81;
    const time = last.time + wait;
    if (time >= duration) break;
    const before = alongPieces([last])(time);
    const impulse = mass * (1 + restitution) * -before.velocity[2];
    const tangential = pieces.length === 1 ? [grip, 0, 0] : [0, 0, 0];
    const after = add(before.velocity, add([0, 0, impulse / mass], scale(tangential, 1 / mass)));
    const arm = [0, 0, -clearance];
    const torque = [-arm[2] * tangential[1], arm[2] * tangential[0], 0];
    const spinAfter = add(last.spin, scale(torque, 1 / body.inertia));
    events.push({
      time,
      kind: 0,
      contacts: [
        {
          a: body.index, b: floor, point: add(before.position, arm), normal: [0, 0, 1], impulse,
          tangential, before: before.velocity[2], after: after[2],
        },
      ],
      jumps: [{ body: body.index, before: before.velocity, after, spinBefore: last.spin, spinAfter }],
      energy: [
        0.5 * mass * dot(before.velocity, before.velocity) + 0.5 * body.inertia * dot(last.spin, last.spin),
        0.5 * mass * dot(after, after) + 0.5 * body.inertia * dot(spinAfter, spinAfter),
      ],
      flags: pieces.length === 2 && body.index === 1 ? 1 : 0,
    });
    pieces.push({
      time, position: before.position, velocity: after, acceleration: gravity, spin: spinAfter,
      orientation: before.orientation,
    });
  }
  return alongPieces(pieces);
}

/** The outer two of three balls meet the middle one at the same instant and go back: two contacts at once. */
function meeting(bodies, [left, middle, right], events) {
  const radius = 0.12;
  const speed = 0.8;
  const reach = 1.4;
  const time = (reach - 2 * radius) / speed;
  const y = -1.1;
  const piece = (start, x, velocity, spin) => ({
    time: start, position: [x, y, radius], velocity: [velocity, 0, 0], acceleration: [0, 0, 0], spin,
    orientation: [1, 0, 0, 0],
  });
  const mass = bodies[left].mass;
  const contact = (a, b, sign) => ({
    a, b, point: [sign * radius, y, radius], normal: [sign, 0, 0], impulse: 2 * mass * speed, tangential: [0, 0, 0],
    before: -speed, after: speed,
  });
  const jump = (body, sign) => ({
    body, before: [-sign * speed, 0, 0], after: [sign * speed, 0, 0], spinBefore: [0, 0, 0], spinAfter: [0, 0, 0],
  });
  const still = { before: [0, 0, 0], after: [0, 0, 0], spinBefore: [0, 0, 0], spinAfter: [0, 0, 0] };
  events.push({
    time, kind: 0,
    contacts: [contact(left, middle, -1), contact(right, middle, 1)],
    jumps: [jump(left, -1), { body: middle, ...still }, jump(right, 1)],
    energy: [mass * speed * speed, mass * speed * speed],
    flags: 0,
  });
  const side = (sign) => alongPieces([
    piece(0, sign * reach, -sign * speed, [0, 0, 0]), piece(time, sign * 2 * radius, sign * speed, [0, 0, 0]),
  ]);
  return { [left]: side(-1), [middle]: alongPieces([piece(0, 0, 0, [0, 0, 0])]), [right]: side(1) };
}

/** Round a vertical axis at constant speed: a conical pendulum, a ball of a bearing. */
function circling(centre, radius, rate, spin) {
  return (time) => {
    const [c, s] = [Math.cos(rate * time), Math.sin(rate * time)];
    return {
      position: add(centre, [radius * c, radius * s, 0]),
      velocity: [-radius * rate * s, radius * rate * c, 0],
      orientation: rotationBy([0, 0, spin * time]),
      angularVelocity: [0, 0, spin],
    };
  };
}

/** Up and down on a spring about its rest. */
function swinging(centre, amplitude, rate) {
  return (time) => ({
    position: add(centre, [0, 0, amplitude * Math.cos(rate * time)]),
    velocity: [0, 0, -amplitude * rate * Math.sin(rate * time)],
    orientation: [1, 0, 0, 0],
    angularVelocity: [0, 0, 0],
  });
}

// ---------------------------------------------------------------------------------------------- scene

const sphere = (radius) => ({ kind: 'sphere', radius });
const sampleBodies = [
  { name: 'ball', shape: sphere(0.15), mass: 1.2, inertia: 0.4 * 1.2 * 0.15 ** 2 },
  { name: 'egg', shape: { kind: 'ellipsoid', semi_axes: [0.24, 0.15, 0.12] }, mass: 1, inertia: 0.016 },
  { name: 'box', shape: { kind: 'box', half_sizes: [0.16, 0.12, 0.1] }, mass: 2, inertia: 0.027 },
  { name: 'roller', shape: { kind: 'cylinder', radius: 0.12, half_length: 0.15 }, mass: 1.5, inertia: 0.011 },
  {
    name: 'wedge', shape: { kind: 'prism', vertices: [[-0.16, -0.1], [-0.02, 0.2], [0.18, -0.1]], half_length: 0.09 },
    mass: 0.8, inertia: 0.009,
  },
  { name: 'left', shape: sphere(0.12), mass: 1, inertia: 0.00576 },
  { name: 'middle', shape: sphere(0.12), mass: 1, inertia: 0.00576 },
  { name: 'right', shape: sphere(0.12), mass: 1, inertia: 0.00576 },
  { name: 'pendulum', shape: sphere(0.09), mass: 0.5, inertia: 0.0016 },
  { name: 'weight', shape: sphere(0.1), mass: 0.7, inertia: 0.0028 },
  { name: 'race', shape: { kind: 'bore', radius: 0.3, half_length: 0.08 }, mass: 1, inertia: 0.1 },
  { name: '<img src=x onerror=alert(1)>', shape: sphere(0.07), mass: 0.1, inertia: 0.0002 },
].map((body, index) => ({ ...body, index, body: true, material: 'steel' }));

const still = { velocity: [0, 0, 0], angular_velocity: [0, 0, 0] };
const sampleObstacles = [
  { name: 'floor', shape: { kind: 'plane' }, position: [0, 0, 0], orientation: [1, 0, 0, 0], ...still },
  {
    name: 'wall', shape: { kind: 'plane' }, position: [-2.2, 0, 0],
    orientation: rotationBy([0, Math.PI / 2, 0]), ...still,
  },
  {
    name: 'tube', shape: { kind: 'bore', radius: 0.25, half_length: 0.3 }, position: [1.6, 0.9, 0.3],
    orientation: [1, 0, 0, 0], ...still,
  },
  {
    name: 'dome', shape: { kind: 'shell', radius: 0.3 }, position: [-1.6, -0.2, 0.35], orientation: [1, 0, 0, 0],
    ...still,
  },
  {
    name: 'drum', shape: { kind: 'cylinder', radius: 0.12, half_length: 0.08 }, position: [1.5, 0, 0.3],
    orientation: [1, 0, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, 4],
  },
].map((obstacle) => ({ ...obstacle, body: false, material: null }));

const bodies = sampleBodies.length;
const floor = bodies;
const coneRate = Math.sqrt(9.81 / 0.8);

const sampleScene = (law) => ({
  title: 'sample with <b>every</b> shape',
  engine: 'event',
  law,
  version: '0.0.0',
  settings: [`law=${law}`],
  duration,
  output_step: 0.05,
  gravity,
  objects: [...sampleBodies.map(({ index, inertia, ...object }) => object), ...sampleObstacles],
  bodies,
  springs: [{ a: 9, b: -1, point_a: [0, 0, 0.1], point_b: [0.9, 1.2, 1.7] }],
  rods: [{ body: 8, pivot: [-0.9, 1.2, 1.3], length: Math.hypot(0.8, 0.5) }],
  rolling: [],
  joints: [],
  pockets: [{ name: 'corner', centre: [0.6, -0.5, 0], axis: [0, 0, 1], radius: 0.16 }],
  dents: [{ object: bodies + 4, direction: [1, 0, 0], half_width: 0.15, depth: 0.01 }],
  energies: [
    { name: 'kinetic', kind: 'stored' },
    { name: 'gravity', kind: 'stored' },
    { name: 'springs', kind: 'stored' },
    { name: 'loads', kind: 'stored' },
    { name: 'contacts', kind: 'stored' },
    { name: 'initial', kind: 'initial' },
    { name: 'impacts', kind: 'dissipated' },
    { name: 'wall_work', kind: 'supplied' },
  ],
  gaps: [[0, floor], [1, floor], [5, 6], [6, 7]],
  kinds: ['impact', 'rest', 'release', 'contact-start', 'contact-end', 'swallowed', 'slip', 'stick'],
  stops: ['separated', 'step-limit'],
  laws: ['moreau', 'energy-tied'],
  flags: [
    { name: 'energy-gained', words: 'The impact has made energy.' },
    { name: 'still-approaching', words: 'A contact still approaches after the impact.' },
  ],
});

/** @param restitution of the bodies that bounce; two films with different ones can be compared. */
export function sampleFilm({ name = 'sample.h5', law = 'moreau', restitution = 0.85, step = 0.05 } = {}) {
  const events = [];
  const bounce = (index, options) => bouncing(sampleBodies[index], { restitution, ...options }, floor, events);
  const paths = {
    0: bounce(0, { position: [-1.2, 0.4, 1.2], spin: [0, 6, 0], clearance: 0.15, grip: 0.9 }),
    1: bounce(1, { position: [-0.4, 0.5, 0.9], spin: [0, 0, 3], clearance: 0.12 }),
    2: bounce(2, { position: [0.3, 0.3, 0.7], spin: [0, 0, 2], clearance: 0.1 }),
    3: bounce(3, { position: [0.8, 0.4, 0.6], spin: [0, 0, -4], clearance: 0.15 }),
    4: bounce(4, { position: [-0.2, -0.4, 0.8], spin: [0, 0, 1.5], clearance: 0.09 }),
    ...meeting(sampleBodies, [5, 6, 7], events),
    8: circling([-0.9, 1.2, 0.5], 0.5, coneRate, coneRate),
    9: swinging([0.9, 1.2, 0.9], 0.25, 5),
    10: circling([1.5, 0, 0.3], 0, 0, 2),
    11: circling([1.5, 0, 0.3], 0.21, 1.3, 8),
  };
  events.push({ time: 2.5, kind: 1, contacts: [], jumps: [], energy: [NaN, NaN], flags: 0 });
  events.sort((a, b) => a.time - b.time);
  const bodyAt = (body, time) => paths[body](time);
  const times = Array.from({ length: Math.round(duration / step) + 1 }, (_, i) => i * step);
  const scene = sampleScene(law);
  scene.output_step = step;
  const arrays = { ...sampleColumns(times, bodyAt, events), ...eventColumns(events) };
  const summary = { impacts: events.length - 1 };
  return { name, scene, arrays, events, bodyAt, bytes: encodeFilm({ name, scene, arrays, summary }) };
}

/** Vectors of all bodies at all times, one behind the other. */
function column(times, count, value) {
  return times.flatMap((t) => Array.from({ length: count }, (_, i) => value(i, t))).flat();
}

function sampleColumns(times, bodyAt, events) {
  const total = (value, t) => sampleBodies.reduce((sum, body) => sum + value(body, bodyAt(body.index, t)), 0);
  const energy = (value) => ['f64', times.map((t) => total(value, t))];
  const kinetic = energy(
    ({ mass, inertia }, { velocity: v, angularVelocity: w }) => 0.5 * (mass * dot(v, v) + inertia * dot(w, w)),
  );
  const potential = energy((b, { position }) => b.mass * 9.81 * position[2]);
  const zero = ['f64', times.map(() => 0)];
  const lost = times.map((t) =>
    events.reduce((sum, e) => (e.time <= t && e.kind === 0 ? sum + e.energy[0] - e.energy[1] : sum), 0));
  const height = (body, t, clearance) => bodyAt(body, t).position[2] - clearance;
  const apart = (a, b, t) => Math.hypot(...add(bodyAt(b, t).position, scale(bodyAt(a, t).position, -1))) - 0.24;
  return {
    time: ['f64', times],
    position: ['f64', column(times, bodies, (i, t) => bodyAt(i, t).position)],
    orientation: ['f32', column(times, bodies, (i, t) => bodyAt(i, t).orientation)],
    velocity: ['f32', column(times, bodies, (i, t) => bodyAt(i, t).velocity)],
    angular_velocity: ['f32', column(times, bodies, (i, t) => bodyAt(i, t).angularVelocity)],
    energy_time: ['f64', times],
    'energy.kinetic': kinetic,
    'energy.gravity': potential,
    'energy.springs': zero,
    'energy.loads': zero,
    'energy.contacts': zero,
    'energy.initial': ['f64', times.map(() => kinetic[1][0] + potential[1][0])],
    'energy.impacts': ['f64', lost],
    'energy.wall_work': zero,
    gap: ['f64', times.flatMap((t) => [height(0, t, 0.15), height(1, t, 0.12), apart(5, 6, t), apart(6, 7, t)])],
  };
}

/** Many spheres and boxes in a block that flies apart; no events. */
export function crowdFilm(count = 10000) {
  const edge = Math.ceil(Math.cbrt(count));
  const kinds = [sphere(0.3), { kind: 'box', half_sizes: [0.25, 0.25, 0.25] }];
  const objects = Array.from({ length: count }, (_, i) => ({
    name: `grain-${i + 1}`, body: true, shape: kinds[i % 2], mass: 1, material: i % 2 === 0 ? 'steel' : 'glass',
  }));
  objects.push({ ...sampleObstacles[0], position: [0, 0, -0.5] });
  const place = (i) => [i % edge, Math.floor(i / edge) % edge, Math.floor(i / (edge * edge))];
  const speed = (i) => scale(add(place(i), [-edge / 2, -edge / 2, 0]), 0.2);
  const times = [0, 1, 2];
  const scene = { ...sampleScene('moreau'), title: 'crowd', objects, bodies: count, duration: 2, output_step: 1 };
  Object.assign(scene, { springs: [], rods: [], pockets: [], dents: [], gaps: [], energies: [], gravity: [0, 0, 0] });
  const arrays = {
    time: ['f64', times],
    position: ['f64', column(times, count, (i, t) => add(place(i), scale(speed(i), t)))],
    orientation: ['f32', column(times, count, (i, t) => rotationBy([0, t * ((i % 7) / 7), 0]))],
    velocity: ['f32', column(times, count, (i) => speed(i))],
    angular_velocity: ['f32', column(times, count, (i) => [0, (i % 7) / 7, 0])],
    ...eventColumns([]),
  };
  return { name: 'crowd.h5', bytes: encodeFilm({ name: 'crowd.h5', scene, arrays }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [page, out, which] = process.argv.slice(2);
  if (out === undefined) throw new Error('usage: node sample_film.mjs PAGE.html OUT.html [crowd|compare]');
  const pair = [sampleFilm(), sampleFilm({ name: 'sample-elastic.h5', law: 'energy-tied', restitution: 1 })];
  const films = which === 'crowd' ? [crowdFilm()] : which === 'compare' ? pair : [sampleFilm()];
  writeFileSync(out, embedFilms(readFileSync(page, 'utf8'), films));
}
