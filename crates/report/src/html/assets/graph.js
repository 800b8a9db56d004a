// The states around the counterexample as a graph that can be unfolded. The trace runs down the middle; what can
// no longer fail stands to its left, what must fail to its right. A state stands one row below the first state from
// which it is reached; inside of a row, states are ordered by where their neighbours stand (the barycentre method
// of Sugiyama, Tagawa and Toda 1981).

const GRAPH = {
  states: [], edges: [], out: [], into: [], visible: new Set(), chosen: null, places: new Map(), view: { x: 0, y: 0, scale: 1 },
};
const NODE = { width: 128, height: 70, sweeps: 4 };

// Where the names of the steps of the trace are drawn, what stands beside the trace leaves them room.
const LABEL = { most: 150, room: 84, letters: 26 };

// How much of the trace is shown at first on both sides of where it is decided, and how many states in all.
const FIRST_AROUND = 6;
const FIRST_SHOWN = 60;

function readGraph() {
  const { states, edges } = REPORT.surroundings;
  GRAPH.states = states;
  GRAPH.edges = edges;
  GRAPH.out = states.map(() => []);
  GRAPH.into = states.map(() => []);
  edges.forEach((edge, at) => {
    GRAPH.out[edge.from].push(at);
    GRAPH.into[edge.to].push(at);
  });
}

function stateName(at) {
  const { state } = GRAPH.states[at];
  return state === null ? 'beyond' : String(state);
}

// At first: the trace around where it is decided, and what can be done there instead.
function firstVisible() {
  const onTrace = GRAPH.states.map((state, at) => [state.step, at]).filter(([step]) => step !== null);
  const decisive = STEPS.find((step) => step.point_of_no_return) || STEPS[STEPS.length - 1];
  const middle = decisive ? decisive.n : 0;
  const visible = new Set();
  for (const [, at] of onTrace.sort((one, other) => Math.abs(one[0] - middle) - Math.abs(other[0] - middle))) {
    if (visible.size >= FIRST_SHOWN || Math.abs(GRAPH.states[at].step - middle) > FIRST_AROUND) break;
    visible.add(at);
    for (const edge of GRAPH.out[at].slice(0, 8)) {
      if (visible.size < FIRST_SHOWN) visible.add(GRAPH.edges[edge].to);
    }
  }
  return visible;
}

function innerEdges() {
  return GRAPH.edges.filter((edge) => GRAPH.visible.has(edge.from) && GRAPH.visible.has(edge.to));
}

// The row of each visible state.
function ranks() {
  const rank = new Map();
  const queue = [...GRAPH.visible].filter((at) => GRAPH.states[at].step !== null)
    .sort((one, other) => GRAPH.states[one].step - GRAPH.states[other].step);
  const first = queue.length ? GRAPH.states[queue[0]].step : 0;
  for (const at of queue) rank.set(at, GRAPH.states[at].step - first);
  if (queue.length === 0 && GRAPH.visible.size) {
    queue.push(GRAPH.visible.values().next().value);
    rank.set(queue[0], 0);
  }
  for (let next = 0; next < queue.length; next += 1) {
    for (const edge of GRAPH.out[queue[next]]) {
      const { to } = GRAPH.edges[edge];
      if (GRAPH.visible.has(to) && !rank.has(to)) {
        rank.set(to, rank.get(queue[next]) + 1);
        queue.push(to);
      }
    }
  }
  for (const at of GRAPH.visible) if (!rank.has(at)) rank.set(at, 0);
  return rank;
}

function layOut() {
  const rank = ranks();
  const rows = [];
  for (const at of GRAPH.visible) (rows[rank.get(at)] ||= []).push(at);
  const lean = { safe: -2, free: 0.4, unknown: 0.6, elsewhere: 1, doomed: 2 };
  const x = new Map();
  const isSpine = (at) => GRAPH.states[at].step !== null;
  const neighbours = new Map([...GRAPH.visible].map((at) => [at, []]));
  for (const edge of innerEdges()) {
    if (edge.from === edge.to) continue;
    neighbours.get(edge.from).push(edge.to);
    neighbours.get(edge.to).push(edge.from);
  }
  const wish = (at) => {
    const near = neighbours.get(at).filter((other) => x.has(other));
    return near.length ? near.reduce((sum, other) => sum + x.get(other), 0) / near.length : 0;
  };
  for (let sweep = 0; sweep < NODE.sweeps; sweep += 1) {
    for (const row of rows) {
      if (!row) continue;
      const key = new Map(row.map((at) => [at, wish(at) + lean[GRAPH.states[at].fate] * 1.5]));
      const sorted = [...row].sort((one, other) => key.get(one) - key.get(other) || one - other);
      const spine = sorted.filter(isSpine);
      const others = sorted.filter((at) => !isSpine(at));
      const left = others.filter((at) => key.get(at) < 0).reverse();
      const right = others.filter((at) => key.get(at) >= 0);
      spine.forEach((at, place) => x.set(at, place * 0.8));
      left.forEach((at, place) => x.set(at, -1 - place));
      right.forEach((at, place) => x.set(at, spine.length ? Math.max(1, spine.length * 0.8) + place : place));
    }
  }
  const room = GRAPH.visible.size <= LABEL.most ? LABEL.room : 0;
  GRAPH.places = new Map([...GRAPH.visible].map((at) => [at, [x.get(at) * NODE.width + (x.get(at) > 0 && !isSpine(at) ? room : 0), rank.get(at) * NODE.height]]));
}

