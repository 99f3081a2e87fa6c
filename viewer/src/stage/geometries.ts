/** The surfaces of shapes: one geometry for each form, in the unit size that instances are scaled from. */

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  LatheGeometry,
  Shape as Outline,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { SingleShape, Vector } from '../film/format';

/** Wall of a bore against its radius; the wall is drawn only, the mechanics knows the hole. */
const boreWall = 0.12;
/** Bores longer than this against their radius are clear, as one could not look inside. */
const shortBore = 0.8;

/** A rod has no thickness; it is drawn with this part of its half length as radius. */
const rodThickness = 0.01;

/** Shapes of one form are one geometry, scaled; those that no scaling makes of each other have forms of their own. */
export type Form =
  | 'sphere'
  | 'box'
  | 'cylinder'
  | 'ring'
  | 'tube'
  | 'shell'
  | 'cone'
  | 'half_cylinder'
  | `capsule ${string}`
  | `prism ${string}`
  | `convex ${string}`;

export function formOf(shape: SingleShape): Form | null {
  switch (shape.kind) {
    case 'sphere':
    case 'ellipsoid':
      return 'sphere';
    case 'bore':
      return shape.half_length < shortBore * shape.radius ? 'ring' : 'tube';
    case 'prism':
      return `prism ${JSON.stringify([shape.vertices, shape.half_length])}`;
    case 'capsule':
      return `capsule ${shape.half_length / shape.radius}`;
    case 'convex':
      return `convex ${JSON.stringify(shape.vertices)}`;
    case 'rod':
      return 'cylinder';
    case 'plane':
      return null;
    default:
      return shape.kind;
  }
}

/** Scales the unit geometry of the form to the shape. */
export function shapeScale(shape: SingleShape): Vector3 {
  switch (shape.kind) {
    case 'sphere':
    case 'shell':
    case 'capsule':
      return new Vector3().setScalar(shape.radius);
    case 'ellipsoid':
      return new Vector3(...shape.semi_axes);
    case 'box':
      return new Vector3(...shape.half_sizes);
    case 'cylinder':
    case 'bore':
    case 'half_cylinder':
      return new Vector3(shape.radius, shape.radius, shape.half_length);
    case 'cone':
      return new Vector3(shape.radius, shape.radius, shape.height);
    case 'rod': {
      const thickness = rodThickness * shape.half_length;
      return new Vector3(thickness, thickness, shape.half_length);
    }
    default:
      return new Vector3(1, 1, 1);
  }
}

function prismGeometry(shape: SingleShape): BufferGeometry {
  if (shape.kind !== 'prism') throw new Error('not a prism');
  const corners = shape.vertices.map(([x, y]) => new Vector2(x, y));
  const [a, b, c] = corners;
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area < 0) corners.reverse();
  const geometry = new ExtrudeGeometry(new Outline(corners), { depth: 2 * shape.half_length, bevelEnabled: false });
  return geometry.translate(0, 0, -shape.half_length);
}

/** The half y ≤ 0 of the unit cylinder. */
function halfCylinderGeometry(segments: number): BufferGeometry {
  const outline = new Outline().moveTo(-1, 0).absarc(0, 0, 1, Math.PI, 2 * Math.PI, false).closePath();
  const geometry = new ExtrudeGeometry(outline, { depth: 2, bevelEnabled: false, curveSegments: segments });
  return geometry.translate(0, 0, -1);
}

/** Faces cut into triangles from their first corner, each with its own normal, so that the edges are sharp. */
function polyhedronGeometry(vertices: Vector[], faces: number[][]): BufferGeometry {
  const places: number[] = [];
  for (const face of faces) {
    for (let i = 1; i + 1 < face.length; ++i) {
      for (const corner of [face[0], face[i], face[i + 1]]) places.push(...vertices[corner]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  geometry.computeVertexNormals();
  return geometry;
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

/** @param fine how many times finer than needed at the least */
export function unitGeometry(form: Form, shape: SingleShape, fine: number): BufferGeometry {
  if (shape.kind === 'capsule') {
    const length = (2 * shape.half_length) / shape.radius;
    return new CapsuleGeometry(1, length, 4 + 4 * fine, 16 * fine).rotateX(Math.PI / 2);
  }
  if (shape.kind === 'convex') return polyhedronGeometry(shape.vertices, shape.faces);
  switch (form) {
    case 'sphere':
    case 'shell':
      return new SphereGeometry(1, 16 * fine, 4 + 7 * fine).rotateX(Math.PI / 2);
    case 'box':
      return new BoxGeometry(2, 2, 2);
    case 'cylinder':
      return new CylinderGeometry(1, 1, 2, 24 * fine, 1).rotateX(Math.PI / 2);
    case 'cone':
      return new ConeGeometry(1, 1, 24 * fine, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    case 'half_cylinder':
      return halfCylinderGeometry(12 * fine);
    case 'ring':
    case 'tube':
      return ringGeometry(96);
    default:
      return prismGeometry(shape);
  }
}

/** The dot on a prism: half way from the centroid to the first vertex. */
export function prismMark(shape: SingleShape): [number, number, number] {
  if (shape.kind !== 'prism') return [0, 0, 0];
  const [first] = shape.vertices;
  const x = shape.vertices.reduce((sum, vertex) => sum + vertex[0], 0) / shape.vertices.length;
  const y = shape.vertices.reduce((sum, vertex) => sum + vertex[1], 0) / shape.vertices.length;
  const reach = Math.hypot(first[0] - x, first[1] - y);
  return [x + 0.4 * (first[0] - x), y + 0.4 * (first[1] - y), 0.14 * reach];
}
