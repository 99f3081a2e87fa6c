/** Where all objects of a film are at one time. */

import type { Quaternion, Vector3 } from 'three';
import type { Film } from '../film/film';
import { objectAt } from '../film/motion';

export class Poses {
  private readonly values: Float64Array;
  /** Rises whenever something may have moved. */
  version = 0;
  private time = NaN;
  private revision = -1;

  constructor(private readonly film: Film) {
    this.values = new Float64Array(7 * film.scene.objects.length);
  }

  update(time: number): void {
    if (time === this.time && this.film.revision === this.revision) return;
    this.version += 1;
    this.time = time;
    this.revision = this.film.revision;
    const count = this.film.times.length > 0 ? this.film.scene.objects.length : 0;
    for (let object = 0; object < count; ++object) {
      const { position, orientation } = objectAt(this.film, object, time);
      this.values.set(position, 7 * object);
      this.values.set(orientation, 7 * object + 3);
    }
  }

  position(object: number, out: Vector3): Vector3 {
    return out.fromArray(this.values, 7 * object);
  }

  orientation(object: number, out: Quaternion): Quaternion {
    const at = 7 * object + 3;
    return out.set(this.values[at + 1], this.values[at + 2], this.values[at + 3], this.values[at]);
  }
}
