// Pictures of the gallery for the README: `node pictures.mjs GALLERY FOLDER`, beside an installed playwright-core.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const [gallery, folder] = process.argv.slice(2).map((path) => resolve(path));
if (!folder) throw new Error('node pictures.mjs GALLERY FOLDER');
mkdirSync(folder, { recursive: true });

const WIDE = { width: 1200, height: 680 };
const PICTURES = [
  { name: 'story', report: 'threads', size: { width: 1060, height: 740 } },
  { name: 'trace', report: 'assertion', tab: 'trace', step: 24, size: { width: 1140, height: 640 }, unfolded: true },
  { name: 'graph', report: 'transitions', tab: 'graph', step: 10, size: WIDE, theme: 'dark' },
  { name: 'phone', report: 'deadlock', size: { width: 390, height: 780 } },
  { name: 'gallery', report: 'index', size: WIDE },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const { name, report, tab, step, size, theme, unfolded } of PICTURES) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme ?? 'light', deviceScaleFactor: 1 });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(gallery, `${report}.html`)).href);
  if (report !== 'index') await page.waitForSelector('html[data-ready]', { timeout: 20000 });
  if (tab) await page.click(`#tab-${tab}`);
  if (unfolded) await page.click('.panel-head input[type=checkbox]');
  if (step) {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('Home');
    for (let at = 0; at < step; at += 1) await page.keyboard.press('ArrowRight');
  }
  // Things that move come to rest.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}
await browser.close();
