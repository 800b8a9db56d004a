// A model whose names, strings, comments and labels are full of markup, script, quotes, control characters and marks
// that turn text around: the page shows them as text, and nothing happens.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { axe, file, FOLDER, launch, leave, open, reportOf } from './browser.mjs';

const EVIL = [
  '</script><script>globalThis.pwned = 1; alert(1)</script>',
  '<img src=x onerror=globalThis.pwned=2>',
  '<svg onload=globalThis.pwned=3><a href=javascript:alert(4)>x</a></svg>',
  '<!--<script>globalThis.pwned = 5</script>-->',
  "' onclick='globalThis.pwned=6' x='",
  '{{constructor.constructor(`globalThis.pwned=7`)()}}${globalThis.pwned=8}',
  '<style>body{display:none}</style><base href=http://example.invalid/>',
  '<iframe src=http://example.invalid/></iframe><link rel=stylesheet href=http://example.invalid/a.css>',
  '\u202eright to left\u2066\u2028\u2029 \u200b\ufeff',
  '`unclosed', '__proto__', 'constructor', 'toString', '&lt;b&gt;&#x3c;script&#x3e;',
];

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function inert(path, expected) {
  const { page, complaints, close } = await open(browser, path);
  for (const tab of await page.locator('[role="tab"]').all()) {
    await tab.click();
    await page.waitForTimeout(50);
  }
  await page.click('#tab-trace');
  await leave(page);
  for (let at = 0; at < expected.length + 2; at += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Home');
  const seen = [];
  for (let at = 0; at < expected.length; at += 1) {
    await page.keyboard.press('ArrowRight');
    seen.push(await page.textContent('.step-body .deed code'));
  }
  await page.fill('#search', 'script');
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  assert.equal(await page.locator('img, iframe, base, link, object, embed, a[href^="javascript"]').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  assert.equal(await page.locator('style').count(), 1);
  // Nothing has an attribute that runs something.
  const handlers = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].filter((one) => one.name.startsWith('on')).map((one) => one.name)));
  assert.deepEqual(handlers, []);
  // No text holds a character that is invisible or turns the rest.
  const unseen = await page.evaluate(() => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/.test(document.body.innerText));
  assert.equal(unseen, false);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(complaints, []);
  await close();
  return seen;
}

test('a hostile transition system', async () => {
  const quoted = EVIL.map((text) => text.replaceAll('"', '').replaceAll('\n', ' '));
  const edges = quoted.map((text, at) => `(${at},"${text}",${at + 1})`);
  // Beside every step another one, so that there are escapes, neighbourhoods and states around with such labels.
  const others = quoted.map((text, at) => `(${at},"${text} \u202e<i>",${quoted.length + 1})`);
  const loop = `(${quoted.length + 1},"</textarea><b>",${quoted.length + 1})`;
  const text = `des (0,${edges.length + others.length + 1},${quoted.length + 2})\n${[...edges, ...others, loop].join('\n')}\n`;
  const seen = await inert(reportOf('hostile-lts', file('<b onclick=alert(1)>hostile & \'co\'.aut', text),
    '-m', 'neighbourhoods,anomalies,correct-transitions,variations'), quoted);
  const visible = (one) => one.replace(/[\u200b\u2028\u2029\u202e\u2066\ufeff]/g, (letter) => `\u27e8U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`);
  assert.deepEqual(seen, quoted.map(visible));
});

test('a hostile model', async () => {
  mkdirSync(join(FOLDER, 'hostile'), { recursive: true });
  const comments = EVIL.map((text) => `/* ${text.replaceAll('*/', '')} */`).join('\n');
  const model = `${comments}
mtype = { constructor, toString, __proto__ };
chan valueOf = [1] of { mtype };
int hasOwnProperty;
active proctype __defineGetter__() {
    valueOf ! constructor; /* </script><script>globalThis.pwned = 9</script> */
    printf("<script>globalThis.pwned = 10</script>\\n");
    hasOwnProperty = 1;
    assert(hasOwnProperty != 1) /* <img src=x onerror=globalThis.pwned=11> \u202e */
}
active proctype prototype() {
    mtype watch;
    valueOf ? watch
}
`;
  await inert(reportOf('hostile-model', file('hostile/\u202emodel<script>.pml', model), '-m', 'neighbourhoods,anomalies,correct-transitions,variations'), []);
});
