// Names and titles of a scene are text, whatever stands in them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { page as exported, record, sceneFile, view } from '../support/tool.mjs';

const image = "<img src=x onerror='window.hacked=1'>";
const script = "</script><script>window.hacked=2</script>";
const comment = '<!-- films --><svg onload=window.hacked=3>';

const hostile = `format = 1
title = """${script}${comment}"""
[world]
gravity = [0, 0, -9.81]
[run]
duration = 1
[[material]]
name = """${comment}"""
[[pair]]
materials = ["""${comment}""", """${comment}"""]
restitution = 0.8
[[body]]
name = """${image}"""
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = """${comment}"""
position = [0, 0, 0.5]
[[plane]]
name = """${script}"""
normal = [0, 0, 1]
material = """${comment}"""
`;

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

async function lookEverywhere(page) {
  await page.evaluate(async () => {
    await window.carom.set({ labels: true, plots: true, arrows: true });
    await window.carom.seekEvent(0);
  });
  await page.locator('body').press('?');
  await page.waitForTimeout(300);
}

async function expectHarmless(page) {
  await lookEverywhere(page);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.equal(await page.locator('svg[onload]').count(), 0);
  const words = await page.locator('body').innerText();
  assert.ok(words.includes(image), 'the name is shown as it is written');
  assert.deepEqual(page.complaints, []);
}

test('from a file', async () => {
  const page = await openPage(browser, await exported(await record(sceneFile(hostile))));
  await expectHarmless(page);
  await closePage(page);
});

test('served from a record', async () => {
  const served = await view(await record(sceneFile(hostile)));
  const page = await openPage(browser, served.address);
  await expectHarmless(page);
  await closePage(page);
  await served.stop();
});

test('in a live run', async () => {
  const served = await view(sceneFile(hostile));
  const page = await openPage(browser, served.address);
  await page.waitForFunction(() => window.carom.info().films[0].complete);
  await expectHarmless(page);
  await closePage(page);
  await served.stop();
});
