// What is known of the causes: all of them by rank, what exactly is false at the end, repairs, and other violations.

const RECHECKS = {
  confirmed: ['good', 'confirmed', 'check'],
  refuted: ['danger', 'refuted', 'cross'],
  'not-run': ['muted', 'not rechecked'],
};

function recheckBadge(recheck, title) {
  const [kind, words, sign] = RECHECKS[recheck] || ['muted', recheck];
  return badge(kind, [sign ? [icon(sign), ' '] : null, words], title);
}

function methodName(name) {
  const key = String(name).replace(/-/g, '_');
  const known = METHODS.find(([method]) => method === key);
  return known ? known[1] : OTHER_EVIDENCE[key] || String(name);
}

function causeCard(cause) {
  const places = cause.locations.map(outermost).filter(isNew);
  const isFirst = cause.rank === 1;
  const claim = unsaid(cause.claim, cause.summary);
  const more = [
    claim ? make('p', {}, prose(claim)) : null,
    make('p', { class: 'dim' }, cause.recheck.result === 'not-run' ? 'Not rechecked: ' : 'Rechecked by: ', prose(cause.recheck.how), '.'),
    evidenceView(cause.evidence || []),
    cause.repair ? repairView(cause.repair) : null,
  ];
  return make('li', { class: `cause${isFirst ? ' first' : ''}`, id: `cause-${cause.rank}` },
    make('div', { class: 'rank', 'aria-hidden': 'true' }, cause.rank),
    make('div', { class: 'cause-body' },
      make('h3', {}, make('span', { class: 'hidden-visually' }, `Cause ${cause.rank}: `), prose(cause.summary)),
      make('p', { class: 'badges' },
        recheckBadge(cause.recheck.result, cause.recheck.how),
        cause.methods.map((method) => badge('method', methodName(method), 'this speaks for it')),
        badge('muted', `score ${cause.score.toFixed(2)}`, 'from 0 to 1: how much of the evidence points here')),
      cause.steps.length || places.length ? make('div', { class: 'links' },
        cause.steps.length ? unfolding(cause.steps, 12, stepLink) : null,
        unfolding(places, isFirst ? 6 : 2, (place) => make('div', {}, placeLink(place), ' ', code(place.text)))) : null,
      // The first one is told, the others are there to be asked.
      isFirst ? more : make('details', {}, make('summary', {}, 'why'), make('div', { class: 'cause-more' }, more))));
}

// What of a sentence is not in the one before it.
function unsaid(sentence, said) {
  if (sentence === said) return '';
  const rest = sentence.startsWith(said) ? sentence.slice(said.length).match(/^[:;,] (.*)$/s) : null;
  return rest ? rest[1] : sentence;
}

// Changes of the text that were tried and help, but for the one that is shown with the first cause.
function repairsCard() {
  const repairs = REPORT.repairs || [];
  if (repairs.length === 0 && !REPORT.repairs_tried) return null;
  const shown = REPORT.causes.length && REPORT.causes[0].repair ? REPORT.causes[0].repair.patch : null;
  const others = repairs.filter((repair) => repair.patch !== shown);
  const tried = REPORT.repairs_tried ? `${countOf(REPORT.repairs_tried, 'change')} tried. ` : '';
  const none = REPORT.repairs_cut_short ? 'None of them helps; others were not tried, or could not be decided within the limits.'
    : 'None of them helps.';
  const help = repairs.length === 0 ? none : others.length === 0 ? 'Only the one above helps.'
    : `${others.length < repairs.length ? 'Besides the one above these help' : 'These help'}, the likeliest first.`;
  return card('Repairs', make('p', { class: 'dim' }, tried, help),
    unfolding(others, 6, (repair) => make('details', { class: 'run' },
      make('summary', {}, prose(repair.summary)), make('p', {}, placeLink(repair.location)), repairView(repair))));
}

// What else speaks for a cause.
function evidenceView(evidence) {
  if (evidence.length === 0) return null;
  return make('details', { '.open': evidence.length <= 2 }, make('summary', {}, `${countOf(evidence.length, 'more reason')}`),
    make('div', { class: 'evidence' }, unfolding(evidence, 12, (one) => {
      return make('li', {}, badge('method', methodName(one.method)), one.recheck ? recheckBadge(one.recheck.result, one.recheck.how) : null, ' ',
        prose(one.claim), ' ', one.steps.slice(0, 12).map((n) => [stepLink(n), ' ']));
    }, 'ul')));
}

function repairView(repair) {
  const verdict = repair.verified
    ? badge('good', [icon('check'), ' ', repair.bound === null || repair.bound === undefined ? 'verified' : `verified up to bound ${repair.bound}`])
    : badge('muted', 'not verified');
  return make('figure', { class: 'repair' }, make('figcaption', {}, 'Repair ', verdict), patchView(repair.patch));
}

