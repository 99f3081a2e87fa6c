// Joints: what is drawn of them, what they bear, and limits that are struck.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { contact, impact, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const {
  Film, decodePart, contactName, impulseUnit, plotted, quantityTitle, hasCouples, Joints, hasLetGo, anchorOf,
  largestJointForce, markParts, Poses, Sphere, Vector3,
} = await sources(
  'film/film', 'film/format', 'film/words', 'panels/quantities', 'stage/joints', 'stage/joint_forces', 'stage/poses',
  '../node_modules/three/build/three.module.js',
);

const kinds = ['spherical', 'revolute', 'universal', 'prismatic', 'cylindrical', 'fixed', 'rod', 'gear'];
const joint = (changes = {}) => ({
  name: 'hinge', kind: 'revolute', a: 0, b: -1, point_a: [0, 0, 0.5], point_b: [0, 0, 1], axis_a: [0, 1, 0],
  axis_b: [0, 1, 0], geared: [-1, -1], ...changes,
});
/** A ball at z = 0.5 + x for each of the given ways x, held by these joints. */
function joinedFilm(joints, { ways = [0, 0], forces = [], events = [] } = {}) {
  const samples = ways.map((x, i) => ({ time: i / 10, position: [0, 0, 0.5 + x] }));
  const arrays = { joint_force: ['f32', forces], joint_couple: ['f32', forces.map((f) => 10 * f)] };
  const bytes = smallFilm({ scene: smallScene(1, { joints }), samples, events, arrays });
  return new Film(decodePart(new Uint8Array(bytes).buffer));
}
function posesAt(film, time) {
  const poses = new Poses(film);
  poses.update(time);
  return poses;
}

describe('marks of joints', () => {
  test('there is one for every kind', () => {
    assert.deepEqual(Object.keys(markParts).sort(), [...kinds].sort());
    const film = joinedFilm([...kinds.map((kind) => joint({ kind })), joint({ kind: 'gear', geared: [1, 1] })].filter(
      ({ kind, geared }) => kind !== 'gear' || geared[0] >= 0));
    const joints = new Joints(film, 'light');
    joints.update(posesAt(film, 0), new Sphere(new Vector3(), 1));
    assert.ok(joints.group.children.length >= kinds.length);
    for (const mesh of joints.group.children) {
      assert.ok(mesh.visible);
      assert.ok(mesh.position.distanceTo(new Vector3(0, 0, 1)) < 1e-12);
      assert.ok(Math.min(...mesh.scale.toArray()) > 0);
    }
  });

  test('stand at the anchor of the first body and vanish where a joint lets go', () => {
    const film = joinedFilm([joint()], { ways: [0, 0.3] });
    const before = posesAt(film, 0);
    assert.ok(anchorOf(film, before, joint()).distanceTo(new Vector3(0, 0, 1)) < 1e-12);
    assert.equal(hasLetGo(before, joint(), 1), false);
    const after = posesAt(film, 0.1);
    assert.equal(hasLetGo(after, joint(), 1), true);
    assert.equal(hasLetGo(after, joint({ kind: 'prismatic', axis_b: [0, 0, 1] }), 1), false);
  });
});

describe('forces of joints', () => {
  const film = joinedFilm([joint(), joint({ name: 'elbow' })], { forces: [3, 4, 0, 0, 0, 1, 0, 0, 12, NaN, 0, 0] });
  test('are those of the last sample', () => {
    assert.deepEqual(film.jointForce(0, 0.05), [3, 4, 0]);
    assert.deepEqual(film.jointForce(0, 0.1), [0, 0, 12]);
    assert.equal(film.jointForce(1, 0.1), null);
    assert.equal(largestJointForce(film), 12);
  });
  test('can be plotted, and couples with them', () => {
    const { title, unit, curves } = plotted(film, 'joint_force:0:size');
    assert.deepEqual([title, unit], ['Force', 'N']);
    assert.deepEqual([...curves[0].y], [5, 12]);
    assert.deepEqual([...plotted(film, 'joint_couple:1:z').curves[0].y], [10, 0]);
    assert.equal(plotted(film, 'joint_couple:1:z').unit, 'N m');
    assert.equal(quantityTitle(film, 'joint_force:1:x'), 'Force x of elbow');
    assert.equal(plotted(film, 'joint_force:2:x'), null);
  });
});

describe('limits of joints', () => {
  const struck = [impact(0.05, { contacts: [contact({ impulse: 2 }), contact({ impulse: 3 })] })];
  const film = joinedFilm([joint()], { events: struck });
  const rows = { 'contact.joint': [0, -1], 'contact.turn': [1, 0], 'contact.upper': [1, 0] };
  const column = film.column.bind(film);
  film.column = (name) => rows[name] ?? column(name);
  test('are named after their joints, with the units of couples', () => {
    const [limit, touch] = film.contactsOf(0);
    assert.equal(contactName(film, limit), 'hinge, upper limit');
    assert.equal(contactName(film, touch), 'a – floor');
    assert.deepEqual([impulseUnit(limit), impulseUnit(touch)], ['N m s', 'N s']);
  });
  test('have plots of their own', () => {
    assert.ok(hasCouples(film));
    assert.deepEqual([...plotted(film, 'impulses').curves[0].y], [3]);
    assert.deepEqual([...plotted(film, 'couples').curves[0].y], [2]);
    assert.equal(plotted(film, 'couples').unit, 'N m s');
  });
});
