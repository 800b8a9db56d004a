// The page: head, tabs, keys, light and dark.

const TABS = new Map();

function announce(text) {
  document.getElementById('announcer').textContent = shown(text);
}

// Brings a part of the page into view where the page is so narrow that its parts are below each other.
function bring(element) {
  const box = element.getBoundingClientRect();
  if (box.bottom < 60 || box.top > window.innerHeight - 60) element.scrollIntoView({ block: 'start' });
}

function openTab(key, focus) {
  for (const [name, tab] of TABS) {
    const isOpen = name === key;
    tab.handle.setAttribute('aria-selected', String(isOpen));
    tab.handle.tabIndex = isOpen ? 0 : -1;
    tab.panel.hidden = !isOpen;
    if (!isOpen) continue;
    if (!tab.isMade) {
      tab.isMade = true;
      const made = tab.make();
      append(tab.panel, [make('h2', { class: 'hidden-visually' }, tab.handle.textContent), made.content || made]);
      explainTerms(tab.panel);
      if (made.firstShown) made.firstShown();
    }
    if (focus) tab.handle.focus();
    tab.handle.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (key === 'trace' && CHART.list) { CHART.list.refresh(true); CHART.list.select(CHART.rowOf[NOW.step]); }
  }
}

function tabs() {
  const all = [
    ['story', 'Story', storyPanel], ['trace', 'Trace', tracePanel], ['compare', 'Passing trace', comparePanel],
    ['graph', 'Graph', graphPanel], ['evidence', 'Evidence', evidencePanel], ['about', 'About', aboutPanel],
  ];
  const bar = make('div', { role: 'tablist', 'aria-label': 'Parts of the report', class: 'tabs', on: { keydown: (event) => tabKey(event) } });
  const panels = make('div', { id: 'panels' });
  for (const [key, name, makePanel] of all) {
    const handle = make('button', {
      type: 'button', role: 'tab', id: `tab-${key}`, 'aria-controls': `panel-${key}`, 'aria-selected': 'false', tabindex: '-1',
      on: { click: () => openTab(key) },
    }, name);
    const panel = make('div', { role: 'tabpanel', id: `panel-${key}`, 'aria-labelledby': `tab-${key}`, class: `panel panel-${key}`, hidden: true });
    TABS.set(key, { handle, panel, make: makePanel });
    bar.append(handle);
    panels.append(panel);
  }
  return [bar, panels];
}

function tabKey(event) {
  const names = [...TABS.keys()];
  const at = names.findIndex((name) => TABS.get(name).handle === document.activeElement);
  const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
  if (!(event.key in moves) || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  openTab(names[(moves[event.key] + names.length) % names.length], true);
}

function aboutPanel() {
  const { statistics, property, input, fates } = REPORT;
  const rows = [
    ['input', [code(input.path), ` (${input.kind})`]], ['property', [prose(property.text), ` (${property.kind})`]],
    ['verdict', [REPORT.verdict, ': ', prose(REPORT.reason)]], ['passing', prose(REPORT.passing_definition)],
    ['engine', [ENGINES[REPORT.engine] || REPORT.engine, REPORT.bound === null ? '' : `, unwound up to ${REPORT.bound}`]],
    ['explored', `${countOf(statistics.states, 'state')}, ${countOf(statistics.transitions, 'transition')}, depth ${grouped(statistics.max_depth)}`
      + `${statistics.complete ? '' : '; not everything was explored'}`],
    fates ? ['fates', Object.keys(FATES).map((fate) => [fateBadge(fate), ` ${grouped(fates[fate])} `])] : null,
    fates ? ['between them', `${countOf(fates.points_of_no_return, 'point')} of no return, ${countOf(fates.escapes, 'escape')}`] : null,
    ['cost', `${seconds(statistics.seconds)}${statistics.peak_bytes ? `, ${grouped(Math.round(statistics.peak_bytes / 1048576))} MiB` : ''}`],
    ['made by', `Wherefore ${REPORT.version}, ${REPORT.schema}`],
  ].filter(Boolean);
  const others = REPORT.violations.length > 1 ? card('All violations', pagedTable('Violations', ['', 'what', 'where', 'how often', 'after'], REPORT.violations, (one) => [
    [String(one.id), one.id === REPORT.explained ? badge('method', 'explained here') : null], prose(one.text), placeLink(one.location), grouped(one.count), countOf(one.shortest, 'step')])) : null;
  const unreached = REPORT.unreached ? card('Never executed', REPORT.unreached.length ? unfolding(REPORT.unreached, 20, (deed) => make('div', {}, eventLine(deed)))
    : make('p', {}, 'Every statement is executed by some trace.')) : null;
  return [card('This report', make('dl', {}, rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]))), others, unreached,
    glossaryCard(), card('Keys', make('dl', {}, KEYS.map(([keys, words]) => [make('dt', {}, make('kbd', {}, keys)), make('dd', {}, words)])))];
}

