// One film in a real browser: load, seek, step, plots, themes, sizes, keyboard.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { contentShare, decodePng, differenceShare } from '../support/picture.mjs';
import { carom, page as exported, record, sceneFile, scenePath } from '../support/tool.mjs';

let browser;
let file;
let events;

before(async () => {
  browser = await openBrowser();
  const run = await record(scenePath('pool-break'));
  events = JSON.parse((await carom('events', run, '--json')).stdout).events;
  file = await exported(run);
});
after(() => browser?.close());

const shot = async (page) => decodePng(await page.locator('#stage').screenshot());
const text = (page, selector) => page.locator(selector).innerText();

describe('a film from file://', () => {
  test('loads without errors or requests, and shows something', async () => {
    const page = await openPage(browser, file);
    const info = await page.evaluate(() => window.carom.info());
    assert.equal(info.films.length, 1);
    assert.equal(info.events, events.length);
    assert.ok(contentShare(await shot(page)) > 0.05);
    assert.deepEqual(page.complaints, []);
    await closePage(page);
  });

  test('seeking to an impact shows its instant, contacts and audit', async () => {
    const page = await openPage(browser, file);
    const chosen = events.findIndex((event) => event.kind === 'impact' && event.contacts.length > 1);
    assert.ok(chosen >= 0, 'the scene has a multiple impact');
    await page.evaluate((index) => window.carom.seekEvent(index), chosen);
    const details = await text(page, '#impact-details');
    for (const contact of events[chosen].contacts) {
      assert.ok(details.includes(contact.a) && details.includes(contact.b), `${contact.a}–${contact.b} in: ${details}`);
    }
    assert.match(details, /energy/i);
    assert.match(details, new RegExp(events[chosen].law));
    await closePage(page);
  });

  test('stepping from impact to impact goes through them in order and back', async () => {
    const page = await openPage(browser, file);
    const instants = [...new Set(events.filter((event) => event.kind === 'impact').map((event) => event.time))];
    const shown = () => page.evaluate(() => window.carom.info().time);
    await page.evaluate(() => window.carom.seek(0));
    const seen = [];
    for (let i = 0; i < Math.min(4, instants.length); ++i) {
      await page.click('#next-impact');
      seen.push(await shown());
    }
    const sorted = [...seen].sort((a, b) => a - b);
    assert.deepEqual(seen, sorted);
    assert.ok(seen.every((time) => instants.includes(time)), `${seen} among ${instants}`);
    await page.click('#previous-impact');
    assert.equal(await shown(), seen.at(-2));
    await closePage(page);
  });

  test('the picture follows the time and is the same for the same time', async () => {
    const page = await openPage(browser, file);
    const duration = await page.evaluate(() => window.carom.info().duration);
    await page.evaluate(() => window.carom.set({ clean: true }));
    await page.evaluate((time) => window.carom.seek(time), 0);
    const start = await shot(page);
    await page.evaluate((time) => window.carom.seek(time), 0.8 * duration);
    const late = await shot(page);
    await page.evaluate((time) => window.carom.seek(time), 0);
    const again = await shot(page);
    assert.ok(differenceShare(start, late) > 0.002, 'bodies have moved');
    assert.equal(differenceShare(start, again), 0);
    await closePage(page);
  });

  test('bodies that go far fill the picture where they are framed instead of their way', async () => {
    const scene = sceneFile(`format = 1
      [run]
      duration = 2
      [[body]]
      name = "one"
      shape = { kind = "sphere", radius = 0.2 }
      mass = 1
      velocity = [10, 0, 0]
      [[body]]
      name = "other"
      shape = { kind = "sphere", radius = 0.2 }
      mass = 1
      position = [0, 0, 1]
      velocity = [10, 0, 0]`);
    const page = await openPage(browser, await exported(await record(scene)));
    const share = async (framing, time) => {
      await page.evaluate((chosen) => window.carom.set({ framing: chosen, view: 'front', clean: true }), framing);
      await page.evaluate((chosen) => window.carom.seek(chosen), time);
      return contentShare(await shot(page));
    };
    for (const time of [0.5, 1.5]) {
      assert.ok((await share('way', time)) < 0.02);
      assert.ok((await share('bodies', time)) > 0.05);
    }
    assert.deepEqual(page.complaints, []);
    await closePage(page);
  });

  test('plots can be shown and hidden, and are drawn', async () => {
    const page = await openPage(browser, file);
    await page.evaluate(() => window.carom.set({ plots: true }));
    await page.waitForSelector('#plots canvas');
    assert.ok(contentShare(decodePng(await page.locator('#plots').screenshot())) > 0.01);
    await page.click('#toggle-plots');
    assert.equal(await page.locator('#plots canvas').filter({ visible: true }).count(), 0);
    await page.click('#toggle-plots');
    assert.ok((await page.locator('#plots canvas').filter({ visible: true }).count()) > 0);
    await closePage(page);
  });

  test('plays and pauses', async () => {
    const page = await openPage(browser, file);
    await page.evaluate(() => window.carom.seek(0));
    await page.click('#play');
    await page.waitForFunction(() => window.carom.info().time > 0);
    await page.click('#play');
    assert.equal(await page.evaluate(() => window.carom.info().playing), false);
    await closePage(page);
  });

  test('the keyboard does all of it', async () => {
    const page = await openPage(browser, file);
    await page.evaluate(() => window.carom.seek(0));
    await page.locator('body').press('Shift+ArrowRight');
    const impact = await page.evaluate(() => window.carom.info().time);
    assert.ok(events.some((event) => event.time === impact));
    await page.locator('body').press('End');
    const end = await page.evaluate(() => window.carom.info());
    assert.equal(end.time, end.duration);
    await page.locator('body').press('Home');
    assert.equal(await page.evaluate(() => window.carom.info().time), 0);
    await page.locator('body').press('?');
    assert.match(await text(page, 'body'), /previous impact/i);
    assert.deepEqual(page.complaints, []);
    await closePage(page);
  });

  for (const [name, options] of [
    ['dark', { theme: 'dark' }],
    ['a phone', { phone: true }],
    ['a small laptop', { size: { width: 1024, height: 640 } }],
  ]) {
    test(`fits on ${name}: nothing is cut off to the right`, async () => {
      const page = await openPage(browser, file, options);
      const { wide, content } = await page.evaluate(() => ({
        wide: window.innerWidth,
        content: document.documentElement.scrollWidth,
      }));
      assert.ok(content <= wide, `${content} px in ${wide}`);
      assert.ok(contentShare(await shot(page)) > 0.05);
      assert.deepEqual(page.complaints, []);
      await closePage(page);
    });
  }
});
