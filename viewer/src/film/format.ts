/** The bytes of a film, or of a part of one: docs/film-format.md. */

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number]; // w, x, y, z

/** One shape in its own frame. */
export type SingleShape =
  | { kind: 'sphere'; radius: number }
  | { kind: 'ellipsoid'; semi_axes: Vector }
  | { kind: 'box'; half_sizes: Vector }
  | { kind: 'cylinder'; radius: number; half_length: number }
  | { kind: 'prism'; vertices: [number, number][]; half_length: number }
  | { kind: 'plane' }
  | { kind: 'bore'; radius: number; half_length: number }
  | { kind: 'shell'; radius: number }
  | { kind: 'capsule'; radius: number; half_length: number }
  | { kind: 'cone'; radius: number; height: number }
  | { kind: 'half_cylinder'; radius: number; half_length: number }
  | { kind: 'rod'; half_length: number }
  | { kind: 'convex'; vertices: Vector[]; faces: number[][] };

/** A shape that stands in the frame of a body or obstacle. */
export interface PlacedShape {
  shape: SingleShape;
  position: Vector;
  orientation: Quaternion;
}

export type Shape = SingleShape | { kind: 'compound'; parts: PlacedShape[] };

/** The shapes that a body or obstacle is made of, each with its place. */
export function partsOf(shape: Shape): PlacedShape[] {
  return shape.kind === 'compound' ? shape.parts : [{ shape, position: [0, 0, 0], orientation: [1, 0, 0, 0] }];
}

/** A function of time. */
export type Profile =
  | { kind: 'sine'; amplitude: number; frequency: number; phase: number }
  | { kind: 'polynomial'; coefficients: number[] }
  | { kind: 'spline'; times: number[]; values: number[]; bends: number[]; ends: 'natural' | 'rest' | 'periodic' };

/** An obstacle slides along the axis by `position` and turns about it, through `point`, by `angle`. */
export interface DrivenMotion {
  axis: Vector;
  point: Vector;
  position?: Profile;
  angle?: Profile;
}

export interface SceneObject {
  name: string;
  body: boolean;
  shape: Shape;
  material: string | null;
  /** #rrggbb, where the scene names one. */
  colour?: string;
  mass?: number;
  /** Principal moments of inertia [kg m²], and how their axes lie in the frame of the body. */
  inertia?: Vector;
  principal_axes?: Quaternion;
  // Obstacles: where they are at time 0, and how they move.
  position?: Vector;
  orientation?: Quaternion;
  velocity?: Vector;
  angular_velocity?: Vector;
  motion?: DrivenMotion;
}

/** A joint; objects −1 are the ground, whose frame is the world. */
export interface SceneJoint {
  name: string;
  kind: 'spherical' | 'revolute' | 'universal' | 'prismatic' | 'cylindrical' | 'fixed' | 'rod' | 'gear';
  a: number;
  b: number;
  point_a: Vector;
  point_b: Vector;
  /** Of the frame of a; of a universal joint its own, of the others the same line as axis_b. */
  axis_a: Vector;
  axis_b: Vector;
  /** Gear: the two joints. */
  geared: [number, number];
}

export interface EnergyColumn {
  name: string;
  kind: 'stored' | 'dissipated' | 'supplied' | 'initial';
}

/** Where the scene wants to be looked at from; what it leaves open the viewer chooses. */
export interface SceneCamera {
  view?: 'iso' | 'front' | 'side' | 'top';
  /** From the scene to the camera, any length. */
  direction?: Vector;
  centre?: Vector;
  /** Of what is seen at the centre [m]. */
  height?: number;
  perspective?: boolean;
  /** Name of a body. */
  follow?: string;
}

export interface Scene {
  title: string;
  engine: string;
  law: string;
  version: string;
  settings: string[];
  duration: number;
  output_step: number;
  gravity: Vector;
  objects: SceneObject[];
  bodies: number;
  camera?: SceneCamera;
  springs: { a: number; b: number; point_a: Vector; point_b: Vector }[];
  rods: { body: number; pivot: Vector; length: number }[];
  rolling: { body: number; plane: number }[];
  joints: SceneJoint[];
  pockets: { name: string; centre: Vector; axis: Vector; radius: number }[];
  dents: { object: number; direction: Vector; half_width: number; depth: number }[];
  energies: EnergyColumn[];
  gaps: [number, number][];
  kinds: string[];
  stops: string[];
  /** What friction does at a contact: `smooth`, `stick`, `roll`, `slide`. */
  modes?: string[];
  laws: string[];
  flags: { name: string; words: string }[];
}

/** Rows of the tables. */
export interface Counts {
  sample: number;
  energy: number;
  event: number;
  contact: number;
  jump: number;
  joint: number;
  load: number;
  feature: number;
}

export interface Header {
  film: number;
  /** Rises when a scene that is watched is run again. */
  run?: number;
  name: string;
  complete: boolean;
  stop: string;
  summary: Record<string, unknown> | null;
  first: Counts;
  /** What touches, in words, so far: the columns `contact.feature_a` and `…_b` point into them. */
  features?: string[];
  scene?: Scene;
  arrays: Record<string, { type: keyof typeof elementTypes; offset: number; length: number }>;
}

export type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

export interface Part {
  header: Header;
  arrays: Map<string, Column>;
}

const elementTypes = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };
const magic = 'CAROMFLM';
const format = 2;
const prefix = 16;

/** Throws an Error that can be shown to the user. */
export function decodePart(bytes: ArrayBuffer): Part {
  if (bytes.byteLength < prefix) throw new Error('the film is cut off');
  const view = new DataView(bytes);
  const text = new TextDecoder('utf-8');
  if (text.decode(new Uint8Array(bytes, 0, magic.length)) !== magic) throw new Error('this is not a film of carom');
  const headerLength = view.getUint32(8, true);
  const given = view.getUint32(12, true);
  if (given !== format) throw new Error(`the film has format ${given}; this page reads ${format}`);
  const start = prefix + headerLength;
  if (start > bytes.byteLength) throw new Error('the film is cut off');
  const header = JSON.parse(text.decode(new Uint8Array(bytes, prefix, headerLength))) as Header;
  const arrays = new Map<string, Column>();
  for (const [name, { type, offset, length }] of Object.entries(header.arrays)) {
    const Type = elementTypes[type];
    if (Type === undefined) throw new Error(`the film has numbers of the unknown type ${type}`);
    if (start + offset + length * Type.BYTES_PER_ELEMENT > bytes.byteLength) throw new Error('the film is cut off');
    arrays.set(name, new Type(bytes, start + offset, length));
  }
  return { header, arrays };
}
