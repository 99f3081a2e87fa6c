/** Everything that has a volume: bodies and solid obstacles, drawn as instances of one mesh per kind of shape. */

import {
  type BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  Quaternion,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import { partsOf, type PlacedShape, type SingleShape } from '../film/format';
import { objectColour, stageColours } from './colours';
import { type Form, formOf, prismMark, shapeScale, unitGeometry } from './geometries';
import { glassMaterial, patternMaterial } from './materials';
import { poolMaterial, poolNumbers } from './pool_balls';
import type { Poses } from './poses';

/** How a film is drawn: as it is, or as a ghost in one colour; and how fine few bodies are (geometries.ts). */
export type Look = ({ kind: 'solid' } | { kind: 'ghost'; colour: string }) & { fineness: number };

/** Larger crowds are dull and cast no shadows: both would cost more than they show. */
const crowd = 2000;
/** The same where the processor draws. */
const cheapCrowd = 200;
/** Round enough for any picture. */
export const finest = 4;

/** Bodies have patterns that show their spin; obstacles, which rarely turn, are plainer. */
function formMaterial(form: Form, shape: SingleShape, body: boolean, theme: Theme, dull: boolean): Material {
  if (shape.kind === 'capsule') return patternMaterial({ pattern: 'octants', contrast: body ? 0.72 : 0.4, dull });
  if (shape.kind === 'convex') {
    return patternMaterial({ pattern: 'octants', contrast: body ? 0.6 : 0.3, roughness: 0.55, dull });
  }
  switch (form) {
    case 'sphere':
    case 'cylinder':
    case 'cone':
    case 'half_cylinder':
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

/** One shape of an object. */
interface Piece {
  object: number;
  part: PlacedShape;
}

interface Members {
  mesh: InstancedMesh;
  pieces: Piece[];
  /** From the unit geometry to the frame of the object. */
  places: Matrix4[];
}

/** Scales the unit geometry of a part and puts it where the part is in its object. */
function partMatrix({ shape, position, orientation: [w, x, y, z] }: PlacedShape): Matrix4 {
  return new Matrix4().compose(new Vector3(...position), new Quaternion(x, y, z, w), shapeScale(shape));
}

export class Solids {
  readonly group = new Group();
  private readonly batches: Members[] = [];
  private readonly placed = new Map<number, { batch: Members; instance: number }[]>();
  private readonly matrix = new Matrix4();

  constructor(film: Film, look: Look, theme: Theme) {
    const batches = new Map<string, { form: Form; pieces: Piece[] }>();
    film.scene.objects.forEach(({ shape, body }, object) => {
      if (look.kind === 'ghost' && !body) return;
      for (const part of partsOf(shape)) {
        const form = formOf(part.shape);
        if (form === null) continue;
        const isPoolBall = look.kind === 'solid' && body && poolNumbers(film)[object] !== null;
        const key = isPoolBall ? 'pool' : `${form} ${body}`;
        const batch = batches.get(key);
        if (batch === undefined) batches.set(key, { form, pieces: [{ object, part }] });
        else batch.pieces.push({ object, part });
      }
    });
    for (const { form, pieces } of batches.values()) this.addBatch(film, form, pieces, look, theme);
  }

  private addBatch(film: Film, form: Form, pieces: Piece[], look: Look, theme: Theme): void {
    const { body } = film.object(pieces[0].object);
    const { shape } = pieces[0].part;
    const count = pieces.length;
    const many = look.fineness < finest ? cheapCrowd : crowd;
    const fine = Math.min(look.fineness, count <= cheapCrowd ? finest : count <= many ? 2 : 0.75);
    const numbers = pieces.map(({ object }) => poolNumbers(film)[object] ?? null);
    const isPool = look.kind === 'solid' && body && numbers[0] !== null;
    const material = isPool
      ? poolMaterial()
      : look.kind === 'ghost' ? glassMaterial(look.colour, 0.14, 0.95) : formMaterial(form, shape, body, theme, count > many);
    const mesh = new InstancedMesh(unitGeometry(form, shape, fine), material, count);
    if (isPool) {
      const attribute = new InstancedBufferAttribute(Float32Array.from(numbers, (number) => number ?? 0), 1);
      mesh.geometry.setAttribute('poolNumber', attribute);
    }
    // Instances move all the time: a bounding sphere would have to be found again for every picture.
    mesh.frustumCulled = false;
    const clear = material.transparent;
    mesh.castShadow = !clear && count <= many;
    mesh.receiveShadow = !clear;
    mesh.renderOrder = clear ? 2 : 0;
    const members: Members = { mesh, pieces, places: pieces.map(({ part }) => partMatrix(part)) };
    pieces.forEach(({ object }, instance) => {
      const { obstacle, cushion } = stageColours[theme];
      const plain = film.scene.pockets.length > 0 ? cushion : obstacle;
      const colour = body ? objectColour(film, object, theme) : (film.object(object).colour ?? plain);
      if (look.kind === 'solid' && (!clear || body)) mesh.setColorAt(instance, new Color(colour));
      else mesh.setColorAt(instance, new Color('#ffffff'));
      const places = this.placed.get(object);
      if (places === undefined) this.placed.set(object, [{ batch: members, instance }]);
      else places.push({ batch: members, instance });
    });
    this.batches.push(members);
    this.group.add(mesh);
  }

  /** @param centre of the scene, from which instances are placed: their matrices have single precision. */
  update(poses: Poses, centre: Vector3): void {
    this.group.position.copy(centre);
    const position = new Vector3();
    const orientation = new Quaternion();
    const unscaled = new Vector3(1, 1, 1);
    for (const { mesh, pieces, places } of this.batches) {
      pieces.forEach(({ object }, instance) => {
        poses.position(object, position).sub(centre);
        poses.orientation(object, orientation);
        this.matrix.compose(position, orientation, unscaled).multiply(places[instance]);
        mesh.setMatrixAt(instance, this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      // A picture in which a body is picked must not use the sphere of an earlier one.
      mesh.boundingSphere = null;
    }
  }

  /** The object that a ray of this batch has hit. */
  objectOf(mesh: InstancedMesh, instance: number): number | null {
    return this.batches.find((batch) => batch.mesh === mesh)?.pieces[instance]?.object ?? null;
  }

  /** Geometries and poses of the shapes of one object in the frame of the group, for its outline. */
  shapesOf(object: number): { geometry: BufferGeometry; matrix: Matrix4 }[] {
    return (this.placed.get(object) ?? []).map(({ batch, instance }) => {
      const matrix = new Matrix4();
      batch.mesh.getMatrixAt(instance, matrix);
      return { geometry: batch.mesh.geometry, matrix };
    });
  }

  dispose(): void {
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}
