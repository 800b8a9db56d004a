// The states around the counterexample as a graph that can be unfolded.

// What is written on a link: the action or, of several, how many.
function linkText(link, most) {
  return link.labels.size === 1 ? shortened([...link.labels][0], most) : countOf(link.labels.size, 'action');
}

// Where the text of a link stands: beside the trace for a step of it, else beside the arrow into its target, once a target.
function linkLabel(link, labelled) {
  const [[x1, y1], [x2, y2]] = [GRAPH.places.get(link.from), GRAPH.places.get(link.to)];
  if (link.isOnTrace) return draw('text', { class: 'edge-text', x: (x1 + x2) / 2 + 8, y: (y1 + y2) / 2 + 7 }, linkText(link, LABEL.letters));
  if (link.from === link.to) return draw('text', { class: 'edge-text side', x: x1 + 30, y: y1 + 4 }, linkText(link, LABEL.side));
  const isFirst = !labelled.has(link.to);
  labelled.add(link.to);
  const isBeside = GRAPH.nodes[link.to].step === null && y2 > y1;
  if (isBeside && isFirst) return draw('text', { class: 'edge-text side', x: x2 + 6, y: y2 - 17 }, linkText(link, LABEL.side));
  // Among groups there are too many others to read.
  if (GRAPH.isGrouped) return null;
  if (GRAPH.nodes[link.to].step !== null && x2 < x1 && y2 > y1) return draw('text', { class: 'edge-text side', x: x1 - 40, y: y2 - 6, 'text-anchor': 'end' }, linkText(link, LABEL.side));
  if (Math.abs(x2 - x1) < 20) return draw('text', { class: 'edge-text side', x: x2 - 8, y: (y1 + y2) / 2 + 4, 'text-anchor': 'end' }, linkText(link, LABEL.side));
  return draw('text', { class: 'edge-text side', x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 18, 'text-anchor': 'middle' }, linkText(link, LABEL.side));
}

// Draws a part at a time, so that a large picture never stops the page.
function drawGraph(canvas, details) {
  buildView();
  layOut();
  const { nodes, links } = GRAPH;
  const under = draw('g', {});
  // Above all edges, so that none is drawn through a text.
  const texts = draw('g', {});
  const over = draw('g', {});
  canvas.replaceChildren(under, texts, over);
  const run = (GRAPH.run = (GRAPH.run || 0) + 1);
  const showLabels = nodes.length <= LABEL.most;
  const labelled = new Set();
  let [linkAt, nodeAt] = [0, 0];
  const part = () => {
    if (run !== GRAPH.run) return;
    for (const end = Math.min(links.length, linkAt + 150); linkAt < end; linkAt += 1) {
      const link = links[linkAt];
      append(under, [draw('path', { class: `edge ${nodes[link.to].fate}${link.isOnTrace ? ' on-trace' : ''}`, d: edgePath(link.from, link.to), 'marker-end': 'url(#arrow)' },
        draw('title', {}, [...link.labels].slice(0, 8).join('\n')))]);
      if (showLabels) append(texts, [linkLabel(link, labelled)]);
    }
    for (const end = Math.min(nodes.length, nodeAt + 80); nodeAt < end; nodeAt += 1) {
      append(over, [nodes[nodeAt].isGroup ? groupView(nodes[nodeAt], canvas, details) : nodeView(nodes[nodeAt], canvas, details)]);
    }
    if (linkAt < links.length || nodeAt < nodes.length) requestAnimationFrame(part);
    else GRAPH.tell?.();
  };
  // Where there is much to draw, laying it out was enough for once.
  if (showLabels) part();
  else requestAnimationFrame(part);
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
}

function nodeView({ id, states: [at] }, canvas, details) {
  const [x, y] = GRAPH.places.get(id);
  const state = GRAPH.states[at];
  const more = GRAPH.isGrouped ? 0 : unseenNeighbours(at).size;
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
  more > 0 ? draw('text', { class: 'more', x: 12, y: 18 }, `+${more}`) : null);
}

function groupName(node) {
  const count = countOf(node.states.length, 'state');
  return node.step === null ? count : node.step === node.last ? `step ${node.step}` : `steps ${node.step} to ${node.last}`;
}

function groupView(node, canvas, details) {
  const [x, y] = GRAPH.places.get(node.id);
  const text = groupName(node);
  const width = Math.max(76, text.length * 7 + 20);
  return draw('g', {
    class: `node group ${node.fate}`, transform: `translate(${x} ${y})`, 'data-states': node.states.length, on: { click: () => chooseGroup(node, canvas, details) },
  },
  draw('title', {}, `${countOf(node.states.length, 'state')}: ${FATES[node.fate]}`),
  draw('rect', { class: 'group-box', x: -width / 2, y: -13, width, height: 30, rx: 8 }),
  draw('text', { class: 'group-text', y: 0, 'text-anchor': 'middle' }, text),
  draw('text', { class: 'group-fate', y: 11, 'text-anchor': 'middle' }, node.fate));
}

