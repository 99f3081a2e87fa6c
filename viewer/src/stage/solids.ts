/** Everything that has a volume: bodies and solid obstacles, drawn as instances of one mesh per kind of shape. */

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  Color,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  InstancedMesh,
  LatheGeometry,
  type Material,
  Matrix4,
  Quaternion,
  Shape as Outline,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import type { Shape } from '../film/format';
import { bodyColour, stageColours } from './colours';
import { glassMaterial, patternMaterial } from './materials';
import type { Poses } from './poses';

/** How a film is drawn: as it is, or as a ghost in one colour. */
export type Look = { kind: 'solid' } | { kind: 'ghost'; colour: string };

/** Wall of a bore against its radius; the wall is drawn only, the mechanics knows the hole. */
const boreWall = 0.12;
/** Bores longer than this against their radius are clear, as one could not look inside. */
const shortBore = 0.8;

/** Larger crowds are dull and cast no shadows: both would cost more than they show. */
const crowd = 2000;

type Form = 'sphere' | 'box' | 'cylinder' | 'ring' | 'tube' | 'shell' | `prism ${string}`;

function formOf(shape: Shape): Form | null {
  switch (shape.kind) {
    case 'sphere':
    case 'ellipsoid':
      return 'sphere';
    case 'bore':
      return shape.half_length < shortBore * shape.radius ? 'ring' : 'tube';
    case 'prism':
      return `prism ${JSON.stringify([shape.vertices, shape.half_length])}`;
    case 'plane':
      return null;
    default:
      return shape.kind;
  }
}

/** Scales the unit geometry of the form to the shape. */
function shapeScale(shape: Shape): Vector3 {
  switch (shape.kind) {
    case 'sphere':
    case 'shell':
      return new Vector3().setScalar(shape.radius);
    case 'ellipsoid':
      return new Vector3(...shape.semi_axes);
    case 'box':
      return new Vector3(...shape.half_sizes);
    case 'cylinder':
    case 'bore':
      return new Vector3(shape.radius, shape.radius, shape.half_length);
    default:
      return new Vector3(1, 1, 1);
  }
}

function prismGeometry(shape: Shape): BufferGeometry {
  if (shape.kind !== 'prism') throw new Error('not a prism');
  const corners = shape.vertices.map(([x, y]) => new Vector2(x, y));
  const [a, b, c] = corners;
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area < 0) corners.reverse();
  const geometry = new ExtrudeGeometry(new Outline(corners), { depth: 2 * shape.half_length, bevelEnabled: false });
  return geometry.translate(0, 0, -shape.half_length);
}

function ringGeometry(segments: number): BufferGeometry {
  const outer = 1 + boreWall;
  const profile = [
    [1, -1],
    [outer, -1],
    [outer, 1],
    [1, 1],
    [1, -1],
  ];
  // Each side of the profile has its own points, so that the edges are sharp.
  const points = profile.slice(1).flatMap((corner, i) => [profile[i], corner]);
  const lathe = new LatheGeometry(
    points.map(([x, y]) => new Vector2(x, y)),
    segments,
  );
  return lathe.rotateX(Math.PI / 2);
}

function unitGeometry(form: Form, shape: Shape, count: number): BufferGeometry {
  const fine = count <= 200 ? 4 : count <= crowd ? 2 : 0.75;
  switch (form) {
    case 'sphere':
    case 'shell':
      return new SphereGeometry(1, 16 * fine, 4 + 7 * fine).rotateX(Math.PI / 2);
    case 'box':
      return new BoxGeometry(2, 2, 2);
    case 'cylinder':
      return new CylinderGeometry(1, 1, 2, 24 * fine, 1).rotateX(Math.PI / 2);
    case 'ring':
    case 'tube':
      return ringGeometry(96);
    default:
      return prismGeometry(shape);
  }
}

/** The dot on a prism: half way from the centroid to the first vertex. */
function prismMark(shape: Shape): [number, number, number] {
  if (shape.kind !== 'prism') return [0, 0, 0];
  const [first] = shape.vertices;
  const x = shape.vertices.reduce((sum, vertex) => sum + vertex[0], 0) / shape.vertices.length;
  const y = shape.vertices.reduce((sum, vertex) => sum + vertex[1], 0) / shape.vertices.length;
  const reach = Math.hypot(first[0] - x, first[1] - y);
  return [x + 0.4 * (first[0] - x), y + 0.4 * (first[1] - y), 0.14 * reach];
}

