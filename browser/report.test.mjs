// Reports of six examples, looked at as a reader would: story, steps, tabs, graph, both themes, a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, file, launch, leave, open, plain, reportOf, textOf } from './browser.mjs';

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
  deadlock: { words: () => ['examples/promela/philosophers.pml', ...METHODS], kind: 'deadlock', lanes: 5, named: 5, blocked: 5 },
  assertion: { words: () => ['examples/promela/counter.pml', ...METHODS], kind: 'assertion', lanes: 4, named: 4, messages: true, condition: ['count 3'] },
  lasso: { words: () => [file('lost.pml', LOST), '-p', 'delivered'], kind: 'ltl', lanes: 2, named: 2, loop: true, formula: true },
  sequential: { words: () => ['examples/c/midpoint.c', ...METHODS], kind: 'assertion', lanes: 1, condition: [] },
  threads: { words: () => ['examples/c/missed_signal.c', ...METHODS], kind: 'deadlock', lanes: 2, named: 2, blocked: 1 },
  lts: {
    words: () => ['examples/lts/web_shop.aut', '--property-file', 'examples/lts/web_shop.mcl', ...METHODS], kind: 'safety', lanes: 0, formula: true,
  },
};

const TABS = ['story', 'trace', 'compare', 'graph', 'evidence', 'about'];

// Names of fields, which nobody reads, and signs that are empty boxes in some fonts.
const NO_WORDS = /\b(?:cause|only|all|trans)_(?:neg|pos)\b|\bGRB?\b|[\u23e9-\u23fa\u25a0\u25b6\u25c0\u25d0\u2714\u2716\u2718]|undefined|\[object/;

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

    // The head and the story say what the text says, in the same words, and the story is on the first screen.
    const text = textOf(...example.words());
    const words = plain(text);
    assert.match(await page.textContent('header'), /violated/);
    assert.ok(words.startsWith(`violated: ${plain(await page.textContent('.verdict-line span:last-child'))}`), words);
    const lead = page.locator('.panel-story .lead');
    const summary = plain(report.causes.find((cause) => cause.rank === data.story.causes[0].rank).summary);
    assert.ok(words.includes(`cause: ${summary}`), words);
    assert.ok(plain(await lead.locator('.lead-words').textContent()).toLowerCase().startsWith(summary.toLowerCase()));
    assert.equal(data.story.causes[0].confirmed !== null, await lead.locator('.confirmed').count() === 1);
    assert.equal(Boolean(example.blocked), /Why no process can move/.test(await lead.textContent()));
    assert.equal(await lead.locator('.stuck .run').count(), example.blocked ?? 0);
    const counted = text.match(/how it came about (\(.*\))/)[1];
    assert.equal(await page.textContent('.panel-story .counted'), counted);
    const rows = text.slice(text.indexOf('how it came about')).split('\n\n')[0].split('\n').map((line) => line.match(/^ {1,5}(\d+)  /)).filter(Boolean);
    const told = await page.locator('.tale-row').evaluateAll((all) => all.map((row) => row.dataset.step));
    assert.deepEqual(told, rows.map((row) => row[1]));
    assert.ok(told.length <= 10);
    assert.ok((await page.locator('.tale-row').first().boundingBox()).y < 900, 'the story begins on the first screen');
    assert.equal(await page.locator('.tale-names .lane-name').count(), example.named ?? 0);
    assert.equal(await page.locator('.tale-layer .fate-shape').count(), told.length);
    if (example.messages) assert.ok(await page.locator('.tale-layer .message').count() > 0);
    const repair = text.match(/^try \((.*)\)$/m);
    assert.equal(Boolean(repair), data.story.repair !== null);
    if (repair) assert.ok(plain(await page.textContent('.panel-story')).toLowerCase().includes(plain(repair[1]).toLowerCase()));
    for (const n of told) {
      await page.click(`.tale-row[data-step="${n}"]`);
      assert.match(await page.textContent('.step-title'), new RegExp(`^Step ${n} of`));
      assert.equal(await page.getAttribute(`.tale-row[data-step="${n}"]`, 'aria-current'), 'step');
    }
    // A word of the glossary leads to its entry.
    const term = page.locator('.panel-story .term').first();
    const meaning = await term.getAttribute('title');
    await term.click();
    assert.equal(await page.locator('#panel-about').isVisible(), true);
    assert.equal(await page.evaluate(() => document.activeElement.nextElementSibling.textContent), meaning.replaceAll('`', ''));

    // The evidence: all causes, and what each method found under the headline of the text.
    await page.click('#tab-evidence');
    assert.equal(await page.locator('.cause').count(), Math.min(6, report.causes.length));
    assert.ok(report.causes.length > 0);
    assert.ok(plain(await page.textContent('#cause-1 h3')).endsWith(plain(report.causes[0].summary)));
    const rechecks = { confirmed: /confirmed/, refuted: /refuted/, 'not-run': /not rechecked/ };
    assert.match(await page.textContent('#cause-1 .badges'), rechecks[report.causes[0].recheck.result]);
    const full = plain(textOf(...example.words(), '-v'));
    for (const { title, text: headline } of data.headlines) assert.ok(full.includes(plain(`${title}: ${headline}`)), `${title}: ${headline}`);
    const matter = full.match(/of which ([\d,]+) matters?/);
    await page.click('#tab-trace');
    const trace = await page.textContent('.panel-trace .counted');
    assert.equal(trace.match(/of which ([\d,]+) matters?/)?.[1], matter?.[1], trace);
    await page.click('#tab-story');

    // What made a formula false is told, and which of its parts hold at a step.
    if (example.formula) {
      const { failing, parts, matched } = report.evaluation;
      const failed = page.locator('.panel-story .failing li');
      assert.deepEqual(await failed.count(), failing.length);
      assert.ok(plain(await failed.last().textContent()).includes(plain(failing.at(-1).words)));
      await failed.last().locator('button').click();
      const { step } = failing.at(-1);
      assert.match(await page.textContent('.step-title'), step === 0 ? /Start of/ : new RegExp(`Step ${step} of`));
      const now = plain(await page.textContent('.step .property-now'));
      assert.match(now, matched ? /completes it/ : /fails here/);
      assert.ok(now.includes(plain(parts[failing.at(-1).part].text)), now);
      for (const part of parts) assert.equal(part.values.length, length + 1);
      // What the text knows, the page knows.
      for (const one of matched ? [] : failing) assert.equal(parts[one.part].values[one.step], one.holds ? 'T' : 'F');
    } else {
      assert.equal(report.evaluation, undefined);
    }

    // Of an assertion, its parts and what they are worth.
    assert.equal(Boolean(report.counterexample.condition), Boolean(example.condition));
    if (example.condition) {
      const parts = await page.locator('.panel-story .condition li').allTextContents();
      assert.equal(parts.length, report.counterexample.condition.length);
      assert.match(parts[0], /false$/);
      for (const words of example.condition) assert.ok(parts.some((part) => plain(part) === words), `${words} in ${parts}`);
    }

    // A cause leads to its step, keys lead on, and the variables follow.
    const first = report.causes.find((cause) => cause.steps.length);
    if (first && first.rank <= 6) {
      await page.click('#tab-evidence');
      await page.click(`#cause-${first.rank} [data-step="${first.steps[0]}"]`);
      assert.match(await page.textContent('.step-title'), new RegExp(`Step ${first.steps[0]} of`));
    }
    await leave(page);
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
      assert.doesNotMatch(await page.innerText('body'), NO_WORDS);
    }
    for (const [key, found] of Object.entries(report.methods)) {
      const section = page.locator(`#evidence-${key}`);
      if (found.skipped) assert.match(await section.textContent(), /was skipped: /);
      else if (await section.count()) assert.ok((await section.locator('.headline').count()) > 0, key);
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
    // Every step that leaves the trace says what it does.
    const beside = await page.locator('.edge:not(.on-trace)').count();
    assert.ok(beside === 0 || await page.locator('.edge-text.side').count() >= beside, `${beside} steps beside the trace`);
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
      assert.ok(wide <= seen, `${tab} is ${wide} wide on a phone`);
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
  for (const [key, tab] of [['2', 'trace'], ['4', 'graph'], ['1', 'story']]) {
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
  await page.click('#tab-evidence');
  const told = page.locator('#evidence-diagnosis .card', { has: page.locator('h3', { hasText: `Across ${across.runs.length} failing runs` }) });
  for (const statement of across.diagnoses[0].statements) assert.ok((await told.locator('li').first().textContent()).includes(statement.text));
  assert.deepEqual(await axe(page), []);
  // The assertion is told part by part.
  await page.click('#tab-story');
  const parts = await page.locator('.condition li').allTextContents();
  assert.match(parts.join('\n'), /^a <= b && b <= c && c <= d false\n/);
  assert.ok(parts.some((part) => / not asked$/.test(part)), parts.join());
  assert.deepEqual(complaints, []);
  await close();
});

