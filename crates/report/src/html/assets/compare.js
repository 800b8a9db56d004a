// The counterexample beside a passing trace: what both do stands in one row, what only one does has a gap on the
// other side. Rows are aligned by a longest common subsequence of events (Wagner and Fischer 1974), between the
// beginning and the end that both share.

// How many pairs of events are compared at most; beyond, what lies between is shown one after the other.
const MOST_PAIRS = 4000000;

function passingTraces() {
  const found = [];
  const own = STEPS.map((step) => step.event);
  const add = (title, left, right, note) => found.push({ title, left, right, note, isOwn: left === own });
  const variations = REPORT.methods.variations;
  if (variations && !variations.skipped) {
    const nearest = variations.nearest_passing;
    const endings = { ends: 'it ends properly', safe: 'after its last step it cannot fail any more', 'goes-on': 'after its last step it can run forever' };
    const candidates = (variations.traces || []).filter((trace) => trace.kind === 'positive')
      .map((trace) => ({ title: 'passing trace', events: trace.events, note: 'found near the counterexample' }));
    if (nearest) {
      candidates.unshift({
        title: 'passing trace that differs last', note: endings[nearest.ending],
        events: [...own.slice(0, nearest.common), ...nearest.steps.map((event) => event.event)],
      });
    }
    for (const one of candidates) one.shared = commonStart(own, one.events) + commonEnd(own, one.events);
    candidates.sort((one, other) => other.shared - one.shared || one.events.length - other.events.length);
    candidates.slice(0, 10).forEach(({ title, events, note }, at) => add(at === 0 ? 'nearest passing trace' : `${title} (${at + 1})`, own, events, note));
  }
  const correct = REPORT.methods.correct_transitions;
  if (correct && !correct.skipped) {
    correct.traces.forEach((trace, at) => {
      if (trace.correct_trace.length === 0) return;
      add(`correct trace beside error trace ${at + 1}`, trace.steps.map((event) => event.event),
        trace.correct_trace.map((event) => event.event), `for ${trace.query.check}`);
    });
  }
  return found;
}

// How many events at the end are the same, beside those at the beginning.
function commonEnd(one, other) {
  const most = Math.min(one.length, other.length) - commonStart(one, other);
  let end = 0;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return end;
}

function aligned(left, right) {
  const start = commonStart(left, right);
  const end = commonEnd(left, right);
  const rows = [];
  for (let at = 0; at < start; at += 1) rows.push([at, at]);
  const [n, m] = [left.length - start - end, right.length - start - end];
  if (n * m <= MOST_PAIRS) {
    const width = m + 1;
    const longest = new Uint16Array((n + 1) * width);
    for (let one = n - 1; one >= 0; one -= 1) {
      for (let other = m - 1; other >= 0; other -= 1) {
        longest[one * width + other] = left[start + one] === right[start + other]
          ? longest[(one + 1) * width + other + 1] + 1
          : Math.max(longest[(one + 1) * width + other], longest[one * width + other + 1]);
      }
    }
    let [one, other] = [0, 0];
    while (one < n || other < m) {
      if (one < n && other < m && left[start + one] === right[start + other]) rows.push([start + one++, start + other++]);
      else if (other >= m || (one < n && longest[(one + 1) * width + other] >= longest[one * width + other + 1])) rows.push([start + one++, null]);
      else rows.push([null, start + other++]);
    }
  } else {
    for (let at = 0; at < n; at += 1) rows.push([start + at, null]);
    for (let at = 0; at < m; at += 1) rows.push([null, start + at]);
  }
  for (let at = end; at > 0; at -= 1) rows.push([left.length - at, right.length - at]);
  return besideEachOther(rows);
}

// What only one trace does stands beside what only the other does in its place. A row says whether both do the same.
function besideEachOther(rows) {
  const told = [];
  let [ours, theirs] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) told.push([ours[at] ?? null, theirs[at] ?? null, false]);
    [ours, theirs] = [[], []];
  };
  for (const [one, other] of rows) {
    if (one !== null && other !== null) {
      flush();
      told.push([one, other, true]);
    } else if (one !== null) ours.push(one);
    else theirs.push(other);
  }
  flush();
  return told;
}

