/** Lights of the stage: the sky, one lamp with shadows, and a soft room that shines on smooth bodies. */

import {
  BackSide,
  BoxGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  Scene,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { Theme } from '../app/state';
import { stageColours } from './colours';
import type { SceneAxes } from './axes';

/** Half the width of the lit square in the drawn world, whose scene has radius 1. */
const widestShadow = 1.6;
const finestShadow = 2048;
/** Where the processor draws: more texels than a picture of this height [pixels] shows are not worth their time. */
const cheapShadow = (height: number): number => (height <= 320 ? 512 : 1024);
const lampDistance = 5;

export class Lights {
  private readonly sky = new HemisphereLight();
  private readonly lamp = new DirectionalLight();

  /** @param cheap the processor draws, not a graphics card */
  constructor(
    private readonly scene: Scene,
    private readonly cheap: boolean,
  ) {
    const { shadow } = this.lamp;
    this.lamp.castShadow = true;
    shadow.mapSize.setScalar(finestShadow);
    shadow.radius = 4;
    shadow.camera.near = 0.1;
    shadow.camera.far = 2 * lampDistance;
    scene.add(this.sky, this.lamp, this.lamp.target);
  }

  /** Of the pictures that are drawn [pixels]. */
  setHeight(height: number): void {
    const { shadow } = this.lamp;
    const wanted = this.cheap ? cheapShadow(height) : finestShadow;
    if (shadow.mapSize.width === wanted) return;
    shadow.mapSize.setScalar(wanted);
    shadow.map?.dispose();
    shadow.map = null;
  }

  setTheme(theme: Theme): void {
    const colours = stageColours[theme];
    this.sky.color.set(colours.sky);
    this.sky.groundColor.set(colours.ground);
    this.sky.intensity = colours.ambient;
    this.lamp.intensity = colours.key;
    this.scene.environmentIntensity = colours.reflections;
  }

  /**
   * The lamp stands behind the right shoulder of the front view, where it lights the walls that are seen. Its shadows
   * cover what is looked at: the closer the camera, the finer they are.
   */
  place(axes: SceneAxes, centre: Vector3, distance: number): void {
    this.sky.position.copy(axes.up);
    const direction = new Vector3()
      .addScaledVector(axes.up, 1)
      .addScaledVector(axes.right, 0.4)
      .addScaledVector(axes.front, 0.5)
      .normalize();
    this.lamp.target.position.copy(centre);
    this.lamp.position.copy(centre).addScaledVector(direction, lampDistance);
    const { shadow } = this.lamp;
    const reach = Math.min(widestShadow, distance);
    shadow.camera.left = shadow.camera.bottom = -reach;
    shadow.camera.right = shadow.camera.top = reach;
    shadow.camera.updateProjectionMatrix();
    // Most of a texel off the surface that casts the shadow.
    shadow.normalBias = (1.5 * reach) / shadow.mapSize.width;
    shadow.bias = -1e-4;
  }
}

/** A grey room with bright panels, as reflected by the bodies. Turned so that its ceiling is z. */
export function roomEnvironment(renderer: WebGLRenderer): Texture {
  const room = new Scene();
  const box = new BoxGeometry(2, 2, 2);
  const walls = new Mesh(box, new MeshBasicMaterial({ color: '#8d939c', side: BackSide }));
  room.add(walls);
  const panels: [Vector3, Vector3, number][] = [
    [new Vector3(-0.3, 0.95, 0.2), new Vector3(0.45, 0.02, 0.35), 9],
    [new Vector3(0.95, 0.2, 0.1), new Vector3(0.02, 0.3, 0.5), 2.5],
    [new Vector3(-0.95, 0.1, -0.2), new Vector3(0.02, 0.3, 0.4), 2],
    [new Vector3(0, 0.1, 0.95), new Vector3(0.4, 0.25, 0.02), 1.6],
  ];
  for (const [place, size, strength] of panels) {
    const material = new MeshBasicMaterial();
    material.color.setScalar(strength);
    const panel = new Mesh(box, material);
    panel.position.copy(place);
    panel.scale.copy(size);
    room.add(panel);
  }
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.03, 0.1, 10, { size: 64 });
  generator.dispose();
  box.dispose();
  return texture;
}
