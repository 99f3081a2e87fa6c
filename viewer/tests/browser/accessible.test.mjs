// The page without a mouse, and as programs that read it aloud see it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openBrowser, openPage } from '../support/browser.mjs';
import { page as exported, record, scenePath } from '../support/tool.mjs';

let browser;
let page;
before(async () => {
  browser = await openBrowser();
  page = await openPage(browser, await exported(await record(scenePath('bouncing-ball'), 'run.duration=1')));
});
after(() => browser?.close());

test('everything that can be used has a name', async () => {
  for (const tab of ['impacts', 'scene']) {
    await page.locator(`#tab-${tab}`).click();
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, textarea, [tabindex="0"], [role="slider"], [role="img"], [role="listbox"]')]
        .filter((found) => found.checkVisibility())
        .filter((found) => {
          const label = found.getAttribute('aria-label') ?? found.labels?.[0]?.textContent ?? found.textContent;
          return label.trim() === '';
        })
        .map((found) => found.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, [], tab);
  }
});

test('tab reaches every button that is seen, and shows where it is', async () => {
  await page.locator('#tab-impacts').click();
  await page.evaluate(() => document.activeElement?.blur());
  const seen = await page.evaluate(
    () => [...document.querySelectorAll('button, select')].filter((found) => found.checkVisibility() && !found.disabled && found.tabIndex >= 0).length,
  );
  const reached = new Set();
  for (let press = 0; press < 3 * seen + 20; ++press) {
    await page.keyboard.press('Tab');
    const { key, outlined } = await page.evaluate(() => {
      const here = document.activeElement;
      const all = [...document.querySelectorAll('*')];
      const style = getComputedStyle(here);
      return {
        key: here.matches('button, select') ? all.indexOf(here) : null,
        outlined: here === document.body || (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0),
      };
    });
    assert.ok(outlined, 'the focus is not seen');
    if (key !== null) reached.add(key);
    if (reached.size === seen) break;
  }
  assert.equal(reached.size, seen);
});

test('arrows go from panel to panel, brackets stretch the time, a list is gone through', async () => {
  await page.locator('#tab-impacts').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#tab-scene').getAttribute('aria-selected'), 'true', 'plots have no tab on a wide page');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#tab-impacts').getAttribute('aria-selected'), 'true');
  await page.locator('#impact-list').focus();
  await page.keyboard.press('ArrowDown');
  const row = await page.locator('#impact-list').getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${row}`).getAttribute('aria-selected'), 'true');
  // The first bounce is at 0.45 s; half of the time about it begins behind 0.
  const ticks = () => page.evaluate(() => window.carom.info().span);
  assert.equal(await ticks(), null);
  await page.keyboard.press(']');
  const [from, to] = await ticks();
  assert.ok(from > 0 && to < 1 && Math.abs(to - from - 0.5) < 1e-9, `${from} to ${to}`);
  await page.keyboard.press('[');
  assert.equal(await ticks(), null);
  assert.deepEqual(page.complaints, []);
});