// An event as it is shown in a row: without a process where there is only one, and of a long one that begins like what
// stands beside it, from where both differ.
function unlike(text, beside) {
  const bare = LANES.length === 1 && text.startsWith(`${LANES[0]} `) ? text.slice(LANES[0].length + 1) : text;
  const cut = commonStart(text, beside) - 12;
  return text.length > 36 && cut > 12 ? `${bare.slice(0, 10)}\u2026${text.slice(cut)}` : bare;
}

function comparePanel() {
  const traces = passingTraces();
  if (traces.length === 0) return [empty(noPassingWords())];
  let [shownTrace, rows] = [null, []];
  // On a phone a step has two lines.
  const height = matchMedia('(max-width: 600px)').matches ? 44 : ROW;
  const list = new LongList({
    label: 'Failing and passing trace', height, role: 'list',
    row: (at) => {
      const [left, right, isSame] = rows[at];
      const other = (trace, place) => (isSame || place === null ? '' : trace[place]);
      const side = (trace, place, kind, beside) => make('span', { class: `side ${place === null ? 'none' : kind}`, title: place === null ? null : trace[place] },
        place === null ? make('span', { class: 'hidden-visually' }, 'nothing') : [make('span', { class: 'n' }, place + 1), code(unlike(trace[place], beside))]);
      const kind = isSame ? 'both' : 'differs';
      const isHere = shownTrace.isOwn && left !== null && left + 1 === NOW.step;
      return make('div', { class: `row pair ${kind}${isHere ? ' here' : ''}`, on: { click: () => shownTrace.isOwn && left !== null && go(left + 1, 'compare') } },
        side(shownTrace.left, left, 'failing', other(shownTrace.right, right)), side(shownTrace.right, right, 'passing', other(shownTrace.left, left)));
    },
  });
  onStep(() => list.refresh(true));
  list.view.classList.add('chart');
  const words = make('p', { class: 'dim' });
  const part = button('to the first difference', () => { list.view.scrollTop = Math.max(0, (rows.findIndex(([,, isSame]) => !isSame) - 2) * height); });
  const open = (at) => {
    shownTrace = traces[at];
    rows = aligned(shownTrace.left, shownTrace.right);
    const same = rows.filter(([,, isSame]) => isSame).length;
    replaceChildren(words, `${countOf(same, 'step')} the same, ${grouped(shownTrace.left.length - same)} only in the failing trace, `,
      `${grouped(shownTrace.right.length - same)} only in the passing one; ${shownTrace.note}.`);
    list.show(rows.length);
    const first = rows.findIndex(([,, isSame]) => !isSame);
    list.view.scrollTop = Math.max(0, (first - 3) * height);
    list.refresh();
  };
  const choice = make('select', { 'aria-label': 'Passing trace', on: { change: () => open(choice.selectedIndex) } },
    traces.map((trace) => make('option', {}, trace.title)));
  return {
    content: [
      make('div', { class: 'panel-head' }, choice, part),
      words,
      make('div', { class: 'row pair head', 'aria-hidden': 'true' }, make('span', { class: 'side' }, 'this trace fails'), make('span', { class: 'side' }, 'this one passes')),
      list.view,
    ],
    firstShown: () => open(0),
  };
}

function noPassingWords() {
  if (!TRACE) return 'There is no counterexample to put beside a passing trace.';
  const why = [['variations', '-m variations'], ['correct_transitions', '-m correct-transitions']].map(([key, option]) => {
    const found = REPORT.methods[key];
    if (!found) return `it was not looked for (${option})`;
    return found.skipped ? `${methodName(key)}: ${found.skipped} (${option})` : `${methodName(key)} found none`;
  });
  return `No passing trace is at hand: ${why.join('; ')}.`;
}
