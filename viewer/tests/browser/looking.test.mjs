// What the user does to look closely: legends at impacts, views, close-ups, the inspector, saving, and keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { closePage, openBrowser, openPage } from '../support/browser.mjs';
import { decodePng, differenceShare } from '../support/picture.mjs';
import { page as exported, record, sceneFile, scenePath } from '../support/tool.mjs';

/** A red ball of 1 kg falls 1 m, and a second one beside it; g = 9.81; samples are far apart. */
const drop = `format = 1
[world]
gravity = [0, 0, -9.81]
[camera]
view = "front"
perspective = false
[run]
duration = 1
output_step = 0.25
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.5
[[body]]
name = "ball"
colour = "#d01020"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
[[body]]
name = "other"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [3, 0, 4.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"`;

let browser;
let page;
before(async () => {
  browser = await openBrowser();
  page = await openPage(browser, await exported(await record(sceneFile(drop))));
});
after(() => browser?.close());

const legend = (name) =>
  page.locator('#plots .legend-item').filter({ hasText: name }).locator('.value').innerText();

test('the legend at an impact says before and after, between samples the parabola', async () => {
  await page.evaluate(() => window.carom.seekEvent(0));
  await page.waitForFunction(() => document.querySelector('#plots .legend').textContent.includes('→'));
  // Both have fallen 1 m: 9.81 J each; one of them keeps a quarter of it.
  assert.equal(await legend('kinetic'), '19.62 → 12.26 J');
  assert.equal(await legend('dissipated'), '0 → 7.358 J');
  await page.evaluate(() => window.carom.seek(0.1));
  await page.waitForFunction(() => !document.querySelector('#plots .legend').textContent.includes('→'));
  await page.waitForTimeout(100);
  assert.equal(await legend('kinetic'), '0.9624 J', '½·2·(9.81·0.1)²');
});

test('the scene chooses view, perspective and colour', async () => {
  assert.equal(await page.getByRole('button', { name: 'Front', exact: true }).getAttribute('aria-pressed'), 'true');
  assert.equal(await page.getByRole('button', { name: 'Flat', exact: true }).getAttribute('aria-pressed'), 'true');
  const dot = page.locator('#impact-details .dot').first();
  await page.evaluate(() => window.carom.seekEvent(0));
  assert.equal(await dot.evaluate((element) => getComputedStyle(element).backgroundColor), 'rgb(208, 16, 32)');
});

test('stepping to an impact goes close to it, and back', async () => {
  const shot = async () => decodePng(Buffer.from(await page.evaluate(() => window.carom.picture({})), 'base64'));
  await page.evaluate(() => window.carom.set({ arrows: false }));
  await page.evaluate(() => window.carom.seekEvent(0));
  const far = await shot();
  await page.evaluate(() => window.carom.seek(0));
  await page.locator('body').press('.');
  const close = await shot();
  assert.ok(differenceShare(far, close) > 0.005);
  await page.locator('body').press('g');
  // The hatch of the floor may fall on other pixels by round-off of the way back; everything else is the same.
  assert.ok(differenceShare(far, await shot()) < 0.001);
  await page.locator('body').press('g');
  await page.evaluate(() => window.carom.set({ arrows: true }));
});

test('the inspector has the numbers of a body, and a ruler', async () => {
  await page.click('#tab-scene');
  await page.locator('#scene-panel button.object').filter({ hasText: 'ball' }).first().click();
  await page.evaluate(() => window.carom.seek(0.2));
  await page.waitForTimeout(100);
  const row = (name) => page.locator('#inspector tr').filter({ hasText: name }).locator('td').allInnerTexts();
  assert.deepEqual(await row('position'), ['0', '0', '0.9038']);
  assert.deepEqual(await row('velocity'), ['0', '0', '−1.962']);
  assert.deepEqual(await row('kinetic energy'), ['1.924722']);
  await page.selectOption('#inspector select', { label: 'other' });
  assert.match(await page.locator('#inspector .ruler').innerText(), /^4\.242641 m +\(3, 0, 3\)/);
  await page.locator('body').press('Escape');
  assert.ok(await page.locator('#inspector').isHidden());
  await page.click('#tab-impacts');
});

test('long names squeeze no table, and the inspector is not cut', async () => {
  const long = drop
    .replaceAll('name = "ball"', 'name = "the_left_front_suspension_spring_carrier"\nangular_velocity = [1.234567, 0.3, -0.2]')
    .replaceAll('name = "floor"', 'name = "the concrete floor of the workshop in the basement"');
  const own = await openPage(browser, await exported(await record(sceneFile(long))));
  await own.click('#next-impact');
  const [name] = await own.locator('#impact-details .heading td').all();
  assert.ok((await name.boundingBox()).width > 250);
  for (const table of await own.locator('#impact-details .table').all()) {
    assert.ok(await table.evaluate((box) => box.scrollWidth <= box.clientWidth));
  }
  await own.click('#tab-scene');
  await own.locator('#scene-panel button.object').first().click();
  const { right, cut } = await own.locator('#inspector').evaluate((box) => ({
    right: box.getBoundingClientRect().right,
    cut: box.scrollWidth - box.clientWidth,
  }));
  assert.equal(cut, 0);
  assert.ok(right <= (await own.locator('#film').boundingBox()).width);
  await closePage(own);
});

