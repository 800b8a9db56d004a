// The story: the cause in a sentence or two, the few steps without which it cannot be told as a sequence chart, and a repair.
// Which steps and which words is decided by the report, for the text and for this page.

const TALE = { lanes: [], lane: 0, rows: [], arrows: [] };

function storyPanel() {
  if (!TRACE) return [empty('There is nothing to explain: ', ...prose(REPORT.reason), '.'), sinceCard()];
  return {
    content: [leadCard(), taleCard(), tryCard(), failingCard(), propertyCard(), othersCard(), sinceCard()],
    firstShown: drawTale,
  };
}

// The cause and, of a deadlock, what each process waits for.
function leadCard() {
  const isStuck = STORY.blocked.length > 0;
  const causes = STORY.causes.map((told) => {
    const cause = REPORT.causes.find((one) => one.rank === told.rank);
    const places = cause.locations.map(outermost).filter(isNew);
    return [
      make('p', { class: 'lead-words' }, sentence(told.summary)),
      places.length ? make('div', { class: 'excerpts' }, unfolding(places, 3, (place, at) => excerpt(place, at === 0 ? told.label : ''))) : null,
      told.claim ? make('p', { class: 'dim' }, sentence(told.claim)) : null,
      told.confirmed ? make('p', { class: 'dim confirmed' }, icon('check'), ' ', sentence(told.confirmed)) : null,
    ];
  });
  return make('section', { class: 'card lead', 'aria-label': 'Cause' },
    heading(isStuck ? 'Why no process can move' : 'Cause'),
    causes.length ? causes : make('p', {}, 'No cause was found. ', noCauseWords()),
    isStuck ? make('div', { class: 'stuck' }, unfolding(STORY.blocked, 6, stuckLine)) : null);
}

function isNew(place, at, all) {
  return all.findIndex((other) => other.file === place.file && other.line === place.line) === at;
}

// A claim is written without the letters that make it a sentence. Names of processes stay as they are.
function sentence(text) {
  const isName = STORY.processes.some(({ process }) => text.split(/[ :,]/, 1)[0] === process);
  const whole = isName ? text : text.replace(/^[a-z](?=[a-z ])/, (letter) => letter.toUpperCase());
  return [prose(whole), /[.!?]$/.test(whole) ? '' : '.'];
}

// A line of the source; what it is about is underlined by the source view when it is chosen.
function excerpt(place, label) {
  return make('div', { class: 'excerpt' }, placeLink(place), ' ', code(place.text.trim()), label ? [' ', badge('danger', label)] : null);
}

function stuckLine(one) {
  const needs = one.needs.map((need, at) => [at > 0 ? '; or at ' : '', placeLink(outermost(need.location)), ' ', code(need.action), ': ', prose(need.reason)]);
  return make('div', { class: 'run' }, icon('stop'), ' ', make('span', { class: 'who' }, one.who || one.process || 'it'), ' ',
    needs.length ? ['waits at ', needs] : prose(one.waits_for), one.may_end ? ' (it may end here)' : '');
}

function taleCard() {
  if (STORY.steps.length === 0) return card('How it came about', make('p', {}, 'The initial state itself is the violation.'));
  const acting = new Set();
  for (const told of STORY.steps) {
    const step = STEPS[told.n - 1];
    for (const deed of [step, step.partner]) if (deed && deed.process) acting.add(actor(deed));
  }
  for (const one of STORY.blocked) if (one.process) acting.add(actor(one));
  // Of few processes, those that do nothing are told by their empty lanes.
  TALE.lanes = LANES.length <= 4 ? LANES : LANES.filter((name) => acting.has(name));
  const isNarrow = window.innerWidth < 600;
  TALE.lane = TALE.lanes.length < 2 ? 22 : Math.max(15, Math.min(isNarrow ? 46 : 96, (isNarrow ? 120 : 290) / TALE.lanes.length));
  const width = TALE.lane * Math.max(1, TALE.lanes.length);
  const list = make('ol', { class: 'tale-rows' });
  let before = 0;
  TALE.rows = [];
  for (const told of STORY.steps) {
    const isLoop = TRACE.loop_start !== null && before < TRACE.loop_start && told.n >= TRACE.loop_start;
    const left = told.n - before - 1;
    if (left > 0) append(list, [make('li', { class: 'tale-gap' }, `${countOf(left, 'step')} left out`)]);
    if (isLoop) append(list, [make('li', { class: 'tale-loop' }, `steps ${TRACE.loop_start} to ${TRACE.length} are repeated forever:`)]);
    const row = make('li', {}, taleRow(told));
    list.append(row);
    TALE.rows.push({ told, row });
    before = told.n;
  }
  TALE.list = list;
  TALE.arrows = ARROWS.filter((arrow) => TOLD.has(arrow.from));
  TALE.box = make('div', { class: 'tale' }, TALE.lanes.length > 1 ? laneNames(TALE.lanes, (at) => (at + 0.5) * TALE.lane, TALE.lane, 'tale-names') : null, list);
  TALE.box.style.setProperty('--lanes', `${width}px`);
  new ResizeObserver(drawTale).observe(TALE.box);
  onStep((n) => {
    for (const { told, row } of TALE.rows) {
      if (told.n === n) row.firstChild.setAttribute('aria-current', 'step');
      else row.firstChild.removeAttribute('aria-current');
    }
  });
  return make('section', { class: 'card', 'aria-label': 'How it came about' },
    make('div', { class: 'card-head' }, make('h3', {}, 'How it came about ', make('span', { class: 'dim counted' }, `(${STORY.counted})`)),
      button('all steps', () => openTab('trace', true), { class: 'link' })),
    TALE.lanes.length > 1 ? make('p', { class: 'hidden-visually' }, `Processes: ${TALE.lanes.map(laneName).join(', ')}`) : null,
    TALE.box, fateLegend(STORY.steps.map((told) => STEPS[told.n - 1])));
}

