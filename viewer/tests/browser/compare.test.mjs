// Several records of one scene, beside each other and as ghosts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { decodePng, differenceShare } from '../support/picture.mjs';
import { page as exported, record, scenePath, view } from '../support/tool.mjs';

let browser;
let records;

before(async () => {
  browser = await openBrowser();
  const laws = ['newton', 'geometric', 'sequential'];
  records = await Promise.all(laws.map((law) => record(scenePath('pool-break'), `run.law=${law}`)));
});
after(() => browser?.close());

test('two laws side by side and as ghosts', async () => {
  const page = await openPage(browser, await exported(...records.slice(0, 2)));
  const { films, duration } = await page.evaluate(() => window.carom.info());
  assert.equal(films.length, 2);
  const picture = async (compare) => {
    await page.evaluate((mode) => window.carom.set({ compare: mode }), compare);
    await page.evaluate((time) => window.carom.seek(time), 0.7 * duration);
    return decodePng(await page.locator('#stage').screenshot());
  };
  const side = await picture('side');
  const ghosts = await picture('ghosts');
  assert.ok(differenceShare(side, ghosts) > 0.02);
  const words = await page.locator('body').innerText();
  assert.match(words, /newton/);
  assert.match(words, /geometric/);
  assert.deepEqual(page.complaints, []);
  await closePage(page);
});

test('the same impact under two laws stands in one table with its difference', async () => {
  const page = await openPage(browser, await exported(...records.slice(0, 2)));
  await page.click('#next-impact');
  const heads = await page.locator('.compared thead th').allInnerTexts();
  assert.deepEqual(heads.slice(1), ['newton', 'geometric', 'difference']);
  const number = (text) => Number(text.replace('−', '-'));
  const row = page.locator('.compared tbody tr').filter({ hasText: 'cue – ball 1' });
  const [a, b, difference] = (await row.locator('td').allInnerTexts()).map(number);
  assert.ok(Math.abs(b - a - difference) < 2e-3 * Math.abs(b), `${a} ${b} ${difference}`);
  await closePage(page);
});

test('the button changes the way of comparing', async () => {
  const page = await openPage(browser, await exported(...records));
  const mode = () => page.evaluate(() => window.carom.info().compare);
  const before = await mode();
  await page.click('#compare-mode');
  assert.notEqual(await mode(), before);
  await closePage(page);
});

test('three records served by carom view', async () => {
  const served = await view(...records);
  const page = await openPage(browser, served.address);
  assert.equal(await page.evaluate(() => window.carom.info().films.length), 3);
  assert.deepEqual(page.complaints, []);
  await closePage(page);
  assert.equal(await served.stop(), 0);
});

test('laws that have parted are compared by the number of the impact, with both times', async () => {
  const bounces = await Promise.all([0.9, 0.5].map((e) => record(scenePath('bouncing-ball'), `pair.0.restitution=${e}`, 'run.duration=2')));
  const page = await openPage(browser, await exported(...bounces));
  await page.click('#next-impact');
  await page.click('#next-impact');
  assert.match(await page.locator('.compared p').innerText(), /impact 2 of ball – floor/);
  const times = await page.locator('.compared tbody tr').filter({ hasText: 'time' }).locator('td').allInnerTexts();
  // √(2·1/g)·(1 + 2e) with e = 0.9 and 0.5.
  assert.deepEqual(times, ['1.264', '0.903', '−0.3612']);
  await closePage(page);
});
