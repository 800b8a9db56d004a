// The source, with marks in its margin: where the causes are, what the trace executes, where it is now.

const MARKS = (() => {
  const marks = new Map();
  const mark = (location, kind, text) => {
    for (const place of location ? [location, ...(location.calls || [])] : []) {
      const key = `${place.line} ${place.file}`;
      if (!marks.has(key)) marks.set(key, []);
      const known = marks.get(key);
      if (!known.some((other) => other.kind === kind && other.text === text)) known.push({ kind, text });
    }
  };
  for (const cause of REPORT.causes) for (const location of cause.locations) mark(location, 'cause', cause.rank);
  const violation = REPORT.violations.find((one) => one.id === REPORT.explained);
  if (violation) mark(violation.location, 'wrong', '');
  for (const blocked of TRACE ? TRACE.blocked : []) {
    if (!blocked.may_end) mark(blocked.location, 'stuck', '');
  }
  return marks;
})();

const MARK_ICONS = { wrong: 'cross', stuck: 'stop' };

const SOURCE = { files: [], list: null, file: null, lines: [], box: null, here: new Map() };

// The files, and a row for each line or for lines that are left out.
function sourceRows(file) {
  const rows = [];
  let next = 1;
  for (const piece of file.pieces) {
    if (piece.first > next) rows.push({ gap: [next, piece.first - 1] });
    piece.text.forEach((text, at) => rows.push({ line: piece.first + at, text }));
    next = piece.first + piece.text.length;
  }
  if (next <= file.lines) rows.push({ gap: [next, file.lines] });
  return rows;
}

function sourceRow(at) {
  const row = SOURCE.lines[at];
  if (row.gap) {
    return make('div', { class: 'line gap' }, `\u2026 lines ${grouped(row.gap[0])} to ${grouped(row.gap[1])} are not in this report`);
  }
  const steps = stepsAt(SOURCE.file.file, row.line);
  const marks = MARKS.get(`${row.line} ${SOURCE.file.file}`) || [];
  const here = SOURCE.here.get(`${row.line} ${SOURCE.file.file}`);
  const kinds = { cause: 'cause', wrong: 'what goes wrong is here', stuck: 'a process waits here forever' };
  const causes = marks.filter((mark) => mark.kind === 'cause').slice(0, 3);
  const others = marks.filter((mark) => mark.kind !== 'cause');
  return make('div', { class: `line${steps.length ? ' walked' : ''}${here ? ` here ${here}` : ''}` },
    make('span', { class: 'margin' },
      [...others, ...causes].map((mark) => make('span', {
        class: `mark mark-${mark.kind}`, title: mark.kind === 'cause' ? `cause ${mark.text}` : kinds[mark.kind],
      }, MARK_ICONS[mark.kind] ? icon(MARK_ICONS[mark.kind]) : mark.text)),
      steps.length ? make('span', { class: 'visits', title: visits(steps) }, steps.length > 1 ? `${grouped(steps.length)}\u00d7` : icon('dot')) : null),
    make('span', { class: 'number' }, row.line),
    make('span', { class: 'text', dir: 'ltr' }, row.text === '' ? ' ' : row.text),
    make('span', { class: 'hidden-visually' }, here ? ' (current step)' : '', causes.map((mark) => ` (cause ${mark.text})`)));
}

function visits(steps) {
  const told = steps.slice(0, 8).join(', ');
  return `step${steps.length > 1 ? 's' : ''} ${told}${steps.length > 8 ? ' \u2026' : ''}`;
}

function sourcePanel() {
  SOURCE.files = DATA.sources;
  SOURCE.box = make('section', { class: 'card source', 'aria-label': 'Source' });
  if (SOURCE.files.length === 0) {
    SOURCE.box.classList.add('none');
    append(SOURCE.box, [heading('Source'), empty(REPORT.input.kind === 'promela' || REPORT.input.kind === 'c'
      ? 'The text of the model was not at hand when this report was written.'
      : 'A transition system has no source text.')]);
    return SOURCE.box;
  }
  SOURCE.list = new LongList({
    label: 'Source lines', height: 20, row: sourceRow,
    chosen: (at) => SOURCE.lines[at].line && visitLine(SOURCE.lines[at].line, at),
  });
  SOURCE.list.view.classList.add('code');
  const first = SOURCE.files.find((file) => file.file === REPORT.input.path) || SOURCE.files[0];
  const choice = SOURCE.files.length === 1 ? null : make('select', {
    'aria-label': 'File', on: { change: (event) => openFile(SOURCE.files[event.target.selectedIndex]) },
  }, SOURCE.files.map((file) => make('option', { '.selected': file === first }, file.file)));
  SOURCE.choice = choice;
  append(SOURCE.box, [
    make('div', { class: 'card-head' }, heading('Source'), choice || make('span', { class: 'dim file' }, first.file)),
    SOURCE.list.view,
    make('p', { class: 'legend' },
      make('span', { class: 'mark mark-cause' }, '1'), ' cause  ', make('span', { class: 'mark mark-wrong' }, icon('cross')), ' goes wrong  ',
      make('span', { class: 'mark mark-stuck' }, icon('stop')), ' waits forever  ', make('span', { class: 'visits' }, '2\u00d7'), ' executed'),
  ]);
  openFile(first);
  onStep(followSource);
  return SOURCE.box;
}

function openFile(file) {
  if (SOURCE.file === file) return;
  SOURCE.file = file;
  SOURCE.lines = sourceRows(file);
  if (SOURCE.choice) SOURCE.choice.selectedIndex = SOURCE.files.indexOf(file);
  SOURCE.list.current = -1;
  SOURCE.list.show(SOURCE.lines.length);
}

function rowOf(line) {
  return SOURCE.lines.findIndex((row) => row.line === line || (row.gap && row.gap[0] <= line && line <= row.gap[1]));
}

function showSource(location, isStep) {
  const file = SOURCE.files.find((one) => one.file === location.file);
  if (!file) return;
  openFile(file);
  SOURCE.list.select(rowOf(location.line));
  if (!isStep) bring(SOURCE.box);
}

function followSource(n) {
  const step = STEPS[n - 1];
  SOURCE.here = new Map();
  if (step) {
    const mark = (location, kind) => location && SOURCE.here.set(`${location.line} ${location.file}`, kind);
    for (const call of (step.location && step.location.calls) || []) mark(call, 'call');
    if (step.partner) mark(step.partner.location, 'partner');
    mark(step.location, 'self');
    const place = outermost(step.location);
    if (place) showSource(place, true);
  }
  SOURCE.list.refresh(true);
}

// Goes to the next step in a line.
function visitLine(line, at) {
  const steps = stepsAt(SOURCE.file.file, line);
  const next = steps.find((n) => n > NOW.step) ?? steps[0];
  if (next === undefined) SOURCE.list.select(at, false);
  else go(next, 'source');
  SOURCE.list.select(at, false);
}
