// What speaks for the causes: all of them by rank, and what each method found, under the headlines of the text report.

function skippedView(name, found) {
  if (!found) return [empty(`${name} was not asked for.`)];
  return found.skipped ? [empty(`${name} was skipped: `, ...prose(found.skipped), '.')] : null;
}

function figures(found, ...more) {
  const exactness = found.diagnoses ? { exact: 'exact: there are no other smallest sets', bounded: 'bounded: a limit came first' }
    : { exact: 'exact: all traces were compared', bounded: 'bounded: within the limits named here', sampled: 'sampled: some traces were compared' };
  return make('p', { class: 'badges' }, found.exactness ? badge('method', exactness[found.exactness] || found.exactness) : null,
    badge('muted', seconds(found.seconds), 'how long it took'), ...more);
}

function labels(list, most = 6) {
  if (!list || list.length === 0) return make('span', { class: 'dim' }, 'nothing');
  return unfolding(list, most, (label) => make('div', {}, code(label)));
}

// What a method does, in a sentence or two, for who meets it for the first time.
function method(...words) {
  return make('p', { class: 'dim about-method' }, ...words);
}

// What the text report says of a method, and under which title.
function headline(method, title = methodName(method).toLowerCase()) {
  const found = DATA.headlines.find((one) => one.method.replace(/-/g, '_') === method && one.title === title);
  return found ? found.text : null;
}

function headlineView(method, title) {
  const text = headline(method, title);
  return text ? make('p', { class: 'headline' }, sentence(text)) : null;
}

function neighbourhoodsView(found) {
  const colours = {
    G: 'a step escapes; after any other, a later escape is reachable', GR: 'a step escapes; after the others no escape is reachable',
    GRB: 'a step escapes; after some others a later escape is reachable',
  };
  // States from which nothing escapes are no neighbourhoods, though CLEAR lists them.
  const hoods = found.neighbourhoods.filter((hood) => hood.kind !== 'R');
  return [
    method('A neighbourhood is a state of a failing trace that a passing trace leaves by another step (Barbon, Leroy and Sala\u00fcn 2017).'),
    headlineView('neighbourhoods'), figures(found),
    found.untouched ? make('p', {}, 'Nothing could be left out of the trace: ', prose(found.untouched), '.') : null,
    found.abstracted.length && found.abstracted_length < found.counterexample_length ? card('What is left of the counterexample', make('p', { class: 'dim' },
      `${grouped(found.abstracted_length)} of ${countOf(found.counterexample_length, 'step')}`),
    unfolding(found.abstracted, 12, (run) => make('div', { class: 'run' }, stepLink(run.first), run.last > run.first ? [' to ', stepLink(run.last)] : null, ' ', labels(run.labels, 8)))) : null,
    hoods.length ? card('Neighbourhoods',
      pagedTable('Neighbourhoods', ['state', 'kind', 'entered by', 'goes on towards failing by', 'escapes by'], hoods, (hood) => [
        String(hood.full_state), make('span', { class: 'dim' }, colours[hood.kind] || hood.kind), labels(hood.incoming, 3), labels(hood.failing, 4), labels(hood.correct, 4)]))
      : empty('From no state on a failing trace does a step lead to where nothing can fail any more.'),
  ];
}

// A table that shows its first rows and brings the others on request.
function pagedTable(caption, heads, items, row) {
  const first = items.slice(0, 8);
  const holder = table(caption, heads, first.map(row));
  if (items.length <= first.length) return holder;
  const body = holder.querySelector('tbody');
  let told = first.length;
  const more = button('', () => {
    for (const item of items.slice(told, told + 50)) append(body, [make('tr', {}, row(item).map((cell) => make('td', {}, cell)))]);
    told = Math.min(items.length, told + 50);
    tell();
  });
  const tell = () => (told < items.length ? append(replaceChildren(more), [`${countOf(items.length - told, 'more')} \u2026`]) : more.remove());
  tell();
  return make('div', {}, holder, more);
}

