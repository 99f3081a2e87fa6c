/** The camera of the stage: presets, framing the scene, orbiting by mouse and touch, following a body. */

import {
  Group,
  Matrix4,
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Sphere,
  Spherical,
  Vector3,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { ViewPreset } from '../app/state';
import { type SceneAxes, viewDirection } from './axes';
import { type Framing, closeUpMargin, flatFraming, framing } from './framing';

const fieldOfView = 28;
const margin = 1.2;
const animationSeconds = 0.35;
/** Where an impact would be hardly closer than before, the camera stays. */
const hardlyCloser = 0.75;
const halfField = Math.tan((fieldOfView * Math.PI) / 360);

/** A camera that stands still: where it is, what it looks at, and whether the user has put it there. */
interface Standpoint {
  position: Vector3;
  target: Vector3;
  free: boolean;
}

export class StageCamera {
  /** Controls move this one; without perspective the other takes its place in pictures. */
  private readonly perspective = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly flat = new OrthographicCamera();
  private isFlat = false;
  private wanted: { direction?: Vector3; centre?: Vector3; height?: number } | null = null;
  /** Where the camera stood before it went close to an impact; null while it is not close. */
  private before: Standpoint | null = null;
  /** Carries the camera along with a body that is followed. */
  readonly rig = new Group();
  onMoved: (() => void) | null = null;
  private controls: OrbitControls;
  private preset: ViewPreset = 'iso';
  /** Until the user takes the camera, every change of shape or scene frames the scene again. */
  private free = false;
  private balls: readonly Sphere[] = [new Sphere(new Vector3(), 1)];
  private axes: SceneAxes = {
    up: new Vector3(0, 0, 1),
    right: new Vector3(1, 0, 0),
    front: new Vector3(0, -1, 0),
  };
  /** The target of the last framing: a followed body takes its place, and panning stays what it is. */
  private readonly anchor = new Vector3();
  private animation = 0;

  constructor(private readonly element: HTMLElement) {
    this.rig.add(this.perspective, this.flat);
    this.controls = this.makeControls();
    this.frame();
  }

  /** Controls take the camera's upward direction when they are made, so a new direction needs new ones. */
  private makeControls(): OrbitControls {
    this.perspective.up.copy(this.axes.up);
    const controls = new OrbitControls(this.perspective, this.element);
    controls.enableDamping = false;
    controls.minDistance = 0.02;
    controls.maxDistance = 60;
    controls.addEventListener('start', () => this.take());
    controls.addEventListener('change', () => this.onMoved?.());
    return controls;
  }

  private take(): void {
    this.free = true;
    cancelAnimationFrame(this.animation);
  }

  /** The scene as balls in the drawn world; a new list is a new scene. */
  setScene(balls: readonly Sphere[], axes: SceneAxes, aspect: number): void {
    const turned = !axes.up.equals(this.axes.up);
    const same = !turned && balls === this.balls && aspect === this.perspective.aspect;
    this.balls = balls;
    this.axes = axes;
    this.perspective.aspect = aspect;
    if (turned) {
      this.controls.dispose();
      this.controls = this.makeControls();
    }
    if (!same && !this.free) this.frame();
  }

  /** What pictures are taken with. */
  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.isFlat ? this.flat : this.perspective;
  }

  /** The standpoint that the scene asks for, in the drawn world, in place of one that shows everything. */
  setWanted(wanted: { direction?: Vector3; centre?: Vector3; height?: number } | null): void {
    this.wanted = wanted;
    this.free = false;
    this.frame();
  }

  setView(preset: ViewPreset, animate: boolean): void {
    this.wanted = null;
    this.preset = preset;
    this.free = false;
    this.before = null;
    const direction = viewDirection(this.axes, preset, this.isFlat);
    if (animate) this.glideTo(this.framing(direction), direction);
    else this.frame();
  }

  /** With or without perspective. */
  setFlat(flat: boolean): void {
    if (flat === this.isFlat) return;
    this.isFlat = flat;
    if (!this.free) this.frame();
  }

  /** Goes close to these balls of the drawn world, from where it looks now; null: back to where it stood before. */
  closeUp(balls: readonly Sphere[] | null, animate: boolean): void {
    if (balls === null) {
      if (this.before === null) return;
      const { position, target, free } = this.before;
      this.before = null;
      this.free = free;
      const offset = position.clone().sub(target);
      const distance = offset.length();
      this.goTo({ target, distance }, offset.divideScalar(distance), animate);
      return;
    }
    const { target } = this.controls;
    const stood: Standpoint = this.before ?? {
      position: this.perspective.position.clone(),
      target: target.clone(),
      free: this.free,
    };
    const direction = this.perspective.position.clone().sub(target).normalize();
    const close = this.framing(direction, balls, closeUpMargin(balls));
    if (close.distance > hardlyCloser * stood.position.distanceTo(stood.target)) return;
    this.before = stood;
    this.free = true;
    this.goTo(close, direction, animate);
  }

  private goTo(place: Framing, direction: Vector3, animate: boolean): void {
    if (animate) return this.glideTo(place, direction);
    cancelAnimationFrame(this.animation);
    this.anchor.copy(place.target);
    this.moveTo(place.target, place.target.clone().addScaledVector(direction, place.distance));
  }

  fit(): void {
    // The direction the user has chosen is kept; the distance and the target are those that frame the scene.
    const direction = this.perspective.position.clone().sub(this.controls.target).normalize();
    this.before = null;
    this.place(direction);
    this.onMoved?.();
  }

  private frame(): void {
    cancelAnimationFrame(this.animation);
    const direction = this.wanted?.direction?.clone().normalize() ?? viewDirection(this.axes, this.preset, this.isFlat);
    const all = this.framing(direction);
    const { centre, height } = this.wanted ?? {};
    const distance = height === undefined ? all.distance : height / (2 * halfField);
    this.goTo({ target: centre?.clone() ?? all.target, distance }, direction, false);
  }

  private place(direction: Vector3): void {
    this.goTo(this.framing(direction), direction, false);
  }

  private moveTo(target: Vector3, position: Vector3): void {
    this.controls.target.copy(target);
    this.perspective.position.copy(position);
    const told = this.onMoved;
    this.onMoved = null;
    this.controls.update();
    this.onMoved = told;
  }

  private framing(direction: Vector3, balls = this.balls, around = margin): Framing {
    const up = halfField / around;
    const frame = this.isFlat ? flatFraming : framing;
    return frame(balls, direction, this.axes.up, { up, right: up * this.perspective.aspect });
  }

  private glideTo({ target: toTarget, distance }: Framing, direction: Vector3): void {
    cancelAnimationFrame(this.animation);
    const fromTarget = this.controls.target.clone();
    const from = this.perspective.position.clone().sub(fromTarget);
    const to = direction.clone().multiplyScalar(distance);
    const start = performance.now();
    const step = (): void => {
      const share = Math.min((performance.now() - start) / (1000 * animationSeconds), 1);
      const eased = share * share * (3 - 2 * share);
      const length = from.length() + (to.length() - from.length()) * eased;
      const offset = from.clone().normalize().lerp(direction, eased).normalize().multiplyScalar(length);
      const target = fromTarget.clone().lerp(toTarget, eased);
      this.anchor.copy(target);
      this.moveTo(target, target.clone().add(share < 1 ? offset : to));
      this.onMoved?.();
      if (share < 1) this.animation = requestAnimationFrame(step);
    };
    step();
  }

  zoom(factor: number): void {
    this.take();
    const { target } = this.controls;
    this.moveTo(target, target.clone().add(this.perspective.position.clone().sub(target).divideScalar(factor)));
  }

  /** Angles in radians: to the right and upwards, as seen by the user. */
  orbit(dx: number, dy: number): void {
    this.take();
    const { target } = this.controls;
    const turn = new Quaternion().setFromUnitVectors(this.axes.up, new Vector3(0, 1, 0));
    const offset = this.perspective.position.clone().sub(target).applyQuaternion(turn);
    const angles = new Spherical().setFromVector3(offset);
    angles.theta -= dx;
    angles.phi = Math.min(Math.max(angles.phi - dy, 1e-3), Math.PI - 1e-3);
    this.moveTo(target, offset.setFromSpherical(angles).applyQuaternion(turn.invert()).add(target));
  }

  /** Called before each picture. @param carried where the followed body is; null: nothing is followed. */
  prepare(carried: Vector3 | null): void {
    this.rig.position.copy(carried ?? new Vector3());
    if (carried !== null) this.rig.position.sub(this.anchor);
    // The controls turn the camera as if nothing carried it.
    const { position, quaternion, up } = this.perspective;
    quaternion.setFromRotationMatrix(new Matrix4().lookAt(position, this.controls.target, up));
    const distance = position.distanceTo(this.controls.target);
    this.perspective.near = Math.max(distance * 0.02, 1e-3);
    this.perspective.far = distance + 40;
    this.perspective.updateProjectionMatrix();
    this.prepareFlat(distance);
    this.rig.updateMatrixWorld(true);
  }

  /** Sees as much as the other one does at the distance of its target. */
  private prepareFlat(distance: number): void {
    const { flat, perspective } = this;
    flat.position.copy(perspective.position);
    flat.quaternion.copy(perspective.quaternion);
    flat.top = distance * halfField;
    flat.bottom = -flat.top;
    flat.right = flat.top * perspective.aspect;
    flat.left = -flat.right;
    flat.near = distance - 40;
    flat.far = distance + 40;
    flat.updateProjectionMatrix();
  }

  /** What is looked at, in the drawn world, and from how far. */
  get focus(): { centre: Vector3; distance: number } {
    const { target } = this.controls;
    return { centre: target.clone().add(this.rig.position), distance: this.perspective.position.distanceTo(target) };
  }

  /** Size of a pixel in the drawn world at a place, for a field of this height. */
  pixelAt(place: Vector3, height: number): number {
    if (this.isFlat) return (2 * this.focus.distance * halfField) / height;
    const depth = -place.clone().applyMatrix4(this.perspective.matrixWorldInverse).z;
    return (2 * Math.max(depth, this.perspective.near) * halfField) / height;
  }
}