/** Bodies have patterns that show their spin; obstacles, which rarely turn, are plainer. */
function formMaterial(form: Form, shape: Shape, body: boolean, theme: Theme, count: number): Material {
  const dull = count > crowd;
  switch (form) {
    case 'sphere':
    case 'cylinder':
      return patternMaterial({ pattern: 'octants', contrast: body ? 0.72 : 0.4, dull });
    case 'box':
      return patternMaterial({ pattern: body ? 'box' : 'edges', contrast: body ? 0.6 : 0.3, roughness: 0.55, dull });
    case 'ring':
      return patternMaterial({ pattern: 'sectors', contrast: 0.35, roughness: 0.45, side: DoubleSide });
    case 'tube':
    case 'shell':
      return glassMaterial(stageColours[theme].glass, 0.1, 0.6);
    default:
      return patternMaterial({ pattern: 'prism', contrast: body ? 0.7 : 0, mark: prismMark(shape), roughness: 0.55 });
  }
}

interface Members {
  mesh: InstancedMesh;
  objects: number[];
  scales: Vector3[];
}

export class Solids {
  readonly group = new Group();
  private readonly batches: Members[] = [];
  private readonly place = new Map<number, { batch: Members; instance: number }>();
  private readonly matrix = new Matrix4();

  constructor(film: Film, look: Look, theme: Theme) {
    const batches = new Map<string, { form: Form; objects: number[] }>();
    film.scene.objects.forEach(({ shape, body }, index) => {
      const form = formOf(shape);
      if (form === null || (look.kind === 'ghost' && !body)) return;
      const key = `${form} ${body}`;
      const batch = batches.get(key);
      if (batch === undefined) batches.set(key, { form, objects: [index] });
      else batch.objects.push(index);
    });
    for (const { form, objects } of batches.values()) this.addBatch(film, form, objects, look, theme);
  }

  private addBatch(film: Film, form: Form, objects: number[], look: Look, theme: Theme): void {
    const { shape, body } = film.object(objects[0]);
    const count = objects.length;
    const material =
      look.kind === 'ghost' ? glassMaterial(look.colour, 0.14, 0.95) : formMaterial(form, shape, body, theme, count);
    const mesh = new InstancedMesh(unitGeometry(form, shape, count), material, count);
    // Instances move all the time: a bounding sphere would have to be found again for every picture.
    mesh.frustumCulled = false;
    const clear = material.transparent;
    mesh.castShadow = !clear && count <= crowd;
    mesh.receiveShadow = !clear;
    mesh.renderOrder = clear ? 2 : 0;
    const members: Members = { mesh, objects, scales: objects.map((o) => shapeScale(film.object(o).shape)) };
    objects.forEach((object, instance) => {
      const { obstacle, cushion } = stageColours[theme];
      const colour = body ? bodyColour(object, theme) : film.scene.pockets.length > 0 ? cushion : obstacle;
      if (look.kind === 'solid' && (!clear || body)) mesh.setColorAt(instance, new Color(colour));
      else mesh.setColorAt(instance, new Color('#ffffff'));
      this.place.set(object, { batch: members, instance });
    });
    this.batches.push(members);
    this.group.add(mesh);
  }

  /** @param centre of the scene, from which instances are placed: their matrices have single precision. */
  update(poses: Poses, centre: Vector3): void {
    this.group.position.copy(centre);
    const position = new Vector3();
    const orientation = new Quaternion();
    for (const { mesh, objects, scales } of this.batches) {
      objects.forEach((object, instance) => {
        poses.position(object, position).sub(centre);
        poses.orientation(object, orientation);
        this.matrix.compose(position, orientation, scales[instance]);
        mesh.setMatrixAt(instance, this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      // A picture in which a body is picked must not use the sphere of an earlier one.
      mesh.boundingSphere = null;
    }
  }

  /** The object that a ray of this batch has hit. */
  objectOf(mesh: InstancedMesh, instance: number): number | null {
    return this.batches.find((batch) => batch.mesh === mesh)?.objects[instance] ?? null;
  }

  /** Geometry and pose of one object in the frame of the group, for its outline. */
  shapeOf(object: number): { geometry: BufferGeometry; matrix: Matrix4 } | null {
    const found = this.place.get(object);
    if (found === undefined) return null;
    const matrix = new Matrix4();
    found.batch.mesh.getMatrixAt(found.instance, matrix);
    return { geometry: found.batch.mesh.geometry, matrix };
  }

  dispose(): void {
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}