function anomaliesView(found) {
  const kinds = { decisive: ['danger', 'decisive'], inside: ['method', 'decided on the way'], consequence: ['muted', 'a consequence'] };
  const stepsOf = (numbers) => unfolding(numbers, 40, (n) => make('div', { class: 'seq' }, endOr(n), ' ', STEPS[n - 1] ? eventLine(STEPS[n - 1]) : null));
  // One step beyond the last is the violation itself.
  const endOr = (n) => (n > STEPS.length ? 'the violation' : stepLink(n));
  const orders = { trace: 'in the order of the trace', process: 'by process', dependent: 'dependent events only' };
  return [
    method('An anomaly is a sequence of events that only failing traces have (after Leue and Tabaei Befrouei).'),
    headlineView('anomalies'), figures(found, badge('muted', orders[found.order] || found.order)),
    found.anomalies.length ? card('Anomalies', pagedTable('Anomalies', ['rank', 'only failing traces have', 'kind', 'where'], found.anomalies, (anomaly) => [
      String(anomaly.rank), anomaly.events.map((event) => make('div', { class: 'seq' }, eventLine(event))),
      [badge(...(kinds[anomaly.kind] || ['muted', anomaly.kind])), anomaly.dependent ? null : badge('muted', 'independent', 'events that have nothing to do with each other')],
      anomaly.steps.length ? anomaly.steps.map(stepLink) : make('span', { class: 'dim' }, `counterexample ${anomaly.counterexample}`)]))
      : null,
    found.explanatory_sequence.length ? card('How it came about', headlineView('anomalies', 'how it came about'),
      stepsOf(found.explanatory_sequence)) : null,
    found.links.length ? card('What each step needed', unfolding(found.links, 12, (link) => make('div', { class: 'run' },
      endOr(link.from), ' \u2192 ', endOr(link.to), ': ', prose(link.reason)))) : null,
    card('Order core', headlineView('anomalies', 'order core'), found.order_core.length ? stepsOf(found.order_core)
      : make('p', { class: 'dim' }, 'none', found.no_order_core ? [': ', ...prose(found.no_order_core)] : null)),
    found.deferred.length ? card('Late', headlineView('anomalies', 'late'), unfolding(found.deferred, 10, (deferred) => make('div', { class: 'run' },
      eventLine(deferred.event), ` enabled ${deferred.enabled_at === 0 ? 'from the start' : `after step ${deferred.enabled_at}`}, `,
      deferred.step === null ? 'never executed ' : ['executed at ', stepLink(deferred.step)],
      deferred.atomic ? badge(deferred.atomic === 'cured' ? 'good' : 'muted', ATOMIC[deferred.atomic] || deferred.atomic) : null))) : null,
    found.points_of_no_return.length ? card('Points of no return by statement', headlineView('anomalies', 'points of no return by statement'),
      pagedTable('Points of no return', ['event', 'fatal', 'harmless', 'it is fatal when'],
      found.points_of_no_return, (point) => [eventLine(point.event), grouped(point.crosses), grouped(point.harmless), condition(point.fatal_when)])) : null,
    found.patterns.length ? card('Patterns', headlineView('anomalies', 'patterns'), pagedTable('Patterns', ['events', 'failing', 'passing'], found.patterns, (pattern) => [
      labels(pattern.events), grouped(pattern.failing), grouped(pattern.passing)])) : null,
    found.counterexamples.length ? card('Failing traces that show them', unfolding(found.counterexamples, 3, (events, at) => make('details', {},
      make('summary', {}, countOf(events.length, 'step')), labels(events, 200)))) : null,
  ];
}

const ATOMIC = { cured: 'executed at once, no trace would fail', 'still-fails': 'executed at once, other traces would still fail' };

function condition(when) {
  if (!when) return '';
  const any = when.any_of.map((all) => all.join(' and ')).join(', or ');
  const recheck = when.recheck ? RECHECKS[when.recheck] : null;
  return [prose(any), ' ', recheck ? recheckBadge(when.recheck) : null, when.exact ? badge('good', 'exactly then', 'always when this is true, and only then') : badge('muted', `true in ${when.fatal_covered} of ${when.fatal} fatal cases and in ${when.harmless_covered} of ${when.harmless} harmless ones`)];
}

