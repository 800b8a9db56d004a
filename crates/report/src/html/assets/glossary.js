// Words that the glossary explains lead to their entries, where a part of the page uses them first.

const TERMS = new Map();
for (const entry of DATA.glossary) for (const term of entry.terms) TERMS.set(term.toLowerCase(), entry);
const TERM = new RegExp(`\\b(${[...TERMS.keys()].sort((one, other) => other.length - one.length).join('|')})(?:e?s)?\\b`, 'gi');

// What is not prose: names of the input, what leads elsewhere already, and headings of tables.
const NO_PROSE = '[aria-hidden], h2, h3, code, button, a, svg, select, option, summary, th, caption, dt, kbd, pre, .badge, .who, .tale-gap, .hidden-visually, .long-list, .glossary';

function termId(entry) {
  return `term-${entry.terms[0].toLowerCase().replace(/[^a-z]+/g, '-')}`;
}

function explainTerms(root) {
  const told = new Set();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(NO_PROSE)) texts.push(walker.currentNode);
  for (const text of texts) {
    const whole = text.data;
    let [rest, done] = [text, 0];
    for (const found of whole.matchAll(TERM)) {
      const entry = TERMS.get(found[1].toLowerCase());
      if (told.has(entry)) continue;
      told.add(entry);
      const word = rest.splitText(found.index - done);
      rest = word.splitText(found[0].length);
      done = found.index + found[0].length;
      word.replaceWith(termLink(entry, found[0]));
    }
  }
}

function termLink(entry, words) {
  return make('a', {
    class: 'term', href: `#${termId(entry)}`, title: entry.text,
    on: { click: (event) => { event.preventDefault(); openTerm(entry); } },
  }, words);
}

function openTerm(entry) {
  openTab('about');
  const place = document.getElementById(termId(entry));
  place.focus();
  place.scrollIntoView({ block: 'center' });
}

function glossaryCard() {
  return make('section', { class: 'card glossary' }, heading('Glossary'), make('dl', {}, DATA.glossary.map((entry) => [
    make('dt', { id: termId(entry), tabindex: '-1' }, entry.terms.join(', ')), make('dd', {}, prose(entry.text))])));
}
