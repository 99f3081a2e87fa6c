/** Rods, springs and dents: what belongs to bodies without being one. */

import {
  Curve,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  type Sphere,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import type { Shape, Vector } from '../film/format';
import { shapeRadius } from './bounds';
import { stageColours } from './colours';
import type { Poses } from './poses';

const zAxis = new Vector3(0, 0, 1);
/** Straight ends of a spring, as shares of its length. */
const lead = 0.1;

/** A helix of radius 1 along z from 0 to `length`, with straight ends on the axis. */
class Helix extends Curve<Vector3> {
  constructor(
    private readonly length: number,
    private readonly coils: number,
  ) {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const along = Math.min(Math.max((t - lead) / (1 - 2 * lead), 0), 1);
    const ends = Math.min(t, 1 - t);
    const radius = Math.min(Math.max((ends - lead / 2) / (lead / 2), 0), 1);
    const angle = 2 * Math.PI * this.coils * along;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), t * this.length);
  }
}

/** A wire whose cross-section is round at this length (in radii of the helix), scaled to length 1. */
function wireGeometry(length: number): TubeGeometry {
  const coils = Math.min(Math.max(Math.round(length / 1.3), 4), 24);
  const wire = new TubeGeometry(new Helix(length, coils), 28 * coils, 0.17, 8);
  return wire.scale(1, 1, 1 / length) as TubeGeometry;
}

/** Puts a mesh that reaches from 0 to 1 along z between two points. */
function span(mesh: Mesh, from: Vector3, to: Vector3, thickness: number): void {
  const direction = to.clone().sub(from);
  const length = Math.max(direction.length(), 1e-30);
  mesh.position.copy(from);
  mesh.quaternion.setFromUnitVectors(zAxis, direction.divideScalar(length));
  mesh.scale.set(thickness, thickness, length);
}

/** A point of an object's frame, or of the world (object −1), at the poses' time. */
function pointOf(poses: Poses, object: number, point: Vector): Vector3 {
  const place = new Vector3(...point);
  if (object < 0) return place;
  return place.applyQuaternion(poses.orientation(object, new Quaternion())).add(poses.position(object, new Vector3()));
}

/** How far the surface lies from the frame's origin in a direction, for the shapes that can have dents. */
function surfaceDistance(shape: Shape): number {
  switch (shape.kind) {
    case 'sphere':
    case 'shell':
    case 'cylinder':
    case 'bore':
      return shape.radius;
    default:
      return shapeRadius(shape);
  }
}

/** z outward, y along the axis of the object as far as that is across. */
function dentAxes(outward: Vector3): Matrix4 {
  const along = Math.abs(outward.z) < 0.9 ? zAxis : new Vector3(1, 0, 0);
  const across = new Vector3().crossVectors(along, outward).normalize();
  return new Matrix4().makeBasis(across, new Vector3().crossVectors(outward, across), outward);
}

export class Connections {
  readonly group = new Group();
  private readonly rods: Mesh[] = [];
  private readonly pivots: Mesh[] = [];
  private readonly springs: Mesh[] = [];
  private readonly dents: Mesh[] = [];
  private readonly steel: MeshStandardMaterial;
  private readonly mark: MeshStandardMaterial;

  constructor(
    private readonly film: Film,
    theme: Theme,
  ) {
    const colours = stageColours[theme];
    this.steel = new MeshStandardMaterial({ color: colours.metal, roughness: 0.4, metalness: 0.2 });
    this.mark = new MeshStandardMaterial({ color: colours.dent, roughness: 0.8 });
    const { rods, springs, dents } = film.scene;
    const bar = new CylinderGeometry(1, 1, 1, 16, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const ball = new SphereGeometry(1, 24, 16);
    const block = new CylinderGeometry(1, 1, 2, 24, 1);
    rods.forEach(() => {
      this.rods.push(this.addMesh(new Mesh(bar, this.steel)));
      this.pivots.push(this.addMesh(new Mesh(ball, this.steel)));
    });
    springs.forEach(() => this.springs.push(this.addMesh(new Mesh(undefined, this.steel))));
    dents.forEach(() => this.dents.push(this.addMesh(new Mesh(block, this.mark))));
  }

  private addMesh(mesh: Mesh): Mesh {
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private bodyRadius(object: number): number {
    return object < 0 ? Infinity : shapeRadius(this.film.object(object).shape);
  }

  update(poses: Poses, bounds: Sphere): void {
    const { rods, springs, dents } = this.film.scene;
    rods.forEach(({ body, pivot }, i) => {
      const thickness = Math.min(0.06 * this.bodyRadius(body), 0.006 * bounds.radius);
      const from = new Vector3(...pivot);
      span(this.rods[i], from, poses.position(body, new Vector3()), thickness);
      this.pivots[i].position.copy(from);
      this.pivots[i].scale.setScalar(2.4 * thickness);
    });
    springs.forEach(({ a, b, point_a, point_b }, i) => {
      const thickness = Math.min(0.3 * this.bodyRadius(a), 0.3 * this.bodyRadius(b), 0.04 * bounds.radius);
      const [from, to] = [pointOf(poses, a, point_a), pointOf(poses, b, point_b)];
      const mesh = this.springs[i];
      if (!(mesh.geometry instanceof TubeGeometry)) {
        mesh.geometry = wireGeometry(Math.min(Math.max(from.distanceTo(to) / thickness, 3), 60));
      }
      span(mesh, from, to, thickness);
    });
    dents.forEach(({ object, direction, half_width }, i) => {
      const { shape } = this.film.object(object);
      const radius = surfaceDistance(shape);
      const outward = new Vector3(...direction).normalize();
      const mesh = this.dents[i];
      mesh.position.copy(pointOf(poses, object, outward.clone().multiplyScalar(radius).toArray()));
      mesh.quaternion.setFromRotationMatrix(dentAxes(outward)).premultiply(poses.orientation(object, new Quaternion()));
      const width = Math.max(half_width, 0.04) * radius;
      // On a race the mark is as long as the race, to be seen from the end.
      const length = shape.kind === 'cylinder' || shape.kind === 'bore' ? 1.02 * shape.half_length : width;
      mesh.scale.set(width, length, 0.5 * width);
    });
  }

  dispose(): void {
    this.steel.dispose();
    this.mark.dispose();
    for (const mesh of [...this.rods, ...this.pivots, ...this.springs, ...this.dents]) mesh.geometry.dispose();
  }
}
