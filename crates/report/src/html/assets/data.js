// What the page knows: the report, and what can be looked up in it quickly.

const DATA = JSON.parse(document.getElementById('data').textContent);
const REPORT = DATA.report;
const TRACE = REPORT.counterexample;
const STEPS = TRACE ? TRACE.steps : [];
const STORY = DATA.story;
const METHODS = [
  ['neighbourhoods', 'Neighbourhoods'],
  ['anomalies', 'Anomalies'],
  ['correct_transitions', 'Correct transitions'],
  ['variations', 'Variations'],
  ['diagnosis', 'Diagnosis'],
];
// What speaks for a cause besides the methods.
const OTHER_EVIDENCE = { repair: 'Repairs', repairs: 'Repairs', patterns: 'Patterns' };
const FATES = {
  safe: 'safe: it can no longer fail',
  free: 'free: it can still fail and still pass',
  doomed: 'doomed: every continuation fails',
  elsewhere: 'elsewhere: every continuation fails, but with another violation',
  unknown: 'unknown: not explored far enough to tell',
};

// What was violated, as people call it.
function kindName(kind) {
  const names = { ltl: 'LTL formula', safety: REPORT.input.kind === 'system' ? 'violation' : 'safety formula', acceptance: 'acceptance cycle', 'non-progress': 'non-progress cycle' };
  return Object.hasOwn(names, kind) ? names[kind] : kind;
}

function actor(deed) {
  if (!deed || !deed.process) return '';
  return deed.pid === null || deed.pid === undefined ? deed.process : `${deed.process}:${deed.pid}`;
}

// What a process is called in this report; nothing where there is only one.
const NAMES = new Map(STORY.processes.map((one) => [actor(one), one.name]));

function who(deed) {
  const key = actor(deed);
  return NAMES.get(key) ?? key;
}

function laneName(key) {
  return NAMES.get(key) || key;
}

// Who acts, in the order of their numbers; nobody where steps name no processes.
const LANES = (() => {
  const found = new Map();
  for (const step of STEPS) {
    for (const deed of [step, step.partner]) {
      if (deed && deed.process) found.set(actor(deed), deed.pid ?? 0);
    }
  }
  for (const blocked of TRACE ? TRACE.blocked : []) {
    if (blocked.process) found.set(actor(blocked), blocked.pid ?? 0);
  }
  return [...found].sort((one, other) => one[1] - other[1]).map(([name]) => name);
})();
const LANE_OF = new Map(LANES.map((name, at) => [name, at]));

// Whether the causes are about a step. Where they tell no steps apart, all matter.
const MATTER = STORY.matter ? new Set(STORY.matter) : null;
const TOLD = new Set(STORY.steps.map((told) => told.n));

function matters(step) {
  return !MATTER || MATTER.has(step.n);
}

// For each variable the steps after which it has a new value; 0 is the start.
const TIMELINE = (() => {
  const lines = new Map();
  const line = (name) => {
    if (!lines.has(name)) lines.set(name, { at: [], values: [] });
    return lines.get(name);
  };
  for (const [name, value] of Object.entries(TRACE ? TRACE.initial : {})) {
    const known = line(name);
    known.at.push(0);
    known.values.push(value);
  }
  for (const step of STEPS) {
    for (const [name, [old, now]] of Object.entries(step.changes)) {
      const known = line(name);
      if (known.at.length === 0 && old !== null) {
        known.at.push(0);
        known.values.push(old);
      }
      known.at.push(step.n);
      known.values.push(now);
    }
  }
  return lines;
})();

// The place in a sorted list of the last entry that is not above a number; -1 if all are.
function lastAt(list, number) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The value after so many steps; null where there is none.
function valueAt(name, step) {
  const line = TIMELINE.get(name);
  const at = line ? lastAt(line.at, step) : -1;
  return at < 0 ? null : line.values[at];
}

// The last step up to `step` that changed a variable; 0 for the start.
function changedAt(name, step) {
  const line = TIMELINE.get(name);
  const at = line ? lastAt(line.at, step) : -1;
  return at < 0 ? 0 : line.at[at];
}

// The steps that stand in a line of a file, ascending.
const STEPS_AT = (() => {
  const found = new Map();
  const note = (location, n) => {
    if (!location) return;
    for (const place of [location, ...(location.calls || [])]) {
      const key = `${place.line} ${place.file}`;
      const list = found.get(key);
      if (!list) found.set(key, [n]);
      else if (list[list.length - 1] !== n) list.push(n);
    }
  };
  for (const step of STEPS) {
    note(step.location, step.n);
    if (step.partner) note(step.partner.location, step.n);
  }
  return found;
})();

function stepsAt(file, line) {
  return STEPS_AT.get(`${line} ${file}`) || [];
}

// A place as it is told: the line where the file is the one that was asked about.
function placeName(location) {
  if (!location) return '';
  return location.file === REPORT.input.path ? `line ${location.line}` : `${location.file}:${location.line}`;
}

// Where to look first for something that is called or expanded in several places: the outermost call.
function outermost(location) {
  return location && location.calls && location.calls.length ? location.calls[location.calls.length - 1] : location;
}

// The step that is looked at, and who wants to know when it changes. Step 0 is the start.
const NOW = { step: 0, listeners: [] };

function go(step, why) {
  const target = Math.max(0, Math.min(STEPS.length, step));
  NOW.step = target;
  for (const listener of NOW.listeners) listener(target, why);
}

function onStep(listener) {
  NOW.listeners.push(listener);
}

function stepLink(n) {
  return button(`step ${n}`, () => go(n, 'link'), { class: 'link', 'data-step': n });
}

function placeLink(location) {
  if (!location) return null;
  return button(placeName(location), () => showSource(location), {
    class: 'link place',
    title: `${location.file}, line ${location.line}, column ${location.column}: ${location.text}`,
  });
}

// An event as a line: who, what, where.
function eventLine(event) {
  return make('span', { class: 'event' },
    event.process && who(event) ? [make('span', { class: 'who' }, who(event)), ' '] : null,
    code(event.action), ' ',
    event.partner ? ['\u2192 ', make('span', { class: 'who' }, who(event.partner)), ' ', code(event.partner.action), ' '] : null,
    placeLink(outermost(event.location)));
}
