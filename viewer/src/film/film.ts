/** A film in memory: the scene, and columns that may still grow. */

import { Growing } from './growing';
import type { Column, Counts, Header, Part, Scene, SceneObject, Vector } from './format';

/** One touching point of an event. */
export interface Contact {
  a: number;
  b: number;
  point: Vector;
  /** Unit, from b to a. */
  normal: Vector;
  /** On a, along the normal [N s]; at a limit of a turn a couple [N m s]. */
  impulse: number;
  tangentialImpulse: Vector;
  rateBefore: number;
  rateAfter: number;
  /** The joint whose limit it is; −1 where bodies touch. */
  joint: number;
  /** Whether that limit ends a turn, and whether it is the upper one. */
  turn: boolean;
  upper: boolean;
  /** What of a and of b touches: `corner +x-y`; empty where there is nothing to tell. */
  featureA: string;
  featureB: string;
}

/** What a contact that lasts does to a, at a sample; to b the opposite. */
export interface ContactLoad {
  a: number;
  b: number;
  point: Vector;
  /** Unit, from b to a. */
  normal: Vector;
  /** Along the normal [N]. */
  force: number;
  /** Across it [N]. */
  friction: Vector;
  /** `smooth`, `stick`, `roll`, `slide`. */
  mode: string;
}

/** One body whose velocity an event changed. */
export interface Jump {
  body: number;
  velocityBefore: Vector;
  velocityAfter: Vector;
  angularVelocityBefore: Vector;
  angularVelocityAfter: Vector;
}

/** What an impact did in one joint, on its first body. */
export interface JointImpulse {
  joint: number;
  /** [N s] */
  force: Vector;
  /** About the anchor [N m s] */
  couple: Vector;
}

export interface FilmEvent {
  index: number;
  time: number;
  kind: string;
  round: number;
  law: string;
  steps: number;
  stop: string;
  energyBefore: number;
  energyAfter: number;
  /** Of the contacts on the bodies [J]; of a compliant one that ends, since it began. */
  contactWork: number;
  minImpulse: number;
  minGapRateAfter: number;
  constraintResidual: number;
  complementarityResidual: number;
  flags: { name: string; words: string }[];
  contacts: Contact[];
  jumps: Jump[];
  joints: JointImpulse[];
}

export class Film {
  readonly scene: Scene;
  readonly run: number;
  name: string;
  complete: boolean;
  stop: string;
  summary: Header['summary'];
  /** The run has ended, and its film is still on its way. */
  isLoading = false;
  /** Rises with every part that brought something new. */
  revision = 0;
  private readonly columns = new Map<string, Growing>();
  private views = new Map<string, Column>();
  private readonly jumpsByBody: Growing<Int32Array>[];
  /** How many jumps stand there. */
  private sortedJumps = 0;
  private firstLoads: Uint32Array | null = null;
  private features: readonly string[];

  /** The first part, which has the scene. */
  constructor(part: Part) {
    if (part.header.scene === undefined) throw new Error('the film begins without its scene');
    this.scene = part.header.scene;
    this.run = part.header.run ?? 0;
    this.name = part.header.name;
    this.complete = part.header.complete;
    this.stop = part.header.stop;
    this.summary = part.header.summary;
    this.features = part.header.features ?? [];
    for (const [name, column] of part.arrays) this.columns.set(name, new Growing(column));
    this.jumpsByBody = Array.from({ length: this.scene.bodies }, () => new Growing(new Int32Array(0)));
  }

  /** A later part; it begins where the film ends. */
  append(part: Part): void {
    const here = this.counts;
    const { first } = part.header;
    if (first.sample !== here.sample || first.event !== here.event) throw new Error('a part of the film is missing');
    for (const [name, column] of part.arrays) this.columns.get(name)?.append(column);
    const grown = this.counts;
    const rows = Object.keys(here) as (keyof Counts)[];
    const changed = rows.some((table) => grown[table] !== here[table]) || this.complete !== part.header.complete;
    this.features = part.header.features ?? [];
    this.complete = part.header.complete;
    this.stop = part.header.stop;
    this.summary = part.header.summary;
    if (!changed) return;
    this.views = new Map();
    this.firstLoads = null;
    this.revision += 1;
  }

  get counts(): Counts {
    const length = (name: string): number => this.columns.get(name)?.length ?? 0;
    return {
      sample: length('time'),
      energy: length('energy_time'),
      event: length('event.time'),
      contact: length('contact.a'),
      jump: length('jump.body'),
      joint: length('joint_impulse.joint'),
      load: length('load.a'),
      feature: length('contact.feature_a'),
    };
  }

  /** A column by its name in docs/film-format.md; empty where the film has none. */
  column(name: string): Column {
    let view = this.views.get(name);
    if (view === undefined) {
      view = this.columns.get(name)?.values ?? new Float64Array(0);
      this.views.set(name, view);
    }
    return view;
  }

  get times(): Float64Array {
    return this.column('time') as Float64Array;
  }
  /** Rows of the energies: samples, and both sides of every jump. */
  get energyTimes(): Float64Array {
    return this.column('energy_time') as Float64Array;
  }
  get eventTimes(): Float64Array {
    return this.column('event.time') as Float64Array;
  }
  get bodies(): number {
    return this.scene.bodies;
  }
  get endTime(): number {
    const times = this.times;
    return times.length > 0 ? times[times.length - 1] : 0;
  }
  get startTime(): number {
    return this.times.length > 0 ? this.times[0] : 0;
  }
  object(index: number): SceneObject {
    return this.scene.objects[index];
  }
  objectName(index: number): string {
    return index < 0 ? 'ground' : (this.scene.objects[index]?.name ?? '–');
  }