function correctTransitionsView(found) {
  const kinds = { control: ['other steps', 'It takes steps that no correct trace takes.'], value: ['other values', 'It takes the same steps with other values.'],
    unexplained: ['not explained', 'Correct traces take the same steps with the same values.'], incomparable: ['no comparison', 'There is no correct trace to compare it with.'] };
  const results = { confirmed: 'good', refuted: 'danger', 'not-run': 'muted' };
  return [
    method('A step is a correct transition if some trace takes it which reaches the same check and satisfies it. The cause is what no correct trace takes (Ball, Naik and Rajamani 2003).'),
    headlineView('correct_transitions'), figures(found),
    found.traces.length === 0 ? empty('There is no further error trace.') : null,
    found.traces.map((trace, at) => card(`Error trace ${at + 1}`,
      make('p', {}, prose(trace.query.check.includes('`') ? trace.query.check : trace.query.location ? `\`${trace.query.check}\`` : trace.query.check), ' ', placeLink(trace.query.location)),
      make('p', {}, badge(trace.causes.length || trace.values.length ? 'method' : 'muted', kinds[trace.kind][0]), ' ', kinds[trace.kind][1]),
      trace.causes.length ? table('Cause steps', ['step', 'what no correct trace takes', 'from', 'to'], trace.causes.map((edge) => [
        String(edge.step), eventLine(edge.event), placeLink(edge.from), placeLink(edge.to)])) : null,
      trace.values.length ? table('Values', ['variable', 'here', 'in correct traces'], trace.values.map((value) => [
        code(value.var), code(value.failing), [value.correct.map((one) => [code(one), ' ']), value.others ? `and ${grouped(value.others)} more` : '']])) : null,
      trace.together ? make('p', { class: 'dim' }, 'each of these values occurs in correct traces, but never all of them together') : null,
      trace.lacks.length ? make('div', {}, 'Every correct trace that goes on from there does, and this one does not: ', trace.lacks.map((event) => make('div', { class: 'seq' }, eventLine(event)))) : null,
      trace.suggestion ? make('figure', { class: 'repair' }, make('figcaption', {}, 'Insert ', code(trace.suggestion.insert), ` in line ${trace.suggestion.line} `,
        badge(results[trace.suggestion.result] || 'muted', trace.suggestion.result)), patchView(trace.suggestion.patch)) : null,
      besideView(trace))),
  ];
}

// An error trace beside a correct one, from their first difference.
function besideView(trace) {
  if (trace.correct_trace.length === 0) return null;
  const [left, right] = [trace.steps, trace.correct_trace];
  const rows = aligned(left.map((event) => event.event), right.map((event) => event.event));
  const part = rows.findIndex(([,, isSame]) => !isSame);
  const from = Math.max(0, part - 2);
  const causes = new Set(trace.causes.map((edge) => edge.step));
  const cell = (events, at, mark) => (at === null ? make('span', { class: 'dim' }, '\u2014')
    : make('div', { class: 'seq' }, make('span', { class: 'dim' }, `${at + 1} `), eventLine(events[at]), mark ? [' ', badge('danger', 'cause')] : null));
  return make('details', { '.open': rows.length - from <= 24 },
    make('summary', {}, part < 0 ? 'the same steps in a correct trace' : from > 0 ? `beside a correct trace, which differs after step ${part}` : 'beside a correct trace'),
    pagedTable('Error trace beside a correct trace', ['this trace fails', 'a correct one'], rows.slice(from), ([one, other]) => [
      cell(left, one, one !== null && causes.has(one + 1)), cell(right, other, false)]));
}

const SETS = [
  ['cause_neg', 'every failing one takes, and no passing one'], ['cause_pos', 'every passing one takes, and no failing one'],
  ['only_neg', 'only failing ones take'], ['only_pos', 'only passing ones take'],
  ['all_neg', 'every failing one takes'], ['all_pos', 'every passing one takes'], ['trans_neg', 'some failing one takes'], ['trans_pos', 'some passing one takes'],
];

