/**
 * Surfaces of the stage. Patterns are computed from the place in the body's own frame, so that they turn with it, stay
 * sharp at any size, and need no image.
 */

import {
  Color,
  DoubleSide,
  FrontSide,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Side,
  type Vector2,
} from 'three';

export type Pattern = 'octants' | 'edges' | 'box' | 'prism' | 'sectors';

const edgeCode = `
    vec3 towardsEdge = vSize * (1.0 - abs(vLocal));
    float first = min(towardsEdge.x, min(towardsEdge.y, towardsEdge.z));
    float last = max(towardsEdge.x, max(towardsEdge.y, towardsEdge.z));
    float distanceToEdge = towardsEdge.x + towardsEdge.y + towardsEdge.z - first - last;
    float smallest = min(vSize.x, min(vSize.y, vSize.z));
    float pixel = max(fwidth(distanceToEdge), 1e-9);
    float width = max(0.07 * smallest, 0.75 * pixel);
    // On a box of a few pixels the lines would flicker.
    float tone = (1.0 - smoothstep(width, width + pixel, distanceToEdge)) * smoothstep(4.0, 10.0, smallest / pixel);`;

/** Share of the second tone at `vLocal`, the place in the unit shape; `vSize` are the half sizes. */
const patternCode: Record<Pattern, string> = {
  // Eight octants in two tones: every turn about every axis shows.
  octants: `
    vec3 edge = vLocal / max(fwidth(vLocal), vec3(1e-6));
    vec3 sides = clamp(edge, -1.0, 1.0);
    float tone = 0.5 + 0.5 * sides.x * sides.y * sides.z;`,
  // Lines along the edges of a box.
  edges: edgeCode,
  // The same, and a disk on the +z face.
  box: `${edgeCode}
    float disk = length(vLocal.xy * vSize.xy) - 0.5 * min(vSize.x, vSize.y);
    float onDisk = clamp(0.5 - disk / max(fwidth(disk), 1e-9), 0.0, 1.0);
    tone = max(tone, vLocal.z > 0.999 ? onDisk : 0.0);`,
  // A dot near the first vertex, on both caps.
  prism: `
    float dot_ = length(vLocal.xy - markPlace.xy) - markPlace.z;
    float tone = clamp(0.5 - dot_ / max(fwidth(dot_), 1e-9), 0.0, 1.0);`,
  // Twelve sectors about the z axis.
  sectors: `
    float angle = atan(vLocal.y, vLocal.x);
    float wave = sin(6.0 * angle);
    float tone = 0.5 + 0.5 * clamp(wave / max(6.0 * fwidth(vLocal.x) + 6.0 * fwidth(vLocal.y), 1e-4), -1.0, 1.0);`,
};

const vertexHead = 'varying vec3 vLocal;\nvarying vec3 vSize;\n#include <common>';
const vertexBody = `#include <begin_vertex>
  vLocal = position;
  #ifdef USE_INSTANCING
    vSize = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  #else
    vSize = vec3(1.0);
  #endif`;

export interface PatternOptions {
  pattern: Pattern;
  /** Without reflections, for crowds. */
  dull?: boolean;
  roughness?: number;
  side?: Side;
  /** How far the second tone goes towards white; below 0: towards black. */
  contrast: number;
  /** Prisms: x, y and radius of the dot. */
  mark?: [number, number, number];
}

/** An opaque surface with a pattern. */
export function patternMaterial(options: PatternOptions): MeshStandardMaterial | MeshLambertMaterial {
  const { pattern, contrast, mark, dull = false, roughness = 0.38, side = FrontSide } = options;
  const material = dull ? new MeshLambertMaterial({ side }) : new MeshStandardMaterial({ roughness, side });
  const target = contrast > 0 ? '1.0' : '0.0';
  material.onBeforeCompile = (shader) => {
    shader.uniforms.markPlace = { value: mark ?? [0, 0, 0] };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', vertexHead)
      .replace('#include <begin_vertex>', vertexBody);
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        'varying vec3 vLocal;\nvarying vec3 vSize;\nuniform vec3 markPlace;\n#include <common>',
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        ${patternCode[pattern]}
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(${target}), tone * ${Math.abs(contrast).toFixed(3)});`,
      );
  };
  material.customProgramCacheKey = () => `pattern ${pattern} ${contrast} ${dull}`;
  return material;
}

/** A clear skin whose rim shows: shells, long bores and ghosts. */
export function glassMaterial(colour: string, inner: number, rim: number): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    color: new Color(colour),
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    roughness: 0.25,
    metalness: 0,
  });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float facing = abs(dot(normalize(vViewPosition), normal));
       diffuseColor.a = mix(${rim.toFixed(3)}, ${inner.toFixed(3)}, smoothstep(0.0, 0.65, facing));
       #include <opaque_fragment>`,
    );
  };
  material.customProgramCacheKey = () => `glass ${inner} ${rim}`;
  return material;
}

/** In metres of the plane's own frame: the shown part has this centre and half size. */
export interface PlaneUniforms {
  centre: { value: Vector2 };
  half: { value: Vector2 };
  /** Share of the shown part that fades out at its border; 0: it ends sharply. */
  fade: { value: number };
  step: { value: number };
  lineColour: { value: Color };
}

/**
 * A plane that fades out around the scene, with a grid whose lines keep their width on the screen. From behind only the
 * faint grid is left, so that a wall between camera and scene hides nothing.
 */
export function planeMaterial(colour: string, uniforms: PlaneUniforms): MeshLambertMaterial {
  // Planes fill most of the picture; they are dull, and reflections would cost more than all the rest.
  const material = new MeshLambertMaterial({
    color: new Color(colour),
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    // The tone curve is made for bright bodies; it would press a dark ground into black.
    toneMapped: false,
    // Two passes would tell the shader in each of them that it sees the front.
    forceSinglePass: true,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      shownCentre: uniforms.centre,
      shownHalf: uniforms.half,
      fadeShare: uniforms.fade,
      gridStep: uniforms.step,
      lineColour: uniforms.lineColour,
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', 'varying vec2 vSquare;\n#include <common>')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvSquare = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `${planeHead}\n#include <common>`)
      .replace('#include <color_fragment>', `#include <color_fragment>\n${planeBody}`);
  };
  material.customProgramCacheKey = () => 'plane';
  return material;
}

const planeHead = `varying vec2 vSquare;
uniform vec2 shownCentre;
uniform vec2 shownHalf;
uniform float fadeShare;
uniform float gridStep;
uniform vec3 lineColour;`;

const planeBody = `
  vec2 place = (vSquare * shownHalf + shownCentre) / gridStep;
  vec2 pixel = max(fwidth(place), vec2(1e-9));
  vec2 nearest = abs(fract(place - 0.5) - 0.5) / pixel;
  // Lines closer than a few pixels would flicker: they melt into the ground.
  vec2 melt = 1.0 - smoothstep(0.1, 0.4, pixel);
  vec2 lines = (1.0 - smoothstep(0.3, 1.0, nearest)) * melt;
  float line = max(lines.x, lines.y);
  vec2 beyond = max(abs(vSquare) - (1.0 - fadeShare), 0.0) / max(fadeShare, 1e-3);
  float fading = 1.0 - smoothstep(0.0, 1.0, length(beyond));
  diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, line * 0.8);
  diffuseColor.a = fading * (gl_FrontFacing ? 1.0 : 0.04 + 0.3 * line);`;
