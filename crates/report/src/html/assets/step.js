// The step that is looked at: who does what, what it does to the variables, and what could have been done instead.

function stepPanel() {
  const title = make('h2', { class: 'step-title' });
  const body = make('div', { class: 'step-body' });
  const property = make('div', { class: 'property' });
  const values = make('div', { class: 'values' });
  const last = STEPS.length;
  const slider = make('input', {
    type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Step', on: { input: () => go(Number(slider.value), 'slider') },
  });
  const firstDecisive = STEPS.find((step) => step.point_of_no_return && step.n < last);
  const control = (label, name, target, key) => button(label, () => go(target(), 'control'), {
    class: 'control', 'aria-label': name, title: key ? `${name} (${key})` : name,
  });
  const controls = make('div', { class: 'controls', role: 'group', 'aria-label': 'Stepping' },
    control(icon('first'), 'To the start', () => 0, 'Home'),
    control(icon('back'), 'Back', () => NOW.step - 1, '\u2190'),
    control(icon('forward'), 'Forward', () => NOW.step + 1, '\u2192'),
    control(icon('last'), 'To the end', () => last, 'End'),
    firstDecisive ? control('point of no return', 'To the point of no return', () => firstDecisive.n) : null);
  const filter = { all: false, text: '' };
  const all = make('input', { type: 'checkbox', on: { change: () => { filter.all = all.checked; tellValues(); } } });
  const text = make('input', {
    type: 'search', placeholder: 'filter', 'aria-label': 'Filter variables',
    on: { input: () => { filter.text = text.value.toLowerCase(); tellValues(); } },
  });
  const tellValues = () => replaceChildren(values, valueRows(NOW.step, filter));
  onStep((n, why) => {
    slider.value = n;
    slider.setAttribute('aria-valuetext', n === 0 ? 'start' : `step ${n}, ${STEPS[n - 1].event}`);
    replaceChildren(title, n === 0 ? 'Start' : `Step ${grouped(n)}`, make('span', { class: 'dim' }, ` of ${grouped(last)}`));
    replaceChildren(body, n === 0 ? startWords() : stepWords(STEPS[n - 1]));
    replaceChildren(property, propertyAt(n));
    tellValues();
    if (why && why !== 'slider') announce(n === 0 ? 'Start' : `Step ${n}: ${STEPS[n - 1].event}`);
  });
  return make('section', { class: 'card step', 'aria-label': 'Current step' },
    make('div', { class: 'card-head' }, title, controls), slider, doomCurve(), body, EVALUATION ? property : null,
    TIMELINE.size ? make('div', { class: 'card-head values-head' },
      make('h3', {}, 'Variables'), text, make('label', {}, all, ' unchanged too')) : null,
    values);
}

function startWords() {
  if (STEPS.length === 0) return empty('The initial state itself is the violation: no step leads to it.');
  return make('p', { class: 'dim' }, `The trace has ${countOf(STEPS.length, 'step')} (${TRACE.chosen}).`);
}

function fateBadge(fate) {
  return badge(`fate ${fate}`, fate, FATES[fate]);
}

function stepWords(step) {
  const before = step.n > 1 ? STEPS[step.n - 2].fate : null;
  const isLast = step.n === STEPS.length && TRACE.loop_start === null;
  const instead = (labels, words) => (labels.length === 0 ? null : make('li', {},
    `${words}: `, unfolding(labels, 5, (label) => make('div', { class: 'instead' }, code(label)))));
  const notes = [
    step.point_of_no_return && !isLast ? make('li', {}, make('strong', { class: 'danger' }, 'point of no return'),
      ': before it the run could still pass; after it every continuation fails') : null,
    isLast ? make('li', {}, make('strong', { class: 'danger' }, 'the violation'), TRACE.text ? [': ', ...prose(TRACE.text)] : null) : null,
    TRACE.loop_start === step.n ? make('li', {}, `from here to step ${STEPS.length} the trace is repeated forever`) : null,
    instead(step.escapes, 'instead would have avoided the failure'),
    instead(step.still_free, 'enabled instead, and the run could still pass'),
    step.inputs && step.inputs.length ? make('li', {}, `given: ${step.inputs.join(', ')}`) : null,
    (step.location && step.location.calls || []).map((call) => make('li', {}, 'called from ', placeLink(call), ' ', code(call.text))),
  ].flat().filter(Boolean);
  return [
    make('p', { class: 'deed' },
      who(step) ? [make('span', { class: 'who' }, who(step)), ' '] : null, code(step.action), ' ', placeLink(step.location)),
    step.partner ? make('p', { class: 'deed' }, '\u2192 ', make('span', { class: 'who' }, who(step.partner)), ' ',
      code(step.partner.action), ' ', placeLink(step.partner.location)) : null,
    make('p', { class: 'fates' }, before ? [fateBadge(before), ' \u2192 '] : null, fateBadge(step.fate),
      matters(step) ? null : badge('muted', 'not among the steps that matter', 'no likely cause is about this step')),
    notes.length ? make('ul', { class: 'notes' }, notes) : null,
  ];
}

const MOST_VALUES = 200;

function valueRows(n, filter) {
  if (TIMELINE.size === 0) return null;
  const changes = n === 0 ? {} : STEPS[n - 1].changes;
  const fits = (name) => filter.text === '' || name.toLowerCase().includes(filter.text);
  const changed = Object.keys(changes).filter(fits);
  const rows = changed.map((name) => [
    make('span', { class: 'changed' }, code(name)),
    changeKind(changes[name]),
    make('del', {}, code(changes[name][0] ?? '\u2014')),
    make('ins', {}, code(changes[name][1] ?? '\u2014')),
  ]);
  const showAll = filter.all || filter.text !== '' || n === 0;
  const others = showAll ? [...TIMELINE.keys()].filter((name) => !Object.hasOwn(changes, name) && fits(name)).sort() : [];
  for (const name of others.slice(0, MOST_VALUES)) {
    const since = changedAt(name, n);
    const value = valueAt(name, n);
    if (value === null && !filter.all) continue;
    rows.push([code(name), since === 0 ? '' : stepLink(since), '', code(value ?? '\u2014')]);
  }
  const hidden = TIMELINE.size - rows.length;
  if (rows.length === 0) {
    return make('p', { class: 'dim' }, filter.text ? 'No variable has such a name.' : `Nothing changes (${countOf(hidden, 'variable')} hidden).`);
  }
  return [
    table('Variables', ['variable', n === 0 ? '' : 'since', 'before', n === 0 ? 'value' : 'after'], rows),
    hidden > 0 ? make('p', { class: 'dim' }, `${countOf(hidden, 'variable')} hidden`) : null,
  ];
}

function changeKind([old, now]) {
  if (old === null) return badge('added', 'new');
  if (now === null) return badge('removed', 'gone');
  return badge('modified', 'changed');
}