function setsView(sets) {
  return table('Steps of failing and passing traces', ['which', 'steps'], SETS.map(([key, words]) => [words,
    sets[key] === null || sets[key] === undefined ? make('span', { class: 'dim' }, 'there are no such traces')
      : sets[key].length === 0 ? make('span', { class: 'dim' }, 'none')
        : [make('span', { class: 'dim' }, grouped(sets[key].length)), unfolding(sets[key], 3, (element) => make('div', {}, element.thread ? make('span', { class: 'who' }, element.thread, ' ') : null,
          code(element.statement), element.choice ? [' ', badge('muted', element.choice)] : null, ' ', placeLink(element.location)))]]));
}

function solvedWords({ changes }) {
  return changes ? `The nearest passing one differs in ${countOf(changes.inputs, 'input')} and ${changes.branches === 1 ? '1 branch' : `${grouped(changes.branches)} branches`}.`
    : 'The solver found no passing one.';
}

const CHOICES = { schedule: 'another schedule alone', input: 'another choice alone', both: 'another choice and another schedule' };

function variationsView(found) {
  const foldedFacts = (list) => (list.length <= 2 ? facts(list) : make('details', {}, make('summary', {}, countOf(list.length, 'fact')), facts(list)));
  const facts = (list) => (list.length ? list.slice(0, 20).map((fact) => make('div', {}, code(fact.fact))) : make('span', { class: 'dim' }, 'nothing'));
  return [
    method('A variation is a trace near the counterexample that fails like it, or passes the same check (Groce and Visser 2003).'),
    headlineView('variations'), figures(found),
    found.solved ? make('p', { class: 'dim' }, solvedWords(found.solved)) : null,
    card('Steps of failing and passing ones', setsView(found.transitions)),
    found.all ? card('The same over all traces', found.all.has_positives ? setsView(found.all.transitions) : empty('Of all traces, none takes the failing step and is safe from failing with it later.')) : null,
    found.invariants.length ? card('Invariants', make('p', { class: 'dim' }, 'what is always true at a place of the program'), pagedTable('Invariants', ['at', 'only passing ones', 'only failing ones', 'both'], found.invariants, (point) => [
      [code(point.point), make('div', { class: 'dim' }, `${grouped(point.positive_samples)} passing, ${grouped(point.negative_samples)} failing samples`)],
      facts(point.positive), facts(point.negative), foldedFacts(point.both)])) : null,
    found.transformations.length ? card('Transformations', make('p', { class: 'dim' }, `${countOf(found.transformation_count, 'change')} ${found.transformation_count === 1 ? 'makes' : 'make'} a passing trace fail`),
      pagedTable('Transformations', ['after', 'passing does', 'failing does instead', 'both go on with', ''], found.transformations, (change) => [
        change.at === 0 ? 'the start' : stepLink(change.at), change.positive.length ? change.positive.slice(0, 8).map((event) => make('div', { class: 'seq' }, eventLine(event))) : 'nothing',
        change.negative.length ? change.negative.slice(0, 8).map((event) => make('div', { class: 'seq' }, eventLine(event))) : 'nothing', eventLine(change.rejoins),
        [change.class ? badge('method', CHOICES[change.class] || change.class) : null, badge('muted', countOf(change.pairs, 'pair'), 'pairs of traces')]])) : null,
  ];
}

function diagnosisView(found) {
  const absence = found.absence_of_function;
  const lines = (list) => list.map((line) => [placeLink({ file: REPORT.input.path, line, column: 1, text: '' }), ' ']);
  return [
    method('A diagnosis is a smallest set of statements that explain the failure if they are wrong (Reiter 1987; Pu 2013).'),
    headlineView('diagnosis'), figures(found, badge('muted', found.inputs === 'symbolic' ? 'for any inputs of the trace' : 'for the inputs of the counterexample')),
    acrossView(found.across),
    found.constraints.length ? card('What should hold', unfolding(found.constraints, 10, (constraint) => make('div', { class: 'run' }, code(constraint.text), ' ', placeLink(constraint.location)))) : null,
    absence ? card('Something is missing', make('p', {}, 'Every statement of the trace may be right, but nothing on it makes sure that ',
      absence.unimplied.map((one, at) => [at > 0 ? ', ' : '', code(one)]), '.'),
    make('p', {}, 'The same trace passes with the inputs ', code(absence.passing_input.join(', ')), ' and fails with ', code(absence.failing_input.join(', ')), '.')) : null,
    found.diagnoses.length ? unfolding(found.diagnoses, 8, (diagnosis) => suspicionCard(diagnosis, found.runs, lines))
      : empty('No set of statements was found that explains the failure.'),
    found.conflicts.length ? card('Conflicts', make('p', { class: 'dim' }, 'of the statements in these lines, at least one is wrong'),
      unfolding(found.conflicts, 10, (conflict) => make('div', { class: 'run' }, lines(conflict)))) : null,
  ];
}

