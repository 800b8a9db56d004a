// A tab for each method with its own evidence, or the reason why there is none.

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

function neighbourhoodsView(found) {
  const colours = { G: 'correct steps', GR: 'correct and failing steps', GRB: 'correct, failing and undecided steps', R: 'failing steps' };
  return [
    method('A state has a neighbourhood where failing and passing traces part: after some step from it nothing can fail any more. What the counterexample does elsewhere is left out (Barbon, Leroy and Sala\u00fcn 2017).'),
    figures(found),
    make('p', {}, found.count === 0 ? '' : `Failing and passing traces part in ${countOf(found.count, 'state')}; the counterexample passes ${grouped(found.touched)} of them. `,
      `All failing traces together have ${countOf(found.counterexample_lts.states, 'state')} and ${countOf(found.counterexample_lts.transitions, 'transition')}.`),
    found.untouched ? make('p', {}, 'Nothing could be left out of the trace: ', prose(found.untouched), '.') : null,
    found.abstracted.length && found.abstracted_length < found.counterexample_length ? card('What is left of the counterexample', make('p', { class: 'dim' },
      `${grouped(found.abstracted_length)} of ${countOf(found.counterexample_length, 'step')}`),
    unfolding(found.abstracted, 12, (run) => make('div', { class: 'run' }, stepLink(run.first), run.last > run.first ? [' to ', stepLink(run.last)] : null, ' ', labels(run.labels, 8)))) : null,
    found.neighbourhoods.length ? card('Neighbourhoods',
      found.listed < found.neighbourhoods.length ? null : make('p', { class: 'dim' }, `${grouped(found.listed)} listed: `
        + Object.entries(found.kinds).filter(([, count]) => count > 0).map(([kind, count]) => `${grouped(count)} with ${colours[kind] || kind} (${kind})`).join(', ')),
      pagedTable('Neighbourhoods', ['state', 'kind', 'comes in by', 'goes on failing by', 'escapes by'], found.neighbourhoods, (hood) => [
        String(hood.full_state), badge('method', hood.kind, colours[hood.kind]), labels(hood.incoming, 3), labels(hood.failing, 4), labels(hood.correct, 4)]))
      : empty('From no state on a failing trace does a step lead to where nothing can fail any more.'),
  ];
}

// A table that shows its first rows and brings the others on request.
function pagedTable(caption, heads, items, row) {
  const first = items.slice(0, 20);
  const holder = table(caption, heads, first.map(row));
  if (items.length <= first.length) return holder;
  const body = holder.querySelector('tbody');
  let told = first.length;
  const more = button('', () => {
    for (const item of items.slice(told, told + 100)) append(body, [make('tr', {}, row(item).map((cell) => make('td', {}, cell)))]);
    told = Math.min(items.length, told + 100);
    tell();
  });
  const tell = () => (told < items.length ? append(replaceChildren(more), [`${countOf(items.length - told, 'more')} \u2026`]) : more.remove());
  tell();
  return make('div', {}, holder, more);
}

