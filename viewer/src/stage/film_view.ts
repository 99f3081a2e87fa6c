/** One film in the drawn world: its meshes, moved to a time. */

import {
  BackSide,
  Box3,
  Group,
  type InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Sphere,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import { shapeRadius } from './bounds';
import { stageColours } from './colours';
import { Connections } from './connections';
import { Joints } from './joints';
import { Planes } from './planes';
import { Poses } from './poses';
import { type Look, Solids } from './solids';
import { Trails } from './trails';

export class FilmView {
  /** From metres to the drawn world, in which the scene has radius 1 about the origin: all sizes look alike. */
  readonly world = new Group();
  readonly poses: Poses;
  readonly bounds = new Sphere(new Vector3(), 1);
  private box = new Box3();
  /** Version of the poses that the meshes have. */
  private placed = -1;
  private readonly solids: Solids;
  private readonly planes: Planes | null;
  private readonly connections: Connections;
  private readonly joints: Joints | null;
  private readonly trails: Trails;
  /** One mesh per shape of the selected object. */
  private readonly outlines = new Group();
  private readonly outlineMaterial: MeshBasicMaterial;

  constructor(
    readonly film: Film,
    readonly look: Look,
    readonly theme: Theme,
  ) {
    this.poses = new Poses(film);
    this.solids = new Solids(film, look, theme);
    this.planes = look.kind === 'solid' ? new Planes(film, theme) : null;
    this.connections = new Connections(film, theme);
    this.joints = look.kind === 'solid' ? new Joints(film, theme) : null;
    this.trails = new Trails(film, theme);
    this.outlineMaterial = new MeshBasicMaterial({
      color: stageColours[theme].selection,
      side: BackSide,
      toneMapped: false,
    });
    this.solids.group.add(this.outlines);
    this.world.add(this.solids.group, this.connections.group, this.trails.group);
    if (this.planes !== null) this.world.add(this.planes.group);
    if (this.joints !== null) this.world.add(this.joints.group);
  }

  /** The scene is what lies in this box [m]. */
  setBounds(box: Box3): void {
    if (box === this.box) return;
    this.box = box;
    box.getBoundingSphere(this.bounds);
    this.placed = -1;
    const scale = 1 / this.bounds.radius;
    this.world.scale.setScalar(scale);
    this.world.position.copy(this.bounds.center).multiplyScalar(-scale);
    this.world.updateMatrixWorld();
  }

  update(time: number): void {
    this.poses.update(time);
    if (this.placed !== this.poses.version) {
      this.placed = this.poses.version;
      this.solids.update(this.poses, this.bounds.center);
      this.connections.update(this.poses, this.bounds);
      this.joints?.update(this.poses, this.bounds);
    }
    this.planes?.update(this.poses, this.box, this.world);
  }

  /** @param width of the lines in pixels; selected: whose path alone is shown. */
  showTrails(shown: boolean, time: number, selected: number | null, width: number): void {
    this.trails.group.visible = shown;
    if (shown) this.trails.update(time, selected, this.bounds.center, width);
  }

  setResolution(width: number, height: number): void {
    this.trails.setResolution(width, height);
  }

  private addOutline(): void {
    const outline = new Mesh(undefined, this.outlineMaterial);
    outline.matrixAutoUpdate = false;
    outline.frustumCulled = false;
    this.outlines.add(outline);
  }

  /** A rim around one object; `pixel` is the size of a pixel at its place in the drawn world. */
  showOutline(object: number | null, pixel: number): void {
    const shapes = object === null || this.look.kind === 'ghost' ? [] : this.solids.shapesOf(object);
    while (this.outlines.children.length < shapes.length) this.addOutline();
    this.outlines.children.forEach((outline, i) => {
      outline.visible = i < shapes.length;
      if (!outline.visible) return;
      const { geometry, matrix } = shapes[i];
      (outline as Mesh).geometry = geometry;
      const position = new Vector3();
      const turn = new Quaternion();
      const scale = new Vector3();
      matrix.decompose(position, turn, scale);
      geometry.computeBoundingSphere();
      const reach = geometry.boundingSphere?.radius ?? 1;
      const margin = (2.5 * pixel * this.bounds.radius) / reach;
      outline.matrix.compose(position, turn, scale.addScalar(margin));
      outline.matrixWorldNeedsUpdate = true;
    });
  }

  /** An object's frame origin in the drawn world. */
  placeOf(object: number, out: Vector3): Vector3 {
    return this.toWorld(this.poses.position(object, out));
  }

  /** Balls about the bodies as they are at a time, in the drawn world. */
  bodyBalls(time: number): Sphere[] {
    this.poses.update(time);
    return this.film.scene.objects.slice(0, this.film.bodies).map(({ shape }, body) => {
      return new Sphere(this.placeOf(body, new Vector3()), shapeRadius(shape) / this.bounds.radius);
    });
  }

  /** Balls about the bodies that an event moves and the points where they touch, in the drawn world. */
  eventBalls(event: number, time: number): Sphere[] {
    this.poses.update(time);
    const contacts = this.film.contactsOf(event);
    const touching = contacts.flatMap(({ a, b }) => [a, b]);
    const bodies = new Set([...touching, ...this.film.jumpsOf(event).map(({ body }) => body)]);
    const balls = [...bodies]
      .filter((object) => object >= 0 && object < this.film.bodies)
      .map((body) => {
        const radius = shapeRadius(this.film.object(body).shape) / this.bounds.radius;
        return new Sphere(this.placeOf(body, new Vector3()), radius);
      });
    return [...balls, ...contacts.map(({ point }) => new Sphere(this.toWorld(new Vector3(...point)), 0))];
  }

  /** Metres to the drawn world. */
  toWorld(point: Vector3): Vector3 {
    return point.sub(this.bounds.center).divideScalar(this.bounds.radius);
  }

  objectOf(mesh: InstancedMesh, instance: number): number | null {
    return this.solids.objectOf(mesh, instance);
  }

  get pickable(): Group {
    return this.solids.group;
  }

  dispose(): void {
    this.solids.dispose();
    this.planes?.dispose();
    this.connections.dispose();
    this.joints?.dispose();
    this.trails.dispose();
    this.outlineMaterial.dispose();
  }
}
