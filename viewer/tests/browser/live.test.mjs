// A run that is watched while it computes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { scenePath, view } from '../support/tool.mjs';

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

test('the film grows while the run goes on', async () => {
  // A run that does not end by itself, however slowly the page loads.
  const served = await view(scenePath('bearing'), '--set', 'run.duration=1000');
  const page = await openPage(browser, served.address);
  const first = await page.evaluate(() => window.carom.info());
  assert.equal(first.films[0].complete, false);
  await page.waitForFunction((from) => window.carom.info().duration > from, first.duration, { timeout: 60000 });
  assert.deepEqual(page.complaints, []);
  await closePage(page);
  assert.equal(await served.stop(), 130);
});

test('it comes to the end of the run', async () => {
  const served = await view(scenePath('bearing'), '--set', 'run.duration=0.5');
  const page = await openPage(browser, served.address);
  await page.waitForFunction(() => window.carom.info().films[0].complete, null, { timeout: 120000 });
  assert.equal(await page.evaluate(() => window.carom.info().duration), 0.5);
  assert.deepEqual(page.complaints, []);
  await closePage(page);
  assert.equal(await served.stop(), 0);
});

test('other settings run the scene again, and mistakes in them are told', async () => {
  const served = await view(scenePath('bouncing-ball'), '--set', 'run.duration=1');
  const page = await openPage(browser, served.address);
  await page.waitForFunction(() => window.carom.info().films[0].complete);
  await page.click('#tab-scene');
  assert.equal(await page.locator('.rerun textarea').inputValue(), 'run.duration=1');
  await page.fill('.rerun textarea', 'run.durations=2');
  await page.click('.rerun .button');
  await page.waitForFunction(() => document.querySelector('.rerun .complaint').textContent.includes('durations'));
  await page.fill('.rerun textarea', 'run.duration=2');
  await page.click('.rerun .button');
  await page.waitForFunction(() => window.carom.info().films[0].complete && window.carom.info().duration === 2);
  page.complaints = page.complaints.filter((complaint) => !complaint.includes('400'));
  assert.deepEqual(page.complaints, []);
  await closePage(page);
  assert.equal(await served.stop(), 0);
});

test('what was fetched stays when the server has gone', async () => {
  const served = await view(scenePath('bouncing-ball'));
  const page = await openPage(browser, served.address);
  await page.waitForFunction(() => window.carom.info().films[0].complete);
  await served.stop();
  await page.evaluate(() => window.carom.seekEvent(3));
  assert.match(await page.locator('#impact-details').innerText(), /floor/);
  assert.deepEqual(page.complaints, []);
  await closePage(page);
});
