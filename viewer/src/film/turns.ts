/** Vectors, and rotations as quaternions (w, x, y, z). */

import type { Quaternion, Vector } from './format';

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const mix = (a: Vector, b: Vector, s: number): Vector => add(scale(a, 1 - s), scale(b, s));

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The rotation by a vector (angle in rad along the axis). */
export function rotationBy(turn: Vector): Quaternion {
  const angle = length(turn);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), turn[0] * s, turn[1] * s, turn[2] * s];
}

export function rotate(q: Quaternion, v: Vector): Vector {
  const [w, x, y, z] = q;
  const t: Vector = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** The turn (rotation vector, shortest) that leads from a to b. */
export function turnBetween(a: Quaternion, b: Quaternion): Vector {
  let d = multiply(b, [a[0], -a[1], -a[2], -a[3]]);
  if (d[0] < 0) d = [-d[0], -d[1], -d[2], -d[3]];
  const sine = Math.hypot(d[1], d[2], d[3]);
  const factor = sine > 1e-12 ? (2 * Math.atan2(sine, d[0])) / sine : 2;
  return [d[1] * factor, d[2] * factor, d[3] * factor];
}
