/** The camera of the stage: presets, framing the scene, orbiting by mouse and touch, following a body. */

import { Group, Matrix4, PerspectiveCamera, Quaternion, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { ViewPreset } from '../app/state';
import { type SceneAxes, viewDirection } from './axes';
import { type Framing, framing } from './framing';

const fieldOfView = 28;
const margin = 1.2;
const animationSeconds = 0.35;

export class StageCamera {
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
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
    this.rig.add(this.camera);
    this.controls = this.makeControls();
    this.frame();
  }

  /** Controls take the camera's upward direction when they are made, so a new direction needs new ones. */
  private makeControls(): OrbitControls {
    this.camera.up.copy(this.axes.up);
    const controls = new OrbitControls(this.camera, this.element);
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
    const same = !turned && balls === this.balls && aspect === this.camera.aspect;
    this.balls = balls;
    this.axes = axes;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (turned) {
      this.controls.dispose();
      this.controls = this.makeControls();
    }
    if (!same && !this.free) this.frame();
  }

  setView(preset: ViewPreset, animate: boolean): void {
    this.preset = preset;
    this.free = false;
    const still = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
    if (animate && !still) this.animateTo();
    else this.frame();
  }

  fit(): void {
    // The direction the user has chosen is kept; the distance and the target are those that frame the scene.
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.place(direction);
    this.onMoved?.();
  }

  private frame(): void {
    cancelAnimationFrame(this.animation);
    this.place(viewDirection(this.axes, this.preset));
  }

  private place(direction: Vector3): void {
    const { target, distance } = this.framing(direction);
    this.anchor.copy(target);
    this.moveTo(target, target.clone().addScaledVector(direction, distance));
  }

  private moveTo(target: Vector3, position: Vector3): void {
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    const told = this.onMoved;
    this.onMoved = null;
    this.controls.update();
    this.onMoved = told;
  }

  private framing(direction: Vector3): Framing {
    const up = Math.tan((fieldOfView * Math.PI) / 360) / margin;
    return framing(this.balls, direction, this.axes.up, { up, right: up * this.camera.aspect });
  }

  private animateTo(): void {
    cancelAnimationFrame(this.animation);
    const fromTarget = this.controls.target.clone();
    const from = this.camera.position.clone().sub(fromTarget);
    const direction = viewDirection(this.axes, this.preset);
    const { target: toTarget, distance } = this.framing(direction);
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
    this.moveTo(target, target.clone().add(this.camera.position.clone().sub(target).divideScalar(factor)));
  }

  /** Angles in radians: to the right and upwards, as seen by the user. */
  orbit(dx: number, dy: number): void {
    this.take();
    const { target } = this.controls;
    const turn = new Quaternion().setFromUnitVectors(this.axes.up, new Vector3(0, 1, 0));
    const offset = this.camera.position.clone().sub(target).applyQuaternion(turn);
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
    const { position, quaternion, up } = this.camera;
    quaternion.setFromRotationMatrix(new Matrix4().lookAt(position, this.controls.target, up));
    const distance = position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.02, 1e-3);
    this.camera.far = distance + 40;
    this.camera.updateProjectionMatrix();
    this.rig.updateMatrixWorld(true);
  }

  /** What is looked at, in the drawn world, and from how far. */
  get focus(): { centre: Vector3; distance: number } {
    const { target } = this.controls;
    return { centre: target.clone().add(this.rig.position), distance: this.camera.position.distanceTo(target) };
  }

  /** Size of a pixel in the drawn world at a place, for a field of this height. */
  pixelAt(place: Vector3, height: number): number {
    const depth = -place.clone().applyMatrix4(this.camera.matrixWorldInverse).z;
    return (2 * Math.max(depth, this.camera.near) * Math.tan((fieldOfView * Math.PI) / 360)) / height;
  }
}