function edgePath(from, to) {
  const [[x1, y1], [x2, y2]] = [GRAPH.places.get(from), GRAPH.places.get(to)];
  if (from === to) return `M${x1 + 8} ${y1 - 6}c26 -18 26 30 0 14`;
  if (y2 <= y1) {
    const side = Math.max(x1, x2) + 46;
    return `M${x1 + 10} ${y1}C${side} ${y1} ${side} ${y2} ${x2 + 12} ${y2}`;
  }
  const bend = (y2 - y1) * 0.45;
  // To the side first and down at the end, above the name of the step that the trace takes instead.
  if (x2 > x1 && GRAPH.states[from].step !== null) return `M${x1 + 9} ${y1 + 3}C${x1 + (x2 - x1) * 0.6} ${y1 + 4} ${x2} ${y1 + 8} ${x2} ${y2 - 12}`;
  if (x2 < x1 && GRAPH.states[to].step !== null) return `M${x1} ${y1 + 9}C${x1} ${y2 - 2} ${x2 + (x1 - x2) * 0.4} ${y2 - 3} ${x2 + 13} ${y2 - 2}`;
  return `M${x1} ${y1 + 9}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 12}`;
}

function edgeKind(edge) {
  const [from, to] = [GRAPH.states[edge.from], GRAPH.states[edge.to]];
  const onTrace = from.step !== null && to.step !== null && STEPS[to.step - 1] && to.step === from.step + 1
    && STEPS[to.step - 1].event === REPORT.surroundings.labels[edge.label];
  return `${to.fate}${onTrace ? ' on-trace' : ''}`;
}

// Draws a part at a time, so that a large picture never stops the page.
function drawGraph(canvas, details) {
  layOut();
  const edges = innerEdges();
  const nodes = [...GRAPH.visible];
  const under = draw('g', {});
  // Above all edges, so that none is drawn through a text.
  const texts = draw('g', {});
  const over = draw('g', {});
  canvas.replaceChildren(under, texts, over);
  const run = (GRAPH.run = (GRAPH.run || 0) + 1);
  const showLabels = nodes.length <= LABEL.most;
  let [edgeAt, nodeAt] = [0, 0];
  const part = () => {
    if (run !== GRAPH.run) return;
    for (const end = Math.min(edges.length, edgeAt + 150); edgeAt < end; edgeAt += 1) {
      const edge = edges[edgeAt];
      const kind = edgeKind(edge);
      append(under, [draw('path', { class: `edge ${kind}`, d: edgePath(edge.from, edge.to), 'marker-end': 'url(#arrow)' },
        draw('title', {}, REPORT.surroundings.labels[edge.label]))]);
      if (showLabels && kind.includes('on-trace')) {
        const [[x1, y1], [x2, y2]] = [GRAPH.places.get(edge.from), GRAPH.places.get(edge.to)];
        append(texts, [draw('text', { class: 'edge-text', x: (x1 + x2) / 2 + 8, y: (y1 + y2) / 2 + 7 }, shortened(REPORT.surroundings.labels[edge.label], LABEL.letters))]);
      }
    }
    for (const end = Math.min(nodes.length, nodeAt + 80); nodeAt < end; nodeAt += 1) append(over, [nodeView(nodes[nodeAt], canvas, details)]);
    if (edgeAt < edges.length || nodeAt < nodes.length) requestAnimationFrame(part);
  };
  // Where there is much to draw, laying it out was enough for once.
  if (showLabels) part();
  else requestAnimationFrame(part);
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
}