function anomaliesView(found) {
  const kinds = { decisive: 'danger', inside: 'method', consequence: 'muted' };
  const stepsOf = (numbers) => unfolding(numbers, 40, (n) => make('div', { class: 'seq' }, endOr(n), ' ', STEPS[n - 1] ? eventLine(STEPS[n - 1]) : null));
  // One step beyond the last is the violation itself.
  const endOr = (n) => (n > STEPS.length ? 'the violation' : stepLink(n));
  const orders = { trace: 'in the order of the trace', process: 'in the order of each process', dependent: 'in the order of what depends on each other' };
  return [
    method('An anomaly is a short sequence of events that failing traces have and no passing trace ever has (after Leue and Tabaei Befrouei).'),
    figures(found, badge('muted', orders[found.order] || found.order)),
    found.count === 0 ? null : make('p', {}, `${countOf(found.count, 'sequence')} of ${countOf(found.length, 'event')} ${found.count === 1 ? 'occurs' : 'occur'} in failing traces and in no passing one; `
      + `after ${grouped(found.decisive)} of them every way on fails, though before it did not.`),
    found.anomalies.length ? card('Anomalies', pagedTable('Anomalies', ['rank', 'what only failing traces do', 'kind', 'where'], found.anomalies, (anomaly) => [
      String(anomaly.rank), anomaly.events.map((event) => make('div', { class: 'seq' }, eventLine(event))),
      [badge(kinds[anomaly.kind] || 'muted', anomaly.kind), anomaly.dependent ? null : badge('muted', 'independent', 'its events do not depend on each other')],
      anomaly.steps.length ? anomaly.steps.map(stepLink) : make('span', { class: 'dim' }, `counterexample ${anomaly.counterexample}`)]))
      : empty(`No sequence of ${countOf(found.length, 'event')} occurs in failing traces only.`),
    found.explanatory_sequence.length ? card('Explanatory sequence', make('p', { class: 'dim' }, 'the steps that lead to the violation, each needed by a later one'),
      stepsOf(found.explanatory_sequence)) : null,
    found.links.length ? card('Why each step was needed', unfolding(found.links, 12, (link) => make('div', { class: 'run' },
      endOr(link.from), ' \u2192 ', endOr(link.to), ': ', prose(link.reason)))) : null,
    card('The order that fails', found.order_core.length
      ? [make('p', { class: 'dim' }, 'no passing trace does these steps in this order'), stepsOf(found.order_core)]
      : make('p', { class: 'dim' }, 'there is none', found.no_order_core ? [': ', ...prose(found.no_order_core)] : null)),
    found.deferred.length ? card('Overtaken', unfolding(found.deferred, 10, (deferred) => make('div', { class: 'run' },
      eventLine(deferred.event), ` possible from ${deferred.enabled_at === 0 ? 'the start' : `step ${deferred.enabled_at}`} on, `,
      deferred.step === null ? 'the violation came first' : ['executed at ', stepLink(deferred.step)],
      deferred.atomic ? badge(deferred.atomic === 'cured' ? 'good' : 'muted', `without a gap: ${deferred.atomic}`) : null))) : null,
    found.points_of_no_return.length ? card('Points of no return of all traces', make('p', { class: 'dim' }, 'how often an event takes a trace from where it could still pass to where it cannot, how often it does not, and when it does'),
      pagedTable('Points of no return', ['event', 'decides', 'does not', 'it decides when'],
      found.points_of_no_return, (point) => [eventLine(point.event), grouped(point.crosses), grouped(point.harmless), condition(point.fatal_when)])) : null,
    found.patterns.length ? card('Patterns', pagedTable('Patterns', ['events, others between them', 'failing', 'passing'], found.patterns, (pattern) => [
      labels(pattern.events), grouped(pattern.failing), grouped(pattern.passing)])) : null,
    found.counterexamples.length ? card('Failing traces that show them', unfolding(found.counterexamples, 3, (events, at) => make('details', {},
      make('summary', {}, countOf(events.length, 'step')), labels(events, 200)))) : null,
  ];
}

function condition(when) {
  if (!when) return '';
  const any = when.any_of.map((all) => all.join(' and ')).join(', or ');
  const recheck = when.recheck ? RECHECKS[when.recheck] : null;
  return [prose(any), ' ', recheck ? badge(recheck[0], recheck[1]) : null, when.exact ? badge('good', 'exactly then', 'always when this is so, and never else') : badge('muted', `${when.fatal_covered} of ${when.fatal}, and ${when.harmless_covered} of ${when.harmless} others`)];
}

