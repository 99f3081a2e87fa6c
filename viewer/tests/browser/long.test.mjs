// A long record: what is transferred before it can be used does not grow with it, and the rest comes in pieces.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openBrowser } from '../support/browser.mjs';
import { record, sceneFile, view } from '../support/tool.mjs';

/** Two balls between two walls: 400 impacts in three seconds, for ever. */
const rattle = `format = 1
[run]
duration = 1
output_step = 1
[[material]]
name = "hard"
[[pair]]
materials = ["hard", "hard"]
restitution = 1
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "hard"
position = [0, 0, 0]
velocity = [1, 0, 0]
[[body]]
name = "other"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "hard"
position = [0.205, 0, 0]
[[plane]]
name = "left"
normal = [1, 0, 0]
point = [-0.105, 0, 0]
material = "hard"
[[plane]]
name = "right"
normal = [-1, 0, 0]
point = [0.31, 0, 0]
material = "hard"`;

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** Opens the page of a record so long, and tells what had come when it could be used, and all in all. */
async function opened(duration) {
  const viewer = await view(await record(sceneFile(rattle), `run.duration=${duration}`));
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const sizes = [];
  // Sizes of parts as the page gets them; there is no other work of the page between the first part and its use.
  await page.exposeFunction('tellSize', (size) => sizes.push(size));
  await page.addInitScript(() => {
    const own = window.fetch;
    window.fetch = async (...request) => {
      const answer = await own(...request);
      const bytes = answer.arrayBuffer.bind(answer);
      answer.arrayBuffer = async () => {
        const all = await bytes();
        await window.tellSize(all.byteLength);
        return all;
      };
      return answer;
    };
  });
  await page.goto(viewer.address);
  await page.waitForFunction(() => window.carom !== undefined);
  const first = await page.evaluate(async () => {
    await window.carom.ready;
    const rows = document.querySelectorAll('#impact-list .row').length;
    const { events, films } = window.carom.info();
    return { events, complete: films[0].complete, rows };
  });
  const before = { ...first, parts: sizes.length, bytes: sizes[0] };
  await page.waitForFunction(() => window.carom.info().films[0].complete, null, { timeout: 120_000 });
  const { events } = await page.evaluate(() => window.carom.info());
  const row = await page.evaluate(async (last) => {
    await window.carom.seekEvent(last);
    return document.querySelector('#impact-details').textContent;
  }, events - 1);
  await page.close();
  await viewer.stop();
  return { before, events, row, sizes };
}

test('a record ten times as long needs no more before it can be used', async () => {
  const short = await opened(60);
  const long = await opened(600);
  assert.ok(short.events > 7_900 && long.events > 79_000, `${short.events}, ${long.events}`);
  for (const { before } of [short, long]) {
    assert.ok(before.parts <= 2 && before.bytes < 600_000, JSON.stringify(before));
    assert.ok(before.events < 2_000 && before.rows > 5 && !before.complete, JSON.stringify(before));
  }
  assert.match(long.row, /ball/);
  // The pieces grow with what is there already, so that there are few of them.
  assert.ok(long.sizes.length < 20, String(long.sizes));
  assert.ok(Math.max(...long.sizes) < 30e6, String(long.sizes));
});