function unseenNeighbours(at) {
  return new Set([...GRAPH.out[at].map((edge) => GRAPH.edges[edge].to), ...GRAPH.into[at].map((edge) => GRAPH.edges[edge].from)]
    .filter((other) => !GRAPH.visible.has(other)));
}

function nodeView(at, canvas, details) {
  const [x, y] = GRAPH.places.get(at);
  const state = GRAPH.states[at];
  const more = unseenNeighbours(at).size;
  const isDecisive = state.step !== null && STEPS[state.step - 1] && STEPS[state.step - 1].point_of_no_return;
  return draw('g', {
    class: `node${GRAPH.chosen === at ? ' chosen' : ''}`, transform: `translate(${x} ${y})`, 'data-state': at,
    on: { click: () => chooseState(at, canvas, details, true) },
  },
  draw('title', {}, `${stateName(at)}: ${FATES[state.fate]}`),
  draw('circle', { class: 'touch', r: 18 }),
  fateShape(state.fate, 0, 0, 9, isDecisive),
  state.violating ? draw('path', { class: 'cross', d: 'M-5 -5L5 5M5 -5L-5 5' }) : null,
  draw('text', { class: 'node-text', x: -22, y: 4, 'text-anchor': 'end' },
    state.step === null ? shortened(stateName(at), 9) : state.step === 0 ? 'start' : `step ${state.step}`),
  more > 0 ? draw('text', { class: 'more', x: 11, y: -9 }, `+${more}`) : null);
}

// Shows what is known of a state; the second time, or where nothing is hidden, it is only shown.
function chooseState(at, canvas, details, unfold) {
  const known = GRAPH.visible.size;
  GRAPH.visible.add(at);
  if (unfold) for (const other of unseenNeighbours(at)) GRAPH.visible.add(other);
  const before = GRAPH.chosen;
  GRAPH.chosen = at;
  if (GRAPH.visible.size > known) drawGraph(canvas, details);
  else for (const state of [before, at]) canvas.querySelector(`[data-state="${state}"]`)?.classList.toggle('chosen', state === at);
  centreOn(at, canvas);
  const state = GRAPH.states[at];
  if (state.step !== null) go(state.step, 'graph');
  const stepRow = (other, label, arrow) => make('li', {}, fateBadge(GRAPH.states[other].fate), code(label), ` ${arrow} `,
    button(stateName(other), () => chooseState(other, canvas, details, false), { class: 'link' }));
  replaceChildren(details, heading(`State ${stateName(at)} `, fateBadge(state.fate), state.violating ? badge('danger', 'violation') : null),
    make('p', { class: 'dim' }, FATES[state.fate], state.step === null ? '' : [' \u00b7 on the trace, after ', state.step === 0 ? 'no step' : stepLink(state.step)],
      state.hidden ? ` \u00b7 ${countOf(state.hidden, 'step')} more, not in this report` : ''),
    make('div', { class: 'ways' },
      make('div', {}, make('h4', {}, 'ways on'), GRAPH.out[at].length ? unfolding(GRAPH.out[at], 8, (edge) => stepRow(GRAPH.edges[edge].to, REPORT.surroundings.labels[GRAPH.edges[edge].label], '\u2192'), 'ul')
        : make('p', { class: 'dim' }, state.violating ? 'the trace ends here' : 'none known')),
      make('div', {}, make('h4', {}, 'ways here'), GRAPH.into[at].length ? unfolding(GRAPH.into[at], 8, (edge) => stepRow(GRAPH.edges[edge].from, REPORT.surroundings.labels[GRAPH.edges[edge].label], '\u2190'), 'ul')
        : make('p', { class: 'dim' }, 'none known'))));
}

function moveView(canvas) {
  const { x, y, scale } = GRAPH.view;
  canvas.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
}

function centreOn(at, canvas) {
  const box = canvas.ownerSVGElement.getBoundingClientRect();
  const [x, y] = GRAPH.places.get(at);
  GRAPH.view.x = box.width / 2 - x * GRAPH.view.scale;
  GRAPH.view.y = box.height / 2 - y * GRAPH.view.scale;
  moveView(canvas);
}

function zoom(canvas, factor, x, y) {
  const scale = Math.max(0.08, Math.min(3, GRAPH.view.scale * factor));
  const ratio = scale / GRAPH.view.scale;
  GRAPH.view = { scale, x: x - (x - GRAPH.view.x) * ratio, y: y - (y - GRAPH.view.y) * ratio };
  moveView(canvas);
}