// Statements that explain every failing run, each on its own way.
function acrossView(across) {
  if (!across) return null;
  const statements = (set) => set.statements.map((statement) => make('div', { class: 'seq' }, placeLink(statement.location), ' ', code(statement.text)));
  return card(`Across ${countOf(across.runs.length, 'failing run')}`,
    make('p', { class: 'dim' }, across.diagnoses.length
      ? 'each of these sets explains each of the runs on its own way' : 'no set of lines explains all of these runs on their own ways',
    across.exactness === 'exact' ? '' : '; a limit was reached, there may be others'),
    across.diagnoses.length ? unfolding(across.diagnoses, 6, (set) => make('li', { class: 'run' }, statements(set)), 'ol') : null,
    make('details', {}, make('summary', {}, 'inputs of the runs'), unfolding(across.runs, 8, (inputs) => make('div', {}, inputs.length ? code(inputs.join(', ')) : 'none'))));
}

function suspicionCard(diagnosis, runs, lines) {
  return card(`Diagnosis ${diagnosis.rank}`,
    diagnosis.statements.map((statement) => make('div', { class: 'seq' }, placeLink(statement.location), ' ', code(statement.text))),
    make('p', { class: 'badges' }, badge('method', diagnosis.scope === 'trace' ? 'the run goes the same way' : 'branches may go the other way'),
      diagnosis.redundant ? badge('muted', 'less likely', 'other runs of the program do what this one should have done') : null,
      diagnosis.explains < runs ? badge('muted', `${diagnosis.explains} of ${countOf(runs, 'failing run')} would pass`) : null),
    diagnosis.values.length ? table('What should have been made', ['line', 'what', 'made', 'should be'], diagnosis.values.slice(0, 20).map((value) => [
      lines([value.line]), prose(value.what.includes('`') ? value.what : `\`${value.what}\``), code(value.failing), code(value.right)])) : null,
    diagnosis.transitive.length ? make('p', { class: 'dim' }, 'what uses it is wrong with it: ', lines(diagnosis.transitive)) : null,
    diagnosis.suggestion ? make('p', {}, prose(diagnosis.suggestion)) : null,
    diagnosis.repair ? repairView(diagnosis.repair) : null);
}

const METHOD_VIEWS = {
  neighbourhoods: neighbourhoodsView, anomalies: anomaliesView, correct_transitions: correctTransitionsView,
  variations: variationsView, diagnosis: diagnosisView,
};

function methodSection([key, name]) {
  const found = REPORT.methods[key];
  const body = skippedView(name, found) || METHOD_VIEWS[key](found);
  return make('section', { class: 'method-section', id: `evidence-${key}`, 'aria-label': name }, make('h2', {}, name), body);
}

// All that speaks for the causes. What was asked for comes before what was not.
function evidencePanel() {
  const isTold = ([key]) => REPORT.methods[key] && !REPORT.methods[key].skipped;
  const sections = [...METHODS.filter(isTold), ...METHODS.filter((method) => !isTold(method))];
  return [
    make('nav', { class: 'contents', 'aria-label': 'Evidence' }, 'By method: ', sections.map(([key, name], at) => [at > 0 ? ' \u00b7 ' : '',
      button(name, () => document.getElementById(`evidence-${key}`).scrollIntoView({ block: 'start' }), { class: `link${isTold([key]) ? '' : ' skipped'}` })])),
    REPORT.causes.length ? make('section', { class: 'method-section', 'aria-label': 'Causes by rank' }, make('h2', {}, 'Causes by rank'), causesView()) : null,
    repairsCard(), withoutCard(), sections.map(methodSection),
  ];
}