test('plots tell the value under the pointer', async () => {
  const box = await page.locator('#plots .u-over').first().boundingBox();
  await page.mouse.move(box.x + 0.1 * box.width, box.y + box.height / 2);
  assert.match(await page.locator('.plot-reading').innerText(), /^0\.[01]\d* s\n?kinetic 0\.9/);
  await page.mouse.move(5, 5);
  assert.ok(await page.locator('.plot-reading').isHidden());
});

test('a picture and a plot can be saved', async () => {
  for (const [button, name] of [['Picture', /s\.png$/], ['Save', /Energy\.png$/]]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    assert.match(download.suggestedFilename(), name);
  }
});

test('contacts at rest from the start are one row that opens', async () => {
  const pile = await openPage(browser, await exported(await record(scenePath('pool-break'), 'run.duration=0.02')));
  const folded = pile.locator('.row.folded');
  assert.match(await folded.innerText(), /46 contacts are closed from the start/);
  await folded.click();
  assert.equal(await folded.count(), 0);
  await closePage(pile);
});

test('rows name the contacts that they count, and details say who pushes', async () => {
  const pile = await openPage(browser, await exported(await record(scenePath('pool-break'), 'run.duration=0.04')));
  const row = pile.locator('.row.multiple');
  assert.match(await row.innerText(), /24 contacts/);
  assert.match((await row.locator('.row-contacts').innerText()).replace(/\s+/g, ' '), /^cue – ball 1, ball 1 – ball 2, ball 1 – ball 3.*, 21 more$/);
  await row.click();
  const details = pile.locator('#impact-details');
  assert.match(await details.innerText(), /cue pushes ball 1\./);
  assert.equal(await details.locator('tbody tr td').first().innerText(), 'cue → ball 1');
  await closePage(pile);
});

test('a compliant contact is one row, a collision, and counted once', async () => {
  const smooth = await openPage(browser, await exported(await record(scenePath('cradle-smooth'), 'run.duration=0.3')));
  assert.equal(await smooth.locator('#tab-impacts').innerText(), 'Contacts 4');
  assert.equal(await smooth.locator('#event-readout').innerText(), '4 contacts');
  const row = smooth.locator('.row').filter({ hasText: 'ball-1 – ball-2' });
  assert.match(await row.locator('.row-kind').innerText(), /^Collision, 1\.42·10⁻⁴ s$/);
  // Hertz's contact keeps what the two bodies lost to the others.
  assert.equal(await row.locator('.row-energy').innerText(), '0 J');
  await row.click();
  assert.equal(await smooth.locator('#event-readout').innerText(), 'Contact 4 of 4');
  const words = await smooth.locator('#impact-details .collision').innerText();
  assert.equal(words, 'lasted 1.424·10⁻⁴ s, peak 3473 N at 0.279536 s, impulse 0.2486 N s, work 0 J');
  assert.equal(await smooth.locator('#impact-details tbody td').first().innerText(), 'ball-1 → ball-2');
  await smooth.locator('.row').filter({ hasText: 'ball-4 – ball-5' }).click();
  assert.match(await smooth.locator('#impact-details tbody td').nth(2).innerText(), /^0 → /, 'a gap rate of round-off');
  await closePage(smooth);
});

test('a phone on its side shows the film, the time and the impacts', async () => {
  const phone = await openPage(browser, await exported(await record(scenePath('bouncing-ball'), 'run.duration=1')), {
    size: { width: 844, height: 390 },
  });
  for (const part of ['#stage', '#timeline', '#play', '#impact-list']) {
    const box = await phone.locator(part).boundingBox();
    assert.ok(box.height > 20 && box.y + box.height <= 391, `${part}: ${JSON.stringify(box)}`);
  }
  // Every button of the camera is in sight, and no tab has two lines.
  const film = await phone.locator('#film').boundingBox();
  const buttons = await phone.locator('#stage-tools button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  assert.ok(Math.max(...buttons) <= film.x + film.width, `${buttons}`);
  assert.ok((await phone.locator('#tab-impacts').boundingBox()).height < 40);
  await phone.click('#tab-plots');
  await phone.waitForSelector('#plots canvas');
  const plotButtons = await phone.locator('.plot-head button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  assert.ok(plotButtons.every((right) => right <= 844), String(plotButtons));
  const weight = (tab) => phone.locator(tab).evaluate((found) => getComputedStyle(found).fontWeight);
  assert.ok((await weight('#tab-impacts')) < (await weight('#tab-plots')), 'one tab is marked');
  await closePage(phone);
});
