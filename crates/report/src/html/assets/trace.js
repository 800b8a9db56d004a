// The trace as a sequence chart: a lane for each process, a row for each step, arrows for messages.

const ROW = 28;
const CHART = { rows: [], rowOf: [], list: null, lane: 0, width: 0 };

function laneX(lane) {
  return 20 + CHART.lane * (lane + 0.5);
}

// Rows for all steps, or for those of the story with gaps between them.
function chartRows(onlyTold) {
  const rows = [{ n: 0 }];
  let gap = null;
  for (const step of STEPS) {
    if (onlyTold && !TOLD.has(step.n)) {
      if (!gap) rows.push(gap = { gap: [step.n, step.n] });
      gap.gap[1] = step.n;
    } else {
      gap = null;
      rows.push({ n: step.n });
    }
  }
  CHART.rows = rows;
  CHART.rowOf = new Array(STEPS.length + 1);
  rows.forEach((row, at) => {
    const [first, last] = row.gap || [row.n, row.n];
    for (let n = first; n <= last; n += 1) CHART.rowOf[n] = at;
  });
}

function chartRow(at) {
  const row = CHART.rows[at];
  const inset = make('span', { class: 'inset' });
  inset.style.width = `${CHART.width}px`;
  if (row.gap) {
    return make('div', { class: 'row gap', title: 'the story is told without these steps' }, inset, `\u2026 ${row.gap[0] === row.gap[1] ? `step ${row.gap[0]}` : `steps ${row.gap[0]} to ${row.gap[1]}`} left out`);
  }
  if (row.n === 0) return make('div', { class: 'row' }, make('span', { class: 'n' }, '0'), inset, make('span', { class: 'what dim' }, 'start'));
  const step = STEPS[row.n - 1];
  const changes = Object.entries(step.changes).slice(0, 3);
  const isLast = step.n === STEPS.length && TRACE.loop_start === null;
  return make('div', { class: `row${step.kept ? ' kept' : ''}` },
    make('span', { class: 'n' }, step.n), inset,
    make('span', { class: 'what' },
      step.point_of_no_return && !isLast ? badge('danger', 'point of no return') : null,
      isLast ? badge('danger', 'violation') : null,
      step.escapes.length && !step.point_of_no_return ? badge('escape', 'choice', 'another step here would have avoided the failure') : null,
      LANES.length > 1 && CHART.lane < 48 ? make('span', { class: 'who' }, who(step), ' ') : null,
      code(step.action),
      step.partner ? [' \u2192 ', make('span', { class: 'who' }, who(step.partner)), ' ', code(step.partner.action)] : null,
      changes.map(([name, [, now]]) => make('span', { class: 'effect' }, `${name} = ${now ?? '\u2014'}`))),
    make('span', { class: 'where' }, placeName(outermost(step.location))));
}

// The names of processes above their lanes; from top to bottom where lanes are narrow.
function laneNames(lanes, middle, width, kind) {
  const isTall = lanes.some((lane) => laneName(lane).length * 7.2 > width + 4);
  const names = make('div', { class: `${kind}${isTall ? ' tall' : ''}`, 'aria-hidden': 'true' }, lanes.map((lane, at) => {
    const label = make('span', { class: 'lane-name', title: laneName(lane) }, laneName(lane));
    label.style.left = `${middle(at) - (isTall ? 9 : width / 2)}px`;
    label.style.width = `${isTall ? 18 : width}px`;
    return label;
  }));
  if (isTall) names.style.setProperty('--tall', `${Math.min(110, Math.max(...lanes.map((lane) => laneName(lane).length)) * 7.2 + 6)}px`);
  return names;
}

function arrowHead(x, y, direction) {
  return draw('path', { class: 'head', d: `M${x} ${y}l${-7 * direction} -4v8z` });
}

