// Reports of six examples, looked at as a reader would: causes, steps, tabs, graph, both themes, a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, file, launch, leave, open, reportOf } from './browser.mjs';

const METHODS = ['-m', 'neighbourhoods,anomalies,correct-transitions,variations'];
const LOST = `
mtype = { request };
chan link = [1] of { mtype };
bool done, lost;
active proctype Sender() {
    link ! request;
    do
    :: done -> break
    :: lost -> lost = true
    od
}
active proctype Medium() {
    mtype m;
    link ? m;
    if
    :: done = true
    :: lost = true
    fi
}
ltl delivered { <> done }
`;

const EXAMPLES = {
  deadlock: { words: () => ['examples/promela/philosophers.pml', ...METHODS], kind: 'deadlock', lanes: 5, blocked: 5 },
  assertion: { words: () => ['examples/promela/counter.pml', ...METHODS], kind: 'assertion', lanes: 4, messages: true, condition: ['count 3'] },
  lasso: { words: () => [file('lost.pml', LOST), '-p', 'delivered'], kind: 'ltl', lanes: 2, loop: true, formula: true },
  sequential: { words: () => ['examples/c/midpoint.c', ...METHODS], kind: 'assertion', lanes: 1, condition: [] },
  threads: { words: () => ['examples/c/missed_signal.c', ...METHODS], kind: 'deadlock', lanes: 2, blocked: 1 },
  lts: {
    words: () => ['examples/lts/web_shop.aut', '--property-file', 'examples/lts/web_shop.mcl', ...METHODS], kind: 'safety', lanes: 0, formula: true,
  },
};

