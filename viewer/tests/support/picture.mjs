// Pictures as numbers: enough of PNG to see whether a screenshot shows anything.

import { inflateSync } from 'node:zlib';

/** The pixels of a PNG as browsers write it (8 bits, RGB or RGBA, not interlaced). */
export function decodePng(bytes) {
  const parts = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[data[9]];
      if (data[8] !== 8 || channels === undefined || data[12] !== 0) throw new Error('an unexpected kind of PNG');
    }
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted(filter, left, up, corner);
    }
  }
  return { width, height, channels, pixels };
}

function predicted(filter, left, up, corner) {
  switch (filter) {
    case 0: return 0;
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    default: {
      const p = left + up - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      return a <= b && a <= c ? left : b <= c ? up : corner;
    }
  }
}

/** The share of pixels that differ from the most frequent colour by more than a little. */
export function contentShare({ pixels, channels, width, height }) {
  const counts = new Map();
  const key = (i) => ((pixels[i] >> 3) << 10) | ((pixels[i + 1] >> 3) << 5) | (pixels[i + 2] >> 3);
  for (let i = 0; i < pixels.length; i += channels) counts.set(key(i), (counts.get(key(i)) ?? 0) + 1);
  return 1 - Math.max(...counts.values()) / (width * height);
}

/** How many colours there are, coarsely: an empty page has few. */
export function colourCount({ pixels, channels }) {
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += channels) {
    seen.add(((pixels[i] >> 4) << 8) | ((pixels[i + 1] >> 4) << 4) | (pixels[i + 2] >> 4));
  }
  return seen.size;
}

/** The share of pixels in which two pictures of one size differ by more than a little. */
export function differenceShare(a, b) {
  let different = 0;
  for (let i = 0, j = 0; i < a.pixels.length; i += a.channels, j += b.channels) {
    const d = Math.max(...[0, 1, 2].map((k) => Math.abs(a.pixels[i + k] - b.pixels[j + k])));
    if (d > 12) ++different;
  }
  return different / (a.width * a.height);
}
