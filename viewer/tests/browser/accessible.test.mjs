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

/** Texts whose contrast to what lies behind them is below 4.5 : 1, that of WCAG 2, level AA. */
function faintTexts() {
  const parse = (colour) => {
    const [r, g, b, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], alpha };
  };
  const over = ({ rgb, alpha }, below) => rgb.map((value, k) => alpha * value + (1 - alpha) * below[k]);
  const luminance = (rgb) => {
    const linear = rgb.map((value) => (value <= 10.3 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (found) => {
    if (found === null) return [255, 255, 255];
    const own = parse(getComputedStyle(found).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, behind(found.parentElement));
  };
  const contrast = (found) => {
    const back = behind(found);
    const [dark, light] = [over(parse(getComputedStyle(found).color), back), back].map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const hasText = (found) => [...found.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== '');
  return [...document.querySelectorAll('body *')]
    .filter((found) => found.checkVisibility() && hasText(found) && !found.disabled)
    .filter((found) => contrast(found) < 4.5)
    .map((found) => `${contrast(found).toFixed(2)}: ${found.outerHTML.slice(0, 100)}`);
}

test('texts stand out from what is behind them, in the light and in the dark', async () => {
  for (const theme of ['light', 'dark']) {
    for (const tab of ['impacts', 'scene']) {
      await page.locator(`#tab-${tab}`).click();
      await page.evaluate((chosen) => window.carom.set({ theme: chosen }), theme);
      await page.evaluate(() => window.carom.seekEvent(0));
      await page.waitForTimeout(300);
      assert.deepEqual(await page.evaluate(faintTexts), [], `${theme}, ${tab}`);
    }
  }
  await page.addStyleTag({ content: '#subtitle { color: #666 }' });
  assert.equal((await page.evaluate(faintTexts)).length > 0, true, 'the measure finds what is faint');
});