const ENGINES = { explicit: 'explicit: state by state', sat: 'sat: the program as a formula for a solver', summary: 'summary: call by call' };

const KEYS = [
  ['\u2190 \u2192', 'a step back, a step forward'], ['Home End', 'to the start, to the end'], ['/', 'search'],
  ['1 \u2026 6', 'open a tab'], ['t', 'light or dark'], ['?', 'these keys'],
];

function keyPressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest('input, select, textarea')) return;
  const acts = {
    ArrowRight: () => go(NOW.step + 1, 'key'), ArrowLeft: () => go(NOW.step - 1, 'key'),
    Home: () => go(0, 'key'), End: () => go(STEPS.length, 'key'),
    '/': () => document.getElementById('search').focus(), t: turnTheme, '?': () => openTab('about', true),
  };
  const tab = /^[1-6]$/.test(event.key) ? [...TABS.keys()][Number(event.key) - 1] : null;
  if (!(event.key in acts) && !tab) return;
  event.preventDefault();
  if (tab) openTab(tab, true);
  else acts[event.key]();
}

// Pages that are opened from a file may have nowhere to remember things.
function remembered(value) {
  try {
    if (value) localStorage.setItem('wherefore-theme', value);
    return localStorage.getItem('wherefore-theme');
  } catch {
    return null;
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function turnTheme() {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  remembered(next);
  setTheme(next);
}

// The step and the source stay beside what is read, and never reach below the window.
function keepInView(side) {
  let isDue = false;
  const fit = () => {
    isDue = false;
    const top = Math.max(12, side.parentElement.getBoundingClientRect().top);
    side.style.setProperty('--top', `${Math.round(top)}px`);
  };
  const later = () => { if (!isDue) { isDue = true; requestAnimationFrame(fit); } };
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', later);
  fit();
}

function head() {
  const isFree = REPORT.property.text === 'deadlock' && REPORT.verdict === 'holds';
  const property = isFree ? 'no deadlock' : REPORT.property.text;
  const verdicts = { violated: 'danger', holds: 'good', unknown: 'muted' };
  return [
    make('div', { class: 'bar' },
      make('p', { class: 'brand' }, 'Wherefore'), make('h1', {}, make('bdi', {}, REPORT.input.path)), searchBox(),
      button(icon('theme'), turnTheme, { class: 'control', 'aria-label': 'Light or dark', title: 'Light or dark (t)' })),
    make('div', { class: 'verdict' },
      make('p', { class: 'verdict-line' }, badge(`verdict-badge ${verdicts[REPORT.verdict]}`, REPORT.verdict),
        make('span', {}, prose(DATA.verdict || property))),
      make('p', { class: 'dim' }, TRACE ? `${countOf(TRACE.length, 'step')} \u00b7 ` : null, DATA.verdict ? ['property: ', prose(property)] : prose(REPORT.reason)),
      otherProperties()),
  ];
}

// The verdicts about the other properties that were checked.
function otherProperties() {
  const others = REPORT.properties.filter(one => one.text !== REPORT.property.text || one.kind !== REPORT.property.kind);
  const told = one => {
    const why = one.verdict === 'unknown' ? `: ${one.reason}` : '';
    const how = one.verdict === 'violated' && one.ask ? ` (-p ${one.ask})` : '';
    return make('li', {}, `${one.verdict === 'unknown' ? 'undecided' : one.verdict}: `, prose(one.text), `${why}${how}`);
  };
  return others.length ? make('ul', { class: 'dim' }, others.map(told)) : null;
}

function start() {
  setTheme(remembered() || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  append(document.getElementById('top'), head());
  const side = TRACE ? make('aside', { class: 'side-column', 'aria-label': 'Step and source' }, sourcePanel(), stepPanel()) : null;
  const [bar, panels] = tabs();
  append(document.getElementById('main'), [bar, make('div', { class: side ? 'columns' : '' }, make('div', { class: 'main-column' }, panels), side)]);
  if (side) keepInView(side);
  document.addEventListener('keydown', keyPressed);
  openTab('story');
  const decisive = STEPS.find((step) => step.point_of_no_return && step.n < STEPS.length);
  const told = STORY.causes.length ? REPORT.causes.find((cause) => cause.rank === STORY.causes[0].rank) : null;
  const suspect = told ? told.steps.find((n) => TOLD.has(n)) ?? told.steps[0] : undefined;
  go(suspect ?? (decisive ? decisive.n : STEPS.length));
  document.documentElement.dataset.ready = 'yes';
}

start();
