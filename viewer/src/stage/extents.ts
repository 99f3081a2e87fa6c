/** The extents of the films on the stage together, as they grow. */

import { Box3, Sphere, Vector3 } from 'three';
import type { Film } from '../film/film';
import { type Extent, filmExtent } from './bounds';

export class Extents {
  private readonly known = new Map<Film, { revision: number; extent: Extent }>();
  private key: unknown[] = [];
  private whole: Extent = { box: new Box3(), balls: [] };

  /** The same object as long as nothing has changed. */
  of(films: readonly Film[]): Extent {
    const extents = films.map((film) => this.ofOne(film));
    if (extents.length === this.key.length && extents.every((extent, i) => extent === this.key[i])) return this.whole;
    this.key = extents;
    for (const film of this.known.keys()) if (!films.includes(film)) this.known.delete(film);
    const box = extents.reduce((union, extent) => union.union(extent.box), new Box3());
    this.whole = { box, balls: drawn(extents.flatMap((extent) => extent.balls), box) };
    return this.whole;
  }

  /** Of a film that grows, the box grows in steps, so that the picture does not creep. */
  private ofOne(film: Film): Extent {
    const known = this.known.get(film);
    if (known?.revision === film.revision) return known.extent;
    const now = filmExtent(film);
    const holds = known?.extent.box.containsBox(now.box) ?? false;
    const extent = known !== undefined && holds ? known.extent : now;
    if (!film.complete && extent === now) {
      const size = now.box.getSize(new Vector3()).length();
      now.box.expandByScalar(0.05 * size);
      for (const ball of now.balls) ball.radius += 0.05 * size;
    }
    this.known.set(film, { revision: film.revision, extent });
    return extent;
  }
}

/** Balls in the drawn world, where the box has its centre at the origin and radius 1. */
function drawn(balls: readonly Sphere[], box: Box3): Sphere[] {
  const bounds = box.getBoundingSphere(new Sphere());
  return balls.map(
    ({ center, radius }) =>
      new Sphere(center.clone().sub(bounds.center).divideScalar(bounds.radius), radius / bounds.radius),
  );
}
