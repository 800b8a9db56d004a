// Messages between lanes. A rendezvous says itself who takes part; messages in channels are followed by what
// the channels hold: the step after which one holds a message more has sent it, the one after which it holds
// that message no more has received it.

// The messages in a channel as a value tells them; null if this is no channel.
function messagesIn(value) {
  if (typeof value !== 'string' || value[0] !== '[' || value[value.length - 1] !== ']') return null;
  const found = [];
  let [depth, from] = [0, 1];
  for (let at = 1; at < value.length - 1; at += 1) {
    const letter = value[at];
    if (letter === '<' || letter === '[' || letter === '{') depth += 1;
    else if (letter === '>' || letter === ']' || letter === '}') depth -= 1;
    else if (letter === ',' && depth === 0) {
      found.push(value.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = value.slice(from, value.length - 1).trim();
  if (last !== '') found.push(last);
  return found;
}

// The place of the one entry that `longer` has and `shorter` has not; -1 if they differ otherwise. With
// `fromEnd` the last of equal ones is meant.
function extraPlace(longer, shorter, fromEnd) {
  if (longer.length !== shorter.length + 1) return -1;
  const start = commonStart(longer, shorter);
  for (let at = start; at < shorter.length; at += 1) {
    if (longer[at + 1] !== shorter[at]) return -1;
  }
  if (fromEnd) return start;
  let first = start;
  while (first > 0 && longer[first - 1] === longer[start]) first -= 1;
  return first;
}

function commonStart(one, other) {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

// Arrows: from which step and lane to which, and what is sent. `to` is null for what nobody has received.
const ARROWS = (() => {
  const arrows = [];
  const waiting = new Map();
  for (const step of STEPS) {
    const lane = LANE_OF.get(actor(step));
    if (lane === undefined) continue;
    if (step.partner && LANE_OF.has(actor(step.partner))) {
      arrows.push({ from: step.n, lane, to: step.n, target: LANE_OF.get(actor(step.partner)), text: step.action });
      continue;
    }
    for (const [name, [old, now]] of Object.entries(step.changes)) {
      const [before, after] = [messagesIn(old), messagesIn(now)];
      if (!before || !after) continue;
      const pending = waiting.get(name) || before.map(() => null);
      waiting.set(name, pending);
      const sent = extraPlace(after, before, true);
      const received = extraPlace(before, after, false);
      if (sent >= 0) {
        const arrow = { from: step.n, lane, to: null, target: null, text: after[sent], channel: name };
        arrows.push(arrow);
        pending.splice(sent, 0, arrow);
      } else if (received >= 0) {
        const [arrow] = pending.splice(received, 1);
        if (arrow) Object.assign(arrow, { to: step.n, target: lane });
      } else {
        waiting.set(name, after.map(() => null));
      }
    }
  }
  return arrows;
})();
