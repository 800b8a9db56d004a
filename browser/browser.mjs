// A browser that tells on the page: whatever it asks of the network, writes to the console or fails at is noted.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
export const AXE = require.resolve('axe-core/axe.min.js');
export const PROGRAM = required('WHEREFORE_PROGRAM');
export const WORKSPACE = required('WHEREFORE_WORKSPACE');
export const FOLDER = mkdtempSync(join(tmpdir(), 'wherefore-browser-'));

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run ./test`);
  return value;
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
}

// Writes the HTML report that the arguments ask for, and gives its path.
export function reportOf(name, ...words) {
  const path = join(FOLDER, `${name}.html`);
  try {
    execFileSync(PROGRAM, [...words, '-q', '-f', 'html', '-o', path], { cwd: WORKSPACE, stdio: 'pipe' });
  } catch (error) {
    // 1: violated.
    if (error.status !== 1) throw new Error(`${words.join(' ')}: ${error.status}: ${error.stderr}`);
  }
  return path;
}

// The text report of the same call, with its lines joined: a wrapped sentence is one.
export function textOf(...words) {
  const call = { cwd: WORKSPACE, stdio: 'pipe', encoding: 'utf8', env: { ...process.env, COLUMNS: '200' } };
  try {
    return execFileSync(PROGRAM, words, call);
  } catch (error) {
    if (error.status !== 1) throw new Error(`${words.join(' ')}: ${error.status}: ${error.stderr}`);
    return error.stdout;
  }
}

// Words without what only layout and typography add.
export function plain(text) {
  return text.replaceAll('`', '').replace(/\s+/g, ' ').trim();
}

export function file(name, text) {
  const path = join(FOLDER, name);
  writeFileSync(path, text);
  return path;
}

// Opens a page; `complaints` fills with all that should not happen.
export async function open(browser, path, options = {}) {
  // Without motion, so that no colour is looked at on its way to another.
  const context = await browser.newContext({ viewport: { width: 1400, height: 950 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  const complaints = [];
  const own = pathToFileURL(path).href;
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('popup', () => complaints.push('popup'));
  page.on('request', (request) => { if (request.url() !== own) complaints.push(`request: ${request.url()}`); });
  await page.goto(own);
  await page.waitForSelector('html[data-ready]', { timeout: 20000 });
  return { page, complaints, close: () => context.close() };
}

// Leaves whatever has the focus, so that keys are for the page.
export function leave(page) {
  return page.evaluate(() => document.activeElement?.blur());
}

// Serious findings of an accessibility check, in words.
export async function axe(page) {
  // The policy of the page forbids foreign scripts; the check is put in beside it, as an extension would be.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}
