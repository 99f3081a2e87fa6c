/** Pool balls as they are on a table: a cue ball, seven full ones, the eight, and seven with a stripe; with numbers. */

import { CanvasTexture, type Material, MeshStandardMaterial } from 'three';
import type { Film } from '../film/film';

/** Of the numbers 0 (the cue ball) to 8; from 9 on those of 1 to 7 again, as stripes. */
const colours = [
  '#f3efe2', '#f0b310', '#1f56b0', '#cf2233', '#5d3190', '#ee7420', '#12804a', '#7d2230', '#1d1d22',
];

/** The number at the end of a name: `ball 9`, `rack-9`; 0 for `cue`; null for others. */
function numberIn(name: string): number | null {
  if (/^cue\b/.test(name)) return 0;
  const found = /(?:^|\D)(\d{1,2})$/.exec(name);
  const number = found === null ? 0 : Number(found[1]);
  return number >= 1 && number <= 15 ? number : null;
}

const cache = new WeakMap<Film, (number | null)[]>();

/** The number of each body of a game of pool: spheres, one of them the cue ball, the others numbered from 1 to 15. */
export function poolNumbers(film: Film): readonly (number | null)[] {
  let numbers = cache.get(film);
  if (numbers === undefined) {
    const bodies = film.scene.objects.slice(0, film.bodies);
    const named = bodies.map(({ name, shape }) => (shape.kind === 'sphere' ? numberIn(name) : null));
    const balls = named.filter((number) => number !== null);
    const isGame = balls.includes(0) && balls.length > 1 && new Set(balls).size === balls.length;
    numbers = isGame ? named : bodies.map(() => null);
    cache.set(film, numbers);
  }
  return numbers;
}

/** The colour of a pool ball; null for other objects. */
export function poolColour(film: Film, object: number): string | null {
  const number = poolNumbers(film)[object] ?? null;
  return number === null ? null : colours[number > 8 ? number - 8 : number];
}

const cell = 64;

/** The numbers 0 to 15 in black, four in a row. */
function digits(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 4 * cell;
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.fillStyle = '#000';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `700 ${0.66 * cell}px system-ui, sans-serif`;
    for (let number = 1; number <= 15; ++number) {
      const [x, y] = [(number % 4) + 0.5, Math.floor(number / 4) + 0.54];
      context.fillText(String(number), x * cell, y * cell, 0.86 * cell);
    }
  }
  return new CanvasTexture(canvas);
}

const vertexHead = 'attribute float poolNumber;\nvarying vec3 vLocal;\nvarying float vNumber;\n#include <common>';
const vertexBody = '#include <begin_vertex>\n  vLocal = position;\n  vNumber = poolNumber;';
const fragmentHead = 'varying vec3 vLocal;\nvarying float vNumber;\nuniform sampler2D digitsMap;\n#include <common>';
const fragmentBody = `#include <color_fragment>
  float number = floor(vNumber + 0.5);
  vec3 white = vec3(0.9, 0.87, 0.76);
  // Numbers stand above and below, along z; the stripe runs through them, about y.
  float edge = max(fwidth(vLocal.y), 1e-5);
  if (number > 8.5) diffuseColor.rgb = mix(diffuseColor.rgb, white, smoothstep(-edge, edge, abs(vLocal.y) - 0.58));
  vec2 across = vec2(vLocal.z > 0.0 ? vLocal.x : -vLocal.x, vLocal.y);
  float fromPole = length(across);
  float pixel = max(fwidth(fromPole), 1e-5);
  if (number > 0.5) {
    diffuseColor.rgb = mix(diffuseColor.rgb, white, 1.0 - smoothstep(-pixel, pixel, fromPole - 0.46));
    vec2 place = across / 0.92 + 0.5;
    if (fromPole < 0.46) {
      vec2 corner = vec2(mod(number, 4.0), 3.0 - floor(number / 4.0));
      float ink = texture2D(digitsMap, (corner + place) / 4.0).a;
      diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.02), ink);
    }
  } else {
    diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.55, 0.02, 0.03), 1.0 - smoothstep(-pixel, pixel, fromPole - 0.13));
  }`;

/** The surface of all pool balls; which one a ball is, its attribute `poolNumber` says. */
export function poolMaterial(): Material {
  const material = new MeshStandardMaterial({ roughness: 0.22 });
  const map = digits();
  material.onBeforeCompile = (shader) => {
    shader.uniforms.digitsMap = { value: map };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', vertexHead)
      .replace('#include <begin_vertex>', vertexBody);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', fragmentHead)
      .replace('#include <color_fragment>', fragmentBody);
  };
  material.customProgramCacheKey = () => 'pool balls';
  material.addEventListener('dispose', () => map.dispose());
  return material;
}
