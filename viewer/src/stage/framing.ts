/**
 * The place of a camera that sees a number of balls and no more than it must.
 *
 * Seen from a camera the edges of its field are four planes through it; each ball pushes them back. Along one axis of
 * the field, with place x and depth z of a ball of radius r, centre c and distance d of the camera:
 * |x − c| + r √(1 + slope²) ≤ slope (d − z).
 */

import { type Sphere, Vector3 } from 'three';

export interface Framing {
  target: Vector3;
  distance: number;
}

/** Half the width and half the height of the field, at distance 1. */
export interface Slopes {
  right: number;
  up: number;
}

const leastDistance = 0.1;

/** @param direction unit, from the scene to the camera. The target lies in the plane through the origin across it. */
export function framing(balls: readonly Sphere[], direction: Vector3, up: Vector3, slopes: Slopes): Framing {
  const right = new Vector3().crossVectors(up, direction).normalize();
  const upward = new Vector3().crossVectors(direction, right);
  const spanRight = spanAlong(balls, right, direction, slopes.right);
  const spanUp = spanAlong(balls, upward, direction, slopes.up);
  const distance = Math.max(spanRight.distance, spanUp.distance, leastDistance);
  const middle = (axis: Vector3, start: number): number => middleAlong(balls, { axis, direction, distance, start });
  const target = new Vector3()
    .addScaledVector(right, middle(right, spanRight.centre))
    .addScaledVector(upward, middle(upward, spanUp.centre));
  return { target, distance };
}

/**
 * The same without perspective: the field is as large as it is at the distance of the target, whatever the depth.
 */
export function flatFraming(balls: readonly Sphere[], direction: Vector3, up: Vector3, slopes: Slopes): Framing {
  const right = new Vector3().crossVectors(up, direction).normalize();
  const upward = new Vector3().crossVectors(direction, right);
  const across = extent(balls, right);
  const along = extent(balls, upward);
  const distance = Math.max(across.half / slopes.right, along.half / slopes.up, leastDistance);
  const target = new Vector3().addScaledVector(right, across.middle).addScaledVector(upward, along.middle);
  return { target, distance };
}

/**
 * How many times its own size an impact has to itself in a close-up: a single body leaves room for arrows of its size, a
 * crowd of small ones needs less.
 */
export function closeUpMargin(balls: readonly Sphere[]): number {
  const largest = Math.max(...balls.map(({ radius }) => radius), 0);
  const halves = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) => extent(balls, axis).half);
  const size = Math.max(...halves);
  return 1.5 + 1.1 * (size > 0 ? Math.min(largest / size, 1) : 1);
}

function extent(balls: readonly Sphere[], axis: Vector3): { middle: number; half: number } {
  const low = Math.min(...balls.map(({ center, radius }) => center.dot(axis) - radius));
  const high = Math.max(...balls.map(({ center, radius }) => center.dot(axis) + radius));
  return { middle: (low + high) / 2, half: (high - low) / 2 };
}

/** The least distance along one axis alone, and the centre that goes with it. */
function spanAlong(
  balls: readonly Sphere[],
  axis: Vector3,
  direction: Vector3,
  slope: number,
): { centre: number; distance: number } {
  let high = -Infinity;
  let low = -Infinity;
  const stretch = Math.sqrt(1 + slope * slope);
  for (const { center, radius } of balls) {
    const reach = slope * center.dot(direction) + radius * stretch;
    const place = center.dot(axis);
    high = Math.max(high, place + reach);
    low = Math.max(low, -place + reach);
  }
  return { centre: (high - low) / 2, distance: (high + low) / (2 * slope) };
}

/** The centre that leaves equal margins at both ends of an axis; the other axis may have asked for the distance. */
function middleAlong(
  balls: readonly Sphere[],
  { axis, direction, distance, start }: { axis: Vector3; direction: Vector3; distance: number; start: number },
): number {
  let centre = start;
  for (let round = 0; round < 6; ++round) {
    let high = -Infinity;
    let low = -Infinity;
    for (const { center, radius } of balls) {
      const depth = distance - center.dot(direction);
      const place = center.dot(axis) - centre;
      high = Math.max(high, (place + radius) / depth);
      low = Math.max(low, (radius - place) / depth);
    }
    centre += (distance * (high - low)) / 2;
  }
  return centre;
}