const TABS = ['causes', 'trace', 'compare', 'graph', 'neighbourhoods', 'anomalies', 'correct_transitions', 'variations', 'diagnosis', 'about'];

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const [name, example] of Object.entries(EXAMPLES)) {
  test(`report of an example: ${name}`, async () => {
    const path = reportOf(name, ...example.words());
    const { page, complaints, close } = await open(browser, path);
    const data = JSON.parse(await page.textContent('#data'));
    const { report } = data;
    const length = report.counterexample.length;

    // The head and the causes say what the report says.
    const kinds = { ltl: 'LTL formula', safety: 'safety formula' };
    assert.match(await page.textContent('header'), new RegExp(`violated\\s*${kinds[example.kind] ?? example.kind} after ${length} step`));
    assert.equal(await page.locator('.cause').count(), Math.min(20, report.causes.length));
    assert.ok(report.causes.length > 0);
    const plain = (text) => text.replaceAll('`', '').replace(/\s+/g, ' ').trim();
    assert.ok(plain(await page.textContent('#cause-1 h3')).endsWith(plain(report.causes[0].summary)));
    const rechecks = { confirmed: /confirmed/, refuted: /refuted/, 'not-run': /not rechecked/ };
    assert.match(await page.textContent('#cause-1 .badges'), rechecks[report.causes[0].recheck.result]);
    assert.equal(await page.locator('.panel-causes table[class], .panel-causes .card').count() > 0, true);
    if (example.blocked) assert.match(await page.textContent('.panel-causes'), /Why nothing can move/);

    // What made a formula false is told, and which of its parts hold at a step.
    if (example.formula) {
      const { failing, parts, matched } = report.evaluation;
      const told = page.locator('.panel-causes .failing li');
      assert.deepEqual(await told.count(), failing.length);
      assert.ok(plain(await told.last().textContent()).includes(plain(failing.at(-1).words)));
      await told.last().locator('button').click();
      const { step } = failing.at(-1);
      assert.match(await page.textContent('.step-title'), step === 0 ? /Start of/ : new RegExp(`Step ${step} of`));
      const now = plain(await page.textContent('.step .property-now'));
      assert.match(now, matched ? /completes it/ : /fails here/);
      assert.ok(now.includes(plain(parts[failing.at(-1).part].text)), now);
      for (const part of parts) assert.equal(part.values.length, length + 1);
    } else {
      assert.equal(report.evaluation, undefined);
    }

    // Of an assertion, its parts and what they are worth.
    assert.equal(Boolean(report.counterexample.condition), Boolean(example.condition));
    if (example.condition) {
      const parts = await page.locator('.panel-causes .condition li').allTextContents();
      assert.equal(parts.length, report.counterexample.condition.length);
      assert.match(parts[0], /false$/);
      for (const words of example.condition) assert.ok(parts.some((part) => plain(part) === words), `${words} in ${parts}`);
    }

    // A cause leads to its step, keys lead on, and the variables follow.
    const first = report.causes.find((cause) => cause.steps.length);
    if (first) {
      await page.click(`#cause-${first.rank} [data-step="${first.steps[0]}"]`);
      assert.match(await page.textContent('.step-title'), new RegExp(`Step ${first.steps[0]} of`));
    }
    await page.keyboard.press('Home');
    assert.match(await page.textContent('.step-title'), /Start of/);
    for (let n = 1; n <= Math.min(length, 12); n += 1) {
      await page.keyboard.press('ArrowRight');
      const step = report.counterexample.steps[n - 1];
      assert.match(await page.textContent('.step-title'), new RegExp(`Step ${n} of`));
      assert.ok((await page.textContent('.step-body .deed')).includes(step.action.replaceAll('\n', '\u21b5')));
      for (const [variable, [, now]] of Object.entries(step.changes)) {
        const row = page.locator('.values tr', { has: page.locator('.changed code', { hasText: variable }) }).first();
        assert.ok((await row.textContent()).includes(now ?? '\u2014'), `${variable} after step ${n}`);
      }
      assert.equal(await page.locator('.values .changed').count(), Object.keys(step.changes).length);
      if (step.location) assert.equal(await page.locator('.source .line.here').count() > 0, true, `line of step ${n}`);
    }
    await page.click('[aria-label="Back"]');
    assert.match(await page.textContent('.step-title'), new RegExp(`Step ${Math.min(length, 12) - 1} of|Start of`));

    // The source is there, with its marks.
    if (report.input.kind === 'promela' || report.input.kind === 'c') {
      assert.ok(data.sources.some((source) => source.file === report.input.path));
      await page.keyboard.press('End');
      assert.ok(await page.locator('.source .line').count() > 5);
    } else {
      assert.match(await page.textContent('.source'), /has no source text/);
    }

    // Every tab shows evidence, or says why there is none.
    for (const tab of await page.locator('[role="tab"]').all()) {
      await tab.click();
      const panel = page.locator(`#${await tab.getAttribute('aria-controls')}`);
      await panel.waitFor({ state: 'visible' });
      assert.ok((await panel.textContent()).trim().length > 20, await tab.textContent());
    }
    for (const [key, found] of Object.entries(report.methods)) {
      if (found.skipped) assert.match(await page.textContent(`#panel-${key}`), /was skipped: /);
    }

    // The trace, in lanes.
    await page.click('#tab-trace');
    await leave(page);
    await page.keyboard.press('Home');
    const lanes = await page.locator('.layer .lane').count();
    assert.equal(lanes, Math.max(1, example.lanes));
    assert.ok(await page.locator('.layer .fate-shape').count() > 0);
    if (example.messages) {
      await page.click('[title="To the point of no return"]');
      await page.waitForFunction(() => document.querySelectorAll('.layer .message').length > 0);
    }
    if (example.loop) assert.ok(await page.locator('.layer .loop').count() > 0);
    await page.locator('.panel-trace [role="option"]').nth(1).click();
    assert.match(await page.textContent('.step-title'), /Step 1 of/);

    // The graph unfolds.
    await page.click('#tab-graph');
    await page.waitForFunction(() => document.querySelectorAll('.node').length > 0);
    const nodes = await page.locator('.node').count();
    assert.ok(nodes > 1);
    const folded = page.locator('.node', { has: page.locator('.more') });
    if (await folded.count() > 0) {
      await folded.first().locator('.touch').click({ force: true });
      await page.waitForFunction((before) => document.querySelectorAll('.node').length > before, nodes);
    }
    assert.match(await page.textContent('.graph-details'), /State /);

    // Search finds steps.
    await page.keyboard.press('/');
    await page.keyboard.type(report.counterexample.steps[0].event.slice(0, 12));
    await page.waitForSelector('#found li[id]');
    await page.keyboard.press('Escape');

    // Both themes and a phone, read by a machine that knows what people need.
    for (const theme of ['light', 'dark']) {
      await page.evaluate((wanted) => { document.documentElement.dataset.theme = wanted; }, theme);
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        for (const folded of await page.locator(`#panel-${tab} details:not([open]) > summary`).all()) {
          if (await folded.isVisible()) await folded.click();
        }
        assert.deepEqual(await axe(page), [], `${theme} ${tab}`);
      }
    }
    await page.click('[aria-label="Light or dark"]');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    assert.deepEqual(complaints, []);
    await close();

    const phone = await open(browser, path, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    for (const tab of TABS) {
      await phone.page.click(`#tab-${tab}`);
      const [wide, seen] = await phone.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(wide <= seen + 1, `${tab} is ${wide} wide on a phone`);
      for (const theme of ['light', 'dark']) {
        await phone.page.evaluate((wanted) => { document.documentElement.dataset.theme = wanted; }, theme);
        assert.deepEqual(await axe(phone.page), [], `phone ${theme} ${tab}`);
      }
    }
    assert.deepEqual(phone.complaints, []);
    await phone.close();
  });
}

