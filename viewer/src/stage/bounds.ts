/**
 * The part of space that a film is about: what the camera frames and what planes are cut to.
 *
 * Positions over time count by quantiles, so that a ball that flies off does not shrink the rest; where they are spread
 * far wider than the places where bodies start and meet, only these and their neighbourhood count.
 */

import { Box3, Matrix4, Quaternion, Sphere, Vector3 } from 'three';
import type { Film } from '../film/film';
import {
  partsOf,
  type Quaternion as Turn,
  type SceneObject,
  type Shape,
  type SingleShape,
  type Vector,
} from '../film/format';

const mostBodies = 1500;
const mostRows = 30000;
const mostContacts = 3000;
const mostBalls = 3000;
const quantile = 0.02;
/** Spread of the motion against that of starts and meetings from which on bodies have flown off. */
const flownApart = 10;

/** Radius of the smallest ball about the origin of the frame that holds the shape; 0 for a plane. */
export function shapeRadius(shape: Shape): number {
  switch (shape.kind) {
    case 'sphere':
    case 'shell':
      return shape.radius;
    case 'ellipsoid':
      return Math.max(...shape.semi_axes);
    case 'box':
      return Math.hypot(...shape.half_sizes);
    case 'cylinder':
    case 'bore':
    case 'half_cylinder':
      return Math.hypot(shape.radius, shape.half_length);
    case 'capsule':
      return shape.radius + shape.half_length;
    case 'cone':
      return Math.max(shape.radius, shape.height);
    case 'rod':
      return shape.half_length;
    case 'convex':
      return Math.max(...shape.vertices.map((vertex) => Math.hypot(...vertex)));
    case 'compound':
      return Math.max(...shape.parts.map((part) => Math.hypot(...part.position) + shapeRadius(part.shape)));
    case 'prism':
      return Math.hypot(Math.max(...shape.vertices.map(([x, y]) => Math.hypot(x, y))), shape.half_length);
    case 'plane':
      return 0;
  }
}

function stride(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most));
}

/** What a film is about: a box, and balls in it that the camera frames more closely than the box's corners. */
export interface Extent {
  box: Box3;
  balls: Sphere[];
}

/** Quantiles of each coordinate of the points, and how far a body reaches around its point. */
class Cloud {
  private readonly coordinates: [number[], number[], number[]] = [[], [], []];
  private readonly reach: number[] = [];

  add(x: number, y: number, z: number, reach: number): void {
    if (!Number.isFinite(x + y + z)) return;
    this.coordinates[0].push(x);
    this.coordinates[1].push(y);
    this.coordinates[2].push(z);
    this.reach.push(reach);
  }

  balls(most: number): Sphere[] {
    const step = stride(this.reach.length, most);
    const [x, y, z] = this.coordinates;
    const chosen: Sphere[] = [];
    for (let i = 0; i < this.reach.length; i += step) {
      chosen.push(new Sphere(new Vector3(x[i], y[i], z[i]), this.reach[i]));
    }
    return chosen;
  }

  box(share: number): Box3 {
    const count = this.reach.length;
    if (count === 0) return new Box3();
    const low = new Vector3();
    const high = new Vector3();
    const first = Math.floor(share * (count - 1));
    this.coordinates.forEach((values, axis) => {
      const lower = values.map((value, i) => value - this.reach[i]).sort((a, b) => a - b);
      const upper = values.map((value, i) => value + this.reach[i]).sort((a, b) => a - b);
      low.setComponent(axis, lower[first]);
      high.setComponent(axis, upper[count - 1 - first]);
    });
    return new Box3(low, high);
  }
}

/** Adds the bodies of one sample. */
function addSample(cloud: Cloud, film: Film, sample: number, radii: readonly number[]): void {
  const position = film.column('position');
  const step = stride(film.bodies, mostBodies);
  for (let body = 0; body < film.bodies; body += step) {
    const row = 3 * (sample * film.bodies + body);
    cloud.add(position[row], position[row + 1], position[row + 2], radii[body]);
  }
}

function motionCloud(film: Film, radii: readonly number[]): Cloud {
  const cloud = new Cloud();
  const samples = film.times.length;
  const times = Math.ceil(mostRows / Math.max(Math.min(film.bodies, mostBodies), 100));
  for (let sample = 0; sample < samples; sample += stride(samples, times)) addSample(cloud, film, sample, radii);
  return cloud;
}

function startCloud(film: Film, radii: readonly number[]): Cloud {
  const cloud = new Cloud();
  if (film.times.length > 0) addSample(cloud, film, 0, radii);
  return cloud;
}

function meetingBox(film: Film): Box3 {
  const cloud = new Cloud();
  const point = film.column('contact.point');
  const count = point.length / 3;
  for (let row = 0; row < count; row += stride(count, mostContacts)) {
    cloud.add(point[3 * row], point[3 * row + 1], point[3 * row + 2], 0);
  }
  return cloud.box(quantile);
}