// Lanes, dots and arrows of the rows from `first` to `last`.
function drawChart(first, last, layer) {
  const height = (last - first + 1) * ROW;
  const picture = draw('svg', { width: CHART.width + 44, height, 'aria-hidden': 'true' });
  const middle = (at) => (at - first + 0.5) * ROW;
  for (let lane = 0; lane < Math.max(1, LANES.length); lane += 1) {
    append(picture, [draw('line', { class: 'lane', x1: laneX(lane), x2: laneX(lane), y1: 0, y2: height })]);
  }
  if (TRACE.loop_start !== null && CHART.rowOf[TRACE.loop_start] <= last) {
    const top = Math.max(-ROW, middle(CHART.rowOf[TRACE.loop_start]));
    const bottom = Math.min(height + ROW, middle(CHART.rows.length - 1));
    append(picture, [draw('path', { class: 'loop', d: `M12 ${bottom}H5V${top}H12` }), arrowHead(14, top, 1)]);
  }
  const numbers = [CHART.rows[first], CHART.rows[last]].map((row, end) => (row.gap ? row.gap[end] : row.n));
  const isFolded = (n) => Boolean(CHART.rows[CHART.rowOf[n]].gap);
  for (const arrow of ARROWS) {
    if (arrow.from > numbers[1]) break;
    const end = arrow.to ?? arrow.from;
    if (end < numbers[0]) continue;
    // Messages among steps that are left out are left out as well.
    const folded = isFolded(arrow.from) + isFolded(end);
    if (folded === 2) continue;
    const [x1, y1] = [laneX(arrow.lane), middle(CHART.rowOf[arrow.from])];
    if (arrow.to === null) {
      append(picture, [draw('path', { class: 'message lost', d: `M${x1} ${y1}h${CHART.lane * 0.45}` })]);
      continue;
    }
    const [x2, y2] = [laneX(arrow.target), middle(CHART.rowOf[arrow.to])];
    if (arrow.lane === arrow.target) continue;
    const side = x2 > x1 ? 1 : -1;
    const label = arrow.text.length > 24 ? `${arrow.text.slice(0, 23)}\u2026` : arrow.text;
    const isWide = CHART.lane >= 60 && arrow.to !== arrow.from && !folded;
    append(picture, [
      draw('path', { class: folded ? 'message far' : 'message', d: `M${x1} ${y1}L${x2 - 6 * side} ${y2}` }), arrowHead(x2 - 4 * side, y2, side),
      isWide ? draw('text', { class: 'message-text', x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 3, 'text-anchor': 'middle' }, label) : null,
    ]);
  }
  for (let at = first; at <= last; at += 1) {
    const row = CHART.rows[at];
    if (row.gap || row.n === 0) continue;
    const step = STEPS[row.n - 1];
    const x = laneX(LANE_OF.get(actor(step)) ?? 0);
    append(picture, [fateShape(step.fate, x, middle(at), 5, step.point_of_no_return)]);
    if (step.partner && LANE_OF.has(actor(step.partner))) {
      append(picture, [draw('circle', { class: 'partner', cx: laneX(LANE_OF.get(actor(step.partner))), cy: middle(at), r: 4 })]);
    }
  }
  layer.replaceChildren(picture);
}

// A fate by its colour and by its shape, for those who do not tell the colours apart.
function fateShape(fate, x, y, size, isDecisive) {
  const options = { class: `fate-shape ${fate}${isDecisive ? ' decisive' : ''}` };
  if (fate === 'doomed') return draw('path', { ...options, d: `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z` });
  if (fate === 'elsewhere') return draw('path', { ...options, d: `M${x} ${y - size}l${size} ${2 * size}h${-2 * size}z` });
  if (fate === 'unknown') return draw('path', { ...options, d: `M${x} ${y - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z` });
  return draw('circle', { ...options, cx: x, cy: y, r: size });
}

function tracePanel() {
  if (!TRACE) return [empty('There is no counterexample: ', ...prose(REPORT.reason), '.')];
  const canFold = TOLD.size < STEPS.length;
  const isNarrow = window.innerWidth < 700;
  CHART.lane = LANES.length === 0 ? 24 : Math.max(9, Math.min(isNarrow ? 26 : 92, (isNarrow ? 130 : 250) / LANES.length));
  CHART.width = 24 + CHART.lane * Math.max(1, LANES.length);
  chartRows(canFold && STEPS.length > 40);
  CHART.list = new LongList({
    label: 'Steps of the trace', height: ROW, row: chartRow, drawn: drawChart,
    chosen: (at) => go(CHART.rows[at].gap ? CHART.rows[at].gap[0] : CHART.rows[at].n, 'trace'),
  });
  CHART.list.view.classList.add('chart');
  const box = make('input', {
    type: 'checkbox', '.checked': canFold && STEPS.length > 40,
    on: { change: () => { chartRows(box.checked); CHART.list.show(CHART.rows.length); CHART.list.select(CHART.rowOf[NOW.step]); } },
  });
  const offset = matchMedia('(max-width: 600px)').matches ? 34 : 44;
  const names = laneNames(LANES, (at) => offset + laneX(at), CHART.lane, 'lane-names');
  CHART.list.show(CHART.rows.length);
  onStep((n) => CHART.list.select(CHART.rowOf[n]));
  return [
    make('div', { class: 'panel-head' },
      make('p', { class: 'counted' }, `${countOf(TRACE.length, 'step')}${MATTER ? `, of which ${grouped(MATTER.size)} ${MATTER.size === 1 ? 'matters' : 'matter'}` : ''} (${TRACE.chosen}).`,
        TRACE.loop_start !== null ? ` Steps ${TRACE.loop_start} to ${TRACE.length} are repeated forever.` : ''),
      canFold ? make('label', {}, box, ` only the story (${STORY.counted})`) : null),
    LANES.length > 1 ? make('p', { class: 'hidden-visually' }, `Processes: ${LANES.map(laneName).join(', ')}`) : null,
    LANES.length > 1 ? names : null, CHART.list.view, fateLegend(STEPS),
  ];
}

// What the shapes of these steps or states mean.
function fateLegend(drawn) {
  const used = new Set(drawn.map((one) => one.fate));
  return make('p', { class: 'legend' }, Object.keys(FATES).filter((fate) => used.has(fate)).map((fate) => make('span', { class: 'key-fate', title: FATES[fate] },
    draw('svg', { width: 14, height: 14, 'aria-hidden': 'true' }, fateShape(fate, 7, 7, 5)), ` ${FATES[fate]}`)));
}
