// The page's own modules, for tests without a browser: TypeScript is bundled by the esbuild that vite brings.

import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** All exports of the named modules (`film/film`, …) in one object; classes are shared between them. */
export async function sources(...modules) {
  const folder = mkdtempSync(join(tmpdir(), 'carom-viewer-'));
  const file = join(folder, 'bundle.mjs');
  const contents = modules.map((name) => `export * from './${name}';`).join('\n');
  try {
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      outfile: file,
      logLevel: 'error',
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