/** The shape in its own frame; a plane is a point. */
function localBox(shape: SingleShape): Box3 {
  const around = (x: number, y: number, z: number): Box3 => new Box3(new Vector3(-x, -y, -z), new Vector3(x, y, z));
  switch (shape.kind) {
    case 'box':
      return around(...shape.half_sizes);
    case 'ellipsoid':
      return around(...shape.semi_axes);
    case 'cylinder':
    case 'bore':
      return around(shape.radius, shape.radius, shape.half_length);
    case 'capsule':
      return around(shape.radius, shape.radius, shape.radius + shape.half_length);
    case 'cone':
      return new Box3(new Vector3(-shape.radius, -shape.radius, 0), new Vector3(shape.radius, shape.radius, shape.height));
    case 'half_cylinder':
      return new Box3(
        new Vector3(-shape.radius, -shape.radius, -shape.half_length),
        new Vector3(shape.radius, 0, shape.half_length),
      );
    case 'rod':
      return around(0, 0, shape.half_length);
    case 'convex':
      return new Box3().setFromPoints(shape.vertices.map((vertex) => new Vector3(...vertex)));
    case 'prism': {
      const corners = shape.vertices.map(([x, y]) => new Vector3(x, y, shape.half_length));
      return new Box3().setFromPoints(corners).expandByPoint(corners[0].clone().setZ(-shape.half_length));
    }
    default: {
      const radius = shapeRadius(shape);
      return around(radius, radius, radius);
    }
  }
}

function poseMatrix(position: Vector, [w, x, y, z]: Turn): Matrix4 {
  return new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w)).setPosition(new Vector3(...position));
}

function objectBox(object: SceneObject): Box3 {
  const pose = poseMatrix(object.position ?? [0, 0, 0], object.orientation ?? [1, 0, 0, 0]);
  const still = Math.hypot(...(object.angular_velocity ?? [0, 0, 0])) === 0 && !object.motion?.angle;
  if (still) {
    const box = new Box3();
    for (const { shape, position, orientation } of partsOf(object.shape)) {
      box.union(localBox(shape).applyMatrix4(pose.clone().multiply(poseMatrix(position, orientation))));
    }
    return box;
  }
  // What turns reaches everywhere around its origin.
  const radius = shapeRadius(object.shape);
  const centre = new Vector3().setFromMatrixPosition(pose);
  return new Box3().setFromCenterAndSize(centre, new Vector3().setScalar(2 * radius));
}

/** Solid obstacles, pivots, joints on the ground and springs' ends, unless they are far larger than the motion: their corners as points. */
function surroundings(film: Film, size: number): Vector3[] {
  const points: Vector3[] = [];
  for (const object of film.scene.objects) {
    if (object.body || object.shape.kind === 'plane') continue;
    const { min, max } = objectBox(object);
    if (max.distanceTo(min) > 8 * size) continue;
    for (let corner = 0; corner < 8; ++corner) {
      points.push(new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z));
    }
  }
  for (const rod of film.scene.rods) points.push(new Vector3(...rod.pivot));
  for (const { kind, b, point_b } of film.scene.joints) {
    if (kind !== 'gear' && b < 0) points.push(new Vector3(...point_b));
  }
  for (const pocket of film.scene.pockets) points.push(new Vector3(...pocket.centre));
  for (const spring of film.scene.springs) {
    if (spring.b < 0) points.push(new Vector3(...spring.point_b));
    if (spring.a < 0) points.push(new Vector3(...spring.point_a));
  }
  return points;
}

/** Never empty: a film without samples gives the unit cube. */
export function filmExtent(film: Film): Extent {
  const radii = film.scene.objects.slice(0, film.bodies).map((object) => shapeRadius(object.shape));
  const motion = motionCloud(film, radii);
  const startingCloud = startCloud(film, radii);
  const start = startingCloud.box(film.bodies > 50 ? quantile : 0);
  const interest = start.clone().union(meetingBox(film));
  let box = start.clone().union(motion.box(quantile));
  const size = interest.getSize(new Vector3()).length();
  if (film.eventTimes.length > 0 && box.getSize(new Vector3()).length() > flownApart * size) {
    box = box.intersect(interest.clone().expandByScalar(2 * size));
  }
  if (box.isEmpty()) box = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const inner = box.clone().expandByScalar(0.05 * box.getSize(new Vector3()).length());
  const points = surroundings(film, box.getSize(new Vector3()).length());
  for (const point of points) box.expandByPoint(point);
  if (box.getSize(new Vector3()).length() === 0) box.expandByScalar(1);
  const moving = [...startingCloud.balls(mostBodies), ...motion.balls(mostBalls)];
  const balls = moving.filter((ball) => inner.containsPoint(ball.center));
  return { box, balls: [...balls, ...points.map((point) => new Sphere(point, 0))] };
}
