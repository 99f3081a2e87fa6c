/** Joints: a small mark at each, by its kind, that shines through the bodies it joins. */

import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  type Sphere,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import type { SceneJoint, Vector } from '../film/format';
import { shapeRadius } from './bounds';
import { stageColours } from './colours';
import type { Poses } from './poses';

/** One part of a mark: a shape of size 1 along z, its thickness and length in sizes of the mark, and along what. */
interface MarkPart {
  form: 'ball' | 'bar' | 'block';
  thickness: number;
  length: number;
  along: 'axis_a' | 'axis_b';
}

/** A ball turns every way, an axle about itself, a cross about two lines, rails lead along them; a block is a weld. */
export const markParts: Record<SceneJoint['kind'], readonly MarkPart[]> = {
  spherical: [{ form: 'ball', thickness: 1, length: 1, along: 'axis_b' }],
  revolute: [{ form: 'bar', thickness: 0.8, length: 2.4, along: 'axis_b' }],
  universal: [
    { form: 'bar', thickness: 0.45, length: 3, along: 'axis_a' },
    { form: 'bar', thickness: 0.45, length: 3, along: 'axis_b' },
  ],
  prismatic: [
    { form: 'block', thickness: 0.35, length: 7, along: 'axis_b' },
    { form: 'block', thickness: 1, length: 1.6, along: 'axis_b' },
  ],
  cylindrical: [
    { form: 'bar', thickness: 0.35, length: 7, along: 'axis_b' },
    { form: 'bar', thickness: 1, length: 1.6, along: 'axis_b' },
  ],
  fixed: [{ form: 'block', thickness: 1.2, length: 1.2, along: 'axis_b' }],
  rod: [],
  gear: [],
};

const zAxis = new Vector3(0, 0, 1);
/** Anchors further apart than this part of the scene belong to a joint that has let go. */
const apart = 1e-3;

/** A point, or a direction, of an object's frame in the world; −1 is the ground. */
function place(poses: Poses, object: number, point: Vector, isDirection = false): Vector3 {
  const at = new Vector3(...point);
  if (object < 0) return at;
  at.applyQuaternion(poses.orientation(object, new Quaternion()));
  return isDirection ? at : at.add(poses.position(object, new Vector3()));
}

/** Where a joint holds its first body; a gear where its first joint does. */
export function anchorOf(film: Film, poses: Poses, joint: SceneJoint): Vector3 {
  const at = joint.kind === 'gear' ? (film.scene.joints[joint.geared[0]] ?? joint) : joint;
  return place(poses, at.a, at.point_a);
}

function directionOf(poses: Poses, joint: SceneJoint, which: 'axis_a' | 'axis_b'): Vector3 {
  return place(poses, which === 'axis_a' ? joint.a : joint.b, joint[which], true);
}

/** Whether a joint holds no more: its anchors have come apart. */
export function hasLetGo(poses: Poses, joint: SceneJoint, size: number): boolean {
  if (joint.kind === 'gear' || joint.kind === 'rod') return false;
  const apartBy = place(poses, joint.a, joint.point_a).sub(place(poses, joint.b, joint.point_b));
  if (joint.kind === 'prismatic' || joint.kind === 'cylindrical') {
    const axis = directionOf(poses, joint, 'axis_b');
    apartBy.addScaledVector(axis, -apartBy.dot(axis));
  }
  return apartBy.length() > apart * size;
}

export class Joints {
  readonly group = new Group();
  private readonly marks: Mesh[][];
  private readonly material: MeshStandardMaterial;
  private readonly forms: Record<MarkPart['form'], BufferGeometry>;

  constructor(
    private readonly film: Film,
    theme: Theme,
  ) {
    const color = stageColours[theme].joint;
    this.material = new MeshStandardMaterial({ color, roughness: 0.5, depthTest: false, transparent: true });
    this.forms = {
      ball: new SphereGeometry(1, 24, 16),
      bar: new CylinderGeometry(1, 1, 1, 20, 1).rotateX(Math.PI / 2),
      block: new BoxGeometry(2, 2, 1),
    };
    this.marks = film.scene.joints.map((joint) => {
      // A rod is one bar; a gear two wheels.
      const forms =
        joint.kind === 'rod' || joint.kind === 'gear'
          ? Array<'bar'>(joint.kind === 'rod' ? 1 : 2).fill('bar')
          : markParts[joint.kind].map(({ form }) => form);
      return forms.map((form) => {
        const mesh = new Mesh(this.forms[form], this.material);
        mesh.frustumCulled = false;
        mesh.renderOrder = 1;
        this.group.add(mesh);
        return mesh;
      });
    });
  }

  private sizeOf({ a, b }: SceneJoint, bounds: Sphere): number {
    const radius = (object: number): number =>
      object < 0 ? Infinity : shapeRadius(this.film.object(object).shape);
    return Math.min(0.25 * radius(a), 0.25 * radius(b), 0.028 * bounds.radius);
  }

  update(poses: Poses, bounds: Sphere): void {
    this.film.scene.joints.forEach((joint, i) => {
      const held = !hasLetGo(poses, joint, bounds.radius);
      for (const mesh of this.marks[i]) mesh.visible = held;
      if (!held) return;
      if (joint.kind === 'gear') this.putWheels(joint, this.marks[i], poses, bounds);
      else if (joint.kind === 'rod') this.putRod(joint, this.marks[i][0], poses, bounds);
      else this.putMark(joint, this.marks[i], poses, bounds);
    });
  }

  private putMark(joint: SceneJoint, meshes: readonly Mesh[], poses: Poses, bounds: Sphere): void {
    const size = this.sizeOf(joint, bounds);
    const at = anchorOf(this.film, poses, joint);
    markParts[joint.kind].forEach(({ form, thickness, length, along }, k) => {
      const long = size * length * (form === 'ball' ? 1 : 2) * 0.5;
      meshes[k].position.copy(at);
      meshes[k].quaternion.setFromUnitVectors(zAxis, directionOf(poses, joint, along).normalize());
      meshes[k].scale.set(size * thickness * 0.5, size * thickness * 0.5, long);
    });
  }

  private putRod(joint: SceneJoint, mesh: Mesh, poses: Poses, bounds: Sphere): void {
    const from = place(poses, joint.a, joint.point_a);
    const to = place(poses, joint.b, joint.point_b);
    const direction = to.clone().sub(from);
    const length = Math.max(direction.length(), 1e-30);
    const thickness = 0.3 * Math.min(this.sizeOf(joint, bounds), 0.05 * length);
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(zAxis, direction.divideScalar(length));
    mesh.scale.set(thickness, thickness, length);
  }

  /** Flat wheels on the axles of the two joints that mesh. */
  private putWheels(joint: SceneJoint, meshes: readonly Mesh[], poses: Poses, bounds: Sphere): void {
    joint.geared.forEach((index, k) => {
      const axle = this.film.scene.joints[index];
      const size = this.sizeOf(axle, bounds);
      meshes[k].position.copy(anchorOf(this.film, poses, axle));
      meshes[k].quaternion.setFromUnitVectors(zAxis, directionOf(poses, axle, 'axis_b').normalize());
      meshes[k].scale.set(1.5 * size, 1.5 * size, 0.5 * size);
    });
  }

  dispose(): void {
    this.material.dispose();
    for (const form of Object.values(this.forms)) form.dispose();
  }
}
