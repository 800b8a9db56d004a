// The layout of the graph: the trace runs down the middle; what can no longer fail stands to its left, what must fail to its
// right. A node stands one row below the first node from which it is reached; inside of a row, nodes are ordered by where
// their neighbours stand (the barycentre method of Sugiyama, Tagawa and Toda 1981).

const NODE = { width: 150, height: 76, sweeps: 4 };

// Where labels are drawn, what stands beside the trace leaves them room.
const LABEL = { most: 150, room: 84, letters: 26, side: 20 };

// The row of each node. Those of the trace stand below each other.
function ranks() {
  const rank = new Map();
  const queue = GRAPH.nodes.filter((node) => node.step !== null).sort((one, other) => one.step - other.step).map((node) => node.id);
  queue.forEach((id, at) => rank.set(id, at));
  if (queue.length === 0 && GRAPH.nodes.length) {
    queue.push(0);
    rank.set(0, 0);
  }
  const next = GRAPH.nodes.map(() => []);
  for (const link of GRAPH.links) next[link.from].push(link.to);
  for (let at = 0; at < queue.length; at += 1) {
    for (const to of next[queue[at]]) {
      if (rank.has(to)) continue;
      rank.set(to, rank.get(queue[at]) + 1);
      queue.push(to);
    }
  }
  for (const node of GRAPH.nodes) if (!rank.has(node.id)) rank.set(node.id, 0);
  return rank;
}

function layOut() {
  const rank = ranks();
  const rows = [];
  for (const { id } of GRAPH.nodes) (rows[rank.get(id)] ||= []).push(id);
  const lean = { safe: -2, free: 0.4, unknown: 0.6, elsewhere: 1, doomed: 2 };
  const x = new Map();
  const isSpine = (id) => GRAPH.nodes[id].step !== null;
  const neighbours = GRAPH.nodes.map(() => []);
  for (const link of GRAPH.links) {
    if (link.from === link.to) continue;
    neighbours[link.from].push(link.to);
    neighbours[link.to].push(link.from);
  }
  const wish = (id) => {
    const near = neighbours[id].filter((other) => x.has(other));
    return near.length ? near.reduce((sum, other) => sum + x.get(other), 0) / near.length : 0;
  };
  for (let sweep = 0; sweep < NODE.sweeps; sweep += 1) {
    for (const row of rows) {
      if (!row) continue;
      const key = new Map(row.map((id) => [id, wish(id) + lean[GRAPH.nodes[id].fate] * 1.5]));
      const sorted = [...row].sort((one, other) => key.get(one) - key.get(other) || one - other);
      const spine = sorted.filter(isSpine);
      const others = sorted.filter((id) => !isSpine(id));
      const left = others.filter((id) => key.get(id) < 0).reverse();
      const right = others.filter((id) => key.get(id) >= 0);
      spine.forEach((id, place) => x.set(id, place * 0.8));
      left.forEach((id, place) => x.set(id, -1 - place));
      right.forEach((id, place) => x.set(id, spine.length ? Math.max(1, spine.length * 0.8) + place : place));
    }
  }
  const room = GRAPH.nodes.length <= LABEL.most ? LABEL.room : 0;
  GRAPH.places = new Map(GRAPH.nodes.map(({ id }) => [id, [x.get(id) * NODE.width + (x.get(id) > 0 && !isSpine(id) ? room : 0), rank.get(id) * NODE.height]]));
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
  if (x2 > x1 && GRAPH.nodes[from].step !== null) return `M${x1 + 9} ${y1 + 3}C${x1 + (x2 - x1) * 0.6} ${y1 + 4} ${x2} ${y1 + 8} ${x2} ${y2 - 12}`;
  if (x2 < x1 && GRAPH.nodes[to].step !== null) return `M${x1} ${y1 + 9}C${x1} ${y2 - 2} ${x2 + (x1 - x2) * 0.4} ${y2 - 3} ${x2 + 13} ${y2 - 2}`;
  return `M${x1} ${y1 + 9}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 12}`;
}