  /** The last row whose time is at most t; −1 where there is none. */
  static lastAtOrBefore(times: ArrayLike<number>, t: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  vector(column: string, row: number): Vector {
    const values = this.column(column);
    return [values[3 * row], values[3 * row + 1], values[3 * row + 2]];
  }

  /** What a joint does to its first body, at the last sample up to a time [N]; null where that is not known. */
  jointForce(joint: number, time: number): Vector | null {
    const sample = Math.max(Film.lastAtOrBefore(this.times, time), 0);
    const force = this.vector('joint_force', sample * this.scene.joints.length + joint);
    return force.every((x) => Number.isFinite(x)) ? force : null;
  }

  /** Rows of the loads before every sample, and all of them. */
  private get loadRows(): Uint32Array {
    if (this.firstLoads === null) {
      const counts = this.column('load_count');
      this.firstLoads = new Uint32Array(counts.length + 1);
      for (let sample = 0; sample < counts.length; ++sample) {
        this.firstLoads[sample + 1] = this.firstLoads[sample] + counts[sample];
      }
    }
    return this.firstLoads;
  }

  /** What contacts do at the last sample up to a time. */
  loadsAt(time: number): ContactLoad[] {
    const sample = Math.max(Film.lastAtOrBefore(this.times, time), 0);
    const [first, end] = [this.loadRows[sample] ?? 0, this.loadRows[sample + 1] ?? 0];
    return Array.from({ length: end - first }, (_, i) => ({
      a: this.column('load.a')[first + i],
      b: this.column('load.b')[first + i],
      point: this.vector('load.point', first + i),
      normal: this.vector('load.normal', first + i),
      force: this.column('load.force')[first + i],
      friction: this.vector('load.friction', first + i),
      mode: this.scene.modes?.[this.column('load.mode')[first + i]] ?? '',
    }));
  }

  contactsOf(event: number): Contact[] {
    const first = this.column('event.first_contact')[event];
    const count = this.column('event.contact_count')[event];
    return Array.from({ length: count }, (_, i) => {
      const row = first + i;
      return {
        a: this.column('contact.a')[row],
        b: this.column('contact.b')[row],
        point: this.vector('contact.point', row),
        normal: this.vector('contact.normal', row),
        impulse: this.column('contact.impulse')[row],
        tangentialImpulse: this.vector('contact.tangential_impulse', row),
        rateBefore: this.column('contact.rate_before')[row],
        rateAfter: this.column('contact.rate_after')[row],
        joint: this.column('contact.joint')[row] ?? -1,
        turn: this.column('contact.turn')[row] === 1,
        upper: this.column('contact.upper')[row] === 1,
        featureA: this.features[this.column('contact.feature_a')[row]] ?? '',
        featureB: this.features[this.column('contact.feature_b')[row]] ?? '',
      };
    });
  }

  jumpsOf(event: number): Jump[] {
    const first = this.column('event.first_jump')[event];
    const count = this.column('event.jump_count')[event];
    return Array.from({ length: count }, (_, i) => {
      const row = first + i;
      return {
        body: this.column('jump.body')[row],
        velocityBefore: this.vector('jump.velocity_before', row),
        velocityAfter: this.vector('jump.velocity_after', row),
        angularVelocityBefore: this.vector('jump.angular_velocity_before', row),
        angularVelocityAfter: this.vector('jump.angular_velocity_after', row),
      };
    });
  }

  jointImpulsesOf(event: number): JointImpulse[] {
    const first = this.column('event.first_joint')[event];
    return Array.from({ length: this.column('event.joint_count')[event] }, (_, i) => ({
      joint: this.column('joint_impulse.joint')[first + i],
      force: this.vector('joint_impulse.force', first + i),
      couple: this.vector('joint_impulse.couple', first + i),
    }));
  }

  kindOf(event: number): string {
    return this.scene.kinds[this.column('event.kind')[event]] ?? '';
  }

  event(index: number): FilmEvent {
    const value = (name: string): number => this.column(`event.${name}`)[index];
    const bits = value('flags');
    return {
      index,
      time: value('time'),
      kind: this.kindOf(index),
      round: value('round'),
      law: this.scene.laws[value('law')] ?? '',
      steps: value('steps'),
      stop: this.scene.stops[value('stop')] ?? '',
      energyBefore: value('energy_before'),
      energyAfter: value('energy_after'),
      contactWork: value('contact_work'),
      minImpulse: value('min_impulse'),
      minGapRateAfter: value('min_gap_rate_after'),
      constraintResidual: value('constraint_residual'),
      complementarityResidual: value('complementarity_residual'),
      flags: this.scene.flags.filter((_, bit) => ((bits >>> bit) & 1) === 1),
      contacts: this.contactsOf(index),
      jumps: this.jumpsOf(index),
      joints: this.jointImpulsesOf(index),
    };
  }

  /** Rows of the jumps of one body, in order of time. */
  jumpRows(body: number): Int32Array {
    const bodies = this.column('jump.body');
    for (; this.sortedJumps < bodies.length; ++this.sortedJumps) {
      this.jumpsByBody[bodies[this.sortedJumps]].push(this.sortedJumps);
    }
    return this.jumpsByBody[body].values;
  }

  jumpTime(row: number): number {
    return this.eventTimes[Film.lastAtOrBefore(this.column('event.first_jump'), row)];
  }
}
