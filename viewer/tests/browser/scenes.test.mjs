// A picture of every eighth shipped scene, and with CAROM_EVERY_SCENE=1 (./test --all) of every one; CAROM_PICTURES names
// a folder that keeps them, to be looked at.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { colourCount, contentShare, decodePng } from '../support/picture.mjs';
import { page as exported, record, scenePath, shippedScenes } from '../support/tool.mjs';

const pictures = process.env.CAROM_PICTURES;
let browser;
before(async () => {
  browser = await openBrowser();
  if (pictures) mkdirSync(pictures, { recursive: true });
});
after(() => browser?.close());

const pictured = process.env.CAROM_EVERY_SCENE ? shippedScenes : shippedScenes.filter((_, i) => i % 8 === 0);
for (const name of pictured) {
  test(name, async () => {
    const page = await openPage(browser, await exported(await record(scenePath(name))));
    const { duration, impacts } = await page.evaluate(() => window.carom.info());
    if (impacts > 0) await page.click('#next-impact');
    else await page.evaluate((time) => window.carom.seek(time), duration / 2);
    if (pictures) writeFileSync(join(pictures, `${name}.png`), await page.screenshot());
    const stage = decodePng(await page.locator('#stage').screenshot());
    // An empty stage has 0.003 (its axes) and two colours.
    assert.ok(contentShare(stage) > 0.01, 'the stage is empty');
    assert.ok(colourCount(stage) > 8, 'the stage is flat');
    assert.deepEqual(page.complaints, []);
    await closePage(page);
  });
}