function chooseGroup(node, canvas, details) {
  openGroup(node.states);
  drawGraph(canvas, details);
  chooseState(node.states.find((at) => GRAPH.visible.has(at)), canvas, details, false);
}

// Shows what is known of a state; the second time, or where nothing is hidden, it is only shown.
function chooseState(at, canvas, details, unfold) {
  const known = GRAPH.visible.size;
  GRAPH.visible.add(at);
  if (unfold && !GRAPH.isGrouped) for (const other of unseenNeighbours(at)) GRAPH.visible.add(other);
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
      make('div', {}, make('h4', {}, 'outgoing transitions'), GRAPH.out[at].length ? unfolding(GRAPH.out[at], 8, (edge) => stepRow(GRAPH.edges[edge].to, REPORT.surroundings.labels[GRAPH.edges[edge].label], '\u2192'), 'ul')
        : make('p', { class: 'dim' }, state.violating ? 'the trace ends here' : 'none known')),
      make('div', {}, make('h4', {}, 'incoming transitions'), GRAPH.into[at].length ? unfolding(GRAPH.into[at], 8, (edge) => stepRow(GRAPH.edges[edge].from, REPORT.surroundings.labels[GRAPH.edges[edge].label], '\u2190'), 'ul')
        : make('p', { class: 'dim' }, 'none known'))));
}

function moveView(canvas) {
  const { x, y, scale } = GRAPH.view;
  canvas.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
}

function centreOn(at, canvas) {
  const box = canvas.ownerSVGElement.getBoundingClientRect();
  const [x, y] = GRAPH.places.get(GRAPH.nodeOf.get(at));
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
  const high = [Math.max(...xs) + 150, Math.max(...ys) + 40];
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
  const canvas = draw('g', {});
  const details = make('div', { class: 'card graph-details', 'aria-live': 'polite' });
  const picture = draw('svg', {
    class: 'graph', role: 'img', 'aria-label': `${countOf(GRAPH.states.length, 'state')} around the counterexample; the list below says the same in words`,
  }, draw('defs', {}, draw('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    draw('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }))), canvas);
  pointing(picture, canvas);
  const middle = () => { const box = picture.getBoundingClientRect(); return [box.width / 2, box.height / 2]; };
  const words = make('p', { class: 'dim' });
  const holder = make('div', { class: 'groups' });
  GRAPH.tell = () => {
    const together = GRAPH.nodes.filter((node) => node.isGroup);
    replaceChildren(words, GRAPH.isGrouped
      ? `${countOf(GRAPH.states.length, 'state')}: ${grouped(GRAPH.visible.size)} one by one, the others in ${countOf(together.length, 'group')} of connected states with the same fate. A click on a group shows some of its states. `
      : `${grouped(GRAPH.visible.size)} of ${countOf(GRAPH.states.length, 'state')}. +2: two more states, which a click shows. `,
    REPORT.surroundings.cut ? 'The system has more. ' : '', 'The trace runs down; beside it is what could have been done instead. Drag to move, Ctrl and wheel to zoom.');
    replaceChildren(holder, together.length ? ['Groups: ', unfolding(together, 12, (node) => button(`${groupName(node)}, ${node.fate}`, () => chooseGroup(node, canvas, details), { class: 'link' }))] : null);
  };
  const again = (isGrouped) => {
    GRAPH.isGrouped = isGrouped;
    GRAPH.visible = firstVisible();
    drawGraph(canvas, details);
    fit(canvas, 0.5);
  };
  return {
    content: [
      make('div', { class: 'panel-head' }, words, make('div', { class: 'controls' },
        button('all', () => again(true), { class: 'control', title: 'Show all states, in groups' }),
        button('few', () => again(false), { class: 'control', title: 'Show few states' }),
        button(icon('larger'), () => zoom(canvas, 1.3, ...middle()), { class: 'control', 'aria-label': 'Larger' }),
        button(icon('smaller'), () => zoom(canvas, 1 / 1.3, ...middle()), { class: 'control', 'aria-label': 'Smaller' }),
        button('fit', () => fit(canvas), { class: 'control', title: 'Show the whole picture' }))),
      picture, fateLegend(GRAPH.states), holder, details,
    ],
    firstShown: () => {
      again(false);
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
  const why = { sat: 'the solver works on a formula, without states', summary: 'the program was searched call by call' }[REPORT.engine];
  return `The states around the counterexample are not in this report: ${why || 'their fates were not computed'}.`;
}
