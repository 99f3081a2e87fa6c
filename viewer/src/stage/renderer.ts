/** What three.js draws with, and the pixels that it has drawn. */

import { NeutralToneMapping, PCFSoftShadowMap, WebGLRenderer } from 'three';

/** Puts what is opaque, its rows from below, under a picture with rows from the top. */
export function layOver(below: Uint8Array, { data, width, height }: ImageData): void {
  for (let y = 0; y < height; ++y) {
    const row = 4 * width * (height - 1 - y);
    for (let x = 0, to = 4 * width * y; x < 4 * width; x += 4, to += 4) {
      const cover = data[to + 3] / 255;
      for (let k = 0; k < 3; ++k) data[to + k] = cover * data[to + k] + (1 - cover) * below[row + x + k];
      data[to + 3] = 255;
    }
  }
}

/** Whether the processor does the work of a graphics card. */
export function isSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const details = context.getExtension('WEBGL_debug_renderer_info');
  const name = details === null ? '' : String(context.getParameter(details.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|software/i.test(name);
}

export function makeRenderer(): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFSoftShadowMap;
    renderer.toneMapping = NeutralToneMapping;
    renderer.toneMappingExposure = 1;
    renderer.localClippingEnabled = true;
    return renderer;
  } catch {
    return null;
  }
}
