/** Directions of a scene: which way is up, and where the presets of the camera stand. */

import { Vector3 } from 'three';
import type { ViewPreset } from '../app/state';
import type { Scene } from '../film/format';

export interface SceneAxes {
  up: Vector3;
  right: Vector3;
  /** From the scene to the camera of the front view: right × up. */
  front: Vector3;
}

/** Up is against gravity, z without gravity. With z up the front view has x to the right and looks along +y. */
export function sceneAxes(scene: Scene): SceneAxes {
  const up = new Vector3(...scene.gravity).negate();
  if (up.length() < 1e-12) up.set(0, 0, 1);
  up.normalize();
  const right = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  right.addScaledVector(up, -right.dot(up)).normalize();
  return { up, right, front: right.clone().cross(up) };
}

/** From the scene to the camera, unit length; without perspective exactly along an axis. */
export function viewDirection(axes: SceneAxes, preset: ViewPreset, flat = false): Vector3 {
  const direction = new Vector3();
  const towards = (right: number, front: number, up: number): Vector3 =>
    direction
      .addScaledVector(axes.right, right)
      .addScaledVector(axes.front, front)
      .addScaledVector(axes.up, up)
      .normalize();
  switch (preset) {
    // A little from above: a floor seen exactly from its edge would vanish, and the shadows with it.
    case 'front':
      return towards(0, 1, flat ? 0 : 0.1);
    case 'side':
      return towards(1, 0, flat ? 0 : 0.1);
    // Not quite along `up`, which would leave the direction to the right open.
    case 'top':
      return towards(0, 1e-3, 1);
    case 'iso':
      return towards(0.62, 1, 0.62);
  }
}