// Inside of an atomic sequence nobody evaluates the formula; the page says what it was before.
test('a formula has values at every step', async () => {
  const model = file('waiting.pml', `
byte readers;
bool wanted, lock;
active proctype Reader() {
  do
  :: atomic { !lock -> lock = true; readers++ }; lock = false;
     atomic { !lock -> lock = true; readers-- }; lock = false
  od
}
active proctype Writer() { wanted = true; atomic { readers == 0 && !lock && false -> wanted = false } }
ltl served { [] (wanted -> <> !wanted) }
`);
  const { page, complaints, close } = await open(browser, reportOf('waiting', model, '-p', 'served'));
  const { report } = JSON.parse(await page.textContent('#data'));
  const { parts, failing } = report.evaluation;
  await leave(page);
  await page.keyboard.press('Home');
  let [inside, seen] = [0, 0];
  for (let n = 0; n <= report.counterexample.length; n += 1) {
    const told = await page.textContent('.property-now');
    const isInside = parts.every((part) => part.values[n] === '-');
    if (!isInside) seen = n;
    inside += isInside;
    assert.equal(/inside of an atomic sequence/.test(told), isInside, `step ${n}: ${told}`);
    const values = { T: 'true', F: 'false', '-': 'open' };
    const rows = (await page.locator('.property-now li').allTextContents()).map(plain).reverse();
    parts.forEach((part, at) => assert.ok(rows[at].startsWith(`${values[part.values[seen]]} ${plain(part.text)}`), `step ${n}: ${rows[at]}`));
    await page.keyboard.press('ArrowRight');
  }
  assert.ok(inside > 0 && failing.length > 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('a property that holds has a page as well', async () => {
  const path = reportOf('holds', 'examples/promela/peterson.pml', '--max-states', '2000000');
  const { page, complaints, close } = await open(browser, path);
  assert.match(await page.textContent('header'), /holds/);
  assert.match(await page.textContent('#panel-story'), /There is nothing to explain/);
  for (const tab of await page.locator('[role="tab"]').all()) {
    await tab.click();
    const panel = page.locator(`#${await tab.getAttribute('aria-controls')}`);
    assert.ok((await panel.textContent()).trim().length > 20, await tab.textContent());
  }
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(complaints, []);
  await close();
});
