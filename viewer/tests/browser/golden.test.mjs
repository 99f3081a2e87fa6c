// Small pictures of scenes against kept ones (tests/golden). Browsers differ in the last bits and in letters, so that a
// few pixels may; CAROM_WRITE_GOLDEN=1 writes them anew, to be looked at.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { decodePng, differenceShare } from '../support/picture.mjs';
import { page as exported, record, scenePath } from '../support/tool.mjs';

/** Share of pixels that may differ. */
const most = 0.01;
const size = { width: 320, height: 180 };
const goldenFolder = new URL('../golden/', import.meta.url);

const pictures = [
  { scene: 'cradle-on-rods', duration: 1, what: { time: 0.2 }, other: { time: 0.8 } },
  { scene: 'pool-break', duration: 0.3, what: { time: 0.3 }, other: { time: 0 } },
  // So many contacts have no letters.
  { scene: 'masonry-arch', duration: 0.02, what: { time: 0.01 }, set: { forces: true, theme: 'dark' }, otherSet: { forces: false } },
];

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

for (const { scene, duration, what, other = what, set = {}, otherSet = {} } of pictures) {
  test(scene, async () => {
    const file = await exported(await record(scenePath(scene), `run.duration=${duration}`));
    const page = await openPage(browser, file, { size });
    await page.evaluate((options) => window.carom.set({ clean: true, ...options }), set);
    const shot = async (of) => Buffer.from(await page.evaluate((moment) => window.carom.picture(moment), of), 'base64');
    const bytes = await shot(what);
    const golden = new URL(`${scene}.png`, goldenFolder);
    if (process.env.CAROM_WRITE_GOLDEN) {
      mkdirSync(goldenFolder, { recursive: true });
      writeFileSync(golden, bytes);
    }
    const kept = decodePng(readFileSync(golden));
    const share = differenceShare(decodePng(bytes), kept);
    assert.ok(share <= most, `${(100 * share).toFixed(2)} % of the pixels differ`);
    await page.evaluate((options) => window.carom.set(options), otherSet);
    assert.ok(differenceShare(decodePng(await shot(other)), kept) > most, 'what is another picture is not taken for this one');
    assert.deepEqual(page.complaints, []);
    await closePage(page);
  });
}
