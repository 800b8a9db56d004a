// The chance to fail at the start and after each step, if all enabled steps are equally likely.

const DOOM = { width: 600, height: 84, pad: 6 };

// At most so many points, of each stretch the lowest and the highest.
function thinned(values, most) {
  const points = values.map((value, at) => [at, value]).filter(([, value]) => value !== null && value !== undefined);
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2));
  const kept = [];
  for (let from = 0; from < points.length; from += size) {
    const stretch = points.slice(from, from + size);
    const low = stretch.reduce((one, other) => (other[1] < one[1] ? other : one));
    const high = stretch.reduce((one, other) => (other[1] > one[1] ? other : one));
    kept.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  return kept;
}

function doomCurve() {
  const doom = REPORT.doom || [];
  const soon = REPORT.doom_soon || [];
  if (!doom.some((value) => value !== null) && soon.length === 0) return null;
  const last = Math.max(1, STEPS.length);
  const x = (at) => DOOM.pad + (at / last) * (DOOM.width - 2 * DOOM.pad);
  const y = (value) => DOOM.height - DOOM.pad - value * (DOOM.height - 2 * DOOM.pad);
  // The chance stays until the next step: the curve has steps as the trace has.
  const line = (values) => thinned(values, 800).map(([at, value], place) =>
    (place === 0 ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`)).join('');
  const cursor = draw('line', { class: 'cursor', y1: 0, y2: DOOM.height });
  const decisive = STEPS.filter((step) => step.point_of_no_return && step.n < STEPS.length).slice(0, 50);
  const picture = draw('svg', {
    class: 'doom', viewBox: `0 0 ${DOOM.width} ${DOOM.height}`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': doomWords(doom, soon),
    on: {
      click: (event) => {
        const box = picture.getBoundingClientRect();
        go(Math.round(((event.clientX - box.left) / box.width) * last), 'doom');
      },
    },
  },
  draw('line', { class: 'grid', x1: 0, x2: DOOM.width, y1: y(0), y2: y(0) }),
  draw('line', { class: 'grid', x1: 0, x2: DOOM.width, y1: y(0.5), y2: y(0.5) }),
  draw('line', { class: 'grid', x1: 0, x2: DOOM.width, y1: y(1), y2: y(1) }),
  decisive.map((step) => draw('line', { class: 'decisive', x1: x(step.n), x2: x(step.n), y1: 0, y2: DOOM.height })),
  draw('path', { class: 'soon', d: line(soon) }),
  draw('path', { class: 'ever', d: line(doom) }),
  cursor);
  const words = make('p', { class: 'legend' });
  onStep((n) => {
    cursor.setAttribute('x1', x(n));
    cursor.setAttribute('x2', x(n));
    replaceChildren(words,
      make('span', {}, 'chance to fail', make('span', { class: 'hidden-visually' }, n === 0 ? ' at the start' : ` after step ${n}`), ':'),
      make('span', { class: 'key ever' }, `${chanceWords(doom, n)} sooner or later`),
      soon.length ? make('span', { class: 'key soon' }, `${chanceWords(soon, n)} within ${countOf(STEPS.length, 'step')}`) : null,
      decisive.length ? make('span', { class: 'key decisive', title: 'point of no return' }, 'point of no return') : null);
  });
  const ticks = [...new Set([0, Math.round(last / 2), last])];
  return make('div', { class: 'doom-box', title: 'if every enabled step is as likely as the others' },
    make('div', { class: 'doom-plot' },
      make('div', { class: 'doom-axis y', 'aria-hidden': 'true' }, ['100 %', '50 %', '0 %'].map((text) => make('span', {}, text))), picture,
      make('div', { class: 'doom-axis x', 'aria-hidden': 'true' }, ticks.map((n) => make('span', {}, n === 0 ? 'start' : `step ${grouped(n)}`)))),
    words);
}

// Whether every continuation fails after so many steps.
function isDecided(n) {
  const step = STEPS[Math.max(0, n - 1)];
  return !step || (step.fate === 'doomed' && (n > 0 || !step.point_of_no_return));
}

// A run may fail with probability 1 and still be able to pass, by running forever as chance never does.
function chanceWords(values, n) {
  return values[n] === 1 && !isDecided(n) ? 'almost certain' : percent(values[n]);
}

function doomWords(doom, soon) {
  const values = doom.some((value) => value !== null) ? doom : soon;
  const certain = values.findIndex((value, n) => value === 1 && isDecided(n));
  return `Chance to fail along the trace: ${chanceWords(values, 0)} at the start`
    + (certain > 0 ? `, certain after step ${certain}` : certain === 0 ? ', certain from the start' : '');
}
