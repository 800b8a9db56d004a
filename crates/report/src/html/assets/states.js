// What of the states around the counterexample is shown: some states one by one and, where all are asked for, the others as
// groups. A group is a connected set of states with the same fate, or a stretch of the trace, so that thousands of states
// stay a picture that can be read; choosing a group shows some of its states.

const GRAPH = {
  states: [], edges: [], out: [], into: [], visible: new Set(), isGrouped: false, nodes: [], links: [], nodeOf: new Map(),
  chosen: null, places: new Map(), view: { x: 0, y: 0, scale: 1 },
};

// How much of the trace is shown at first on both sides of where it is decided, and how many states in all.
const FIRST_AROUND = 6;
const FIRST_SHOWN = 60;

// How many groups there are at most, and how many states of a group are shown at once.
const MOST_GROUPS = 40;
const UNGROUPED = 12;

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


// The groups of the states that are not shown one by one.
function groups() {
  const parent = new Map();
  const root = (at) => {
    let top = at;
    while (parent.get(top) !== top) top = parent.get(top);
    for (let next = at; next !== top;) {
      const above = parent.get(next);
      parent.set(next, top);
      next = above;
    }
    return top;
  };
  GRAPH.states.forEach((state, at) => { if (!GRAPH.visible.has(at)) parent.set(at, at); });
  for (const { from, to } of GRAPH.edges) {
    if (!parent.has(from) || !parent.has(to)) continue;
    const [one, other] = [GRAPH.states[from], GRAPH.states[to]];
    const isStretch = one.step !== null && other.step !== null && Math.abs(one.step - other.step) === 1;
    const isBeside = one.step === null && other.step === null;
    if (one.fate === other.fate && (isStretch || isBeside)) parent.set(root(from), root(to));
  }
  const found = new Map();
  for (const at of parent.keys()) {
    const top = root(at);
    if (!found.has(top)) found.set(top, []);
    found.get(top).push(at);
  }
  const sorted = [...found.values()].sort((one, other) => other.length - one.length || one[0] - other[0]);
  // Beyond, what is alike is one group, connected or not.
  const rest = new Map();
  for (const states of sorted.slice(MOST_GROUPS)) {
    const { fate, step } = GRAPH.states[states[0]];
    const key = `${fate} ${step === null}`;
    rest.set(key, (rest.get(key) || []).concat(states));
  }
  return [...sorted.slice(0, MOST_GROUPS), ...rest.values()];
}

// Nodes and links of the picture, out of what is visible.
function buildView() {
  const single = [...GRAPH.visible].map((at) => [at]);
  const grouped = GRAPH.isGrouped ? groups() : [];
  GRAPH.nodes = [...single, ...grouped].map((states, id) => {
    const steps = states.map((at) => GRAPH.states[at].step).filter((step) => step !== null);
    return {
      id, states, fate: GRAPH.states[states[0]].fate, isGroup: id >= single.length,
      step: steps.length ? Math.min(...steps) : null, last: steps.length ? Math.max(...steps) : null,
    };
  });
  GRAPH.nodeOf = new Map(GRAPH.nodes.flatMap((node) => node.states.map((at) => [at, node.id])));
  const links = new Map();
  for (const edge of GRAPH.edges) {
    const [from, to] = [GRAPH.nodeOf.get(edge.from), GRAPH.nodeOf.get(edge.to)];
    if (from === undefined || to === undefined || (from === to && GRAPH.nodes[from].isGroup)) continue;
    const key = from * GRAPH.nodes.length + to;
    if (!links.has(key)) links.set(key, { from, to, count: 0, labels: new Set(), isOnTrace: false });
    const link = links.get(key);
    link.count += 1;
    link.labels.add(REPORT.surroundings.labels[edge.label]);
    link.isOnTrace ||= isTaken(edge);
  }
  GRAPH.links = [...links.values()];
}

// Whether the counterexample takes an edge.
function isTaken(edge) {
  const [from, to] = [GRAPH.states[edge.from], GRAPH.states[edge.to]];
  return from.step !== null && to.step !== null && STEPS[to.step - 1] && to.step === from.step + 1
    && STEPS[to.step - 1].event === REPORT.surroundings.labels[edge.label];
}

// Shows some states of a group: those next to what is shown already, or else its first.
function openGroup(states) {
  const near = states.filter((at) => [...GRAPH.out[at].map((edge) => GRAPH.edges[edge].to), ...GRAPH.into[at].map((edge) => GRAPH.edges[edge].from)]
    .some((other) => GRAPH.visible.has(other)));
  for (const at of (near.length ? near : states).slice(0, UNGROUPED)) GRAPH.visible.add(at);
}

function unseenNeighbours(at) {
  return new Set([...GRAPH.out[at].map((edge) => GRAPH.edges[edge].to), ...GRAPH.into[at].map((edge) => GRAPH.edges[edge].from)]
    .filter((other) => !GRAPH.visible.has(other)));
}