function patchView(patch) {
  const kind = (line) => (/^(\+\+\+|---)/.test(line) ? 'file' : line[0] === '+' ? 'plus' : line[0] === '-' ? 'minus' : line[0] === '@' ? 'hunk' : 'same');
  const lines = String(patch).replace(/\n$/, '').split('\n');
  return make('pre', { class: 'patch', tabindex: '0', dir: 'ltr', 'aria-label': 'Patch' },
    lines.map((line) => make('span', { class: kind(line) }, line, make('br'))));
}

// Causes that share a group are told together.
function causesView() {
  const groups = new Map();
  for (const cause of REPORT.causes) groups.set(cause.group, [...(groups.get(cause.group) || []), cause]);
  return [...groups].map(([group, causes]) => [
    groups.size > 1 ? make('h3', { class: 'group' }, `Cause group ${group}`) : null,
    make('div', { class: 'causes' }, unfolding(causes, 6, causeCard, 'ol'))]);
}

function noCauseWords() {
  const skipped = METHODS.filter(([key]) => REPORT.methods[key] && REPORT.methods[key].skipped);
  if (skipped.length === 0) return 'The methods ran, and none of them names a cause.';
  return skipped.map(([key, name]) => `${name}: ${REPORT.methods[key].skipped}.`).join(' ');
}

// What is false at the end, and the steps that last changed its variables.
function failingCard() {
  if (!TRACE) return null;
  const text = TRACE.text || REPORT.reason;
  const formula = REPORT.property.kind === 'safety' && !TRACE.text ? REPORT.property.text : null;
  const last = STEPS[STEPS.length - 1];
  const words = new Set(`${text} ${last ? last.action : ''}`.match(/[A-Za-z_]\w*(?:\[[^\]]*\])*/g) || []);
  const bare = (name) => name.slice(name.lastIndexOf('.') + 1);
  const own = last && last.process ? [`${last.process}:${last.pid}.`, `${last.process}.`] : [];
  const speaksOf = (name) => (words.has(name) || own.some((start) => name === start + bare(name) && words.has(bare(name))))
    || [...words].some((word) => name.startsWith(`${word}[`) || name.startsWith(`${word}.`));
  const names = TRACE.blocked.length ? [] : [...TIMELINE.keys()].filter(speaksOf).slice(0, 30);
  const rows = names.map((name) => {
    const at = changedAt(name, STEPS.length);
    return [code(name), code(valueAt(name, STEPS.length) ?? '\u2014'), at === 0 ? 'the start' : [stepLink(at), ' ', code(STEPS[at - 1].action)]];
  });
  return card('What is wrong at the end',
    make('p', {}, badge('danger', kindName(TRACE.kind)), ' ', prose(text)),
    conditionView(),
    formula ? make('p', {}, 'The property: ', code(formula)) : null,
    rows.length ? table('Variables of the property', ['variable', 'value at the end', 'last changed by'], rows) : null);
}

// What becomes of the violation when a statement is never executed.
function withoutCard() {
  const without = REPORT.without || [];
  if (without.length === 0) return null;
  return card('Without one statement', make('p', { class: 'dim' }, 'every step of the statement was blocked, and the system was searched again'),
    pagedTable('Without one statement', ['statement', 'violations left', ''], without, (one) => [
      [code(one.location ? one.location.text : one.event), ' ', placeLink(one.location)],
      `${grouped(one.still_violating)} of ${grouped(one.violating)}`,
      one.still_violating > 0 ? null : one.passes ? badge('good', 'no violation', 'no violation is left, and a trace passes') : badge('muted', 'nothing passes', 'no violation is left, but no trace passes either')]));
}

// The other violations: of the same cause, or with causes of their own.
function othersCard() {
  const others = REPORT.others || [];
  if (others.length === 0) return null;
  return card('Other violations', unfolding(others, 8, (other) => {
    const violation = REPORT.violations.find((one) => one.id === other.violation);
    return make('div', { class: 'run' },
      make('p', {}, other.same_cause ? badge('muted', 'same cause') : badge('danger', 'another cause'),
        violation ? [prose(violation.text), ' ', placeLink(violation.location)] : `violation ${other.violation}`),
      make('p', { class: 'dim' }, prose(other.how), '.'),
      other.causes.length ? make('ul', {}, other.causes.slice(0, 5).map((cause) => make('li', {}, prose(cause.summary), ' ',
        cause.locations.slice(0, 4).map((location) => [placeLink(outermost(location)), ' '])))) : null);
  }));
}

function sinceCard() {
  const since = REPORT.since;
  if (!since) return null;
  const pair = (name, { before, after }) => [name, before === null ? '\u2014' : grouped(before), after === null ? '\u2014' : grouped(after)];
  return card(`Since ${since.path}`,
    table('Before and after', ['', 'before', 'now'], [
      ['verdict', since.verdict, REPORT.verdict], pair('states', since.states), pair('counterexamples', since.counterexamples),
      pair('length', since.length)]));
}
