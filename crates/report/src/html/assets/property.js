// The property along the trace: which of its parts hold at a step, and what made it false.

const EVALUATION = REPORT.evaluation || null;
let isPropertyUnfolded = true;

// The failing parts, by the step at which they fail.
const FAILING = new Map();
for (const one of EVALUATION ? EVALUATION.failing : []) {
  for (const n of new Set([one.step, one.last])) FAILING.set(n, [...(FAILING.get(n) || []), one.part]);
}

function propertyCard() {
  if (!EVALUATION || EVALUATION.failing.length === 0) return null;
  return card('How the property became false', make('ol', { class: 'failing' }, EVALUATION.failing.map((one) => make('li', {}, linked(one)))));
}

// The sentence, in which the step leads to itself.
function linked({ step, words }) {
  const [name, link] = step === 0
    ? ['the start', button('the start', () => go(0, 'link'), { class: 'link', 'data-step': 0 })] : [`step ${step}`, stepLink(step)];
  const at = words.indexOf(name);
  return at < 0 ? [prose(words), ' ', link] : [prose(words.slice(0, at)), link, prose(words.slice(at + name.length))];
}

// What of the property is true after a step; of a forbidden sequence, what the step counts as.
function propertyAt(n) {
  if (!EVALUATION) return null;
  const failing = FAILING.get(n) || [];
  const value = { T: ['good', 'true'], F: ['danger', 'false'], '-': ['muted', 'open', 'what comes later decides'] };
  if (EVALUATION.matched) {
    if (n === 0) return null;
    const part = EVALUATION.parts[EVALUATION.matched[n - 1]];
    const isLast = n === EVALUATION.matched.length;
    return make('p', { class: 'property-now' }, 'of the forbidden sequence: ', code(part.text),
      failing.length ? badge('danger', isLast ? 'completes it' : 'part of it') : null);
  }
  // Inside of an atomic sequence the formula is not evaluated; what it was before the sequence is still known.
  const seen = lastSeen(n);
  const depth = (part) => (part.parent === null ? 0 : 1 + depth(EVALUATION.parts[part.parent]));
  const rows = EVALUATION.parts.map((part, at) => ({ part, at })).reverse();
  return make('details', {
    class: 'property-now', open: isPropertyUnfolded, on: { toggle: (event) => { isPropertyUnfolded = event.target.open; } },
  }, make('summary', {}, 'Property'),
    seen === n ? null : make('p', { class: 'dim' }, `Step ${n} is inside of an atomic sequence, where the formula is not evaluated. These are its values `,
      seen === 0 ? 'at the start.' : `after step ${seen}.`),
    make('ul', {}, rows.map(({ part, at }) => make('li', { class: `depth-${Math.min(8, depth(part))}` },
      badge(...value[part.values[seen]]), ' ', code(part.text), failing.includes(at) ? [' ', badge('danger', 'fails here')] : null))));
}

// The last step up to `n` after which the formula is evaluated. Then all parts without operators have a value.
function lastSeen(n) {
  let seen = n;
  while (seen > 0 && EVALUATION.parts.every((part) => part.values[seen] === '-')) seen -= 1;
  return seen;
}

// The condition of a failed assertion, part by part.
function conditionView() {
  const parts = TRACE.condition || [];
  if (parts.length < 2) return null;
  const depth = (part) => (part.parent === null ? 0 : 1 + depth(parts[part.parent]));
  const worth = (value) => (value === true ? badge('good', 'true') : value === false ? badge('danger', 'false')
    : value === null ? badge('muted', 'not asked', 'what stands before it has decided already') : badge('modified', value));
  return make('ul', { class: 'condition', 'aria-label': 'The condition and its parts' },
    [...parts].reverse().map((part) => make('li', { class: `depth-${Math.min(8, depth(part))}` }, code(part.text), ' ', worth(part.value))));
}