function correctTransitionsView(found) {
  const kinds = { control: 'it takes steps that no correct trace takes', value: 'it takes them with other values', unexplained: 'neither its steps nor its values are unusual', incomparable: 'there is no correct trace to compare it with' };
  const results = { confirmed: 'good', refuted: 'danger', 'not-run': 'muted' };
  return [
    method('A step is correct if some trace takes it and arrives at the same check without failing, or passes where no trace gets through the check. The cause is what the failing trace does that no correct trace does (Ball, Naik and Rajamani 2003).'),
    figures(found, badge(found.covered ? 'good' : 'muted', found.covered ? 'every error trace is covered' : 'other error traces may have other causes')),
    found.traces.length === 0 ? empty('No error trace is left to tell.') : null,
    found.traces.map((trace, at) => card(`Error trace ${at + 1}`,
      make('p', {}, prose(trace.query.check.includes('`') ? trace.query.check : trace.query.location ? `\`${trace.query.check}\`` : trace.query.check), ' ', placeLink(trace.query.location)),
      make('p', {}, badge(trace.causes.length || trace.values.length ? 'method' : 'muted', trace.kind), ' ', kinds[trace.kind], '.'),
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

// An error trace beside a correct one, from where they part.
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
    make('summary', {}, part < 0 ? 'the same steps in a correct trace' : from > 0 ? `beside a correct trace, from where they part after step ${part}` : 'beside a correct trace'),
    pagedTable('Error trace beside a correct trace', ['this trace fails', 'a correct one'], rows.slice(from), ([one, other]) => [
      cell(left, one, one !== null && causes.has(one + 1)), cell(right, other, false)]));
}

const SETS = [
  ['cause_neg', 'in all failing, in no passing'], ['cause_pos', 'in all passing, in no failing'], ['only_neg', 'only in failing'], ['only_pos', 'only in passing'],
  ['all_neg', 'in all failing'], ['all_pos', 'in all passing'], ['trans_neg', 'in some failing'], ['trans_pos', 'in some passing'],
];

function setsView(sets) {
  return table('The eight sets', ['set', 'what', 'elements'], SETS.map(([key, words]) => [code(key), words,
    sets[key] === null || sets[key] === undefined ? make('span', { class: 'dim' }, 'says nothing: there are no traces of a kind')
      : sets[key].length === 0 ? make('span', { class: 'dim' }, 'empty')
        : [make('span', { class: 'dim' }, grouped(sets[key].length)), unfolding(sets[key], 3, (element) => make('div', {}, element.thread ? make('span', { class: 'who' }, element.thread, ' ') : null,
          code(element.statement), element.choice ? [' ', badge('muted', element.choice)] : null, ' ', placeLink(element.location)))]]));
}

function solvedWords({ bound, covers_all, changes }) {
  return `A solver looked for the nearest ones, with loops unwound ${countOf(bound, 'time')}${covers_all ? ', which covers all of them' : ''}. `
    + (changes ? `The nearest passing trace differs in ${countOf(changes.inputs, 'input')} and ${changes.branches === 1 ? '1 branch' : `${grouped(changes.branches)} branches`}.` : 'It found no passing trace.');
}

function variationsView(found) {
  const foldedFacts = (list) => (list.length <= 2 ? facts(list) : make('details', {}, make('summary', {}, countOf(list.length, 'fact')), facts(list)));
  const facts = (list) => (list.length ? list.slice(0, 20).map((fact) => make('div', {}, code(fact.fact))) : make('span', { class: 'dim' }, 'nothing'));
  return [
    method('Traces that end at the same step as the counterexample, some failing, some passing, are compared: what all failing ones do and no passing one does (Groce and Visser 2003).'),
    figures(found, found.depth === null ? null : badge('muted', `at most ${countOf(found.depth, 'step')} off the counterexample`),
      badge('muted', { bfs: 'nearest first', dfs: 'one after the other' }[found.walk] || found.walk)),
    make('p', {}, `${countOf(found.negatives, 'failing variation')} and ${countOf(found.positives, 'passing one')} were found`, found.limited ? ', and more were left out.' : '.'),
    found.solved ? make('p', { class: 'dim' }, solvedWords(found.solved)) : null,
    card('What separates them', setsView(found.transitions)),
    found.all ? card('The same over all traces', found.all.has_positives ? setsView(found.all.transitions) : empty('No trace takes the failing step and passes.')) : null,
    found.invariants.length ? card('Invariants', make('p', { class: 'dim' }, 'what is always so at a place of the program'), pagedTable('Invariants', ['at', 'in all passing', 'in all failing', 'in both'], found.invariants, (point) => [
      [code(point.point), make('div', { class: 'dim' }, `${grouped(point.positive_samples)} passing, ${grouped(point.negative_samples)} failing samples`)],
      facts(point.positive), facts(point.negative), foldedFacts(point.both)])) : null,
    found.transformations.length ? card('Transformations', make('p', { class: 'dim' }, `${grouped(found.transformation_count)} turn a passing trace into a failing one`),
      pagedTable('Transformations', ['after', 'passing does', 'failing does instead', 'both go on with', ''], found.transformations, (change) => [
        change.at === 0 ? 'the start' : stepLink(change.at), change.positive.length ? change.positive.slice(0, 8).map((event) => make('div', { class: 'seq' }, eventLine(event))) : 'nothing',
        change.negative.length ? change.negative.slice(0, 8).map((event) => make('div', { class: 'seq' }, eventLine(event))) : 'nothing', eventLine(change.rejoins),
        [change.class ? badge('method', change.class) : null, badge('muted', countOf(change.pairs, 'pair'))]])) : null,
  ];
}

function diagnosisView(found) {
  const absence = found.absence_of_function;
  const lines = (list) => list.map((line) => [placeLink({ file: REPORT.input.path, line, column: 1, text: '' }), ' ']);
  return [
    method('Which statements, if they did something else, would let the run pass? A diagnosis is a smallest such set (Reiter 1987; Pu 2013).'),
    figures(found, badge('muted', found.inputs === 'symbolic' ? 'for any inputs of the trace' : 'for the inputs of the counterexample')),
    make('p', {}, `${countOf(found.diagnoses.length, 'smallest set')} of wrong statements would explain the counterexample, among ${countOf(found.suspects, 'suspect')}`
      + ` of ${countOf(found.statements, 'statement')}; ${countOf(found.runs, 'failing run')} looked at.`),
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
      ? 'each of these sets explains every one of the runs, on its own way and with its own inputs' : 'no set of statements explains all of these runs on their own ways',
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

function methodPanel(key, name) {
  const found = REPORT.methods[key];
  return skippedView(name, found) || METHOD_VIEWS[key](found);
}
