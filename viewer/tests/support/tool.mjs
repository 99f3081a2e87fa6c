// The carom tool as the tests use it: CAROM_TOOL names the program, CAROM_SCENES the folder of the shipped scenes.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';

const tool = process.env.CAROM_TOOL;
if (!tool) throw new Error('CAROM_TOOL must name the carom program');
const scenes = process.env.CAROM_SCENES;
if (!scenes) throw new Error('CAROM_SCENES must name the folder of the scenes');

/** A folder of its own for this process; removed when it ends. */
export const folder = mkdtempSync(join(tmpdir(), 'carom-viewer-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const shippedScenes = readdirSync(scenes)
  .filter((name) => name.endsWith('.toml'))
  .map((name) => name.slice(0, -'.toml'.length));

export const scenePath = (name) => join(scenes, `${name}.toml`);

/** Runs the tool; resolves with what it prints, also where it fails. */
export async function carom(...words) {
  try {
    const { stdout, stderr } = await promisify(execFile)(tool, words, { maxBuffer: 1 << 28 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/** Runs the tool; it must succeed. Exit 3 (the mathematics did not finish) leaves a record to look at as well. */
async function mustRun(...words) {
  const { code, stderr } = await carom(...words);
  if (code !== 0 && code !== 3) throw new Error(`carom ${words.join(' ')} ended with ${code}: ${stderr}`);
}

let files = 0;

/** The path of a new record of a scene (a path, see scenePath) with some settings. */
export async function record(scene, ...settings) {
  const path = join(folder, `record-${++files}.h5`);
  await mustRun('run', scene, '--out', path, '--progress', 'none', ...settings.flatMap((text) => ['--set', text]));
  return path;
}

/** The path of a page with these records inside. */
export async function page(...records) {
  const path = join(folder, `page-${++files}.html`);
  await mustRun('export', ...records, '--html', path);
  return path;
}

/** The path of a scene file with this text. */
export function sceneFile(text) {
  const path = join(folder, `scene-${++files}.toml`);
  writeFileSync(path, text);
  return path;
}

// A viewer that a failed test has left behind would keep the test from ending.
const viewers = new Set();
after(() => viewers.forEach((child) => child.kill('SIGKILL')));

/** Starts `carom view`; resolves with its address and a function that ends it as Ctrl-C does. */
export function view(...words) {
  const child = spawn(tool, ['view', '--no-browser', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  viewers.add(child);
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    let printed = '';
    let complaint = '';
    child.stderr.on('data', (text) => (complaint += text));
    child.stdout.on('data', (text) => {
      printed += text;
      const address = printed.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\//);
      if (!address) return;
      const stop = () => {
        child.kill('SIGINT');
        return ended;
      };
      resolve({ address: address[0], stop });
    });
    ended.then((code) => reject(new Error(`carom view ended with ${code} before it served: ${complaint}`)));
  });
}