function taleRow(told) {
  const step = STEPS[told.n - 1];
  const place = outermost(step.location);
  return button([
    make('span', { class: 'n' }, told.n), make('span', { class: 'inset' }),
    make('span', { class: 'tale-words' },
      make('span', { class: 'tale-deed' }, told.who ? [make('span', { class: 'who' }, told.who), ' '] : null, code(told.action),
        place ? make('span', { class: 'dim where' }, ` ${placeName(place)}`) : null),
      told.changes.map((change) => make('span', { class: 'effect' }, change)),
      told.mark ? badge('danger', told.mark) : null,
      told.instead ? make('span', { class: 'dim tale-instead' }, prose(told.instead)) : null),
  ], () => go(told.n, 'story'), { class: 'tale-row', 'data-step': told.n });
}

// Lanes, marks and arrows, over rows whose height the browser decides.
function drawTale() {
  if (!TALE.box || TALE.box.clientWidth === 0) return;
  TALE.picture?.remove();
  const height = TALE.list.offsetHeight;
  const count = Math.max(1, TALE.lanes.length);
  const x = (lane) => (lane + 0.5) * TALE.lane;
  const laneOf = (deed) => Math.max(0, TALE.lanes.indexOf(actor(deed)));
  const y = new Map(TALE.rows.map(({ told, row }) => [told.n, row.offsetTop + 17]));
  const stuck = new Set(STORY.blocked.map(actor));
  const picture = draw('svg', { class: 'tale-picture', width: TALE.lane * count + 12, height, 'aria-hidden': 'true' });
  for (let lane = 0; lane < count; lane += 1) {
    append(picture, [draw('line', { class: 'lane', x1: x(lane), x2: x(lane), y1: 0, y2: height - 3 }),
      stuck.has(TALE.lanes[lane]) ? draw('path', { class: 'stuck-end', d: `M${x(lane) - 7} ${height - 2}h14` }) : null]);
  }
  if (TRACE.loop_start !== null) {
    const inLoop = TALE.rows.filter(({ told }) => told.n >= TRACE.loop_start).map(({ told }) => y.get(told.n));
    if (inLoop.length) append(picture, [draw('path', { class: 'loop', d: `M7 ${inLoop.at(-1)}H2V${inLoop[0]}H7` }), arrowHead(9, inLoop[0], 1)]);
  }
  for (const arrow of TALE.arrows) {
    const names = [LANES[arrow.lane], LANES[arrow.target]].map((name) => TALE.lanes.indexOf(name));
    const [x1, y1] = [x(names[0]), y.get(arrow.from)];
    if (arrow.to === null || !y.has(arrow.to) || names[1] < 0) {
      append(picture, [draw('path', { class: 'message lost', d: `M${x1} ${y1}h${Math.min(30, TALE.lane * 0.45)}` })]);
      continue;
    }
    if (names[0] === names[1]) continue;
    const [x2, y2] = [x(names[1]), y.get(arrow.to)];
    const side = x2 > x1 ? 1 : -1;
    append(picture, [draw('path', { class: 'message', d: `M${x1} ${y1}L${x2 - 6 * side} ${y2}` }), arrowHead(x2 - 4 * side, y2, side),
      TALE.lane >= 60 && arrow.to !== arrow.from
        ? draw('text', { class: 'message-text', x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 3, 'text-anchor': 'middle' }, shortened(arrow.text, Math.floor(TALE.lane / 6.2))) : null]);
  }
  for (const { told } of TALE.rows) {
    const step = STEPS[told.n - 1];
    append(picture, [fateShape(step.fate, x(laneOf(step)), y.get(told.n), 5, step.point_of_no_return),
      step.partner ? draw('circle', { class: 'partner', cx: x(laneOf(step.partner)), cy: y.get(told.n), r: 4 }) : null]);
  }
  TALE.picture = picture;
  TALE.list.append(make('li', { class: 'tale-layer', 'aria-hidden': 'true' }, picture));
  TALE.picture = TALE.list.lastChild;
}

// One repair.
function tryCard() {
  if (!STORY.repair) return null;
  return card('Try', make('p', {}, icon('check'), ' ', sentence(STORY.repair.outcome)), patchView(STORY.repair.patch));
}
