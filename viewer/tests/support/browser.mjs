// A real browser, and pages in it that are watched for what must never happen: errors, and requests to a network.

import { chromium } from 'playwright-core';
import { pathToFileURL } from 'node:url';

const program = process.env.CAROM_BROWSER ?? '/usr/bin/chromium';

export function openBrowser() {
  return chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/**
 * Opens a file or an address. The page gets `complaints`: uncaught errors, errors on the console, and requests that
 * leave the file or the address.
 */
export async function openPage(browser, target, { size = { width: 1280, height: 720 }, theme = 'light', phone } = {}) {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : size,
    colorScheme: theme,
    hasTouch: Boolean(phone),
    isMobile: Boolean(phone),
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const url = target.startsWith('http') ? target : pathToFileURL(target).href;
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') page.complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const asked = request.url();
    const own = asked.startsWith('data:') || asked.startsWith('blob:') || asked.startsWith(url.replace(/[#?].*$/, ''));
    if (!own) page.complaints.push(`request: ${asked}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.carom !== undefined);
  await page.evaluate(() => window.carom.ready);
  return page;
}

/** Closes the page with all that belongs to it. */
export const closePage = (page) => page.context().close();
