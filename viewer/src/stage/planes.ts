/** Planes and the pockets in them. */

import {
  type Box3,
  CircleGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  Plane,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  Sphere,
  Vector2,
  Vector3,
} from 'three';
import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import { obstacleAt } from '../film/motion';
import { stageColours } from './colours';
import { sceneAxes } from './axes';
import { planeMaterial, type PlaneUniforms } from './materials';
import type { Poses } from './poses';

/** 1, 2 or 5 times a power of ten, not above the value. */
export function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const share = value / power;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

/** Of planes around a scene of this radius [m]. */
export function gridStep(radius: number): number {
  return niceBelow(radius / 4);
}

interface ShownPlane {
  object: number;
  mesh: Mesh;
  uniforms: PlaneUniforms;
  /** In the drawn world, for cutting other planes. */
  cut: Plane;
}

export class Planes {
  readonly group = new Group();
  private readonly planes: ShownPlane[] = [];
  private readonly up: Vector3;

  constructor(
    private readonly film: Film,
    theme: Theme,
  ) {
    const colours = stageColours[theme];
    this.up = sceneAxes(film.scene).up;
    const square = new PlaneGeometry(2, 2);
    film.scene.objects.forEach((object, index) => {
      if (object.shape.kind !== 'plane') return;
      const felt = this.hasPockets(index);
      const uniforms: PlaneUniforms = {
        centre: { value: new Vector2() },
        half: { value: new Vector2(1, 1) },
        fade: { value: felt ? 0 : 0.55 },
        step: { value: 1 },
        lineColour: { value: new Color(felt ? colours.feltLine : colours.planeLine) },
      };
      const mesh = new Mesh(square, planeMaterial(felt ? colours.felt : colours.plane, uniforms));
      mesh.receiveShadow = true;
      mesh.renderOrder = -2;
      this.planes.push({ object: index, mesh, uniforms, cut: new Plane() });
      this.group.add(mesh);
    });
    for (const shown of this.planes) this.cutBy(shown);
    this.addPockets(theme);
  }

  /** Planes of a corner end where they meet: each is cut by those behind which no body ever is. */
  private cutBy(shown: ShownPlane): void {
    const others = this.planes.filter((other) => other !== shown && this.holdsAllBodies(other.object));
    (shown.mesh.material as MeshBasicMaterial).clippingPlanes = others.slice(0, 6).map((other) => other.cut);
  }

  /** The plane at time 0. */
  private planeOf(object: number): Plane {
    const { position, orientation } = obstacleAt(this.film, object, 0);
    const [w, x, y, z] = orientation;
    const normal = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y, z, w));
    return new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...position));
  }

  private holdsAllBodies(object: number): boolean {
    const plane = this.planeOf(object);
    const start = new Vector3();
    const places = this.film.column('position');
    for (let body = 0; body < Math.min(this.film.bodies, places.length / 3); ++body) {
      if (plane.distanceToPoint(start.fromArray(places, 3 * body)) < 0) return false;
    }
    return true;
  }

  /** A plane with pockets is a table's cloth. */
  private hasPockets(object: number): boolean {
    const plane = this.planeOf(object);
    return this.film.scene.pockets.some(({ centre, axis, radius }) => {
      const along = Math.abs(plane.normal.dot(new Vector3(...axis).normalize()));
      return along > 0.99 && Math.abs(plane.distanceToPoint(new Vector3(...centre))) < radius;
    });
  }

  private addPockets(theme: Theme): void {
    const colours = stageColours[theme];
    for (const pocket of this.film.scene.pockets) {
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...pocket.axis).normalize());
      const hole = new Mesh(new CircleGeometry(pocket.radius, 48), flat(colours.pocket));
      const rim = new Mesh(new RingGeometry(pocket.radius, 1.1 * pocket.radius, 48), flat(colours.metal));
      for (const mesh of [hole, rim]) {
        mesh.position.set(...pocket.centre);
        mesh.quaternion.copy(turn);
        mesh.renderOrder = -1;
        this.group.add(mesh);
      }
    }
  }

  /** @param box the scene in metres; world: the place of the scene in the drawn world. */
  update(poses: Poses, box: Box3, world: Group): void {
    const origin = new Vector3();
    const turn = new Quaternion();
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const reach = box.getSize(new Vector3()).multiplyScalar(0.5);
    world.updateMatrixWorld();
    for (const { object, mesh, uniforms, cut } of this.planes) {
      poses.position(object, origin);
      poses.orientation(object, turn);
      const centre = center.clone().sub(origin).applyQuaternion(turn.clone().invert());
      // A floor is wide also under a scene that is narrow.
      const level = new Vector3(0, 0, 1).applyQuaternion(turn).dot(this.up) > 0.9;
      const shown = (axis: Vector3): number => {
        const direction = axis.applyQuaternion(turn);
        const support =
          Math.abs(direction.x) * reach.x + Math.abs(direction.y) * reach.y + Math.abs(direction.z) * reach.z;
        if (uniforms.fade.value === 0) return support + 0.03 * radius;
        return Math.max(1.4 * support + 0.55 * radius, level ? 1.5 * radius : 0);
      };
      const half = uniforms.half.value.set(shown(new Vector3(1, 0, 0)), shown(new Vector3(0, 1, 0)));
      const step = gridStep(radius);
      uniforms.step.value = step;
      // Single precision: the grid repeats, so the centre may be taken modulo some of its steps.
      uniforms.centre.value.set(centre.x % (10 * step), centre.y % (10 * step));
      mesh.quaternion.copy(turn);
      mesh.position.set(centre.x, centre.y, 0).applyQuaternion(turn).add(origin);
      mesh.scale.set(half.x, half.y, 1);
      const normal = new Vector3(0, 0, 1).applyQuaternion(turn);
      cut.setFromNormalAndCoplanarPoint(normal, origin).applyMatrix4(world.matrixWorld);
      cut.constant += 1e-4;
    }
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.geometry.dispose();
      object.material.dispose();
    });
  }
}

/** A flat mark on a plane, which does not write depth either: nothing fights for the same place. */
function flat(colour: string): MeshBasicMaterial {
  return new MeshBasicMaterial({ color: colour, transparent: true, depthWrite: false, toneMapped: false });
}
