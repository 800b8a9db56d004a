// Search in steps, variables, causes and source.

const MOST_FOUND = 60;

function foundFor(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const has = (...texts) => texts.some((one) => String(one ?? '').toLowerCase().includes(wanted));
  const found = [];
  const add = (kind, title, act) => found.length < MOST_FOUND && found.push({ kind, title, act });
  for (const cause of REPORT.causes) {
    if (has(cause.summary, cause.claim)) {
      add('cause', `${cause.rank}: ${cause.summary}`, () => { openTab('evidence'); document.getElementById(`cause-${cause.rank}`)?.scrollIntoView({ block: 'center' }); });
    }
  }
  for (const name of TIMELINE.keys()) if (has(name)) add('variable', `${name} = ${valueAt(name, NOW.step) ?? '\u2014'}`, () => nextChange(name));
  for (const step of STEPS) {
    if (found.length >= MOST_FOUND) break;
    if (has(step.event, step.action, step.n)) add('step', `${step.n}  ${step.event}`, () => { go(step.n, 'search'); });
  }
  for (const file of DATA.sources) {
    for (const piece of file.pieces) {
      for (let at = 0; at < piece.text.length && found.length < MOST_FOUND; at += 1) {
        if (has(piece.text[at])) {
          const line = piece.first + at;
          add('source', `${line}  ${piece.text[at].trim()}`, () => showSource({ file: file.file, line }));
        }
      }
    }
  }
  return found;
}

function nextChange(name) {
  const line = TIMELINE.get(name);
  go(line.at.find((n) => n > NOW.step) ?? line.at[0], 'search');
}

function searchBox() {
  let [found, at, due] = [[], -1, 0];
  const list = make('ul', { id: 'found', role: 'listbox', 'aria-label': 'Search results', hidden: true });
  const input = make('input', {
    type: 'search', id: 'search', placeholder: 'Search  ( / )', role: 'combobox', 'aria-label': 'Search steps, variables, causes and source',
    'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false',
    on: {
      input: () => { clearTimeout(due); due = setTimeout(tell, 80); },
      keydown: (event) => key(event),
      blur: () => setTimeout(close, 150),
      focus: () => tell(),
    },
  });
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); input.removeAttribute('aria-activedescendant'); };
  const act = (place) => { if (found[place]) { found[place].act(); close(); } };
  const point = (place) => {
    at = place;
    [...list.children].forEach((item, n) => item.setAttribute('aria-selected', n === at ? 'true' : 'false'));
    const item = list.children[at];
    if (item) { input.setAttribute('aria-activedescendant', item.id); item.scrollIntoView({ block: 'nearest' }); }
  };
  const tell = () => {
    found = foundFor(input.value);
    at = -1;
    list.hidden = input.value.trim() === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    replaceChildren(list, found.length ? found.map((one, n) => make('li', {
      role: 'option', id: `found-${n}`, 'aria-selected': 'false', on: { mousedown: (event) => { event.preventDefault(); act(n); } },
    }, badge('muted', one.kind), ' ', make('span', {}, one.title)))
      : make('li', { role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true' }, 'nothing found'));
  };
  const key = (event) => {
    event.stopPropagation();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (found.length) point((at + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length);
    } else if (event.key === 'Enter') {
      if (list.hidden) tell();
      act(Math.max(0, at));
    } else if (event.key === 'Escape') { close(); input.blur(); }
  };
  return make('div', { class: 'search', role: 'search' }, input, list);
}