// Shows all of the picture, but not smaller than `least`; then what is chosen is in the middle.
function fit(canvas, least = 0.08) {
  const places = [...GRAPH.places.values()];
  if (places.length === 0) return;
  const box = canvas.ownerSVGElement.getBoundingClientRect();
  const [xs, ys] = [places.map((place) => place[0]), places.map((place) => place[1])];
  const low = [Math.min(...xs) - 70, Math.min(...ys) - 40];
  const high = [Math.max(...xs) + 110, Math.max(...ys) + 40];
  const whole = Math.min(1.2, box.width / (high[0] - low[0]), box.height / (high[1] - low[1]));
  const scale = Math.max(least, whole);
  GRAPH.view = { scale, x: box.width / 2 - ((low[0] + high[0]) / 2) * scale, y: box.height / 2 - ((low[1] + high[1]) / 2) * scale };
  if (whole < least && GRAPH.chosen !== null) centreOn(GRAPH.chosen, canvas);
  moveView(canvas);
}

function pointing(picture, canvas) {
  let from = null;
  picture.addEventListener('pointerdown', (event) => { from = [event.clientX, event.clientY, false]; });
  picture.addEventListener('pointermove', (event) => {
    if (!from || event.buttons === 0) return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    if (!from[2] && Math.abs(dx) + Math.abs(dy) < 5) return;
    if (!from[2]) picture.setPointerCapture(event.pointerId);
    GRAPH.view.x += dx;
    GRAPH.view.y += dy;
    from = [event.clientX, event.clientY, true];
    moveView(canvas);
  });
  picture.addEventListener('pointerup', () => { from = null; });
  picture.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(canvas, Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
}

function graphPanel() {
  if (!REPORT.surroundings || REPORT.surroundings.states.length === 0) return [empty(noGraphWords())];
  readGraph();
  GRAPH.visible = firstVisible();
  const canvas = draw('g', {});
  const details = make('div', { class: 'card graph-details', 'aria-live': 'polite' });
  const picture = draw('svg', {
    class: 'graph', role: 'img', 'aria-label': `${countOf(GRAPH.states.length, 'state')} around the counterexample; the list below says the same in words`,
  }, draw('defs', {}, draw('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    draw('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }))), canvas);
  pointing(picture, canvas);
  const middle = () => { const box = picture.getBoundingClientRect(); return [box.width / 2, box.height / 2]; };
  const words = make('p', { class: 'dim' });
  const again = () => {
    drawGraph(canvas, details);
    fit(canvas);
    replaceChildren(words, `${grouped(GRAPH.visible.size)} of ${countOf(GRAPH.states.length, 'state')} shown`, REPORT.surroundings.cut ? '; the system has more. ' : '. ',
      'The trace runs down; beside it is what could have been done instead. +2: two more states, which a click shows. Drag to move, Ctrl and wheel to zoom.');
  };
  return {
    content: [
      make('div', { class: 'panel-head' }, words, make('div', { class: 'controls' },
        button('all', () => { GRAPH.visible = new Set(GRAPH.states.keys()); again(); }, { class: 'control', title: 'Show all states' }),
        button('few', () => { GRAPH.visible = firstVisible(); again(); }, { class: 'control', title: 'Show few states' }),
        button('+', () => zoom(canvas, 1.3, ...middle()), { class: 'control', 'aria-label': 'Larger' }),
        button('\u2212', () => zoom(canvas, 1 / 1.3, ...middle()), { class: 'control', 'aria-label': 'Smaller' }),
        button('fit', () => fit(canvas), { class: 'control', title: 'Show the whole picture' }))),
      picture, fateLegend(GRAPH.states), details,
    ],
    firstShown: () => {
      again();
      const decisive = STEPS.find((step) => step.point_of_no_return) || STEPS[STEPS.length - 1];
      const at = GRAPH.states.findIndex((state) => state.step === (decisive ? decisive.n - 1 : 0));
      if (at >= 0) describeFirst(at, canvas, details);
    },
  };
}

// Says what is known of a state without moving anything.
function describeFirst(at, canvas, details) {
  const { step } = NOW;
  chooseState(at, canvas, details, false);
  fit(canvas, 0.7);
  go(step);
}

function noGraphWords() {
  if (!TRACE) return 'There is no counterexample to draw the surroundings of.';
  const why = { sat: 'a formula has no states', summary: 'calls were looked at one by one, not states' }[REPORT.engine];
  return `The states around the counterexample are not in this report: ${why || 'what could become of them was not worked out'}.`;
}