// Nobody needs a mouse: everything that can be pressed can be reached and pressed with keys, and has a name.
test('with keys alone', async () => {
  const { page, complaints, close } = await open(browser, reportOf('keys', 'examples/lts/web_shop.aut', '--property-file', 'examples/lts/web_shop.mcl', ...METHODS));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  for (const [key, tab] of [['2', 'trace'], ['4', 'graph'], ['1', 'causes']]) {
    await leave(page);
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`);
    assert.equal(await page.locator(`#panel-${tab}`).isVisible(), true);
  }
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-trace');
  // Into the list of steps, and down it.
  await page.locator('.panel-trace .long-list').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.textContent('.step-title'), /Step 1 of/);
  assert.match(await page.textContent('#announcer'), /Step 1: /);
  // The graph is told in words below it, and its states are buttons.
  await page.click('#tab-graph');
  assert.match(await page.getAttribute('svg.graph', 'aria-label'), /states around the counterexample/);
  const before = await page.textContent('.graph-details h3');
  await page.locator('.graph-details .ways button.link').first().focus();
  await page.keyboard.press('Enter');
  assert.notEqual(await page.textContent('.graph-details h3'), before);
  assert.match(await page.getAttribute('svg.doom', 'aria-label'), /Chance to fail along the trace: .* at the start, certain after step 10/);
  // Whatever takes the focus says what it is.
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
    .filter((one) => !(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim())).map((one) => one.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  assert.deepEqual(complaints, []);
  await close();
});

test('what explains all failing runs', async () => {
  const path = reportOf('across', 'examples/diagnosis/sorter.c', '-m', 'diagnosis');
  const { page, complaints, close } = await open(browser, path);
  const { report } = JSON.parse(await page.textContent('#data'));
  const { across } = report.methods.diagnosis;
  await page.click('#tab-diagnosis');
  const told = page.locator('#panel-diagnosis .card', { has: page.locator('h3', { hasText: `Across ${across.runs.length} failing runs` }) });
  for (const statement of across.diagnoses[0].statements) assert.ok((await told.locator('li').first().textContent()).includes(statement.text));
  assert.deepEqual(await axe(page), []);
  // The assertion is told part by part.
  await page.click('#tab-causes');
  const parts = await page.locator('.condition li').allTextContents();
  assert.match(parts.join('\n'), /^a <= b && b <= c && c <= d false\n/);
  assert.ok(parts.some((part) => / not asked$/.test(part)), parts.join());
  assert.deepEqual(complaints, []);
  await close();
});

test('a property that holds has a page as well', async () => {
  const path = reportOf('holds', 'examples/promela/peterson.pml', '--max-states', '2000000');
  const { page, complaints, close } = await open(browser, path);
  assert.match(await page.textContent('header'), /holds/);
  assert.match(await page.textContent('#panel-causes'), /There is nothing to explain/);
  for (const tab of await page.locator('[role="tab"]').all()) {
    await tab.click();
    const panel = page.locator(`#${await tab.getAttribute('aria-controls')}`);
    assert.ok((await panel.textContent()).trim().length > 20, await tab.textContent());
  }
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(complaints, []);
  await close();
});
