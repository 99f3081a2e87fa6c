// Text can be read on every ground it stands on, in both themes (WCAG 2.1, 1.4.3 and 1.4.11).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('../src/style/base.css', import.meta.url), 'utf8');

function variables(selector) {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
}

function luminance(colour) {
  const channels = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const [theme, selector] of [['light', ':root'], ['dark', ":root[data-theme='dark']"]]) {
  const colours = variables(selector);
  const check = (inks, grounds, least) => {
    for (const ink of inks) {
      for (const ground of grounds) {
        const value = contrast(colours[ink], colours[ground]);
        assert.ok(value >= least, `${theme}: ${ink} on ${ground} has ${value.toFixed(2)}`);
      }
    }
  };

  test(`text, ${theme}`, () => {
    check(['ink', 'ink-soft', 'good', 'bad'], ['ground', 'panel', 'raised', 'selected', 'pressed'], 4.5);
    check(['on-accent'], ['accent'], 4.5);
  });

  test(`marks, ${theme}`, () => {
    check(['event-single', 'event-multiple', 'event-other', 'event-flag', 'accent'], ['panel', 'selected'], 3);
  });
}
